"""A command that was begun is done, whatever becomes of its connection."""

import asyncio
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

from tests.server.indoors import indoors
from zashiki.server import chatting
from zashiki.server.sockets import PLUG, AnySocket, Conversation


class Socket:
    """Brings frames, and is gone after the last."""

    def __init__(self, *frames: dict[str, Any]) -> None:
        self.frames = [json.dumps(frame) for frame in frames]
        self.scope = {"extensions": {PLUG: {"plug": self}}}
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def listen(self, hear: Callable[[str], None], flush: Callable[[], None]) -> None:
        for frame in self.frames:
            hear(frame)

    def is_writable(self) -> bool:
        return True

    def write(self, frames: Iterable[bytes]) -> None:
        pass

    def hang_up(self) -> None:
        if not self.over.done():
            self.over.set_result(None)


def test_who_is_cut_off_has_said_what_they_said(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with indoors(tmp_path) as home:
            aki = await home.guest("Aki")
            wanted = {"game": "kamiza-second", "seats": 3}
            table = (await aki.post("/api/tables", wanted, 201))["table"]["id"]
            room, store = await home.server.hall.room(table), home.server.store
            player = await store.player(aki.id)
            assert player is not None
            saying, write = asyncio.Event(), store.add_chat

            async def slowly(row: Any) -> None:
                saying.set()
                await asyncio.sleep(0.05)
                await write(row)

            hello, say = {"do": "hello"}, {"do": "say", "key": "1", "text": "hello"}
            socket = cast(AnySocket, Socket(hello, say, {**say, "key": "2"}))
            talk = Conversation(socket, room, player, 0, home.server.limits)
            with patch.object(store, "add_chat", slowly):
                holding = asyncio.create_task(talk.hold())
                await saying.wait()
                home.server.hall.sign_out(aki.id)
                await holding
            assert not room.lines
            assert [said.text for said in room.said] == ["hello"], "and nothing after that"
            await chatting.say(room, aki.id, None, "again")

    asyncio.run(scenario())
