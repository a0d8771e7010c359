"""The match at a table: from the log into memory, an action at a time, and out as a record."""

import logging

from msgspec.structs import replace

from zashiki.core.rulings import Malformed, Refusal, Refused
from zashiki.server.errors import Problem
from zashiki.server.ops.logs import log
from zashiki.server.ops.metrics import COMMITS, DECISIONS, RETRIES, labelled
from zashiki.server.ops.shield import finished
from zashiki.server.protocol import frames, rest
from zashiki.server.store.errors import Busy, Conflict, Overtaken
from zashiki.server.store.rows import EntryRow, MatchRow, TableRow, is_bot
from zashiki.server.tables.live import TRIES, Room, retried
from zashiki.server.tables.match import Live, Stale
from zashiki.server.tables.ratings import rated, settling
from zashiki.server.tables.recovery import note_hand, read_on, reload

LONGEST_KEY = 64


async def play(
    room: Room, player: str, seat: int, command: frames.Play, language: str = "en"
) -> frames.Answer:
    """An action: exactly once for its key, or refused with nothing changed. So is another action
    with the same key.

    Where another server has written to the match meanwhile, perhaps the choice of another seat
    that decides at the same time, the action is judged again by how things stand now.
    """
    check_key(command.key)
    async with room.sound():
        for _ in range(TRIES):
            known = room.keys.get((seat, command.key))
            if known is not None:
                return known_answer(command, known)
            try:
                return await play_now(room, player, seat, command, language)
            except Conflict:
                RETRIES.inc()
                await reload(room)
        raise Problem(409, "stale", "others were quicker again and again: look again")


def known_answer(command: frames.Play, known: tuple[int, str]) -> frames.Answer:
    if known != (command.decision, command.action):
        raise Problem(422, "malformed", "key: it was used for another action")
    return frames.Answer(command.key, True)


async def play_now(
    room: Room, player: str, seat: int, command: frames.Play, language: str
) -> frames.Answer:
    """An action by how the match stands; `Conflict` if it does not stand so any more."""
    live, match = room.live, room.match
    if live is None or match is None:
        raise Problem(409, "not-playing", "no match is being played here")
    if live.is_old():
        text = "this match was begun by older rules: it can be read, but it does not go on"
        raise Problem(409, "old-rules", text)
    check_hand(room, player, seat)
    try:
        facts = live.play(seat, command.decision, command.action, command.says)
    except Stale as stale:
        text, now = "that decision is not open", {"decision": stale.decision}
        raise Problem(409, "stale", text, now) from None
    except Refused as refused:
        why = explained(live, refused.refusal, language)
        raise Problem(422, why.code, why.text, why.details) from None
    except Malformed as fault:
        raise Problem(422, "malformed", str(fault)) from None
    entry = EntryRow(
        match.id, live.done, seat, command.key, player, command.action, command.says,
        facts, room.source.now(),
    )  # fmt: skip
    is_first = note_hand(room, seat, player)
    with COMMITS.time():
        await commit(room, entry)
    if is_first:
        log(logging.INFO, "taken-over", table=room.row.id, match=match.id, seat=seat)
    labelled(DECISIONS, room.table.game, "bot" if is_bot(player) else "person").inc()
    room.keys[seat, command.key] = command.decision, command.action
    if room.attendance is not None:
        room.attendance.acted(seat, room.source.now())
    room.publish()
    room.look_round()
    return frames.Answer(command.key, True)


def check_hand(room: Room, player: str, seat: int) -> None:
    """A bot plays where one is wanted now, and nobody plays for a seat that they gave away."""
    if is_bot(player):
        if seat not in room.bot_seats():
            raise Problem(409, "stale", "nobody needs a bot on this seat now")
    elif seat in room.table.resigned:
        raise Problem(409, "resigned", "you have resigned: a bot plays for this seat")


async def commit(room: Room, entry: EntryRow) -> None:
    live, match = room.live, room.match
    assert live is not None
    assert match is not None
    outcome = live.match.outcome
    try:
        if outcome is None:
            if (await room.store.append(entry)).known:
                raise Conflict("this action was taken before, by way of another server")
            return
        ended = replace(
            match,
            ended=entry.at,
            ranks=list(outcome.ranks),
            scores=list(outcome.scores),
            rated=match.rated and not room.taken_over,
        )
        row = room.next(state="over")
        await finish(room, entry, ended, row)
        room.match, room.row = ended, row
        log(logging.INFO, "ended", table=row.id, match=ended.id)
        room.tell_changed()
    except Conflict:
        raise
    except BaseException:
        room.is_doubtful = True
        await finished(reload(room))
        raise


async def finish(room: Room, entry: EntryRow, ended: MatchRow, row: TableRow) -> None:
    """The last entry, with ratings by those that the players have when it is written."""
    async with settling(room.store, ended):
        for _ in range(TRIES):
            ratings = await rated(room.store, ended, entry.at, room.table.resigned)
            try:
                if (await room.store.finish(entry, ended, ratings, row)).known:
                    raise Conflict("this action was taken before, by way of another server")
                return
            except Overtaken:
                continue
        raise Busy("the ratings of these players change faster than a match can end")


async def why_not(room: Room, seat: int, action: str, language: str = "en") -> rest.Fault | None:
    async with room.sound():
        if room.live is None:
            raise Problem(409, "not-playing", "no match is being played here")
        try:
            refusal = room.live.match.why_not(seat, action)
        except Malformed as fault:
            raise Problem(422, "malformed", str(fault)) from None
        if refusal is None:
            return None
        return explained(room.live, refusal, language)


def explained(live: Live, refusal: Refusal, language: str) -> rest.Fault:
    """Why an action is refused, in a language."""
    text = live.wording(language).refusal(refusal)
    details = {"ruling": refusal.ruling, "blame": list(refusal.blame)}
    return rest.Fault("refused", f"{refusal.ruling}: {text}", details)


async def record(room: Room, player: str | None) -> str:
    """What somebody may read now: all at the end, before that what their seat was told."""
    async with room.sound():
        if room.live is None:
            raise Problem(404, "no-match", "no match was played here yet")
        if room.live.match.over:
            return room.live.match.record()
        seat = None if player is None else room.table.seat_of(player)
        if seat is None and room.table.watch == "off":
            raise Problem(403, "not-watched", "this table is not to be watched")
        return room.outlook("all" if seat is None else seat).record()


@retried
async def resign(room: Room, seat: int) -> None:
    """A seat is handed over to a bot, for good."""
    async with room.sound():
        await read_on(room)  # whether a bot has played before counts
        if room.attendance is None or room.live is None or room.live.match.over:
            raise Problem(409, "not-playing", "no match is being played here")
        if seat in room.attendance.resigned:
            return
        resigned = tuple(sorted({*room.table.resigned, seat}))
        before = room.taken_over
        await room.keep(replace(room.table, resigned=resigned, taken_over=before))
        log(logging.INFO, "resigned", table=room.row.id, match=room.row.match, seat=seat)
        room.tell_changed()
        room.look_round()


def check_key(key: str) -> None:
    if not 1 <= len(key) <= LONGEST_KEY or not key.isascii() or not key.isprintable():
        text = f"key: 1 to {LONGEST_KEY} printable ASCII characters are expected"
        raise Problem(422, "malformed", text)
