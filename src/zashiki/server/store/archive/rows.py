"""What an archive holds: all that is kept for ever, row by row, and each row as one line.

A line is the same whatever database the row is in, and rows come in the order of their keys: two
stores hold the same if their lines have the same hash.
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import Any, Protocol

from msgspec import Struct, json
from msgspec.structs import fields

from zashiki.server.store.errors import StoreFault
from zashiki.server.store.sql import (
    CARD_SETS,
    CHAT,
    ENTRIES,
    MATCHES,
    PLAYERS,
    RATINGS,
    REPORTS,
    TABLES,
    Columns,
)


class Unsound(StoreFault):
    """An archive, or what a store holds, that is not as it must be; the text says how."""


class MuteRow(Struct, frozen=True):
    """Somebody whom a player does not want to hear."""

    player: str
    other: str


class SittingRow(Struct, frozen=True):
    """A match that is a player's."""

    player: str
    started: float
    match: str


KEPT: dict[str, Columns[Any]] = {
    "players": PLAYERS,
    "mutes": Columns(MuteRow, "mutes", ["player", "other"]),
    "tables": TABLES,
    "matches": MATCHES,
    "sittings": Columns(SittingRow, "sittings", ["player", "started", "match"]),
    "entries": ENTRIES,
    "chat": CHAT,
    "card_sets": CARD_SETS,
    "ratings": RATINGS,
    "reports": REPORTS,
}
"""By SQL table. A row comes after those that it names, but for what is LATE."""
LATE = {"players": "owner", "tables": "match"}
"""A column each that may name a row which comes later."""
PASSING = ("servers", "presence", "leases", "tickets")
"""What servers tell each other, of which nothing has to outlive them."""

Named = tuple[str, Struct]
"""A row, and the SQL table that it is in."""


class Source(Protocol):
    """Where rows come from; they can be gone through more than once."""

    def rows(self, until: str | None = None) -> Iterator[Named]:
        """All, in the order of `KEPT`; or those up to the end of a table."""
        ...


# Lines -----------------------------------------------------------------------------------------


class Tally:
    """How many rows of which table there are, and what they hash to."""

    def __init__(self) -> None:
        self.counts = dict.fromkeys(KEPT, 0)
        self._digest = sha256()

    def add(self, table: str, row: Struct) -> bytes:
        """One more; its line."""
        line = written(table, row, KEPT[table].names)
        self.counts[table] += 1
        self._digest.update(line)
        return line

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Tally)
            and self.counts == other.counts
            and self._digest.digest() == other._digest.digest()
        )

    __hash__ = None  # type: ignore[assignment]  # it changes


def tally(rows: Iterator[Named]) -> Tally:
    made = Tally()
    for table, row in rows:
        made.add(table, row)
    return made


def written(table: str, row: Struct, names: Sequence[str]) -> bytes:
    """The line of a row, with these of its columns."""
    return json.encode([table, [getattr(row, name) for name in names]]) + b"\n"


# Older schemas ---------------------------------------------------------------------------------


def check_columns(where: str, columns: dict[str, list[str]]) -> None:
    """Whether all that is there can be read here, and all that is needed is there."""
    for table, names in columns.items():
        if table not in KEPT:
            raise Unsound(f"{where}: written by a newer Zashiki: this one has no table {table}")
        for name in names:
            if name not in KEPT[table].names:
                raise Unsound(
                    f"{where}: written by a newer Zashiki: this one has no column {table}.{name}"
                )
        for field in fields(KEPT[table].kind):
            if field.required and field.name not in names:
                raise Unsound(f"{where}: there is no column {table}.{field.name}")


def reader(table: str, names: Sequence[str]) -> Callable[[Sequence[Any]], Struct]:
    """What makes a row of the values of these columns; others have their defaults."""
    columns = KEPT[table]
    if list(names) == columns.names:
        return columns.read
    places = {name: place for place, name in enumerate(names)}
    defaults = {field.name: field.default for field in fields(columns.kind)}

    def read(values: Sequence[Any]) -> Struct:
        row: Struct = columns.read(
            [values[places[name]] if name in places else defaults[name] for name in columns.names]
        )
        return row

    return read
