"""A table before its match: who sits down, who gets up, and how the match is dealt."""

import asyncio
import logging

import msgspec

from zashiki.core import record as records
from zashiki.core.record import Record
from zashiki.server import chatting, playing, tables
from zashiki.server.finishing import finished
from zashiki.server.live import begun
from zashiki.server.logs import log
from zashiki.server.problems import Problem
from zashiki.server.rooms import Room, retried
from zashiki.server.store.protocol import Conflict
from zashiki.server.store.rows import EntryRow, MatchRow, PlayerKind, house_seats
from zashiki.server.tables import Dealing, Table, bot_id

LONGEST_NONCE = 64
WAIT_FOR_NONCES = 10.0
"""Seconds after which a nonce that did not come counts as empty."""


@retried
async def sit(
    room: Room, seat: int, player: str, name: str, key: str | None, who: PlayerKind = "guest"
) -> None:
    async with room.sound():
        room.check_open()
        if await playing.is_deleted(room, player):  # who is deleted later is made to get up again
            raise Problem(401, "signed-out", "this session has ended: sign in again")
        await room.change(tables.sat(room.table, seat, player, name, key, who))


@retried
async def stand(room: Room, player: str) -> None:
    async with room.sound():
        room.check_open()
        seat = room.table.seat_of(player)
        if seat is None:
            raise Problem(409, "not-seated", "you do not sit at this table")
        await room.change(tables.stood(room.table, seat))


@retried
async def remove(room: Room, player: str, seat: int) -> None:
    """The host shows somebody the door."""
    async with room.sound():
        room.check_host(player)
        room.check_open()
        await room.change(tables.stood(room.table, seat))


@retried
async def place(room: Room, player: str, seat: int, bot: str | None) -> None:
    """The host asks a bot to a free seat, or sends it away."""
    async with room.sound():
        room.check_host(player)
        room.check_open()
        await room.change(tables.placed(room.table, seat, bot))


@retried
async def swap(room: Room, player: str, seat: int, other: int | None) -> None:
    """Two people change places if both wish it, or any two seats if the host does."""
    async with room.sound():
        room.check_open()
        if player != room.row.host:
            if other is not None:
                room.check_host(player)
            await room.change(tables.wished(room.table, player, seat))
            return
        own = room.table.seat_of(player) if other is None else other
        if own is None:
            raise Problem(409, "not-seated", "you do not sit at this table: name both seats")
        await room.change(tables.swapped(room.table, own, seat))


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
            await room.change(tables.renamed(room.table, player, name))


@retried
async def forget(room: Room, player: str, name: str) -> None:
    """Somebody is deleted: a seat in a match stays theirs, and what they said; not the name.

    A table that has not started is closed with its host.
    """
    async with room.sound():
        chatting.rename(room, player, name)
        seat, table = room.table.seat_of(player), room.table
        if not room.is_open():
            if seat is not None:
                await room.change(tables.renamed(table, player, name))
            return
        if seat is not None:
            table = tables.stood(table, seat)
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
        table = tables.stood(table, seat) if gone else tables.changed(table, seat, here)
    return tables.introduced(table)


# Dealing ---------------------------------------------------------------------------------------


@retried
async def start(room: Room, player: str) -> None:
    """Commit to a seed; the deal waits for the nonces of all people, but not for ever."""
    async with room.sound():
        room.check_host(player)
        room.check_open()
        tables.check_full(room.table)
        seed, salt = room.source.secret(), room.source.secret()
        dealing = Dealing(seed.hex(), salt.hex(), room.source.now())
        if room.table.people():
            await room.change(msgspec.structs.replace(room.table, dealing=dealing))
        else:
            await deal(room, dealing)


async def deal_anyway(room: Room) -> None:
    """Deal when the time for nonces is over, and if that fails until it does not.

    It begins when this server learns of it: another's clock may differ.
    """
    await asyncio.sleep(WAIT_FOR_NONCES)
    while room.table.dealing is not None:
        try:
            async with room.sound():
                if room.table.dealing is not None:
                    await deal(room, room.table.dealing)
        except Exception as fault:
            log(logging.ERROR, "broken", fault, table=room.row.id)
            await asyncio.sleep(1.0)


@retried
async def ready(room: Room, seat: int, nonce: str) -> None:
    """A seat has seen the commitment and adds its own chance to it."""
    if len(nonce) > LONGEST_NONCE or set(nonce) - set("0123456789abcdef"):
        text = f"nonce: at most {LONGEST_NONCE} hexadecimal digits are expected"
        raise Problem(422, "malformed", text)
    async with room.sound():
        dealing = room.table.dealing
        if dealing is None:
            raise Problem(409, "not-starting", "nothing is being dealt")
        if str(seat) not in dealing.nonces:
            nonces = {**dealing.nonces, str(seat): nonce}
            dealing = msgspec.structs.replace(dealing, nonces=nonces)
            await room.change(msgspec.structs.replace(room.table, dealing=dealing))
        if room.table.people() <= {int(seat) for seat in dealing.nonces}:
            await deal(room, dealing)


async def deal(room: Room, dealing: Dealing) -> None:
    """Begin the match: on disk first."""
    seed, salt = dealing.secrets
    table, seats = room.table, len(room.table.chairs)
    names = [chair.name for chair in table.chairs]
    nonces = [dealing.nonces.get(str(seat), "") for seat in range(seats)]
    live, facts = begun(table.offer, seats, table.options, seed, salt, names, nonces)
    match = MatchRow(
        id=room.source.id(),
        table=room.row.id,
        game=table.game,
        seats=seats,
        header=records.header_line(Record(live.match.header, (), False)),
        seed=seed,
        salt=salt,
        started=room.source.now(),
        ended=None,
        players=[chair.player or bot_id(chair.bot) for chair in table.chairs],
        rated=tables.is_rated(table),
        ranks=None,
        scores=None,
    )
    live.house = house_seats(match)
    table = msgspec.structs.replace(table, wishes=(), dealing=None)
    row = room.next(doc=msgspec.to_builtins(table), state="playing", match=match.id)
    first = EntryRow(match.id, 0, None, None, None, None, None, facts, room.source.now())
    try:
        await room.store.begin_match(match, first, row)
    except Conflict:  # another server has dealt
        await playing.reload(room)
        return
    except BaseException:
        room.is_doubtful = True
        await finished(playing.reload(room))
        raise
    room.match, room.live = match, live
    room.settle(row, table)
    room.attend(room.new_attendance())
    log(logging.INFO, "started", table=row.id, match=match.id)
    room.tell_changed()
    room.publish()
