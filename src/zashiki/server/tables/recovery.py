"""The match at a table: from the log into memory, an action at a time, and out as a record."""

from msgspec import convert

from zashiki.server.accounts.players import DELETED
from zashiki.server.ops.metrics import CAUGHT_UP
from zashiki.server.store.rows import EntryRow, house_seats
from zashiki.server.tables import chat, model
from zashiki.server.tables.live import Room
from zashiki.server.tables.match import Live, stood_up
from zashiki.server.tables.model import Table


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
    await chat.tell_new(room)
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
            gone = model.renamed(table, chair.player, DELETED)
            table = model.stood(table, seat) if room.is_open() else gone
    if room.is_open() and await is_deleted(room, room.row.host):
        state = "closed"
    if table != room.table or state != room.row.state:
        await room.keep(table, state=state)


async def is_deleted(room: Room, player: str) -> bool:
    row = await room.store.player(player)
    return row is not None and row.deleted


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
