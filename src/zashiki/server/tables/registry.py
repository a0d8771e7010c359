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
from zashiki.server.errors import Problem
from zashiki.server.ops.logs import log
from zashiki.server.ops.shield import finished
from zashiki.server.protocol import frames, rest
from zashiki.server.store.errors import Conflict, StoreFault
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import PlayerRow, TableRow
from zashiki.server.system import Source
from zashiki.server.tables import chat, dealing, recovery, setup
from zashiki.server.tables.connection import SIGNED_OUT, Line
from zashiki.server.tables.live import Changed, Room, Surroundings
from zashiki.server.tables.model import Table, bot_id, in_brief, is_slow, opened, seen
from zashiki.server.tables.quotas import NOT_ENDED, Ledger

STOPPING = frames.Bye("stopping", "the server stops: come back in a moment", True)
MOST_LISTED = 200
ALL = 1_000_000_000
EVERY = 60.0
QUIET = 30.0
"""Seconds for which nobody has asked for a room that is dropped: who did may be on the way in."""
COLLECT, COLLECT_AT_LEAST = 10, 30
"""After so many rounds old garbage is collected: with few sockets, and with many."""
FEW = 200
EXPIRES = 6 * 3600.0
"""Seconds after which a table that has not started, and has not changed, is closed."""


class Hall:
    """Opens tables and finds them."""

    def __init__(self, store: Store, source: Source) -> None:
        self.store = store
        self.source = source
        self.rooms: dict[str, Room] = {}
        self.matches: dict[str, Room] = {}
        """The same, by the match that is or was played there."""
        self.house = Surroundings(
            store, source, self.changed, self.bots_wanted, self.settled, recovery.reload, self.here,
        )  # fmt: skip
        self.on_here: Callable[[Room, str, bool], None] | None = None
        """Who tells other servers that somebody is here, or not any more."""
        self.elsewhere: Callable[[Room], Awaitable[set[str]]] | None = None
        """Asks other servers who is there."""
        self.refresh: Callable[[Room], Awaitable[None]] | None = None
        """Sees to it that a room stands where the store does, to which others write too."""
        self.is_leaving = False
        """Is this server about to stop? Then proxies are told, and nothing else is different."""
        self.is_draining = False
        """Does it stop? Then no table is opened here."""
        self.on_bots: Callable[[Room], None] | None = None
        """Who is told which seats need bots."""
        self.ledger = Ledger()
        self.due: dict[str, float] = {}
        """When time runs out at tables that are not in memory."""
        self.watchers: set[Line] = set()
        """Who looks at the lobby."""
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def resume(self) -> None:
        """After a start: who sits where, and where time may have run out meanwhile."""
        rows = await self.store.tables(NOT_ENDED, None, ALL)
        self.ledger.read(rows)
        slow = [row for row in rows if row.state == "playing" and is_slow(row)]
        self.due = {row.id: self.source.now() for row in slow}

    async def look_again(self) -> None:
        """What others wrote may have been missed: who sits where, and what the lobby shows."""
        known = self.ledger.versions()
        rows = {row.id: row for row in await self.store.tables(NOT_ENDED, None, ALL)}
        changed = [row for id, row in rows.items() if row.version > known.get(id, -1)]
        ended = [await self.store.table(id) for id in known.keys() - rows.keys()]
        for row in (*changed, *ended):
            if row is not None:
                self.noticed(row)

    async def open(self, host: PlayerRow, wanted: rest.NewTable) -> Room:
        self.check_stays()
        now, key = self.source.now(), self.source.id()
        table = opened(wanted, host.id, host.name, now, key, host.kind)
        return await self._add(table, host.id, wanted.public)

    def check_stays(self) -> None:
        if self.is_draining:
            text = "this server is about to stop: try again in a moment"
            raise Problem(503, "stopping", text, {"retry_after": 1})

    async def _add(self, table: Table, host: str, public: bool) -> Room:
        """Keep a new table, unless its host has too many."""
        id = self.source.id()
        with self.ledger.coming(host, id, hosts=True):
            room = await self._keep(id, table, host, public)
        log(logging.INFO, "opened", table=id, player=host)
        return room

    async def _keep(self, id: str, table: Table, host: str, public: bool) -> Room:
        row = TableRow(
            id=id,
            host=host,
            state="open",
            public=public,
            doc=msgspec.to_builtins(table),
            version=1,
            updated=table.created,
        )
        await self.store.add_table(row)
        room = self.rooms[row.id] = Room(row, self.house)
        async with room.sound():  # who was deleted before it could be found here is looked for now
            await recovery.load_names(room)
        self.changed(room)
        if room.row.state == "closed":
            raise Problem(401, "signed-out", "this session has ended: sign in again")
        return room

    async def welcome_bots(self) -> None:
        """The bots of the house are players too."""
        names = {name for offer in catalogue().values() for name in bot_names(offer)}
        for name in sorted(names):
            if await self.store.player(bot_id(name)) is None:
                now = self.source.now()
                row = PlayerRow(bot_id(name), "bot", name.capitalize(), None, None, now)
                with suppress(Conflict):  # another server was first
                    await self.store.add_player(row)

    async def rematch(self, room: Room, player: PlayerRow) -> Room:
        """The same people at a new table; whoever asks first is its host."""
        try:
            return await self._rematch(room, player)
        except Changed:  # somebody was first, by way of another server
            return await self._rematch(room, player)

    async def _rematch(self, room: Room, player: PlayerRow) -> Room:
        self.check_stays()
        async with room.sound():
            if room.table.seat_of(player.id) is None:
                raise Problem(
                    403, "not-seated", "only those who sat at this table may ask for that"
                )
            if room.table.next is not None:
                return await self.room(room.table.next)
            if room.row.state != "over":
                raise Problem(409, "not-over", "the match at this table is not over")
            made = await self._add(await setup.again(room), player.id, room.row.public)
            try:
                await room.change(msgspec.structs.replace(room.table, next=made.row.id))
            except BaseException:
                await finished(self._give_up(room, made))
                raise
            return made

    async def _give_up(self, room: Room, made: Room) -> None:
        """Close a new table to which no way leads; where that is not known, it stays."""
        if room.is_doubtful or room.table.next == made.row.id:
            return
        with suppress(Problem, StoreFault):  # then it is closed when nothing has happened there
            await setup.shut(made, made.row.host)

    def sign_out(self, player: str) -> None:
        """Whose sessions have ended has no connections either."""
        for room in self.rooms.values():
            for line in room.talks | room.lines:
                if line.player == player:
                    line.close(SIGNED_OUT)

    async def forget(self, player: str, name: str) -> None:
        """Somebody is deleted; where a match has ended, the room sees to it when it is built."""
        self.sign_out(player)
        for id in sorted({*self.rooms, *self.ledger.of(player)}):
            with suppress(Problem):  # another server changed the table
                await setup.forget(await self.room(id), player, name)

    async def rename(self, player: str, name: str) -> None:
        """Somebody has another name: what they said shows it, and tables that have not started."""
        for room in self.rooms.values():
            chat.rename(room, player, name)
        for id in self.ledger.open_tables(player):
            with suppress(Problem):
                await setup.rename(await self.room(id), player, name)

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
        talks = sum(len(room.talks) for room in self.rooms.values())
        if rounds % (COLLECT if talks <= FEW else COLLECT_AT_LEAST):
            return False
        gc.collect()
        return True

    async def close_old(self) -> None:
        before = self.source.now() - EXPIRES
        await self.store.close_idle(before)
        self.ledger.expire(before)

    async def wake(self) -> None:
        """Look where time has run out: where nobody is there to notice, or the machine slept."""
        now = self.source.now()
        for room in list(self.rooms.values()):
            due = room.due()
            if due is not None and due <= now:
                room.wake()
        for id in [id for id, due in self.due.items() if due <= now]:
            del self.due[id]
            try:
                room = await self.room(id)
            except StoreFault:
                self.due[id] = now  # it is tried again soon
                continue
            except Exception as fault:  # one broken table stops no other
                log(logging.ERROR, "broken", fault, table=id)
                continue
            room.wake()

    async def room(self, id: str) -> Room:
        """A table by its id, from memory or from disk."""
        room = self.rooms.get(id)
        if room is not None:
            room.visited = self.source.now()
            if self.refresh is not None:
                await self.refresh(room)
            return room
        async with self._locks.setdefault(id, asyncio.Lock()):
            if id in self.rooms:
                return self.rooms[id]
            row = await self.store.table(id)
            if row is None:
                raise Problem(404, "no-table", "there is no such table")
            room = Room(row, self.house)
            if self.elsewhere is not None:
                room.elsewhere = await self.elsewhere(room)
            await chat.load(room)
            await recovery.load(room)
            self.rooms[id] = room
            self.due.pop(id, None)
            self.settled(room)
            if self.elsewhere is not None:  # who came while it was read
                room.see_elsewhere(await self.elsewhere(room))
            if room.is_playing():
                log(logging.INFO, "resumed", table=id, match=room.row.match)
        if self.refresh is not None:
            await self.refresh(room)  # it was written to before it could be told so
        return room

    def index(self, room: Room) -> None:
        if room.row.match is not None and self.rooms.get(room.row.id) is room:
            self.matches[room.row.match] = room

    def settled(self, room: Room) -> None:
        """From now on it is found by its match, for what others play is told at once. Where cards
        are to be dealt, they are, whoever does not answer."""
        self.index(room)
        if room.table.dealing is None or room.deal_due is not None:
            return
        room.deal_due = asyncio.create_task(dealing.deal_anyway(room))
        room.deal_due.add_done_callback(lambda _: setattr(room, "deal_due", None))

    def here(self, room: Room, player: str, is_here: bool) -> None:
        if self.on_here is not None:
            self.on_here(room, player, is_here)

    async def lobby(self) -> list[rest.Table]:
        """The public tables, those that changed last first."""
        rows = await self.store.tables(NOT_ENDED, True, MOST_LISTED)
        return [in_brief(self.glance(row)) for row in rows]

    def glance(self, row: TableRow) -> rest.Table:
        """A table as all may see it; one that is not in memory by its row alone."""
        room = self.rooms.get(row.id)
        return seen(row, msgspec.convert(row.doc, Table)) if room is None else room.seen()

    def changed(self, room: Room) -> None:
        """Tell those who look at the lobby."""
        self.noticed(room.row)

    def noticed(self, row: TableRow) -> None:
        """A table is not as it was, here or, where others share the store, elsewhere."""
        self.ledger.note(row)
        if row.public and self.watchers:
            frame = msgspec.json.encode(frames.Changed(in_brief(self.glance(row))))
            for watcher in self.watchers:
                watcher.send(frame)

    def bots_wanted(self, room: Room) -> None:
        if self.on_bots is not None:
            self.on_bots(room)

    def forget_idle(self, quiet: float = 0.0) -> int:
        """Drop rooms where nobody is: they are built again from the log when somebody comes."""
        before = self.source.now() - quiet
        rooms = [room for room in self.rooms.values() if room.visited <= before]
        return sum([self.put_away(room) for room in rooms])

    def put_away(self, room: Room) -> bool:
        """Drop a room if nobody is there and nobody is wanted; when time runs out is kept."""
        somebody = room.talks or room.lines or room.lock.locked()
        if somebody or room.table.dealing is not None or room.bot_seats():
            return False
        due = room.due()
        if due is not None:
            self.due[room.row.id] = due
        room.rest()
        del self.rooms[room.row.id]
        self.matches.pop(room.row.match or "", None)
        return True

    async def see_off(self, seconds: float) -> None:
        """Send people to another server, in so long: all at once would be too much for it."""
        lines = [line for room in self.rooms.values() for line in room.talks | room.lines]
        lines += self.watchers
        end = asyncio.get_running_loop().time() + seconds
        for left in range(len(lines), 0, -1):
            lines.pop().close(STOPPING)
            await asyncio.sleep((end - asyncio.get_running_loop().time()) / left)

    async def close(self) -> None:
        """Say goodbye: every line is told to come back."""
        for room in self.rooms.values():
            room.rest()
            for line in room.talks | room.lines:
                line.close(STOPPING)
        for watcher in self.watchers:
            watcher.close(STOPPING)
