"""The API page in a real browser: it shows every endpoint, and requests only this server."""

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.browse import DESK, PATIENCE, PHONE
from tests.server.server_process import ServerProcess
from zashiki.server.app import described_api

GROUND = "getComputedStyle(document.documentElement).backgroundColor"


@pytest.mark.parametrize(
    ("size", "theme"), [pytest.param(DESK, "light", marks=pytest.mark.long), (PHONE, "dark")]
)
def test_the_page_of_the_api(
    server: ServerProcess, browser: Browser, size: tuple[int, int], theme: str
) -> None:
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if theme == "dark" else "light",
    )
    page, wrong, outside = context.new_page(), list[str](), list[str]()

    def only_here(route: Route) -> None:
        if route.request.url.startswith((server.url, "data:")):
            route.continue_()
        else:
            outside.append(route.request.url)
            route.abort()

    page.route("**/*", only_here)
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"{server.url}/api/docs")
    operations = sum(map(len, described_api()["paths"].values()))
    expect(page.locator(".opblock")).to_have_count(operations, timeout=PATIENCE)
    opened = page.locator("#operations-tables-ApiTablesOpenTable")
    opened.locator(".opblock-summary-control").click()
    expect(opened).to_contain_text("The player takes a seat at it and is its host.")
    expect(opened).to_contain_text("kamiza-second")
    expect(opened).to_contain_text("Close or finish one first.")
    assert page.evaluate(GROUND) == ("rgb(20, 22, 28)" if theme == "dark" else "rgb(251, 247, 238)")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert outside == []
    assert wrong == []
    context.close()
