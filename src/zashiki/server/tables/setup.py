"""A table before its match, and around it: seats, names, closing, and the table of a rematch.

Each function here changes one table. `opening` opens new ones, those of rematches too.
"""

import msgspec

from zashiki.server.errors import ApiError
from zashiki.server.tables import commands as on
from zashiki.server.tables import model
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.model import TableDoc
from zashiki.server.tables.recovery import deleted_among

SeatCommand = on.Sit | on.Stand | on.Remove | on.PlaceBot | on.Swap | on.Close


async def change_seats(table: LiveTable, command: SeatCommand) -> None:
    """Change who sits where at a table that has not started."""
    if isinstance(command, on.Remove | on.PlaceBot | on.Close):
        table.check_host(command.host)
    table.check_open()
    match command:
        case on.Sit():
            await sit(table, command)
        case on.Stand():
            await table.change(model.stood(table.doc, own_seat(table, command.player)))
        case on.Remove():
            await table.change(model.removed(table.doc, command.seat, command.host))
        case on.PlaceBot():
            await table.change(model.placed(table.doc, command.seat, command.bot))
        case on.Swap():
            await table.change(swapped_or_wished(table, command))
        case on.Close():
            await table.change(table.doc, state="closed")


async def sit(table: LiveTable, command: on.Sit) -> None:
    """Seat a player. One who is deleted later is made to stand up again."""
    player = command.player
    model.check_welcome(table.doc, player.id)
    if await deleted_among(table.store, {player.id}):
        raise ApiError(401, "signed-out", "this session has ended: sign in again")
    doc = model.sat(table.doc, command.seat, player.id, player.name, command.key, player.kind)
    await table.change(doc)


def swapped_or_wished(table: LiveTable, command: on.Swap) -> TableDoc:
    """Swap the seats of two people if both ask for it, or any two seats if the host does."""
    if command.player != table.row.host:
        if command.other is not None:
            table.check_host(command.player)
        return model.wished(table.doc, command.player, command.seat)
    own = command.other
    if own is None:
        own = table.doc.seat_of(command.player)
    if own is None:
        raise ApiError(409, "not-seated", "you do not sit at this table: name both seats")
    return model.swapped(table.doc, own, command.seat)


def own_seat(table: LiveTable, player: str) -> int:
    seat = table.doc.seat_of(player)
    if seat is None:
        raise ApiError(409, "not-seated", "you do not sit at this table")
    return seat


async def close_for_all(table: LiveTable) -> None:
    """Close a table for the operator. A match that is being played there ends without a result."""
    if table.row.state in {"open", "playing"}:
        await table.change(msgspec.structs.replace(table.doc, dealing=None), state="closed")
        table.reschedule()


async def rename(table: LiveTable, player: str, name: str) -> None:
    """Show a player's new name. At a match it stays the one of its record."""
    if table.is_open() and table.doc.seat_of(player) is not None:
        await table.change(model.renamed(table.doc, player, name))


async def forget(table: LiveTable, player: str, name: str) -> None:
    """Take away the name of a deleted player, and the seat if the match has not started.

    A table that has not started is closed with its host.
    """
    table.rename_in_chat(player, name)
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


# Rematch ---------------------------------------------------------------------------------------


def check_rematch(table: LiveTable, player: str) -> None:
    """Refuse a rematch to strangers, and before the match is over."""
    if table.doc.seat_of(player) is None:
        raise ApiError(403, "not-seated", "only those who sat at this table may ask for that")
    if table.doc.next is None and table.row.state != "over":
        raise ApiError(409, "not-over", "the match at this table is not over")


async def rematch_doc(table: LiveTable) -> TableDoc:
    """Return a table like this one for the players who still exist, under today's names.

    Two players change sides. With more, who sits where is drawn.
    """
    doc = msgspec.structs.replace(
        table.doc,
        resigned=(),
        gone={},
        claimed=(),
        left_counts=False,
        invited={},
        next=None,
        next_by=None,
        seating="fixed",
        created=table.system.now(),
        key=table.system.id(),
    )
    players = await table.store.players(doc.players())
    for seat, chair in enumerate(doc.chairs):
        player = None if chair.player is None else players.get(chair.player)
        if player is None:
            continue
        here = msgspec.structs.replace(chair, name=player.name, who=player.kind)
        doc = model.stood(doc, seat) if player.deleted else model.changed(doc, seat, here)
    return model.introduced(model.reseated(doc, table.system.secret()))


async def link_rematch(table: LiveTable, command: on.LinkRematch) -> None:
    """Store the id of the rematch, unless another server was first."""
    if table.doc.next == command.instead_of:
        doc = msgspec.structs.replace(table.doc, next=command.table, next_by=command.by)
        await table.change(doc)
