"""For every test of the server: what PostgreSQL was given for it is dropped afterwards."""

from collections.abc import Iterator

import pytest

from tests.server import postgres


@pytest.fixture(autouse=True)
def no_database_is_left() -> Iterator[None]:
    before = set(running.made) if (running := postgres.running()) else set()
    yield
    if running := postgres.running():
        running.drop([name for name in running.made if name not in before])
