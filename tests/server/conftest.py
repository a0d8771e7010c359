"""Fixtures for all tests of the server: one PostgreSQL per run, and no database left behind."""

import os
from collections.abc import Iterator

import pytest

from tests.server import postgres, stores
from tests.server.waiting import PATIENCE
from zashiki.server.store.postgres import connections, coordination, driver


@pytest.fixture(scope="session", autouse=True)
def one_postgres_per_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Workers of pytest-xdist meet in the folder above their own."""
    own = tmp_path_factory.getbasetemp()
    postgres.meeting = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    yield
    postgres.leave()


@pytest.fixture(scope="session")
def mortal_cluster() -> Iterator[postgres.Cluster]:
    stores.started()  # or skip: no PostgreSQL can be started on this machine
    made = postgres.Cluster()
    yield made
    made.remove()


@pytest.fixture
def mortal(mortal_cluster: postgres.Cluster) -> Iterator[postgres.Cluster]:
    """A cluster of this worker, which a test may stop and kill."""
    mortal_cluster.start()
    yield mortal_cluster
    mortal_cluster.made.clear()


@pytest.fixture(autouse=True)
def a_busy_machine_is_no_outage(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the process of a test, PostgreSQL may be slow without being taken for gone. Tests that
    prove these limits set their own; servers in processes of their own have the real ones."""
    monkeypatch.setattr(driver, "CONNECT_TIMEOUT_SECONDS", PATIENCE)
    monkeypatch.setattr(connections, "READ_TIMEOUT_SECONDS", PATIENCE)
    monkeypatch.setattr(coordination, "NODE_TIMEOUT_SECONDS", PATIENCE)


@pytest.fixture(autouse=True)
def no_database_is_left() -> Iterator[None]:
    before = set(running.made) if (running := postgres.running()) else set()
    yield
    if running := postgres.running():
        running.give_back([name for name in running.made if name not in before])
