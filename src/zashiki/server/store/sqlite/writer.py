"""Group commit for SQLite: all pending writes share one transaction.

A disk syncs a few hundred times per second at best, so one commit serves many writes. It runs in a
thread of its own, because it takes long. The statements before it are quick and run in the event
loop: a thread would have to wait for the interpreter lock at each of them. If a write fails, the
group is rolled back and done again, each write with a savepoint, so that only that one fails.
"""

import asyncio
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, TypeVar

from zashiki.server.store.errors import Busy, Closed, Conflict, MaybeWritten, Missing, StoreFault
from zashiki.server.store.group_commit import Done, Write, future_outcome, resolve

Result = TypeVar("Result")
Work = Callable[[sqlite3.Connection], Result]
Task = Callable[[list[Write]], None]
"""Commits a group of writes, or writes each of them singly."""

MAX_GROUP_SIZE = 200
"""Writes per transaction. More would delay the first write and block the event loop."""
RETRY_SECONDS = 0.01
"""Time between two attempts to get a database that another process holds."""


class Writer:
    """The queue of pending writes, and the connection that writes them."""

    def __init__(
        self, connection: sqlite3.Connection, max_waiting: int, busy_timeout: float = 5.0
    ) -> None:
        connection.execute("PRAGMA busy_timeout = 0")  # the event loop never waits
        self.commits = 0
        self.writes = 0
        self._connection = connection
        self._max_waiting = max_waiting
        self._busy_timeout = busy_timeout
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[Write] = deque()
        self._is_writing = False
        self._is_closing = False
        self._ended: asyncio.Future[None] = self._loop.create_future()
        self._groups: SimpleQueue[tuple[Task, list[Write]] | None] = SimpleQueue()
        """Groups for the thread. None ends it."""
        self._thread = threading.Thread(target=self._run, name="zashiki-store-writer", daemon=True)
        self._thread.start()

    # In the loop -------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._waiting)

    def begin(self, work: Work[Any], done: Done) -> None:
        """Run the work in the next transaction. `done` is called after the commit."""
        if self._is_closing:
            raise Closed("the store is closed")
        if len(self._waiting) >= self._max_waiting:
            raise Busy(f"{self._max_waiting} writes are waiting already")
        self._waiting.append(Write(work, done, time.monotonic()))
        self._begin_soon()

    async def write(self, work: Work[Result]) -> Result:
        """Run the work in the next transaction and return its result after the commit."""
        future, done = future_outcome()
        self.begin(work, done)
        result: Result = await future
        return result

    async def close(self) -> None:
        """Finish pending writes and refuse new ones."""
        self._is_closing = True
        self._begin_soon()
        await asyncio.shield(self._ended)

    def _begin_soon(self) -> None:
        if not self._is_writing:
            self._is_writing = True
            self._loop.call_soon(self._write_next)

    def _write_next(self) -> None:
        """Execute pending writes and hand the commit to the thread, or stop if there are none."""
        size = min(len(self._waiting), MAX_GROUP_SIZE)
        group = [self._waiting.popleft() for _ in range(size)]
        if group:
            work = self._commit if self._is_executed(group) else self._write_singly
            self._groups.put((work, group))
            return
        self._is_writing = False
        if self._is_closing and not self._ended.done():
            self._groups.put(None)
            self._thread.join()
            self._connection.close()
            self._ended.set_result(None)

    def _is_executed(self, group: list[Write]) -> bool:
        """Execute all writes; return False if one fails or another process holds the file."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            for write in group:
                write.result = write.work(self._connection)
        except Exception:  # doing them singly shows which one
            self._roll_back()
            return False
        return True

    def _finish(self, group: list[Write]) -> None:
        resolve(group)
        self._write_next()

    # In the thread -----------------------------------------------------------------------------

    def _run(self) -> None:
        while (task := self._groups.get()) is not None:
            work, group = task
            try:
                work(group)
            except Exception as fault:
                for write in group:
                    write.fault = fault_of_transaction(fault)
                self._roll_back()
            with suppress(RuntimeError):  # the loop is closed: nobody waits for the outcome
                self._loop.call_soon_threadsafe(self._finish, group)
            del task, work, group

    def _commit(self, group: list[Write]) -> None:
        self._connection.execute("COMMIT")
        self.commits += 1
        self.writes += len(group)

    def _write_singly(self, group: list[Write]) -> None:
        self._begin(group[0].since + self._busy_timeout)
        for write in group:
            self._write_one(write)
        self._commit(group)

    def _begin(self, end: float) -> None:
        """Begin a transaction, waiting for another process until a time."""
        while True:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as fault:
                if not is_busy(fault) or time.monotonic() > end:
                    raise
            time.sleep(RETRY_SECONDS)

    def _write_one(self, write: Write) -> None:
        self._connection.execute("SAVEPOINT one")
        try:
            write.result = write.work(self._connection)
        except Exception as fault:
            if not self._connection.in_transaction:
                raise  # SQLite rolled back the transaction, for example because the disk is full
            self._connection.execute("ROLLBACK TO one")
            write.fault = fault_of_write(fault)
        self._connection.execute("RELEASE one")

    def _roll_back(self) -> None:
        with suppress(sqlite3.Error):  # the next BEGIN fails again
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")


def fault_of_write(fault: Exception) -> Exception:
    """Convert a fault of SQLite for the caller of a write."""
    if not isinstance(fault, sqlite3.Error):
        return fault
    match fault.sqlite_errorname if isinstance(fault, sqlite3.IntegrityError) else None:
        case "SQLITE_CONSTRAINT_FOREIGNKEY":
            return Missing("the row names a player, table or match that is not there")
        case "SQLITE_CONSTRAINT_PRIMARYKEY" | "SQLITE_CONSTRAINT_UNIQUE":
            return Conflict(f"this is taken: {fault}")
        case None:
            return MaybeWritten(f"this could not be written: {fault}")
        case _:
            return ValueError(f"the row does not fit its table: {fault}")


def fault_of_transaction(fault: Exception) -> StoreFault:
    """Convert a fault that ended the transaction for all callers in it."""
    if is_busy(fault):
        return Busy("another process holds the database")
    return MaybeWritten(f"this could not be written: {fault}")


def is_busy(fault: Exception) -> bool:
    """Return whether another process holds the database."""
    return getattr(fault, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
