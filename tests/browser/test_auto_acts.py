"""Automatic actions of a page: the only answer after a delay, and passes in advance."""

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.browse import DESK, PHONE, Visitor
from tests.browser.fit import MOST_MATCHES, MOST_TURNS, REACH
from tests.server.server_process import ServerProcess

BIDS = 4
LONGER_THAN_A_BEAT = 2500
SEE = """
window.seen = [];
new MutationObserver(() => window.seen.push(document.querySelector(".prompt")?.textContent ?? ""))
  .observe(document, { childList: true, subtree: true, characterData: true });
"""
"""Records the texts of the prompt: a delay may be over before a test looks."""

NEXT_WAR = """
(before) => {
  const { over, legal, log } = window.zashiki;
  const isNext = log.slice(before).some((one) => ["war_ended", "round_began"].includes(one.fact));
  return over || (isNext && legal.length > 0);
}
"""
"""Wait for the first decision of the next turf war, which may leave no choice."""


def bid(server: ServerProcess, browser: Browser, **settings: object) -> Visitor:
    """A person at Goofspiel before the last bid, when only one is legal."""
    aki = Visitor(server, browser, "Aki", PHONE, "en", **settings)
    aki.context.add_init_script(SEE)
    aki.come()
    aki.visit(f"/table/{aki.open_table('goofspiel', 2, 'random', options={'cards': BIDS})}")
    actions = aki.page.locator(".actions button")
    for turn in range(BIDS - 1):
        expect(actions).to_have_count(BIDS - turn)
        actions.first.click()
    return aki


def test_the_only_answer_is_given_after_a_beat(server: ServerProcess, browser: Browser) -> None:
    aki = bid(server, browser, asksAlways=False)
    aki.page.wait_for_function(
        "() => window.seen.some((text) => text.includes('Only one move is possible'))"
    )
    expect(aki.page.get_by_role("dialog").get_by_role("listitem")).to_have_count(2)
    table = aki.page.evaluate("window.zashiki.info.id")
    taken = {line["act"] for line in record_of(aki, table) if line.get("by") == 0}
    assert len(taken) == BIDS, "the record has it as their decision, like the others"
    aki.leave()


def test_whoever_wants_to_be_asked_is_asked(server: ServerProcess, browser: Browser) -> None:
    aki = bid(server, browser, asksAlways=True)
    expect(aki.page.locator(".actions button")).to_have_count(1)
    aki.page.wait_for_timeout(LONGER_THAN_A_BEAT)
    assert not aki.page.evaluate("window.zashiki.over")
    aki.visit("/settings")
    switch = aki.page.get_by_role("switch", name="Always ask me")
    expect(switch).to_be_checked()
    aki.page.get_by_text("Always ask me", exact=True).click()
    expect(switch).not_to_be_checked()
    aki.page.go_back()
    expect(aki.page.get_by_role("dialog").get_by_role("listitem")).to_have_count(2)
    aki.leave()


@pytest.mark.parametrize("size", [DESK, pytest.param(PHONE, marks=pytest.mark.long)])
def test_passing_can_be_said_ahead(
    server: ServerProcess, browser: Browser, size: tuple[int, int]
) -> None:
    aki = Visitor(server, browser, "Aki", size, motion="off", hints=False)
    aki.come()
    page = aki.page
    reached = "view.phase === 'turn' && legal.includes('pass') && legal.length > 2"
    for _ in range(MOST_MATCHES):
        table = aki.open_table("red-town", 3, "random", options={"form": "short"})
        aki.visit(f"/table/{table}")
        if page.evaluate(REACH % reached, [["^[rb][12]:"], MOST_TURNS]):
            break
    aki.settle()
    if aki.button("OK", exact=True).count() > 0:  # a notice comes first if there is little room
        aki.button("OK", exact=True).click()
    before = page.evaluate("window.zashiki.log.length")
    ahead = aki.button("Pass until the next turf war")
    expect(ahead).to_have_attribute("aria-pressed", "false")
    ahead.click()
    facts = page.wait_for_function(
        """(before) => {
          const { log, seat } = window.zashiki;
          const since = log.slice(before).map((one) => [one.fact, one.with.seat]);
          return since.some(([fact, who]) => fact === "has_passed" && who === seat) && since;
        }""",
        arg=before,
    ).json_value()
    assert [fact for fact, seat in facts if seat == 0][:1] == ["has_passed"]
    page.wait_for_function(NEXT_WAR, arg=before)
    asked = page.evaluate("window.zashiki.decision")
    page.wait_for_timeout(LONGER_THAN_A_BEAT)
    state: dict[str, Any] = page.evaluate(
        "(({decision, over}) => ({decision, over}))(window.zashiki)"
    )
    assert state["over"] or state["decision"] == asked, "the next turf war is asked about again"
    aki.leave()


def record_of(aki: Visitor, table: str) -> list[dict[str, Any]]:
    found = aki.get(f"/api/tables/{table}/record")
    assert found.ok, found.text()
    return [json.loads(line) for line in found.text().splitlines()]
