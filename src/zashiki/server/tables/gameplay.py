"""The match at a table: from the log into memory, an action at a time, and out as a record."""

import logging

from msgspec.structs import replace

from zashiki.core.rulings import Malformed, Refusal, Refused
from zashiki.server.errors import ApiError
from zashiki.server.ops.logs import log
from zashiki.server.ops.metrics import COMMITS, DECISIONS, RETRIES, labelled
from zashiki.server.ops.shield import run_to_completion
from zashiki.server.protocol import frames, rest
from zashiki.server.store.errors import Busy, Conflict, Overtaken
from zashiki.server.store.rows import EntryRow, MatchRow, TableRow, is_bot
from zashiki.server.tables.live import TRIES, LiveTable, retried
from zashiki.server.tables.match import LiveMatch, Stale
from zashiki.server.tables.ratings import rated, settling
from zashiki.server.tables.recovery import read_on, record_actor, reload

MAX_KEY_LENGTH = 64


async def play(
    table: LiveTable, player: str, seat: int, command: frames.Play, language: str = "en"
) -> frames.Answer:
    """An action: exactly once for its key, or refused with nothing changed. So is another action
    with the same key.

    Where another server has written to the match meanwhile, perhaps the choice of another seat
    that decides at the same time, the action is judged again by how things stand now.
    """
    check_key(command.key)
    async with table.exclusive():
        for _ in range(TRIES):
            known = table.keys.get((seat, command.key))
            if known is not None:
                return known_answer(command, known)
            try:
                return await play_now(table, player, seat, command, language)
            except Conflict:
                RETRIES.inc()
                await reload(table)
        raise ApiError(409, "stale", "others were quicker again and again: look again")


def known_answer(command: frames.Play, known: tuple[int, str]) -> frames.Answer:
    if known != (command.decision, command.action):
        raise ApiError(422, "malformed", "key: it was used for another action")
    return frames.Answer(command.key, True)


async def play_now(
    table: LiveTable, player: str, seat: int, command: frames.Play, language: str
) -> frames.Answer:
    """An action by how the match stands; `Conflict` if it does not stand so any more."""
    live, match = table.live, table.match_row
    if live is None or match is None:
        raise ApiError(409, "not-playing", "no match is being played here")
    if live.is_old():
        text = "this match was begun by older rules: it can be read, but it does not go on"
        raise ApiError(409, "old-rules", text)
    check_actor(table, player, seat)
    try:
        facts = live.play(seat, command.decision, command.action, command.says)
    except Stale as stale:
        text, now = "that decision is not open", {"decision": stale.decision}
        raise ApiError(409, "stale", text, now) from None
    except Refused as refused:
        why = explained(live, refused.refusal, language)
        raise ApiError(422, why.code, why.text, why.details) from None
    except Malformed as fault:
        raise ApiError(422, "malformed", str(fault)) from None
    entry = EntryRow(
        match.id, live.done, seat, command.key, player, command.action, command.says,
        facts, table.system.now(),
    )  # fmt: skip
    is_first = record_actor(table, seat, player)
    with COMMITS.time():
        await commit(table, entry)
    if is_first:
        log(logging.INFO, "taken-over", table=table.row.id, match=match.id, seat=seat)
    labelled(DECISIONS, table.doc.game, "bot" if is_bot(player) else "person").inc()
    table.keys[seat, command.key] = command.decision, command.action
    if table.presence is not None:
        table.presence.acted(seat, table.system.now())
    table.publish()
    table.reschedule()
    return frames.Answer(command.key, True)


def check_actor(table: LiveTable, player: str, seat: int) -> None:
    """A bot plays where one is wanted now, and nobody plays for a seat that they gave away."""
    if is_bot(player):
        if seat not in table.bot_seats():
            raise ApiError(409, "stale", "nobody needs a bot on this seat now")
    elif seat in table.doc.resigned:
        raise ApiError(409, "resigned", "you have resigned: a bot plays for this seat")


async def commit(table: LiveTable, entry: EntryRow) -> None:
    live, match = table.live, table.match_row
    assert live is not None
    assert match is not None
    outcome = live.match.outcome
    try:
        if outcome is None:
            await table.store.append(entry)
            return
        ended = replace(
            match,
            ended=entry.at,
            ranks=list(outcome.ranks),
            scores=list(outcome.scores),
            rated=match.rated and not table.taken_over,
        )
        row = table.next(state="over")
        await finish(table, entry, ended, row)
        table.match_row, table.row = ended, row
        log(logging.INFO, "ended", table=row.id, match=ended.id)
        table.tell_changed()
    except Conflict:
        raise
    except BaseException:
        table.needs_reload = True
        await run_to_completion(reload(table))
        raise


async def finish(table: LiveTable, entry: EntryRow, ended: MatchRow, row: TableRow) -> None:
    """The last entry, with ratings by those that the players have when it is written."""
    async with settling(table.store, ended):
        for _ in range(TRIES):
            ratings = await rated(table.store, ended, entry.at, table.doc.resigned)
            try:
                await table.store.finish(entry, ended, ratings, row)
                return
            except Overtaken:
                continue
        raise Busy("the ratings of these players change faster than a match can end")


async def why_not(
    table: LiveTable, seat: int, action: str, language: str = "en"
) -> rest.Fault | None:
    async with table.exclusive():
        if table.live is None:
            raise ApiError(409, "not-playing", "no match is being played here")
        try:
            refusal = table.live.match.why_not(seat, action)
        except Malformed as fault:
            raise ApiError(422, "malformed", str(fault)) from None
        if refusal is None:
            return None
        return explained(table.live, refusal, language)


def explained(live: LiveMatch, refusal: Refusal, language: str) -> rest.Fault:
    """Why an action is refused, in a language."""
    text = live.wording(language).refusal(refusal)
    details = {"ruling": refusal.ruling, "blame": list(refusal.blame)}
    return rest.Fault("refused", f"{refusal.ruling}: {text}", details)


async def record(table: LiveTable, player: str | None) -> str:
    """What somebody may read now: all at the end, before that what their seat was told."""
    async with table.exclusive():
        if table.live is None:
            raise ApiError(404, "no-match", "no match was played here yet")
        if table.live.match.over:
            return table.live.match.record()
        seat = None if player is None else table.doc.seat_of(player)
        if seat is None and table.doc.watch == "off":
            raise ApiError(403, "not-watched", "this table is not to be watched")
        return table.outlook("all" if seat is None else seat).record()


@retried
async def resign(table: LiveTable, seat: int) -> None:
    """A seat is handed over to a bot, for good."""
    async with table.exclusive():
        await read_on(table)  # whether a bot has played before counts
        if table.presence is None or table.live is None or table.live.match.over:
            raise ApiError(409, "not-playing", "no match is being played here")
        if seat in table.presence.resigned:
            return
        resigned = tuple(sorted({*table.doc.resigned, seat}))
        before = table.taken_over
        await table.keep(replace(table.doc, resigned=resigned, taken_over=before))
        log(logging.INFO, "resigned", table=table.row.id, match=table.row.match, seat=seat)
        table.tell_changed()
        table.reschedule()


def check_key(key: str) -> None:
    if not 1 <= len(key) <= MAX_KEY_LENGTH or not key.isascii() or not key.isprintable():
        text = f"key: 1 to {MAX_KEY_LENGTH} printable ASCII characters are expected"
        raise ApiError(422, "malformed", text)
