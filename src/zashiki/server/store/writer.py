"""The one thread that writes: it takes all writes that wait together into one transaction.

A disk can be asked a few hundred times a second whether all is written, at best; so it is asked
once for many. One that fails does not harm those beside it: then all are done again, each with a
savepoint.
"""

import asyncio
import sqlite3
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from threading import Condition, Thread
from typing import Any, TypeVar

from zashiki.server.store.protocol import Busy, Closed, Conflict, Missing, StoreFault, Unwritten

Result = TypeVar("Result")
Work = Callable[[sqlite3.Connection], Result]

LARGEST_GROUP = 500
"""So many writes share a transaction at most: the first does not wait long for the last."""


@dataclass
class Write:
    """Something to write, and where to say what became of it."""

    work: Work[Any]
    future: "asyncio.Future[Any]"
    result: Any = None
    fault: Exception | None = None


class Spoilt(Exception):
    """A write of a group failed: the group is to be written one by one."""


class Writer:
    """Owns the connection that writes, and closes it."""

    def __init__(self, connection: sqlite3.Connection, most_waiting: int) -> None:
        self.commits = 0
        self.writes = 0
        self._connection = connection
        self._most_waiting = most_waiting
        self._loop = asyncio.get_running_loop()
        self._change = Condition()
        self._waiting: deque[Write] = deque()
        self._closing = False
        self._ended: asyncio.Future[None] = self._loop.create_future()
        self._thread = Thread(target=self._run, name="zashiki-store-writer", daemon=True)
        self._thread.start()

    # In the loop -------------------------------------------------------------------------------

    def __len__(self) -> int:
        """How many writes wait."""
        return len(self._waiting)

    async def write(self, work: Work[Result]) -> Result:
        """What the work returns, when that is on the disk."""
        future: asyncio.Future[Result] = self._loop.create_future()
        with self._change:
            if self._closing:
                raise Closed("the store is closed")
            if len(self._waiting) >= self._most_waiting:
                raise Busy(f"{self._most_waiting} writes are waiting already")
            self._waiting.append(Write(work, future))
            self._change.notify()
        return await future

    async def close(self) -> None:
        """Write what waits, and nothing more."""
        with self._change:
            self._closing = True
            self._change.notify()
        await asyncio.shield(self._ended)
        self._thread.join()

    # In the thread -----------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while group := self._take():
                self._write_group(group)
                self._tell(resolve, group)
        finally:
            self._connection.close()
            self._tell(settle, self._ended)

    def _take(self) -> list[Write]:
        """What waits; nothing when all is done."""
        with self._change:
            while not self._waiting and not self._closing:
                self._change.wait()
            size = min(len(self._waiting), LARGEST_GROUP)
            return [self._waiting.popleft() for _ in range(size)]

    def _tell(self, what: Callable[[Any], None], whom: object) -> None:
        with suppress(RuntimeError):  # the loop is closed, and nobody listens any more
            self._loop.call_soon_threadsafe(what, whom)

    def _write_group(self, group: list[Write]) -> None:
        """All in one go; where one of them fails, once more and each by itself."""
        if not self._commit(group, self._write_plainly):
            self._commit(group, self._write_one)

    def _commit(self, group: list[Write], write_one: Callable[[Write], None]) -> bool:
        """Write a transaction; False if it was given up because of one write in it."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            for write in group:
                write_one(write)
            self._connection.execute("COMMIT")
        except Spoilt:
            self._roll_back()
            return False
        except Exception as fault:
            for write in group:
                write.fault = lost(fault)
            self._roll_back()
        else:
            self.commits += 1
            self.writes += len(group)
        return True

    def _write_plainly(self, write: Write) -> None:
        try:
            write.result = write.work(self._connection)
        except Exception as fault:
            raise Spoilt from fault

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


def resolve(group: list[Write]) -> None:
    for write in group:
        if write.future.done():
            continue  # its caller was cancelled; it is written all the same
        if write.fault is None:
            write.future.set_result(write.result)
        else:
            write.future.set_exception(write.fault)


def settle(future: "asyncio.Future[None]") -> None:
    if not future.done():
        future.set_result(None)


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
    if getattr(fault, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
        return Busy("another process holds the database")
    return Unwritten(f"this could not be written: {fault}")
