"""A store in a PostgreSQL database."""

from collections.abc import Set as AbstractSet

from zashiki.server.store.group_commit import MAX_WAITING, Done
from zashiki.server.store.postgres.connections import PostgresDatabase
from zashiki.server.store.postgres.coordination import PostgresCoordination
from zashiki.server.store.postgres.writer import nothing_else
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import EntryRow, PlayerRow
from zashiki.server.store.sql import ENTRIES, PLAYERS


class PostgresStore(PostgresDatabase, Store):
    """A `Store`, bound to the event loop in which it was opened."""

    coordination: PostgresCoordination

    def __init__(self, url: str, max_waiting: int = MAX_WAITING) -> None:
        super().__init__(url, max_waiting)
        self.coordination = PostgresCoordination(self._listener, self._read, self._ask_alone)

    async def check_writable(self) -> None:
        statement = "UPDATE migrations SET at = at WHERE number = 1"
        await self._transact(lambda tx: tx.execute(statement))

    async def players(self, ids: AbstractSet[str]) -> dict[str, PlayerRow]:
        rest = f"WHERE id IN ({', '.join('?' * len(ids))})"
        found = await self._rows(PLAYERS, rest, *sorted(ids)) if ids else []
        return {row.id: row for row in found}

    async def muted(self, player: str) -> frozenset[str]:
        found = await self._fetch("SELECT other FROM mutes WHERE player = ?", player)
        return frozenset(other for (other,) in found)

    def append(self, entry: EntryRow, done: Done) -> None:
        self._open_writer().begin(nothing_else, done, entry=ENTRIES.write(entry))
