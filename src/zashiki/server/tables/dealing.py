"""Dealing by commit and reveal: all of it, its timer included.

`start` commits to a seed. Every person adds a nonce (`ready`) after seeing the commitment. The
cards are dealt when all nonces are there, or when `NONCE_TIMEOUT_SECONDS` have passed.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import msgspec

from zashiki.core import record as records
from zashiki.core.record import Record
from zashiki.server.errors import ApiError
from zashiki.server.ops.logs import log
from zashiki.server.store.errors import Conflict
from zashiki.server.store.rows import EntryRow, MatchRow, server_bot_seats
from zashiki.server.tables import model
from zashiki.server.tables.commands import Command, NonceTimeout, Start
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.match import create_match
from zashiki.server.tables.model import Dealing, bot_id
from zashiki.server.tables.observer import TableObserver

Handle = Callable[[LiveTable, Command], Awaitable[None]]
MAX_NONCE_LENGTH = 64
NONCE_TIMEOUT_SECONDS = 10.0
"""After this time a nonce that did not come counts as empty."""


async def start(table: LiveTable, command: Start) -> None:
    """Commit to a seed. The deal waits for the nonces of all people."""
    table.check_host(command.host)
    table.check_open()
    if not command.has_bots:
        model.check_no_bots(table.doc)
    model.check_full(table.doc)
    seed, salt = table.system.secret(), table.system.secret()
    dealing = Dealing(seed.hex(), salt.hex(), table.system.now())
    if table.doc.people():
        await table.change(msgspec.structs.replace(table.doc, dealing=dealing))
    else:
        await deal(table, dealing)


async def ready(table: LiveTable, seat: int, nonce: str) -> None:
    """Add the nonce of a seat, and deal if it is the last one.

    Nonces are kept in memory until the deal is written: after a restart, clients send them again.
    Servers that share a store write them, because each has the connections of some seats only.
    """
    if len(nonce) > MAX_NONCE_LENGTH or set(nonce) - set("0123456789abcdef"):
        text = f"nonce: expected at most {MAX_NONCE_LENGTH} hexadecimal digits"
        raise ApiError(422, "malformed", text)
    dealing = table.pending_deal()
    if dealing is None:
        raise ApiError(409, "not-starting", "nothing is being dealt")
    if str(seat) not in dealing.nonces:
        nonces = {**dealing.nonces, str(seat): nonce}
        dealing = msgspec.structs.replace(dealing, nonces=nonces)
        doc = msgspec.structs.replace(table.doc, dealing=dealing)
        is_last = doc.people() <= {int(one) for one in nonces}
        if table.context.is_shared:
            await table.change(doc)
        elif not is_last:
            table.show_nonces(doc)
    if table.doc.people() <= {int(one) for one in dealing.nonces}:
        await deal(table, dealing)


async def deal_without_missing_nonces(table: LiveTable) -> None:
    """The time for nonces is over."""
    dealing = table.pending_deal()
    if dealing is not None:
        await deal(table, dealing)


async def deal(table: LiveTable, dealing: Dealing) -> None:
    """Begin the match: on disk first."""
    seed, salt = dealing.secrets
    doc, seats = table.doc, len(table.doc.chairs)
    names = [chair.name for chair in doc.chairs]
    nonces = [dealing.nonces.get(str(seat), "") for seat in range(seats)]
    live, facts = create_match(doc.spec, seats, doc.options, seed, salt, names, nonces)
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
    row = table.next_row(doc=msgspec.to_builtins(doc), state="playing", match=match.id)
    first = EntryRow(match.id, 0, None, None, None, None, None, facts, table.system.now())
    try:
        with table.stale_on_failure():
            await table.store.begin_match(match, first, row)
    except Conflict:  # another server has dealt: its deal is read
        return
    table.begin_match(row, doc, match, live)
    log(logging.INFO, "started", table=row.id, match=match.id)
    table.tell_changed()
    table.publish()


class NonceTimer(TableObserver[LiveTable]):
    """Deals without missing nonces when their time is over, and tries again if that fails.

    The time begins when this server learns of the start: another server's clock may differ.
    """

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        self._waiting: dict[str, asyncio.Task[None]] = {}
        """The tables that wait for nonces."""

    def on_row_changed(self, table: LiveTable) -> None:
        id = table.row.id
        if table.pending_deal() is not None and id not in self._waiting:
            task = self._waiting[id] = asyncio.create_task(self._wait(table))
            task.add_done_callback(lambda _: self._waiting.pop(id, None))

    async def _wait(self, table: LiveTable) -> None:
        await asyncio.sleep(NONCE_TIMEOUT_SECONDS)
        while table.pending_deal() is not None:
            try:
                await self._handle(table, NonceTimeout())
            except Exception as fault:
                log(logging.ERROR, "broken", fault, table=table.row.id)
                await asyncio.sleep(1.0)

    def close(self) -> None:
        """Cancel all timers: the server stops. A later start deals."""
        for task in self._waiting.values():
            task.cancel()
