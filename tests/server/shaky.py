"""A network that delays, cuts, doubles and swaps frames, between people and a real server."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.server.house import House
from tests.server.waiting import connect

LONGEST = 1 << 22
LATEST = 0.3
"""Seconds for which a frame waits to be overtaken."""
Connection = ServerConnection | ClientConnection


class Shaky(House):
    """To people it is the house; requests go straight there, sockets by way of this network."""

    def __init__(self, home: House, seed: int, evil: float = 0.03) -> None:
        super().__init__(home.folder)
        self.home = home
        self.choice = random.Random(seed)
        self.evil = evil
        """How likely each kind of fault is, for each frame."""
        self.faults = dict.fromkeys(("delay", "cut", "double", "swap"), 0)

    @property
    def url(self) -> str:
        return self.home.url

    async def relay(self, near: ServerConnection) -> None:
        assert near.request is not None
        address = f"ws://127.0.0.1:{self.home.port}{near.request.path}"
        session = {"Cookie": near.request.headers.get("Cookie", "")}
        with suppress(ConnectionClosed, InvalidHandshake, OSError):
            async with connect(
                address, max_size=LONGEST, compression=None, additional_headers=session
            ) as far:
                ways = {
                    asyncio.create_task(self.carry(near, far)),
                    asyncio.create_task(self.carry(far, near)),
                }
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                for way in ways:
                    way.cancel()
                await asyncio.gather(*ways, return_exceptions=True)
        near.transport.abort()

    async def carry(self, system: Connection, target: Connection) -> None:
        """Frame after frame; now and then something happens to one."""
        while True:
            frame = await system.recv()
            if self.happens("delay"):
                await asyncio.sleep(self.choice.uniform(0, 0.2))
            if self.happens("cut"):
                system.transport.abort()
                return
            if self.happens("swap"):
                with suppress(TimeoutError):
                    await target.send(await asyncio.wait_for(system.recv(), LATEST))
            await target.send(frame)
            if self.happens("double"):
                await target.send(frame)

    def happens(self, fault: str) -> bool:
        does = self.choice.random() < self.evil
        self.faults[fault] += does
        return does


@asynccontextmanager
async def shaky(home: House, seed: int, evil: float = 0.03) -> AsyncIterator[Shaky]:
    network = Shaky(home, seed, evil)
    opened = serve(network.relay, "127.0.0.1", 0, max_size=LONGEST, compression=None)
    async with opened as listening:
        network.port = listening.sockets[0].getsockname()[1]
        yield network
