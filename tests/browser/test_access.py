"""For everyone: axe finds nothing on any page and at any table, in both themes."""

import pytest
from playwright.sync_api import Browser

from tests.browser.browse import DESK, PHONE, Visitor
from tests.server.server_process import ServerProcess

PAGES = [
    "/", "/new", "/new?game=kingdoms", "/rules", "/rules/red-town", "/history", "/leaderboard",
    "/settings", "/card-sets", "/verify", "/operator", "/nowhere",
]  # fmt: skip
LONG = pytest.mark.long
TABLES = [
    ("red-town", 4, "dark"),
    ("kamiza-second", 4, "light"),
    ("kingdoms", 2, "dark"),
    pytest.param("red-town", 4, "light", marks=LONG),
    pytest.param("red-town", 2, "dark", marks=LONG),
    pytest.param("red-town", 2, "light", marks=LONG),
    pytest.param("kamiza-second", 4, "dark", marks=LONG),
    pytest.param("kamiza-2014", 3, "light", marks=LONG),
    pytest.param("kingdoms", 2, "light", marks=LONG),
    pytest.param("goofspiel", 3, "dark", marks=LONG),
]


def test_pages(server: ServerProcess, browser: Browser) -> None:
    aki = Visitor(server, browser, "Aki", PHONE, "ja", theme="dark")
    aki.come()
    found = {}
    for path in [*PAGES, f"/player/{aki.id}"]:
        aki.visit(path)
        aki.settle()
        found[path] = aki.axe()
        aki.page.evaluate("document.documentElement.dataset.theme = 'light'")
        aki.settle()  # colours change softly
        found[f"{path} (light)"] = aki.axe("color-contrast")
    assert {path: faults for path, faults in found.items() if faults} == {}
    aki.leave()


@pytest.mark.parametrize(("game", "seats", "theme"), TABLES)
def test_tables(server: ServerProcess, browser: Browser, game: str, seats: int, theme: str) -> None:
    size, language = (DESK, "ja") if theme == "dark" else (PHONE, "en")
    aki = Visitor(server, browser, "Aki", size, language, theme=theme)
    aki.come()
    aki.visit("/settings")
    table = aki.open_table(game, seats, "random")
    found = {}
    for phase in range(4):
        over = aki.play_on(table, 3 if phase else 0)
        aki.visit(f"/table/{table}")
        aki.settle()
        found[phase] = aki.axe()
        if over:
            break
    assert {phase: faults for phase, faults in found.items() if faults} == {}
    aki.leave()
