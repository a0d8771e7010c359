# mypyc: compile
"""All possible plays: a table of shapes, made from the eight location tiles (RT 4, RT 5).

A shape has the numbers of red and black playing cards, counted from the lowest, and the number of
Hitmen for the rest. A play is a shape and its lowest number. For a hand, `Plays.offer` works in two
steps. First it finds, by a few shifts, the numbers from which each pattern of playing cards is
held, as nine bits. Then it reads from a table the shapes of each pattern that are usable with the
Hitmen in hand and the free locations.
"""

from itertools import combinations
from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from zashiki.core.game import Choices
from zashiki.games.red_town.cards import (
    COLOUR,
    FEW,
    IN_ORDER,
    KINDS,
    LOWEST,
    NUMBERS,
    PLACES,
    RED_AT,
    Cards,
    Kind,
    hitmen,
    one,
    plus,
    size,
)


@final
class Tile:
    """The cards that a location takes: the numbers of reds and blacks, in sequence or equal."""

    def __init__(self, name: str, colours: list[tuple[int, int]], in_sequence: bool) -> None:
        self.name: Final = name
        self.colours: Final = colours
        self.in_sequence: Final = in_sequence
        self.size: Final = colours[0][0] + colours[0][1]


TILES: Final = [
    Tile("r1", [(1, 0)], True),
    Tile("r2", [(2, 0)], True),
    Tile("r3", [(3, 0), (2, 1)], True),
    Tile("r4", [(4, 0)], True),
    Tile("b1", [(0, 1)], True),
    Tile("b2", [(0, 2)], False),
    Tile("b3", [(0, 3), (1, 2)], True),
    Tile("b4", [(0, 4)], False),
]
LOCATIONS: Final = tuple(tile.name for tile in TILES)
ALL_LOCATIONS: Final = 255
ANY_SEQUENCE: Final = 0b01001110
ANY_EQUAL: Final = 0b10100000
RED_FOUR: Final = 3
BLACK_FOUR: Final = 7

Pattern = tuple[tuple[int, ...], tuple[int, ...]]
"""The red and the black playing cards of a play, counted from the lowest number among them."""


def patterns_of(tile: Tile, reds: int, blacks: int) -> list[Pattern]:
    """Return the ways in which playing cards, and Hitmen for the rest, fit a tile."""
    if reds + blacks == 0:
        return [((), ())]
    if not tile.in_sequence:
        return [((0,) * reds, (0,) * blacks)]
    found: list[Pattern] = []
    for places in combinations(range(tile.size), reds + blacks):
        if places[0] == 0:  # RT 4.2: from the lowest on, within the length of the sequence
            for red in combinations(places, reds):
                found.append((red, tuple(place for place in places if place not in red)))
    return found


PATTERNS: Final[list[Pattern]] = [
    ((0,), ()),
    ((0, 1), ()),
    ((0, 2), ()),
    ((0, 3), ()),
    ((0, 1, 2), ()),
    ((0, 1, 3), ()),
    ((0, 2, 3), ()),
    ((0, 1, 2, 3), ()),
    ((), (0,)),
    ((), (0, 1)),
    ((), (0, 2)),
    ((), (0, 1, 2)),
    ((), (0, 0)),
    ((), (0, 0, 0)),
    ((), (0, 0, 0, 0)),
    ((0, 1), (2,)),
    ((0, 2), (1,)),
    ((1, 2), (0,)),
    ((0,), (1, 2)),
    ((1,), (0, 2)),
    ((2,), (0, 1)),
    ((0,), (1,)),
    ((0,), (2,)),
    ((1,), (0,)),
    ((2,), (0,)),
    ((), ()),
]
"""The patterns that `Plays.offer` looks for in a hand, in this order; the last has no cards."""


@final
class Shape:
    """Cards that fit a location, wherever their lowest number is."""

    def __init__(self, tile: int, pattern: Pattern, red_hitmen: int, black_hitmen: int) -> None:
        self.tile: Final = tile
        self.pattern: Final = PATTERNS.index(pattern)
        self.reds: Final = pattern[0]
        self.blacks: Final = pattern[1]
        self.red_hitmen: Final = red_hitmen
        self.black_hitmen: Final = black_hitmen

    def lowest(self, numbers: int) -> int:
        """Return the number of lowest numbers it can have; Hitmen alone have no number."""
        offsets = self.reds + self.blacks
        return numbers - max(offsets) if offsets else 1

    def cards(self, low: int) -> Cards:
        cards = hitmen(self.red_hitmen, self.black_hitmen)
        for offset in self.reds:
            cards = plus(cards, one(Kind(low + offset)))
        for offset in self.blacks:
            cards = plus(cards, one(Kind(NUMBERS + low + offset)))
        return cards


def shapes_of(place: int) -> list[Shape]:
    """Return the shapes of a tile. A Hitman replaces a card of its own colour (RT 5.6)."""
    tile = TILES[place]
    shapes: list[Shape] = []
    for reds, blacks in tile.colours:
        for red in range(reds + 1):
            for black in range(blacks + 1):
                for pattern in patterns_of(tile, reds - red, blacks - black):
                    shapes.append(Shape(place, pattern, red, black))
    return shapes


SHAPES: Final = [shape for place in range(len(TILES)) for shape in shapes_of(place)]

NOTHING: Final = -1
"""The key of a hand without a card that is high enough."""
MOST_HITMEN: Final = 4
"""The most Hitmen of one colour in a play."""
HITMEN_KEYS: Final = MOST_HITMEN + 1


@final
class Plays:
    """All plays with a number of different numbers in the deck, by their ids from 0."""

    def __init__(self, numbers: int) -> None:
        self.cards: Final[list[Cards]] = []
        self.tiles: Final[list[int]] = []
        self.lows: Final[list[int]] = []
        """The lowest number (3-11); 0 for Hitmen alone."""
        self.facts: vec[i64] = vec[i64]()
        """Location, size << 4 and lowest number << 8, by id."""
        self.packed: vec[i64] = vec[i64]()
        """The cards by id, of plays and then of discards."""
        first = self.number_all(numbers)
        self.count: Final = len(self.cards)
        self.discards: Final = discards(numbers)
        """The kinds that can be discarded (RT 4.5): their ids follow those of the plays."""
        for kind in self.discards:
            self.packed = append(self.packed, one(Kind(kind)))
        self.rows: vec[i64] = vec[i64]()
        """Shapes: the pattern and, above its five bits, the id of the lowest play."""
        self.starts: vec[i64] = vec[i64]()
        """The index in `rows` of the shapes usable with these Hitmen at these locations."""
        self.make_rows(first)
        self.places: vec[i64] = vec[i64]()
        """By value of nine bits: the indices of the bits set, four bits each, and count << 36."""
        for bits in range(1 << NUMBERS):
            self.places = append(self.places, places_in(bits))
        self.masks: vec[i64] = vec[i64]()
        for _ in PATTERNS:
            self.masks = append(self.masks, 1)

    def number_all(self, numbers: int) -> list[int]:
        """Give every play an id. Return the first id of each shape."""
        first: list[int] = []
        for shape in SHAPES:
            first.append(len(self.cards))
            for low in range(shape.lowest(numbers)):
                cards = shape.cards(low)
                number = low + LOWEST if shape.reds or shape.blacks else 0
                self.cards.append(cards)
                self.tiles.append(shape.tile)
                self.lows.append(number)
                self.packed = append(self.packed, cards)
                self.facts = append(self.facts, shape.tile | size(cards) << 4 | number << 8)
        return first

    def make_rows(self, first: list[int]) -> None:
        for key in range(HITMEN_KEYS * HITMEN_KEYS):
            red, black = key // HITMEN_KEYS, key % HITMEN_KEYS
            rows = [
                (shape.tile, shape.pattern | id << 5)
                for shape, id in zip(SHAPES, first, strict=True)
                if shape.red_hitmen <= red and shape.black_hitmen <= black
            ]
            for free in range(ALL_LOCATIONS + 1):
                self.starts = append(self.starts, len(self.rows))
                for tile, row in rows:
                    if free >> tile & 1:
                        self.rows = append(self.rows, row)
        self.starts = append(self.starts, len(self.rows))

    def offer(self, hand: Cards, free: i64, declared: i64, choices: Choices) -> None:
        """Add every play of this hand at the free locations that the last number allows."""
        key = self.look(hand, free, declared)
        if key != NOTHING:
            self.list_all(key, choices)

    def look(self, hand: Cards, free: i64, declared: i64) -> i64:
        """Find the numbers from which each pattern is held. Return the index of its shapes."""
        any_of = hand | hand >> 18 | hand >> 36
        floor: i64 = COLOUR
        if declared:  # RT 3.5; the cards above the lowest are higher still
            floor = COLOUR >> declared - LOWEST << declared - LOWEST
        red = any_of & floor
        black = any_of >> NUMBERS & floor
        wild = hand >> RED_AT
        if wild:
            self.find_beside_hitmen(hand, red, black, floor)
            reds = min(wild & FEW, MOST_HITMEN)
            free |= (reds * HITMEN_KEYS + min(wild >> 4, MOST_HITMEN)) << 8
        elif red | black == 0:
            return NOTHING
        self.find(hand, red, black, floor, free)
        return free

    def find(self, hand: Cards, red: i64, black: i64, floor: i64, free: i64) -> None:
        """Find the numbers from which each pattern without Hitmen is held, at free locations."""
        masks = self.masks
        masks[0] = red
        masks[8] = black
        if free & ANY_SEQUENCE:
            red2 = red & red >> 1
            black2 = black & black >> 1
            masks[1] = red2
            masks[7] = red2 & red2 >> 2
            masks[4] = red2 & red >> 2
            masks[15] = red2 & black >> 2
            masks[16] = red & red >> 2 & black >> 1
            masks[17] = black & red2 >> 1
            masks[11] = black2 & black >> 2
            masks[18] = red & black2 >> 1
            masks[19] = black & black >> 2 & red >> 1
            masks[20] = black2 & red >> 2
        if free & ANY_EQUAL:
            fours = hand >> 36 + NUMBERS & floor
            masks[12] = hand >> 18 + NUMBERS & floor | fours
            masks[14] = fours

    def find_beside_hitmen(self, hand: Cards, red: i64, black: i64, floor: i64) -> None:
        """Find the numbers from which each other pattern is held."""
        masks = self.masks
        masks[2] = red & red >> 2
        masks[3] = red & red >> 3
        masks[5] = red & red >> 1 & red >> 3
        masks[6] = red & red >> 2 & red >> 3
        masks[9] = black & black >> 1
        masks[10] = black & black >> 2
        fours = hand >> 36 + NUMBERS
        masks[13] = (hand >> NUMBERS & hand >> 18 + NUMBERS | fours) & floor
        masks[21] = red & black >> 1
        masks[22] = red & black >> 2
        masks[23] = black & red >> 1
        masks[24] = black & red >> 2

    def list_all(self, key: i64, choices: Choices) -> None:
        """Add the plays of all usable shapes, from all numbers that were found."""
        ids = choices.ids
        filled = choices.count
        masks = self.masks
        rows = self.rows
        row = self.starts[key]
        end = self.starts[key + 1]
        while row < end:
            shape = rows[row]
            row += 1
            mask = masks[shape & 31]
            if mask:
                first = shape >> 5
                places = self.places[mask]
                last = filled + (places >> 36)
                while filled < last:
                    ids[filled] = first + (places & 15)
                    places >>= 4
                    filled += 1
        choices.count = filled


KNOWN: Final[dict[int, Plays]] = {}


def plays_with(numbers: int) -> Plays:
    """Return the plays for a deck with this many different numbers. They are cached."""
    if numbers not in KNOWN:
        KNOWN[numbers] = Plays(numbers)
    return KNOWN[numbers]


def discards(numbers: int) -> list[int]:
    return [kind for kind in IN_ORDER if kind >= KINDS or kind % NUMBERS < numbers]


def places_in(bits: int) -> int:
    """Return the indices of the bits set, four bits each from the lowest, and their count << 36."""
    places = PLACES[bits]
    return sum(place << 4 * n for n, place in enumerate(places)) | len(places) << 36


def fits(tile: Tile, reds: list[int], blacks: list[int], wild: int) -> bool:
    """Return whether these numbers, with Hitmen for the gaps, are in sequence, or are equal."""
    numbers = reds + blacks
    if not numbers:
        return True
    if not tile.in_sequence:
        return len(set(numbers)) == 1
    span = max(numbers) - min(numbers)
    return len(set(numbers)) == len(numbers) and span < len(numbers) + wild
