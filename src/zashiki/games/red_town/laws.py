"""Red Town's own statements for the laws."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from math import gcd
from typing import Any

from zashiki.games.red_town.cards import letters, named
from zashiki.games.red_town.packing import FORMS, SHORT, STANDARD, TWO
from zashiki.games.red_town.play import RedTown

Truth = dict[str, Any]

# Cards are conserved ---------------------------------------------------------------------------


def conserved(truth: Mapping[str, Any]) -> list[str]:
    """Return all playing cards of the match. Hitmen may leave the game (RT 6.3)."""
    sets = [each for pair in truth["sets"] or [] for each in pair[:2]]
    places = [
        *truth["hands"], *sets, *(truth["waiting"] or []), truth["aside"], truth["discard"],
        *truth["board"].values(),
    ]  # fmt: skip
    return sorted(card for place in places for card in place if card not in ("RH", "BH"))


# Openings --------------------------------------------------------------------------------------


def openings(game: RedTown) -> list[list[Truth]]:
    """Return positions with few cards left, each with all worlds that are possible for a seat."""
    if game.form == TWO:
        return two_player_openings(game)
    seats, ones = game.seats, [1] * game.seats
    none, spare = [0] * (game.seats - 2), ["B9"] * (game.seats - 3)
    others, three, few = list(range(2, seats)), ["B9"] * 3, [1, 1, 1, *[0] * (game.seats - 3)]
    families = [
        family(game, ["R3", "B3", "R4", "B4", *spare], ones, aside=1),
        family(game, ["R4", "R5", "B4", "B5", *spare], [2, *ones[1:]]),
        family(game, ["B5", "B6", "B9", *spare], ones, held=[1, 1, *none]),
    ]
    if game.form == SHORT:
        return [*families, family(game, three, few, **PICKING, supplies=[2] * seats)]
    deciding = {**PICKING, "phase": "decide", "confirmed": others}
    return [
        *families,
        family(game, three, few, **deciding, supplies=[1, 1, *none]),
        family(game, three, few, **PICKING, confirmed=others, supplies=[4, 4, *none]),
        family(game, three, few, phase="pick-many", supplies=[3, 1, *none]),
    ]


PICKING: Truth = {"phase": "pick", "turn": None}


def two_player_openings(game: RedTown) -> list[list[Truth]]:
    cards = ["R3", "R4", "B4", "B5"]
    before: Truth = {"turn": None, "supplies": [2, 2], "sets": [1, 1, 1, 1]}
    after: Truth = {**before, "supplies": [0, 0], "phase": "give", "held": [1, 1, 1, 1]}
    return [
        family(game, cards, [], **before, phase="look"),
        family(game, cards, [], **before, phase="pick", looked=[1, 2]),
        family(game, cards, [1, 1], waits=[1, 1]),
        family(game, [*cards, "B9"], [2, 1], waits=[0, 2]),
        family(game, ["B9"] * 4, [], **after, looked=[1, 1]),
    ]


def family(
    game: RedTown,
    pool: Sequence[str],
    sizes: Sequence[int],
    *,
    aside: int = 0,
    supplies: Sequence[int] | None = None,
    held: Sequence[int] | None = None,
    sets: Sequence[int] = (),
    waits: Sequence[int] | None = None,
    looked: Sequence[int | None] = (None, None),
    **stands: Any,
) -> list[Truth]:
    """Return every deal of a pool of cards and every colouring of unseen Hitmen, in a position."""
    places = [*sets, *pairs(sizes, waits)]
    truths: list[Truth] = []
    nothing = [0] * len(places)
    for colouring in colourings(game, supplies or [0] * game.seats, held or nothing):
        for dealt in permutations(pool):
            cards = list(dealt)
            packets = [[cards.pop() for _ in range(size)] for size in places]
            assert len(cards) == aside
            truths.append(truth(game, packets, colouring, cards, looked, stands))
    return distinct(truths)


def distinct(truths: list[Truth]) -> list[Truth]:
    """Return as few positions as possible with the same relative frequencies."""
    counts = Counter(map(repr, truths))
    least = gcd(*counts.values())
    left = {text: number // least for text, number in counts.items()}
    kept: list[Truth] = []
    for one in truths:
        if left[repr(one)]:
            left[repr(one)] -= 1
            kept.append(one)
    return kept


def pairs(sizes: Sequence[int], waits: Sequence[int] | None) -> list[int]:
    """Return the sizes of the hands and, after each, that of its waiting set."""
    if waits is None:
        return list(sizes)
    return [size for pair in zip(sizes, waits, strict=True) for size in pair]


def colourings(
    game: RedTown, supplies: Sequence[int], held: Sequence[int]
) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the possible colours of the Hitmen in supplies and packets; one if they are public."""
    most = 2 if game.form == STANDARD else 1
    possible = [
        [letters(r, size - r) for r in range(size + 1) if r <= most and size - r <= most]
        for size in supplies
    ]
    packets = [[letters(r, size - r) for r in range(size + 1)] for size in held]
    for chosen in product(*possible, *packets):
        counts = Counter("".join(chosen))
        if max(counts.values(), default=0) <= most * game.seats:
            yield list(chosen[: len(supplies)]), list(chosen[len(supplies) :])
            if game.is_open:
                return


def truth(
    game: RedTown,
    packets: list[list[str]],
    colouring: tuple[list[str], list[str]],
    aside: list[str],
    looked: Sequence[int | None],
    stands: Truth,
) -> Truth:
    """Return a position with these cards in hands (or sets); all others are discarded."""
    supply, held = colouring
    full = [
        sorted([*packets[place], *(f"{letter}H" for letter in held[place])], key=ORDER.index)
        for place in range(len(packets))
    ]
    left = Counter(named(game.deck))
    left.subtract(card for packet in packets for card in packet)
    left.subtract(aside)
    made: Truth = {
        "form": FORMS[game.form], "seats": game.seats, "round": 1, "phase": "turn",
        "bosses": None if game.form == SHORT else [1] * game.seats, "supply": supply,
        "confirmed": [], "chosen": {}, "hands": full, "sets": None, "waiting": None,
        "aside": aside, "discard": list(left.elements()), "board": {}, "declared": None,
        "last": None, "passed": [], "turn": 0, "out": [],
    }  # fmt: skip
    if game.form == TWO and stands.get("phase") in ("look", "pick", "give"):
        made["hands"] = [[], []]
        made["sets"] = [[full[0], full[1], looked[0]], [full[2], full[3], looked[1]]]
    elif game.form == TWO:
        made["hands"], made["waiting"] = full[::2], full[1::2]
    return made | stands


ORDER = [f"{letter}{number}" for letter in "RB" for number in (*range(3, 12), "H")]
