"""`zashiki simulate`: many matches between bots, and what they say of bots, seats and cards."""

import csv
import math
import os
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from importlib.util import find_spec
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO

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
from zashiki.cli.files import check_writable, faults_named, whole, write_text
from zashiki.cli.terminal.console import screen, show_table, table
from zashiki.cli.terminal.stdio import printable
from zashiki.core.offer import Offer
from zashiki.core.rulings import Malformed
from zashiki.games import offer_of
from zashiki.lab.simulate import (
    CHUNK,
    CardEntry,
    Entry,
    Interval,
    Plan,
    Row,
    Summary,
    simulate,
    summarize,
)

DESCRIPTION = """\
Plays many matches between bots, without records, and says who wins how often.

Seating rotates: the bot named in place e sits on seat (e + number of the match) modulo
seats, so that neither the bots nor the seats profit from each other. Every match has a
seed of its own, made from --seed and its number: the results do not depend on --workers.
"""
EPILOG = """\
A first place shared by k seats counts 1/k for each. Win rates come with 95 % Wilson intervals,
mean scores with 95 % intervals. A bot on several chairs (×3) is reported once: its wins are those
of all its chairs, its rates and means are per chair. Matches for two can be draws: their share
has a Wilson interval too.

Some games (kingdoms) also tell how many turns there were, and what became of each card: how many
copies were drafted, played, and kept in a hand to the end, a match and those of all seats together;
how many seats played it at least once (users), each match anew; and how often these won.

files, which appear when they are complete:
  --out      one row a match and seat: match, seed, seat, bot, rank, score
  --summary  one row a measure: of (bot, seat or match), name, side, measure, value, low, high
  --cards    one row a card: card, drafted, played, kept, users, win_rate, low, high
Rates in files are parts of 1; low and high are the ends of a 95 % interval.

examples:
  zashiki simulate kamiza-second --bots sensible,random,random,random --matches 2000
  zashiki simulate kamiza-second --seats 3 --bots random --options open_start=true
  zashiki simulate kamiza-second --bots greedy,random,random,random --out results.csv
  zashiki simulate kamiza-second --matches 100000 --workers 8 --out results.parquet
  zashiki simulate kingdoms --options card_set=mine.toml --summary sides.csv --cards cards.csv
"""
COLUMNS = Row._fields[:-1]
"""What a row of the results has: all but the chronicle, which is summed up."""
MEASURES = ("of", "name", "side", "measure", "value", "low", "high")
CARD_COLUMNS = ("card", "drafted", "played", "kept", "users", "win_rate", "low", "high")
FILES = {"out": "Rows", "summary": "Summary", "cards": "Cards"}
"""The arguments that name a file, and what is in it."""
FORMATS = (".csv", ".parquet")
DIGITS = 6
"""So many stand behind the point in the files of summaries."""
PACE_SECONDS = 600
"""The time left is told by the pace of the last so many: some bots think for long."""
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
    parser.add_argument(
        "--summary", type=Path, metavar="FILE", help="bots, seats and matches as .csv"
    )
    parser.add_argument("--cards", type=Path, metavar="FILE", help="cards as .csv")


def run(arguments: Namespace) -> int:
    plan = read_plan(arguments)
    workers = read_workers(arguments.workers, plan.matches)
    check_files(arguments, offer_of(plan.game))
    console = screen()
    before = time.monotonic()
    with (
        progress(plan.matches) as advance,
        results(arguments.out) as keep,
        closing(simulate(plan, workers)) as blocks,
    ):
        summary = summarize(watched(blocks, keep, advance))
    if arguments.summary is not None:
        write_text(arguments.summary, csv_text(MEASURES, measures(plan, summary)))
    if arguments.cards is not None:
        write_text(arguments.cards, csv_text(CARD_COLUMNS, map(card_row, summary.cards)))
    show(console, plan, summary)
    if console.is_terminal:
        rate = plan.matches / (time.monotonic() - before)
        console.print(f"{rate:,.0f} matches a second, {workers} processes", style="usuzumi")
    for what, path in named_files(arguments).items():
        console.print(f"{FILES[what]} written to {printable(str(path))}")
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


def named_files(arguments: Namespace) -> dict[str, Path]:
    """Those that were asked for."""
    named = {what: getattr(arguments, what) for what in FILES}
    return {what: path for what, path in named.items() if path is not None}


def check_files(arguments: Namespace, offer: Offer) -> None:
    """All that could go wrong with what is to be written, before the first match."""
    if arguments.cards is not None and offer.chronicle is None:
        raise Malformed(f"--cards: {offer.id} has no statistics of cards")
    seen: dict[Path, str] = {}
    for what, path in named_files(arguments).items():
        formats = FORMATS if what == "out" else FORMATS[:1]
        if path.suffix not in formats:
            expected = f"a name that ends in {' or '.join(formats)} is expected"
            raise Malformed(f"--{what} {path}: {expected}")
        if path.suffix == ".parquet" and find_spec("pyarrow") is None:
            raise Malformed("--out: parquet needs pyarrow: pip install 'zashiki[parquet]'")
        check_writable(path)
        other = seen.setdefault(path.parent.resolve() / path.name, what)
        if other != what:
            raise Malformed(f"--{what} {path}: that is already the file of --{other}")


# While it runs ---------------------------------------------------------------------------------

Keep = Callable[[list[Row]], None]
Advance = Callable[[int], None]


def watched(blocks: Iterable[list[Row]], keep: Keep, advance: Advance) -> Iterator[list[Row]]:
    for rows in blocks:
        keep(rows)
        advance(len({row.match for row in rows}))
        yield rows


@contextmanager
def progress(matches: int, done: int = 0) -> Iterator[Advance]:
    """A bar on the terminal's error stream; nothing where either stream is piped."""
    console = screen(stderr=True)
    shown = console.is_terminal and screen().is_terminal
    columns = TextColumn("matches"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(
        *columns,
        console=console,
        transient=True,
        disable=not shown,
        speed_estimate_period=PACE_SECONDS,
    ) as bar:
        task = bar.add_task("matches", total=matches, completed=done)
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


def line(row: Row) -> tuple[Any, ...]:
    return row[: len(COLUMNS)]


@contextmanager
def csv_rows(file: BinaryIO) -> Iterator[Keep]:
    with TextIOWrapper(file, encoding="utf-8", newline="") as text:
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(COLUMNS)
        yield lambda rows: writer.writerows(map(line, rows))


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
    schema = pyarrow.schema(list(zip(COLUMNS, types, strict=True)))
    kept: list[tuple[Any, ...]] = []

    def write() -> None:
        columns = [list(column) for column in zip(*kept, strict=True)]
        writer.write_table(pyarrow.table(columns, schema=schema))
        kept.clear()

    def keep(rows: list[Row]) -> None:
        kept.extend(map(line, rows))
        if len(kept) >= ROW_GROUP:
            write()

    with parquet.ParquetWriter(file, schema) as writer:
        yield keep
        if kept:
            write()


# What it says ----------------------------------------------------------------------------------


def show(console: Console, plan: Plan, summary: Summary) -> None:
    """By bot, by seat and, where the game tells of them, by card."""
    seed = printable(str(plan.seed))
    offer = offer_of(plan.game)
    known = offer.options
    options = ", ".join(
        f"{name}={str(known[name].name_of(value)).lower()}" for name, value in plan.options.items()
    )
    console.print(f"{plan.game}, {plan.seats} seats, {plan.matches} matches, seed {seed}")
    console.print(f"options: {options or 'none'}")
    show_entries(console, "bot", summary.bots)
    words = offer.texts("en", options=plan.options)
    show_entries(console, "seat", summary.seats, [words.word(side) for side in offer.sides])
    console.print(f"fair share of wins: {100 * summary.fair_share:.1f} % a chair")
    if summary.draws is not None:
        rate = summary.draws.rate
        share = f"{100 * rate.mean:.1f} % ({between(rate, '{:.1f}', 100)})"
        console.print(f"draws: {summary.draws.count}, {share}")
    if summary.turns is not None:
        turns = summary.turns
        middle = f"{turns.mean:.1f} on average, median {turns.median:g}"
        console.print(f"turns: {middle}, from {turns.least} to {turns.most}")
    if summary.cards:
        show_cards(console, summary.cards)


def show_entries(
    console: Console, kind: str, entries: tuple[Entry, ...], sides: Sequence[str] = ()
) -> None:
    columns = [kind, "matches", "wins", "wins %", "95 %", "score", "95 %", "rank"]
    rows = [
        [
            f"{entry.name} {sides[place]}" if sides else called(entry),
            str(entry.matches),
            f"{entry.wins:.1f}",
            f"{100 * entry.win_rate.mean:.1f}",
            between(entry.win_rate, "{:.1f}", 100),
            f"{entry.score.mean:.2f}",
            between(entry.score, "{:.2f}"),
            f"{entry.rank:.2f}",
        ]
        for place, entry in enumerate(entries)
    ]
    console.print()
    show_table(console, table(columns, rows, numbers=len(columns) - 1))


def called(entry: Entry) -> str:
    return entry.name if entry.chairs == 1 else f"{entry.name} ×{entry.chairs}"


def show_cards(console: Console, cards: tuple[CardEntry, ...]) -> None:
    columns = ["card", "drafted", "played", "kept", "users", "wins %", "95 %"]
    rows = [
        [
            printable(card.name),
            f"{card.drafted:.2f}",
            f"{card.played:.2f}",
            f"{card.kept:.2f}",
            str(card.users),
            f"{100 * card.win_rate.mean:.1f}" if card.win_rate else "unknown",
            between(card.win_rate, "{:.1f}", 100) if card.win_rate else "unknown",
        ]
        for card in cards
    ]
    console.print()
    show_table(console, table(columns, rows, numbers=len(columns) - 1))


def between(interval: Interval, form: str, times: int = 1) -> str:
    if math.isnan(interval.low):
        return "unknown"
    return "–".join(form.format(times * bound) for bound in (interval.low, interval.high))


# The same as files ------------------------------------------------------------------------------

Cell = str | int | float


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([tidy(cell) for cell in row])
    return text.getvalue()


def tidy(cell: Cell) -> Cell:
    """A number as long as anybody reads it; nothing where it is not known."""
    if isinstance(cell, float):
        return "" if math.isnan(cell) else round(cell, DIGITS)
    return cell


def bounds(interval: Interval | None) -> tuple[Cell, Cell, Cell]:
    return ("", "", "") if interval is None else (interval.mean, interval.low, interval.high)


def card_row(card: CardEntry) -> tuple[Cell, ...]:
    return card.name, card.drafted, card.played, card.kept, card.users, *bounds(card.win_rate)


def measures(plan: Plan, summary: Summary) -> Iterator[tuple[Cell, ...]]:
    """What is shown of bots, seats and matches, a row each."""
    sides = offer_of(plan.game).sides
    for entry in summary.bots:
        yield from (("bot", entry.name, "", *row) for row in entry_measures(entry))
    for place, entry in enumerate(summary.seats):
        side = sides[place] if sides else ""
        yield from (("seat", entry.name, side, *row) for row in entry_measures(entry))
    yield from (("match", "", "", *row) for row in match_measures(summary))


def entry_measures(entry: Entry) -> Iterator[tuple[Cell, ...]]:
    yield single("chairs", entry.chairs)
    yield single("matches", entry.matches)
    yield single("wins", entry.wins)
    yield "win_rate", *bounds(entry.win_rate)
    yield "score", *bounds(entry.score)
    yield single("rank", entry.rank)


def match_measures(summary: Summary) -> Iterator[tuple[Cell, ...]]:
    yield single("matches", summary.matches)
    yield single("fair_share", summary.fair_share)
    if summary.draws is not None:
        yield single("draws", summary.draws.count)
        yield "draw_rate", *bounds(summary.draws.rate)
    if summary.turns is not None:
        yield single("turns_mean", summary.turns.mean)
        yield single("turns_median", summary.turns.median)
        yield single("turns_least", summary.turns.least)
        yield single("turns_most", summary.turns.most)


def single(measure: str, value: Cell) -> tuple[Cell, ...]:
    """A measure without an interval."""
    return measure, value, "", ""
