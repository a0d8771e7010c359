"""A table before its match: who sits down, who gets up, and how the match is dealt."""

import asyncio
import logging

import msgspec

from zashiki.core import record as records
from zashiki.core.record import Record
from zashiki.server.errors import Problem
from zashiki.server.ops.logs import log
from zashiki.server.ops.shield import finished
from zashiki.server.store.errors import Conflict
from zashiki.server.store.rows import EntryRow, MatchRow, house_seats
from zashiki.server.tables import model, recovery
from zashiki.server.tables.live import Room, retried
from zashiki.server.tables.match import begun
from zashiki.server.tables.model import Dealing, bot_id

LONGEST_NONCE = 64
WAIT_FOR_NONCES = 10.0
"""Seconds after which a nonce that did not come counts as empty."""


# Dealing ---------------------------------------------------------------------------------------


@retried
async def start(room: Room, player: str) -> None:
    """Commit to a seed; the deal waits for the nonces of all people, but not for ever."""
    async with room.sound():
        room.check_host(player)
        room.check_open()
        model.check_full(room.table)
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
        rated=model.is_rated(table),
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
        await recovery.reload(room)
        return
    except BaseException:
        room.is_doubtful = True
        await finished(recovery.reload(room))
        raise
    room.match, room.live = match, live
    room.settle(row, table)
    room.attend(room.new_attendance())
    log(logging.INFO, "started", table=row.id, match=match.id)
    room.tell_changed()
    room.publish()
