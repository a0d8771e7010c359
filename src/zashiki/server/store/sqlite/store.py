"""A store in one SQLite file."""

from collections.abc import Set as AbstractSet

from zashiki.server.store.group_commit import Done
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import EntryRow, PlayerRow
from zashiki.server.store.sql import ENTRIES
from zashiki.server.store.sqlite.connections import SqliteDatabase
from zashiki.server.store.sqlite.migrate import version_of


class SqliteStore(SqliteDatabase, Store):
    """A `Store`, bound to the event loop in which it was opened."""

    async def check_writable(self) -> None:
        await self._write(lambda sql: sql.execute(f"PRAGMA user_version = {version_of(sql)}"))

    async def players(self, ids: AbstractSet[str]) -> dict[str, PlayerRow]:
        found = [await self.player(id) for id in sorted(ids)]
        return {row.id: row for row in found if row is not None}

    async def muted(self, player: str) -> frozenset[str]:
        statement = "SELECT other FROM mutes WHERE player = ?"
        return await self._read_in_loop(
            lambda sql: frozenset(other for (other,) in sql.execute(statement, [player]))
        )

    def append(self, entry: EntryRow, done: Done) -> None:
        values = ENTRIES.write(entry)
        self._open_writer().begin(lambda sql: sql.execute(ENTRIES.insert, values), done)
