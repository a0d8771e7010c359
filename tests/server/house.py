"""A real server in a process of its own, and people who come to it, for tests."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection

from tests.server.stores import environment
from tests.server.waiting import PATIENCE, connect

HEADERS = {"X-Zashiki": "1"}
RUN = "import sys; from zashiki.cli import main; sys.exit(main())"


class House:
    """A server that can be stopped, killed and started again on the same folder."""

    transport: httpx.AsyncBaseTransport | None = None
    """How people's requests get there, if not straight."""

    def __init__(
        self, folder: Path, *options: str, settings: Mapping[str, str] | None = None
    ) -> None:
        self.folder = folder
        self.options = options or ("--bots", "0")
        self.settings = settings
        """Variables of its environment; None: those of the store that the tests run on."""
        self.run = RUN
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Wait until it says where it listens; then it keeps that port."""
        command = [sys.executable, "-c", self.run, "serve", "--data", str(self.folder)]
        self.process = subprocess.Popen(
            [*command, "--port", str(self.port), *self.options], stdout=subprocess.PIPE, text=True,
            env={**os.environ, **self._settings(), "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("Zashiki listens on http://127.0.0.1:"), line
        self.port = int(line.rpartition(":")[2])

    def _settings(self) -> Mapping[str, str]:
        return environment(self.folder) if self.settings is None else self.settings

    def kill(self) -> None:
        self.end(signal.SIGKILL)

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """The status with which it ended."""
        process = self.process
        assert process is not None
        process.send_signal(number)
        status = process.wait(PATIENCE)
        if process.stdout is not None:
            process.stdout.close()
        self.process = None
        return status


@contextmanager
def house(folder: Path, *options: str) -> Iterator[House]:
    made = House(folder, *options)
    made.start()
    try:
        yield made
    finally:
        if made.process is not None:
            made.kill()


IDLE = httpx.Limits(keepalive_expiry=1.0)
"""Seconds that an idle connection is used again. The server closes one after 5 s, and a request
that is sent at that very moment is not answered."""


class Guest:
    """Somebody with a browser of their own."""

    def __init__(self, home: House, name: str) -> None:
        self.home = home
        self.name = name
        self.client = httpx.AsyncClient(
            base_url=home.url, headers=HEADERS, timeout=PATIENCE, transport=home.transport,
            limits=IDLE,
        )  # fmt: skip
        self.id = ""

    async def come(self) -> "Guest":
        self.id = (await self.post("/api/guest", {"name": self.name}))["id"]
        return self

    @property
    def session(self) -> dict[str, str]:
        """What a browser sends with everything."""
        cookies = (f"{name}={value}" for name, value in self.client.cookies.items())
        return {"Cookie": "; ".join(cookies)}

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
        self, table: str, have: int = 0, views: bool = True, language: str | None = None
    ) -> AsyncIterator["Talk"]:
        """A socket that has said hello."""
        url = f"ws://127.0.0.1:{self.home.port}/api/tables/{table}/socket"
        async with connect(url, additional_headers=self.session) as connection:
            talk = Talk(connection)
            await talk.send(do="hello", have=have, views=views, language=language)
            yield talk


class Talk:
    """Frames to and fro."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.kept: list[dict[str, Any]] = []
        """Frames that came while another kind was waited for."""

    async def send(self, **frame: Any) -> None:
        await self.connection.send(json.dumps(frame))

    async def read(self) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE):  # wait_for may lose a cancellation in Python 3.11
            frame: dict[str, Any] = json.loads(await self.connection.recv())
        return frame

    async def until(self, kind: str) -> dict[str, Any]:
        """The next frame of a kind; those of other kinds are kept for later."""
        for place, frame in enumerate(self.kept):
            if frame["is"] == kind:
                return self.kept.pop(place)
        while True:
            frame = await self.read()
            if frame["is"] == kind:
                return frame
            self.kept.append(frame)

    async def answered(self, key: str, **frame: Any) -> dict[str, Any]:
        await self.send(key=key, **frame)
        while True:
            answer = await self.until("answer")
            if answer["key"] == key:
                return answer
