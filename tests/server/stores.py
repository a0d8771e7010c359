"""The store that tests use: `--store postgres`, or ZASHIKI_TEST_STORE, instead of SQLite."""

import os
from pathlib import Path

import pytest

from tests.server.databases import Databases
from tests.server.postgres import Nowhere, cluster
from zashiki.server.settings import STORE_VARIABLE
from zashiki.server.store.factory import open_store
from zashiki.server.store.protocol import Store

CHOICE = "ZASHIKI_TEST_STORE"
CHOICES = ("sqlite", "postgres")

_given: dict[Path, str] = {}


def is_postgres() -> bool:
    return os.environ.get(CHOICE, CHOICES[0]) == "postgres"


def started() -> Databases:
    """Return the PostgreSQL of this run; if none can be started, skip the test with the reason."""
    try:
        return cluster()
    except Nowhere as fault:
        pytest.skip(str(fault))


def setting(folder: Path) -> str | None:
    """Return the store setting: the same database for the same folder, until it is dropped."""
    if not is_postgres():
        return None
    database = _given.get(folder)
    if database is None or database.rpartition("/")[2] not in started().made:
        database = started().new()
        for other in [path for path, known in _given.items() if known == database]:
            del _given[other]  # it was another test's
        _given[folder] = database
    return database


def store_for(folder: Path) -> Store:
    return open_store(setting(folder), folder)


def environment(folder: Path) -> dict[str, str]:
    """Return the environment variables for a server in a separate process."""
    chosen = setting(folder)
    return {} if chosen is None else {STORE_VARIABLE: chosen}
