"""A server in the process of the test, on a real port, with a chosen clock and randomness."""

import asyncio
import base64
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import uvicorn

from tests.server.applications import application
from tests.server.guests import RunningServer
from zashiki.server.serve import listen, uvicorn_config
from zashiki.server.services import Services
from zashiki.server.settings import Settings
from zashiki.server.system import ID_LENGTH, System


class FixedSystem(System):
    """A fixed clock, and randomness derived from a word, the same in every run.

    `deal` affects only the server's secrets: those of a match.
    """

    def __init__(self, deal: str = "deal") -> None:
        self.time = 1_800_000_000.0
        self.deal = deal
        self.count = 0

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.now()

    def secret(self) -> bytes:
        return self._next(self.deal)

    def token(self) -> str:
        return base64.urlsafe_b64encode(self._next("token")).rstrip(b"=").decode()

    def id(self) -> str:
        return base64.b32encode(self._next("id")).decode().lower()[:ID_LENGTH]

    def _next(self, word: str) -> bytes:
        self.count += 1
        return hashlib.sha256(f"{word} {self.count}".encode()).digest()


class InProcessServer(RunningServer):
    """The address of the server, and its services."""

    def __init__(self, folder: Path, port: int, services: Services) -> None:
        super().__init__(folder, port)
        self.services = services


@asynccontextmanager
async def in_process_server(
    folder: Path, system: System | None = None, **settings: Any
) -> AsyncIterator[InProcessServer]:
    """Serve on a free port until the end of the block."""
    with listen("127.0.0.1", 0) as listening:
        chosen = Settings(folder, system=system or System(), **settings)
        app = application(chosen)
        server = uvicorn.Server(uvicorn_config(app))
        serving = asyncio.create_task(server.serve([listening]))
        try:
            while not server.started:
                assert not serving.done(), serving
                await asyncio.sleep(0.005)
            yield InProcessServer(folder, listening.getsockname()[1], app.state["server"])
        finally:
            server.should_exit = True
            await serving
