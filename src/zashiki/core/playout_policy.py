# mypyc: compile
"""The heuristics of a game for searches: the choices in playouts, and the values of positions."""

from collections.abc import Callable
from typing import Any, Final, final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from zashiki.core.dice import Chance
from zashiki.core.game import ActionId, Choices, Game, Outcome
from zashiki.core.parts import State, View


@mypyc_attr(allow_interpreted_subclasses=True)
class PlayoutPolicy:
    """Defaults for any game: uniformly random playouts, and values by the ranks of an outcome."""

    def __init__(self, patience: int = 0) -> None:
        self.patience: Final[i64] = patience
        """Decisions beyond the tree after which a position is evaluated; 0: play to the end."""

    def act(
        self, game: Game[Any, Any, Any], view: View[Any, Any], choices: Choices, chance: Chance
    ) -> ActionId:
        """Choose for a seat beyond the tree."""
        choices.clear()
        game.offer(view, choices)
        return self.pick(view, choices, chance)

    def pick(self, view: View[Any, Any], choices: Choices, chance: Chance) -> ActionId:
        """Choose one of these actions for a seat beyond the tree."""
        return choices.pick(chance)

    def world(
        self, game: Game[Any, Any, Any], view: View[Any, Any], chance: Chance
    ) -> State[Any, Any, Any]:
        """Sample a world that agrees with the view. A policy may prefer likely worlds."""
        return game.sample(view, chance)

    def priors(self, view: View[Any, Any], choices: Choices) -> vec[float]:
        """Return a weight per choice before any is tried; empty if nothing is known."""
        return vec[float]()

    def is_quiet(self, public: Any) -> bool:
        """Return True if a position may be evaluated once `patience` is used up."""
        return True

    def end_values(self, game: Game[Any, Any, Any], public: Any) -> list[float]:
        """Return the value of a finished match to each seat."""
        outcome = game.outcome(public)
        assert outcome is not None
        return self.outcome_values(outcome)

    def outcome_values(self, outcome: Outcome) -> list[float]:
        """Return the value of an outcome to each seat, from 0 to 1."""
        return rank_shares(outcome)

    def stage_values(self, view: View[Any, Any], state: State[Any, Any, Any]) -> list[float] | None:
        """Return the value to each seat if the view's stage is over in this state, else None.

        1 is the highest value that a seat can reach. Most games have a single stage.
        """
        return None

    def idle(self, view: View[Any, Any]) -> str:
        """Return the stream of draws that matter only after the view's stage; empty for none."""
        return ""

    def evaluate(self, state: State[Any, Any, Any]) -> list[float]:
        """Return the expected value to each seat of a running match, from 0 to 1."""
        raise NotImplementedError


def rank_shares(outcome: Outcome) -> list[float]:
    """Return the share of other seats that each seat has beaten; equal ranks share places."""
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
class GreedyPolicy(PlayoutPolicy):
    """Takes the action of the highest immediate value among a few that are drawn at random."""

    def __init__(
        self,
        game: Game[Any, Any, Any],
        immediate_value: Callable[[Game[Any, Any, Any], View[Any, Any], ActionId], float],
        looks: int,
    ) -> None:
        super().__init__()
        self.game: Final = game
        self.immediate_value: Final = immediate_value
        self.looks: Final[i64] = looks

    def pick(self, view: View[Any, Any], choices: Choices, chance: Chance) -> ActionId:
        best = choices.pick(chance)
        if choices.count == 1:
            return best
        most = self.immediate_value(self.game, view, best)
        look: i64 = 1
        while look < self.looks:
            other = choices.pick(chance)
            if other != best:
                brings = self.immediate_value(self.game, view, other)
                if brings > most:
                    most = brings
                    best = other
            look += 1
        return best
