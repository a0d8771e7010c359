"""The results of a simulation as files: rows as CSV or Parquet, a summary and cards as CSV."""

import csv
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO

from zashiki.cli.files import errors_naming, write_text
from zashiki.core.files import atomic_file
from zashiki.games import game_spec
from zashiki.lab.simulate import CardEntry, Entry, Interval, Plan, Row, Summary

ROW_COLUMNS = Row._fields[:-1]
"""All fields of a row but the match_stats, which the summary contains."""
SUMMARY_COLUMNS = ("of", "name", "side", "measure", "value", "low", "high")
CARD_COLUMNS = ("card", "drafted", "played", "kept", "users", "win_rate", "low", "high")
DIGITS = 6
"""Number of decimal places in a summary."""
ROW_GROUP = 100_000
"""Number of rows that are written together, as Parquet prefers."""

WriteRows = Callable[[list[Row]], None]
Cell = str | int | float

# Rows ------------------------------------------------------------------------------------------


@contextmanager
def row_writer(path: Path | None) -> Iterator[WriteRows]:
    """Write rows to a file that appears when it is complete; without a path, discard them."""
    if path is None:
        yield discard
        return
    writer = csv_writer if path.suffix == ".csv" else parquet_writer
    with errors_naming(path), atomic_file(path) as file, writer(file) as write_rows:
        yield write_rows


def discard(rows: list[Row]) -> None:
    """Discard rows, since no file was named."""


def cells(row: Row) -> tuple[Any, ...]:
    return row[: len(ROW_COLUMNS)]


@contextmanager
def csv_writer(file: BinaryIO) -> Iterator[WriteRows]:
    text = TextIOWrapper(file, encoding="utf-8", newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(ROW_COLUMNS)
    yield lambda rows: writer.writerows(map(cells, rows))
    text.detach()  # flushes, and leaves the file open


@contextmanager
def parquet_writer(file: BinaryIO) -> Iterator[WriteRows]:
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
    schema = pyarrow.schema(list(zip(ROW_COLUMNS, types, strict=True)))
    waiting: list[tuple[Any, ...]] = []

    def write_group() -> None:
        columns = [list(column) for column in zip(*waiting, strict=True)]
        writer.write_table(pyarrow.table(columns, schema=schema))
        waiting.clear()

    def write_rows(rows: list[Row]) -> None:
        waiting.extend(map(cells, rows))
        if len(waiting) >= ROW_GROUP:
            write_group()

    with parquet.ParquetWriter(file, schema) as writer:
        yield write_rows
        if waiting:
            write_group()


# Summaries -------------------------------------------------------------------------------------


def write_summary(path: Path, plan: Plan, summary: Summary) -> None:
    """Write one row per measure of each bot, each seat and all matches."""
    write_text(path, csv_text(SUMMARY_COLUMNS, summary_rows(plan, summary)))


def write_cards(path: Path, summary: Summary) -> None:
    """Write one row per card."""
    write_text(path, csv_text(CARD_COLUMNS, map(card_row, summary.cards)))


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([rounded(cell) for cell in row])
    return text.getvalue()


def rounded(cell: Cell) -> Cell:
    """Round a number; an unknown one becomes an empty cell."""
    if isinstance(cell, float):
        return "" if math.isnan(cell) else round(cell, DIGITS)
    return cell


def bounds(interval: Interval | None) -> tuple[Cell, Cell, Cell]:
    """Return the mean, the low and the high end of an interval; empty cells if it is unknown."""
    return ("", "", "") if interval is None else (interval.mean, interval.low, interval.high)


def card_row(card: CardEntry) -> tuple[Cell, ...]:
    return card.name, card.drafted, card.played, card.kept, card.users, *bounds(card.win_rate)


def summary_rows(plan: Plan, summary: Summary) -> Iterator[tuple[Cell, ...]]:
    sides = game_spec(plan.game).sides
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
    """Return a measure without an interval."""
    return measure, value, "", ""
