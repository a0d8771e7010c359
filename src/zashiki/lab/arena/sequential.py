"""A sequential test: its result may be read after every deal, and it stops when it is clear.

It tests whether the mean of values in 0 … 1 is above a given share. A sceptic offers fair bets:
stake a part of your capital on the next value, win in proportion to how far it is above the share.
If the mean is not above it, no way of betting makes money on average, and by Ville's inequality the
capital ever grows fortyfold with a probability of 1/40 at most, however long one plays and whenever
one stops. So a fortyfold capital is a proof at the level of 2.5 %, at any time (a test martingale;
Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting").

A second bettor bets the other way. The first of the two to get there is the verdict, and all shares
that neither has refuted are a 95 % interval at any time. Unlike the sequential probability ratio
test of chess engines this needs no model of draws and no second hypothesis. A value may be anything
in 0 … 1, such as the mean of a deal played several times: the matches of a deal are not independent
of each other, but deals are.

The capital is spread over bets of several sizes, each kept to the end. So it depends on which
values there were, not on their order.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from zashiki.lab.simulate import Interval

ERROR = 0.05
"""Maximum probability of a wrong verdict: half of it to either side."""
SIZES = tuple(0.02 * 45 ** (step / 11) for step in range(12))
"""Parts of the capital that are staked, the most that a bet can lose: 2 % … 90 %."""


class Verdict(Enum):
    """The result of a test."""

    ABOVE = "clearly above"
    NOT_ABOVE = "clearly not above"
    UNCLEAR = "not clear"


class Value(NamedTuple):
    """The value of a deal: `sure`, plus `open` times the share that is tested.

    `open` takes out matches that do not count: the mean of these values is above a share exactly if
    the mean of the other matches is.
    """

    sure: float
    open: float = 0.0

    def mirrored(self) -> "Value":
        return Value(1 - self.sure - self.open, self.open)


class Bettor:
    """The capital of a bettor on values above a share on average; it begins with 1."""

    def __init__(self, share: float) -> None:
        self.share = share
        self.logs = [0.0] * len(SIZES)
        """By size of the bet, the logarithm of the capital."""

    def add(self, value: Value, times: int = 1) -> None:
        gain = value.sure / self.share + value.open - 1
        for place, size in enumerate(SIZES):
            self.logs[place] += times * math.log1p(size * gain)

    @property
    def log_capital(self) -> float:
        most = max(self.logs)
        return most + math.log(sum(math.exp(log - most) for log in self.logs) / len(SIZES))


class SequentialTest:
    """Tests whether values in 0 … 1 are above a share on average."""

    def __init__(self, share: float, error: float = ERROR) -> None:
        self.share = share
        self.goal = math.log(2 / error)
        self.above = Bettor(share)
        self.below = Bettor(1 - share)
        self.values: list[Value] = []

    def add(self, value: Value) -> None:
        self.values.append(value)
        self.above.add(value)
        self.below.add(value.mirrored())

    @property
    def verdict(self) -> Verdict:
        if self.above.log_capital >= self.goal:
            return Verdict.ABOVE
        if self.below.log_capital >= self.goal:
            return Verdict.NOT_ABOVE
        return Verdict.UNCLEAR


@dataclass(frozen=True)
class Finding:
    """The result of a sequential test, with its estimate."""

    verdict: Verdict
    share: float
    """The share that was tested."""
    deals: int
    matches: int
    """Number of matches that it took."""
    estimate: Interval
    """The mean with a 95 % interval that holds although the data decided when to stop."""


def confidence(values: Sequence[Value], error: float = ERROR) -> Interval:
    """The mean, and the interval of shares that neither of two bettors has refuted."""
    counting = sum(1 - value.open for value in values)
    if not counting:
        return Interval(math.nan, 0.0, 1.0)
    goal = math.log(2 / error)

    def refuted(share: float, data: Counter[Value]) -> bool:
        bettor = Bettor(share)
        for value, times in data.items():
            bettor.add(value, times)
        return bettor.log_capital >= goal

    mean = sum(value.sure for value in values) / counting
    counted, mirrored = Counter(values), Counter(value.mirrored() for value in values)
    low = boundary(lambda share: refuted(share, counted), mean)
    high = 1 - boundary(lambda share: refuted(share, mirrored), 1 - mean)
    return Interval(mean, min(mean, low), max(mean, high))


def boundary(refuted: Callable[[float], bool], mean: float) -> float:
    """The lowest share that is not refuted: capital shrinks as the share grows towards the mean."""
    low, high = 0.0, mean
    for _ in range(20):
        middle = (low + high) / 2
        if middle > 0 and refuted(middle):
            low = middle
        else:
            high = middle
    return low
