"""KAMIZA by hand: two presses place a card, which can be cancelled; planning ahead works."""

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.browse import DESK, PHONE, Visitor
from tests.browser.test_gestures import SENT, sat_down
from tests.browser.test_panel import sit
from tests.server.server_process import ServerProcess

PLAYS = "window.sent.filter((frame) => frame.do === 'play').map((frame) => frame.action)"
REGRET = "new Promise((done) => setTimeout(done, 1500))"
"""Wait until the second for cancelling is over, however busy the machine is."""
LISTEN = """() => {
  window.said = [];
  new MutationObserver(() => {
    const told = document.querySelector(".hand .acts [role=status]");
    if (told?.checkVisibility()) window.said.push(told.textContent.trim());
  }).observe(document, { childList: true, subtree: true, characterData: true });
}"""
"""Record what is said beside the hand: the second for cancelling may pass before a test looks."""
PLACE_AND_TAKE_BACK = """
async ([card, area]) => {
  const drawn = () => new Promise((done) => setTimeout(done, 50));
  document.querySelector(`.hand [data-card="${card}"]`).click();
  await drawn();
  document.querySelector(`.hand [data-area="${area}"]`).click();
  await drawn();
  const said = document.querySelector(".hand .acts [role=status]").textContent;
  document.querySelector(".hand .acts .button").click();
  return said;
}
"""
"""Press in one step, so that the second cannot pass on a busy machine."""


def card(aki: Visitor, name: str) -> Locator:
    return aki.page.locator(f'.hand [data-card="{name}"]')


def area(aki: Visitor, name: str) -> Locator:
    return aki.page.locator(f'.hand [data-area="{name}"]')


def test_two_presses_place_a_card(server: ServerProcess, browser: Browser) -> None:
    aki = sat_down(server, browser, "kamiza-second", 3)
    aki.page.evaluate(SENT)
    aki.page.evaluate(LISTEN)
    card(aki, "boss").click()
    expect(area(aki, "top")).to_have_accessible_name("Place the Boss at the top seat")
    area(aki, "top").click()
    aki.page.wait_for_function(f"() => {PLAYS}.length > 0")
    assert "Placed: Boss at the top seat." in aki.page.evaluate("window.said")
    assert aki.page.evaluate(PLAYS) == ["boss@top"]
    aki.leave()


def test_what_is_taken_back_is_never_sent(server: ServerProcess, browser: Browser) -> None:
    aki = sat_down(server, browser, "kamiza-second", 3)
    aki.page.evaluate(SENT)
    said = aki.page.evaluate(PLACE_AND_TAKE_BACK, ["hitman", "top"])
    assert said == "Placed: Hitman at the top seat."
    aki.page.evaluate(REGRET)
    assert aki.page.evaluate(PLAYS) == []
    expect(card(aki, "hitman")).to_have_attribute("aria-pressed", "true")
    aki.leave()


def test_a_card_that_would_score_nothing_is_asked_about(
    server: ServerProcess, browser: Browser
) -> None:
    aki = sat_down(server, browser, "kamiza-second", 3)
    aki.page.evaluate(SENT)
    card(aki, "boss").click()
    area(aki, "bottom").click()
    expect(aki.page.get_by_role("alert").filter(has_text="scores nothing")).to_be_visible()
    aki.page.evaluate(REGRET)
    assert aki.page.evaluate(PLAYS) == []
    aki.button("Place it anyway").click()
    aki.page.wait_for_function(f"() => {PLAYS}.length > 0")
    assert aki.page.evaluate(PLAYS) == ["boss@bottom"]
    aki.leave()


def test_a_card_that_is_pressed_twice_goes_where_it_belongs(
    server: ServerProcess, browser: Browser
) -> None:
    aki = sat_down(server, browser, "kamiza-second", 3)
    aki.page.evaluate(SENT)
    card(aki, "underboss").dblclick()
    aki.page.evaluate(REGRET)
    assert aki.page.evaluate(PLAYS) == [], "it may go to either side"
    card(aki, "boss").dblclick()
    aki.page.wait_for_function(f"() => {PLAYS}.length > 0")
    assert aki.page.evaluate(PLAYS) == ["boss@top"]
    aki.leave()


@pytest.mark.parametrize("size", [pytest.param(DESK, marks=pytest.mark.long), PHONE])
def test_who_waits_can_plan(server: ServerProcess, browser: Browser, size: tuple[int, int]) -> None:
    people = [Visitor(server, browser, name, size, motion="off") for name in ("Aki", "Ben")]
    for one in people:
        one.come()
    chairs = [{"kind": "open"}, {"kind": "open"}, {"kind": "bot", "bot": "random"}]
    wanted = {"game": "kamiza-second", "seats": 3, "chairs": chairs}
    table = people[0].post("/api/tables", wanted)["table"]["id"]
    people[1].post(f"/api/tables/{table}/sit", {"seat": 1})
    for one in people:
        one.visit(f"/table/{table}")
        one.page.wait_for_function("() => window.zashiki?.info")
    people[0].post(f"/api/tables/{table}/start")
    for one in people:
        one.page.wait_for_function("() => window.zashiki.toAct.some((seat) => seat < 2)")
    is_first = people[0].page.evaluate("window.zashiki.toAct.includes(window.zashiki.seat)")
    acting, waiting = people if is_first else people[::-1]
    for one in people:
        one.settle()
    waiting.page.evaluate(SENT)
    card(waiting, "hitman").click()
    area(waiting, "bottom").click()
    for chosen in (card(waiting, "hitman"), area(waiting, "bottom")):
        expect(chosen).to_have_attribute("aria-pressed", "true")
    assert waiting.page.evaluate("[window.sent, window.zashiki.why]") == [[], None]
    card(acting, "underboss").click()
    area(acting, "top").click()
    waiting.page.wait_for_function("() => window.zashiki.legal.length > 0")
    waiting.page.evaluate(REGRET)
    assert waiting.page.evaluate(PLAYS) == [], "what is planned is not placed by itself"
    waiting.page.locator('[data-action="hitman@bottom"]').click()
    waiting.page.wait_for_function(f"() => {PLAYS}.length > 0")
    assert waiting.page.evaluate(PLAYS) == ["hitman@bottom"]
    for one in people:
        one.leave()


def test_tokens_say_what_they_are(server: ServerProcess, browser: Browser) -> None:
    aki = sat_down(server, browser, "kamiza-second", 3)
    tokens = aki.page.locator(".south .tokens")
    expect(tokens).to_contain_text("WANTED")
    tokens.focus()
    aki.page.keyboard.press("Enter")
    told = aki.page.locator(".sill").get_by_role("status")
    expect(told).to_contain_text("Aki’s points: 0.")
    expect(told).to_contain_text("WANTED chips: 0 of 3, one for each bribe")
    expect(tokens).to_have_attribute("title", told.inner_text())
    aki.leave()


def test_a_spectator_sees_what_every_family_has_left(
    server: ServerProcess, browser: Browser
) -> None:
    aki = Visitor(server, browser, "Aki", DESK)
    eve = Visitor(server, browser, "Eve", (1366, 650))
    table = sit("kamiza-second", aki)
    eve.visit(f"/table/{table}")
    expect(eve.page.locator("[data-person] .family")).to_have_count(3)
    expect(aki.page.locator("[data-person] .family")).to_have_count(2)
    aki.leave()
    eve.leave()
