"""The connections of a PostgreSQL store.

One connection writes, a few read, one listens for notices, and one is only for heartbeats.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg

from zashiki.server.store.errors import Away, Busy, Unusable
from zashiki.server.store.group_commit import MAX_WAITING, GroupCommitDatabase
from zashiki.server.store.postgres.driver import (
    Connection,
    DatabaseUrl,
    ReconnectingConnection,
    can_store,
    is_connection_lost,
    is_transient,
)
from zashiki.server.store.postgres.migrate import prepare, retry_until_open
from zashiki.server.store.postgres.notify import NotifyListener
from zashiki.server.store.postgres.writer import Writer
from zashiki.server.store.sql import Columns, Row, numbered
from zashiki.server.store.writes import NO_CHANGES, Changes, Result, Values, Work

Query = Callable[[Connection], Awaitable[Result]]
ConnectionPool = asyncio.LifoQueue[ReconnectingConnection]

READERS = 4
READ_TIMEOUT_SECONDS = 5.0
"""Seconds for which a read waits for a free connection."""


class PostgresDatabase(GroupCommitDatabase[Writer]):
    """Opens, closes, writes and reads, without knowledge of the tables."""

    def __init__(self, url: str, max_waiting: int = MAX_WAITING) -> None:
        self._url = DatabaseUrl(url)
        super().__init__(self._url, max_waiting)
        self._listener = NotifyListener(self._url, self._is_own)
        self._readers: ConnectionPool = asyncio.LifoQueue()
        self._heartbeats: ConnectionPool = asyncio.LifoQueue()
        self._own: list[ReconnectingConnection] = []
        self._reading = 0
        self._is_open = False

    # Opening and closing -----------------------------------------------------------------------

    async def open(self) -> None:
        if self._is_open:
            raise Unusable(f"{self._url}: the store is open already")
        self._is_open = True
        try:
            await prepare(self._url)
            await retry_until_open(self._url, self._listener.open)
        except BaseException:
            self._is_open = False
            await self._listener.close()
            raise
        self._readers, self._heartbeats = asyncio.LifoQueue(), asyncio.LifoQueue()
        self._own = [ReconnectingConnection(self._url) for _ in range(READERS)]
        for reader in self._own:
            self._readers.put_nowait(reader)
        self._heartbeats.put_nowait(ReconnectingConnection(self._url))
        self._writer = Writer(self._url, self._max_waiting)

    async def _close_all(self, writer: Writer) -> None:
        for _ in range(READERS):
            await (await self._readers.get()).close()  # waits until its reader is done
        await (await self._heartbeats.get()).close()
        await writer.close()
        await self._listener.close()
        self._is_open = False

    # Writing -----------------------------------------------------------------------------------

    async def _transact(
        self, work: Work[Result], changes: Changes = NO_CHANGES, entry: Values | None = None
    ) -> Result:
        return await self._open_writer().write(work, changes, entry)

    def _is_own(self, pid: int) -> bool:
        """Return whether a process of the database serves the writer or a reader."""
        writer = None if self._writer is None else self._writer.pid
        return pid == writer or any(pid == reader.pid for reader in self._own)

    # Reading -----------------------------------------------------------------------------------

    async def _read(self, query: Query[Result]) -> Result:
        """Run a query on a connection for reading."""
        self._open_writer()
        if self._reading >= self._max_waiting:
            raise Busy(f"{self._max_waiting} reads are waiting already")
        self._reading += 1
        try:
            return await self._ask(self._readers, query)
        finally:
            self._reading -= 1

    async def _ask_alone(self, query: Query[Result]) -> Result:
        """Run a query on the connection for heartbeats, however many reads are waiting."""
        self._open_writer()
        return await self._ask(self._heartbeats, query)

    async def _ask(self, pool: ConnectionPool, query: Query[Result]) -> Result:
        connection = await self._free_connection(pool)
        try:
            return await self._run(connection, query)
        finally:
            pool.put_nowait(connection)

    async def _free_connection(self, pool: ConnectionPool) -> ReconnectingConnection:
        try:
            async with asyncio.timeout(READ_TIMEOUT_SECONDS):
                return await pool.get()
        except TimeoutError:
            raise Busy(f"{self._url}: all connections for reading are in use") from None

    async def _run(self, connection: ReconnectingConnection, query: Query[Result]) -> Result:
        """Run a query, and repeat it once if its connection was lost."""
        for is_last in (False, True):
            try:
                return await query(await connection.connection())
            except Exception as fault:
                if isinstance(fault, asyncpg.PostgresError) and not is_transient(fault):
                    text = f"{self._url}: this could not be read: {fault.args[0]}"
                    raise Unusable(text) from fault
                if not is_transient(fault):
                    raise
                connection.drop()
                if is_last:
                    text = f"{self._url}: the database does not answer"
                    raise (Away if is_connection_lost(fault) else Busy)(text) from fault
        raise AssertionError("the last attempt returns or raises")

    async def _fetch(self, statement: str, *values: Any) -> list[asyncpg.Record]:
        """Return the rows of a query; none if a value cannot be stored."""
        if not all(map(can_store, values)):
            return []
        return await self._read(lambda sql: sql.fetch(numbered(statement), *values))

    async def _rows(self, columns: Columns[Row], rest: str, *values: object) -> list[Row]:
        found = await self._fetch(f"{columns.select} {rest}", *values)
        return [columns.read(list(one)) for one in found]

    async def _row(self, columns: Columns[Row], *key: object) -> Row | None:
        found = await self._fetch(columns.by_key, *key)
        return columns.read(list(found[0])) if found else None
