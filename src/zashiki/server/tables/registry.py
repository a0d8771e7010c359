"""All tables of a server: open, find, list, drop from memory, expire."""

import asyncio
import gc
import logging
from collections.abc import Iterable
from contextlib import suppress
from itertools import count
from weakref import WeakValueDictionary

import msgspec

from zashiki.bots import bot_names
from zashiki.games import catalogue
from zashiki.server.errors import ApiError
from zashiki.server.ops.logs import log
from zashiki.server.ops.shield import run_to_completion
from zashiki.server.protocol import frames, rest
from zashiki.server.store.coordination import LatestVersions
from zashiki.server.store.errors import Conflict, StoreFault
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import PlayerRow, TableRow
from zashiki.server.system import System
from zashiki.server.tables import chat, recovery, setup
from zashiki.server.tables import commands as on
from zashiki.server.tables.connection import SIGNED_OUT, Connection
from zashiki.server.tables.dealing import NonceTimer
from zashiki.server.tables.handler import Exclusive, handle
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.model import TableDoc, bot_id, in_brief, is_slow, opened, seen
from zashiki.server.tables.observer import SilentObserver, TableObserver
from zashiki.server.tables.quotas import NOT_ENDED, PlayerTableIndex
from zashiki.server.tables.state import TableContext
from zashiki.server.tables.views import table_seen

STOPPING = frames.Bye("stopping", "the server stops: come back in a moment", True)
MAX_LISTED_TABLES = 200
ALL = 1_000_000_000
SWEEP_SECONDS = 60.0
"""Between two looks for tables to expire or to drop."""
IDLE_SECONDS = 30.0
"""A table that somebody asked for within this time stays in memory: they may connect soon."""
COLLECT_SWEEPS, COLLECT_SWEEPS_BUSY = 10, 30
"""Sweeps between two collections of old garbage: with few sockets, and with many."""
FEW_SOCKETS = 200
EXPIRY_SECONDS = 6 * 3600.0
"""A table that has not started is closed when nothing changed for this time."""


class TableRegistry(SilentObserver):
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
        self.context = TableContext(store, system, [self, self.nonce_timer])
        self.is_leaving = False
        """The server will stop soon. Proxies are told, and nothing else differs."""
        self.is_draining = False
        """The server is stopping: no table is opened."""
        self.quotas = PlayerTableIndex()
        self.due: dict[str, float] = {}
        """When time runs out at tables that are not in memory."""
        self.watchers: set[Connection] = set()
        """The sockets of the lobby."""
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

    async def add_server_bots(self) -> None:
        """Add the server's bots as players."""
        names = {name for spec in catalogue().values() for name in bot_names(spec)}
        for name in sorted(names):
            if await self.store.player(bot_id(name)) is None:
                now = self.system.now()
                row = PlayerRow(bot_id(name), "bot", name.capitalize(), None, None, now)
                with suppress(Conflict):  # another server was first
                    await self.store.add_player(row)

    # Opening -----------------------------------------------------------------------------------

    async def open(self, host: PlayerRow, wanted: rest.NewTable) -> LiveTable:
        """Open a table. Its host sits at it."""
        self.check_stays()
        now, key = self.system.now(), self.system.id()
        doc = opened(wanted, host.id, host.name, now, key, host.kind)
        return await self._add(doc, host.id, wanted.public)

    def check_stays(self) -> None:
        """Refuse to open a table at a server that is stopping."""
        if self.is_draining:
            text = "this server is about to stop: try again in a moment"
            raise ApiError(503, "stopping", text, {"retry_after": 1})

    async def _add(self, doc: TableDoc, host: str, public: bool) -> LiveTable:
        """Write a new table, unless its host has too many."""
        id = self.system.id()
        with self.quotas.coming(host, id, hosts=True):
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
        async with Exclusive(table):  # a player may have been deleted before it could be found
            await recovery.remove_deleted_players(table)
        self.on_shown(table)
        if table.row.state == "closed":
            raise ApiError(401, "signed-out", "this session has ended: sign in again")
        return table

    async def rematch(self, table: LiveTable, player: PlayerRow) -> LiveTable:
        """Return the table of the rematch. The player who asks first opens it as its host."""
        self.check_stays()
        async with self._lock(f"rematch {table.row.id}"):
            setup.check_rematch(table, player.id)
            before = table.doc.next
            if before is not None:
                there = await self.find(before)
                if there.row.state != "closed":
                    return there
            made = await self._add(await setup.rematch_doc(table), player.id, table.row.public)
            try:
                await handle(table, on.LinkRematch(made.row.id, before))
            except BaseException:
                await run_to_completion(self._withdraw(table, made))
                raise
            if table.doc.next in {None, made.row.id}:
                return made
            await self._withdraw(table, made)  # another server was first
            return await self.find(table.doc.next)

    async def _withdraw(self, table: LiveTable, made: LiveTable) -> None:
        """Close a new table that is not the rematch. If that is not known, it stays open."""
        if table.needs_reload or table.doc.next == made.row.id:
            return
        with suppress(ApiError, StoreFault):  # then it expires
            await handle(made, on.Close(made.row.host))

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
        async with self._lock(id):
            if id in self.tables:
                return self.tables[id]
            row = await self.store.table(id)
            if row is None:
                raise ApiError(404, "no-table", "there is no such table")
            table = LiveTable(row, self.context)
            table.set_present_on_other_nodes(await self._present_elsewhere(id))
            await chat.load(table)
            await recovery.load(table)
            self.tables[id] = table
            self.due.pop(id, None)
            for observer in self.context.observers:
                observer.on_row_changed(table)
            table.set_present_on_other_nodes(await self._present_elsewhere(id))
            if table.is_playing():
                log(logging.INFO, "resumed", table=id, match=table.row.match)
            return table

    def _lock(self, name: str) -> asyncio.Lock:
        return self._locks.setdefault(name, asyncio.Lock())

    async def _present_elsewhere(self, id: str) -> set[str]:
        """Return the players who are at a table by way of another server."""
        if not self.context.is_shared:
            return set()
        there = await self.store.coordination.present_on_other_nodes(self.node, [id])
        return there.get(id, set())

    async def latest_versions(self, tables: Iterable[LiveTable]) -> LatestVersions:
        """Ask the store how far these tables and their matches have come."""
        asked = list(tables)
        matches = [table.row.match for table in asked if table.row.match is not None]
        return await self.store.coordination.latest_versions(
            matches, [table.row.id for table in asked]
        )

    async def refresh(self, table: LiveTable) -> None:
        """Let a table catch up with what other servers wrote."""
        latest = await self.latest_versions([table])
        if is_behind(table, latest):
            await handle(table, on.CatchUp())
        if has_missed_chat(table, latest):
            await handle(table, on.CatchUpChat())

    # The lobby ---------------------------------------------------------------------------------

    async def lobby(self) -> list[rest.Table]:
        """Return the public tables, those that changed last first."""
        rows = await self.store.tables(NOT_ENDED, True, MAX_LISTED_TABLES)
        return [in_brief(self.glance(row)) for row in rows]

    def glance(self, row: TableRow) -> rest.Table:
        """Show a table as everybody may see it. One that is not in memory is shown by its row."""
        table = self.tables.get(row.id)
        return seen(row, msgspec.convert(row.doc, TableDoc)) if table is None else table_seen(table)

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
        if row.public and self.watchers:
            frame = msgspec.json.encode(frames.Changed(in_brief(self.glance(row))))
            for watcher in self.watchers:
                watcher.send(frame)

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

    def sign_out(self, player: str) -> None:
        """Close all connections of a player whose sessions were revoked."""
        for table in self.tables.values():
            for connection in table.sockets | table.subscribers:
                if connection.player == player:
                    connection.close(SIGNED_OUT)

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

    # Memory and time ---------------------------------------------------------------------------

    async def sweep(self) -> None:
        """Every minute: run timers, close old tables, drop idle ones, collect old garbage."""
        for sweeps in count(1):
            with suppress(StoreFault):  # it is tried again soon
                await self.close_old()
            await self.run_due_timers()
            self.drop_idle(IDLE_SECONDS)
            self.collect(sweeps)
            await asyncio.sleep(SWEEP_SECONDS)

    def collect(self, sweeps: int) -> bool:
        """Collect garbage among old objects, less often while many sockets are open.

        There should be none: neither a move nor a socket that has ended leaves any.
        """
        sockets = sum(len(table.sockets) for table in self.tables.values())
        if sweeps % (COLLECT_SWEEPS if sockets <= FEW_SOCKETS else COLLECT_SWEEPS_BUSY):
            return False
        gc.collect()
        return True

    async def close_old(self) -> None:
        before = self.system.now() - EXPIRY_SECONDS
        await self.store.close_idle(before)
        self.quotas.expire(before)

    async def run_due_timers(self) -> None:
        """Run timers that are due at tables on disk, or because the machine slept."""
        now = self.system.now()
        for table in list(self.tables.values()):
            due = table.due()
            if due is not None and due <= now:
                table.on_timer()
        for id in [id for id, due in self.due.items() if due <= now]:
            del self.due[id]
            try:
                table = await self.find(id)
            except StoreFault:
                self.due[id] = now  # it is tried again soon
                continue
            except Exception as fault:  # one broken table stops no other
                log(logging.ERROR, "broken", fault, table=id)
                continue
            table.on_timer()

    def drop_idle(self, seconds: float = 0.0) -> int:
        """Drop tables at which nobody is. They are loaded again when somebody comes."""
        before = self.system.now() - seconds
        idle = [table for table in self.tables.values() if table.visited <= before]
        return sum([self._drop(table) for table in idle])

    def _drop(self, table: LiveTable) -> bool:
        """Drop a table from memory unless it is in use. When its time runs out is kept."""
        if table.sockets or table.subscribers or table.lock.locked():
            return False
        if table.doc.dealing is not None or table.bot_seats():
            return False
        due = table.due()
        if due is not None:
            self.due[table.row.id] = due
        table.cancel_timer()
        del self.tables[table.row.id]
        self.matches.pop(table.row.match or "", None)
        return True

    # Stopping ----------------------------------------------------------------------------------

    async def see_off(self, seconds: float) -> None:
        """Send people to another server within this time: all at once would be too many."""
        leaving = [
            one for table in self.tables.values() for one in table.sockets | table.subscribers
        ]
        leaving += self.watchers
        end = asyncio.get_running_loop().time() + seconds
        for left in range(len(leaving), 0, -1):
            leaving.pop().close(STOPPING)
            await asyncio.sleep((end - asyncio.get_running_loop().time()) / left)

    async def close(self) -> None:
        """Tell every connection to come back."""
        self.nonce_timer.close()
        for table in self.tables.values():
            table.cancel_timer()
            for connection in table.sockets | table.subscribers:
                connection.close(STOPPING)
        for watcher in self.watchers:
            watcher.close(STOPPING)


def is_behind(table: LiveTable, latest: LatestVersions) -> bool:
    """Whether another server has played, or changed the table."""
    done = 0 if table.live is None else table.live.done
    entry = latest.entries.get(table.row.match or "", 0)
    return entry > done or latest.versions.get(table.row.id, 0) > table.row.version


def has_missed_chat(table: LiveTable, latest: LatestVersions) -> bool:
    return latest.lines.get(table.row.id, 0) > table.chat_number
