"""The bot that plays by the stored strategy."""

from typing import Any, Final

from zashiki.core.bot import chance_at
from zashiki.core.game import ActionId, Game
from zashiki.games.kamiza.ai.bot import Sensible
from zashiki.games.kamiza.ai.strategy import Strategy, stored
from zashiki.games.kamiza.play import DROP_OUT, Kamiza, KamizaView
from zashiki.games.kamiza.state import GAMES, LANE, LANE_MASK, OFFICER, TOP, KamizaPublic

BRIBE: Final = OFFICER << 1 | TOP
"""A Policeman at the top: all that can bring a WANTED chip (K2 3.9)."""


class Solved:
    """Draws what it does from the stored strategy, and is sensible where that does not reach."""

    def __init__(self, game: Game[Any, Any, Any], seed: int) -> None:
        assert isinstance(game, Kamiza)
        self.game = game
        self.seed = seed
        self.sensible = Sensible(game, seed)

    def choose(self, view: KamizaView, legal: list[ActionId]) -> ActionId:
        weights = self.weights(view, legal)
        total = sum(weights)
        if total == 0:
            return self.sensible.choose(view, legal)
        drawn = chance_at(self.game, view, self.seed).below(total, "choice")
        for action, weight in zip(legal, weights, strict=True):
            if drawn < weight:
                return action
            drawn -= weight
        raise AssertionError("what is drawn is less than all weights together")

    def weights(self, view: KamizaView, legal: list[ActionId]) -> list[int]:
        """How often each action is to be taken; nothing where the strategy does not reach."""
        public = view.public
        strategy = strategy_for(self.game)
        if strategy is None or public.dropped or is_decisive(public):
            return []
        weights = strategy.at(view)
        if weights is None or len(weights) != len(legal):
            return []
        if public.wanted >> view.seat * LANE & LANE_MASK == DROP_OUT - 1:
            return [0 if action == BRIBE else w for action, w in zip(legal, weights, strict=True)]
        return weights


def is_decisive(public: KamizaPublic) -> bool:
    """At the end of a match points are no longer alike: only those count that win it."""
    return public.game == GAMES and public.round > 1


def strategy_for(game: Kamiza) -> Strategy | None:
    """The stored strategy, if it is for these rules."""
    if game.open_start or game.judging.underboss_shield:
        return None
    edition = "kamiza-second" if game.judging.second else "kamiza-2014"
    return stored("leaning", edition, game.seats)
