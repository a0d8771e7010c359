# mypyc: compile
"""What a search may ask a game beside its rules: how people play on, and what an end is worth."""

from collections.abc import Callable
from typing import Any, Final, final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from zashiki.core.dice import Chance
from zashiki.core.game import ActionId, Choices, Game, Outcome
from zashiki.core.parts import State, View


@mypyc_attr(allow_interpreted_subclasses=True)
class Guide:
    """Knows no game: any action is as likely as another, and an end is worth its ranks."""

    def __init__(self, patience: int = 0) -> None:
        self.patience: Final[i64] = patience
        """After so many decisions beyond the tree a match is judged as it stands; 0: never."""

    def act(
        self, game: Game[Any, Any, Any], view: View[Any, Any], choices: Choices, chance: Chance
    ) -> ActionId:
        """How this seat might play on, beyond what the search has looked at."""
        choices.clear()
        game.offer(view, choices)
        return self.pick(view, choices, chance)

    def pick(self, view: View[Any, Any], choices: Choices, chance: Chance) -> ActionId:
        """One of these, for a seat that plays on."""
        return choices.pick(chance)

    def world(
        self, game: Game[Any, Any, Any], view: View[Any, Any], chance: Chance
    ) -> State[Any, Any, Any]:
        """A world from `sample`; perhaps one of the likelier that agree with the view as well."""
        return game.sample(view, chance)

    def leanings(self, view: View[Any, Any], choices: Choices) -> vec[float]:
        """How likely each choice is to be best, before anything is tried; none: who knows."""
        return vec[float]()

    def is_quiet(self, public: Any) -> bool:
        """May a match be judged as it stands here, when patience has come to its end?"""
        return True

    def ends(self, game: Game[Any, Any, Any], public: Any) -> list[float]:
        """What the end of a match is worth to each seat."""
        outcome = game.outcome(public)
        assert outcome is not None
        return self.worths(outcome)

    def worths(self, outcome: Outcome) -> list[float]:
        """What an outcome is worth to each seat, from 0 to 1."""
        return rank_shares(outcome)

    def stage_worths(self, view: View[Any, Any], state: State[Any, Any, Any]) -> list[float] | None:
        """What each seat has got, 1 where it is all that it can get, if the stage of the match in
        which the view stands is over there. A stage of most games is the whole match."""
        return None

    def idle(self, view: View[Any, Any]) -> str:
        """The stream of draws that matter only when the stage in which the view stands is over;
        none, if there is no such stream."""
        return ""

    def hopes(self, state: State[Any, Any, Any]) -> list[float]:
        """What each seat may hope for where a match stands, on the same scale."""
        raise NotImplementedError


def rank_shares(outcome: Outcome) -> list[float]:
    """The share of the others that a seat has left behind; who shares a rank shares the places."""
    ranks = outcome.ranks
    last = len(ranks) - 1
    found: list[float] = []
    for rank in ranks:
        ties = 0
        for other in ranks:
            if other == rank:
                ties += 1
        place = float(rank - 1) + float(ties - 1) / 2.0
        found.append(1.0 - place / float(last))
    return found


@final
class Eager(Guide):
    """Looks at some actions, any, and takes the one that seems to bring most at once."""

    def __init__(
        self,
        game: Game[Any, Any, Any],
        gain: Callable[[Game[Any, Any, Any], View[Any, Any], ActionId], float],
        looks: int,
    ) -> None:
        super().__init__()
        self.game: Final = game
        self.gain: Final = gain
        self.looks: Final[i64] = looks

    def pick(self, view: View[Any, Any], choices: Choices, chance: Chance) -> ActionId:
        best = choices.pick(chance)
        if choices.count == 1:
            return best
        most = self.gain(self.game, view, best)
        look: i64 = 1
        while look < self.looks:
            other = choices.pick(chance)
            if other != best:
                brings = self.gain(self.game, view, other)
                if brings > most:
                    most = brings
                    best = other
            look += 1
        return best
