"""A table before its match: who sits down, who gets up, and how the match is dealt."""

import asyncio
import logging

import msgspec

from zashiki.core import record as records
from zashiki.core.record import Record
from zashiki.server.errors import ApiError
from zashiki.server.ops.logs import log
from zashiki.server.ops.shield import run_to_completion
from zashiki.server.store.errors import Conflict
from zashiki.server.store.rows import EntryRow, MatchRow, server_bot_seats
from zashiki.server.tables import model, recovery
from zashiki.server.tables.live import LiveTable, retried
from zashiki.server.tables.match import create_match
from zashiki.server.tables.model import Dealing, bot_id

MAX_NONCE_LENGTH = 64
NONCE_TIMEOUT_SECONDS = 10.0
"""Seconds after which a nonce that did not come counts as empty."""


# Dealing ---------------------------------------------------------------------------------------


@retried
async def start(table: LiveTable, player: str) -> None:
    """Commit to a seed; the deal waits for the nonces of all people, but not for ever."""
    async with table.exclusive():
        table.check_host(player)
        table.check_open()
        model.check_full(table.doc)
        seed, salt = table.system.secret(), table.system.secret()
        dealing = Dealing(seed.hex(), salt.hex(), table.system.now())
        if table.doc.people():
            await table.change(msgspec.structs.replace(table.doc, dealing=dealing))
        else:
            await deal(table, dealing)


async def deal_without_missing_nonces(table: LiveTable) -> None:
    """Deal when the time for nonces is over, and if that fails until it does not.

    It begins when this server learns of it: another's clock may differ.
    """
    await asyncio.sleep(NONCE_TIMEOUT_SECONDS)
    while table.doc.dealing is not None:
        try:
            async with table.exclusive():
                if table.doc.dealing is not None:
                    await deal(table, table.doc.dealing)
        except Exception as fault:
            log(logging.ERROR, "broken", fault, table=table.row.id)
            await asyncio.sleep(1.0)


@retried
async def ready(table: LiveTable, seat: int, nonce: str) -> None:
    """A seat has seen the commitment and adds its own chance to it."""
    if len(nonce) > MAX_NONCE_LENGTH or set(nonce) - set("0123456789abcdef"):
        text = f"nonce: at most {MAX_NONCE_LENGTH} hexadecimal digits are expected"
        raise ApiError(422, "malformed", text)
    async with table.exclusive():
        dealing = table.doc.dealing
        if dealing is None:
            raise ApiError(409, "not-starting", "nothing is being dealt")
        if str(seat) not in dealing.nonces:
            nonces = {**dealing.nonces, str(seat): nonce}
            dealing = msgspec.structs.replace(dealing, nonces=nonces)
            await table.change(msgspec.structs.replace(table.doc, dealing=dealing))
        if table.doc.people() <= {int(seat) for seat in dealing.nonces}:
            await deal(table, dealing)


async def deal(table: LiveTable, dealing: Dealing) -> None:
    """Begin the match: on disk first."""
    seed, salt = dealing.secrets
    doc, seats = table.doc, len(table.doc.chairs)
    names = [chair.name for chair in doc.chairs]
    nonces = [dealing.nonces.get(str(seat), "") for seat in range(seats)]
    live, facts = create_match(doc.offer, seats, doc.options, seed, salt, names, nonces)
    match = MatchRow(
        id=table.system.id(),
        table=table.row.id,
        game=doc.game,
        seats=seats,
        header=records.header_line(Record(live.match.header, (), False)),
        seed=seed,
        salt=salt,
        started=table.system.now(),
        ended=None,
        players=[chair.player or bot_id(chair.bot) for chair in doc.chairs],
        rated=model.is_rated(doc),
        ranks=None,
        scores=None,
    )
    live.server_bots = server_bot_seats(match)
    doc = msgspec.structs.replace(doc, wishes=(), dealing=None)
    row = table.next(doc=msgspec.to_builtins(doc), state="playing", match=match.id)
    first = EntryRow(match.id, 0, None, None, None, None, None, facts, table.system.now())
    try:
        await table.store.begin_match(match, first, row)
    except Conflict:  # another server has dealt
        await recovery.reload(table)
        return
    except BaseException:
        table.needs_reload = True
        await run_to_completion(recovery.reload(table))
        raise
    table.match_row, table.live = match, live
    table.settle(row, doc)
    table.attend(table.new_presence())
    log(logging.INFO, "started", table=row.id, match=match.id)
    table.tell_changed()
    table.publish()
