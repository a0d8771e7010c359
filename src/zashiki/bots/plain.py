"""The two bots that can play every game, because they know none."""

from zashiki.core.dice import Quick
from zashiki.core.game import ActionId
from zashiki.core.offer import AnyGame, AnyView, Offer


class Random:
    """Takes any legal action, all equally likely."""

    def __init__(self, seed: int) -> None:
        self.chance = Quick(seed)

    def choose(self, view: AnyView, legal: list[ActionId]) -> ActionId:
        return legal[self.chance.below(len(legal), "bot")]


class Greedy:
    """Takes what seems to bring most at once, by the game's own `gain`; among equals, any."""

    def __init__(self, offer: Offer, game: AnyGame, seed: int) -> None:
        self.gain = offer.gain
        self.game = game
        self.chance = Quick(seed)

    def choose(self, view: AnyView, legal: list[ActionId]) -> ActionId:
        gains = [self.gain(self.game, view, action) for action in legal]
        most = max(gains)
        best = [action for action, gain in zip(legal, gains, strict=True) if gain == most]
        return best[self.chance.below(len(best), "bot")]
