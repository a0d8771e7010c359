"""The rows of an archive, each as one line.

A line does not depend on the database, and rows come in the order of their keys. Two stores have
the same content if their lines have the same hash.
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import Any, Protocol

from msgspec import Struct, json
from msgspec.structs import fields

from zashiki.server.store.errors import StoreFault
from zashiki.server.store.sql import (
    ACTS,
    ADDRESS_BANS,
    CARD_SETS,
    CHAT,
    EARLIER_RATINGS,
    ENTRIES,
    MATCHES,
    PLAYERS,
    RATINGS,
    REPORTS,
    TABLES,
    Columns,
)


class IntegrityFault(StoreFault):
    """The content of an archive or a store is damaged or contradicts itself; the text says how."""


class MuteRow(Struct, frozen=True):
    """A player who is muted by another one."""

    player: str
    other: str


class SittingRow(Struct, frozen=True):
    """A match in which a player sits."""

    player: str
    started: float
    match: str


ARCHIVED_TABLES: dict[str, Columns[Any]] = {
    "players": PLAYERS,
    "mutes": Columns(MuteRow, "mutes", ["player", "other"]),
    "tables": TABLES,
    "matches": MATCHES,
    "sittings": Columns(SittingRow, "sittings", ["player", "started", "match"]),
    "entries": ENTRIES,
    "chat": CHAT,
    "card_sets": CARD_SETS,
    "ratings": EARLIER_RATINGS,
    "form_ratings": RATINGS,
    "reports": REPORTS,
    "acts": ACTS,
    "address_bans": ADDRESS_BANS,
}
"""By SQL table. A row comes after those that it refers to, except for FORWARD_REFERENCES."""
FORWARD_REFERENCES = {"players": "owner", "tables": "match"}
"""The column of each table that may refer to a later row."""
TRANSIENT_TABLES = (
    "servers", "presence", "leases", "tickets", "addresses", "subscriptions", "digests",
    "reviews",
)  # fmt: skip
"""Tables that are not archived: coordination between servers, hashes of addresses, browsers to
call, which subscribe again when they come, addresses of digests, which players give again, and
reviews, which are made again."""

TableRowPair = tuple[str, Struct]
"""A SQL table and a row of it."""


class RowSource(Protocol):
    """A source of rows that can be read more than once."""

    def rows(self, until: str | None = None) -> Iterator[TableRowPair]:
        """Yield rows in the order of `ARCHIVED_TABLES`, up to the end of a table or all."""
        ...


# Lines -----------------------------------------------------------------------------------------


class Contents:
    """The number of rows by table, and a hash of all rows."""

    def __init__(self) -> None:
        self.counts = dict.fromkeys(ARCHIVED_TABLES, 0)
        self._digest = sha256()

    def add(self, table: str, row: Struct) -> bytes:
        """Count a row and return its line."""
        line = encode(table, row, ARCHIVED_TABLES[table].names)
        self.counts[table] += 1
        self._digest.update(line)
        return line

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Contents)
            and self.counts == other.counts
            and self._digest.digest() == other._digest.digest()
        )

    __hash__ = None  # type: ignore[assignment]  # mutable


def contents_of(rows: Iterator[TableRowPair]) -> Contents:
    """Count and hash rows."""
    made = Contents()
    for table, row in rows:
        made.add(table, row)
    return made


def encode(table: str, row: Struct, names: Sequence[str]) -> bytes:
    """Encode a row as a line, with these of its columns."""
    return json.encode([table, [getattr(row, name) for name in names]]) + b"\n"


# Older schemas ---------------------------------------------------------------------------------


def check_columns(where: str, columns: dict[str, list[str]]) -> None:
    """`IntegrityFault` unless this code knows all columns, and all required ones exist."""
    for table, names in columns.items():
        if table not in ARCHIVED_TABLES:
            raise IntegrityFault(
                f"{where}: written by a newer Zashiki: this one has no table {table}"
            )
        for name in names:
            if name not in ARCHIVED_TABLES[table].names:
                raise IntegrityFault(
                    f"{where}: written by a newer Zashiki: this one has no column {table}.{name}"
                )
        for field in fields(ARCHIVED_TABLES[table].kind):
            if field.required and field.name not in names:
                raise IntegrityFault(f"{where}: there is no column {table}.{field.name}")


def reader(table: str, names: Sequence[str]) -> Callable[[Sequence[Any]], Struct]:
    """Return a function from the values of these columns to a row; others get their defaults."""
    columns = ARCHIVED_TABLES[table]
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
