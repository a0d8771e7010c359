"""Results as CSV and Parquet: one row per match and seat."""

import csv
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from zashiki.core.files import atomic_file
from zashiki.lab.arena.match_result import MatchResult
from zashiki.lab.arena.plan import Plan

ROW_GROUP = 100_000
"""Rows per row group of a Parquet file."""


class Line(NamedTuple):
    """One row: how one seat of one match ended."""

    match: int
    deal: int
    seed: int
    """Seed of all chance in the match; the same for all matches of a deal."""
    seat: int
    bot: str
    rank: int
    score: float
    decisions: int
    seconds: float
    """Sum over all decisions."""
    longest: float


def lines(plan: Plan, matches: Iterable[MatchResult]) -> Iterator[Line]:
    for played in matches:
        deal, seed = plan.schedule.deal_of(played.match), plan.deal_seed(played.match)
        for seat, bot in enumerate(plan.schedule.lineup_of(played.match)):
            spent = played.times[seat]
            yield Line(
                played.match, deal, seed, seat, plan.names[bot],
                played.ranks[seat], float(played.scores[seat]),
                spent.decisions, spent.seconds, spent.longest,
            )  # fmt: skip


def write_csv(path: Path, rows: Iterable[Line]) -> None:
    with atomic_file(path) as file:
        text = TextIOWrapper(file, encoding="utf-8", newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(Line._fields)
        writer.writerows(rows)
        text.flush()
        text.detach()


def can_write_parquet() -> bool:
    return find_spec("pyarrow") is not None


def write_parquet(path: Path, rows: Iterable[Line]) -> None:
    import pyarrow
    from pyarrow import parquet

    kinds = {int: pyarrow.int64(), str: pyarrow.string(), float: pyarrow.float64()}
    schema = pyarrow.schema([(name, kinds[kind]) for name, kind in Line.__annotations__.items()])
    left = iter(rows)
    with atomic_file(path) as file, parquet.ParquetWriter(file, schema) as writer:
        while group := list(islice(left, ROW_GROUP)):
            columns = [list(column) for column in zip(*group, strict=True)]
            writer.write_table(pyarrow.table(columns, schema=schema))
