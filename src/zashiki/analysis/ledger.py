"""The ledger: the value of every decision of a seat, given what the seat knew.

Each decision is valued in two stages. The first finds the best action other than the one that was
played: all actions are tried in the same worlds, and the worse half is dropped several times. The
second compares these two in fresh worlds, because the best of many estimates is too high. It stops
as soon as the judgement is clear, or when the budget is spent.
"""

from bisect import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log2

from zashiki.analysis.course import Course, RealWorld
from zashiki.analysis.result import BAD, ActionValue, Decision, Mark
from zashiki.analysis.sample_mean import SampleMean
from zashiki.bots import make_bot
from zashiki.bots.thinking import LEVELS, levels_of, playout_policy_of
from zashiki.core.game import ActionId
from zashiki.core.parts import Seat
from zashiki.core.playout_policy import PlayoutPolicy
from zashiki.core.spec import AnyGame, AnyView, GameSpec
from zashiki.search.paired import PairedPlayouts, SampledWorlds

INACCURACY, MISTAKE, BLUNDER = 0.02, 0.05, 0.10
"""Losses from which a decision is marked."""
CLASSES = (-INACCURACY, INACCURACY, MISTAKE, BLUNDER)
SURE = 2.0
"""Standard errors beyond which a difference is taken to be real."""
CLEAR = 2.5
"""Standard errors on both sides of a gain that must agree before worlds are saved."""
BATCH = 32
"""Worlds between two checks whether the judgement is clear."""
MIN_WORLDS = 2 * BATCH
OPEN_SHARE = 8
"""The real world is played once per this number of playouts of the budget."""
IN_MIXTURE = 0.01
"""Share from which an action belongs to a stored equilibrium. Learning leaves traces below it."""
WEAKEST = next(iter(LEVELS))


def reference_policy(spec: GameSpec, game: AnyGame) -> PlayoutPolicy:
    """Return the reference: the playout policy of the level that compares most actions."""
    return playout_policy_of(spec, game, max(2, *(one.looks for one in levels_of(spec).values())))


@dataclass(frozen=True)
class Ledger:
    """Values the decisions of one seat: a function of course, seat, playouts and seed."""

    course: Course
    seat: Seat
    policy: PlayoutPolicy
    playouts: int
    seed: int | str

    def acts(self) -> list[int]:
        """Return the numbers of the seat's actions that had an alternative."""
        course = self.course
        own = [act for act in range(1, course.last + 1) if course.mover(act) == self.seat]
        return [act for act in own if len(course.game.legal(self.view(act))) > 1]

    def view(self, act: int) -> AnyView:
        return self.course.view_before(act, self.seat)

    def decision(self, act: int) -> Decision:
        game, view, played = self.course.game, self.view(act), self.course.action(act)
        legal = game.legal(view)
        shares = self.shares(view, legal)
        tallies, alive = self.first_stage(self.playing(view, act, "first"), legal, played)
        mixed = [action for action in legal if shares.get(action, 0.0) >= IN_MIXTURE]
        others = [action for action in mixed or alive if action != played]
        rival = max(others or alive[:-1], key=lambda action: tallies[action].mean)
        here, there, gain = self.second_stage(self.playing(view, act, "second"), played, rival)
        real = PairedPlayouts(
            game, RealWorld(self.course, act - 1), self.policy, self.stage_seed(act, "open")
        )
        worlds = range(max(MIN_WORLDS, self.playouts // OPEN_SHARE))
        open_gain = SampleMean(self.pair(real, world, played, rival)[2] for world in worlds)
        is_better = tallies[rival].mean > tallies[played].mean
        is_mixed = played in mixed
        return Decision(
            act,
            game.actions[played].text,
            game.actions[rival].text,
            gain.mean,
            gain.error,
            gain.mean if is_better and not is_mixed else 0.0,
            "as-good" if is_mixed else self.mark(view, legal, played, gain, is_better),
            gain.count,
            open_gain.mean,
            open_gain.error,
            listed(game, {**tallies, played: here, rival: there}, shares),
        )

    # The two stages ----------------------------------------------------------------------------

    def stage_seed(self, act: int, stage: str) -> str:
        """Return the seed of a stage. It depends on nothing that the seat does not know."""
        course = self.course
        turn = sum(course.mover(before) == self.seat for before in range(1, act))
        return f"{self.seed} {self.seat} {turn} {stage}"

    def playing(self, view: AnyView, act: int, stage: str) -> PairedPlayouts:
        """Return playouts in worlds that agree with a view."""
        game = self.course.game
        worlds = SampledWorlds(game, view, self.policy)
        return PairedPlayouts(game, worlds, self.policy, self.stage_seed(act, stage))

    def first_stage(
        self, playing: PairedPlayouts, legal: Sequence[ActionId], played: ActionId
    ) -> tuple[dict[ActionId, SampleMean], list[ActionId]]:
        """Try all actions with half of the budget; return their values and the last survivors.

        The action that was played always survives, and is the last one of them.
        """
        tallies = {action: SampleMean() for action in legal}
        alive = [*(action for action in legal if action != played), played]
        rounds = ceil(log2(len(legal)))
        world = 0
        for _ in range(rounds):
            last = world + max(1, self.playouts // 2 // rounds // len(alive))
            while world < last:
                for action in alive:
                    tallies[action].add(playing.values_after(world, self.seat, action)[self.seat])
                world += 1
            rivals = sorted(alive[:-1], key=lambda action: -tallies[action].mean)
            alive = [*rivals[: ceil(len(rivals) / 2)], played]
        return tallies, alive

    def second_stage(
        self, playing: PairedPlayouts, played: ActionId, rival: ActionId
    ) -> tuple[SampleMean, SampleMean, SampleMean]:
        """Compare two actions until it is clear; return both values and the gain by the rival."""
        tallies = here, there, gain = SampleMean(), SampleMean(), SampleMean()
        most = max(MIN_WORLDS, self.playouts // 4)
        while gain.count < most and not (gain.count >= MIN_WORLDS and is_clear(gain)):
            for world in range(gain.count, gain.count + BATCH):
                for tally, value in zip(
                    tallies, self.pair(playing, world, played, rival), strict=True
                ):
                    tally.add(value)
        return here, there, gain

    def pair(
        self, playing: PairedPlayouts, world: int, played: ActionId, rival: ActionId
    ) -> tuple[float, float, float]:
        """Return the values of two actions in a world, and the gain by the second."""
        here = playing.values_after(world, self.seat, played)[self.seat]
        there = playing.values_after(world, self.seat, rival)[self.seat]
        return here, there, there - here

    # Judging -----------------------------------------------------------------------------------

    def shares(self, view: AnyView, legal: Sequence[ActionId]) -> dict[ActionId, float]:
        """Return the share of each action in a stored equilibrium; empty if none applies."""
        solution = self.course.spec.solution
        weights = [] if solution is None else solution(self.course.game, view, list(legal))
        whole = sum(weights)
        if not whole:
            return {}
        return {action: weight / whole for action, weight in zip(legal, weights, strict=True)}

    def mark(
        self,
        view: AnyView,
        legal: list[ActionId],
        played: ActionId,
        gain: SampleMean,
        is_better: bool,
    ) -> Mark:
        """Return the mark of a gain. `is_better`: so the rival was in the first stage, too."""
        mark = judged(gain)
        if mark in BAD:
            return mark if is_better else "too-close"
        if mark != "found":
            return mark
        weak = make_bot(WEAKEST, self.course.spec, self.course.game, 0)
        return "as-good" if weak.choose(view, legal) == played else "found"


def judged(gain: SampleMean) -> Mark:
    """Return the mark of a gain by the rival, without a look at which level finds the action."""
    if gain.mean > SURE * gain.error and gain.mean >= INACCURACY:
        return BAD[bisect((MISTAKE, BLUNDER), gain.mean)]
    if -gain.mean > SURE * gain.error and -gain.mean >= INACCURACY:
        return "found"
    return "as-good" if gain.mean + SURE * gain.error < INACCURACY else "too-close"


def is_clear(gain: SampleMean) -> bool:
    """Return True if the whole interval of a gain gets the same mark."""
    low, high = gain.mean - CLEAR * gain.error, gain.mean + CLEAR * gain.error
    return bisect(CLASSES, low) == bisect(CLASSES, high)


def listed(
    game: AnyGame, tallies: Mapping[ActionId, SampleMean], shares: Mapping[ActionId, float]
) -> tuple[ActionValue, ...]:
    """Return the values of all actions, the highest first."""
    found = [
        ActionValue(
            game.actions[action].text, tally.mean, tally.error, tally.count, shares.get(action)
        )
        for action, tally in tallies.items()
    ]
    return tuple(sorted(found, key=lambda one: (-one.value, one.action)))
