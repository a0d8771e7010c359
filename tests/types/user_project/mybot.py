"""A user's bot under `mypy --strict`: two bots, and matches between them."""

from typing import Any

from zashiki.bots import Bot, bot_names, make_bot
from zashiki.core.bot import chance_at
from zashiki.core.game import ActionId
from zashiki.core.parts import View
from zashiki.core.spec import AnyGame
from zashiki.games import game_spec


class Steady:
    """Takes the first action."""

    def __init__(self, game: AnyGame, seed: int) -> None:
        self.game = game

    def choose(self, view: View[Any, Any], legal: list[ActionId]) -> ActionId:
        return legal[0]


class Wild(Steady):
    """Takes any action; with an equal seed and an equal view, the same."""

    def __init__(self, game: AnyGame, seed: int) -> None:
        super().__init__(game, seed)
        self.seed = seed

    def choose(self, view: View[Any, Any], legal: list[ActionId]) -> ActionId:
        return legal[chance_at(self.game, view, self.seed).below(len(legal), "choice")]


def table(game: str, seats: int) -> list[Bot]:
    """Seat both bots beside the built-in bots."""
    spec = game_spec(game)
    rules = spec.make(seats, spec.check_options({}, seats))
    house = [make_bot(name, spec, rules, 7) for name in bot_names(spec)[:2]]
    return [Steady(rules, 7), Wild(rules, 7), *house][:seats]


if __name__ == "__main__":
    print(len(table("kamiza-second", 4)))
