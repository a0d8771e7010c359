"""Accessibility: axe finds nothing on any page and at any table, in both themes."""

import pytest
from playwright.sync_api import Browser

from tests.browser.browse import DESK, PHONE, Visitor
from tests.server.server_process import ServerProcess

PAGES = [
    "/", "/new", "/new?game=kingdoms", "/rules", "/rules/red-town", "/history", "/leaderboard",
    "/settings", "/card-sets", "/verify", "/operator", "/nowhere",
]  # fmt: skip
FEW = ["/", "/rules/red-town", "/card-sets", "/verify"]
"""The pages of `make test`, where other tests look at most of the rest."""
LONG = pytest.mark.long
PHASES = 4
TABLES = [
    ("red-town", 3, "dark", 2),
    ("kamiza-second", 4, "light", 1),
    ("kingdoms", 2, "dark", 1),
    pytest.param("red-town", 4, "dark", PHASES, marks=LONG),
    pytest.param("red-town", 4, "light", PHASES, marks=LONG),
    pytest.param("red-town", 2, "dark", PHASES, marks=LONG),
    pytest.param("red-town", 2, "light", PHASES, marks=LONG),
    pytest.param("kamiza-second", 4, "dark", PHASES, marks=LONG),
    pytest.param("kamiza-second", 4, "light", PHASES, marks=LONG),
    pytest.param("kamiza-2014", 3, "light", PHASES, marks=LONG),
    pytest.param("kingdoms", 2, "dark", PHASES, marks=LONG),
    pytest.param("kingdoms", 2, "light", PHASES, marks=LONG),
    pytest.param("goofspiel", 3, "dark", PHASES, marks=LONG),
]
"""Game, seats, theme, and the number of phases that are looked at, three decisions apart."""


@pytest.mark.parametrize("pages", [FEW, pytest.param(PAGES, marks=LONG)], ids=["few", "all"])
def test_pages(server: ServerProcess, browser: Browser, pages: list[str]) -> None:
    aki = Visitor(server, browser, "Aki", PHONE, "ja", theme="dark")
    aki.come()
    found = {}
    for path in [*pages, *([f"/player/{aki.id}"] if pages is PAGES else [])]:
        aki.visit(path)
        found[path] = aki.axe()
        aki.page.evaluate("document.documentElement.dataset.theme = 'light'")
        aki.settle()  # colours change gradually
        found[f"{path} (light)"] = aki.axe("color-contrast")
    assert {path: faults for path, faults in found.items() if faults} == {}
    aki.leave()


@pytest.mark.parametrize(("game", "seats", "theme", "phases"), TABLES)
def test_tables(
    server: ServerProcess, browser: Browser, game: str, seats: int, theme: str, phases: int
) -> None:
    size, language = (DESK, "ja") if theme == "dark" else (PHONE, "en")
    aki = Visitor(server, browser, "Aki", size, language, theme=theme)
    aki.come()
    aki.visit("/settings")
    table = aki.open_table(game, seats, "random")
    found = {}
    for phase in range(phases):
        over = aki.play_on(table, 3 if phase else 0)
        aki.visit(f"/table/{table}")
        found[phase] = aki.axe()
        if over:
            break
    assert {phase: faults for phase, faults in found.items() if faults} == {}
    aki.leave()
