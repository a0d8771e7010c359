"""All tables: those in memory, those on disk, and who looks at the list of them."""

import asyncio
from weakref import WeakValueDictionary

import msgspec

from zashiki.server import wire
from zashiki.server.lines import Line
from zashiki.server.problems import Problem
from zashiki.server.rooms import Room
from zashiki.server.source import Source
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import PlayerRow, TableRow
from zashiki.server.tables import opened

LISTED = frozenset({"open", "playing"})
MOST_LISTED = 200


class Hall:
    """Opens tables and finds them."""

    def __init__(self, store: Store, source: Source) -> None:
        self.store = store
        self.source = source
        self.rooms: dict[str, Room] = {}
        self.watchers: set[Line] = set()
        """Who looks at the lobby."""
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def open(self, host: PlayerRow, wanted: wire.NewTable) -> Room:
        now, key = self.source.now(), self.source.id()
        table = opened(wanted, host.id, host.name, now, key)
        row = TableRow(
            id=self.source.id(),
            host=host.id,
            state="open",
            public=wanted.public,
            doc=msgspec.to_builtins(table),
            version=1,
            updated=now,
        )
        await self.store.add_table(row)
        room = self.rooms[row.id] = Room(row, self.store, self.source, self.changed)
        self.changed(row)
        return room

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
            room = Room(row, self.store, self.source, self.changed)
            await room.load()
            self.rooms[id] = room
            return room

    async def lobby(self) -> list[wire.Table]:
        """The public tables, those that changed last first."""
        rows = await self.store.tables(LISTED, True, MOST_LISTED)
        return [(await self.room(row.id)).seen() for row in rows]

    def changed(self, row: TableRow) -> None:
        """Tell those who look at the lobby."""
        room = self.rooms.get(row.id)
        if row.public and room is not None:
            frame = msgspec.json.encode(wire.Changed(room.seen()))
            for watcher in self.watchers:
                watcher.send(frame)

    async def forget_idle(self) -> int:
        """Drop rooms where nobody is: they are built again from the log when somebody comes."""
        idle = [room for room in self.rooms.values() if not room.lines and room.secrets is None]
        for room in idle:
            if not room.lock.locked():
                del self.rooms[room.row.id]
        return len(idle)

    async def close(self) -> None:
        """Say goodbye: every line is told to come back, and what is being dealt is dropped."""
        bye = wire.Bye("stopping", "the server stops: come back in a moment", True)
        for room in self.rooms.values():
            if room.dealing is not None:
                room.dealing.cancel()
            for line in list(room.lines):
                line.close(bye)
        for watcher in self.watchers:
            watcher.close(bye)
