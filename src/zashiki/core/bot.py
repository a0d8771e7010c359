"""What sits on a seat and chooses: a bot gets a view and the legal actions, never a state."""

import json
from dataclasses import dataclass
from typing import Any, Protocol

from zashiki.core.dice import Quick
from zashiki.core.game import ActionId, Game
from zashiki.core.parts import View


class Bot(Protocol):
    """Chooses by what its seat knows: with an equal seed and an equal view it chooses alike."""

    def choose(self, view: View[Any, Any], legal: list[ActionId]) -> ActionId: ...


@dataclass(frozen=True)
class Level:
    """How well a level plays: how many worlds it looks at, and how it thinks that they go on."""

    worlds: int
    """So many worlds are looked at; none: `bot` chooses."""
    looks: int = 1
    """How many actions the players of these worlds weigh at each decision."""
    exploration: float = 0.7
    """How much is tried that does not seem best."""
    proof: int = 0
    """So many positions are looked at for a win that nothing can stop."""
    bot: str = ""
    """The bot of the game that plays instead, where one is better than looking ahead."""


def chance_at(game: Game[Any, Any, Any], view: View[Any, Any], seed: int | str) -> Quick:
    """Chance of its own for each view and seed: so a choice depends on nothing else."""
    return Quick(f"{seed} {json.dumps(game.show(view), sort_keys=True)}")
