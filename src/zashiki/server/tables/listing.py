"""A player's own tables, and finished tables, from rows: no match is kept in memory for them."""

import logging

import msgspec
from msgspec import Struct

from zashiki.server.ops.logs import log
from zashiki.server.protocol import rest
from zashiki.server.store.errors import StoreFault
from zashiki.server.tables import recovery
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.model import TableDoc, in_brief, seen
from zashiki.server.tables.quotas import NOT_ENDED
from zashiki.server.tables.ratings import why_unrated
from zashiki.server.tables.registry import TableRegistry
from zashiki.server.tables.views import table_seen


class OwnTable(Struct, frozen=True):
    """A table at which a player sits, whether it waits for that player, and the player's seat."""

    shown: rest.Table
    is_waiting: bool
    seat: int


# One's own tables --------------------------------------------------------------------------------


async def own_tables(registry: TableRegistry, player: str) -> list[OwnTable]:
    """Return the tables that have not ended and at which a player sits.

    The seats that owe a decision are known for matches that were in memory before. Any other match
    is loaded once for them, and dropped again.
    """
    ids = registry.quotas.of(player)
    await forget_changed(registry, [id for id in ids if id in registry.evicted])
    found = [await own_table(registry, id, player) for id in ids]
    return [one for one in found if one is not None]


async def forget_changed(registry: TableRegistry, ids: list[str]) -> None:
    """Forget evicted tables that other servers have in use or have changed."""
    coordination, evicted = registry.store.coordination, registry.evicted
    if coordination is None or not ids:
        return
    matches = [evicted[id].match for id in ids]
    present = await coordination.present_on_other_nodes(registry.node, ids)
    latest = await coordination.latest_versions(matches, ids)
    for id in ids:
        one = evicted.get(id)
        if one is None:
            continue
        is_same = latest.entries.get(one.match) == one.done
        if present.get(id) or not is_same or latest.versions.get(id) != one.version:
            del evicted[id]


async def own_table(registry: TableRegistry, id: str, player: str) -> OwnTable | None:
    """Return a table of a player, or None if it has ended. An unreadable match is left out."""
    if id in registry.tables:
        return live_table(await registry.find(id), player)
    evicted = registry.evicted.get(id)
    if evicted is not None:
        shown = msgspec.json.decode(evicted.seated, type=rest.Table)
        return own_seat_of(shown, player, evicted.to_act)
    row = await registry.store.table(id)
    if row is None or row.state not in NOT_ENDED:
        return None
    try:
        doc = msgspec.convert(row.doc, TableDoc)
        if row.state == "open" and doc.dealing is None:
            shown = in_brief(seen(row, doc))
            shown.unrated = why_unrated(doc)
            return own_seat_of(shown, player, ())
        table = await registry.find(id)
        own = live_table(table, player)
        registry.release(table)
        return own
    except StoreFault:
        raise
    except Exception as fault:  # one unreadable match hides no other table
        log(logging.ERROR, "unreadable", fault, table=id, match=row.match)
        return None


def own_seat_of(shown: rest.Table, player: str, to_act: tuple[int, ...]) -> OwnTable | None:
    """Return a table that is not in memory, if the player sits at it."""
    for number, seat in enumerate(shown.seats):
        if seat.player is not None and seat.player.id == player:
            return OwnTable(shown, number in to_act and not seat.resigned, number)
    return None


def live_table(table: LiveTable, player: str) -> OwnTable | None:
    seat = table.doc.seat_of(player)
    if seat is None:
        return None
    shown = in_brief(table_seen(table, True))
    shown.to_act = list(table.live.match.to_act) if table.live else []
    return OwnTable(shown, table.waits_for(player), seat)


# One table ---------------------------------------------------------------------------------------


async def one_table(registry: TableRegistry, id: str) -> rest.Table:
    """Return a table as everybody may see it. One that has ended is shown by its rows."""
    if id in registry.tables:
        return table_seen(await registry.find(id))
    row = await registry.row(id)
    if row.state in NOT_ENDED:
        return table_seen(await registry.find(id))
    doc = msgspec.convert(row.doc, TableDoc)
    deleted = await recovery.deleted_among(registry.store, doc.players())
    doc = recovery.without_players(doc, deleted, is_open=False)
    shown = seen(row, doc)
    if not row.public:
        shown.next = None
    match = None if row.match is None else await registry.store.match(row.match)
    if match is not None:
        shown.commitment = match.header["commitment"]
    return shown
