"""Bots."""

from typing import Any

from zashiki.core.game import ActionId, Game
from zashiki.core.parts import View


def gain(game: Game[Any, Any, Any], view: View[Any, Any], action: ActionId) -> float:
    return 0.0


class Sensible:
    def __init__(self, game: Game[Any, Any, Any], seed: int) -> None:
        self.game = game

    def choose(self, view: View[Any, Any], legal: list[ActionId]) -> ActionId:
        return legal[0]
