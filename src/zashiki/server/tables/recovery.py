"""The match at a table: from the log into memory, an action at a time, and out as a record."""

from msgspec import convert

from zashiki.server.accounts.players import DELETED
from zashiki.server.ops.metrics import CAUGHT_UP
from zashiki.server.store.rows import EntryRow, server_bot_seats
from zashiki.server.tables import chat, model
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.match import LiveMatch, restore_match
from zashiki.server.tables.model import Table


async def load(table: LiveTable) -> None:
    """Stand where the store says. Who is here, and since when, the room itself knows best."""
    await load_names(table)
    table.live, table.keys = None, {}
    table.taken_over, table.stood_in = table.doc.taken_over, {}
    if table.row.match is None:
        return
    match = await table.store.match(table.row.match)
    assert match is not None, "a table's match is stored with it"
    live = restore_match(table.doc.offer, match.header, match.seed, match.salt)
    live.server_bots = server_bot_seats(match)
    presence = table.presence or table.new_presence()
    is_new, now = presence is not table.presence, table.system.now()
    for entry in await table.store.entries(match.id):
        follow(table, live, entry)
        if is_new or entry.n > presence.done:
            by_bot, then = is_stand_in(table, entry.seat, entry.by), entry.at if is_new else now
            presence.recall(entry.seat, by_bot, live.match.to_act, then)
    if is_new:
        presence.begin_anew(now)
    table.live, table.match_row = live, match
    if live.match.over:
        table.presence = None
        table.reschedule()
    else:
        table.attend(presence)


def follow(table: LiveTable, live: LiveMatch, entry: EntryRow) -> None:
    """What the log says has happened."""
    live.follow(entry.seat, entry.action, entry.facts)
    record_actor(table, entry.seat, entry.by)
    if entry.seat is not None and entry.key is not None and entry.action is not None:
        table.keys[entry.seat, entry.key] = live.taken[entry.seat], entry.action


async def reload(table: LiveTable) -> None:
    """What was to be written failed, or was given up: it may be on disk all the same."""
    table.needs_reload = True
    await table.reread()
    await load(table)
    await chat.tell_new(table)
    table.needs_reload = False
    table.tell_changed()
    table.publish()


async def catch_up(table: LiveTable) -> None:
    """Another server has written: what is new is taken over, and told to those who are here."""
    async with table.exclusive():
        await read_on(table)


async def read_on(table: LiveTable) -> None:
    """What others have written, if they have; the caller has the lock."""
    live, match = table.live, table.match_row
    entries = []
    if live is not None and match is not None:
        entries = await table.store.entries(match.id, live.done)
    row = await table.store.table(table.row.id)  # after them: who has resigned is known then
    assert row is not None, "tables are never deleted"
    is_changed = row.version != table.row.version
    if row.match != table.row.match or live is None or match is None:
        if is_changed:
            await reload(table)
        return
    if not (is_changed or entries):
        return
    CAUGHT_UP.inc()
    if is_changed:
        table.settle(row, convert(row.doc, Table))
        table.taken_over |= table.doc.taken_over
        table.tell_changed()
    for entry in entries:
        follow(table, live, entry)
        if table.presence is not None and entry.seat is not None:
            table.presence.acted(entry.seat, table.system.now())
    if live.match.over and match.ended is None:
        await reload(table)
        return
    if entries:
        table.publish()
    table.reschedule()


async def load_names(table: LiveTable) -> None:
    """Who was deleted while nobody was here has no name any more, and no seat at an open table."""
    doc, state = table.doc, table.row.state
    for seat, chair in enumerate(doc.chairs):
        if chair.player is not None and await is_deleted(table, chair.player):
            gone = model.renamed(doc, chair.player, DELETED)
            doc = model.stood(doc, seat) if table.is_open() else gone
    if table.is_open() and await is_deleted(table, table.row.host):
        state = "closed"
    if doc != table.doc or state != table.row.state:
        await table.keep(doc, state=state)


async def is_deleted(table: LiveTable, player: str) -> bool:
    row = await table.store.player(player)
    return row is not None and row.deleted


def record_actor(table: LiveTable, seat: int | None, by: str | None) -> bool:
    """Whose hand moved for a seat: is it the first time that it is a bot's, instead of somebody's?
    Who resigned has lost already, whoever plays on."""
    if seat is None or seat in table.doc.resigned or not is_stand_in(table, seat, by):
        return False
    table.stood_in[seat] = table.stood_in.get(seat, 0) + 1
    is_first = not table.taken_over
    table.taken_over = True
    return is_first


def is_stand_in(table: LiveTable, seat: int | None, by: str | None) -> bool:
    """Did a bot act for somebody?"""
    if seat is None:
        return False
    chair = table.doc.chairs[seat]
    return chair.kind == "player" and by != chair.player
