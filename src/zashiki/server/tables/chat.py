"""What people say at a table: text, and no more than that."""

import msgspec

from zashiki.core.facts import plain_text
from zashiki.core.rulings import Malformed
from zashiki.server.errors import Problem
from zashiki.server.ops.shield import finished
from zashiki.server.protocol import frames
from zashiki.server.store.errors import Conflict
from zashiki.server.store.rows import ChatRow
from zashiki.server.tables.live import SAID, Room

LONGEST_LINE = 300


async def load(room: Room) -> None:
    """The last lines, each under the name that its player has now."""
    room.said.clear()
    for row, name in await last_lines(room):
        room.said.append(frames.Chatted(row.n, row.player, name, row.seat, row.text))
        room.chat = row.n


async def last_lines(room: Room, after: int = -1) -> list[tuple[ChatRow, str]]:
    """With the names of those who said them."""
    rows = await room.store.chat(room.row.id, after, SAID)
    names = await room.store.names({row.player for row in rows})
    return [(row, names.get(row.player, "")) for row in rows]


def rename(room: Room, player: str, name: str) -> None:
    """Somebody has another name; so does what they said."""
    for said in room.said:
        if said.player == player:
            said.name = name


async def say(room: Room, player: str, seat: int | None, text: str, key: str | None = None) -> None:
    """A line for everybody at the table who wants to hear this player, under the name of now.

    With the key of one of the last lines it is that line again.
    """
    try:
        line = plain_text(text, "text", LONGEST_LINE)
    except Malformed as fault:
        raise Problem(422, "malformed", str(fault)) from None
    async with room.sound():
        if key is not None and (player, key) in room.said_with:
            return
        try:
            row = await keep(room, player, seat, line)
            names = await room.store.names({player})  # last: no rename comes in between
        except BaseException:  # it may be on disk all the same
            await finished(tell_new(room))
            raise
        if key is not None:
            room.said_with.append((player, key))
        tell(room, row, names.get(player, ""))


async def keep(room: Room, player: str, seat: int | None, line: str) -> ChatRow:
    """Behind what was said last, also by way of another server."""
    while True:
        row = ChatRow(room.row.id, room.chat + 1, player, seat, line, room.source.now())
        try:
            await room.store.add_chat(row)
        except Conflict:
            await tell_new(room)
        else:
            return row


async def catch_up(room: Room) -> None:
    """Something was said by way of another server."""
    async with room.sound():
        await tell_new(room)


async def tell_new(room: Room) -> None:
    for row, name in await last_lines(room, room.chat):
        tell(room, row, name)


def tell(room: Room, row: ChatRow, name: str) -> None:
    """Everybody here who wants to hear this player."""
    room.chat = row.n
    chatted = frames.Chatted(row.n, row.player, name, row.seat, row.text)
    room.said.append(chatted)
    frame = msgspec.json.encode(chatted)
    for one in room.lines:
        if one.listens and row.player not in one.muted:
            one.send(frame)
