# mypyc: compile
"""Paired playouts: every action of a decision in the same worlds and with the same dice.

The difference of two actions then varies less than the value of either, because both share the
luck of the world. A playout ends where the match ends: no position is evaluated before.
"""

from typing import Any, Final, final

from mypy_extensions import i64, mypyc_attr

from zashiki.core.dice import Chance, Quick
from zashiki.core.game import ActionId, Game
from zashiki.core.parts import NO_SEATS, Seat, State, View
from zashiki.core.playout_policy import PlayoutPolicy


@mypyc_attr(allow_interpreted_subclasses=True)
class Worlds:
    """A source of worlds. Equal chance gives equal worlds."""

    def world(self, chance: Chance) -> State[Any, Any, Any]:
        """Return a new state that a playout may change."""
        raise NotImplementedError


@final
class SampledWorlds(Worlds):
    """Worlds that agree with a view, as the playout policy samples them."""

    def __init__(
        self, game: Game[Any, Any, Any], view: View[Any, Any], policy: PlayoutPolicy
    ) -> None:
        self.game: Final = game
        self.view: Final = view
        self.policy: Final = policy

    def world(self, chance: Chance) -> State[Any, Any, Any]:
        return self.policy.world(self.game, self.view, chance)


@final
class PairedPlayouts:
    """Plays numbered worlds to the end. The number fixes the world, its dice and all choices."""

    def __init__(
        self, game: Game[Any, Any, Any], worlds: Worlds, policy: PlayoutPolicy, seed: str
    ) -> None:
        self.game: Final = game
        self.worlds: Final = worlds
        self.policy: Final = policy
        self.seed: Final = seed
        self.choices: Final = game.choices()

    def values(self, number: int) -> list[float]:
        """Return the value of a world to each seat."""
        chance = Quick(f"{self.seed}/{number}")
        return self.play_on(self.worlds.world(chance), chance)

    def values_after(self, number: int, seat: Seat, action: ActionId) -> list[float]:
        """Return the value of a world to each seat after an action."""
        chance = Quick(f"{self.seed}/{number}")
        state = self.worlds.world(chance)
        self.game.apply(state, seat, action, chance)
        return self.play_on(state, chance)

    def play_on(self, state: State[Any, Any, Any], chance: Chance) -> list[float]:
        """Play a state to the end by the policy, and return the value to each seat."""
        game, policy, choices = self.game, self.policy, self.choices
        to_act = game.to_act(state.public)
        while to_act != NO_SEATS:
            seat: i64 = 0
            while to_act >> seat:
                if to_act >> seat & 1:
                    action = policy.act(game, state.views[seat], choices, chance)
                    game.apply(state, Seat(seat), action, chance)
                seat += 1
            to_act = game.to_act(state.public)
        return policy.end_values(game, state.public)
