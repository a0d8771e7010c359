"""From the store into memory.

`load` reads a table for the first time. `reload` reads it again when memory and store may differ.
`catch_up` reads what other servers have written since.
"""

from collections.abc import Iterable, Set

from msgspec import convert

from zashiki.server.accounts.players import DELETED
from zashiki.server.ops.metrics import CAUGHT_UP
from zashiki.server.store.coordination import Coordination, LatestVersions
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import PlayerRow
from zashiki.server.tables import chat, model
from zashiki.server.tables.connection import SIGNED_OUT, Connection
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.memory import prepared_rules
from zashiki.server.tables.model import TableDoc


async def load(table: LiveTable) -> None:
    """Read the chat and the match of a table."""
    await chat.load_chat(table)
    await load_match(table)


async def load_match(table: LiveTable) -> None:
    """Fold the match of a table from its entries."""
    await remove_deleted_players(table)
    table.forget_match()
    if table.row.match is None:
        return
    match = await table.store.match(table.row.match)
    assert match is not None, "a table's match is stored with it"
    rules = await prepared_rules(table.doc)
    table.restore_match(match, await table.store.entries(match.id))
    del rules  # the match has them from here on


async def reload(table: LiveTable) -> None:
    """Read the table again: a write failed, or another server was first."""
    with table.stale_on_failure():
        await table.read_row()
        await load_match(table)
        await chat.read_missed_lines(table)
    table.mark_current()
    table.tell_changed()
    table.publish()


async def catch_up(table: LiveTable) -> None:
    """Take what other servers have written, and tell those who are connected here."""
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
    CAUGHT_UP.add()
    if is_changed:
        table.apply_row(row, convert(row.doc, TableDoc))
        table.tell_changed()
    table.follow(entries)
    if live.match.over and match.ended is None:
        await reload(table)
        return
    if entries:
        table.publish()
    table.reschedule()


async def remove_deleted_players(table: LiveTable) -> None:
    """Take the names of deleted players off the table, and their seats if it has not started."""
    state = table.row.state
    deleted = await deleted_among(table.store, {table.row.host, *table.doc.players()})
    doc = without_players(table.doc, deleted, table.is_open())
    if table.is_open() and table.row.host in deleted:
        state = "closed"
    if doc != table.doc or state != table.row.state:
        await table.save(doc, state=state)


async def check_session(table: LiveTable, connection: Connection) -> None:
    """Read whom a player has muted. Close the connection if its session has ended meanwhile.

    Whatever changes later is told to all open connections, see `TableRegistry.connections`.
    """
    connection.muted = await table.store.muted(connection.player)
    player = await table.store.player(connection.player)  # last: nothing waits between it and use
    owner: PlayerRow | None = None
    if player is not None and player.owner is not None:
        ids = player.id, player.owner
        rows = await table.store.players({*ids})  # at once, and last
        player, owner = (rows.get(id) for id in ids)
    if player is None:
        return
    connection.silenced_until = silenced_until(player, owner)
    if player.deleted or player.epoch != connection.epoch:
        connection.close(SIGNED_OUT)


def silenced_until(player: PlayerRow, owner: PlayerRow | None) -> float | None:
    """Return when a mute by the operator ends. That of a player holds for the player's bots."""
    rows = [player] if owner is None else [player, owner]
    return max((row.muted_until for row in rows if row.muted_until is not None), default=None)


def without_players(doc: TableDoc, deleted: Set[str], is_open: bool) -> TableDoc:
    """Return a table without the names of deleted players, and if it is open their seats."""
    for seat, chair in enumerate(doc.chairs):
        if chair.player is not None and chair.player in deleted:
            gone = model.renamed(doc, chair.player, DELETED)
            doc = model.stood(doc, seat) if is_open else gone
    return doc


async def deleted_among(store: Store, players: Set[str]) -> set[str]:
    """Return those of these players who are deleted."""
    rows = await store.players(players)
    return {id for id, row in rows.items() if row.deleted}


# Behind other servers --------------------------------------------------------------------------


async def latest_versions(
    coordination: Coordination, tables: Iterable[LiveTable]
) -> LatestVersions:
    """Ask the store how far these tables and their matches have come."""
    rows = [table.row for table in tables]
    matches = [row.match for row in rows if row.match is not None]
    return await coordination.latest_versions(matches, [row.id for row in rows])


def is_behind(table: LiveTable, latest: LatestVersions) -> bool:
    """Return whether another server has played, or changed the table."""
    done = 0 if table.live is None else table.live.done
    entry = latest.entries.get(table.row.match or "", 0)
    return entry > done or latest.versions.get(table.row.id, 0) > table.row.version


def has_missed_chat(table: LiveTable, latest: LatestVersions) -> bool:
    """Return whether another server has written chat."""
    return latest.lines.get(table.row.id, 0) > table.chat_number
