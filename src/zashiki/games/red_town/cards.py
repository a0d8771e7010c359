# mypyc: compile
"""A multiset of cards in one integer, and the arithmetic on it.

The number of each of the 18 playing cards is stored bit by bit in three planes of 18 bits: the
ones, the twos, the fours. In a plane red 3 to 11 come first, then black 3 to 11. Above the planes
are the number of red Hitmen and that of black ones. So "at least two of each black number" is an
OR of planes, and a sequence a few shifts.
"""

from typing import Final, NewType

from mypy_extensions import i64

from zashiki.core.parts import bit

Cards = NewType("Cards", i64)
"""A multiset of cards."""

Kind = NewType("Kind", i64)
"""One of the 20 kinds of cards: red 3-11 (0-8), black 3-11 (9-17), red and black Hitman."""

NO_CARDS: Final = Cards(0)
NUMBERS: Final = 9
"""The number of different numbers, 3 to 11."""
LOWEST: Final = 3
KINDS: Final = 2 * NUMBERS
"""The number of kinds of playing cards."""
PLANE: Final = (1 << 18) - 1
LOW: Final = (1 << 36) - 1
"""The planes of ones and twos, from which a carry is possible."""
PLANES: Final = (1 << 54) - 1
COLOUR: Final = (1 << 9) - 1
RED_AT: Final = 54
BLACK_AT: Final = 58
FEW: Final = 15
"""The mask of a number of Hitmen."""
RED_HITMAN: Final = Kind(18)
BLACK_HITMAN: Final = Kind(19)
RED_THREE: Final = Kind(0)

COPIES: Final = (1, 2, 2, 3, 3, 4, 4, 5, 5, 2, 2, 3, 3, 4, 4, 5, 5, 6)
"""The number of cards of each kind (RT 1.1)."""
NAMES: Final = (
    *(f"R{number}" for number in range(LOWEST, LOWEST + NUMBERS)),
    *(f"B{number}" for number in range(LOWEST, LOWEST + NUMBERS)),
    "RH",
    "BH",
)
"""The notation of each kind."""
IN_ORDER: Final = (*range(NUMBERS), 18, *range(NUMBERS, KINDS), 19)
"""The kinds in the order of the notation: red before black, numbers ascending, then Hitmen."""


PLACES: Final = [
    [place for place in range(NUMBERS) if bits >> place & 1] for bits in range(1 << NUMBERS)
]
"""The indices of the bits set, for each value of nine bits."""


def one(kind: Kind) -> Cards:
    """Return a multiset of one card."""
    if kind < KINDS:
        return Cards(bit(kind))
    return Cards(bit(RED_AT if kind == RED_HITMAN else BLACK_AT))


def hitmen(red: i64, black: i64) -> Cards:
    return Cards(red << RED_AT | black << BLACK_AT)


def red_hitmen(cards: Cards) -> i64:
    return cards >> RED_AT & FEW


def black_hitmen(cards: Cards) -> i64:
    return cards >> BLACK_AT


def without_hitmen(cards: Cards) -> Cards:
    return Cards(cards & PLANES)


def plus(some: Cards, more: Cards) -> Cards:
    """Return the sum of two multisets: a binary addition in every column of the planes at once."""
    low = some & LOW
    ones = some ^ more
    carry = (low & more) << 18
    carry |= (low & more | carry & ones & LOW) << 18
    return Cards((ones ^ carry) & PLANES | (some & ~PLANES) + (more & ~PLANES))


def minus(some: Cards, less: Cards) -> Cards:
    """Return the first multiset without the second, which must be contained in it."""
    low = less & LOW
    ones = some ^ less
    borrow = (low & ~some) << 18
    borrow |= (low & ~some | borrow & ~ones & LOW) << 18
    return Cards((ones ^ borrow) & PLANES | (some & ~PLANES) - (less & ~PLANES))


def count(cards: Cards, kind: Kind) -> i64:
    """Return the number of cards of this kind."""
    if kind == RED_HITMAN:
        return red_hitmen(cards)
    if kind == BLACK_HITMAN:
        return black_hitmen(cards)
    column = cards >> kind
    return (column & 1) | (column >> 18 & 1) << 1 | (column >> 36 & 1) << 2


def size(cards: Cards) -> i64:
    """Return the number of cards."""
    planes = bits_in(cards) + 2 * bits_in(cards >> 18) + 4 * bits_in(cards >> 36)
    return planes + red_hitmen(cards) + black_hitmen(cards)


def bits_in(planes: i64) -> i64:
    """Return the number of bits set in the lowest plane, summed in pairs, fours and eights."""
    ones = planes & PLANE
    twos = ones - (ones >> 1 & 0x15555)
    fours = (twos & 0x33333) + (twos >> 2 & 0x33333)
    eights = fours + (fours >> 4) & 0xF0F0F
    return eights * 0x10101 >> 16 & 31


def contains(cards: Cards, part: Cards) -> bool:
    """Return whether a multiset contains another: its subtraction must not borrow."""
    ones = part & ~cards & PLANE
    high, more = cards >> 18, part >> 18
    twos = (more & ~high | ones & ~(more ^ high)) & PLANE
    high, more = cards >> 36, part >> 36
    fours = (more & ~high | twos & ~(more ^ high)) & PLANE
    reds = red_hitmen(part) <= red_hitmen(cards)
    return fours == 0 and reds and black_hitmen(part) <= black_hitmen(cards)


def full_deck(seats: i64) -> Cards:
    """Return the playing cards in use: 3-10, with five players 3-11 (RT 1.2)."""
    cards = NO_CARDS
    for kind in range(KINDS):
        if seats == 5 or kind % NUMBERS < NUMBERS - 1:
            for _ in range(COPIES[kind]):
                cards = plus(cards, one(Kind(kind)))
    return cards


def kinds_in(cards: Cards) -> list[int]:
    """Return the kind of every card, in the order of the notation."""
    present = int((cards | cards >> 18 | cards >> 36) & PLANE)
    reds, blacks = present & COLOUR, present >> NUMBERS
    kinds: list[int] = []
    for kind in (*PLACES[reds], 18, *(NUMBERS + place for place in PLACES[blacks]), 19):
        for _ in range(int(count(cards, Kind(kind)))):
            kinds.append(kind)
    return kinds


def named(cards: Cards) -> list[str]:
    """Return the notation of every card, in order."""
    return [NAMES[kind] for kind in kinds_in(cards)]


def collected(kinds: list[int]) -> Cards:
    """Return a multiset of these kinds."""
    cards = NO_CARDS
    for kind in kinds:
        cards = plus(cards, one(Kind(kind)))
    return cards


def letters(red: i64, black: i64) -> str:
    """Return Hitmen as letters, red first."""
    return "R" * int(red) + "B" * int(black)
