"""A replay, step by step: the text of each step, on a phone, with all cards open."""

import pytest
from playwright.sync_api import Browser

from tests.browser.browse import PHONE, Visitor
from tests.server.server_process import ServerProcess

STEP = """
() => {
  const caption = document.querySelector(".caption p");
  return {
    text: caption.textContent.trim(),
    cards: caption.querySelectorAll(".chip").length,
    wide: document.scrollingElement.scrollWidth - innerWidth,
    cut: caption.scrollWidth - caption.clientWidth,
  };
}
"""


@pytest.mark.parametrize(
    ("game", "seats", "most"),
    [
        ("kingdoms", 2, 25),
        pytest.param("kingdoms", 2, 80, marks=pytest.mark.long),
        pytest.param("kamiza-second", 4, 80, marks=pytest.mark.long),
        pytest.param("kamiza-2014", 4, 80, marks=pytest.mark.long),
    ],
)
def test_each_step_names_its_cards(
    server: ServerProcess, browser: Browser, game: str, seats: int, most: int
) -> None:
    aki = Visitor(server, browser, "Aki", PHONE, motion="off")
    aki.come()
    aki.visit()
    table = aki.open_table(game, seats, "random")
    assert aki.play_on(table, 2000)
    aki.visit(f"/table/{table}")
    match = aki.page.wait_for_function("() => window.zashiki?.info?.match").json_value()
    aki.visit(f"/replay/{match}?seat=open&step=1")
    slider = aki.page.get_by_role("slider").first
    slider.wait_for()
    steps = []
    for _ in range(min(most, int(slider.get_attribute("max") or 0) - 1)):
        aki.settle()
        steps.append(aki.page.evaluate(STEP))
        aki.page.keyboard.press("ArrowRight")
    assert [one for one in steps if "{" in one["text"] or not one["text"]] == []
    assert any(one["cards"] > 0 for one in steps), "cards are drawn where they are named"
    assert {(one["wide"], one["cut"]) for one in steps} == {(0, 0)}
    aki.leave()
