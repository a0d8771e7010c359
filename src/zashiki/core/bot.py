"""The interface of bots: a bot gets a view and the legal actions, never a state."""

from dataclasses import dataclass
from typing import Any, Protocol

from zashiki.core.dice import Quick
from zashiki.core.game import ActionId, Game
from zashiki.core.parts import View


class Bot(Protocol):
    """Chooses by what its seat knows. Equal seeds and equal views give equal choices."""

    def choose(self, view: View[Any, Any], legal: list[ActionId]) -> ActionId: ...


@dataclass(frozen=True)
class Level:
    """The strength of a level: the number of worlds that it searches, and how."""

    worlds: int
    """Worlds that are sampled and searched per decision; 0: `bot` chooses."""
    looks: int = 1
    """Actions that a player of a sampled world compares at each decision."""
    exploration: float = 0.7
    """Weight of the exploration term: higher values try more of what does not seem best."""
    proof: int = 0
    """Positions that are searched per decision for a forced win; 0: none."""
    bot: str = ""
    """The name of a bot of the game that plays this level instead of a search."""


def chance_at(game: Game[Any, Any, Any], view: View[Any, Any], seed: int | str) -> Quick:
    """Return chance for a bot that depends on nothing but the view and the seed."""
    return Quick(f"{seed} {game.view_key(view)}")
