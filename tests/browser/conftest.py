"""One server and one browser for the tests of a module."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import browse
from tests.server.house import House, house

expect.set_options(timeout=20_000)
BOTS = ("--bots", "1", "--bot-pace", "0", "--requests", "100000", "--quiet")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browse.browser() as started:
        yield started


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(Path(tmp_path_factory.mktemp("house")), *BOTS) as made:
        yield made
