"""Open a table, or the table of a rematch."""

from collections.abc import Mapping
from contextlib import suppress

from msgspec.structs import replace

from zashiki.server.errors import ApiError
from zashiki.server.ops.shield import run_to_completion
from zashiki.server.protocol import rest
from zashiki.server.store.errors import StoreFault
from zashiki.server.store.rows import PlayerRow
from zashiki.server.tables import commands as on
from zashiki.server.tables import setup
from zashiki.server.tables.handler import handle
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.model import new_table_doc
from zashiki.server.tables.registry import TableRegistry


async def open_table(
    registry: TableRegistry,
    host: PlayerRow,
    wanted: rest.NewTable,
    address: str | None = None,
    scene: Mapping[str, object] | None = None,
) -> LiveTable:
    """Open a table. Its host sits at it. A public one is counted for the client's address.

    With a scene, its match begins in that position.
    """
    registry.check_stays()
    now, key = registry.system.now(), registry.system.id()
    doc = new_table_doc(wanted, host.id, host.name, now, key, host.kind)
    doc = replace(doc, scene=None if scene is None else dict(scene))
    return await registry.add(doc, host.id, wanted.public, address)


def check_start(registry: TableRegistry, table: LiveTable, player: str, address: str) -> None:
    """Refuse to start a match with bots if too many matches among bots alone are played."""
    table.check_host(player)
    doc = table.doc
    if any(chair.kind == "bot" for chair in doc.chairs):
        registry.quotas.check_can_play_bots(player, address, table.row.id, bool(doc.people()))


async def rematch(registry: TableRegistry, table: LiveTable, player: PlayerRow) -> LiveTable:
    """Return the table of the rematch. The player who asks first opens it as its host."""
    registry.check_stays()
    setup.check_rematch(table, player.id)
    there = await next_table(registry, table)
    if there is not None:
        return there
    async with registry.lock(f"rematch {table.row.id}"):
        there = await next_table(registry, table)
        if there is not None:
            return there
        before = table.doc.next
        made = await registry.add(await setup.rematch_doc(table), player.id, table.row.public)
        try:
            await handle(table, on.LinkRematch(made.row.id, player.id, before))
        except BaseException:
            await run_to_completion(withdraw(table, made))
            raise
        if table.doc.next in {None, made.row.id}:
            return made
        await withdraw(table, made)  # another server was first
        return await registry.find(table.doc.next)


async def next_table(registry: TableRegistry, table: LiveTable) -> LiveTable | None:
    """Return the table of the rematch, if there is one and it is not closed."""
    if table.doc.next is None:
        return None
    there = await registry.find(table.doc.next)
    return None if there.row.state == "closed" else there


async def withdraw(table: LiveTable, made: LiveTable) -> None:
    """Close a new table that is not the rematch. If that is not known, it stays open."""
    if table.needs_reload or table.doc.next == made.row.id:
        return
    with suppress(ApiError, StoreFault):  # then it expires
        await handle(made, on.Close(made.row.host))
