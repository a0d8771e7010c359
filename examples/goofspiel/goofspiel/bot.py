# mypyc: compile
"""What a good Goofspiel player knows: a prize deserves as good a card as it is a prize."""

from typing import Any, Final, final

from mypy_extensions import i64

from goofspiel.actions import bid, bid_of
from goofspiel.play import GoofspielView
from goofspiel.state import Cards, GoofspielPublic, hand, nth, size
from zashiki.core.dice import Quick
from zashiki.core.game import ActionId, Game
from zashiki.core.parts import Seat, View, bit

SWAY: Final = 4
"""One time in so many it bids higher, lest it be foreseen."""


def immediate_value(_game: Game[Any, Any, Any], _view: View[Any, Any], action: ActionId) -> float:
    """A high bid wins: a greedy player looks no further."""
    return float(bid_of(action))


@final
class Sensible:
    """The best card for the best prize left, the middle one for the middle one, or one better."""

    def __init__(self, _game: Game[Any, Any, Any], seed: int) -> None:
        self.seed: Final = seed

    def choose(self, view: GoofspielView, legal: list[ActionId]) -> ActionId:
        public = view.public
        cards = hand(public, view.own)
        last = size(cards) - 1
        place = min(rank(public), last)
        strongest = strongest_rival(public, view.seat)
        if nth(cards, place) > strongest:  # sure to win: so is the lowest above that rival
            return bid(nth(Cards(cards & ~(bit(strongest + 1) - 1)), 0))
        if self.chance(view).below(SWAY, "sway") == 0:
            place += 1  # who always matches is beaten by one, every time
        return bid(nth(cards, place if place <= last else 0))  # none better: spend the worst

    def chance(self, view: GoofspielView) -> Quick:
        """For this decision: equal views and seeds make equal choices."""
        return Quick((self.seed * 16 + int(view.public.round)) * 4 + int(view.seat))


def rank(public: GoofspielPublic) -> i64:
    """How many of the prizes to come are lower than the one that is up."""
    return size(Cards(public.to_come & bit(public.prize) - 1))


def strongest_rival(public: GoofspielPublic, seat: Seat) -> i64:
    """The highest card that anybody else can bid."""
    strongest: i64 = 0
    other: i64 = 0
    while other < public.seats:
        cards = public.unspent_by(Seat(other))
        if other != seat and cards:
            strongest = max(strongest, nth(cards, size(cards) - 1))
        other += 1
    return strongest
