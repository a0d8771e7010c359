"""Exact answers for small forms: every branch of chance, and matrix games over fractions."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from goofspiel.play import Goofspiel
from goofspiel.state import GoofspielState
from zashiki.core.dice import Chance
from zashiki.core.parts import Seat

T = TypeVar("T")
Matrix = list[list[Fraction]]


class Branches(Chance):
    """Dice that answer 0 to every question, and take another branch in each later run."""

    def __init__(self) -> None:
        self.path: list[tuple[int, int]] = []
        """Pairs: each answer so far, and the number of possible answers."""
        self.asked = 0

    def below(self, count: int, stream: str) -> int:
        if self.asked == len(self.path):
            self.path.append((0, int(count)))
        answer, known = self.path[self.asked]
        assert known == count, "the same answers must lead to the same questions"
        self.asked += 1
        return answer

    def likelihood(self) -> Fraction:
        whole = Fraction(1)
        for _, count in self.path:
            whole /= count
        return whole

    def turn(self) -> bool:
        """Move to the next branch. Return False after the last."""
        while self.path and self.path[-1][0] + 1 == self.path[-1][1]:
            self.path.pop()
        if not self.path:
            return False
        answer, count = self.path.pop()
        self.path.append((answer + 1, count))
        self.asked = 0
        return True


def every_branch(run: Callable[[Chance], T]) -> Iterator[tuple[T, Fraction]]:
    """Yield every possible result of a run, with its probability."""
    chance = Branches()
    while True:
        result = run(chance)
        yield result, chance.likelihood()
        if not chance.turn():
            return


# Matrix games ----------------------------------------------------------------------------------


def solved(matrix: Matrix) -> tuple[Fraction, list[Fraction], list[Fraction]]:
    """Return the value and optimal strategies (row, column) of a zero-sum game, and check them."""
    lift = 1 - min(min(row) for row in matrix)  # all entries positive, so the value is
    lifted = [[entry + lift for entry in row] for row in matrix]
    rows, columns = simplex(lifted)
    total = sum(rows, Fraction(0))
    value = 1 / total - lift
    row = [share / total for share in rows]
    column = [share / total for share in columns]
    assert min(mean(row, against) for against in zip(*matrix, strict=True)) == value
    assert max(mean(column, against) for against in matrix) == value
    return value, row, column


def mean(shares: list[Fraction], values: Any) -> Fraction:
    return sum((share * value for share, value in zip(shares, values, strict=True)), Fraction(0))


def simplex(matrix: Matrix) -> tuple[list[Fraction], list[Fraction]]:
    """Maximize sum(y) with matrix × y ≤ 1, y ≥ 0 (Bland's rule); return the dual solution and y."""
    height, width = len(matrix), len(matrix[0])
    units = [[Fraction(i == j) for j in range(height)] for i in range(height)]
    table = [[*row, *unit, Fraction(1)] for row, unit in zip(matrix, units, strict=True)]
    goal = [Fraction(-1)] * width + [Fraction(0)] * (height + 1)
    basis = list(range(width, width + height))
    while any(entry < 0 for entry in goal[:-1]):
        enters = next(place for place, entry in enumerate(goal) if entry < 0)
        limits = [
            (row[-1] / row[enters], basis[i], i) for i, row in enumerate(table) if row[enters] > 0
        ]
        leaves = min(limits)[2]
        basis[leaves] = enters
        table[leaves] = [entry / table[leaves][enters] for entry in table[leaves]]
        for i, row in enumerate(table):
            if i != leaves:
                table[i] = without(row, table[leaves], enters)
        goal = without(goal, table[leaves], enters)
    shares = [Fraction(0)] * (width + height)
    for place, row in zip(basis, table, strict=True):
        shares[place] = row[-1]
    return goal[width:-1], shares[:width]


def without(row: list[Fraction], pivot: list[Fraction], enters: int) -> list[Fraction]:
    return [entry - row[enters] * other for entry, other in zip(row, pivot, strict=True)]


# Two players -----------------------------------------------------------------------------------


class Solver:
    """Backward induction over the real rules: the lead that seat 0 gains from a position."""

    def __init__(self, game: Goofspiel) -> None:
        assert game.seats == 2
        self.game = game
        self.known: dict[str, Fraction] = {}

    def value(self, truth: Mapping[str, Any]) -> Fraction:
        if truth["prize"] is None:
            return Fraction(0)
        key = repr([truth[name] for name in ("prize", "to_come", "hands")])
        if key not in self.known:
            self.known[key] = self.worth(truth)
        return self.known[key]

    def worth(self, truth: Mapping[str, Any]) -> Fraction:
        """Return the value if both seats play optimally."""
        return solved(self.matrix(truth))[0]

    def value_at_start(self) -> Fraction:
        begun = every_branch(lambda chance: self.game.truth(self.started(chance)))
        return sum((likely * self.value(truth) for truth, likely in begun), Fraction(0))

    def started(self, chance: Chance) -> GoofspielState:
        state = self.game.empty()
        self.game.start(state, chance)
        return state

    def matrix(self, truth: Mapping[str, Any]) -> Matrix:
        """Return the value of each pair of bids, cards ascending."""
        mine, theirs = truth["hands"]
        return [[self.after(truth, first, second) for second in theirs] for first in mine]

    def after(self, truth: Mapping[str, Any], first: int, second: int) -> Fraction:
        ways = every_branch(lambda chance: self.bid(truth, first, second, chance))
        now = lead(truth)
        return sum(
            (likely * (lead(then) - now + self.value(then)) for then, likely in ways), Fraction(0)
        )

    def bid(
        self, truth: Mapping[str, Any], first: int, second: int, chance: Chance
    ) -> dict[str, Any]:
        """Return the full state after both have bid."""
        state = self.game.empty()
        self.game.set_scene(state, truth)
        for seat, card in enumerate((first, second)):
            action = self.game.by_text[f"bid:{card}"].id
            self.game.apply(state, Seat(seat), action, chance)
        return self.game.truth(state)


def lead(truth: Mapping[str, Any]) -> int:
    first, second = truth["scores"]
    return int(first) - int(second)
