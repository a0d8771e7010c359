"""This server as one node among others that share its store.

Other nodes send a notice when they write. A notice says that something has a higher version now,
and never what it is. A node with an older version in memory reads the rest from the store. A
missed notice does no harm: versions are compared regularly, and after every lost connection to
the store. In return this node publishes which players are connected to it.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from itertools import count, islice

from zashiki.server.ops.logs import log
from zashiki.server.store.coordination import Attendance, Coordination, Notice
from zashiki.server.store.errors import Away, Busy, StoreFault
from zashiki.server.tables import commands as on
from zashiki.server.tables import recovery
from zashiki.server.tables.handler import handle
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.observer import TableObserver
from zashiki.server.tables.registry import TableRegistry

HEARTBEAT_SECONDS = 1.0
"""Interval between heartbeats."""
MAX_PUBLISHED = 1000
"""Presences that one query publishes."""
HEARTBEATS_PER_COMPARISON = 10
"""Number of heartbeats after which all tables in memory are compared with the store."""

Sync = Callable[..., Awaitable[None]]
"""A method that brings something up to date with the store, by its id."""


class ClusterNode(TableObserver[LiveTable]):
    """Follows what other nodes write, and publishes who is connected here."""

    def __init__(
        self,
        registry: TableRegistry,
        coordination: Coordination,
        name: str,
        take_over: Callable[[], Awaitable[None]],
        enforce: Callable[[str], Awaitable[None]],
    ) -> None:
        self.registry = registry
        self.coordination = coordination
        self.name = name
        self._take_over = take_over
        """Called when another node has died, so that its work continues here."""
        self._enforce = enforce
        """Called with a player whom another node may have muted or banned."""
        self._unpublished: set[Attendance] = set()
        """Tables and players whose presence has to be published."""
        self._publishing = asyncio.Lock()
        """Keeps the changes of one player's presence in order."""
        self._stale_presence: set[str] = set()
        """Tables whose presence on other nodes has to be read."""
        self._has_missed_heartbeat = False
        """True if the last heartbeat failed, so that it is unknown which nodes were declared
        dead."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._scheduled: dict[tuple[Sync, tuple[str, ...]], bool] = {}
        """Work that is scheduled or running, and whether it has to run once more."""
        self._repeating: set[Sync] = {self.compare, self._publish_all, self._sync_table}
        """Work that is not retried after a failure, because later heartbeats schedule it again."""
        registry.observe(self)
        coordination.listen(self.on_notices)

    # Following other nodes ---------------------------------------------------------------------

    def on_notices(self, notices: Sequence[Notice] | None) -> None:
        """Schedule reading what other nodes have written. None means that notices were missed."""
        if notices is None:
            self._schedule(self.announce_all)
            return
        for notice in notices:
            if notice.kind == "match":
                table = self.registry.matches.get(notice.id)
                if table is not None and (table.live is None or notice.n > table.live.done):
                    self._schedule(self._sync_table, table.row.id)
            elif notice.kind == "player":
                self._schedule(self._sync_player, notice.id)
            else:
                self._on_table_notice(notice)

    def _on_table_notice(self, notice: Notice) -> None:
        table = self.registry.tables.get(notice.id)
        if notice.kind == "table":
            if table is None:
                self._schedule(self._sync_row, notice.id)
            elif notice.n > table.row.version:
                self._schedule(self._sync_table, notice.id)
        elif table is not None:
            if notice.kind == "here":
                self._schedule_presence([notice.id])
            elif notice.n > table.chat_number:
                self._schedule(self._sync_chat, notice.id)

    def _schedule(self, sync: Sync, *ids: str) -> None:
        """Run `sync` soon. Requests that arrive while it runs make it run once more."""
        key = sync, ids
        if key in self._scheduled:
            self._scheduled[key] = True
        else:
            self._scheduled[key] = False
            self._start(self._run_scheduled(sync, *ids))

    async def _run_scheduled(self, sync: Sync, *ids: str) -> None:
        key = sync, ids
        try:
            while True:
                self._scheduled[key] = False
                await sync(*ids)
                if not self._scheduled[key]:
                    return
        except StoreFault:
            if sync not in self._repeating:
                loop = asyncio.get_running_loop()
                loop.call_later(HEARTBEAT_SECONDS, self._schedule, sync, *ids)
        except Exception as fault:
            log(logging.ERROR, "broken", fault, table=ids[0] if ids else self.name)
        finally:
            del self._scheduled[key]

    def _schedule_presence(self, tables: Iterable[str]) -> None:
        """Schedule one read for all these tables: a dying node may leave many of them."""
        self._stale_presence.update(tables)
        self._schedule(self._sync_presence)

    async def _sync_table(self, id: str) -> None:
        if (table := self.registry.tables.get(id)) is not None:
            await handle(table, on.CatchUp())

    async def _sync_chat(self, id: str) -> None:
        if (table := self.registry.tables.get(id)) is not None:
            await handle(table, on.CatchUpChat())

    async def _sync_row(self, id: str) -> None:
        """Read a table that is not in memory, for the lobby and for quotas."""
        if (row := await self.registry.store.table(id)) is not None:
            self.registry.note_row(row)

    async def _sync_presence(self) -> None:
        """Read who is connected to other nodes, for all tables in `_stale_presence`."""
        tables, self._stale_presence = self._stale_presence, set()
        try:
            present = await self.coordination.present_on_other_nodes(self.name, tables)
        except BaseException:
            self._stale_presence |= tables
            raise
        for table_id in tables:
            table = self.registry.tables.get(table_id)
            if table is None:
                continue
            try:
                table.set_present_on_other_nodes(present.get(table_id, set()))
            except Exception as fault:  # one broken table must not stop the others
                log(logging.ERROR, "broken", fault, table=table_id)

    async def _sync_player(self, id: str) -> None:
        """Take over a player's name and muted players, and close connections of ended sessions."""
        row, muted = await self.registry.store.player(id), await self.registry.store.muted(id)
        if row is None:
            return
        for table in self.registry.tables.values():
            table.rename_in_chat(id, row.name)
        for connection in self.registry.connections():
            if connection.player == id:
                connection.muted = muted
        self.registry.close_connections(id, None if row.deleted else row.epoch)
        await self._enforce(id)

    async def compare(self) -> None:
        """Compare all tables in memory with the store, and schedule reading what is missing."""
        tables = list(self.registry.tables.values())
        latest = await recovery.latest_versions(self.coordination, tables)
        for table in tables:
            if table.needs_reload or recovery.is_behind(table, latest):
                self._schedule(self._sync_table, table.row.id)
            if recovery.has_missed_chat(table, latest):
                self._schedule(self._sync_chat, table.row.id)
        self._schedule_presence(self.registry.tables)

    # Publishing presence -----------------------------------------------------------------------

    def on_presence_changed(self, table: LiveTable, player: str) -> None:
        """Publish that a player has connected to a table or left it."""
        self._unpublished.add((table.row.id, player))
        self._schedule(self._publish_all)

    async def _publish_all(self) -> None:
        """Publish presence in few queries, however many connections have ended at once.

        A change meanwhile is published again. After a fault, the next heartbeat tries again.
        """
        async with self._publishing:
            while self._unpublished:
                await self._publish(set(islice(self._unpublished, MAX_PUBLISHED)))

    async def _publish(self, attendances: set[Attendance]) -> None:
        self._unpublished -= attendances
        here = {one for one in attendances if self._is_here(*one)}
        try:
            if here:
                await self.coordination.set_present(self.name, here)
            if attendances - here:
                await self.coordination.set_absent(self.name, attendances - here)
        except BaseException:
            self._unpublished |= attendances
            raise

    def _is_here(self, table_id: str, player: str) -> bool:
        table = self.registry.tables.get(table_id)
        return table is not None and table.is_connected_here(player)

    async def announce_all(self) -> None:
        """Publish everything again and compare everything: the store may have forgotten us."""
        await self.heartbeat()
        for table in self.registry.tables.values():
            here = [connection for connection in table.subscribers if connection.is_here]
            self._unpublished.update((table.row.id, connection.player) for connection in here)
        await self._publish_all()
        for table in self.registry.tables.values():
            for connection in table.sockets:
                self._schedule(self._sync_player, connection.player)
        await self.compare()
        await self.registry.read_all_rows()

    # Heartbeats --------------------------------------------------------------------------------

    async def heartbeat(self) -> bool:
        """Report that this node lives, and learn which nodes have died.

        Return True if other nodes may have taken this one for dead: it must announce everything.
        """
        try:
            gone = await self.coordination.heartbeat(self.name)
        except BaseException:
            self._has_missed_heartbeat = True
            raise
        had_missed, self._has_missed_heartbeat = self._has_missed_heartbeat, False
        for name, has_left in gone.items():
            if name != self.name and not has_left:
                log(logging.WARNING, "server-lost", server=name)
        if had_missed or gone:
            self._schedule(self._on_node_lost)
        return had_missed or self.name in gone

    async def run(self) -> None:
        """Send heartbeats until cancelled.

        Slow work is scheduled, never awaited here: other nodes take a late heartbeat for a death.
        """
        for number in count(1):
            await asyncio.sleep(HEARTBEAT_SECONDS)
            try:
                must_announce = await self.heartbeat()
            except StoreFault as fault:
                if isinstance(fault, Away) or not isinstance(fault, Busy):
                    self.registry.context.outage.record(fault)
                continue
            except Exception as fault:  # the next heartbeat comes soon
                log(logging.ERROR, "broken", fault)
                continue
            self.registry.context.outage.end()
            if must_announce:
                self._schedule(self.announce_all)
            elif number % HEARTBEATS_PER_COMPARISON == 0:
                self._schedule(self.compare)
            if self._unpublished:
                self._schedule(self._publish_all)

    async def _on_node_lost(self) -> None:
        """Forget who was connected to dead nodes, and take over their work."""
        self._schedule_presence(self.registry.tables)
        await self.registry.resume()
        await self._take_over()

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Stop all work, and tell other nodes that this one leaves."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        try:
            await self.coordination.leave(self.name)
        except StoreFault:
            return  # other nodes notice that its heartbeats have stopped
