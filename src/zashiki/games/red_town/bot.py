# mypyc: compile
"""What a good Red Town player knows."""

from typing import Any, Final, final

from zashiki.core.game import ActionId, Game
from zashiki.core.parts import View
from zashiki.games.red_town.play import RedTown, RedTownView


def gain(game: Game[Any, Any, Any], view: View[Any, Any], action: ActionId) -> float:
    """Most cards, then the lowest number; never a pass where something can be played."""
    assert isinstance(game, RedTown)
    plays = game.plays
    if action < plays.count:
        facts = plays.facts[action]
        return float((facts >> 4 & 15) * 16 - (facts >> 8))
    return -100.0 if action == game.table.passing else 0.0


@final
class Sensible:
    def __init__(self, game: Game[Any, Any, Any], seed: int) -> None:
        assert isinstance(game, RedTown)
        self.game: Final = game
        self.seed: Final = seed

    def choose(self, view: RedTownView, legal: list[ActionId]) -> ActionId:
        return max(legal, key=lambda action: gain(self.game, view, action))
