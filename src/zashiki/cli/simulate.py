"""`zashiki simulate`: many matches between bots, and what they say about bots and seats."""

import csv
import math
import os
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from zashiki.cli.arguments import (
    add_game,
    add_options,
    read_names,
    read_options,
    read_seed,
    usual_bot,
    usual_seats,
)
from zashiki.cli.files import check_writable, faults_named, whole
from zashiki.cli.screen import printable, screen, show_table, table
from zashiki.core.offer import Offer
from zashiki.core.rulings import Malformed
from zashiki.games import offer_of
from zashiki.lab.simulate import CHUNK, Entry, Interval, Plan, Row, Summary, simulate, summarize

HELP = "many matches between bots, with statistics"
DESCRIPTION = """\
Plays many matches between bots, without records, and says who wins how often.

Seating rotates: the bot named in place e sits on seat (e + number of the match) modulo
seats, so that neither the bots nor the seats profit from each other. Every match has a
seed of its own, made from --seed and its number: the results do not depend on --workers.
"""
EPILOG = """\
A first place shared by k seats counts 1/k for each. Win rates come with 95 % Wilson intervals,
mean scores with 95 % intervals. A bot on several chairs (×3) is reported once: its wins are those
of all its chairs, its rates and means are per chair. --out writes one row a match and seat:
match, seed, seat, bot, rank, score.

examples:
  zashiki simulate kamiza-second --bots sensible,random,random,random --matches 2000
  zashiki simulate kamiza-second --seats 3 --bots random --options open_start=true
  zashiki simulate kamiza-second --bots greedy,random,random,random --out results.csv
  zashiki simulate kamiza-second --matches 100000 --workers 8 --out results.parquet
"""
FORMATS = (".csv", ".parquet")
ROW_GROUP = 100_000
"""So many rows are kept before they are written together, as parquet likes it."""


def add_arguments(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("--seats", type=int, metavar="N", help="(default: as many as bots named)")
    parser.add_argument("--bots", metavar="A,B,…", help="one a chair, or one for all of them")
    parser.add_argument("--matches", type=int, default=1000, metavar="N", help="(default: 1000)")
    add_options(parser)
    parser.add_argument("--seed", type=read_seed, default=0, help="integer or text (default: 0)")
    parser.add_argument("--workers", type=int, metavar="N", help="processes (default: all cores)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="results as .csv or .parquet")


def run(arguments: Namespace) -> int:
    plan = read_plan(arguments)
    workers = read_workers(arguments.workers, plan.matches)
    if arguments.out is not None:
        check_out(arguments.out)
    console = screen()
    before = time.monotonic()
    with (
        progress(plan.matches) as advance,
        results(arguments.out) as keep,
        closing(simulate(plan, workers)) as blocks,
    ):
        summary = summarize(watched(blocks, keep, advance))
    show(console, plan, summary)
    if console.is_terminal:
        rate = plan.matches / (time.monotonic() - before)
        console.print(f"{rate:,.0f} matches a second, {workers} processes", style="usuzumi")
    if arguments.out is not None:
        console.print(f"Rows written to {printable(str(arguments.out))}")
    return 0


# Reading ---------------------------------------------------------------------------------------


def read_plan(arguments: Namespace) -> Plan:
    offer = offer_of(arguments.game)
    bots = read_names(arguments.bots) if arguments.bots is not None else (usual_bot(offer),)
    seats = read_seats(offer, arguments.seats, len(bots))
    options = read_options(offer, arguments.options, seats)
    return Plan.checked(offer.id, seats, bots, arguments.matches, arguments.seed, options)


def read_seats(offer: Offer, seats: int | None, bots: int) -> int:
    if seats is not None:
        return offer.check_seats(seats)
    return bots if bots in offer.seats else usual_seats(offer)


def read_workers(workers: int | None, matches: int) -> int:
    """As many processes as asked for, else one a core, as far as there is work for them."""
    if workers is None:
        return max(1, min(os.cpu_count() or 1, matches // (5 * CHUNK)))
    if not 1 <= workers <= 1024:
        raise Malformed(f"--workers {workers}: a number from 1 to 1024 is expected")
    return workers


def check_out(path: Path) -> None:
    """All that could go wrong with the results, before the first match."""
    if path.suffix not in FORMATS:
        raise Malformed(f"--out {path}: a name that ends in {' or '.join(FORMATS)} is expected")
    if path.suffix == ".parquet" and find_spec("pyarrow") is None:
        raise Malformed("--out: parquet needs pyarrow: pip install 'zashiki[parquet]'")
    check_writable(path)


# While it runs ---------------------------------------------------------------------------------

Keep = Callable[[list[Row]], None]
Advance = Callable[[int], None]


def watched(blocks: Iterable[list[Row]], keep: Keep, advance: Advance) -> Iterator[list[Row]]:
    for rows in blocks:
        keep(rows)
        advance(len({row.match for row in rows}))
        yield rows


@contextmanager
def progress(matches: int) -> Iterator[Advance]:
    """A bar on the terminal's error stream; nothing where either stream is piped."""
    console = screen(stderr=True)
    shown = console.is_terminal and screen().is_terminal
    columns = TextColumn("matches"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True, disable=not shown) as bar:
        task = bar.add_task("matches", total=matches)
        yield lambda count: bar.advance(task, count)


@contextmanager
def results(path: Path | None) -> Iterator[Keep]:
    """Where rows go. The file appears under its name when it is complete."""
    if path is None:
        yield forget
        return
    rows_in = csv_rows if path.suffix == ".csv" else parquet_rows
    with faults_named(path), whole(path) as file, rows_in(file) as keep:
        yield keep


def forget(rows: list[Row]) -> None:
    """Rows that nobody asked for."""


@contextmanager
def csv_rows(file: BinaryIO) -> Iterator[Keep]:
    with TextIOWrapper(file, encoding="utf-8", newline="") as text:
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(Row._fields)
        yield writer.writerows


@contextmanager
def parquet_rows(file: BinaryIO) -> Iterator[Keep]:
    import pyarrow
    from pyarrow import parquet

    types = (
        pyarrow.int64(),
        pyarrow.int64(),
        pyarrow.int16(),
        pyarrow.string(),
        pyarrow.int16(),
        pyarrow.float64(),
    )
    schema = pyarrow.schema(list(zip(Row._fields, types, strict=True)))
    kept: list[Row] = []

    def write() -> None:
        columns = [list(column) for column in zip(*kept, strict=True)]
        writer.write_table(pyarrow.table(columns, schema=schema))
        kept.clear()

    def keep(rows: list[Row]) -> None:
        kept.extend(rows)
        if len(kept) >= ROW_GROUP:
            write()

    with parquet.ParquetWriter(file, schema) as writer:
        yield keep
        if kept:
            write()


# What it says ----------------------------------------------------------------------------------


def show(console: Console, plan: Plan, summary: Summary) -> None:
    """By bot and by seat."""
    seed = printable(str(plan.seed))
    options = ", ".join(f"{name}={str(value).lower()}" for name, value in plan.options.items())
    console.print(f"{plan.game}, {plan.seats} seats, {plan.matches} matches, seed {seed}")
    console.print(f"options: {options or 'none'}")
    show_entries(console, "bot", summary.bots)
    show_entries(console, "seat", summary.seats)
    console.print(f"fair share of wins: {100 * summary.fair_share:.1f} % a chair")


def show_entries(console: Console, kind: str, entries: tuple[Entry, ...]) -> None:
    columns = [kind, "matches", "wins", "wins %", "95 %", "score", "95 %", "rank"]
    rows = [
        [
            entry.name if entry.chairs == 1 else f"{entry.name} ×{entry.chairs}",
            str(entry.matches),
            f"{entry.wins:.1f}",
            f"{100 * entry.win_rate.mean:.1f}",
            between(entry.win_rate, "{:.1f}", 100),
            f"{entry.score.mean:.2f}",
            between(entry.score, "{:.2f}"),
            f"{entry.rank:.2f}",
        ]
        for entry in entries
    ]
    console.print()
    show_table(console, table(columns, rows, numbers=len(columns) - 1))


def between(interval: Interval, form: str, times: int = 1) -> str:
    if math.isnan(interval.low):
        return "unknown"
    return "–".join(form.format(times * bound) for bound in (interval.low, interval.high))
