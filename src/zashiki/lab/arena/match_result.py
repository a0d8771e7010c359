"""The result of one match of an arena: who was better, and how long each seat thought."""

import math
from typing import Any, NamedTuple

from zashiki.lab.results import Results, items, number, ranking, whole_number

STEPS = 8
"""Classes of times between a time and its double: a quantile is known to 5 %."""
QUICKEST = 1e-6
"""Seconds; all shorter times are in the first class."""
LAST_CLASS = 60 * STEPS
"""The class of thousands of years."""


class Times(NamedTuple):
    """How long one seat thought in one match, in seconds."""

    decisions: int
    seconds: float
    longest: float
    classes: dict[int, int]
    """Decisions per class of times."""


class MatchResult(NamedTuple):
    """A finished match; ranks, scores and times are by seat."""

    match: int
    ranks: tuple[int, ...]
    scores: tuple[float, ...]
    times: tuple[Times, ...]

    def to_json(self) -> dict[str, Any]:
        times = [
            [*spent[:3], [step for pair in spent.classes.items() for step in pair]]
            for spent in self.times
        ]
        return self._asdict() | {"times": times}


ArenaResults = Results[MatchResult]
"""The results that an arena has so far."""


def parse_result(values: dict[str, Any], seats: int) -> MatchResult:
    """Reverse `MatchResult.to_json`; raises a ValueError, TypeError or KeyError."""
    return MatchResult(
        values["match"],
        ranking(values["ranks"], seats),
        tuple(number(score) for score in items(values["scores"], seats)),
        tuple(parse_times(*items(spent, 4)) for spent in items(values["times"], seats)),
    )


def parse_times(decisions: object, seconds: object, longest: object, steps: object) -> Times:
    numbers = [whole_number(step, 0) for step in items(steps)]
    classes = dict(zip(numbers[::2], numbers[1::2], strict=True))
    if max(classes, default=0) > LAST_CLASS:
        raise ValueError
    count = whole_number(decisions, sum(classes.values()), sum(classes.values()))
    return Times(count, number(seconds, 0), number(longest, 0), classes)


def time_class(seconds: float) -> int:
    return round(STEPS * math.log2(max(seconds, QUICKEST) / QUICKEST))


def class_time(number: int) -> float:
    """The time in the middle of a class, in seconds."""
    return float(QUICKEST * 2 ** (number / STEPS))
