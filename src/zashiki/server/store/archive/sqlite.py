"""Read or fill a SQLite store as a whole."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct

from zashiki.server.store.archive.bulk import BulkSession
from zashiki.server.store.archive.rows import ARCHIVED_TABLES
from zashiki.server.store.errors import Unusable
from zashiki.server.store.migrations import Kind
from zashiki.server.store.sqlite import migrate
from zashiki.server.store.sqlite.writer import is_busy

BUSY_TIMEOUT_SECONDS = 1.0
"""Seconds for which another process may hold the file."""


class SqliteBulkSession(BulkSession):
    """A transaction of SQLite."""

    kind: Kind = "sqlite"

    def __init__(self, path: Path, sql: sqlite3.Connection) -> None:
        super().__init__(str(path))
        self._sql = sql
        self.schema = migrate.version_of(sql)
        self.check_version()
        if self.schema == 0 or not self.names("players"):
            raise Unusable(
                f"{path}: expected a store of Zashiki, found another file: check the path"
            )

    def names(self, table: str) -> set[str]:
        return {
            name for (name,) in self._sql.execute("SELECT name FROM pragma_table_info(?)", [table])
        }

    def fetch(self, statement: str) -> Iterator[Sequence[Any]]:
        return self._sql.execute(statement)

    def execute(self, statement: str) -> None:
        self._sql.execute(statement)

    def insert(self, table: str, rows: Sequence[Struct]) -> None:
        self._sql.executemany(
            ARCHIVED_TABLES[table].insert, [ARCHIVED_TABLES[table].write(row) for row in rows]
        )

    def link(self, table: str, column: str, pairs: Sequence[tuple[str, str]]) -> None:
        statement = f'UPDATE {table} SET "{column}" = ? WHERE id = ?'
        self._sql.executemany(statement, [(value, id) for id, value in pairs])


class SqliteBulkStore:
    """A `BulkStore` in a SQLite file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __str__(self) -> str:
        return str(self._path)

    @contextmanager
    def reading(self, exclusive: bool = False) -> Iterator[BulkSession]:
        if self._path.is_dir():
            raise Unusable(f"{self._path}: expected the file of a store, found a folder")
        if not self._path.exists():
            raise Unusable(f"{self._path}: expected a store, found no file: check the path")
        with self._connected() as sql:
            if exclusive:
                lock(sql)
            else:
                sql.execute("BEGIN")
            sql.execute("PRAGMA query_only = ON")
            yield SqliteBulkSession(self._path, sql)

    @contextmanager
    def filling(self) -> Iterator[BulkSession]:
        if self._path.is_file() and self._path.stat().st_size:
            with self.reading() as there:
                there.check_empty()  # before an older file is migrated
        migrate.prepare(self._path).close()
        with self._connected() as sql:
            sql.execute("PRAGMA synchronous = FULL")
            sql.execute("PRAGMA fullfsync = ON")
            sql.execute("PRAGMA foreign_keys = ON")
            lock(sql)
            yield SqliteBulkSession(self._path, sql)
            sql.execute("COMMIT")

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        """Open a connection. Closing it rolls back an open transaction."""
        try:
            address = f"{self._path.absolute().as_uri()}?mode=rw"
            opened = sqlite3.connect(address, BUSY_TIMEOUT_SECONDS, uri=True, isolation_level=None)
            with closing(opened) as sql:
                yield sql
        except sqlite3.Error as fault:
            if is_busy(fault):
                text = "a server, or another program, has it open: stop that first"
                raise Unusable(f"{self._path}: {text}") from None
            raise Unusable(f"{self._path}: this cannot be used as a store: {fault}") from fault


def lock(sql: sqlite3.Connection) -> None:
    """Lock the file exclusively. That also detects a server which has it open but is idle."""
    sql.execute("PRAGMA locking_mode = EXCLUSIVE")
    sql.execute("BEGIN EXCLUSIVE")
