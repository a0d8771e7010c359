"""A progress bar for commands that play many matches."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from zashiki.cli.terminal.console import make_console

ESTIMATE_SECONDS = 600
"""Length of the window that the estimate of the remaining time looks at: some bots are slow."""

Advance = Callable[[int], None]
"""Count matches as finished."""


Report = Callable[[int, int], None]
"""Report the number of steps that are done, and of all steps."""


@contextmanager
def progress_bar(matches: int, done: int = 0) -> Iterator[Advance]:
    """Show a bar of matches on standard error if both output streams are a terminal."""
    with make_bar("matches") as bar:
        task = bar.add_task("matches", total=matches, completed=done)
        yield lambda count: bar.advance(task, count)


@contextmanager
def step_bar(what: str) -> Iterator[Report]:
    """Show a bar of steps, whose number may change, as `progress_bar` does."""
    with make_bar(what) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, steps: bar.update(task, completed=done, total=steps)


def make_bar(what: str) -> Progress:
    """Make a bar that shows nothing unless both output streams are a terminal."""
    console = make_console(stderr=True)
    return Progress(
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not (console.is_terminal and make_console().is_terminal),
        speed_estimate_period=ESTIMATE_SECONDS,
    )
