"""Values of small forms that are known by counting, by symmetry, by hand and by theorem."""

from collections.abc import Mapping
from fractions import Fraction
from math import factorial
from typing import Any

import pytest

from goofspiel.tests.exact import Solver, every_branch, mean, solved
from goofspiel.tests.tables import position, rules
from zashiki.search.playout import play_outs

pytestmark = pytest.mark.compiled

# Counting --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "cards"), [(2, 2), (2, 3), (3, 2), (3, 3), (4, 2)])
def test_the_number_of_whole_plays(seats: int, cards: int) -> None:
    """Each hand can be bid in any order, and the prizes can be drawn in any order."""
    game = rules(seats, cards=cards)
    plays = list(every_branch(lambda chance: play_outs(game, 1, chance)))
    assert len(plays) == factorial(cards) ** seats * factorial(cards)
    assert {steps for steps, _ in plays} == {seats * cards}
    assert sum(likely for _, likely in plays) == 1


@pytest.mark.parametrize("order", ["descending", "ascending"])
def test_a_known_order_has_no_chance_in_it(order: str) -> None:
    game = rules(2, cards=3, order=order)
    assert len(list(every_branch(lambda chance: play_outs(game, 1, chance)))) == factorial(3) ** 2


# Symmetry --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "order"),
    [(2, "descending"), (3, "descending"), (4, "descending"), (4, "ascending"), (3, "random")],
)
def test_nobody_is_ahead_from_the_start(cards: int, order: str) -> None:
    assert Solver(rules(2, cards=cards, order=order)).value_at_start() == 0


# By hand ---------------------------------------------------------------------------------------


def matrix_of(hands: list[list[int]], prize: int, to_come: list[int]) -> list[list[Fraction]]:
    game = rules(2, cards=5, order="descending")
    return Solver(game).matrix(position(hands, prize, to_come))


def test_a_position_with_a_saddle() -> None:
    """Prize 2, then 1. Seat 0 holds 2 3, seat 1 holds 1 3.

    2 against 1: +2, then 3 against 3: 0, together +2.   2 against 3: -2, then 3 against 1: -1.
    3 against 1: +2, then 2 against 3: +1.               3 against 3: 0, then 2 against 1: +1.
    For seat 1 the 3 is never worse, and against it the 3 is better: +1.
    """
    matrix = matrix_of([[2, 3], [1, 3]], 2, [1])
    assert matrix == [[2, -1], [1, 1]]
    assert solved(matrix)[0] == 1


def test_a_position_where_both_must_mix() -> None:
    """Prize 2, then 1. Seat 0 holds 2 4, seat 1 holds 1 3.

    2 against 1: +2, then 4 against 3: +3.   2 against 3: -2, then 4 against 1: -1.
    4 against 1: +2, then 2 against 3: +1.   4 against 3: +2, then 2 against 1: +3.
    No saddle: the value is (3·3 - 1·(-1)) / (3 + 3 - 1 - (-1)) = 10/6, and seat 0 bids the 2 with
    probability (3 - 1) / 6.
    """
    matrix = matrix_of([[2, 4], [1, 3]], 2, [1])
    assert matrix == [[3, -1], [1, 3]]
    third = Fraction(1, 3)
    assert solved(matrix) == (Fraction(5, 3), [third, 2 * third], [2 * third, third])


def test_a_position_that_is_lost_the_same_way() -> None:
    """With the seats exchanged, the value changes its sign."""
    assert solved(matrix_of([[1, 3], [2, 4]], 2, [1]))[0] == Fraction(-5, 3)


# Equilibria and theorems -----------------------------------------------------------------------


@pytest.mark.parametrize("prize", [1, 2, 3])
def test_with_three_cards_the_first_bid_matches_the_prize(prize: int) -> None:
    """An equilibrium in pure bids: no reply of the other seat gains more than the value, 0.

    For prize 3, say: a 3 is even against a 3; against a 2 it wins 3 and leaves 1 2 against 1 3,
    worth -1; against a 1 it leaves 1 2 against 2 3, which by [[3, 1], [2, 3]] is worth -7/3.
    """
    to_come = [other for other in (1, 2, 3) if other != prize]
    truth = position([[1, 2, 3], [1, 2, 3]], prize, to_come, cards=3)
    matrix = Solver(rules(2, cards=3)).matrix(truth)
    assert min(matrix[prize - 1]) == 0
    if prize == 3:
        assert matrix[2] == [Fraction(2, 3), 2, 0]


class AgainstRandom(Solver):
    """The best reply to a player who bids each card with equal probability."""

    def worth(self, truth: Mapping[str, Any]) -> Fraction:
        return max(self.worths(truth).values())

    def worths(self, truth: Mapping[str, Any]) -> dict[int, Fraction]:
        mine, theirs = truth["hands"]
        even = [Fraction(1, len(theirs))] * len(theirs)
        return {card: mean(even, row) for card, row in zip(mine, self.matrix(truth), strict=True)}


@pytest.mark.parametrize("cards", [2, 3, 4])
def test_against_a_random_player_matching_the_prize_is_best(cards: int) -> None:
    """Ross 1971. A match wins prize i against i - 1 cards and loses it to N - i of N: together
    the sum of i (2 i - N - 1) / N, which is (N² - 1) / 6."""
    solver = AgainstRandom(rules(2, cards=cards))
    assert solver.value_at_start() == Fraction(cards**2 - 1, 6)
    everything = list(range(1, cards + 1))
    for prize in everything:
        to_come = [other for other in everything if other != prize]
        worths = solver.worths(position([everything] * 2, prize, to_come, cards=cards))
        assert worths[prize] == max(worths.values())
