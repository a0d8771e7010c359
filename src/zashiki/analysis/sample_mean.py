"""Means of samples with their standard errors."""

from collections.abc import Iterable
from math import sqrt

PSEUDO = 0.25
"""Squared deviation that is added to every sample, so that a few equal values are not certain."""


class SampleMean:
    """The mean of the values so far, and its standard error."""

    def __init__(self, values: Iterable[float] = ()) -> None:
        self.count = 0
        self.total = 0.0
        self.squares = 0.0
        for value in values:
            self.add(value)

    def add(self, value: float) -> None:
        self.count += 1
        self.total += value
        self.squares += value * value

    @property
    def mean(self) -> float:
        return self.total / self.count

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        deviations = max(0.0, self.squares - self.total * self.mean)
        return sqrt((deviations + PSEUDO) / self.count / self.count)
