"""Presses, keys and screen readers: one decision per gesture, focus is kept, no news twice."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.browse import Visitor
from tests.browser.hands import Hands, Keys
from tests.server.server_process import ServerProcess

LISTEN = """() => {
  window.heard = [];
  const hear = (nodes) => nodes.forEach((node) => window.heard.push(node.textContent));
  const observer = new MutationObserver((all) => all.forEach((one) => hear(one.addedNodes)));
  document.querySelectorAll('[role=log]').forEach((log) => {
    observer.observe(log, { childList: true });
  });
  window.before = window.zashiki.log.length;
}"""
TOLD = "window.zashiki.log.slice(window.before).map((one) => one.text).filter(Boolean)"
SENT = """() => {
  window.sent = [];
  const usual = WebSocket.prototype.send;
  WebSocket.prototype.send = function (frame) {
    window.sent.push(JSON.parse(frame));
    usual.call(this, frame);
  };
}"""
LATER = "new Promise((done) => setTimeout(done, 100))"
"""Wait for all shorter timers that the page has set before, however busy the machine is."""
MINE = "() => window.zashiki?.legal.length > 0 && !window.zashiki.busy"


def sat_down(
    server: ServerProcess, browser: Browser, game: str, seats: int, **settings: object
) -> Visitor:
    aki = Visitor(server, browser, "Aki", **{"motion": "off", **settings})  # type: ignore[arg-type]
    aki.come()
    aki.visit("/settings")
    table = aki.open_table(game, seats, "random")
    aki.play_on(table, 0)
    aki.visit(f"/table/{table}")
    aki.page.wait_for_function(MINE)
    aki.settle()  # the page knows its legal actions before it has drawn the table
    return aki


def take_first(aki: Visitor, hands: Hands, game: str) -> None:
    """Play the first legal action until it is accepted: it may be cancelled for a second."""
    before = aki.page.evaluate("window.zashiki.log.length")
    hands.take(game, aki.page.evaluate("window.zashiki.legal[0]"))
    aki.page.wait_for_function(
        "n => window.zashiki.log.length > n && !window.zashiki.busy", arg=before
    )


def test_a_double_click_is_one_decision(server: ServerProcess, browser: Browser) -> None:
    aki = sat_down(server, browser, "kingdoms", 2)
    aki.page.evaluate(SENT)
    aki.page.wait_for_function("() => window.zashiki.view.phase === 'draft'")
    aki.page.locator('[data-action^="draft:"]').dblclick(delay=40)
    aki.page.wait_for_function("() => window.zashiki.view.phase === 'deploy'")
    aki.page.wait_for_function("() => !window.zashiki.busy")
    sent = aki.page.evaluate("window.sent")
    assert [frame["do"] for frame in sent] == ["play"]
    assert aki.page.evaluate("window.zashiki.legal").count("done") == 1, "the turn continues"
    aki.leave()


@pytest.mark.parametrize(("game", "seats"), [("kamiza-second", 3), ("kingdoms", 2)])
def test_the_keyboard_keeps_its_place(
    server: ServerProcess, browser: Browser, game: str, seats: int
) -> None:
    aki = sat_down(server, browser, game, seats)
    take_first(aki, Keys(aki.page), game)
    aki.settle()
    aki.page.evaluate(LATER)
    assert aki.page.evaluate("document.activeElement.closest('.frame') !== null")
    aki.button("Resign").focus()
    aki.page.keyboard.press("Enter")
    expect(aki.page.get_by_role("dialog")).to_be_visible()
    aki.page.keyboard.press("Escape")
    expect(aki.button("Resign")).to_be_focused()
    aki.leave()


def test_a_reveal_is_heard_also_when_more_has_happened_since(
    server: ServerProcess, browser: Browser
) -> None:
    aki = sat_down(server, browser, "kamiza-second", 3, motion="on", pace="quick")
    aki.page.evaluate(LISTEN)
    for _ in range(2):
        take_first(aki, Hands(aki.page), "kamiza-second")
        aki.page.wait_for_function(MINE)
    aki.page.wait_for_function("() => window.zashiki.settled")
    aki.page.wait_for_function(f"() => window.heard.length >= {TOLD}.length")
    aki.settle()
    assert aki.page.evaluate("window.zashiki.log.some((one) => one.fact === 'revealed')")
    assert aki.page.evaluate("window.heard") == aki.page.evaluate(TOLD)
    aki.leave()


def test_an_address_that_was_cut_off_is_no_blank_page(
    server: ServerProcess, browser: Browser
) -> None:
    aki = Visitor(server, browser, "Aki")
    aki.expected = ["Failed to load resource"]
    aki.come()
    aki.visit("/table/%E0%A4%A")
    expect(aki.page.get_by_role("main").get_by_role("alert").first).not_to_be_empty()
    aki.leave()


def test_what_is_picked_stays_picked_in_another_language(
    server: ServerProcess, browser: Browser
) -> None:
    aki = sat_down(server, browser, "kamiza-second", 3)
    aki.page.locator(".hand [data-card]").first.click()
    picked = aki.page.locator('.hand [aria-pressed="true"]')
    expect(picked).to_have_count(1)
    aki.page.evaluate("document.querySelector('div.frame').dataset.same = 'yes'")
    aki.button("日本語").click()
    expect(aki.page.get_by_role("status").first).to_contain_text("カード")
    expect(picked).to_have_count(1)
    assert aki.page.locator("div.frame").get_attribute("data-same") == "yes"
    aki.leave()
