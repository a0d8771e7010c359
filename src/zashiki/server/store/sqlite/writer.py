"""What writes: it takes all writes that wait together into one transaction.

A disk can be asked a few hundred times a second whether all is written, at best; so it is asked
once for many, and in a thread, because that takes long. The statements before that are quick, and
take longer where a thread has to wait for its turn at each of them: they are executed in the loop.
One that fails does not harm those beside it: then all are done again, each with a savepoint.
"""

import asyncio
import sqlite3
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from zashiki.server.store.errors import Busy, Closed, Conflict, Missing, StoreFault, Unwritten
from zashiki.server.store.group_commit import Write, resolve

Result = TypeVar("Result")
Work = Callable[[sqlite3.Connection], Result]

LARGEST_GROUP = 200
"""So many writes share a transaction at most: the first does not wait long for the last, and what
else happens in the loop neither."""
PAUSE = 0.01
"""Seconds between two looks at whether another process still holds the database."""


class Writer:
    """Owns the connection that writes, and closes it."""

    def __init__(
        self, connection: sqlite3.Connection, most_waiting: int, patience: float = 5.0
    ) -> None:
        connection.execute("PRAGMA busy_timeout = 0")  # nobody waits in the loop
        self.commits = 0
        self.writes = 0
        self._connection = connection
        self._most_waiting = most_waiting
        self._patience = patience
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[Write] = deque()
        self._is_writing = False
        self._is_closing = False
        self._ended: asyncio.Future[None] = self._loop.create_future()
        self._pool = ThreadPoolExecutor(1, "zashiki-store-writer")

    # In the loop -------------------------------------------------------------------------------

    def __len__(self) -> int:
        """How many writes wait."""
        return len(self._waiting)

    async def write(self, work: Work[Result]) -> Result:
        """What the work returns, when that is on the disk."""
        if self._is_closing:
            raise Closed("the store is closed")
        if len(self._waiting) >= self._most_waiting:
            raise Busy(f"{self._most_waiting} writes are waiting already")
        future: asyncio.Future[Result] = self._loop.create_future()
        self._waiting.append(Write(work, future, time.monotonic()))
        self._begin_soon()
        return await future

    async def close(self) -> None:
        """Write what waits, and nothing more."""
        self._is_closing = True
        self._begin_soon()
        await asyncio.shield(self._ended)

    def _begin_soon(self) -> None:
        if not self._is_writing:
            self._is_writing = True
            self._loop.call_soon(self._write_next)

    def _write_next(self) -> None:
        """What waits, if anything does: here up to the commit, and there from then on."""
        size = min(len(self._waiting), LARGEST_GROUP)
        group = [self._waiting.popleft() for _ in range(size)]
        if group:
            work = self._commit if self._is_filled(group) else self._write_singly
            self._pool.submit(self._run, work, group)
            return
        self._is_writing = False
        if self._is_closing and not self._ended.done():
            self._pool.shutdown()
            self._connection.close()
            self._ended.set_result(None)

    def _is_filled(self, group: list[Write]) -> bool:
        """Is there a transaction with all of them? Not where one fails, or others hold the file."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            for write in group:
                write.result = write.work(self._connection)
        except Exception:  # what it was is found out by doing them singly
            self._roll_back()
            return False
        return True

    def _written(self, group: list[Write]) -> None:
        resolve(group)
        self._write_next()

    # In the thread -----------------------------------------------------------------------------

    def _run(self, work: Callable[[list[Write]], None], group: list[Write]) -> None:
        try:
            work(group)
        except Exception as fault:
            for write in group:
                write.fault = lost(fault)
            self._roll_back()
        with suppress(RuntimeError):  # the loop is closed, and nobody listens any more
            self._loop.call_soon_threadsafe(self._written, group)

    def _commit(self, group: list[Write]) -> None:
        self._connection.execute("COMMIT")
        self.commits += 1
        self.writes += len(group)

    def _write_singly(self, group: list[Write]) -> None:
        self._begin(group[0].since + self._patience)
        for write in group:
            self._write_one(write)
        self._commit(group)

    def _begin(self, end: float) -> None:
        """Wait for another process, but not for ever."""
        while True:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as fault:
                if not is_busy(fault) or time.monotonic() > end:
                    raise
            time.sleep(PAUSE)

    def _write_one(self, write: Write) -> None:
        self._connection.execute("SAVEPOINT one")
        try:
            write.result = write.work(self._connection)
        except Exception as fault:
            if not self._connection.in_transaction:
                raise  # SQLite rolled all of it back: a disk that is full, perhaps
            self._connection.execute("ROLLBACK TO one")
            write.fault = understood(fault)
        self._connection.execute("RELEASE one")

    def _roll_back(self) -> None:
        with suppress(sqlite3.Error):  # the next BEGIN says so again
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")


def understood(fault: Exception) -> Exception:
    """What a fault of SQLite means for the one who wrote."""
    if not isinstance(fault, sqlite3.Error):
        return fault
    match fault.sqlite_errorname if isinstance(fault, sqlite3.IntegrityError) else None:
        case "SQLITE_CONSTRAINT_FOREIGNKEY":
            return Missing("the row names a player, table or match that is not there")
        case "SQLITE_CONSTRAINT_PRIMARYKEY" | "SQLITE_CONSTRAINT_UNIQUE":
            return Conflict(f"this is taken: {fault}")
        case None:
            return Unwritten(f"this could not be written: {fault}")
        case _:
            return ValueError(f"the row does not fit its table: {fault}")


def lost(fault: Exception) -> StoreFault:
    """What a fault that ended the whole transaction means for everyone in it."""
    if is_busy(fault):
        return Busy("another process holds the database")
    return Unwritten(f"this could not be written: {fault}")


def is_busy(fault: Exception) -> bool:
    return getattr(fault, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
