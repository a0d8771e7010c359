"""Dealing by commit and reveal, with its timer.

`start` commits to a seed. Every person who has seen the commitment gives the hash of a nonce
(`ready`). When all hashes are there the list of them is written and shown. Then every person who
has seen the list reveals the nonce (`reveal`), and the cards are dealt. Each of the two phases ends
after `NONCE_TIMEOUT_SECONDS`; the record says who gave no hash, and who withheld a nonce.

So nobody can choose a nonce that suits those of others, not even a player who reads the store.
"""

import asyncio
import logging
from asyncio import sleep
from collections.abc import Awaitable, Callable
from contextlib import suppress

import msgspec

from zashiki.core import record as records
from zashiki.core.record import Record
from zashiki.server.errors import ApiError
from zashiki.server.ops.logs import log
from zashiki.server.store.errors import Conflict
from zashiki.server.store.rows import EntryRow, MatchRow, server_bot_seats
from zashiki.server.tables import model, ratings
from zashiki.server.tables.commands import Answers, Command, NonceTimeout, Ready, Reveal, Start
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.match import create_match
from zashiki.server.tables.memory import prepared_rules
from zashiki.server.tables.model import Dealing, bot_id
from zashiki.server.tables.observer import TableObserver

Handle = Callable[[LiveTable, Command], Awaitable[None]]
NONCE_TIMEOUT_SECONDS = 10.0
"""The longest wait for hashes, and then for nonces."""


async def start(table: LiveTable, command: Start) -> None:
    """Draw the seats if the table says so, and commit to a seed, once per table.

    The deal waits for all people.
    """
    table.check_host(command.host)
    table.check_open()
    if not command.has_bots:
        model.check_no_bots(table.doc)
    model.check_full(table.doc)
    table.context.check_memory(table.doc)
    seed, salt = table.system.secret(), table.system.secret()
    dealing = Dealing(seed.hex(), salt.hex(), table.system.now())
    if table.doc.people():
        doc = table.doc
        if doc.seating == "drawn":
            doc = model.drawn(doc, table.system.secret())
        await table.change(msgspec.structs.replace(doc, dealing=dealing))
        return
    with suppress(Conflict):  # another server has dealt: its deal is read
        await deal(table, dealing)


async def take_answers(table: LiveTable, command: Answers) -> list[ApiError | None]:
    """Take hashes, or nonces. The last one ends the phase. Return what is wrong with each.

    They are kept in memory until they are complete: after a restart, clients send them again.
    Servers that share a store write them, because each has the connections of some seats.
    """
    before = dealing = table.pending_deal()
    faults: list[ApiError | None] = []
    for answer in command.each:
        try:
            dealing = with_answer(dealing, answer)
            faults.append(None)
        except ApiError as fault:
            faults.append(fault)
    if dealing is None:
        return faults
    doc = msgspec.structs.replace(table.doc, dealing=dealing)
    if dealing.is_complete(doc.people()):
        if not table.context.is_shared:
            table.keep_answers(doc)  # if the write fails, they are not given again
        await next_phase(table, dealing)
    elif dealing is before:
        return faults
    elif table.context.is_shared:
        await table.change(doc)
    else:
        table.show_answers(doc)
    return faults


def with_answer(dealing: Dealing | None, answer: Ready | Reveal) -> Dealing:
    if isinstance(answer, Ready):
        return with_hash(dealing, answer.seat, answer.hash)
    return with_nonce(dealing, answer.seat, answer.nonce)


def with_hash(pending: Dealing | None, seat: int, hash: str) -> Dealing:
    """Take the hash of a seat's nonce, or note that the seat gives none."""
    if hash and not records.is_hex(hash, 64):
        text = f"hash: expected 64 hexadecimal digits, found {len(hash)} characters"
        raise ApiError(422, "malformed", text)
    dealing = check_dealing(pending)
    known = dealing.hashes.get(str(seat))
    if known == hash or (known is not None and not hash):
        return dealing
    if dealing.is_fixed:
        text = "the hashes of this deal are fixed: this seat takes part with another one, or none"
        raise ApiError(409, "too-late", text)
    if known:
        raise ApiError(409, "hash-given", "another hash was given for this seat: it stays")
    return msgspec.structs.replace(dealing, hashes={**dealing.hashes, str(seat): hash})


def with_nonce(pending: Dealing | None, seat: int, nonce: str) -> Dealing:
    """Take the nonce of a seat if it fits its hash."""
    dealing = check_dealing(pending)
    if not dealing.is_fixed:
        text = "the hashes of this deal are not fixed: reveal the nonce when the table shows them"
        raise ApiError(409, "too-early", text)
    if len(nonce) not in records.NONCE_DIGITS or not records.is_hex(nonce, len(nonce)):
        first, last = records.NONCE_DIGITS[0], records.NONCE_DIGITS[-1]
        text = f"nonce: expected {first} to {last} hexadecimal digits"
        raise ApiError(422, "malformed", text)
    if records.nonce_hash(dealing.commitment, seat, nonce) != dealing.hashes.get(str(seat)):
        text = "this nonce does not fit the hash of this seat: reveal the nonce that was hashed"
        raise ApiError(422, "other-nonce", text)
    if str(seat) in dealing.nonces:
        return dealing
    return msgspec.structs.replace(dealing, nonces={**dealing.nonces, str(seat): nonce})


def check_dealing(dealing: Dealing | None) -> Dealing:
    if dealing is None:
        raise ApiError(409, "not-starting", "nothing is being dealt")
    return dealing


async def end_phase(table: LiveTable, is_fixed: bool) -> None:
    """The time for hashes, or for nonces, is over. The phase may have ended meanwhile."""
    dealing = table.pending_deal()
    if dealing is not None and dealing.is_fixed == is_fixed:
        await next_phase(table, dealing)


async def next_phase(table: LiveTable, dealing: Dealing) -> None:
    """Write and show the list of hashes, or deal if nobody has a nonce to reveal."""
    if dealing.is_fixed or not any(dealing.hashes.values()):
        await deal(table, dealing)
        return
    hashes = {str(seat): dealing.hashes.get(str(seat), "") for seat in table.doc.people()}
    fixed = msgspec.structs.replace(dealing, hashes=hashes, nonces={}, is_fixed=True)
    await table.change(msgspec.structs.replace(table.doc, dealing=fixed))


async def deal(table: LiveTable, dealing: Dealing) -> None:
    """Begin the match: on disk first.

    After a conflict the command comes again. If another server has dealt, its answers are refused,
    so that nobody believes that their nonce took part.
    """
    seed, salt = dealing.secrets
    doc, seats = table.doc, len(table.doc.chairs)
    names = [chair.name for chair in doc.chairs]
    revealed = dealing.nonces if dealing.is_fixed else {}
    nonces = [revealed.get(str(seat), "") for seat in range(seats)]
    hashes = dealing.hashes_of(doc.chairs) if doc.people() else ()
    rules = await prepared_rules(doc)
    live, facts = create_match(
        doc.spec, seats, doc.options, seed, salt, names, nonces, hashes, doc.scene
    )
    del rules  # the match has them from here on
    unrated = ratings.why_unrated(doc)
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
        rated=unrated is None,
        unrated=unrated,
    )
    if match.rated and (unrated := await ratings.why_unrated_between(table.store, match)):
        match = msgspec.structs.replace(match, rated=False, unrated=unrated)
    live.server_bots = server_bot_seats(match)
    doc = msgspec.structs.replace(doc, wishes=(), dealing=None, left_counts=match.rated)
    row = table.next_row(doc=msgspec.to_builtins(doc), state="playing", match=match.id)
    first = EntryRow(match.id, 0, None, None, None, None, None, facts, table.system.now())
    with table.stale_on_failure():
        await table.store.begin_match(match, first, row)
    table.begin_match(row, doc, match, live)
    log(logging.INFO, "started", table=row.id, match=match.id)
    table.tell_changed()
    table.publish()
    table.tell_turns()


class NonceTimer(TableObserver[LiveTable]):
    """Ends a phase of a deal when its time is over, and tries again if that fails.

    The time begins when this server learns of the phase: another server's clock may differ.
    """

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        self._waiting: dict[tuple[str, bool], asyncio.Task[None]] = {}
        """By table, and whether its hashes are fixed."""

    def on_row_changed(self, table: LiveTable) -> None:
        id, dealing = table.row.id, table.pending_deal()
        phase = None if dealing is None else (id, dealing.is_fixed)
        for other in ((id, False), (id, True)):
            if other != phase:
                self._stop(other)
        if dealing is not None and phase is not None and phase not in self._waiting:
            task = self._waiting[phase] = asyncio.create_task(self._wait(table, dealing.is_fixed))
            task.add_done_callback(lambda _: self._stop(phase, task))

    def _stop(self, phase: tuple[str, bool], task: asyncio.Task[None] | None = None) -> None:
        """Cancel a wait and forget it: otherwise it would keep the table in memory."""
        waiting = self._waiting.get(phase)
        if waiting is None or task not in {None, waiting}:
            return
        del self._waiting[phase]
        waiting.cancel()

    async def _wait(self, table: LiveTable, is_fixed: bool) -> None:
        await sleep(NONCE_TIMEOUT_SECONDS)
        while (dealing := table.pending_deal()) is not None and dealing.is_fixed == is_fixed:
            try:
                await self._handle(table, NonceTimeout(is_fixed))
            except Exception as fault:
                log(logging.ERROR, "broken", fault, table=table.row.id)
                await sleep(1.0)

    def close(self) -> None:
        """Cancel all timers: the server stops. After a start they begin when a table is loaded."""
        for task in self._waiting.values():
            task.cancel()
