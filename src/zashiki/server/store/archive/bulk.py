"""A store that is read or filled as a whole, in one transaction."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import astuple, replace

from zashiki.server.store.archive.rows import (
    ARCHIVED_TABLES,
    FORWARD_REFERENCES,
    Contents,
    IntegrityFault,
    RowSource,
    TableRowPair,
    check_columns,
    contents_of,
    reader,
)
from zashiki.server.store.errors import Unusable
from zashiki.server.store.migrations import Kind, newest_version, too_new
from zashiki.server.store.rows import HOUSE

BATCH = 200
"""Rows in memory at once."""


class BulkSession(ABC):
    """A transaction that reads or fills a whole store."""

    kind: Kind
    schema: int
    """The number of its last migration."""

    def __init__(self, name: str) -> None:
        self.name = name
        """The name in messages."""

    @abstractmethod
    def names(self, table: str) -> set[str]:
        """Return the columns of a table; none if it does not exist."""

    @abstractmethod
    def fetch(self, statement: str) -> Iterator[Sequence[Any]]:
        """Yield the rows of a query."""

    @abstractmethod
    def execute(self, statement: str) -> None:
        """Execute a statement."""

    @abstractmethod
    def insert(self, table: str, rows: Sequence[Struct]) -> None:
        """Insert rows into a table."""

    @abstractmethod
    def link(self, table: str, column: str, pairs: Sequence[tuple[str, str]]) -> None:
        """Set a column of rows, given as pairs of id and value."""

    def check_version(self) -> None:
        """`Unusable` if newer code has migrated the store: an archive would leave something out."""
        newest = newest_version(self.kind)
        if self.schema > newest:
            raise too_new(self.name, self.schema, newest)

    # Reading -----------------------------------------------------------------------------------

    @cached_property
    def columns(self) -> dict[str, list[str]]:
        """The columns of each table that this code knows; an older store has fewer."""
        found = {}
        for table, columns in ARCHIVED_TABLES.items():
            if there := self.names(table):
                found[table] = [name for name in columns.names if name in there]
        check_columns(self.name, found)
        return found

    def rows(self, until: str | None = None) -> Iterator[TableRowPair]:
        """Yield all rows in order of their keys, or those up to the end of a table."""
        for table, names in self.columns.items():
            keys = [ARCHIVED_TABLES[table].names[place] for place in ARCHIVED_TABLES[table].keys]
            read = reader(table, names)
            statement = f"SELECT {quoted(names)} FROM {table} ORDER BY {quoted(keys)}"
            for values in self.fetch(statement):
                yield table, read(values)
            if table == until:
                return

    def check_empty(self) -> None:
        """`Unusable` if there are rows, except for the server's own bots."""
        for table in self.columns:
            rest = f"WHERE substr(id, 1, {len(HOUSE)}) <> '{HOUSE}'" if table == "players" else ""
            for _ in self.fetch(f"SELECT 1 FROM {table} {rest} LIMIT 1"):
                raise Unusable(
                    f"{self.name}: expected an empty store, found {table}: name another store"
                )

    # Filling -----------------------------------------------------------------------------------

    def fill(self, source: RowSource, rows: Iterator[TableRowPair]) -> Contents:
        """Insert all rows of a source, and compare the result with them."""
        self.check_empty()
        self.execute("DELETE FROM players")
        given = Contents()
        for table, batch in batches(rows):
            for row in batch:
                given.add(table, row)
            self.insert(table, [without_forward_reference(table, row) for row in batch])
        for table, batch in batches(source.rows(list(FORWARD_REFERENCES)[-1])):
            self._link(table, batch)
        if contents_of(self.rows()) != given:
            raise IntegrityFault(f"{self.name}: what can be read there is not what was written")
        return given

    def _link(self, table: str, rows: Sequence[Struct]) -> None:
        """Set the forward references of rows."""
        column = FORWARD_REFERENCES.get(table)
        if column is None:
            return
        pairs = [(astuple(row)[0], getattr(row, column)) for row in rows]
        self.link(table, column, [(id, value) for id, value in pairs if value is not None])


def quoted(names: Sequence[str]) -> str:
    """Join column names for SQL."""
    return ", ".join(f'"{name}"' for name in names)


def without_forward_reference(table: str, row: Struct) -> Struct:
    """Remove a reference to a row that may not exist yet."""
    return replace(row, **{FORWARD_REFERENCES[table]: None}) if table in FORWARD_REFERENCES else row


def batches(rows: Iterator[TableRowPair]) -> Iterator[tuple[str, list[Struct]]]:
    """Group rows by table, in lists of limited length."""
    for table, group in groupby(rows, itemgetter(0)):
        while batch := [row for _, row in islice(group, BATCH)]:
            yield table, batch


class BulkStore(Protocol):
    """A closed store that can be read or filled as a whole."""

    def reading(self, exclusive: bool = False) -> AbstractContextManager[BulkSession]:
        """Read a snapshot while others may write, or exclusively so that nobody may."""
        ...

    def filling(self) -> AbstractContextManager[BulkSession]:
        """Create the store if needed, and commit at the end unless an exception is raised."""
        ...
