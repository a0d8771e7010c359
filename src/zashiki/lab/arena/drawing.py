"""Small plots as SVG, readable on a phone and by a screen reader.

Colours come from the page (`report.css`), which has a light and a dark scheme.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from itertools import count
from typing import NamedTuple

WIDTH = 360
LEFT = 112
"""x at which names end and the plot begins."""
RIGHT = 338
ROW = 34
TOP = 12
NAME_LETTERS = 14


class Mark(NamedTuple):
    """A figure with its interval, name and text."""

    name: str
    value: float
    low: float
    high: float
    text: str


class Axis(NamedTuple):
    """The range of an axis, its ticks, and the format of a value."""

    low: float
    high: float
    ticks: Sequence[float]
    form: Callable[[float], str]
    is_log: bool = False

    def at(self, value: float) -> float:
        """The x of a value; values outside the range are at its end."""
        low, high, here = self.low, self.high, min(max(value, self.low), self.high)
        if self.is_log:
            low, high, here = math.log(low), math.log(high), math.log(here)
        return round(LEFT + (RIGHT - LEFT) * (here - low) / (high - low), 1)


def linear_axis(low: float, high: float, form: Callable[[float], str]) -> Axis:
    """An axis between round numbers, with about four ticks."""
    span = max(high - low, 1e-9)
    step = 10 ** math.floor(math.log10(span / 4))
    step = next(step * times for times in (1, 2, 5, 10) if span / (step * times) <= 5)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    last = max(last, first + 1)
    return Axis(first * step, last * step, [n * step for n in range(first, last + 1)], form)


def share_axis(marks: Iterable[Mark], fair: float) -> Axis:
    """An axis in percent that covers all intervals and the fair share."""
    ends = [end for mark in marks for end in (mark.low, mark.high)]
    made = linear_axis(min([*ends, fair]), max([*ends, fair]), lambda value: f"{100 * value:.3g}")
    return made._replace(high=min(made.high, 1.0), ticks=[tick for tick in made.ticks if tick <= 1])


def time_axis(low: float, high: float, form: Callable[[float], str]) -> Axis:
    """A logarithmic axis with powers of ten."""
    first = math.floor(math.log10(max(low, 1e-6)))
    last = max(math.ceil(math.log10(max(high, 1e-6))), first + 1)
    step = 1 if last - first <= 4 else 2
    ticks = [10.0**power for power in range(first, last + 1, step)]
    return Axis(10.0**first, 10.0**last, ticks, form, is_log=True)


# Plots -----------------------------------------------------------------------------------------


def whiskers(title: str, marks: Sequence[Mark], axis: Axis, fair: float | None = None) -> str:
    """Plot a dot for each figure and a line for its interval."""
    bottom = TOP + ROW * len(marks)
    parts = grid(axis, bottom)
    if fair is not None:
        at = axis.at(fair)
        parts.append(f'<line class="fair" x1="{at}" x2="{at}" y1="{TOP - 6}" y2="{bottom}"/>')
    for place, mark in enumerate(marks):
        y = TOP + ROW * place + ROW / 2
        parts.append(named(mark.name, y))
        if not math.isnan(mark.low):
            low, high = axis.at(mark.low), axis.at(mark.high)
            parts.append(f'<path class="whisker" d="M{low} {y}H{high}M{low} {y - 5}v10'
                         f'M{high} {y - 5}v10"/>')  # fmt: skip
        tip = f"<title>{escape(f'{mark.name}: {mark.text}')}</title>"
        parts.append(
            f'<circle class="dot" cx="{axis.at(mark.value)}" cy="{y}" r="5">{tip}</circle>'
        )
    described = "; ".join(f"{mark.name} {mark.text}" for mark in marks)
    return framed(title, described, bottom + 28, parts)


def stacked(title: str, rows: Sequence[tuple[str, Sequence[float]]]) -> str:
    """Plot a bar for each name, divided into first, second, third … places."""
    bottom = TOP + ROW * len(rows)
    parts = grid(Axis(0, 1, [0, 0.25, 0.5, 0.75, 1], lambda value: f"{100 * value:.0f}"), bottom)
    for place, (name, shares) in enumerate(rows):
        y, x = TOP + ROW * place, float(LEFT)
        parts.append(named(name, y + ROW / 2))
        for rank, share in enumerate(shares, start=1):
            width = (RIGHT - LEFT) * share
            tip = f"<title>{escape(f'{name}, place {rank}: {100 * share:.1f} %')}</title>"
            parts.append(f'<rect class="place p{min(rank, 5)}" x="{x:.1f}" y="{y + 6}" '
                         f'width="{width:.1f}" height="{ROW - 12}">{tip}</rect>')  # fmt: skip
            if width > 26:
                parts.append(f'<text class="in p{min(rank, 5)}" x="{x + width / 2:.1f}" '
                             f'y="{y + ROW / 2 + 4.5}">{100 * share:.0f}</text>')  # fmt: skip
            x += width
    described = "; ".join(
        f"{name} {', '.join(f'{100 * share:.0f}' for share in shares)}" for name, shares in rows
    )
    return framed(title, described, bottom + 28, parts)


def histogram(title: str, counts: dict[int, int]) -> str:
    """Plot how often each number occurs; many numbers are grouped into at most 24 bars."""
    low, high = min(counts), max(counts)
    step = next(step for step in round_steps() if (high - low + 1) / step <= 24)
    bars = [
        (first, sum(counts.get(number, 0) for number in range(first, first + step)))
        for first in range(low - low % step, high + 1, step)
    ]
    most, left, height = max(size for _, size in bars), 12, 130
    wide = min((RIGHT - left) / len(bars), 60)
    start = (left + RIGHT - wide * len(bars)) / 2
    parts = []
    for place, (first, size) in enumerate(bars):
        tall = height * size / most
        name = str(first) if step == 1 else f"{first}–{first + step - 1}"
        tip = f"<title>{name}: {size} matches</title>"
        parts.append(f'<rect class="bar" x="{start + wide * place + 1:.1f}" '
                     f'y="{TOP + height - tall:.1f}" width="{wide - 2:.1f}" '
                     f'height="{tall:.1f}">{tip}</rect>')  # fmt: skip
    every = math.ceil(len(bars) / 8)
    for place, (first, _) in list(enumerate(bars))[::every]:
        x = start + wide * (place + 0.5)
        parts.append(f'<text class="tick" x="{x:.1f}" y="{TOP + height + 18}">{first}</text>')
    parts.append(f'<path class="base" d="M{left} {TOP + height + 0.5}H{RIGHT}"/>')
    described = f"from {low} to {high}, most often {max(bars, key=lambda bar: bar[1])[0]}"
    return framed(title, described, TOP + height + 26, parts)


def spans(title: str, marks: Sequence[Mark], axis: Axis) -> str:
    """Plot times: a dot at the median, a bar to the 95 % quantile, a tick at the longest."""
    bottom = TOP + ROW * len(marks)
    parts = grid(axis, bottom)
    for place, mark in enumerate(marks):
        y = TOP + ROW * place + ROW / 2
        middle, most, longest = (axis.at(time) for time in (mark.value, mark.low, mark.high))
        tip = f"<title>{escape(f'{mark.name}: {mark.text}')}</title>"
        parts += [
            named(mark.name, y),
            f'<path class="thin" d="M{middle} {y}H{longest}M{longest} {y - 5}v10"/>',
            f'<path class="thick" d="M{middle} {y}H{most}"/>',
            f'<circle class="dot" cx="{middle}" cy="{y}" r="5">{tip}</circle>',
        ]
    described = "; ".join(f"{mark.name} {mark.text}" for mark in marks)
    return framed(title, described, bottom + 28, parts)


def round_steps() -> Iterator[int]:
    """Count 1, 2, 5, 10, 20, 50, …"""
    return (times * 10**power for power in count() for times in (1, 2, 5))


# Pieces ----------------------------------------------------------------------------------------


def framed(title: str, described: str, height: float, parts: Sequence[str]) -> str:
    """An SVG with a title and a description."""
    name = re.sub(r"\W+", "-", title.lower())
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:g}" role="img" aria-labelledby="{name}-t {name}-d">'
        f'<title id="{name}-t">{escape(title)}</title>'
        f'<desc id="{name}-d">{escape(described)}</desc>{"".join(parts)}</svg>'
    )


def grid(axis: Axis, bottom: float) -> list[str]:
    lines = []
    for tick in axis.ticks:
        at = axis.at(tick)
        lines.append(f'<line class="grid" x1="{at}" x2="{at}" y1="{TOP - 6}" y2="{bottom}"/>')
        text = escape(axis.form(tick))
        lines.append(f'<text class="tick" x="{at}" y="{bottom + 18}">{text}</text>')
    return lines


def named(name: str, y: float) -> str:
    short = name if len(name) <= NAME_LETTERS else f"{name[: NAME_LETTERS - 1]}…"
    return f'<text class="name" x="{LEFT - 12}" y="{y + 5:g}">{escape(short)}</text>'
