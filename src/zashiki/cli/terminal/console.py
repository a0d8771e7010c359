"""What a terminal shows: colours where there is one, plain text where there is none."""

import sys
from collections.abc import Iterable, Sequence
from typing import NoReturn

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from zashiki.core.rulings import Malformed

COLOURS = {
    "shu": "#e2553d",
    "ai": "#6f8fd6",
    "kin": "bold #d9b25f",
    "matsu": "#6fae82",
    "usuzumi": "#9aa0ab",
    "title": "bold",
}
SEATS = ("#e2553d", "#6f8fd6", "#6fae82", "#b48ad6", "#d9b25f", "#6fc3c9")
SHAPES = ("●", "■", "▲", "◆", "★", "▼")
"""Each seat has a colour and a shape, so that colour is never the only carrier."""
PLAIN_WIDTH = 240
"""How wide a table may become where no terminal limits it."""


class Screen(Console):
    """A console that leaves it to `main` what happens when the reader has left."""

    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError  # rich itself would exit with 1, which has another meaning here


def screen(stderr: bool = False) -> Console:
    """Where to print. What is printed is text, never markup: names and words may hold brackets."""
    stream = sys.stderr if stderr else sys.stdout
    plain = not stream.isatty()
    return Screen(
        file=stream,
        theme=Theme(COLOURS),
        markup=False,
        emoji=False,
        highlight=False,
        soft_wrap=plain,
        width=PLAIN_WIDTH if plain else None,
        force_terminal=not plain,
        color_system=None if plain else "auto",
    )


def is_interactive() -> bool:
    """Does a person sit at both ends?"""
    if sys.stdin is None:
        raise Malformed("standard input is closed (with < /dev/null it would be empty)")
    return sys.stdin.isatty() and sys.stdout.isatty()


def seat_style(seat: int) -> str:
    return SEATS[seat % len(SEATS)]


def seat_mark(seat: int) -> str:
    return SHAPES[seat % len(SHAPES)]


def table(columns: Sequence[str], rows: Iterable[Sequence[str | Text]], numbers: int = 0) -> Table:
    """A table; its last so many columns are numbers and stand at the right."""
    made = Table(box=box.SIMPLE_HEAD, header_style="usuzumi", pad_edge=False)
    for place, column in enumerate(columns):
        is_number = place >= len(columns) - numbers
        made.add_column(column, justify="right" if is_number else "left")
    for row in rows:
        made.add_row(*row)
    return made


def show_table(console: Console, made: Table) -> None:
    """A table in columns; piped without lines, and without spaces at the ends of its rows."""
    if console.is_terminal:
        console.print(made)
        return
    made.box = None
    made.padding = (0, 2, 0, 0)
    with console.capture() as captured:
        console.print(made, soft_wrap=False)
    for line in captured.get().splitlines():
        console.print(line.rstrip())
