"""A test that may be looked at after every deal, and stops when the answer is clear.

*Is the mean of some values in 0 … 1 above a given share?* Somebody who doubts it offers fair bets:
stake a part of your capital on the next value, win in proportion to how far it is above the share.
If the mean is not above it, no way of betting makes money on average, and by Ville's inequality the
capital ever grows fortyfold with a probability of 1/40 at most, however long one plays and whenever
one stops. So a fortyfold capital is a proof at the level of 2.5 %, at any time (a test martingale;
Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting").

A second bettor bets the other way: who gets there first is the verdict, and all shares that neither
has refuted are a 95 % interval at any time. Unlike the sequential
probability ratio test of chess engines this asks for no model of draws and no second hypothesis,
and a value may be anything in 0 … 1, such as the mean of a deal played several times: the matches
of a deal are not independent of each other, deals are.

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
"""How often a verdict may be wrong, at most: half of it to either side."""
SIZES = tuple(0.02 * 45 ** (step / 11) for step in range(12))
"""What part of the capital is staked, the most that can be lost at once: 2 % … 90 %."""


class Verdict(Enum):
    """What a test says."""

    ABOVE = "clearly above"
    NOT_ABOVE = "clearly not above"
    UNCLEAR = "not clear"


class Value(NamedTuple):
    """What a deal says: `sure`, and `open` times the share that is asked about.

    The latter takes out what does not count: the mean of these values is above a share exactly if
    that of the rest is.
    """

    sure: float
    open: float = 0.0

    def mirrored(self) -> "Value":
        return Value(1 - self.sure - self.open, self.open)


class Bettor:
    """The capital of one who bets that values are above a share on average; it begins with 1."""

    def __init__(self, share: float) -> None:
        self.share = share
        self.logs = [0.0] * len(SIZES)
        """By size of the bet, the logarithm of what became of 1."""

    def add(self, value: Value, times: int = 1) -> None:
        gain = value.sure / self.share + value.open - 1
        for place, size in enumerate(SIZES):
            self.logs[place] += times * math.log1p(size * gain)

    @property
    def log_capital(self) -> float:
        most = max(self.logs)
        return most + math.log(sum(math.exp(log - most) for log in self.logs) / len(SIZES))


class SequentialTest:
    """Are values of 0 … 1 above a share on average?"""

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
    """What a sequential test found."""

    verdict: Verdict
    share: float
    """The one that was asked about."""
    deals: int
    matches: int
    """So many it took."""
    estimate: Interval
    """The mean, and where it lies with 95 % confidence although the end was chosen by looking."""


def confidence(values: Sequence[Value], error: float = ERROR) -> Interval:
    """The mean and all the shares that two bettors, with half the error each, have not refuted."""
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
