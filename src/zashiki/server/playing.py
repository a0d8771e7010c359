"""The match at a table: from the log into memory, an action at a time, and out as a record."""

import logging

from msgspec import convert
from msgspec.structs import replace

from zashiki.core.rulings import Malformed, Refusal, Refused
from zashiki.server import chatting, tables, wire
from zashiki.server.finishing import finished
from zashiki.server.live import Live, Stale, stood_up
from zashiki.server.logs import log
from zashiki.server.people import DELETED
from zashiki.server.problems import Problem
from zashiki.server.ratings import rated, settling
from zashiki.server.rooms import TRIES, Room, retried
from zashiki.server.store.protocol import Busy, Conflict, Overtaken
from zashiki.server.store.rows import EntryRow, MatchRow, TableRow, house_seats, is_bot
from zashiki.server.tables import Table
from zashiki.server.tally import CAUGHT_UP, COMMITS, DECISIONS, RETRIES, labelled

LONGEST_KEY = 64


async def load(room: Room) -> None:
    """Stand where the store says. Who is here, and since when, the room itself knows best."""
    await load_names(room)
    room.live, room.keys = None, {}
    room.taken_over, room.stood_in = room.table.taken_over, {}
    if room.row.match is None:
        return
    match = await room.store.match(room.row.match)
    assert match is not None, "a table's match is stored with it"
    live = stood_up(room.table.offer, match.header, match.seed, match.salt)
    live.house = house_seats(match)
    attendance = room.attendance or room.new_attendance()
    is_new, now = attendance is not room.attendance, room.source.now()
    for entry in await room.store.entries(match.id):
        follow(room, live, entry)
        if is_new or entry.n > attendance.done:
            by_bot, then = is_stand_in(room, entry.seat, entry.by), entry.at if is_new else now
            attendance.recall(entry.seat, by_bot, live.match.to_act, then)
    if is_new:
        attendance.begin_anew(now)
    room.live, room.match = live, match
    if live.match.over:
        room.attendance = None
        room.look_round()
    else:
        room.attend(attendance)


def follow(room: Room, live: Live, entry: EntryRow) -> None:
    """What the log says has happened."""
    live.follow(entry.seat, entry.action, entry.facts)
    note_hand(room, entry.seat, entry.by)
    if entry.seat is not None and entry.key is not None and entry.action is not None:
        room.keys[entry.seat, entry.key] = live.taken[entry.seat], entry.action


async def reload(room: Room) -> None:
    """What was to be written failed, or was given up: it may be on disk all the same."""
    room.is_doubtful = True
    await room.reread()
    await load(room)
    await chatting.tell_new(room)
    room.is_doubtful = False
    room.tell_changed()
    room.publish()


async def catch_up(room: Room) -> None:
    """Another server has written: what is new is taken over, and told to those who are here."""
    async with room.sound():
        await read_on(room)


async def read_on(room: Room) -> None:
    """What others have written, if they have; the caller has the lock."""
    live, match = room.live, room.match
    entries = []
    if live is not None and match is not None:
        entries = await room.store.entries(match.id, live.done)
    row = await room.store.table(room.row.id)  # after them: who has resigned is known then
    assert row is not None, "tables are never deleted"
    is_changed = row.version != room.row.version
    if row.match != room.row.match or live is None or match is None:
        if is_changed:
            await reload(room)
        return
    if not (is_changed or entries):
        return
    CAUGHT_UP.inc()
    if is_changed:
        room.settle(row, convert(row.doc, Table))
        room.taken_over |= room.table.taken_over
        room.tell_changed()
    for entry in entries:
        follow(room, live, entry)
        if room.attendance is not None and entry.seat is not None:
            room.attendance.acted(entry.seat, room.source.now())
    if live.match.over and match.ended is None:
        await reload(room)
        return
    if entries:
        room.publish()
    room.look_round()


async def load_names(room: Room) -> None:
    """Who was deleted while nobody was here has no name any more, and no seat at an open table."""
    table, state = room.table, room.row.state
    for seat, chair in enumerate(table.chairs):
        if chair.player is not None and await is_deleted(room, chair.player):
            gone = tables.renamed(table, chair.player, DELETED)
            table = tables.stood(table, seat) if room.is_open() else gone
    if room.is_open() and await is_deleted(room, room.row.host):
        state = "closed"
    if table != room.table or state != room.row.state:
        await room.keep(table, state=state)


async def is_deleted(room: Room, player: str) -> bool:
    row = await room.store.player(player)
    return row is not None and row.deleted


async def play(
    room: Room, player: str, seat: int, command: wire.Play, language: str = "en"
) -> wire.Answer:
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


def known_answer(command: wire.Play, known: tuple[int, str]) -> wire.Answer:
    if known != (command.decision, command.action):
        raise Problem(422, "malformed", "key: it was used for another action")
    return wire.Answer(command.key, True)


async def play_now(
    room: Room, player: str, seat: int, command: wire.Play, language: str
) -> wire.Answer:
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
    return wire.Answer(command.key, True)


def check_hand(room: Room, player: str, seat: int) -> None:
    """A bot plays where one is wanted now, and nobody plays for a seat that they gave away."""
    if is_bot(player):
        if seat not in room.bot_seats():
            raise Problem(409, "stale", "nobody needs a bot on this seat now")
    elif seat in room.table.resigned:
        raise Problem(409, "resigned", "you have resigned: a bot plays for this seat")


def note_hand(room: Room, seat: int | None, by: str | None) -> bool:
    """Whose hand moved for a seat: is it the first time that it is a bot's, instead of somebody's?
    Who resigned has lost already, whoever plays on."""
    if seat is None or seat in room.table.resigned or not is_stand_in(room, seat, by):
        return False
    room.stood_in[seat] = room.stood_in.get(seat, 0) + 1
    is_first = not room.taken_over
    room.taken_over = True
    return is_first


def is_stand_in(room: Room, seat: int | None, by: str | None) -> bool:
    """Did a bot act for somebody?"""
    if seat is None:
        return False
    chair = room.table.chairs[seat]
    return chair.kind == "player" and by != chair.player


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


async def why_not(room: Room, seat: int, action: str, language: str = "en") -> wire.Fault | None:
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


def explained(live: Live, refusal: Refusal, language: str) -> wire.Fault:
    """Why an action is refused, in a language."""
    text = live.wording(language).refusal(refusal)
    details = {"ruling": refusal.ruling, "blame": list(refusal.blame)}
    return wire.Fault("refused", f"{refusal.ruling}: {text}", details)


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
