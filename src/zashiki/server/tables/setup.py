"""A table before its match: who sits down, who gets up, and how the match is dealt."""

import msgspec

from zashiki.server.errors import ApiError
from zashiki.server.store.rows import PlayerKind
from zashiki.server.tables import chat, model, recovery
from zashiki.server.tables.live import LiveTable, retried
from zashiki.server.tables.model import Table


@retried
async def sit(
    table: LiveTable, seat: int, player: str, name: str, key: str | None, who: PlayerKind = "guest"
) -> None:
    async with table.exclusive():
        table.check_open()
        if await recovery.is_deleted(table, player):  # who is deleted later is made to get up again
            raise ApiError(401, "signed-out", "this session has ended: sign in again")
        await table.change(model.sat(table.doc, seat, player, name, key, who))


@retried
async def stand(table: LiveTable, player: str) -> None:
    async with table.exclusive():
        table.check_open()
        seat = table.doc.seat_of(player)
        if seat is None:
            raise ApiError(409, "not-seated", "you do not sit at this table")
        await table.change(model.stood(table.doc, seat))


@retried
async def remove(table: LiveTable, player: str, seat: int) -> None:
    """The host shows somebody the door."""
    async with table.exclusive():
        table.check_host(player)
        table.check_open()
        await table.change(model.stood(table.doc, seat))


@retried
async def place(table: LiveTable, player: str, seat: int, bot: str | None) -> None:
    """The host asks a bot to a free seat, or sends it away."""
    async with table.exclusive():
        table.check_host(player)
        table.check_open()
        await table.change(model.placed(table.doc, seat, bot))


@retried
async def swap(table: LiveTable, player: str, seat: int, other: int | None) -> None:
    """Two people change places if both wish it, or any two seats if the host does."""
    async with table.exclusive():
        table.check_open()
        if player != table.row.host:
            if other is not None:
                table.check_host(player)
            await table.change(model.wished(table.doc, player, seat))
            return
        own = table.doc.seat_of(player) if other is None else other
        if own is None:
            raise ApiError(409, "not-seated", "you do not sit at this table: name both seats")
        await table.change(model.swapped(table.doc, own, seat))


@retried
async def shut(table: LiveTable, player: str) -> None:
    """The host closes a table that has not started."""
    async with table.exclusive():
        table.check_host(player)
        table.check_open()
        await table.change(table.doc, state="closed")


@retried
async def rename(table: LiveTable, player: str, name: str) -> None:
    """Somebody has another name; at a match it stays the one of its record."""
    async with table.exclusive():
        if table.is_open() and table.doc.seat_of(player) is not None:
            await table.change(model.renamed(table.doc, player, name))


@retried
async def forget(table: LiveTable, player: str, name: str) -> None:
    """Somebody is deleted: a seat in a match stays theirs, and what they said; not the name.

    A table that has not started is closed with its host.
    """
    async with table.exclusive():
        chat.rename(table, player, name)
        seat, doc = table.doc.seat_of(player), table.doc
        if not table.is_open():
            if seat is not None:
                await table.change(model.renamed(doc, player, name))
            return
        if seat is not None:
            doc = model.stood(doc, seat)
        if player == table.row.host:
            await table.change(doc, state="closed")
        elif seat is not None:
            await table.change(doc)


async def again(table: LiveTable) -> Table:
    """A table like this one for the same people, if they are still there, under today's names."""
    doc = msgspec.structs.replace(
        table.doc, resigned=(), taken_over=False, created=table.system.now(), key=table.system.id()
    )
    for seat, chair in enumerate(doc.chairs):
        player = None if chair.player is None else await table.store.player(chair.player)
        if player is None:
            continue
        here = msgspec.structs.replace(chair, name=player.name, who=player.kind)
        gone = player.deleted
        doc = model.stood(doc, seat) if gone else model.changed(doc, seat, here)
    return model.introduced(doc)
