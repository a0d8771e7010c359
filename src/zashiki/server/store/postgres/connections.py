"""The connections of a PostgreSQL store: one that writes, a few that read, one that listens, and
one on which nothing but the server's heart beats."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import asyncpg

from zashiki.server.store.errors import Away, Busy, Unusable
from zashiki.server.store.group_commit import MAX_WAITING, Writing
from zashiki.server.store.postgres.append import Values
from zashiki.server.store.postgres.connecting import (
    Address,
    Connection,
    Link,
    can_be_kept,
    is_gone,
    is_passing,
)
from zashiki.server.store.postgres.migrate import patiently, prepare
from zashiki.server.store.postgres.notify import Ear
from zashiki.server.store.postgres.writer import NO_CHANGES, Changes, Work, Writer
from zashiki.server.store.sql import Columns, Row, numbered

Result = TypeVar("Result")
Look = Callable[[Connection], Awaitable[Result]]
Links = asyncio.LifoQueue[Link]

READERS = 4
PATIENCE = 5.0
"""So many seconds a read waits for its turn."""


class PostgresDatabase(Writing[Writer]):
    """Opens and closes, writes and reads, and knows nothing of what is in the tables."""

    def __init__(self, url: str, most_waiting: int = MAX_WAITING) -> None:
        self._address = Address(url)
        super().__init__(self._address, most_waiting)
        self._ear = Ear(self._address, self._own)
        self._free: Links = asyncio.LifoQueue()
        self._heart: Links = asyncio.LifoQueue()
        self._reads = 0
        self._is_open = False

    # Opening and closing -----------------------------------------------------------------------

    async def open(self) -> None:
        if self._is_open:
            raise Unusable(f"{self._address}: the store is open already")
        self._is_open = True
        try:
            await prepare(self._address)
            await patiently(self._address, self._ear.open)
        except BaseException:
            self._is_open = False
            await self._ear.close()
            raise
        self._free, self._heart = asyncio.LifoQueue(), asyncio.LifoQueue()
        for _ in range(READERS):
            self._free.put_nowait(Link(self._address))
        self._heart.put_nowait(Link(self._address))
        self._writer = Writer(self._address, self._most_waiting)

    async def _end(self, writer: Writer) -> None:
        for _ in range(READERS):
            await (await self._free.get()).close()  # when those who read have put it back
        await (await self._heart.get()).close()
        await writer.close()
        await self._ear.close()
        self._is_open = False

    # Writing -----------------------------------------------------------------------------------

    def _own(self) -> int | None:
        """By which number the database knows what is written here."""
        return None if self._writer is None else self._writer.number

    async def _write(
        self, work: Work[Result], changes: Changes = NO_CHANGES, entry: Values | None = None
    ) -> Result:
        return await self._open_writer().write(work, changes, entry)

    async def _add(self, columns: Columns[Row], row: Row) -> None:
        values = columns.write(row)
        await self._write(lambda pen: pen.execute(numbered(columns.insert), *values))

    # Reading -----------------------------------------------------------------------------------

    async def _read(self, look: Look[Result]) -> Result:
        self._open_writer()
        if self._reads >= self._most_waiting:
            raise Busy(f"{self._most_waiting} reads are waiting already")
        self._reads += 1
        try:
            return await self._ask(self._free, look)
        finally:
            self._reads -= 1

    async def _beat(self, look: Look[Result]) -> Result:
        """However many read, and however long it takes: a heart that stands still is dead."""
        self._open_writer()
        return await self._ask(self._heart, look)

    async def _ask(self, links: Links, look: Look[Result]) -> Result:
        link = await self._free_link(links)
        try:
            return await self._look(link, look)
        finally:
            links.put_nowait(link)

    async def _free_link(self, links: Links) -> Link:
        try:
            async with asyncio.timeout(PATIENCE):
                return await links.get()
        except TimeoutError:
            raise Busy(f"{self._address}: all who read are waiting for the database") from None

    async def _look(self, link: Link, look: Look[Result]) -> Result:
        """Twice, if need be: what is asked may have been lost with its connection."""
        for is_last in (False, True):
            try:
                return await look(await link.connection())
            except Exception as fault:
                if isinstance(fault, asyncpg.PostgresError) and not is_passing(fault):
                    said = f"{self._address}: this could not be read: {fault.args[0]}"
                    raise Unusable(said) from fault
                if not is_passing(fault):
                    raise
                link.drop()
                if is_last:
                    said = f"{self._address}: the database does not answer"
                    raise (Away if is_gone(fault) else Busy)(said) from fault
        raise AssertionError("the last attempt returns or raises")

    async def _fetch(self, statement: str, *values: Any) -> list[asyncpg.Record]:
        """Nothing is found under what cannot be kept."""
        if not all(map(can_be_kept, values)):
            return []
        return await self._read(lambda sql: sql.fetch(numbered(statement), *values))

    async def _rows(self, columns: Columns[Row], rest: str, *values: object) -> list[Row]:
        found = await self._fetch(f"{columns.select} {rest}", *values)
        return [columns.read(list(one)) for one in found]

    async def _row(self, columns: Columns[Row], *key: object) -> Row | None:
        found = await self._fetch(columns.by_key, *key)
        return columns.read(list(found[0])) if found else None
