"""Tables and lists on the console, and the figures in their cells."""

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from zashiki.lab.simulate import Interval


def make_table(
    columns: Sequence[str], rows: Iterable[Sequence[str | Text]], numbers: int = 0
) -> Table:
    """Make a table. Its last `numbers` columns hold numbers and are aligned to the right."""
    made = Table(box=box.SIMPLE_HEAD, header_style="usuzumi", pad_edge=False)
    for place, column in enumerate(columns):
        is_number = place >= len(columns) - numbers
        made.add_column(column, justify="right" if is_number else "left")
    for row in rows:
        made.add_row(*row)
    return made


def make_list(rows: Sequence[Sequence[str | Text]]) -> Table:
    """Make a table without rules and headings, since a screen has few lines."""
    made = fold_cells(make_table([""] * len(rows[0]), rows))
    made.show_header = False
    made.box = None
    made.padding = (0, 2, 0, 0)
    return made


def fold_cells(made: Table) -> Table:
    """Let long words continue on the next line instead of being cut: Japanese has no spaces."""
    for column in made.columns:
        column.overflow = "fold"
    return made


def print_table(console: Console, made: Table) -> None:
    """Print a table. In a pipe it has no rules, and its rows have no spaces at the end."""
    if console.is_terminal:
        console.print(made)
        return
    made.box = None
    made.padding = (0, 2, 0, 0)
    with console.capture() as captured:
        console.print(made, soft_wrap=False)
    for line in captured.get().splitlines():
        console.print(line.rstrip())


def interval_text(interval: "Interval", form: str, factor: int = 1) -> str:
    """Write the bounds of an interval, each multiplied by a factor: 41.2–58.8."""
    if math.isnan(interval.low):
        return "unknown"
    return "–".join(form.format(factor * bound) for bound in (interval.low, interval.high))


def percent_cells(share: "Interval | None") -> list[str]:
    """Write a share and its interval in percent, as two cells."""
    if share is None:
        return ["–", "–"]
    return [f"{100 * share.mean:.1f}", interval_text(share, "{:.1f}", 100)]
