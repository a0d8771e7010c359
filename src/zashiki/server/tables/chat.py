"""What people say at a table: text, and no more than that."""

import msgspec

from zashiki.core.facts import plain_text
from zashiki.core.rulings import Malformed
from zashiki.server.errors import ApiError
from zashiki.server.ops.shield import run_to_completion
from zashiki.server.protocol import frames
from zashiki.server.store.errors import Conflict
from zashiki.server.store.rows import ChatRow
from zashiki.server.tables.live import SAID, LiveTable

MAX_CHAT_LENGTH = 300


async def load(table: LiveTable) -> None:
    """The last lines, each under the name that its player has now."""
    table.said.clear()
    for row, name in await last_lines(table):
        table.said.append(frames.Chatted(row.n, row.player, name, row.seat, row.text))
        table.chat = row.n


async def last_lines(table: LiveTable, after: int = -1) -> list[tuple[ChatRow, str]]:
    """With the names of those who said them."""
    rows = await table.store.chat(table.row.id, after, SAID)
    names = await table.store.names({row.player for row in rows})
    return [(row, names.get(row.player, "")) for row in rows]


def rename(table: LiveTable, player: str, name: str) -> None:
    """Somebody has another name; so does what they said."""
    for said in table.said:
        if said.player == player:
            said.name = name


async def say(
    table: LiveTable, player: str, seat: int | None, text: str, key: str | None = None
) -> None:
    """A line for everybody at the table who wants to hear this player, under the name of now.

    With the key of one of the last lines it is that line again.
    """
    try:
        line = plain_text(text, "text", MAX_CHAT_LENGTH)
    except Malformed as fault:
        raise ApiError(422, "malformed", str(fault)) from None
    async with table.exclusive():
        if key is not None and (player, key) in table.said_with:
            return
        try:
            row = await keep(table, player, seat, line)
            names = await table.store.names({player})  # last: no rename comes in between
        except BaseException:  # it may be on disk all the same
            await run_to_completion(tell_new(table))
            raise
        if key is not None:
            table.said_with.append((player, key))
        tell(table, row, names.get(player, ""))


async def keep(table: LiveTable, player: str, seat: int | None, line: str) -> ChatRow:
    """Behind what was said last, also by way of another server."""
    while True:
        row = ChatRow(table.row.id, table.chat + 1, player, seat, line, table.system.now())
        try:
            await table.store.add_chat(row)
        except Conflict:
            await tell_new(table)
        else:
            return row


async def catch_up(table: LiveTable) -> None:
    """Something was said by way of another server."""
    async with table.exclusive():
        await tell_new(table)


async def tell_new(table: LiveTable) -> None:
    for row, name in await last_lines(table, table.chat):
        tell(table, row, name)


def tell(table: LiveTable, row: ChatRow, name: str) -> None:
    """Everybody here who wants to hear this player."""
    table.chat = row.n
    chatted = frames.Chatted(row.n, row.player, name, row.seat, row.text)
    table.said.append(chatted)
    frame = msgspec.json.encode(chatted)
    for one in table.subscribers:
        if one.listens and row.player not in one.muted:
            one.send(frame)
