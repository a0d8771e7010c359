"""The connections of a SQLite store.

One connection writes (writer.py). One reads rows by their keys in the event loop, which is faster
than asking a thread. A few more read in threads.
"""

import asyncio
import sqlite3
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from zashiki.server.store import writes
from zashiki.server.store.errors import Busy, Unusable
from zashiki.server.store.group_commit import MAX_WAITING, GroupCommitDatabase
from zashiki.server.store.sql import ENTRIES, Columns, Row
from zashiki.server.store.sqlite import connect, transaction
from zashiki.server.store.sqlite.migrate import prepare
from zashiki.server.store.sqlite.writer import Result, Work, Writer, is_busy

READERS = 2


class SqliteDatabase(GroupCommitDatabase[Writer]):
    """Opens, closes, writes and reads, without knowledge of the tables."""

    def __init__(self, path: Path, max_waiting: int = MAX_WAITING) -> None:
        super().__init__(path, max_waiting)
        self.path = path
        self._pool: ThreadPoolExecutor | None = None
        self._connections: list[sqlite3.Connection] = []
        self._free: deque[sqlite3.Connection] = deque()
        self._loop_reader: sqlite3.Connection | None = None
        self._reads: set[asyncio.Future[Any]] = set()

    # Opening and closing -----------------------------------------------------------------------

    async def open(self) -> None:
        if self._pool is not None:
            raise Unusable(f"{self.path}: the store is open already")
        self._pool = ThreadPoolExecutor(READERS, "zashiki-store-reader")
        try:
            await asyncio.get_running_loop().run_in_executor(self._pool, self._connect)
        except BaseException:
            self._close_readers()
            raise
        self._loop_reader, *others = self._connections[1:]
        self._loop_reader.execute("PRAGMA busy_timeout = 0")  # the event loop never waits
        self._free.extend(others)
        self._writer = Writer(
            self._connections.pop(0), self._max_waiting, connect.BUSY_TIMEOUT_SECONDS
        )

    def _connect(self) -> None:
        """Open the connection that writes, then those that read."""
        self._connections.append(prepare(self.path))
        for _ in range(1 + READERS):
            self._connections.append(connect.connect_reader(self.path))

    async def _close_all(self, writer: Writer) -> None:
        await asyncio.gather(*self._reads, return_exceptions=True)
        self._close_readers()
        await writer.close()  # the last connection removes the write-ahead log

    def _close_readers(self) -> None:
        assert self._pool is not None
        self._pool.shutdown()
        self._pool = self._loop_reader = None
        self._free.clear()
        while self._connections:
            self._connections.pop().close()

    # Writing -----------------------------------------------------------------------------------

    async def _write(self, work: Work[Result]) -> Result:
        """Run the work in the next transaction and return its result after the commit."""
        return await self._open_writer().write(work)

    async def _transact(
        self,
        work: writes.Work[Result],
        changes: writes.Changes = writes.NO_CHANGES,
        entry: writes.Values | None = None,
    ) -> Result:
        def both(sql: sqlite3.Connection) -> Result:
            result = transaction.run(work, sql)
            if entry is not None:
                sql.execute(ENTRIES.insert, entry)
            return result

        return await self._write(both)

    # Reading -----------------------------------------------------------------------------------

    async def _read(self, work: Work[Result]) -> Result:
        """Run the work in a reading thread."""
        self._open_writer()
        if len(self._reads) >= self._max_waiting:
            raise Busy(f"{self._max_waiting} reads are waiting already")
        reading = asyncio.get_running_loop().run_in_executor(self._pool, self._read_in_thread, work)
        self._reads.add(reading)
        reading.add_done_callback(self._reads.discard)
        return await reading

    def _read_in_thread(self, work: Work[Result]) -> Result:
        connection = self._free.pop()  # one per thread
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

        return await self._read_in_loop(work)

    async def _read_in_loop(self, work: Work[Result]) -> Result:
        """Run quick work, such as reading a row by its key, without a thread."""
        self._open_writer()
        assert self._loop_reader is not None
        try:
            return work(self._loop_reader)
        except sqlite3.Error as fault:
            if not is_busy(fault):
                raise self._unreadable(fault) from fault
        return await self._read(work)
