"""The connections of a SQLite store: one that writes (writer.py), one at hand for a row by its key,
which takes less time than to ask a thread for it, and a few that read in threads."""

import asyncio
import sqlite3
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from zashiki.server.store.errors import Busy, Unusable
from zashiki.server.store.group_commit import MAX_WAITING, Writing
from zashiki.server.store.sql import Columns, Row
from zashiki.server.store.sqlite import migrate
from zashiki.server.store.sqlite.writer import Result, Work, Writer, is_busy

READERS = 2


class Database(Writing[Writer]):
    """Opens and closes, writes and reads, and knows nothing of what is in the tables."""

    def __init__(self, path: Path, most_waiting: int = MAX_WAITING) -> None:
        super().__init__(path, most_waiting)
        self.path = path
        self._pool: ThreadPoolExecutor | None = None
        self._connections: list[sqlite3.Connection] = []
        self._free: deque[sqlite3.Connection] = deque()
        self._at_hand: sqlite3.Connection | None = None
        self._reads: set[asyncio.Future[Any]] = set()

    # Opening and closing -----------------------------------------------------------------------

    async def open(self) -> None:
        if self._pool is not None:
            raise Unusable(f"{self.path}: the store is open already")
        self._pool = ThreadPoolExecutor(READERS, "zashiki-store-reader")
        try:
            await asyncio.get_running_loop().run_in_executor(self._pool, self._connect)
        except BaseException:
            self._stop_reading()
            raise
        self._at_hand, *others = self._connections[1:]
        self._at_hand.execute("PRAGMA busy_timeout = 0")  # nobody waits in the loop
        self._free.extend(others)
        self._writer = Writer(self._connections.pop(0), self._most_waiting, migrate.PATIENCE)

    def _connect(self) -> None:
        """The connection that writes, then those that read."""
        self._connections.append(migrate.prepare(self.path))
        for _ in range(1 + READERS):
            self._connections.append(migrate.connect_reader(self.path))

    async def _end(self, writer: Writer) -> None:
        await asyncio.gather(*self._reads, return_exceptions=True)
        self._stop_reading()
        await writer.close()  # last: whoever closes last puts the write-ahead log away

    def _stop_reading(self) -> None:
        assert self._pool is not None
        self._pool.shutdown()
        self._pool = self._at_hand = None
        self._free.clear()
        while self._connections:
            self._connections.pop().close()

    # Writing -----------------------------------------------------------------------------------

    async def _write(self, work: Work[Result]) -> Result:
        return await self._open_writer().write(work)

    async def _add(self, columns: Columns[Row], row: Row) -> None:
        values = columns.write(row)
        await self._write(lambda sql: execute(sql, columns.insert, values))

    # Reading -----------------------------------------------------------------------------------

    async def _read(self, work: Work[Result]) -> Result:
        self._open_writer()
        if len(self._reads) >= self._most_waiting:
            raise Busy(f"{self._most_waiting} reads are waiting already")
        reading = asyncio.get_running_loop().run_in_executor(self._pool, self._look, work)
        self._reads.add(reading)
        reading.add_done_callback(self._reads.discard)
        return await reading

    def _look(self, work: Work[Result]) -> Result:
        connection = self._free.pop()  # there are as many as threads
        try:
            return work(connection)
        except sqlite3.Error as fault:
            raise self._unreadable(fault) from fault
        finally:
            self._free.append(connection)

    def _unreadable(self, fault: sqlite3.Error) -> Unusable:
        return Unusable(f"{self.path}: this could not be read: {fault}")

    async def _rows(self, columns: Columns[Row], rest: str, *values: object) -> list[Row]:
        def work(sql: sqlite3.Connection) -> list[Row]:
            found = sql.execute(f"{columns.select} {rest}", values)
            return [columns.read(one) for one in found]

        return await self._read(work)

    async def _row(self, columns: Columns[Row], *key: object) -> Row | None:
        def work(sql: sqlite3.Connection) -> Row | None:
            found = sql.execute(columns.by_key, key).fetchone()
            return None if found is None else columns.read(found)

        return await self._glance(work)

    async def _glance(self, work: Work[Result]) -> Result:
        """What takes less time than to ask a thread for it: rows by their key."""
        self._open_writer()
        assert self._at_hand is not None
        try:
            return work(self._at_hand)
        except sqlite3.Error as fault:
            if not is_busy(fault):
                raise self._unreadable(fault) from fault
        return await self._read(work)


def execute(sql: sqlite3.Connection, statement: str, values: Sequence[object]) -> int:
    """How many rows it changed."""
    return sql.execute(statement, values).rowcount
