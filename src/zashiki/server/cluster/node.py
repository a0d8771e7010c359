"""This server among others that share its store: what they write is taken over here, and who is
here is told to them.

A notice says that something has a higher number now, and never what it is. Whoever has a room in
memory with a lower one reads the rest. One that was missed does no harm: numbers are compared now
and then, and whenever the line to the store was cut.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from itertools import count

from zashiki.server.ops.logs import log
from zashiki.server.store.coordination import Coordination, LatestVersions, Notice
from zashiki.server.store.errors import Away, Busy, StoreFault
from zashiki.server.tables import chat, recovery
from zashiki.server.tables.connection import SIGNED_OUT
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.registry import TableRegistry

BEAT = 1.0
"""Seconds between two signs of life."""
COMPARE = 10
"""After so many of them all that is in memory is compared with the store."""
LASTING = ("all", "lost", "player", "here", "chat", "row")
"""What has to be done, however often the store cannot be reached: with the first of these all that
is in memory is compared."""


class ClusterNode:
    """Keeps a hall as others see it, and others informed about the hall."""

    def __init__(self, registry: TableRegistry, coordination: Coordination, name: str) -> None:
        self.registry = registry
        self.coordination = coordination
        self.name = name
        self.on_lost: Callable[[], Awaitable[None]] | None = None
        """Who is told that another server has died, so that somebody has to do what it did."""
        self._untold: set[tuple[str, str]] = set()
        """The tables and players of which others have to be told whether they are there."""
        self._telling: set[tuple[str, str]] = set()
        """Those of which they are being told."""
        self._unseen: set[str] = set()
        """The tables of which it has to be read who is there by way of others."""
        self._is_cut = False
        """Has the last sign of life failed? Then others may have been struck off with it, and
        whoever they were is not known."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._looking: dict[tuple[str, str], bool] = {}
        """What is being looked at, by what it is, and whether it has to be looked at once more."""
        registry.on_here = self.tell_presence
        registry.elsewhere = self.elsewhere
        registry.refresh = self.refresh
        coordination.listen(self.heard)

    # What others write -------------------------------------------------------------------------

    def heard(self, notices: Sequence[Notice] | None) -> None:
        """What others have written."""
        if notices is None:
            self._look("all", self.name)
            return
        for notice in notices:
            if notice.kind == "match":
                table = self.registry.matches.get(notice.id)
                if table is not None and (table.live is None or notice.n > table.live.done):
                    self._look("room", table.row.id)
            elif notice.kind == "player":
                self._look("player", notice.id)
            else:
                self._hear_of_table(notice)

    def _hear_of_table(self, notice: Notice) -> None:
        table = self.registry.tables.get(notice.id)
        if notice.kind == "table":
            if table is None:
                self._look("row", notice.id)
            elif notice.n > table.row.version:
                self._look("room", notice.id)
        elif table is not None:
            if notice.kind == "here":
                self._look_elsewhere([notice.id])
            elif notice.n > table.chat:
                self._look("chat", notice.id)

    def _look(self, what: str, id: str) -> None:
        """Do it soon, and once for all that asks for it until then."""
        key = what, id
        if key in self._looking:
            self._looking[key] = True
        else:
            self._looking[key] = False
            self._begin(self._look_until_seen(what, id))

    async def _look_until_seen(self, what: str, id: str) -> None:
        key = what, id
        try:
            while True:
                self._looking[key] = False
                await self._read(what, id)
                if not self._looking[key]:
                    return
        except StoreFault:
            if what in LASTING:
                self._later(what, id)
        except Exception as fault:
            log(logging.ERROR, "broken", fault, table=id)
        finally:
            del self._looking[key]

    def _look_elsewhere(self, tables: Iterable[str]) -> None:
        """A server that dies may leave many: they are read in one go."""
        self._unseen.update(tables)
        self._look("here", self.name)

    def _later(self, what: str, id: str) -> None:
        """What the store cannot be asked now, and nobody will ask for again."""
        asyncio.get_running_loop().call_later(BEAT, self._look, what, id)

    async def _read(self, what: str, id: str) -> None:
        table = self.registry.tables.get(id)
        if what == "all":
            await self.say_again()
        elif what == "numbers":
            await self.compare()
        elif what == "lost":
            await self._on_node_lost()
        elif what == "untold":
            for table_id, player in list(self._untold):
                await self._tell(table_id, player)
        elif what == "here":
            await self._read_elsewhere()
        elif what == "player":
            await self._read_player(id)
        elif what == "row":
            row = await self.registry.store.table(id)
            if row is not None:
                self.registry.noticed(row)
        elif table is None:
            return
        elif what == "room":
            await recovery.catch_up(table)
        else:
            await chat.catch_up(table)

    async def _read_elsewhere(self) -> None:
        """Who is there by way of others, at all tables of which that is to be read."""
        tables, self._unseen = self._unseen, set()
        try:
            there = await self.coordination.present_on_other_nodes(self.name, tables)
        except BaseException:
            self._unseen |= tables
            raise
        for table_id in tables:
            table = self.registry.tables.get(table_id)
            if table is None:
                continue
            try:
                table.set_present_on_other_nodes(there.get(table_id, set()))
            except Exception as fault:  # one broken table stops no other
                log(logging.ERROR, "broken", fault, table=table_id)

    async def _read_player(self, id: str) -> None:
        """Somebody has another name, mutes others, or their sessions have ended."""
        row, muted = await self.registry.store.player(id), await self.registry.store.muted(id)
        if row is None:
            return
        for table in list(self.registry.tables.values()):
            chat.rename(table, id, row.name)
            for connection in table.sockets | table.subscribers:
                if connection.player != id:
                    continue
                connection.muted = muted
                if row.deleted or connection.epoch != row.epoch:
                    connection.close(SIGNED_OUT)

    async def refresh(self, table: LiveTable) -> None:
        """A room to which somebody comes stands where the store does."""
        heads = await self._heads([table])
        if is_behind(table, heads):
            await recovery.catch_up(table)
        if has_missed_lines(table, heads):
            await chat.catch_up(table)

    async def compare(self) -> None:
        """Whatever is behind catches up."""
        tables = list(self.registry.tables.values())
        heads = await self._heads(tables)
        for table in tables:
            if table.needs_reload or is_behind(table, heads):
                self._look("room", table.row.id)
            if has_missed_lines(table, heads):
                self._look("chat", table.row.id)
        self._look_elsewhere(self.registry.tables)

    async def _heads(self, tables: Sequence[LiveTable]) -> LatestVersions:
        matches = [table.row.match for table in tables if table.row.match is not None]
        return await self.coordination.latest_versions(matches, [table.row.id for table in tables])

    # What others are told ----------------------------------------------------------------------

    async def elsewhere(self, table: LiveTable) -> set[str]:
        there = await self.coordination.present_on_other_nodes(self.name, [table.row.id])
        return there.get(table.row.id, set())

    def tell_presence(self, table: LiveTable, player: str, _: bool) -> None:
        """Somebody comes or goes."""
        self._begin(self._tell_soon(table.row.id, player))

    async def _tell_soon(self, table: str, player: str) -> None:
        with suppress(StoreFault):  # then it is told after the next beat
            await self._tell(table, player)

    async def _tell(self, table_id: str, player: str) -> None:
        """Others are told what is so when they are told, and again if it is not so any more."""
        key = table_id, player
        self._untold.add(key)
        if key in self._telling:
            return
        self._telling.add(key)
        try:
            while key in self._untold:
                self._untold.discard(key)
                table = self.registry.tables.get(table_id)
                is_here = table is not None and table.is_connected_here(player)
                await (self.coordination.set_present if is_here else self.coordination.set_absent)(
                    self.name, table_id, player
                )
        except BaseException:
            self._untold.add(key)
            raise
        finally:
            self._telling.discard(key)

    async def say_again(self) -> None:
        """The line to the store was cut, and perhaps it knows nothing of us any more."""
        await self.beat()
        for table in list(self.registry.tables.values()):
            for player in {
                connection.player for connection in table.subscribers if connection.is_here
            }:
                await self._tell(table.row.id, player)
        for table in self.registry.tables.values():
            for connection in table.sockets:
                self._look("player", connection.player)
        await self.compare()
        await self.registry.look_again()

    async def beat(self) -> bool:
        """Show that this server lives, and see who does not. Has it to say again what it holds?"""
        try:
            gone = await self.coordination.heartbeat(self.name)
        except BaseException:
            self._is_cut = True
            raise
        was_cut, self._is_cut = self._is_cut, False
        for name, has_left in gone.items():
            if name != self.name and not has_left:
                log(logging.WARNING, "server-lost", server=name)
        if was_cut or gone:
            self._look("lost", self.name)
        return was_cut or self.name in gone  # they thought that this one was dead

    async def live(self) -> None:
        """Beat, for ever. Nothing that takes long is done here: a heart that stands still for a
        while is dead to others."""
        for beats in count(1):
            await asyncio.sleep(BEAT)
            try:
                is_to_say_again = await self.beat()
            except StoreFault as fault:
                self._suffer(fault)
                continue
            except Exception as fault:  # it beats again soon
                log(logging.ERROR, "broken", fault)
                continue
            self.registry.context.outage.over()
            if is_to_say_again:
                self._look("all", self.name)
            elif beats % COMPARE == 0:
                self._look("numbers", self.name)
            if self._untold:
                self._look("untold", self.name)

    def _suffer(self, fault: StoreFault) -> None:
        """The database does not even take a sign of life."""
        if isinstance(fault, Away) or not isinstance(fault, Busy):
            self.registry.context.outage.met(fault)

    async def _on_node_lost(self) -> None:
        """Others are gone: nobody is there by way of them, and what they did is to be done."""
        self._look_elsewhere(self.registry.tables)
        await self.registry.resume()
        if self.on_lost is not None:
            await self.on_lost()

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        try:
            await self.coordination.leave(self.name)
        except StoreFault:
            return  # its heart has stopped, which others see


def is_behind(table: LiveTable, heads: LatestVersions) -> bool:
    """Has another server played, or changed the table?"""
    done = 0 if table.live is None else table.live.done
    entry, version = (
        heads.entries.get(table.row.match or "", 0),
        heads.versions.get(table.row.id, 0),
    )
    return entry > done or version > table.row.version


def has_missed_lines(table: LiveTable, heads: LatestVersions) -> bool:
    return heads.lines.get(table.row.id, 0) > table.chat
