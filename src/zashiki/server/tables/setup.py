"""A table before its match: who sits down, who gets up, and how the match is dealt."""

import msgspec

from zashiki.server.errors import Problem
from zashiki.server.store.rows import PlayerKind
from zashiki.server.tables import chat, model, recovery
from zashiki.server.tables.live import Room, retried
from zashiki.server.tables.model import Table


@retried
async def sit(
    room: Room, seat: int, player: str, name: str, key: str | None, who: PlayerKind = "guest"
) -> None:
    async with room.sound():
        room.check_open()
        if await recovery.is_deleted(room, player):  # who is deleted later is made to get up again
            raise Problem(401, "signed-out", "this session has ended: sign in again")
        await room.change(model.sat(room.table, seat, player, name, key, who))


@retried
async def stand(room: Room, player: str) -> None:
    async with room.sound():
        room.check_open()
        seat = room.table.seat_of(player)
        if seat is None:
            raise Problem(409, "not-seated", "you do not sit at this table")
        await room.change(model.stood(room.table, seat))


@retried
async def remove(room: Room, player: str, seat: int) -> None:
    """The host shows somebody the door."""
    async with room.sound():
        room.check_host(player)
        room.check_open()
        await room.change(model.stood(room.table, seat))


@retried
async def place(room: Room, player: str, seat: int, bot: str | None) -> None:
    """The host asks a bot to a free seat, or sends it away."""
    async with room.sound():
        room.check_host(player)
        room.check_open()
        await room.change(model.placed(room.table, seat, bot))


@retried
async def swap(room: Room, player: str, seat: int, other: int | None) -> None:
    """Two people change places if both wish it, or any two seats if the host does."""
    async with room.sound():
        room.check_open()
        if player != room.row.host:
            if other is not None:
                room.check_host(player)
            await room.change(model.wished(room.table, player, seat))
            return
        own = room.table.seat_of(player) if other is None else other
        if own is None:
            raise Problem(409, "not-seated", "you do not sit at this table: name both seats")
        await room.change(model.swapped(room.table, own, seat))


@retried
async def shut(room: Room, player: str) -> None:
    """The host closes a table that has not started."""
    async with room.sound():
        room.check_host(player)
        room.check_open()
        await room.change(room.table, state="closed")


@retried
async def rename(room: Room, player: str, name: str) -> None:
    """Somebody has another name; at a match it stays the one of its record."""
    async with room.sound():
        if room.is_open() and room.table.seat_of(player) is not None:
            await room.change(model.renamed(room.table, player, name))


@retried
async def forget(room: Room, player: str, name: str) -> None:
    """Somebody is deleted: a seat in a match stays theirs, and what they said; not the name.

    A table that has not started is closed with its host.
    """
    async with room.sound():
        chat.rename(room, player, name)
        seat, table = room.table.seat_of(player), room.table
        if not room.is_open():
            if seat is not None:
                await room.change(model.renamed(table, player, name))
            return
        if seat is not None:
            table = model.stood(table, seat)
        if player == room.row.host:
            await room.change(table, state="closed")
        elif seat is not None:
            await room.change(table)


async def again(room: Room) -> Table:
    """A table like this one for the same people, if they are still there, under today's names."""
    table = msgspec.structs.replace(
        room.table, resigned=(), taken_over=False, created=room.source.now(), key=room.source.id()
    )
    for seat, chair in enumerate(table.chairs):
        player = None if chair.player is None else await room.store.player(chair.player)
        if player is None:
            continue
        here = msgspec.structs.replace(chair, name=player.name, who=player.kind)
        gone = player.deleted
        table = model.stood(table, seat) if gone else model.changed(table, seat, here)
    return model.introduced(table)
