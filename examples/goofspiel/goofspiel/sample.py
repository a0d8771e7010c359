# mypyc: compile
"""Sample a world that agrees with a seat's view: the others' bids of this round, drawn evenly.

Nothing else is hidden in Goofspiel. Hands follow from the revealed bids. The prizes to come are not
drawn before their round.
"""

from goofspiel.state import (
    Bid,
    GoofspielOwn,
    GoofspielPublic,
    GoofspielState,
    nth,
    size,
)
from zashiki.core.dice import Chance
from zashiki.core.parts import Hidden, Seat, State


def sampled(public: GoofspielPublic, own: GoofspielOwn, chance: Chance) -> GoofspielState:
    parts: list[GoofspielOwn] = []
    for number in range(int(public.seats)):
        seat = Seat(number)
        part = GoofspielOwn(seat)
        if seat == own.seat:
            part.chose(own.bid)
        elif public.has_bid(seat):
            part.chose(guessed(public, seat, chance))
        parts.append(part)
    return State(public.copy(), parts, Hidden())


def guessed(public: GoofspielPublic, seat: Seat, chance: Chance) -> Bid:
    """Draw the face-down card of another seat: any card that it held (GS 2.3)."""
    possible = public.unspent_by(seat)
    return Bid(nth(possible, chance.below(size(possible), "bid")))
