"""The pages work whatever the browser has stored, or if it stores nothing.

More cases are in web/src/shared/storage.test.ts and settings.test.ts.
"""

import json
from collections.abc import Mapping

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.browse import Visitor
from tests.server.server_process import ServerProcess

WRONG = {
    "away": [["a table", "many"], None],
    "hints": {"kamiza-second": 5},
    "keys": [["a table", 5], ["a table"]],
    "promises": [{"table": 5}],
    "settings": {
        "language": "xx", "theme": 5, "motion": None, "sound": "yes", "patterns": [],
        "cards": "huge", "hints": {}, "pace": 3, "asksAlways": "no",
    },
    "usual": {"kamiza-second": {"seats": "all", "bot": 5, "form": []}, "kingdoms": None},
}  # fmt: skip


def kept(values: Mapping[str, object]) -> str:
    """A script that stores this before any page reads it, once."""
    lines = [
        f"localStorage.setItem('zashiki.{key}', {json.dumps(json.dumps(value))});"
        for key, value in values.items()
    ]
    return f"if (!sessionStorage.kept) {{ {' '.join(lines)} sessionStorage.kept = 1; }}"


SCRIPTS = {
    "wrong within": kept(WRONG),
    "refused": """
        Object.defineProperty(window, "localStorage", {
          get() { throw new DOMException("refused", "SecurityError"); },
        });
    """,
}


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_the_pages_work(server: ServerProcess, browser: Browser, script: str) -> None:
    """Visit the lobby, a new table, and a table in play."""
    visitor = Visitor(server, browser, "Aki")
    visitor.context.add_init_script(script)
    visitor.come()
    page = visitor.page
    visitor.visit("/")
    expect(page.get_by_role("heading", name="Play now")).to_be_visible()
    assert page.evaluate("({ ...document.documentElement.dataset })") == {
        "theme": "light", "motion": "system", "cards": "medium", "patterns": "false",
    }  # fmt: skip
    visitor.visit("/new?game=kamiza-second")
    visitor.button("Open a table").click()
    expect(visitor.button("Copy", exact=True)).to_be_visible()
    visitor.visit(f"/table/{visitor.open_table('kamiza-second', 3, 'random')}")
    expect(page.locator("div.frame")).to_be_visible()
    expect(visitor.button("Resign")).to_be_visible()
    visitor.leave()
