"""A progress bar for commands that play many matches."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from zashiki.cli.terminal.console import make_console

ESTIMATE_SECONDS = 600
"""Length of the window that the estimate of the remaining time looks at: some bots are slow."""

Advance = Callable[[int], None]
"""Count matches as finished."""


@contextmanager
def progress_bar(matches: int, done: int = 0) -> Iterator[Advance]:
    """Show a bar on standard error if both output streams are a terminal, else nothing."""
    console = make_console(stderr=True)
    is_shown = console.is_terminal and make_console().is_terminal
    with Progress(
        TextColumn("matches"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not is_shown,
        speed_estimate_period=ESTIMATE_SECONDS,
    ) as bar:
        task = bar.add_task("matches", total=matches, completed=done)
        yield lambda count: bar.advance(task, count)
