"""Guests of a server: their HTTP clients and their WebSockets, for tests."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection

from tests.server.streams import merged
from tests.server.waits import TIMEOUT, connect
from zashiki.core.record import nonce_hash

HEADERS = {"X-Zashiki": "1"}
ADDRESSES = count()


async def agree(talks: Sequence["Talk"]) -> None:
    """Take part in a deal: first every hash, then every nonce, which is the seat's number."""
    for talk in talks:
        commitment = (await talk.starting())["commitment"]
        hash = nonce_hash(commitment, talk.seat, f"{talk.seat:032x}")
        assert (await talk.answered("ready", do="ready", hash=hash))["ok"]
    for talk in talks:
        talk.dealt.add((await talk.starting(is_fixed=True))["id"])
        assert (await talk.answered("reveal", do="reveal", nonce=f"{talk.seat:032x}"))["ok"]


class RunningServer:
    """The address of a server, however it is run."""

    transport: httpx.AsyncBaseTransport | None = None
    """The transport of HTTP requests; None for the plain address."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.folder = folder
        self.port = port

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


IDLE = httpx.Limits(keepalive_expiry=1.0)
"""Seconds for which an idle connection is reused. The server closes one after 5 s, and a request
that is sent at that very moment is not answered.
"""


class Guest:
    """A guest account with its own cookie jar."""

    def __init__(self, server: RunningServer, name: str) -> None:
        self.server = server
        self.name = name
        self.forwarded = {"X-Forwarded-For": f"192.0.2.{next(ADDRESSES) % 250 + 1}"}
        """A separate address, for a server that trusts a proxy on this machine."""
        self.client = httpx.AsyncClient(
            base_url=server.url, headers=HEADERS | self.forwarded, timeout=TIMEOUT,
            transport=server.transport, limits=IDLE,
        )  # fmt: skip
        self.id = ""

    async def come(self) -> "Guest":
        self.id = (await self.post("/api/guest", {"name": self.name}))["id"]
        return self

    @property
    def session(self) -> dict[str, str]:
        """The headers of a signed-in browser."""
        cookies = (f"{name}={value}" for name, value in self.client.cookies.items())
        return {"Cookie": "; ".join(cookies), **self.forwarded}

    async def post(self, path: str, data: Any = None) -> Any:
        answer = await self.client.post(path, json=data)
        assert answer.status_code < 300, answer.text
        return answer.json()

    async def get(self, path: str) -> Any:
        answer = await self.client.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    @asynccontextmanager
    async def socket(
        self,
        table: str,
        have: int = 0,
        views: bool = True,
        language: str | None = None,
        version: int = 2,
    ) -> AsyncIterator["Talk"]:
        """Open a socket and send hello."""
        url = f"ws://127.0.0.1:{self.server.port}/api/tables/{table}/socket"
        async with connect(url, max_queue=None, additional_headers=self.session) as connection:
            talk = Talk(connection)
            await talk.send(do="hello", have=have, views=views, language=language, version=version)
            yield talk


class Talk:
    """A WebSocket of a table: JSON frames in both directions, news as a client merges them."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.kept: list[dict[str, Any]] = []
        """Frames that arrived while another kind was awaited."""
        self.heard: list[str] = []
        """All frames in order of arrival."""
        self.seat = 0
        """Its seat, from the welcome."""
        self.dealt: set[str] = set()
        """The tables in whose deal it has taken part."""

    async def send(self, **frame: Any) -> None:
        await self.connection.send(json.dumps(frame))

    async def read(self) -> dict[str, Any]:
        async with asyncio.timeout(TIMEOUT):  # wait_for may lose a cancellation in Python 3.11
            self.heard.append(await self.connection.recv(decode=True))
        frame = merged(json.loads(self.heard[-1]))
        if frame["is"] == "welcome" and frame["seat"] is not None:
            self.seat = frame["seat"]
        return frame

    async def until(self, kind: str) -> dict[str, Any]:
        """Return the next frame of a kind; frames of other kinds are kept for later."""
        for place, frame in enumerate(self.kept):
            if frame["is"] == kind:
                return self.kept.pop(place)
        while True:
            frame = await self.read()
            if frame["is"] == kind:
                return frame
            self.kept.append(frame)

    async def starting(self, is_fixed: bool = False) -> dict[str, Any]:
        """Return the table while hashes are collected, or while nonces are revealed."""
        while True:
            for frame in self.kept:
                table: dict[str, Any] = frame.get("table") or {"state": None}
                is_right = table["state"] == "starting" and table["id"] not in self.dealt
                if is_right and (table["hashes"] is not None) == is_fixed:
                    return table
            self.kept.append(await self.read())

    async def answered(self, key: str, **frame: Any) -> dict[str, Any]:
        await self.send(key=key, **frame)
        while True:
            answer = await self.until("answer")
            if answer["key"] == key:
                return answer
