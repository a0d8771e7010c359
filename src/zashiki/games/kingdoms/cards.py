# mypyc: compile
"""A few cards in one integer: hands, attackers, known cards of a hand.

A kind of card is a number from 1 (its alphabetical position in the set), so that cards in ascending
order are in the order of the notation. 0 means that there is no card.
"""

from typing import Final, NewType

from mypy_extensions import i64

Kind = NewType("Kind", i64)
"""A kind of card, the same for all copies; 0 if there is none."""

Hand = NewType("Hand", int)
"""Some cards, six bits each, in ascending order from the lowest bits. Five fit a machine word; a
scenario may have more in a hand."""

Row = NewType("Row", i64)
"""At most five cards in a meaningful order."""

NO_CARD: Final = Kind(0)
NO_CARDS: Final = Hand(0)
MOST: Final = 5
"""The most cards in a hand after a draft (RB 2.2)."""
CARD: Final = 6
ALL_CARDS: Final = 52
"""The number of all cards, monarchs included (RB 1.3)."""
LARGE: Final = 1 << 9 * CARD
"""From this number on a hand has ten cards or more, and one more exceeds a machine word."""


def plus(hand: Hand, kind: Kind) -> Hand:
    """Return a hand with one more card."""
    if hand >= LARGE:
        return one_more(hand, int(kind))
    cards: i64 = hand
    place: i64 = 0
    while cards >> place & 63 and cards >> place & 63 <= kind:
        place += CARD
    above = cards >> place << place
    return Hand(int(cards - above | kind << place | above << CARD))


def minus(hand: Hand, kind: Kind) -> Hand:
    """Return a hand without one card; unchanged if it does not have it."""
    if hand >= LARGE:
        return one_less(hand, int(kind))
    cards: i64 = hand
    place: i64 = 0
    while cards >> place & 63:
        if cards >> place & 63 == kind:
            above = cards >> place << place
            return Hand(int(cards - above | above >> place + CARD << place))
        place += CARD
    return hand


def one_more(hand: Hand, kind: int) -> Hand:
    if hand >> CARD * (ALL_CARDS - 1):
        raise ValueError(f"expected at most {ALL_CARDS} cards, found more")
    return hand_of([*kinds_of(hand), kind])


def one_less(hand: Hand, kind: int) -> Hand:
    kinds = kinds_of(hand)
    if kind in kinds:
        kinds.remove(kind)
    return Hand(packed(kinds))


def holds(hand: Hand, kind: Kind) -> bool:
    if hand >= LARGE:
        return kind in kinds_of(hand)
    left: i64 = hand
    while left:
        if left & 63 == kind:
            return True
        left >>= CARD
    return False


def both(one: Hand, other: Hand) -> Hand:
    """Return all cards of two hands."""
    left: int = other
    while left:
        one = plus(one, Kind(left & 63))
        left >>= CARD
    return one


def without(hand: Hand, others: Hand) -> Hand:
    """Return a hand without these cards, as far as it has them."""
    left: int = others
    while left:
        hand = minus(hand, Kind(left & 63))
        left >>= CARD
    return hand


def size(cards: int) -> i64:
    found: i64 = 0
    while cards:
        cards >>= CARD
        found += 1
    return found


def kinds_of(cards: int) -> list[int]:
    """Return the kinds, from the lowest bits."""
    found: list[int] = []
    while cards:
        found.append(cards & 63)
        cards >>= CARD
    return found


def packed(kinds: list[int]) -> int:
    """Pack these kinds in this order."""
    cards = 0
    for kind in reversed(kinds):
        cards = cards << CARD | kind
    return cards


def hand_of(kinds: list[int]) -> Hand:
    """Pack these kinds in ascending order."""
    return Hand(packed(sorted(kinds)))
