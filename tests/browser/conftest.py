"""One server and one browser per worker; each test has its own contexts.

A match is paused once all its people have left, so tables of earlier tests cost nothing.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from tests.browser import browse
from tests.browser.positions import position_server
from tests.server.server_process import ServerProcess

expect.set_options(timeout=browse.PATIENCE)
BOTS = ("--bots", "1", "--bot-pace", "0", "--requests", "100000", "--quiet")


@pytest.fixture(scope="session")
def driver() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(driver: Playwright) -> Iterator[Browser]:
    with browse.launched(driver) as started:
        yield started


@pytest.fixture(scope="module")
def whole_browser(driver: Playwright) -> Iterator[Browser]:
    """The full Chromium, which shows notifications."""
    with browse.launched(driver, "chromium") as started:
        yield started


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with position_server(Path(tmp_path_factory.mktemp("server")), *BOTS) as made:
        yield made
