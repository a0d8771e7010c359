"""The one connection that writes: it takes all writes that wait together into one transaction.

The journal entries of a group, which are most of what is written, are inserted first and with one
statement; the other statements follow write by write. A write that fails does not harm those beside
it: the group is rolled back and done again, each write with a savepoint.

The rows that will be changed are locked first, and always in the same order, so that two servers
never wait for each other.
"""

import asyncio
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import asyncpg

from zashiki.server.store.errors import (
    Away,
    Busy,
    Closed,
    Conflict,
    Missing,
    StoreFault,
    Taken,
    Unanswered,
    Unwritten,
)
from zashiki.server.store.group_commit import Write, resolve
from zashiki.server.store.postgres.append import Place, Values, append
from zashiki.server.store.postgres.connecting import (
    Address,
    Connection,
    Link,
    Pauses,
    can_be_kept,
    is_gone,
    is_passing,
    is_spoilt,
)
from zashiki.server.store.postgres.transaction import Transaction

Result = TypeVar("Result")
Work = Callable[[Transaction], Awaitable[Result]]
Changes = Mapping[str, Collection[str]]
"""By SQL table, the ids of the rows that a write will change."""

LARGEST_GROUP = 500
"""So many writes share a transaction at most: the first does not wait long for the last."""
PATIENCE = 5.0
"""So many seconds a write waits for a database that is away."""
LOCKED = ("players", "tables")
"""In this order."""
LOCK = "SELECT 1 FROM {} WHERE id = ANY($1::text[]) ORDER BY id FOR NO KEY UPDATE"
NO_CHANGES: Changes = {}


async def nothing_else(_: Transaction) -> None:
    """The work of a write that consists of its entry."""


@dataclass
class Planned(Write):
    """A write that names in advance the rows it changes and the entry it appends."""

    changes: Changes = field(kw_only=True)
    entry: Values | None = field(kw_only=True)

    @property
    def place(self) -> Place | None:
        """The primary key of its entry."""
        return None if self.entry is None else (self.entry[0], self.entry[1])


class InDoubt(Exception):
    """It was asked to commit, and there was no answer."""


class Writer:
    """Owns the connection that writes, and closes it."""

    def __init__(self, address: Address, most_waiting: int) -> None:
        self.commits = 0
        self.writes = 0
        self._address = address
        self._link = Link(address)
        self._most_waiting = most_waiting
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[Planned] = deque()
        self._change = asyncio.Event()
        self._closing = False
        self._task = asyncio.create_task(self._run())

    def __len__(self) -> int:
        """How many writes wait."""
        return len(self._waiting)

    @property
    def number(self) -> int | None:
        """By which the database knows the connection that writes."""
        return self._link.number

    async def write(
        self, work: Work[Result], changes: Changes = NO_CHANGES, entry: Values | None = None
    ) -> Result:
        """Append the entry, run the work, commit, and return what the work returned."""
        future = self._loop.create_future()
        write = Planned(work, future, self._loop.time(), changes=changes, entry=entry)
        result: Result = await self._put(write)
        return result

    async def append(self, entry: Values) -> None:
        """Append the entry and commit."""
        await self.write(nothing_else, entry=entry)

    async def close(self) -> None:
        """Write what waits, and nothing more."""
        self._closing = True
        self._change.set()
        await asyncio.shield(self._task)

    async def _put(self, write: Planned) -> Any:
        if self._closing:
            raise Closed("the store is closed")
        if len(self._waiting) >= self._most_waiting:
            raise Busy(f"{self._most_waiting} writes are waiting already")
        self._waiting.append(write)
        self._change.set()
        return await write.future

    # Group by group ----------------------------------------------------------------------------

    async def _run(self) -> None:
        try:
            while group := await self._take():
                await self._write_group(group)
                resolve(group)
        finally:
            await self._link.close()

    async def _take(self) -> list[Planned]:
        """What waits; nothing when all is done."""
        while not self._waiting and not self._closing:
            self._change.clear()
            await self._change.wait()
        size = min(len(self._waiting), LARGEST_GROUP)
        return [self._waiting.popleft() for _ in range(size)]

    async def _write_group(self, group: list[Planned]) -> None:
        """As often as it takes, as long as nothing was written and there is time."""
        end = group[0].since + PATIENCE
        pauses = Pauses()
        is_wary = False
        while True:
            try:
                return await self._transact(group, is_wary)
            except InDoubt as doubt:
                self._link.drop()
                return fail(group, Unanswered, f"{self._address}: no answer to COMMIT: {doubt}")
            except Exception as fault:
                await self._clear(fault)
                if not is_passing(fault):
                    if is_wary:
                        return fail(group, Unwritten, f"this could not be written: {said(fault)}")
                    is_wary = True  # one of them cannot be written: which one is found out
                    continue
                if self._loop.time() > end:
                    kind = Away if is_gone(fault) else Busy
                    return fail(group, kind, f"{self._address}: the database does not answer")
            await pauses.wait()

    async def _clear(self, fault: Exception) -> None:
        """After a transaction that came to nothing: end it, or the connection with it."""
        if is_gone(fault):
            self._link.drop()
            return
        try:
            await (await self._link.connection()).execute("ROLLBACK")
        except Exception:
            self._link.drop()

    async def _transact(self, group: list[Planned], is_wary: bool) -> None:
        connection = await self._link.connection()
        pen = Transaction(connection)
        await connection.execute("BEGIN")
        await lock(pen, group)
        if is_wary:
            for write in group:
                await write_one(pen, write)
        else:
            await write_together(pen, group)
        await pen.send()
        await commit(connection)
        self.commits += 1
        self.writes += len(group)


async def commit(connection: Connection) -> None:
    try:
        status = await connection.execute("COMMIT")
    except Exception as fault:
        raise InDoubt(said(fault)) from fault
    if status != "COMMIT":
        raise InDoubt(status)


async def lock(pen: Transaction, group: list[Planned]) -> None:
    wanted: defaultdict[str, set[str]] = defaultdict(set)
    for write in group:
        for table, ids in write.changes.items():
            wanted[table].update(ids)
    for table in LOCKED:
        ids = list(filter(can_be_kept, wanted[table]))
        if ids:
            await pen.fetch(LOCK.format(table), ids)


async def write_together(pen: Transaction, group: list[Planned]) -> None:
    """Append all entries at once, then run each write's work. A fault ends the transaction."""
    firsts: dict[Place, Planned] = {}
    for write in group:
        if write.place is not None:
            firsts.setdefault(write.place, write)
    entries = [write.entry for write in firsts.values() if write.entry is not None]
    added = await append(pen, entries) if entries else set()
    for write in group:
        write.result, write.fault = None, None
        place = write.place
        if place is None or (place in added and firsts[place] is write):
            write.result = await write.work(pen)
        else:
            write.fault = taken(place)


async def write_one(pen: Transaction, write: Planned) -> None:
    """Do one write in a savepoint, so that its fault is its own."""
    told = dict(pen.told)
    write.result, write.fault = None, None
    await pen.execute("SAVEPOINT one")
    try:
        if (
            write.entry is not None
            and write.place is not None
            and not await append(pen, [write.entry])
        ):
            raise taken(write.place)
        write.result = await write.work(pen)
    except Exception as fault:
        if is_spoilt(fault):
            raise
        await pen.execute("ROLLBACK TO one")
        pen.told = told
        write.fault = understood(fault)
    await pen.execute("RELEASE one")


def taken(place: Place) -> Conflict:
    match, n = place
    return Conflict(f"match {match}: entry {n} is not the next one")


def fail(group: list[Planned], kind: type[StoreFault], text: str) -> None:
    for write in group:
        write.fault = kind(text)


def understood(fault: Exception) -> Exception:
    """What a fault of PostgreSQL means for the one who wrote."""
    match fault:
        case asyncpg.ForeignKeyViolationError():
            return Missing("the row names a player, table or match that is not there")
        case asyncpg.UniqueViolationError(constraint_name="players_login_key"):
            return Taken("another player has this login")
        case asyncpg.UniqueViolationError():
            return Conflict(f"this is taken: {fault.constraint_name}")
        case asyncpg.IntegrityConstraintViolationError() | asyncpg.DataError():
            return ValueError(f"the row does not fit its table: {type(fault).__name__}")
        case asyncpg.PostgresError() if is_passing(fault):
            return Busy("others change the same rows")
        case asyncpg.PostgresError():
            return Unwritten(f"this could not be written: {said(fault)}")
        case _:
            return fault


def said(fault: Exception) -> str:
    """Without the details, in which the values of a row may be."""
    first = str(fault.args[0]) if fault.args else ""
    return f"{type(fault).__name__}: {first}"
