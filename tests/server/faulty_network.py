"""A network between clients and a real server that delays, cuts, duplicates and reorders frames."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.server.guests import RunningServer
from tests.server.waits import connect

LONGEST = 1 << 22
LATEST = 0.3
"""Seconds for which a frame waits to be overtaken."""
Connection = ServerConnection | ClientConnection


class FaultyNetwork(RunningServer):
    """A server behind a faulty network: requests go directly to it, sockets through the faults."""

    def __init__(self, server: RunningServer, seed: int, evil: float = 0.03) -> None:
        super().__init__(server.folder)
        self.server = server
        self.choice = random.Random(seed)
        self.evil = evil
        """The probability of each kind of fault, per frame."""
        self.faults = dict.fromkeys(("delay", "cut", "double", "swap"), 0)

    @property
    def url(self) -> str:
        return self.server.url

    async def relay(self, near: ServerConnection) -> None:
        assert near.request is not None
        address = f"ws://127.0.0.1:{self.server.port}{near.request.path}"
        given = near.request.headers
        session = {name: given[name] for name in ("Cookie", "X-Forwarded-For") if name in given}
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

    async def carry(self, source: Connection, target: Connection) -> None:
        """Forward frame after frame, with an occasional fault."""
        while True:
            frame = await source.recv()
            if self.happens("delay"):
                await asyncio.sleep(self.choice.uniform(0, 0.2))
            if self.happens("cut"):
                source.transport.abort()
                return
            if self.happens("swap"):
                with suppress(TimeoutError):
                    await target.send(await asyncio.wait_for(source.recv(), LATEST))
            await target.send(frame)
            if self.happens("double"):
                await target.send(frame)

    def happens(self, fault: str) -> bool:
        does = self.choice.random() < self.evil
        self.faults[fault] += does
        return does


@asynccontextmanager
async def faulty_network(
    server: RunningServer, seed: int, evil: float = 0.03
) -> AsyncIterator[FaultyNetwork]:
    network = FaultyNetwork(server, seed, evil)
    opened = serve(network.relay, "127.0.0.1", 0, max_size=LONGEST, compression=None)
    async with opened as listening:
        network.port = listening.sockets[0].getsockname()[1]
        yield network
