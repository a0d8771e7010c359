"""The two simple bots, `random` and `greedy`, which play every game."""

from zashiki.core.bot import chance_at
from zashiki.core.game import ActionId
from zashiki.core.spec import AnyGame, AnyView, GameSpec


class Random:
    """Takes any legal action, all equally likely."""

    def __init__(self, game: AnyGame, seed: int) -> None:
        self.game = game
        self.seed = seed

    def choose(self, view: AnyView, legal: list[ActionId]) -> ActionId:
        if len(legal) == 1:
            return legal[0]
        return legal[chance_at(self.game, view, self.seed).below(len(legal), "bot")]


class Greedy:
    """Takes the action of the highest immediate value, by the game's spec; among equals, any."""

    def __init__(self, spec: GameSpec, game: AnyGame, seed: int) -> None:
        self.immediate_value = spec.immediate_value
        self.game = game
        self.seed = seed

    def choose(self, view: AnyView, legal: list[ActionId]) -> ActionId:
        if len(legal) == 1:
            return legal[0]
        values = [self.immediate_value(self.game, view, action) for action in legal]
        most = max(values)
        best = [action for action, value in zip(legal, values, strict=True) if value == most]
        if len(best) == 1:
            return best[0]
        return best[chance_at(self.game, view, self.seed).below(len(best), "bot")]
