# mypyc: compile
"""A few cards in one integer: hands, attackers, what is known of a hand.

A kind of card is a number from 1 (its place in the alphabet of the set), so that cards in rising
order are in the order of the notation, and 0 is no card.
"""

from typing import Final, NewType

from mypy_extensions import i64

Kind = NewType("Kind", i64)
"""A card, all copies alike; 0 where there is none."""

Hand = NewType("Hand", int)
"""Some cards, six bits each, the lowest first and in rising order. Five fit a machine's word; a
position that somebody sets up may have more in a hand."""

Row = NewType("Row", i64)
"""At most five cards in an order that means something."""

NO_CARD: Final = Kind(0)
NO_CARDS: Final = Hand(0)
MOST: Final = 5
"""RB 2.2: no draft brings a hand above this."""
CARD: Final = 6
ALL_CARDS: Final = 52
"""RB 1.3."""
LARGE: Final = 1 << 9 * CARD
"""From here on a hand has ten cards or more, and is no machine word with one more."""


def plus(hand: Hand, kind: Kind) -> Hand:
    """With one more card, at its place."""
    if hand >= LARGE:
        return one_more(hand, int(kind))
    cards: i64 = hand
    place: i64 = 0
    while cards >> place & 63 and cards >> place & 63 <= kind:
        place += CARD
    above = cards >> place << place
    return Hand(int(cards - above | kind << place | above << CARD))


def minus(hand: Hand, kind: Kind) -> Hand:
    """With one card less; as it is if that is not among them."""
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
        raise ValueError(f"more than {ALL_CARDS} cards, which there are not")
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
    """All cards of two hands."""
    left: int = other
    while left:
        one = plus(one, Kind(left & 63))
        left >>= CARD
    return one


def without(hand: Hand, others: Hand) -> Hand:
    """Without these others, as far as they are among them."""
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
    """The kinds, the lowest place first."""
    found: list[int] = []
    while cards:
        found.append(cards & 63)
        cards >>= CARD
    return found


def packed(kinds: list[int]) -> int:
    """These kinds in this order."""
    cards = 0
    for kind in reversed(kinds):
        cards = cards << CARD | kind
    return cards


def hand_of(kinds: list[int]) -> Hand:
    """These kinds in rising order."""
    return Hand(packed(sorted(kinds)))
