"""Invitations: people who sit at a table ask others to it with whom they have played before."""

import msgspec
from msgspec.structs import replace

from zashiki.server.errors import ApiError
from zashiki.server.protocol import rest
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import TableRow, is_bot
from zashiki.server.tables import commands as on
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.model import TableDoc
from zashiki.server.tables.setup import own_seat

MAX_INVITED = 12
"""Players whom a table remembers as invited."""
REMEMBERED_MATCHES = 50
"""A player's last matches, whose people can be invited."""
MAX_COMPANIONS = 24


async def invite(table: LiveTable, command: on.Invite) -> None:
    """Invite a player to a table that has not started."""
    table.check_open()
    own_seat(table, command.player)
    if command.other in table.doc.removed or command.other in table.doc.sent_away:
        raise ApiError(409, "not-welcome", "the host has removed them from this table")
    invited = table.doc.invited
    if table.doc.seat_of(command.other) is not None or invited.get(command.other):
        return
    if command.other in invited:
        raise ApiError(409, "declined", "they have declined: ask them yourself")
    if len(invited) >= MAX_INVITED:
        text = f"{MAX_INVITED} players were invited to this table, the most that are allowed"
        raise ApiError(409, "too-many-invited", text)
    await table.change(replace(table.doc, invited={**invited, command.other: command.player}))


async def decline(table: LiveTable, player: str) -> None:
    """Take back the invitation of a player, for good."""
    if table.doc.invited.get(player):
        await table.change(replace(table.doc, invited={**table.doc.invited, player: ""}))


async def companions(store: Store, player: str) -> list[rest.Player]:
    """Return the people of a player's last matches, those of the newest match first."""
    matches = await store.matches_of(player, REMEMBERED_MATCHES)
    ids = dict.fromkeys(one for match in matches for one in match.players if one is not None)
    found: list[rest.Player] = []
    for id in ids:
        row = None if is_bot(id) or id == player else await store.player(id)
        if row is not None and not row.deleted and row.kind != "bot":
            found.append(rest.Player(row.id, row.name, row.kind))
        if len(found) == MAX_COMPANIONS:
            break
    return found


async def invitation(
    store: Store, tables: dict[str, LiveTable], id: str, player: str
) -> rest.Invitation | None:
    """Return an invitation of a player, or None if it is not open any more."""
    row = tables[id].row if id in tables else await store.table(id)
    if row is None or row.state != "open":
        return None
    doc = msgspec.convert(row.doc, TableDoc)
    by = doc.invited.get(player)
    if not by or doc.dealing is not None or doc.seat_of(player) is not None:
        return None
    names = await store.names({by})
    key = doc.key if has_link(row, doc, by) else ""
    return rest.Invitation(id, doc.game, names.get(by, ""), key)


def has_link(row: TableRow, doc: TableDoc, player: str) -> bool:
    """Return True if a player certainly has the invite link, which reserves seats."""
    seat = doc.seat_of(player)
    return player == row.host or (seat is not None and doc.chairs[seat].link)
