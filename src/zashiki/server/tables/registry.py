"""All tables of a server: add, find, drop from memory; and all connections to them."""

import asyncio
import logging
from contextlib import ExitStack, suppress
from weakref import WeakValueDictionary

import msgspec
from msgspec.structs import replace

from zashiki.server.errors import ApiError
from zashiki.server.ops.logs import log
from zashiki.server.protocol import frames
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import TableRow
from zashiki.server.system import System
from zashiki.server.tables import commands as on
from zashiki.server.tables import recovery
from zashiki.server.tables.connection import SIGNED_OUT, STOPPING, Connection
from zashiki.server.tables.dealing import NonceTimer
from zashiki.server.tables.handler import handle
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.lobby import Lobby
from zashiki.server.tables.model import TableDoc, is_slow
from zashiki.server.tables.observer import TableObserver
from zashiki.server.tables.presence import LEFT_SECONDS
from zashiki.server.tables.quotas import NOT_ENDED, PlayerTableIndex
from zashiki.server.tables.state import TableContext

ALL = 1_000_000_000


class TableRegistry(TableObserver[LiveTable]):
    """The tables in memory by id, and the way to those that are only on disk."""

    def __init__(self, store: Store, system: System, node: str = "") -> None:
        self.store = store
        self.system = system
        self.node = node
        """The name of this server, for others that share the store."""
        self.tables: dict[str, LiveTable] = {}
        self.matches: dict[str, LiveTable] = {}
        """The same tables by the match that is or was played there."""
        self.nonce_timer = NonceTimer(handle)
        observers: list[TableObserver[LiveTable]] = [self, self.nonce_timer]
        self.context = TableContext(store, system, observers, started=system.monotonic())
        self.is_leaving = False
        """The server will stop soon. Proxies are told, and nothing else differs."""
        self.is_draining = False
        """The server is stopping: no table is opened."""
        self.quotas = PlayerTableIndex()
        self.due: dict[str, float] = {}
        """When time runs out at tables that are not in memory."""
        self.lobby = Lobby(store, self.tables)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

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
        table = self.tables[row.id] = LiveTable(row, self.context)
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
        table.visit()
        if self.context.is_shared:
            await self.refresh(table)
        return table

    async def _load(self, id: str) -> LiveTable:
        async with self.lock(id):
            if id in self.tables:
                return self.tables[id]
            row = await self.store.table(id)
            if row is None:
                raise ApiError(404, "no-table", "there is no such table")
            table = LiveTable(row, self.context)
            table.set_present_on_other_nodes(await self._present_elsewhere(id))
            await recovery.load(table)
            self.tables[id] = table
            self.due.pop(id, None)
            for observer in self.context.observers:
                observer.on_row_changed(table)
            table.set_present_on_other_nodes(await self._present_elsewhere(id))
            if table.is_playing():
                log(logging.INFO, "resumed", table=id, match=table.row.match)
            return table

    def lock(self, name: str) -> asyncio.Lock:
        """Return the lock of this name, which exists while somebody holds it."""
        return self._locks.setdefault(name, asyncio.Lock())

    async def _present_elsewhere(self, id: str) -> set[str]:
        """Return the players who are at a table by way of another server."""
        if not self.context.is_shared:
            return set()
        there = await self.store.coordination.present_on_other_nodes(self.node, [id])
        return there.get(id, set())

    async def refresh(self, table: LiveTable) -> None:
        """Let a table catch up with what other servers wrote."""
        latest = await recovery.latest_versions(self.store, [table])
        if recovery.is_behind(table, latest):
            await handle(table, on.CatchUp())
        if recovery.has_missed_chat(table, latest):
            await handle(table, on.CatchUpChat())

    # Changes of tables -------------------------------------------------------------------------

    def on_row_changed(self, table: LiveTable) -> None:
        """Find the table by its match from now on."""
        if table.row.match is not None and self.tables.get(table.row.id) is table:
            self.matches[table.row.match] = table

    def on_shown(self, table: LiveTable) -> None:
        """Tell the lobby."""
        self.note_row(table.row)

    def note_row(self, row: TableRow) -> None:
        """Take a table that changed here or at another server, and tell the lobby."""
        self.quotas.note(row)
        self._note_due(row)
        self.lobby.show(row)

    def _note_due(self, row: TableRow) -> None:
        """Look in due time at a match that people may leave, whichever server plays it now."""
        if row.state != "playing":
            self.due.pop(row.id, None)
        elif row.doc.get("left_counts") and row.id not in self.tables:
            first = self.system.now() + self.context.seconds_of_start()
            self.due.setdefault(row.id, max(row.updated + LEFT_SECONDS, first))

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

    def sign_out(self, player: str, epoch: int | None = None, bye: frames.Bye = SIGNED_OUT) -> None:
        """Close the connections of a player's revoked sessions: all but those of this epoch."""
        for connection in self.connections():
            if connection.player == player and connection.epoch != epoch:
                is_lobby = connection in self.lobby.watchers  # open without a session, too
                connection.close(replace(bye, again=True) if is_lobby else bye)

    def silence(self, player: str, until: float | None) -> None:
        """The operator has muted a player, or ended that."""
        for connection in self.connections():
            if connection.player == player:
                connection.silenced_until = until

    async def forget(self, player: str, name: str) -> None:
        """Take a deleted player off all tables. A finished one follows when it is loaded."""
        self.sign_out(player)
        for id in sorted({*self.tables, *self.quotas.of(player)}):
            with suppress(ApiError):  # another server changed the table
                await handle(await self.find(id), on.Forget(player, name))

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

    def _drop(self, table: LiveTable) -> bool:
        """Drop a table from memory unless it is in use. When its time runs out is kept."""
        if table.sockets or table.subscribers or table.turns:
            return False
        if table.doc.dealing is not None or table.bot_seats():
            return False
        seconds = (table.seconds_left(), table.seconds_until_left())
        known = [left for left in seconds if left is not None]
        if known:
            self.due[table.row.id] = self.system.now() + min(known)
        table.cancel_timer()
        del self.tables[table.row.id]
        self.matches.pop(table.row.match or "", None)
        return True

    # Stopping ----------------------------------------------------------------------------------

    async def see_off(self, seconds: float) -> None:
        """Send people to another server within this time: all at once would be too many."""
        leaving = self.connections()
        end = asyncio.get_running_loop().time() + seconds
        for left in range(len(leaving), 0, -1):
            leaving.pop().close(STOPPING)
            await asyncio.sleep((end - asyncio.get_running_loop().time()) / left)

    async def close(self) -> None:
        """Tell every connection to come back."""
        self.nonce_timer.close()
        for table in self.tables.values():
            table.cancel_timer()
        for connection in self.connections():
            connection.close(STOPPING)
