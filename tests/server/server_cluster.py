"""A cluster for tests: servers that share a PostgreSQL, workers for their bots, and one address for
all of them. Each part can be killed and restarted at any time.
"""

import asyncio
import os
import random
import secrets
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

import httpx

from tests.server.databases import Databases
from tests.server.forked import ForkedProcess
from tests.server.guests import RunningServer
from tests.server.postgres import Cluster
from tests.server.server_process import ServerProcess
from tests.server.waits import TIMEOUT, wait_until
from zashiki.server.serve import WORKER_TOKEN
from zashiki.server.settings import STORE_VARIABLE

SERVER = (
    "--bots",
    "0",
    "--bot-pace",
    "0.05",
    "--requests",
    "1000000",
    "--drain",
    "0.5",
    "--proxy",
    "127.0.0.1",
)
OUT_OF_ORDER = (502, 503)


class FailoverTransport(httpx.AsyncBaseTransport):
    """Sends every request to any running server, as a proxy would; retries elsewhere on failure."""

    def __init__(self, cluster: "ServerCluster") -> None:
        self.cluster = cluster
        self.inner = httpx.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        end = time.monotonic() + TIMEOUT
        while True:
            request.url = request.url.copy_with(port=self.cluster.port)
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


class BotWorkerProcess:
    """A process that plays for the bots of all servers."""

    def __init__(self, cluster: "ServerCluster") -> None:
        self.cluster = cluster
        self.process: ForkedProcess | None = None

    def start(self) -> None:
        servers = [word for server in self.cluster.servers for word in ("--server", server.url)]
        token = (self.cluster.servers[0].folder / WORKER_TOKEN).read_text().strip()
        self.process = ForkedProcess(
            ["bots", *servers, "--patience", "600"], {**os.environ, "ZASHIKI_BOTS_TOKEN": token}
        )

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait(TIMEOUT)
        self.process.stdout.close()
        self.process = None


class ServerCluster(RunningServer):
    """Servers and workers behind one address."""

    def __init__(self, folder: Path, databases: Databases, servers: int, workers: int) -> None:
        super().__init__(folder)
        self.databases = databases
        settings = {STORE_VARIABLE: databases.new(), "ZASHIKI_KEY": secrets.token_hex(32)}
        self.servers = [
            ServerProcess(folder / str(number), *SERVER, settings=settings)
            for number in range(servers)
        ]
        self.workers = [BotWorkerProcess(self) for _ in range(workers)]
        self.choice = random.Random(servers)

    @property
    def port(self) -> int:
        """The port of any server, running or not."""
        return self.choice.choice([server.port for server in self.servers])

    @port.setter
    def port(self, port: int) -> None:
        """The port cannot be set."""

    @property
    def transport(self) -> httpx.AsyncBaseTransport:  # type: ignore[override]
        return FailoverTransport(self)

    def start(self) -> None:
        for server in self.servers:
            server.start()
        for worker in self.workers:
            worker.start()
        for server in self.servers if self.workers else ():
            wait_for_bot_worker(server)

    def kill(self) -> None:
        for worker in self.workers:
            if worker.process is not None:
                worker.kill()
        for server in self.servers:
            if server.process is not None:
                server.kill()


def wait_for_bot_worker(server: ServerProcess) -> None:
    """Wait until a worker has joined a server."""
    url = f"{server.url}/health"
    wait_until(lambda: httpx.get(url, timeout=TIMEOUT).json()["bots"] == "ok")


@contextmanager
def server_cluster(
    folder: Path, databases: Databases, servers: int = 3, workers: int = 2
) -> Iterator[ServerCluster]:
    made = ServerCluster(folder, databases, servers, workers)
    made.start()
    try:
        yield made
    finally:
        made.kill()


# Failures --------------------------------------------------------------------------------------

Restartable = ServerProcess | BotWorkerProcess | Cluster


async def kill_and_restart(one: Restartable, pause: float) -> None:
    one.kill()
    await asyncio.sleep(pause)
    await asyncio.to_thread(one.start)


async def stop_and_restart(server: ServerProcess, pause: float) -> None:
    """Stop a server as a deployment does: it drains first."""
    await asyncio.to_thread(server.end, signal.SIGTERM)
    await asyncio.sleep(pause)
    await asyncio.to_thread(server.start)


def planned_failures(
    cluster: ServerCluster, number: int, choice: random.Random
) -> Iterator[tuple[str, Restartable]]:
    """Return kinds of failure and their victims: each kind equally often, in random order."""
    assert isinstance(cluster.databases, Cluster), "a cluster that others use may not be killed"
    victims: dict[str, list[Restartable]] = {
        "server killed": [*cluster.servers],
        "server replaced": [*cluster.servers],
        "worker killed": [*cluster.workers],
        "database killed": [cluster.databases],
    }
    kinds = [kind for _, kind in zip(range(number), cycle(victims), strict=False)]
    choice.shuffle(kinds)
    for kind in kinds:
        yield kind, choice.choice(victims[kind])


async def inflict_failures(cluster: ServerCluster, number: int, seed: int) -> None:
    """Let parts of the cluster die and come back, about one per second."""
    choice, falling = random.Random(seed), dict[Restartable, asyncio.Task[None]]()
    for kind, victim in planned_failures(cluster, number, choice):
        await asyncio.sleep(choice.uniform(0.5, 2.0))
        if victim in falling:
            await falling[victim]
        pause = choice.uniform(0, 2)
        if kind == "server replaced" and isinstance(victim, ServerProcess):
            falling[victim] = asyncio.create_task(stop_and_restart(victim, pause))
        else:
            falling[victim] = asyncio.create_task(kill_and_restart(victim, pause))
    await asyncio.gather(*falling.values())
