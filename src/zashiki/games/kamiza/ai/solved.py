"""The bot that plays by the stored strategy."""

from typing import Any, Final

from zashiki.core.bot import chance_at
from zashiki.core.game import ActionId, Game
from zashiki.games.kamiza.ai.bot import Sensible
from zashiki.games.kamiza.ai.solving import by_seat
from zashiki.games.kamiza.ai.strategy import Kind, Strategy, stored
from zashiki.games.kamiza.play import DROP_OUT, Kamiza, KamizaView
from zashiki.games.kamiza.state import GAMES, LANE, LANE_MASK, OFFICER, TOP, KamizaPublic

BRIBE: Final = OFFICER << 1 | TOP
"""A Policeman at the top: the only action that can cost a WANTED chip (K2 3.9)."""


class Solved:
    """Draws its actions from the stored strategy. Without one it plays as the sensible bot."""

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
        raise AssertionError("the drawn number is less than the sum of the weights")

    def weights(self, view: KamizaView, legal: list[ActionId]) -> list[int]:
        """Return the weight of each action; an empty list if the strategy has no answer."""
        weights = stored_weights(self.game, "leaning", view, legal)
        wanted = view.public.wanted >> view.seat * LANE & LANE_MASK
        if weights and wanted == DROP_OUT - 1:
            return [0 if action == BRIBE else w for action, w in zip(legal, weights, strict=True)]
        return weights


def solution(game: Game[Any, Any, Any], view: KamizaView, legal: list[ActionId]) -> list[int]:
    """Return the weights of the legal actions in the stored equilibrium; empty if none applies.

    The equilibrium is one of points. It does not apply if one more chip drops somebody out.
    """
    assert isinstance(game, Kamiza)
    if DROP_OUT - 1 in by_seat(int(view.public.wanted), game.seats):
        return []
    return stored_weights(game, "equilibrium", view, legal)


def stored_weights(game: Kamiza, kind: Kind, view: KamizaView, legal: list[ActionId]) -> list[int]:
    """Return the weights of the legal actions in a stored strategy; empty if none applies."""
    strategy = strategy_for(game, kind)
    if strategy is None or view.public.dropped or is_decisive(view.public):
        return []
    weights = strategy.at(view)
    return weights if weights is not None and len(weights) == len(legal) else []


def is_decisive(public: KamizaPublic) -> bool:
    """Return whether the match is near its end, where only points that win it count."""
    return public.game == GAMES and public.round > 1


def strategy_for(game: Kamiza, kind: Kind) -> Strategy | None:
    """Return the stored strategy of a kind for these rules, or None."""
    if game.open_start or game.judging.underboss_shield:
        return None
    edition = "kamiza-second" if game.judging.second else "kamiza-2014"
    return stored(kind, edition, game.seats)
