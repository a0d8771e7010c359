# mypyc: compile
"""A bot for Goofspiel that matches the rank of its bid to the rank of the prize."""

from typing import Any, Final, final

from mypy_extensions import i64

from goofspiel.actions import bid, bid_of
from goofspiel.play import GoofspielView
from goofspiel.state import Cards, GoofspielPublic, hand, nth, size
from zashiki.core.dice import Quick
from zashiki.core.game import ActionId, Game
from zashiki.core.parts import Seat, View, bit

SWAY: Final = 4
"""The bot bids higher once in this many decisions, so that it is harder to predict."""


def immediate_value(_game: Game[Any, Any, Any], _view: View[Any, Any], action: ActionId) -> float:
    """Return the card bid: for a greedy player the highest bid is the best."""
    return float(bid_of(action))


@final
class Sensible:
    """Bids the card of the prize's rank, or the next higher one."""

    def __init__(self, _game: Game[Any, Any, Any], seed: int) -> None:
        self.seed: Final = seed

    def choose(self, view: GoofspielView, legal: list[ActionId]) -> ActionId:
        public = view.public
        cards = hand(public, view.own)
        last = size(cards) - 1
        place = min(rank(public), last)
        strongest = strongest_rival(public, view.seat)
        if nth(cards, place) > strongest:  # sure to win: bid the lowest sure card
            return bid(nth(Cards(cards & ~(bit(strongest + 1) - 1)), 0))
        if self.chance(view).below(SWAY, "sway") == 0:
            place += 1  # a bot that always matches always loses to one card more
        return bid(nth(cards, place if place <= last else 0))  # no better card: bid the lowest

    def chance(self, view: GoofspielView) -> Quick:
        """Return the dice for this decision: equal views and seeds give equal choices."""
        return Quick((self.seed * 16 + int(view.public.round)) * 4 + int(view.seat))


def rank(public: GoofspielPublic) -> i64:
    """Return how many of the prizes to come are lower than the present one."""
    return size(Cards(public.to_come & bit(public.prize) - 1))


def strongest_rival(public: GoofspielPublic, seat: Seat) -> i64:
    """Return the highest card that another seat can bid."""
    strongest: i64 = 0
    other: i64 = 0
    while other < public.seats:
        cards = public.unspent_by(Seat(other))
        if other != seat and cards:
            strongest = max(strongest, nth(cards, size(cards) - 1))
        other += 1
    return strongest
