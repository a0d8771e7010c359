"""What people say at a table: text, and no more than that."""

import asyncio

import msgspec

from zashiki.core.facts import plain_text
from zashiki.core.rulings import Malformed
from zashiki.server import wire
from zashiki.server.problems import Problem
from zashiki.server.rooms import SAID, Room
from zashiki.server.store.rows import ChatRow

LONGEST_LINE = 300


async def load(room: Room) -> None:
    """The last lines, each under the name that its player has now."""
    room.said.clear()
    for row in (await room.store.chat(room.row.id))[-SAID:]:
        name = await name_of(room, row.player)
        room.said.append(wire.Chatted(row.n, row.player, name, row.seat, row.text))
        room.chat = row.n


async def name_of(room: Room, player: str) -> str:
    row = await room.store.player(player)
    return "" if row is None else row.name


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
    async with room.lock:
        if key is not None and (player, key) in room.said_with:
            return
        row = ChatRow(room.row.id, room.chat + 1, player, seat, line, room.source.now())
        try:
            await room.store.add_chat(row)
            name = await name_of(room, player)  # last, so that no rename comes in between
        except BaseException:  # it may be on disk all the same
            await asyncio.shield(load(room))
            raise
        room.chat = row.n
        if key is not None:
            room.said_with.append((player, key))
        chatted = wire.Chatted(row.n, player, name, seat, line)
        room.said.append(chatted)
        frame = msgspec.json.encode(chatted)
        for one in room.lines:
            if one.listens and player not in one.muted:
                one.send(frame)
