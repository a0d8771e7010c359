"""The two bots that can play every game, because they know none."""

from zashiki.core.bot import chance_at
from zashiki.core.game import ActionId
from zashiki.core.spec import AnyGame, AnyView, GameSpec


class Random:
    """Takes any legal action, all equally likely."""

    def __init__(self, game: AnyGame, seed: int) -> None:
        self.game = game
        self.seed = seed

    def choose(self, view: AnyView, legal: list[ActionId]) -> ActionId:
        return legal[chance_at(self.game, view, self.seed).below(len(legal), "bot")]


class Greedy:
    """Takes what seems to bring most at once, by the game's own `gain`; among equals, any."""

    def __init__(self, spec: GameSpec, game: AnyGame, seed: int) -> None:
        self.gain = spec.immediate_value
        self.game = game
        self.seed = seed

    def choose(self, view: AnyView, legal: list[ActionId]) -> ActionId:
        gains = [self.gain(self.game, view, action) for action in legal]
        most = max(gains)
        best = [action for action, gain in zip(legal, gains, strict=True) if gain == most]
        if len(best) == 1:
            return best[0]
        return best[chance_at(self.game, view, self.seed).below(len(best), "bot")]
