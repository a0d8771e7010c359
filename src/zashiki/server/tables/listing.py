"""A player's own tables, and finished tables, from rows: no match is kept in memory for them."""

import logging

import msgspec
from msgspec import Struct

from zashiki.server.ops.logs import log
from zashiki.server.protocol import rest
from zashiki.server.store.errors import StoreFault
from zashiki.server.store.rows import TableRow
from zashiki.server.tables import recovery
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.model import TableDoc, Turn, in_brief, seen
from zashiki.server.tables.quotas import NOT_ENDED
from zashiki.server.tables.registry import TableRegistry
from zashiki.server.tables.views import table_seen


class OwnTable(Struct, frozen=True):
    """A table at which a player sits, and whether it waits for that player."""

    shown: rest.Table
    is_waiting: bool


# One's own tables --------------------------------------------------------------------------------


async def own_tables(registry: TableRegistry, player: str) -> list[OwnTable]:
    """Return the tables that have not ended and at which a player sits.

    Who owes a decision is known of matches that were in memory before. Of another one it is read
    once: the match is folded, and dropped again.
    """
    ids = registry.quotas.of(player)
    stale = await changed_elsewhere(registry, [id for id in ids if id not in registry.tables])
    found = [await own_table(registry, id, player, id in stale) for id in ids]
    return [one for one in found if one is not None]


async def changed_elsewhere(registry: TableRegistry, ids: list[str]) -> set[str]:
    """Return tables at which somebody is or was by way of another server."""
    if not registry.context.is_shared or not ids:
        return set()
    present = await registry.store.coordination.present_on_other_nodes(registry.node, ids)
    matches = [turn.match for id in ids if (turn := registry.turns.get(id)) is not None]
    latest = await registry.store.coordination.latest_versions(matches, [])
    return {
        id
        for id in ids
        if present.get(id)
        or ((turn := registry.turns.get(id)) and latest.entries.get(turn.match) != turn.done)
    }


async def own_table(
    registry: TableRegistry, id: str, player: str, is_stale: bool
) -> OwnTable | None:
    """Return a table of a player, or None if it has ended. An unreadable match is left out."""
    if id in registry.tables:
        return live_table(await registry.find(id), player)
    row = await registry.store.table(id)
    if row is None or row.state not in NOT_ENDED:
        return None
    turn = None if is_stale else registry.turns.get(id)
    try:
        doc = msgspec.convert(row.doc, TableDoc)
        if doc.dealing is None and (turn is not None or row.state == "open"):
            return stored_table(row, doc, player, turn)
        table = await registry.find(id)
        own = live_table(table, player)
        registry.release(table)
        return own
    except StoreFault:
        raise
    except Exception as fault:  # one unreadable match hides no other table
        log(logging.ERROR, "unreadable", fault, table=id, match=row.match)
        return None


def live_table(table: LiveTable, player: str) -> OwnTable | None:
    seat = table.doc.seat_of(player)
    if seat is None:
        return None
    shown = in_brief(table_seen(table, True))
    shown.to_act = list(table.live.match.to_act) if table.live else []
    return OwnTable(shown, table.waits_for(player))


def stored_table(row: TableRow, doc: TableDoc, player: str, turn: Turn | None) -> OwnTable | None:
    """Show a table as it looks when nobody is connected, to a player who sits at it."""
    seat = doc.seat_of(player)
    if seat is None:
        return None
    shown = in_brief(seen(row, doc, turn))
    if turn is None:
        return OwnTable(shown, False)
    shown.to_act = list(turn.to_act)
    return OwnTable(shown, seat in turn.to_act and seat not in doc.resigned)


# One table ---------------------------------------------------------------------------------------


async def one_table(registry: TableRegistry, id: str) -> rest.Table:
    """Return a table as everybody may see it. One that has ended is shown by its rows."""
    if id in registry.tables:
        return table_seen(await registry.find(id))
    row = await registry.row(id)
    if row.state in NOT_ENDED:
        return table_seen(await registry.find(id))
    doc = await recovery.without_deleted_players(
        registry.store, msgspec.convert(row.doc, TableDoc), False
    )
    shown = seen(row, doc)
    if not row.public:
        shown.next = None
    match = None if row.match is None else await registry.store.match(row.match)
    if match is not None:
        shown.commitment = match.header["commitment"]
    return shown
