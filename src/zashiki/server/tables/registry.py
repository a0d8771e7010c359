"""All tables of a server: add, find, drop from memory; and all connections to them."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Set
from contextlib import ExitStack, suppress
from functools import partial
from weakref import WeakValueDictionary

import msgspec
from msgspec.structs import replace

from zashiki.server.errors import ApiError
from zashiki.server.ops.logs import log
from zashiki.server.ops.together import Together
from zashiki.server.protocol import frames
from zashiki.server.settings import Settings
from zashiki.server.store.errors import StoreFault
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import TableRow
from zashiki.server.system import System
from zashiki.server.tables import commands as on
from zashiki.server.tables import recovery
from zashiki.server.tables.connection import SIGNED_OUT, STOPPING, Connection
from zashiki.server.tables.dealing import NonceTimer
from zashiki.server.tables.handler import handle
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.lobby import EvictedTable, Lobby, evicted_table
from zashiki.server.tables.memory import MemoryBudget
from zashiki.server.tables.model import TableDoc, is_slow
from zashiki.server.tables.observer import TableObserver
from zashiki.server.tables.presence import GIVE_UP_SECONDS
from zashiki.server.tables.quotas import NOT_ENDED, PlayerTableIndex
from zashiki.server.tables.state import TableContext

ALL = 1_000_000_000
MAX_LOADING = 8
"""Tables that are loaded at the same time: until they are counted, nothing bounds their memory."""
MAX_EVICTED = 10_000
"""Tables of which lists know more than the row says, though they are not in memory."""


class TableRegistry(TableObserver[LiveTable]):
    """The tables in memory by id, and the way to those that are only on disk."""

    def __init__(
        self,
        store: Store,
        system: System,
        node: str = "",
        memory: int = 10**6 * Settings.match_memory,
    ) -> None:
        self.store = store
        self.system = system
        self.node = node
        """The name of this server, for others that share the store."""
        self.tables: dict[str, LiveTable] = {}
        self.matches: dict[str, LiveTable] = {}
        """The same tables by the match that is or was played there."""
        self.nonce_timer = NonceTimer(handle)
        self.memory = MemoryBudget(memory, self._evict)
        observers: list[TableObserver[LiveTable]] = [self, self.nonce_timer]
        self.context = TableContext(
            store, system, observers, started=system.monotonic(), check_memory=self.memory.check
        )
        self.is_leaving = False
        """The server will stop soon. Proxies are told, and nothing else differs."""
        self.is_draining = False
        """The server is stopping: no table is opened."""
        self.quotas = PlayerTableIndex()
        self.due: dict[str, float] = {}
        """When time runs out at tables that are not in memory."""
        self.evicted: OrderedDict[str, EvictedTable] = OrderedDict()
        """Tables whose match was dropped from memory, by id."""
        self.waiting_for_bots: dict[str, None] = {}
        """Tables of bots alone that wait until other such tables have ended."""
        self.lobby = Lobby(store, self.tables, self.evicted, self.quotas)
        shared = store.coordination
        self._versions = (
            None if shared is None else Together(partial(recovery.latest_versions, shared))
        )
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._loading = asyncio.Semaphore(MAX_LOADING)
        self._known: WeakValueDictionary[str, LiveTable] = WeakValueDictionary()
        """All tables that somebody refers to, dropped ones included: there is one of each."""

    def observe(self, observer: TableObserver[LiveTable]) -> None:
        """Tell an observer of everything that happens at tables."""
        self.context.observers.append(observer)

    async def resume(self) -> None:
        """Read who sits where, and at which tables time may have run out meanwhile."""
        rows = await self.store.tables(NOT_ENDED, None, ALL)
        self.quotas.read(rows)
        slow = [row for row in rows if row.state == "playing" and is_slow(row)]
        self.due = {row.id: self.system.now() for row in slow}
        for row in rows:
            self._note_due(row)

    # Adding ------------------------------------------------------------------------------------

    def check_stays(self) -> None:
        """Refuse to open a table at a server that is stopping."""
        if self.is_draining:
            text = "this server is about to stop: try again in a moment"
            raise ApiError(503, "stopping", text, {"retry_after": 1})

    async def add(
        self, doc: TableDoc, host: str, public: bool, address: str | None = None
    ) -> LiveTable:
        """Write a new table, unless its host or the address has too many."""
        id = self.system.id()
        with ExitStack() as counted:
            counted.enter_context(self.quotas.coming(host, id, hosts=True))
            if public and address is not None:
                counted.enter_context(self.quotas.listing(address, id, self.system.now()))
            table = await self._write(id, doc, host, public)
        log(logging.INFO, "opened", table=id, player=host)
        return table

    async def _write(self, id: str, doc: TableDoc, host: str, public: bool) -> LiveTable:
        row = TableRow(
            id=id,
            host=host,
            state="open",
            public=public,
            doc=msgspec.to_builtins(doc),
            version=1,
            updated=doc.created,
        )
        await self.store.add_table(row)
        table = LiveTable(row, self.context)
        self._keep(table)
        await handle(table, on.RemoveDeletedPlayers())
        self.on_shown(table)
        if table.row.state == "closed":
            raise ApiError(401, "signed-out", "this session has ended: sign in again")
        return table

    # Finding -----------------------------------------------------------------------------------

    async def find(self, id: str) -> LiveTable:
        """Return a table by its id, from memory or from disk."""
        table = self.tables.get(id)
        if table is None:
            table = await self._load(id)
        await self.refresh(table)
        self._keep(table)
        table.visit()
        return table

    async def row(self, id: str) -> TableRow:
        """Return a table as it is stored."""
        row = await self.store.table(id)
        if row is None:
            raise ApiError(404, "no-table", "there is no such table")
        return row

    async def _load(self, id: str) -> LiveTable:
        async with self.lock(id), self._loading:
            table = self._known.get(id)
            if table is None:
                table = await self._read(id)
            self._keep(table)
            return table

    async def _read(self, id: str) -> LiveTable:
        """Return a table as it is on disk."""
        table = LiveTable(await self.row(id), self.context)
        self.memory.check(table.doc)
        table.set_present_on_other_nodes(await self._present_elsewhere(id))
        await recovery.load(table)
        self._keep(table)
        for observer in self.context.observers:
            observer.on_row_changed(table)
        table.set_present_on_other_nodes(await self._present_elsewhere(id))
        if table.is_playing():
            log(logging.INFO, "resumed", table=id, match=table.row.match)
        return table

    def _keep(self, table: LiveTable) -> None:
        """Keep a table in memory. One that was dropped while somebody referred to it comes back."""
        id = table.row.id
        if id in self.tables:
            self.memory.touch(id)
            return
        self.tables[id] = self._known[id] = table
        if table.row.match is not None:
            self.matches[table.row.match] = table
        self.due.pop(id, None)
        self.evicted.pop(id, None)
        self.lobby.forget(id)
        self.memory.count(table)
        self.memory.make_room()
        table.reschedule()

    def lock(self, name: str) -> asyncio.Lock:
        """Return the lock of this name, which exists while somebody holds it."""
        return self._locks.setdefault(name, asyncio.Lock())

    async def _present_elsewhere(self, id: str) -> Set[str]:
        """Return the players who are at a table by way of another server."""
        if self.store.coordination is None:
            return frozenset()
        there = await self.store.coordination.present_on_other_nodes(self.node, [id])
        return there.get(id, set())

    async def refresh(self, table: LiveTable) -> None:
        """Let a table catch up with what other servers wrote, if there may be any."""
        if self._versions is None:
            return
        latest = await self._versions(table)
        if recovery.is_behind(table, latest):
            await handle(table, on.CatchUp())
        if recovery.has_missed_chat(table, latest):
            await handle(table, on.CatchUpChat())

    # Changes of tables -------------------------------------------------------------------------

    def on_row_changed(self, table: LiveTable) -> None:
        """Count the table, and find it by its match from now on."""
        if self._known.get(table.row.id) is not table:
            return  # it is being read
        self._keep(table)
        self.memory.count(table)
        if table.row.match is not None:
            self.matches[table.row.match] = table

    def on_shown(self, table: LiveTable) -> None:
        """Tell the lobby."""
        self.note_row(table.row)

    def note_row(self, row: TableRow) -> None:
        """Take a table that changed here or at another server, and tell the lobby."""
        self.quotas.note(row)
        self._note_due(row)
        if row.id in self.evicted and self.evicted[row.id].version < row.version:
            del self.evicted[row.id]  # another server has changed it
        self.lobby.show(row)

    def _note_due(self, row: TableRow) -> None:
        """Schedule a check of a match for players who are gone, whichever server plays it now."""
        if row.state != "playing":
            self.due.pop(row.id, None)
        elif row.doc.get("left_counts") and row.id not in self.tables:
            first = self.system.now() + self.context.seconds_of_start()
            self.due.setdefault(row.id, max(row.updated + GIVE_UP_SECONDS, first))

    async def read_all_rows(self) -> None:
        """Take all tables that changed at other servers: notices may have been missed."""
        known = self.quotas.versions()
        rows = {row.id: row for row in await self.store.tables(NOT_ENDED, None, ALL)}
        changed = [row for id, row in rows.items() if row.version > known.get(id, -1)]
        ended = [await self.store.table(id) for id in known.keys() - rows.keys()]
        for row in (*changed, *ended):
            if row is not None:
                self.note_row(row)

    # Players -----------------------------------------------------------------------------------

    def connections(self) -> list[Connection]:
        """Return all open connections: of people and bots at tables, and of the lobby."""
        tables = self.tables.values()
        at_tables = [one for table in tables for one in table.sockets | table.subscribers]
        return [*at_tables, *self.lobby.watchers]

    def close_connections(
        self, player: str, epoch: int | None = None, bye: frames.Bye = SIGNED_OUT
    ) -> None:
        """Close the connections of a player's revoked sessions: all but those of this epoch."""
        for connection in self.connections():
            if connection.player == player and connection.epoch != epoch:
                is_lobby = connection in self.lobby.watchers  # open without a session, too
                connection.close(replace(bye, again=True) if is_lobby else bye)

    def silence(self, player: str, until: float | None) -> None:
        """Mute a player on all connections until a time, or end the mute with None."""
        for connection in self.connections():
            if connection.player == player:
                connection.silenced_until = until

    async def forget(self, player: str, name: str) -> None:
        """Take a deleted player off all tables. A finished one follows when it is loaded."""
        self.close_connections(player)
        for id in sorted({*self.tables, *self.quotas.of(player)}):
            try:
                await handle(await self.find(id), on.Forget(player, name))
            except StoreFault:
                raise
            except ApiError:
                continue  # another server changed the table
            except Exception as fault:  # one unreadable match keeps no player from leaving
                log(logging.ERROR, "unreadable", fault, table=id)

    async def rename(self, player: str, name: str) -> None:
        """Show a player's new name in chat, and at tables that have not started."""
        for table in self.tables.values():
            table.rename_in_chat(player, name)
        for id in self.quotas.open_tables(player):
            with suppress(ApiError):
                await handle(await self.find(id), on.Rename(player, name))

    # Memory ------------------------------------------------------------------------------------

    def drop_idle(self, seconds: float = 0.0) -> int:
        """Drop tables at which nobody is. They are loaded again when somebody comes."""
        before = self.system.now() - seconds
        idle = [table for table in self.tables.values() if table.visited <= before]
        return sum([self._drop(table) for table in idle])

    def count_memory(self) -> None:
        """Count the tables again, since matches have grown, and make room."""
        for table in sorted(self.tables.values(), key=lambda table: table.visited):
            self.memory.count(table)
        self.memory.make_room()

    def release(self, table: LiveTable) -> None:
        """Drop a table that was loaded for one answer, unless it is in use by now."""
        if self.tables.get(table.row.id) is table:
            self._drop(table)

    def _evict(self, id: str) -> bool:
        return id in self.tables and self._drop(self.tables[id])

    def _drop(self, table: LiveTable) -> bool:
        """Drop a table from memory unless it is in use. When its time runs out is kept."""
        if table.sockets or table.subscribers or table.queue:
            return False
        if table.doc.dealing is not None:
            return False
        if table.bot_seats() and table.row.id not in self.waiting_for_bots:
            return False
        id = table.row.id
        times = (table.seconds_until_due(), table.seconds_until_given_up())
        known = [seconds for seconds in times if seconds is not None]
        if known:
            self.due[id] = self.system.now() + min(known)
        evicted = evicted_table(table)
        if evicted is not None:
            self.evicted[id] = evicted
            if len(self.evicted) > MAX_EVICTED:
                self.evicted.popitem(last=False)
        table.cancel_timer()
        del self.tables[id]
        self.matches.pop(table.row.match or "", None)
        self.memory.forget(id)
        self.lobby.forget(id)
        return True

    # Stopping ----------------------------------------------------------------------------------

    async def see_off(self, seconds: float) -> None:
        """Send people to another server within this time: all at once would be too many."""
        leaving = self.connections()
        end = asyncio.get_running_loop().time() + seconds
        for count in range(len(leaving), 0, -1):
            leaving.pop().close(STOPPING)
            await asyncio.sleep((end - asyncio.get_running_loop().time()) / count)

    async def close(self) -> None:
        """Tell every connection to come back."""
        self.nonce_timer.close()
        for table in self.tables.values():
            table.cancel_timer()
        for connection in self.connections():
            connection.close(STOPPING)
