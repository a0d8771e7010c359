"""What sits on a seat and chooses: a bot gets a view and the legal actions, never a state."""

from typing import Any, Protocol

from zashiki.core.game import ActionId
from zashiki.core.parts import View


class Bot(Protocol):
    """Chooses by what its seat knows; equal views and seeds give equal choices."""

    def choose(self, view: View[Any, Any], legal: list[ActionId]) -> ActionId: ...
