"""All plays of many hands, compared with a second, brute-force version of the rules."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product

import pytest

from zashiki import Match
from zashiki.games.red_town.tests.tables import in_order, refusal, rest_of_deck, told, war

ruling = pytest.mark.ruling

Cards = tuple[str, ...]

COLOURS = {
    "r1": [(1, 0)],
    "r2": [(2, 0)],
    "r3": [(3, 0), (2, 1)],
    "r4": [(4, 0)],
    "b1": [(0, 1)],
    "b2": [(0, 2)],
    "b3": [(0, 3), (1, 2)],
    "b4": [(0, 4)],
}
"""The numbers of red and black cards that a location takes."""

LIES = {
    "r1": ["R7"],
    "r2": ["R8", "R9"],
    "r3": ["R8", "R9", "R10"],
    "r4": ["R5", "R6", "R7", "R8"],
    "b1": ["B9"],
    "b2": ["B10", "B10"],
    "b3": ["B6", "B7", "B8"],
    "b4": ["B9", "B9", "B9", "B9"],
}
"""The cards at a location that is taken."""


@dataclass(frozen=True)
class Position:
    """A position in which seat 0 is to act with this hand."""

    seats: int
    hand: Cards
    taken: Cards
    declared: int | None

    @property
    def highest(self) -> int:
        return 11 if self.seats == 5 else 10

    def match(self) -> Match:
        board = {location: LIES[location] for location in self.taken}
        others = rest_of_deck(self.seats, self.hand, *board.values())
        hands = [" ".join(self.hand), *others[: self.seats - 1]]
        last = None if self.declared is None else 1
        return war(hands, board=board, declared=self.declared, last=last)


# The second telling ------------------------------------------------------------------------------


def counts(chosen: Cards) -> tuple[int, int]:
    colours = [card[0] for card in chosen]
    return colours.count("R"), colours.count("B")


def suits(location: str, numbers: tuple[int, ...]) -> bool:
    """Return whether these numbers fit the location: equal, or consecutive."""
    if location in ("b2", "b4"):
        return len(set(numbers)) == 1
    lowest = min(numbers)
    return sorted(numbers) == list(range(lowest, lowest + len(numbers)))


@cache
def fits(location: str, chosen: Cards, highest: int) -> bool:
    """Return whether some numbers of the Hitmen make these cards fit (RT 4, RT 5.2)."""
    if counts(chosen) not in COLOURS[location]:
        return False
    every = range(3, highest + 1)
    fillings = product(*[every if card[1:] == "H" else [int(card[1:])] for card in chosen])
    return any(suits(location, numbers) for numbers in fillings)


def number_of(chosen: Cards, declared: int | None) -> int:
    """Return the declared number (RT 5.1, RT 5.3, RT 5.4, RT 5.5)."""
    real = [int(card[1:]) for card in chosen if card[1:] != "H"]
    return min(real) if real else declared or 3


def against(position: Position, location: str, chosen: Cards) -> str:
    """Return the first rule against a play; "" if there is none."""
    if location in position.taken:
        return "RT 4.1"
    if not fits(location, chosen, position.highest):
        wrong_tile = counts(chosen) not in COLOURS[location] or location in ("b2", "b4")
        return "RT 4.4" if wrong_tile else "RT 4.3" if 0 not in counts(chosen) else "RT 4.2"
    if number_of(chosen, position.declared) < (position.declared or 3):
        return "RT 3.5"
    return ""


def attempts(hand: Cards, most: int = 4) -> Iterator[tuple[str, Cards]]:
    """Yield every choice of up to `most` cards, at every location."""
    for count in range(1, most + 1):
        for chosen in sorted(set(combinations(hand, count))):
            for location in COLOURS:
                yield location, chosen


def text(location: str, chosen: Cards) -> str:
    return f"{location}:{','.join(chosen)}"


def plays_of(position: Position) -> dict[str, Cards]:
    return {
        text(location, chosen): chosen
        for location, chosen in attempts(position.hand)
        if not against(position, location, chosen)
    }


# Random positions --------------------------------------------------------------------------------


def random_position(dice: random.Random, most: int) -> Position:
    seats = dice.choice([2, 3, 4, 5, 5])
    taken = tuple(sorted(dice.sample(list(COLOURS), dice.choice([0, 0, 1, 2, 4]))))
    declared = dice.randint(3, 11 if seats == 5 else 10) if taken else None
    left = rest_of_deck(seats, *[LIES[location] for location in taken])
    low = dice.randint(3, 8)
    near = [card for card in left if low <= int(card[1:]) <= low + 3]
    pool = dice.choice([left, near])
    real = dice.sample(pool, min(dice.randint(1, most), len(pool) - seats))
    return Position(seats, tuple(in_order(real + some_hitmen(dice, seats))), taken, declared)


def some_hitmen(dice: random.Random, seats: int) -> list[str]:
    """Draw none to four Hitmen, often of one colour; two players have two of each colour."""
    if seats == 2:
        return dice.sample(["RH", "RH", "BH", "BH"], dice.randint(0, 4))
    pool = dice.choice([["RH"] * 4, ["BH"] * 4, ["RH", "BH"] * 4])
    return dice.sample(pool, dice.randint(0, 4))


def positions(seed: int, count: int, most: int) -> list[Position]:
    dice = random.Random(seed)
    return [random_position(dice, most) for _ in range(count)]


SMALL = [(seed, 20, 7) for seed in range(10)]
LARGE = [(seed, 5, 17) for seed in range(100, 120)]
sampled = pytest.mark.parametrize(("seed", "count", "most"), [*SMALL, *LARGE])
few = pytest.mark.parametrize("seed", range(200, 206))


@ruling("RT 4.4")
@ruling("RT 5.2")
@ruling("RT 3.5")
@pytest.mark.compiled
@sampled
def test_the_legal_actions_are_what_trying_everything_finds(
    seed: int, count: int, most: int
) -> None:
    for position in positions(seed, count, most):
        may_pass = [] if position.declared is None else ["pass"]
        expected = sorted([*plays_of(position), *may_pass])
        assert list(position.match().legal(0)) == expected, position


@ruling("RT 4.4")
@ruling("RT 5.2")
def test_the_random_hands_try_every_form_of_play() -> None:
    reached = set()
    for batch in (*SMALL, *LARGE):
        for position in positions(*batch):
            for play, chosen in plays_of(position).items():
                hitmen = chosen.count("RH"), chosen.count("BH")
                reached.add((play[:2], counts(chosen), hitmen))
    assert reached == set(every_form())


def every_form() -> Iterator[tuple[str, tuple[int, int], tuple[int, int]]]:
    """Yield each location, its numbers of red and black cards, and of Hitmen among them."""
    for location, colours in COLOURS.items():
        for red, black in colours:
            for hitmen in product(range(red + 1), range(black + 1)):
                yield location, (red, black), hitmen


@ruling("RT 5.1")
@ruling("RT 5.3")
@ruling("RT 5.5")
@few
def test_each_legal_play_declares_its_number(seed: int) -> None:
    for position in positions(seed, 4, 9):
        for play, chosen in list(plays_of(position).items())[:60]:
            match = position.match()
            match.play(0, play)
            number = number_of(chosen, position.declared)
            assert told(match, "played") == [{"seat": 0, "action": play, "number": number}]


@ruling("RT 3.5")
@ruling("RT 4.1")
@ruling("RT 4.2")
@ruling("RT 4.3")
@ruling("RT 4.4")
@pytest.mark.compiled
@few
def test_every_other_play_is_refused_by_the_first_rule_against_it(seed: int) -> None:
    dice = random.Random(seed)
    for position in positions(seed, 6, 6):
        match = position.match()
        legal = set(match.legal(0))
        for location, chosen in attempts(position.hand, 5):
            shuffled = tuple(dice.sample(chosen, len(chosen)))
            rule = against(position, location, chosen)
            assert refusal(match, 0, text(location, shuffled)) == rule, (position, chosen)
            assert (text(location, chosen) in legal) == (rule == "")


@ruling("RT 3.3")
@few
def test_no_other_action_is_legal_in_a_turn(seed: int) -> None:
    others = ["pass", "keep", "end", "stay", "confirm", "add", "hitman:R", "hitman:B", "hitmen:R",
              "hitmen:RRBB", "look:1", "look:2", "give:1", "give:2", "hand:kept",
              "hand:received"]  # fmt: skip
    for position in positions(seed, 10, 8):
        match = position.match()
        discards = [f"discard:{card}" for card in set(position.hand)]
        allowed = {action for action in [*others, *discards] if not refusal(match, 0, action)}
        assert allowed == ({"pass"} if position.declared else set())
        assert allowed == {action for action in match.legal(0) if action[2:3] != ":"}


@ruling("RT 3.3")
def test_whoever_is_not_to_act_has_no_legal_action() -> None:
    for position in positions(300, 10, 8):
        match = position.match()
        assert all(match.legal(seat) == () for seat in range(1, position.seats))
