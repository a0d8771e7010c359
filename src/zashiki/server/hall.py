"""All tables: those in memory, those on disk, and who looks at the list of them."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from weakref import WeakValueDictionary

import msgspec

from zashiki.bots import bot_names
from zashiki.games import catalogue
from zashiki.server import wire
from zashiki.server.lines import Line
from zashiki.server.problems import Problem
from zashiki.server.rooms import Room, Surroundings, bot_id
from zashiki.server.source import Source
from zashiki.server.store.protocol import Busy, Store, Unwritten
from zashiki.server.store.rows import PlayerRow, TableRow
from zashiki.server.tables import Table, opened

LISTED = frozenset({"open", "playing"})
MOST_LISTED = 200
EVERY = 60.0
EXPIRES = 6 * 3600.0
"""Seconds after which a table that has not started, and has not changed, is closed."""


class Hall:
    """Opens tables and finds them."""

    def __init__(self, store: Store, source: Source) -> None:
        self.store = store
        self.source = source
        self.rooms: dict[str, Room] = {}
        self.house = Surroundings(store, source, self.changed, self.bots_wanted)
        self.on_bots: Callable[[Room], None] | None = None
        """Who is told which seats need bots."""
        self.watchers: set[Line] = set()
        """Who looks at the lobby."""
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def open(self, host: PlayerRow, wanted: wire.NewTable) -> Room:
        now, key = self.source.now(), self.source.id()
        table = opened(wanted, host.id, host.name, now, key, host.kind)
        room = await self._add(table, host.id, wanted.public)
        self.changed(room)
        return room

    async def _add(self, table: Table, host: str, public: bool) -> Room:
        """Keep a new table."""
        row = TableRow(
            id=self.source.id(),
            host=host,
            state="open",
            public=public,
            doc=msgspec.to_builtins(table),
            version=1,
            updated=table.created,
        )
        await self.store.add_table(row)
        room = self.rooms[row.id] = Room(row, self.house)
        return room

    async def welcome_bots(self) -> None:
        """The bots of the house are players too."""
        names = {name for offer in catalogue().values() for name in bot_names(offer)}
        for name in sorted(names):
            if await self.store.player(bot_id(name)) is None:
                now = self.source.now()
                row = PlayerRow(bot_id(name), "bot", name.capitalize(), None, None, now)
                await self.store.add_player(row)

    async def rematch(self, room: Room, player: PlayerRow) -> Room:
        """The same people at a new table; whoever asks first is its host."""
        async with room.lock:
            if room.table.seat_of(player.id) is None:
                raise Problem(
                    403, "not-seated", "only those who sat at this table may ask for that"
                )
            if room.table.next is not None:
                return await self.room(room.table.next)
            if room.row.state != "over":
                raise Problem(409, "not-over", "the match at this table is not over")
            now, key = self.source.now(), self.source.id()
            again = msgspec.structs.replace(room.table, resigned=(), created=now, key=key)
            made = await self._add(again, player.id, room.row.public)
            await room.change(msgspec.structs.replace(room.table, next=made.row.id))
            self.changed(made)
            return made

    def sign_out(self, player: str) -> None:
        """Whose sessions have ended has no connections either."""
        bye = wire.Bye("signed-out", "this session has ended", False)
        for room in self.rooms.values():
            for line in list(room.lines):
                if line.player == player:
                    line.close(bye)

    async def forget(self, player: str, name: str) -> None:
        """Somebody is deleted; rooms that are not in memory see to it when they are."""
        self.sign_out(player)
        for room in list(self.rooms.values()):
            await room.forget(player, name)

    async def tidy(self) -> None:
        """Every so often: tables that never started expire, and idle ones leave the memory."""
        while True:
            await asyncio.sleep(EVERY)
            with suppress(Busy, Unwritten):  # it is tried again soon
                await self.store.close_idle(self.source.now() - EXPIRES)
            self.forget_idle()

    async def room(self, id: str) -> Room:
        """A table by its id, from memory or from disk."""
        room = self.rooms.get(id)
        if room is not None:
            return room
        async with self._locks.setdefault(id, asyncio.Lock()):
            if id in self.rooms:
                return self.rooms[id]
            row = await self.store.table(id)
            if row is None:
                raise Problem(404, "no-table", "there is no such table")
            room = Room(row, self.house)
            await room.load()
            self.rooms[id] = room
            return room

    async def lobby(self) -> list[wire.Table]:
        """The public tables, those that changed last first."""
        rows = await self.store.tables(LISTED, True, MOST_LISTED)
        return [(await self.room(row.id)).seen() for row in rows]

    def changed(self, room: Room) -> None:
        """Tell those who look at the lobby."""
        if room.row.public and self.watchers:
            frame = msgspec.json.encode(wire.Changed(room.seen()))
            for watcher in self.watchers:
                watcher.send(frame)

    def bots_wanted(self, room: Room) -> None:
        if self.on_bots is not None:
            self.on_bots(room)

    def forget_idle(self) -> int:
        """Drop rooms where nobody is: they are built again from the log when somebody comes."""
        idle = [room for room in self.rooms.values() if not room.lines and room.secrets is None]
        for room in idle:
            if not room.lock.locked():
                room.rest()
                del self.rooms[room.row.id]
        return len(idle)

    async def close(self) -> None:
        """Say goodbye: every line is told to come back, and what is being dealt is dropped."""
        bye = wire.Bye("stopping", "the server stops: come back in a moment", True)
        for room in self.rooms.values():
            room.rest()
            for line in list(room.lines):
                line.close(bye)
        for watcher in self.watchers:
            watcher.close(bye)
