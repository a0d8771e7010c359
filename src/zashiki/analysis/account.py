"""The account: a result as the sum of own losses, cards and the choices of others.

With open cards and everybody playing by the reference, the value of a seat changes only by what
chance draws and by choices that differ from the reference. The value before and after each of them
is estimated by playouts. A draw is taken back by repeating the action with other dice. Under the
reference every such change has mean zero, and the changes add up to result less start.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from math import sqrt

from zashiki.analysis.course import Course, NewDeal, RealWorld
from zashiki.analysis.result import Account, Decision
from zashiki.analysis.sample_mean import SampleMean
from zashiki.core.playout_policy import PlayoutPolicy
from zashiki.search.paired import PairedPlayouts, Worlds

Estimate = list[SampleMean]
"""The value of a position to each seat."""
START = -1
"""Key of the value before the deal."""


class Changes:
    """The values of a match after each action, and before chance took part in it."""

    def __init__(self, course: Course, policy: PlayoutPolicy, playouts: int, seed: int | str):
        self.course = course
        self.policy = policy
        self.playouts = playouts
        self.seed = seed
        self.after: dict[int, Estimate] = {}
        """The value after each action; `START` is before the deal."""
        self.before_draw: dict[int, Estimate] = {}
        """The value after each action that draws, over all that could have been drawn."""
        self.result = policy.end_values(course.game, course.public) if course.is_over else None

    def estimate_all(self, advance: Callable[[int], None]) -> None:
        """Estimate all values; call `advance` after each action."""
        course = self.course
        if not course.header.scenario:
            self.after[START] = self.estimate(NewDeal(course.game), "start")
        for act in range(course.last + 1):
            if act and course.draws(act):
                self.before_draw[act] = self.estimate(
                    RealWorld(course, act - 1), f"{act} draw", act
                )
            if act < course.last or not course.is_over:
                self.after[act] = self.estimate(RealWorld(course, act), f"{act} after")
            advance(1)

    def estimate(self, worlds: Worlds, stage: str, act: int = 0) -> Estimate:
        """Return the value of worlds, after the action of this number if there is one."""
        game = self.course.game
        playing = PairedPlayouts(game, worlds, self.policy, f"{self.seed} {stage}")
        tallies = [SampleMean() for _ in range(game.seats)]
        for world in range(self.playouts):
            if act:
                mover, action = self.course.mover(act), self.course.action(act)
                values = playing.values_after(world, mover, action)
            else:
                values = playing.values(world)
            for tally, value in zip(tallies, values, strict=True):
                tally.add(value)
        return tallies

    def curve(self, seat: int) -> tuple[float, ...]:
        """Return the value after the set-up and after each action; the last is the result."""
        values = [self.after[act][seat].mean for act in sorted(self.after) if act != START]
        return (*values, *([] if self.result is None else [self.result[seat]]))

    def account(self, seat: int, decisions: Sequence[Decision]) -> Account | None:
        """Return the account of a seat; None if the match is not over."""
        if self.result is None:
            return None
        cards, own, others = self.terms(seat)
        losses = sum(one.loss for one in decisions)
        losses_error = sqrt(sum(one.error**2 for one in decisions if one.loss))
        first = self.after.get(START, self.after.get(0))
        start, start_error = (
            (self.result[seat], 0.0) if first is None else (first[seat].mean, first[seat].error)
        )
        means = [term.mean(self, seat) for term in (cards, own, others)]
        unseen = means[1] + losses
        return Account(
            result=self.result[seat],
            start=start,
            start_error=start_error,
            losses=losses,
            losses_error=losses_error,
            cards=means[0],
            cards_error=cards.error(self, seat),
            others=means[2],
            others_error=others.error(self, seat),
            unseen=unseen,
            unseen_error=sqrt(own.error(self, seat) ** 2 + losses_error**2),
            remainder=self.result[seat] - start - (means[0] + means[2] + unseen - losses),
        )

    def terms(self, seat: int) -> "tuple[Term, Term, Term]":
        """Return the effects of cards, of the seat's own actions and of those of others."""
        cards, own, others = Term(), Term(), Term()
        if START in self.after:
            cards.change(("after", START), ("after", 0))
        for act in range(1, self.course.last + 1):
            chosen = own if self.course.mover(act) == seat else others
            drawn = ("draw", act) if act in self.before_draw else ("after", act)
            chosen.change(("after", act - 1), drawn)
            cards.change(drawn, ("after", act))
        return cards, own, others


Place = tuple[str, int]


class Term:
    """A sum of differences of estimates. An estimate that is added and subtracted has no error."""

    def __init__(self) -> None:
        self.weights: Counter[Place] = Counter()

    def change(self, before: Place, after: Place) -> None:
        self.weights[after] += 1
        self.weights[before] -= 1

    def mean(self, changes: Changes, seat: int) -> float:
        return sum(
            weight * figures(changes, place, seat)[0] for place, weight in self.weights.items()
        )

    def error(self, changes: Changes, seat: int) -> float:
        return sqrt(
            sum(
                (weight * figures(changes, place, seat)[1]) ** 2
                for place, weight in self.weights.items()
            )
        )


def figures(changes: Changes, place: Place, seat: int) -> tuple[float, float]:
    """Return the value at a place and its standard error; the result has none."""
    kind, act = place
    found = (changes.after if kind == "after" else changes.before_draw).get(act)
    if found is not None:
        return found[seat].mean, found[seat].error
    assert changes.result is not None
    return changes.result[seat], 0.0
