"""A store in one SQLite file."""

import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path

from zashiki.server.store.coordination import Coordination, SingleNode
from zashiki.server.store.group_commit import MAX_WAITING, Done
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import EntryRow
from zashiki.server.store.sql import ENTRIES
from zashiki.server.store.sqlite.connections import SqliteDatabase
from zashiki.server.store.sqlite.migrate import version_of


class SqliteStore(SqliteDatabase, Store):
    """A `Store`, bound to the event loop in which it was opened."""

    def __init__(self, path: Path, max_waiting: int = MAX_WAITING) -> None:
        super().__init__(path, max_waiting)
        self.coordination: Coordination = SingleNode(self._versions)

    async def _versions(
        self, matches: Iterable[str], tables: Iterable[str]
    ) -> tuple[Mapping[str, int], Mapping[str, int]]:
        queries = [
            (list(matches), 'SELECT "match", max(n) FROM entries WHERE "match" = ? GROUP BY 1'),
            (list(tables), "SELECT id, version FROM tables WHERE id = ?"),
        ]

        def work(sql: sqlite3.Connection) -> list[dict[str, int]]:
            return [
                dict(row for id in ids for row in sql.execute(statement, [id]))
                for ids, statement in queries
            ]

        entries, versions = await self._read(work)
        return entries, versions

    async def check_writable(self) -> None:
        await self._write(lambda sql: sql.execute(f"PRAGMA user_version = {version_of(sql)}"))

    async def muted(self, player: str) -> set[str]:
        statement = "SELECT other FROM mutes WHERE player = ?"
        return await self._read_in_loop(
            lambda sql: {other for (other,) in sql.execute(statement, [player])}
        )

    def append(self, entry: EntryRow, done: Done) -> None:
        values = ENTRIES.write(entry)
        self._open_writer().begin(lambda sql: sql.execute(ENTRIES.insert, values), done)
