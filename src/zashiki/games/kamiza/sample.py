# mypyc: compile
"""Sample a world that agrees with a seat's view: the others' face-down cards, drawn evenly.

Hidden in KAMIZA are the cards face down, and so the rest of each hand. Each is one of its owner's
unspent cards. Nothing that was said or done tells more, since other seats' public choices are not
evidence (see docs/research/hidden-information.md).
"""

from mypy_extensions import i64

from zashiki.core.dice import Chance
from zashiki.core.parts import Hidden, Seat, State
from zashiki.games.kamiza.state import (
    ALL_CARDS,
    FaceDown,
    Hand,
    KamizaOwn,
    KamizaPublic,
    KamizaState,
)


def sampled(public: KamizaPublic, own: KamizaOwn, chance: Chance) -> KamizaState:
    twin = public.copy()
    parts: list[KamizaOwn] = []
    for number in range(int(public.seats)):
        seat = Seat(number)
        part = KamizaOwn(seat)
        part.laid(own.card if seat == own.seat else guessed(public, seat, chance))
        parts.append(part)
    return State(twin, parts, Hidden())


def guessed(public: KamizaPublic, seat: Seat, chance: Chance) -> FaceDown:
    """Draw the card that another seat has on the table, if it has one."""
    opened = public.opened >> seat * 4 & 15
    if opened:
        return FaceDown(opened & 3)
    possible = Hand(ALL_CARDS & ~public.spent_by(seat))
    if not public.placed_by >> seat & 1 or possible == 0:
        return FaceDown(0)
    return nth_card(possible, chance.below(size(possible), "card"))


def size(cards: Hand) -> i64:
    return (cards & 1) + (cards >> 1 & 1) + (cards >> 2 & 1) + (cards >> 3 & 1)


def nth_card(cards: Hand, place: i64) -> FaceDown:
    """Return the card at this index among those held."""
    card: i64 = 0
    while True:
        if cards >> card & 1:
            if place == 0:
                return FaceDown(card)
            place -= 1
        card += 1
