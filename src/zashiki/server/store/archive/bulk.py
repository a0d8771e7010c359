"""A store as an archive sees it: held still in one transaction, read whole or filled whole."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from zashiki.server.store.archive.rows import (
    KEPT,
    LATE,
    Named,
    Source,
    Tally,
    Unsound,
    check_columns,
    reader,
    tally,
)
from zashiki.server.store.errors import Unusable
from zashiki.server.store.migrations import Kind
from zashiki.server.store.rows import HOUSE

BATCH = 200
"""So many rows are in memory at once."""


class BulkSession(ABC):
    """A store within a transaction."""

    kind: Kind
    schema: int
    """The last migration that it went through."""

    def __init__(self, name: str) -> None:
        self.name = name
        """What it is called in messages."""

    @abstractmethod
    def names(self, table: str) -> set[str]:
        """The columns of a table; none, if there is no such table."""

    @abstractmethod
    def fetch(self, statement: str) -> Iterator[Sequence[Any]]: ...

    @abstractmethod
    def execute(self, statement: str) -> None: ...

    @abstractmethod
    def insert(self, table: str, rows: Sequence[Struct]) -> None: ...

    @abstractmethod
    def link(self, table: str, column: str, pairs: Sequence[tuple[str, str]]) -> None:
        """Set the column of these rows, by their ids."""

    # Reading -----------------------------------------------------------------------------------

    @cached_property
    def columns(self) -> dict[str, list[str]]:
        """Of every table, as far as this code knows them; an older store has fewer."""
        found = {}
        for table, columns in KEPT.items():
            if there := self.names(table):
                found[table] = [name for name in columns.names if name in there]
        check_columns(self.name, found)
        return found

    def rows(self, until: str | None = None) -> Iterator[Named]:
        for table, names in self.columns.items():
            keys = [KEPT[table].names[place] for place in KEPT[table].keys]
            read = reader(table, names)
            statement = f"SELECT {quoted(names)} FROM {table} ORDER BY {quoted(keys)}"
            for values in self.fetch(statement):
                yield table, read(values)
            if table == until:
                return

    def check_empty(self) -> None:
        """But for the bots of the house, which come by themselves."""
        for table in self.columns:
            rest = f"WHERE substr(id, 1, {len(HOUSE)}) <> '{HOUSE}'" if table == "players" else ""
            for _ in self.fetch(f"SELECT 1 FROM {table} {rest} LIMIT 1"):
                raise Unusable(
                    f"{self.name}: there are {table} already: an empty store is expected"
                )

    # Filling -----------------------------------------------------------------------------------

    def fill(self, source: Source, rows: Iterator[Named]) -> Tally:
        """With all rows of a source, which are then compared with what is here."""
        self.check_empty()
        self.execute("DELETE FROM players")
        given = Tally()
        for table, batch in batches(rows):
            for row in batch:
                given.add(table, row)
            self.insert(table, [bare(table, row) for row in batch])
        for table, batch in batches(source.rows(list(LATE)[-1])):
            self._link(table, batch)
        if tally(self.rows()) != given:
            raise Unsound(f"{self.name}: what can be read there is not what was written")
        return given

    def _link(self, table: str, rows: Sequence[Struct]) -> None:
        column = LATE.get(table)
        if column is None:
            return
        pairs = [(KEPT[table].plain(row)[0], getattr(row, column)) for row in rows]
        self.link(table, column, [(id, value) for id, value in pairs if value is not None])


def quoted(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def bare(table: str, row: Struct) -> Struct:
    """Without what names a row that may not be there yet."""
    return replace(row, **{LATE[table]: None}) if table in LATE else row


def batches(rows: Iterator[Named]) -> Iterator[tuple[str, list[Struct]]]:
    for table, group in groupby(rows, itemgetter(0)):
        while batch := [row for _, row in islice(group, BATCH)]:
            yield table, batch


class BulkStore(Protocol):
    """A store that is not open."""

    def reading(self, alone: bool = False) -> AbstractContextManager[BulkSession]:
        """As it is at one moment, while others may write; or alone, and then nobody may."""
        ...

    def filling(self) -> AbstractContextManager[BulkSession]:
        """Made, if there is none. What was done is kept unless something is raised."""
        ...
