"""All tables: those in memory, those on disk, and who looks at the list of them."""

import asyncio
import gc
import logging
from collections.abc import Awaitable, Callable
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
from zashiki.server.store.errors import Conflict, StoreFault
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import PlayerRow, TableRow
from zashiki.server.system import System
from zashiki.server.tables import chat, dealing, recovery, setup
from zashiki.server.tables.connection import SIGNED_OUT, Connection
from zashiki.server.tables.live import Changed, LiveTable, TableContext
from zashiki.server.tables.model import Table, bot_id, in_brief, is_slow, opened, seen
from zashiki.server.tables.quotas import NOT_ENDED, PlayerTableIndex

STOPPING = frames.Bye("stopping", "the server stops: come back in a moment", True)
MAX_LISTED_TABLES = 200
ALL = 1_000_000_000
EVERY = 60.0
QUIET = 30.0
"""Seconds for which nobody has asked for a room that is dropped: who did may be on the way in."""
COLLECT, COLLECT_AT_LEAST = 10, 30
"""After so many rounds old garbage is collected: with few sockets, and with many."""
FEW = 200
EXPIRES = 6 * 3600.0
"""Seconds after which a table that has not started, and has not changed, is closed."""


class TableRegistry:
    """Opens tables and finds them."""

    def __init__(self, store: Store, system: System) -> None:
        self.store = store
        self.system = system
        self.tables: dict[str, LiveTable] = {}
        self.matches: dict[str, LiveTable] = {}
        """The same, by the match that is or was played there."""
        self.context = TableContext(
            store, system, self.changed, self.bots_wanted, self.settled, recovery.reload, self.here,
        )  # fmt: skip
        self.on_here: Callable[[LiveTable, str, bool], None] | None = None
        """Who tells other servers that somebody is here, or not any more."""
        self.elsewhere: Callable[[LiveTable], Awaitable[set[str]]] | None = None
        """Asks other servers who is there."""
        self.refresh: Callable[[LiveTable], Awaitable[None]] | None = None
        """Sees to it that a room stands where the store does, to which others write too."""
        self.is_leaving = False
        """Is this server about to stop? Then proxies are told, and nothing else is different."""
        self.is_draining = False
        """Does it stop? Then no table is opened here."""
        self.on_bots_changed: Callable[[LiveTable], None] | None = None
        """Who is told which seats need bots."""
        self.quotas = PlayerTableIndex()
        self.due: dict[str, float] = {}
        """When time runs out at tables that are not in memory."""
        self.watchers: set[Connection] = set()
        """Who looks at the lobby."""
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def resume(self) -> None:
        """After a start: who sits where, and where time may have run out meanwhile."""
        rows = await self.store.tables(NOT_ENDED, None, ALL)
        self.quotas.read(rows)
        slow = [row for row in rows if row.state == "playing" and is_slow(row)]
        self.due = {row.id: self.system.now() for row in slow}

    async def look_again(self) -> None:
        """What others wrote may have been missed: who sits where, and what the lobby shows."""
        known = self.quotas.versions()
        rows = {row.id: row for row in await self.store.tables(NOT_ENDED, None, ALL)}
        changed = [row for id, row in rows.items() if row.version > known.get(id, -1)]
        ended = [await self.store.table(id) for id in known.keys() - rows.keys()]
        for row in (*changed, *ended):
            if row is not None:
                self.noticed(row)

    async def open(self, host: PlayerRow, wanted: rest.NewTable) -> LiveTable:
        self.check_stays()
        now, key = self.system.now(), self.system.id()
        table = opened(wanted, host.id, host.name, now, key, host.kind)
        return await self._add(table, host.id, wanted.public)

    def check_stays(self) -> None:
        if self.is_draining:
            text = "this server is about to stop: try again in a moment"
            raise ApiError(503, "stopping", text, {"retry_after": 1})

    async def _add(self, doc: Table, host: str, public: bool) -> LiveTable:
        """Keep a new table, unless its host has too many."""
        id = self.system.id()
        with self.quotas.coming(host, id, hosts=True):
            table = await self._keep(id, doc, host, public)
        log(logging.INFO, "opened", table=id, player=host)
        return table

    async def _keep(self, id: str, doc: Table, host: str, public: bool) -> LiveTable:
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
        async with (
            table.exclusive()
        ):  # who was deleted before it could be found here is looked for now
            await recovery.load_names(table)
        self.changed(table)
        if table.row.state == "closed":
            raise ApiError(401, "signed-out", "this session has ended: sign in again")
        return table

    async def welcome_bots(self) -> None:
        """The bots of the house are players too."""
        names = {name for offer in catalogue().values() for name in bot_names(offer)}
        for name in sorted(names):
            if await self.store.player(bot_id(name)) is None:
                now = self.system.now()
                row = PlayerRow(bot_id(name), "bot", name.capitalize(), None, None, now)
                with suppress(Conflict):  # another server was first
                    await self.store.add_player(row)

    async def rematch(self, table: LiveTable, player: PlayerRow) -> LiveTable:
        """The same people at a new table; whoever asks first is its host."""
        try:
            return await self._rematch(table, player)
        except Changed:  # somebody was first, by way of another server
            return await self._rematch(table, player)

    async def _rematch(self, table: LiveTable, player: PlayerRow) -> LiveTable:
        self.check_stays()
        async with table.exclusive():
            if table.doc.seat_of(player.id) is None:
                raise ApiError(
                    403, "not-seated", "only those who sat at this table may ask for that"
                )
            if table.doc.next is not None:
                return await self.find(table.doc.next)
            if table.row.state != "over":
                raise ApiError(409, "not-over", "the match at this table is not over")
            made = await self._add(await setup.again(table), player.id, table.row.public)
            try:
                await table.change(msgspec.structs.replace(table.doc, next=made.row.id))
            except BaseException:
                await run_to_completion(self._give_up(table, made))
                raise
            return made

    async def _give_up(self, table: LiveTable, made: LiveTable) -> None:
        """Close a new table to which no way leads; where that is not known, it stays."""
        if table.needs_reload or table.doc.next == made.row.id:
            return
        with suppress(ApiError, StoreFault):  # then it is closed when nothing has happened there
            await setup.shut(made, made.row.host)

    def sign_out(self, player: str) -> None:
        """Whose sessions have ended has no connections either."""
        for table in self.tables.values():
            for connection in table.sockets | table.subscribers:
                if connection.player == player:
                    connection.close(SIGNED_OUT)

    async def forget(self, player: str, name: str) -> None:
        """Somebody is deleted; where a match has ended, the room sees to it when it is built."""
        self.sign_out(player)
        for id in sorted({*self.tables, *self.quotas.of(player)}):
            with suppress(ApiError):  # another server changed the table
                await setup.forget(await self.find(id), player, name)

    async def rename(self, player: str, name: str) -> None:
        """Somebody has another name: what they said shows it, and tables that have not started."""
        for table in self.tables.values():
            chat.rename(table, player, name)
        for id in self.quotas.open_tables(player):
            with suppress(ApiError):
                await setup.rename(await self.find(id), player, name)

    async def tidy(self) -> None:
        """Every so often: time runs out, tables that never started expire, idle ones are put out
        of memory, and seldom what nobody can reach any more."""
        for rounds in count(1):
            with suppress(StoreFault):  # it is tried again soon
                await self.close_old()
            await self.wake()
            self.forget_idle(QUIET)
            self.collect(rounds)
            await asyncio.sleep(EVERY)

    def collect(self, rounds: int) -> bool:
        """Look for garbage among old objects, which takes the longer the more people are here:
        with many of them it is done less often, but it is done. There should be none: neither a
        move nor a socket that has ended leaves any."""
        talks = sum(len(table.sockets) for table in self.tables.values())
        if rounds % (COLLECT if talks <= FEW else COLLECT_AT_LEAST):
            return False
        gc.collect()
        return True

    async def close_old(self) -> None:
        before = self.system.now() - EXPIRES
        await self.store.close_idle(before)
        self.quotas.expire(before)

    async def wake(self) -> None:
        """Look where time has run out: where nobody is there to notice, or the machine slept."""
        now = self.system.now()
        for table in list(self.tables.values()):
            due = table.due()
            if due is not None and due <= now:
                table.wake()
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
            table.wake()

    async def find(self, id: str) -> LiveTable:
        """A table by its id, from memory or from disk."""
        table = self.tables.get(id)
        if table is not None:
            table.visited = self.system.now()
            if self.refresh is not None:
                await self.refresh(table)
            return table
        async with self._locks.setdefault(id, asyncio.Lock()):
            if id in self.tables:
                return self.tables[id]
            row = await self.store.table(id)
            if row is None:
                raise ApiError(404, "no-table", "there is no such table")
            table = LiveTable(row, self.context)
            if self.elsewhere is not None:
                table.elsewhere = await self.elsewhere(table)
            await chat.load(table)
            await recovery.load(table)
            self.tables[id] = table
            self.due.pop(id, None)
            self.settled(table)
            if self.elsewhere is not None:  # who came while it was read
                table.set_present_on_other_nodes(await self.elsewhere(table))
            if table.is_playing():
                log(logging.INFO, "resumed", table=id, match=table.row.match)
        if self.refresh is not None:
            await self.refresh(table)  # it was written to before it could be told so
        return table

    def index(self, table: LiveTable) -> None:
        if table.row.match is not None and self.tables.get(table.row.id) is table:
            self.matches[table.row.match] = table

    def settled(self, table: LiveTable) -> None:
        """From now on it is found by its match, for what others play is told at once. Where cards
        are to be dealt, they are, whoever does not answer."""
        self.index(table)
        if table.doc.dealing is None or table.deal_due is not None:
            return
        table.deal_due = asyncio.create_task(dealing.deal_without_missing_nonces(table))
        table.deal_due.add_done_callback(lambda _: setattr(table, "deal_due", None))

    def here(self, table: LiveTable, player: str, is_here: bool) -> None:
        if self.on_here is not None:
            self.on_here(table, player, is_here)

    async def lobby(self) -> list[rest.Table]:
        """The public tables, those that changed last first."""
        rows = await self.store.tables(NOT_ENDED, True, MAX_LISTED_TABLES)
        return [in_brief(self.glance(row)) for row in rows]

    def glance(self, row: TableRow) -> rest.Table:
        """A table as all may see it; one that is not in memory by its row alone."""
        table = self.tables.get(row.id)
        return seen(row, msgspec.convert(row.doc, Table)) if table is None else table.seen()

    def changed(self, table: LiveTable) -> None:
        """Tell those who look at the lobby."""
        self.noticed(table.row)

    def noticed(self, row: TableRow) -> None:
        """A table is not as it was, here or, where others share the store, elsewhere."""
        self.quotas.note(row)
        if row.public and self.watchers:
            frame = msgspec.json.encode(frames.Changed(in_brief(self.glance(row))))
            for watcher in self.watchers:
                watcher.send(frame)

    def bots_wanted(self, table: LiveTable) -> None:
        if self.on_bots_changed is not None:
            self.on_bots_changed(table)

    def forget_idle(self, quiet: float = 0.0) -> int:
        """Drop rooms where nobody is: they are built again from the log when somebody comes."""
        before = self.system.now() - quiet
        tables = [table for table in self.tables.values() if table.visited <= before]
        return sum([self.put_away(table) for table in tables])

    def put_away(self, table: LiveTable) -> bool:
        """Drop a room if nobody is there and nobody is wanted; when time runs out is kept."""
        somebody = table.sockets or table.subscribers or table.lock.locked()
        if somebody or table.doc.dealing is not None or table.bot_seats():
            return False
        due = table.due()
        if due is not None:
            self.due[table.row.id] = due
        table.rest()
        del self.tables[table.row.id]
        self.matches.pop(table.row.match or "", None)
        return True

    async def see_off(self, seconds: float) -> None:
        """Send people to another server, in so long: all at once would be too much for it."""
        lines = [
            connection
            for table in self.tables.values()
            for connection in table.sockets | table.subscribers
        ]
        lines += self.watchers
        end = asyncio.get_running_loop().time() + seconds
        for left in range(len(lines), 0, -1):
            lines.pop().close(STOPPING)
            await asyncio.sleep((end - asyncio.get_running_loop().time()) / left)

    async def close(self) -> None:
        """Say goodbye: every line is told to come back."""
        for table in self.tables.values():
            table.rest()
            for connection in table.sockets | table.subscribers:
                connection.close(STOPPING)
        for watcher in self.watchers:
            watcher.close(STOPPING)
