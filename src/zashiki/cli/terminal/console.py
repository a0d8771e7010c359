"""The console that commands print to: colours on a terminal, plain text in a pipe."""

import sys
from typing import NoReturn

from rich.console import Console
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
SEAT_COLOURS = ("#e2553d", "#6f8fd6", "#6fae82", "#b48ad6", "#d9b25f", "#6fc3c9")
SEAT_SHAPES = ("●", "■", "▲", "◆", "★", "▼")
"""Each seat has a colour and a shape, so that colour is never the only carrier."""
PIPE_WIDTH = 240
"""Maximum width of a table in columns if no terminal limits it."""


class PipeConsole(Console):
    """A console that raises `BrokenPipeError`, which `main` turns into an exit status."""

    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError  # rich itself would exit with 1, which has another meaning here


def make_console(stderr: bool = False) -> Console:
    """Make a console that prints text, never markup: names and words may contain brackets."""
    stream = sys.stderr if stderr else sys.stdout
    is_pipe = not stream.isatty()
    return PipeConsole(
        file=stream,
        theme=Theme(COLOURS),
        markup=False,
        emoji=False,
        highlight=False,
        soft_wrap=is_pipe,
        width=PIPE_WIDTH if is_pipe else None,
        force_terminal=not is_pipe,
        color_system=None if is_pipe else "auto",
    )


def is_interactive() -> bool:
    """Return True if both standard input and standard output are a terminal."""
    if sys.stdin is None:
        raise Malformed("standard input is closed: use < /dev/null for an empty one")
    return sys.stdin.isatty() and sys.stdout.isatty()


def seat_style(seat: int) -> str:
    """Return the colour of a seat."""
    return SEAT_COLOURS[seat % len(SEAT_COLOURS)]


def seat_mark(seat: int) -> str:
    """Return the shape of a seat."""
    return SEAT_SHAPES[seat % len(SEAT_SHAPES)]
