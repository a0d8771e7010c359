"""Group commit for PostgreSQL: all pending writes share one transaction.

The journal entries of a group, which are most of what is written, are inserted first and with one
statement; the other statements follow write by write. A write that fails does not harm those beside
it: the group is rolled back and done again, each write with a savepoint.

Rows that will be changed are locked first and in the same order by all servers, so that no two of
them wait for each other.
"""

import asyncio
from collections import defaultdict, deque
from dataclasses import dataclass, field
from typing import Any

import asyncpg

from zashiki.server.store.errors import (
    Away,
    Busy,
    Closed,
    CommitUnanswered,
    Conflict,
    MaybeWritten,
    Missing,
    StoreFault,
    Taken,
)
from zashiki.server.store.group_commit import Done, Write, future_outcome, resolve
from zashiki.server.store.postgres.append import EntryKey, append, key_of
from zashiki.server.store.postgres.driver import (
    Backoff,
    Connection,
    DatabaseUrl,
    ReconnectingConnection,
    breaks_transaction,
    can_store,
    is_connection_lost,
    is_transient,
)
from zashiki.server.store.postgres.transaction import PostgresTransaction
from zashiki.server.store.writes import NO_CHANGES, Changes, Result, Transaction, Values, Work

MAX_GROUP_SIZE = 500
"""Writes per transaction. More would delay the first one."""
WRITE_TIMEOUT_SECONDS = 5.0
"""Seconds for which a write waits for a database that does not answer."""
LOCKED = ("players", "tables")
"""The tables whose rows are locked, in this order."""
LOCK = "SELECT 1 FROM {} WHERE id = ANY($1::text[]) ORDER BY id FOR NO KEY UPDATE"


async def nothing_else(_: Transaction) -> None:
    """The work of a write that consists of its entry."""


@dataclass
class PlannedWrite(Write):
    """A write that names in advance the rows it changes and the entry it appends."""

    changes: Changes = field(kw_only=True)
    entry: Values | None = field(kw_only=True)


class Writer:
    """The queue of pending writes, and the connection that writes them."""

    def __init__(self, url: DatabaseUrl, max_waiting: int) -> None:
        self.commits = 0
        self.writes = 0
        self._url = url
        self._connection = ReconnectingConnection(url)
        self._max_waiting = max_waiting
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[PlannedWrite] = deque()
        self._change = asyncio.Event()
        self._closing = False
        self._task = asyncio.create_task(self._run())

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def pid(self) -> int | None:
        """The process id of the writing connection in the database."""
        return self._connection.pid

    def begin(
        self,
        work: Work[Any],
        done: Done,
        changes: Changes = NO_CHANGES,
        entry: Values | None = None,
    ) -> None:
        """Append the entry and run the work. `done` is called after the commit."""
        if self._closing:
            raise Closed("the store is closed")
        if len(self._waiting) >= self._max_waiting:
            raise Busy(f"{self._max_waiting} writes are waiting already")
        now = self._loop.time()
        self._waiting.append(PlannedWrite(work, done, now, changes=changes, entry=entry))
        self._change.set()

    async def write(
        self, work: Work[Result], changes: Changes = NO_CHANGES, entry: Values | None = None
    ) -> Result:
        """Append the entry, run the work, commit, and return what the work returned."""
        future, done = future_outcome()
        self.begin(work, done, changes, entry)
        result: Result = await future
        return result

    async def close(self) -> None:
        """Finish pending writes and refuse new ones."""
        self._closing = True
        self._change.set()
        await asyncio.shield(self._task)

    # Group by group ----------------------------------------------------------------------------

    async def _run(self) -> None:
        try:
            while group := await self._take():
                await self._write_group(group)
                resolve(group)
        finally:
            await self._connection.close()

    async def _take(self) -> list[PlannedWrite]:
        """Wait for pending writes and return them; none when the writer is closed."""
        while not self._waiting and not self._closing:
            self._change.clear()
            await self._change.wait()
        size = min(len(self._waiting), MAX_GROUP_SIZE)
        return [self._waiting.popleft() for _ in range(size)]

    async def _write_group(self, group: list[PlannedWrite]) -> None:
        """Write a group, repeatedly after transient faults until a timeout."""
        end = group[0].since + WRITE_TIMEOUT_SECONDS
        backoff = Backoff()
        has_savepoints = False
        while True:
            try:
                return await self._transact(group, has_savepoints)
            except CommitUnanswered as fault:
                self._connection.drop()
                return fail(group, CommitUnanswered, f"{self._url}: no answer to COMMIT: {fault}")
            except Exception as fault:
                await self._roll_back(fault)
                if not is_transient(fault):
                    if has_savepoints:
                        text = f"this could not be written: {described(fault)}"
                        return fail(group, MaybeWritten, text)
                    has_savepoints = True  # find out which write fails
                    continue
                if self._loop.time() > end:
                    kind = Away if is_connection_lost(fault) else Busy
                    return fail(group, kind, f"{self._url}: the database does not answer")
            await backoff.wait()

    async def _roll_back(self, fault: Exception) -> None:
        """End a failed transaction, or its connection if that is lost."""
        if is_connection_lost(fault):
            self._connection.drop()
            return
        try:
            await (await self._connection.connection()).execute("ROLLBACK")
        except Exception:
            self._connection.drop()

    async def _transact(self, group: list[PlannedWrite], has_savepoints: bool) -> None:
        connection = await self._connection.connection()
        tx = PostgresTransaction(connection)
        await connection.execute("BEGIN")
        await lock(tx, group)
        if has_savepoints:
            for write in group:
                await write_one(tx, write)
        else:
            await write_together(tx, group)
        await tx.send_notices()
        await commit(connection)
        self.commits += 1
        self.writes += len(group)


async def commit(connection: Connection) -> None:
    """Commit; `CommitUnanswered` if nobody knows whether that was done."""
    try:
        status = await connection.execute("COMMIT")
    except Exception as fault:
        raise CommitUnanswered(described(fault)) from fault
    if status != "COMMIT":
        raise CommitUnanswered(status)


async def lock(tx: PostgresTransaction, group: list[PlannedWrite]) -> None:
    """Lock the rows that a group changes."""
    wanted: defaultdict[str, set[str]] = defaultdict(set)
    for write in group:
        for table, ids in write.changes.items():
            wanted[table].update(ids)
    for table in LOCKED:
        ids = list(filter(can_store, wanted[table]))
        if ids:
            await tx.fetch(LOCK.format(table), ids)


async def write_together(tx: PostgresTransaction, group: list[PlannedWrite]) -> None:
    """Append all entries at once, then run each write's work. A fault ends the transaction."""
    firsts: dict[EntryKey, Values] = {}
    for write in group:
        if write.entry is not None:
            firsts.setdefault(key_of(write.entry), write.entry)
    added = await append(tx, firsts.values()) if firsts else set()
    for write in group:
        write.result, write.fault = None, None
        entry = write.entry
        if entry is None or (key_of(entry) in added and firsts[key_of(entry)] is entry):
            write.result = await write.work(tx)
        else:
            write.fault = taken(entry)


async def write_one(tx: PostgresTransaction, write: PlannedWrite) -> None:
    """Do one write in a savepoint, so that its fault is its own."""
    pending = dict(tx.pending)
    write.result, write.fault = None, None
    await tx.execute("SAVEPOINT one")
    try:
        if write.entry is not None and not await append(tx, [write.entry]):
            raise taken(write.entry)
        write.result = await write.work(tx)
    except Exception as fault:
        if breaks_transaction(fault):
            raise
        await tx.execute("ROLLBACK TO one")
        tx.pending = pending
        write.fault = fault_of_write(fault)
    await tx.execute("RELEASE one")


def taken(entry: Values) -> Conflict:
    """Return the fault of an entry that was not inserted."""
    match, n = key_of(entry)
    return Conflict(f"match {match}: entry {n} is not the next one")


def fail(group: list[PlannedWrite], kind: type[StoreFault], text: str) -> None:
    """Set the same fault for all writes of a group."""
    for write in group:
        write.fault = kind(text)


def fault_of_write(fault: Exception) -> Exception:
    """Convert a fault of PostgreSQL for the caller of a write."""
    match fault:
        case asyncpg.ForeignKeyViolationError():
            return Missing("the row names a player, table or match that is not there")
        case asyncpg.UniqueViolationError(constraint_name="players_login_key"):
            return Taken("another player has this login")
        case asyncpg.UniqueViolationError():
            return Conflict(f"this is taken: {fault.constraint_name}")
        case asyncpg.IntegrityConstraintViolationError() | asyncpg.DataError():
            return ValueError(f"the row does not fit its table: {type(fault).__name__}")
        case asyncpg.PostgresError() if is_transient(fault):
            return Busy("others change the same rows")
        case asyncpg.PostgresError():
            return MaybeWritten(f"this could not be written: {described(fault)}")
        case _:
            return fault


def described(fault: Exception) -> str:
    """Describe a fault without details, which may contain values of a row."""
    first = str(fault.args[0]) if fault.args else ""
    return f"{type(fault).__name__}: {first}"
