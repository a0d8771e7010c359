"""One server and one browser for all tests of a worker; each test has contexts of its own.

A match whose people have all left stands still, so tables of earlier tests cost nothing.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import browse
from tests.server.server_process import ServerProcess, server_process

expect.set_options(timeout=browse.PATIENCE)
BOTS = ("--bots", "1", "--bot-pace", "0", "--requests", "100000", "--quiet")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with browse.browser() as started:
        yield started


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with server_process(Path(tmp_path_factory.mktemp("server")), *BOTS) as made:
        yield made
