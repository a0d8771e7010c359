"""The rules page: its picture, and the credits of the printed game."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.browse import DESK, PHONE, Visitor
from tests.server.server_process import ServerProcess

GAMES = {
    "red-town": "Masikamaru",
    "kamiza-second": "Akitaka Watanabe",
    "kamiza-2014": "Osabura Games",
    "kingdoms": "Masao Suganuma",
}


@pytest.mark.parametrize("size", [pytest.param(DESK, marks=pytest.mark.long), PHONE])
def test_the_rules_begin_with_a_picture_and_end_with_credits(
    server: ServerProcess, browser: Browser, size: tuple[int, int]
) -> None:
    aki = Visitor(server, browser, "Aki", size, motion="off")
    for game, name in GAMES.items():
        aki.visit(f"/rules/{game}")
        picture = aki.page.locator("article img").first
        expect(picture).to_be_visible()
        assert picture.evaluate("one => one.decode().then(() => one.naturalWidth)") > 0
        assert picture.get_attribute("alt")
        credits = aki.page.locator("article").get_by_role("heading", name="Credits")
        expect(credits).to_be_visible()
        expect(aki.page.locator("article")).to_contain_text(name)
        expect(aki.page.locator("article")).to_contain_text("not affiliated")
    aki.leave()


def test_the_footer_names_the_people_behind_every_printed_game(
    server: ServerProcess, browser: Browser
) -> None:
    aki = Visitor(server, browser, "Aki", PHONE, motion="off")
    aki.visit()
    footer = aki.page.get_by_role("contentinfo")
    expect(footer).to_contain_text("not affiliated")
    footer.get_by_text("The games").click()
    for name in GAMES.values():
        expect(footer.get_by_text(name).first).to_be_visible()
    aki.leave()
