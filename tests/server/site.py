"""Several servers that share a PostgreSQL, workers that play for their bots, and one address for
all of them, for tests. Any of these can be killed and started again at any time."""

import asyncio
import os
import random
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

import httpx

from tests.server.databases import Databases
from tests.server.house import RUN, House
from tests.server.postgres import Cluster
from tests.server.waiting import PATIENCE, wait_until
from zashiki.server.serve import WORKER_TOKEN
from zashiki.server.settings import STORE_VARIABLE

SERVER = ("--bots", "0", "--bot-pace", "0.05", "--requests", "1000000", "--drain", "0.5")
OUT_OF_ORDER = (502, 503)


class Front(httpx.AsyncBaseTransport):
    """Sends every request to any server that is up, as a proxy would; one that fails elsewhere."""

    def __init__(self, coordination: "Coordination") -> None:
        self.coordination = coordination
        self.inner = httpx.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        end = time.monotonic() + PATIENCE
        while True:
            request.url = request.url.copy_with(port=self.coordination.port)
            try:
                answer = await self.inner.handle_async_request(request)
            except httpx.TransportError:
                if time.monotonic() > end:
                    raise
            else:
                if answer.status_code not in OUT_OF_ORDER or time.monotonic() > end:
                    return answer
                await answer.aclose()
            await asyncio.sleep(0.05)

    async def aclose(self) -> None:
        await self.inner.aclose()


class Worker:
    """A process that plays for the bots of all servers."""

    def __init__(self, coordination: "Coordination") -> None:
        self.coordination = coordination
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        servers = [word for home in self.coordination.homes for word in ("--server", home.url)]
        token = (self.coordination.homes[0].folder / WORKER_TOKEN).read_text().strip()
        self.process = subprocess.Popen(
            [sys.executable, "-c", RUN, "bots", *servers, "--patience", "600"],
            env={**os.environ, "ZASHIKI_BOTS_TOKEN": token},
        )

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait(PATIENCE)
        self.process = None


class Coordination(House):
    """To people it is one house."""

    def __init__(self, folder: Path, cluster: Databases, servers: int, workers: int) -> None:
        super().__init__(folder)
        self.cluster = cluster
        settings = {STORE_VARIABLE: cluster.new(), "ZASHIKI_KEY": secrets.token_hex(32)}
        self.homes = [
            House(folder / str(number), *SERVER, settings=settings) for number in range(servers)
        ]
        self.workers = [Worker(self) for _ in range(workers)]
        self.choice = random.Random(servers)

    @property
    def port(self) -> int:
        """That of any server, be it up or not."""
        return self.choice.choice([home.port for home in self.homes])

    @port.setter
    def port(self, port: int) -> None:
        """There is none to be set."""

    @property
    def transport(self) -> httpx.AsyncBaseTransport:  # type: ignore[override]
        return Front(self)

    def start(self) -> None:
        for home in self.homes:
            home.start()
        for worker in self.workers:
            worker.start()
        for home in self.homes if self.workers else ():
            wait_for_staff(home)

    def kill(self) -> None:
        for worker in self.workers:
            if worker.process is not None:
                worker.kill()
        for home in self.homes:
            if home.process is not None:
                home.kill()


def wait_for_staff(home: House) -> None:
    """Until somebody plays for bots at a server."""
    url = f"{home.url}/health"
    wait_until(lambda: httpx.get(url, timeout=PATIENCE).json()["bots"] == "ok")


@contextmanager
def site(
    folder: Path, cluster: Databases, servers: int = 3, workers: int = 2
) -> Iterator[Coordination]:
    made = Coordination(folder, cluster, servers, workers)
    made.start()
    try:
        yield made
    finally:
        made.kill()


# What befalls a site ---------------------------------------------------------------------------

Mortal = House | Worker | Cluster


async def killed(one: Mortal, pause: float) -> None:
    one.kill()
    await asyncio.sleep(pause)
    await asyncio.to_thread(one.start)


async def replaced(home: House, pause: float) -> None:
    """As in a deployment: told to stop, it sends people away before it does."""
    await asyncio.to_thread(home.end, signal.SIGTERM)
    await asyncio.sleep(pause)
    await asyncio.to_thread(home.start)


def blows(
    coordination: Coordination, number: int, choice: random.Random
) -> Iterator[tuple[str, Mortal]]:
    """What befalls which part of a site: of every kind as often as of any other, in any order."""
    assert isinstance(coordination.cluster, Cluster), "a cluster that others use may not be killed"
    mortals: dict[str, list[Mortal]] = {
        "server killed": [*coordination.homes],
        "server replaced": [*coordination.homes],
        "worker killed": [*coordination.workers],
        "database killed": [coordination.cluster],
    }
    kinds = [kind for _, kind in zip(range(number), cycle(mortals), strict=False)]
    choice.shuffle(kinds)
    for kind in kinds:
        yield kind, choice.choice(mortals[kind])


async def befallen(coordination: Coordination, number: int, seed: int) -> None:
    """Every other second something dies and comes back, so many times."""
    choice, falling = random.Random(seed), dict[Mortal, asyncio.Task[None]]()
    for kind, victim in blows(coordination, number, choice):
        await asyncio.sleep(choice.uniform(0.5, 2.0))
        if victim in falling:
            await falling[victim]
        pause = choice.uniform(0, 2)
        if kind == "server replaced" and isinstance(victim, House):
            falling[victim] = asyncio.create_task(replaced(victim, pause))
        else:
            falling[victim] = asyncio.create_task(killed(victim, pause))
    await asyncio.gather(*falling.values())
