"""Fixtures for all tests of the server: one PostgreSQL per run, which is removed at the end."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server import postgres, stores
from tests.server.asgi_server import AsgiServer, asgi_server
from tests.server.waits import TIMEOUT
from zashiki.server.store.postgres import connections, coordination, driver, writer


@pytest.fixture(scope="session", autouse=True)
def one_postgres_per_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Workers of pytest-xdist share the folder above their own."""
    own = tmp_path_factory.getbasetemp()
    postgres.meeting = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    yield
    postgres.leave()


@pytest.fixture(scope="session")
def killable_cluster() -> Iterator[postgres.Cluster]:
    stores.started()  # or skip: no PostgreSQL can be started on this machine
    made = postgres.Cluster()
    yield made
    made.remove()


@pytest.fixture
def killable_postgres(killable_cluster: postgres.Cluster) -> Iterator[postgres.Cluster]:
    """A cluster of this worker, which a test may stop and kill."""
    killable_cluster.start()
    yield killable_cluster
    killable_cluster.made.clear()


@pytest.fixture(autouse=True)
def a_busy_machine_is_no_outage(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raise the limits after which a slow PostgreSQL counts as lost. Tests of these limits set
    their own; servers in separate processes have the real ones."""
    monkeypatch.setattr(driver, "CONNECT_TIMEOUT_SECONDS", TIMEOUT)
    monkeypatch.setattr(connections, "READ_TIMEOUT_SECONDS", TIMEOUT)
    monkeypatch.setattr(writer, "WRITE_TIMEOUT_SECONDS", TIMEOUT)
    monkeypatch.setattr(coordination, "NODE_TIMEOUT_SECONDS", TIMEOUT)


@pytest.fixture(autouse=True)
def no_database_is_left() -> Iterator[None]:
    before = set(running.made) if (running := postgres.running()) else set()
    yield
    if running := postgres.running():
        running.give_back([name for name in running.made if name not in before])


class EventLoop(asyncio.SelectorEventLoop):
    """The event loop of async tests: an error that nothing awaits fails the test.

    asyncpg leaves such errors for connections that are cancelled while they are opened.
    """

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        if not isinstance(context.get("exception"), ConnectionError):
            super().call_exception_handler(context)


@pytest.fixture(scope="session")
def anyio_backend() -> tuple[str, dict[str, Any]]:
    """The backend with which anyio's pytest plugin runs async tests."""
    return "asyncio", {"loop_factory": EventLoop}


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[AsgiServer]:
    """A server in the process of the test, without a socket."""
    async with asgi_server(tmp_path) as made:
        yield made
