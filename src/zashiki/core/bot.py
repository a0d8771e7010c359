"""What sits on a seat and chooses: a bot gets a view and the legal actions, never a state."""

from typing import Any, Protocol

from zashiki.core.game import ActionId
from zashiki.core.parts import View


class Bot(Protocol):
    """Chooses by what its seat knows: made anew with an equal seed, it chooses alike."""

    def choose(self, view: View[Any, Any], legal: list[ActionId]) -> ActionId: ...
