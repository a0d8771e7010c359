"""Chat at a table: plain text, kept in order."""

import msgspec

from zashiki.core.facts import typed_text
from zashiki.core.rulings import Malformed
from zashiki.server.errors import ApiError
from zashiki.server.store.errors import Conflict
from zashiki.server.store.rows import ChatRow
from zashiki.server.tables import commands as on
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.state import CHAT_LINES

MAX_CHAT_LENGTH = 300


async def load_chat(table: LiveTable) -> None:
    """Read the last lines, each under the name that its player has now."""
    for row, name in await last_lines(table):
        table.add_chat(row, name)


async def last_lines(table: LiveTable, after: int = -1) -> list[tuple[ChatRow, str]]:
    """Return the last lines with the names of their players."""
    rows = await table.store.chat(table.row.id, after, CHAT_LINES)
    names = await table.store.names({row.player for row in rows})
    return [(row, names.get(row.player, "")) for row in rows]


async def say(table: LiveTable, command: on.Say) -> None:
    """Say a line to everybody at the table who has not muted the player.

    A command with a key that the player has used at this table is that line again.
    """
    player, key = command.player, command.key
    check_may_chat(table, command)
    text = checked_words(command.text, "text", MAX_CHAT_LENGTH)
    if key is not None and (player, key) in table.chat_keys:
        return
    if table.row.state == "closed":
        raise ApiError(409, "table-closed", "this table is closed: open another one")
    try:
        row = await keep(table, command, text)
        if row is None:
            return
        names = await table.store.names({player})  # last: no rename comes in between
    except Exception:  # it may be on disk all the same
        await read_missed_lines(table)
        raise
    tell_line(table, row, names.get(player, ""))


def checked_words(text: str, what: str, most: int) -> str:
    """Return words of a player that may be shown to others, or refuse them."""
    try:
        return typed_text(text, what, most)
    except Malformed as fault:
        raise ApiError(422, "malformed", str(fault)) from None


def check_may_chat(table: LiveTable, command: on.Say) -> None:
    """Refuse a line of somebody who may not read the chat, or whom the host has muted."""
    if not table.has_chat(command.seat, command.link):
        text = "only players and people with the link of this private table may chat here"
        raise ApiError(403, "private-chat", text)
    if command.seat is None and table.doc.are_spectators_muted:
        text = "the host has muted spectators: only those who sit here may chat"
        raise ApiError(403, "spectators-muted", text)


async def keep(table: LiveTable, command: on.Say, text: str) -> ChatRow | None:
    """Write a line after the last one, which another server may have written.

    Return None if the line was written before, however long ago.
    """
    while True:
        n, now = table.chat_number + 1, table.system.now()
        row = ChatRow(table.row.id, n, command.player, command.seat, text, now, command.key)
        try:
            await table.store.add_chat(row)
        except Conflict:
            await read_missed_lines(table)
            if table.chat_number < n or (command.player, command.key) in table.chat_keys:
                return None  # its number was free, so it was the key that was taken
        else:
            return row


async def read_missed_lines(table: LiveTable) -> None:
    """Read and tell the lines that other servers have written."""
    for row, name in await last_lines(table, table.chat_number):
        tell_line(table, row, name)


def tell_line(table: LiveTable, row: ChatRow, name: str) -> None:
    """Add a line, and send it to everybody here who may read it and has not muted its player."""
    frame = msgspec.json.encode(table.add_chat(row, name))
    for one in table.subscribers:
        if row.player not in one.muted and table.has_chat(one.seat, one.link):
            one.send(frame)
