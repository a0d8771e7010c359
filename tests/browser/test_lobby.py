"""Before a match: an invitation, a bot on a free seat, and a rematch."""

from itertools import product

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.browse import DESK, PHONE, Visitor
from tests.server.server_process import ServerProcess

LONG = pytest.mark.long
SIZES = [pytest.param(DESK, marks=LONG), PHONE]
WINDOWS = [
    (1280, 632), (1366, 650), (1440, 790), (1536, 730), (1440, 900), (1920, 950),
    (820, 1180), (1180, 820), (360, 640), (390, 844), (844, 390),
]  # fmt: skip
BOXES = """
() => [...document.querySelectorAll("main button, main a, main h2, main li")]
  .filter((one) => !one.closest("[popover]"))
  .map((one) => { const { x, y, width, height } = one.getBoundingClientRect();
                  return [x, y, width, height].join(); })
"""
CUT = """
() => [...document.querySelectorAll("article h3, article li, .hero h1, .hero p, .hero .large")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => {
    const box = one.getBoundingClientRect();
    const card = one.closest("article, .hero").getBoundingClientRect();
    return one.scrollWidth > one.clientWidth + 1 || box.left < card.left - 1
      || box.right > card.right + 1 || box.bottom > card.bottom + 1;
  })
  .map((one) => one.textContent)
"""
"""Return the texts of the first screen that do not fit."""
HIT = """
(selector) => {
  const act = document.querySelector(selector);
  const box = act.getBoundingClientRect();
  const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return act.contains(hit) && box.top >= 0 && box.bottom <= innerHeight;
}
"""
SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shifted += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""


def invited(
    server: ServerProcess, browser: Browser, host: Visitor, **wanted: object
) -> tuple[str, Visitor]:
    """A table of the host's, and a visitor with its link and no name."""
    asked = {"game": "kamiza-second", "seats": 3, "public": False, **wanted}
    made = host.post("/api/tables", asked)
    path = f"/table/{made['table']['id']}?key={made['key']}"
    friend = Visitor(server, browser, "Ben", PHONE, motion="off")
    friend.visit(path)
    return path, friend


def test_an_invited_friend_names_himself_and_sits_down(
    server: ServerProcess, browser: Browser
) -> None:
    host = Visitor(server, browser, "Aki", DESK, motion="off")
    host.come()
    path, friend = invited(server, browser, host)
    expect(friend.page.get_by_text("Aki invites you to play")).to_be_visible()
    expect(friend.page.get_by_role("heading", name="KAMIZA Second Generation")).to_be_visible()
    assert friend.axe() == []
    friend.page.get_by_label("Your name").fill(friend.name)
    friend.button("Come in").click()
    friend.press(friend.button("Sit down"))
    expect(friend.page.get_by_text("Stand up")).to_be_visible()

    host.visit(path)
    seat = host.page.get_by_label("Who sits here: Seat 3")
    seat.select_option("casual")
    expect(host.page.get_by_text("bot, casual")).to_be_visible()
    seat.select_option("")
    expect(host.page.get_by_text("bot, casual")).to_be_hidden()
    seat.select_option("newcomer")
    assert host.axe() == []
    host.press(host.button("Start", exact=True))
    for visitor in (host, friend):
        expect(visitor.page.get_by_role("button", name="top seat").first).to_be_visible()
    expect(host.page.get_by_title("House bot: newcomer").first).to_be_visible()
    host.leave()
    friend.leave()


def test_who_may_not_watch_may_still_sit_down(server: ServerProcess, browser: Browser) -> None:
    host = Visitor(server, browser, "Aki", DESK, motion="off")
    host.come()
    _, friend = invited(server, browser, host, watch="off")
    friend.expected = ["403"]
    friend.page.get_by_label("Your name").fill(friend.name)
    friend.button("Come in").click()
    friend.press(friend.button("Sit down"))
    expect(friend.page.get_by_text("Stand up")).to_be_visible()
    host.leave()
    friend.leave()


def test_the_start_is_in_sight_on_a_phone(server: ServerProcess, browser: Browser) -> None:
    host = Visitor(server, browser, "Aki", PHONE, motion="off")
    host.come()
    chairs = [{"kind": "open"}, *[{"kind": "bot", "bot": "random"}] * 4]
    made = host.post("/api/tables", {"game": "red-town", "seats": 5, "chairs": chairs})
    host.visit(f"/table/{made['table']['id']}")
    start = host.button("Start", exact=True)
    expect(start).to_be_in_viewport(ratio=1)
    assert host.page.locator(".start button").all_inner_texts() == ["Start", "Close the table"]
    host.leave()


def test_once_more_against_bots_is_dealt_at_once(server: ServerProcess, browser: Browser) -> None:
    visitor = Visitor(server, browser, "Aki", PHONE, motion="off")
    visitor.come()
    visitor.visit()
    table = visitor.open_table("red-town", 3, "random", options={"form": "short"})
    assert visitor.play_on(table, 1000)
    visitor.visit(f"/table/{table}")
    dialog = visitor.page.get_by_role("dialog")
    expect(dialog.get_by_role("link", name="To the lobby")).to_be_visible()
    dialog.get_by_role("button", name="Play again").click()
    visitor.page.wait_for_function(
        "table => window.zashiki.id !== table && window.zashiki.started", arg=table
    )
    visitor.visit("/history")
    expect(visitor.page.get_by_role("heading", name="Still being played")).to_be_visible()
    visitor.leave()


def test_a_newcomer_plays_the_short_form(server: ServerProcess, browser: Browser) -> None:
    visitor = Visitor(server, browser, "Aki", PHONE, motion="off")
    visitor.come()
    visitor.visit()
    card = visitor.page.get_by_role("article", name="Sumidagawa Red Town")
    card.get_by_role("button", name="Short game").click()
    card.get_by_role("radio", name="Standard game").click()
    card.get_by_role("button", name="Close").click()
    expect(card.get_by_text("Players, including you")).to_be_hidden()
    visitor.reload()
    card.get_by_role("button", name="Standard game").click()
    card.get_by_role("radio", name="Short game").click()
    visitor.page.keyboard.press("Escape")
    card.get_by_role("button", name="Play now").click()
    visitor.page.wait_for_function("() => window.zashiki?.started")
    assert visitor.page.evaluate("window.zashiki.options.form") == "short"
    visitor.leave()


@pytest.mark.parametrize("size", SIZES)
def test_quick_play_asks_once_for_the_side(
    server: ServerProcess, browser: Browser, size: tuple[int, int]
) -> None:
    visitor = Visitor(server, browser, "Aki", size, motion="off")
    visitor.come()
    visitor.visit()
    card = visitor.page.get_by_role("article", name="Red Kingdom & Blue Kingdom")
    play = card.get_by_role("button", name="Play now")
    play.click()
    question = visitor.page.get_by_role("dialog", name="Which side will you play?")
    expect(question.get_by_role("button")).to_have_text(["", "Red", "Blue", "Either"])
    expect(question.locator("svg[data-side]")).to_have_count(4)
    assert visitor.axe() == []
    visitor.page.keyboard.press("Escape")
    expect(question).to_be_hidden()
    expect(play).to_be_focused()
    play.click()
    question.get_by_role("button", name="Blue").click()
    visitor.page.wait_for_function("() => window.zashiki?.started")
    assert visitor.page.evaluate("window.zashiki.seat") == 1
    visitor.visit()
    expect(card.get_by_role("button", name="Blue")).to_be_visible()
    play.click()
    visitor.page.wait_for_function("() => window.zashiki?.started")
    assert visitor.page.evaluate("window.zashiki.seat") == 1, "remembered, and not asked again"
    visitor.leave()


def test_the_start_draws_the_seats_of_friends(server: ServerProcess, browser: Browser) -> None:
    """From the page that opens a table to the dealt hands: each page knows its seat."""
    host = Visitor(server, browser, "Aki", DESK, motion="off")
    host.come()
    host.visit("/new?game=kamiza-second")
    expect(host.page.get_by_role("radio", name="Drawn at the start")).to_be_checked()
    assert host.axe() == []
    host.page.get_by_label("Seat 3").select_option("bot:newcomer")
    host.page.get_by_label("Seat 4").select_option("bot:newcomer")
    host.button("Open a table").click()
    expect(host.page.get_by_text("Seats are drawn at the start.")).to_be_visible()
    expect(host.page.get_by_role("button", name="Swap seats")).to_have_count(0)
    friend = Visitor(server, browser, "Ben", PHONE, motion="off")
    friend.come()
    friend.visit(host.page.url.removeprefix(server.url))
    friend.press(friend.button("Sit down"))
    host.press(host.button("Start", exact=True))
    seats = []
    for visitor in (host, friend):
        visitor.page.wait_for_function("() => window.zashiki?.started")
        seen = visitor.page.evaluate(
            "() => [window.zashiki.seat, window.zashiki.people.find((one) => one.me).name]"
        )
        seats.append(seen)
    assert [name for _, name in seats] == ["Aki", "Ben"]
    shown = friend.page.evaluate("window.zashiki.people.map((one) => one.name)")
    assert [shown[seat] for seat, _ in seats] == ["Aki", "Ben"]
    host.leave()
    friend.leave()


@pytest.mark.parametrize("size", SIZES)
def test_choices_move_nothing(
    server: ServerProcess, browser: Browser, size: tuple[int, int]
) -> None:
    visitor = Visitor(server, browser, "Aki", size, motion="off")
    visitor.visit()
    visitor.settle()
    before = visitor.page.evaluate(BOXES)
    card = visitor.page.get_by_role("article", name="Sumidagawa Red Town")
    how = card.get_by_role("button", name="Short game")
    how.focus()
    visitor.page.keyboard.press("Enter")
    choices = visitor.page.get_by_role("dialog", name="Options for Sumidagawa Red Town")
    expect(choices).to_be_visible()
    expect(choices.get_by_role("radio", name="4")).to_be_focused()
    assert visitor.page.evaluate(BOXES) == before
    for control in choices.get_by_role("radio").all():
        control.scroll_into_view_if_needed()
        expect(control).to_be_in_viewport(ratio=1)
    assert visitor.axe() == []
    visitor.page.keyboard.press("Escape")
    expect(choices).to_be_hidden()
    expect(how).to_be_focused()
    assert visitor.page.evaluate(BOXES) == before
    visitor.leave()


@pytest.mark.parametrize("language", [pytest.param("en", marks=LONG), "ja"])
def test_the_first_act_is_in_sight_in_every_window(
    server: ServerProcess, browser: Browser, language: str
) -> None:
    """For a new visitor, and for a player whose turn it is: no text of the first screen is cut."""
    aki = Visitor(server, browser, "Aki", language=language, motion="off")
    aki.visit()
    aki.settle()
    for is_waited_for, (width, height) in product((False, True), WINDOWS):
        if is_waited_for and not aki.id:
            aki.come()
            aki.play_on(aki.open_table("kingdoms", 2, "random"), 1)
            aki.visit()
        aki.page.set_viewport_size({"width": width, "height": height})
        aki.settle()
        act = ".hero aside a.button" if is_waited_for else ".hero button.act"
        assert aki.page.evaluate(HIT, act), (width, height)
        assert aki.page.evaluate(CUT) == [], (width, height)
        wide = "document.documentElement.scrollWidth > innerWidth"
        assert not aki.page.evaluate(wide), (width, height)
    aki.leave()


def test_one_way_back_to_each_match_that_waits(server: ServerProcess, browser: Browser) -> None:
    aki = Visitor(server, browser, "Aki", DESK, motion="off")
    aki.come()
    aki.visit("/settings")
    tables = [aki.open_table("kingdoms", 2, "random"), aki.open_table("red-town", 3, "random")]
    for table in tables:
        aki.play_on(table, 1)
    aki.visit()
    for table in tables:
        expect(aki.page.locator(f'a[href^="/table/{table}"]')).to_have_count(1)
    expect(aki.page.get_by_role("link", name="Continue")).to_have_count(2)
    aki.visit("/rules")
    expect(aki.page.locator("header").get_by_role("link", name="Your turn")).to_have_count(1)
    aki.leave()


@pytest.mark.parametrize("size", SIZES)
def test_the_lobby_stands_still_while_it_comes(
    server: ServerProcess, browser: Browser, size: tuple[int, int]
) -> None:
    aki = Visitor(server, browser, "Aki", size, motion="off")
    aki.context.add_init_script(SHIFTS)
    aki.come()
    aki.visit()
    aki.settle()
    aki.play_on(aki.open_table("kingdoms", 2, "random"), 1)
    aki.visit()
    expect(aki.page.get_by_role("link", name="Continue")).to_be_visible()
    aki.settle()
    assert aki.page.evaluate("shifted") < 0.02
    aki.leave()


def test_tables_that_nobody_is_at_are_not_listed(server: ServerProcess, browser: Browser) -> None:
    """Joinable tables come first, and at most six are shown at first."""
    host = Visitor(server, browser, "Aki", DESK, motion="off")
    host.come()
    asked = {"game": "kingdoms", "seats": 2, "public": True}
    dead, alive = (host.post("/api/tables", asked)["table"]["id"] for _ in range(2))
    host.visit(f"/table/{alive}")
    guest = Visitor(server, browser, "Ben", DESK, motion="off")
    guest.visit()
    join = guest.page.locator(f'a[href^="/table/{alive}"]')
    expect(join).to_contain_text("Join")
    expect(guest.page.locator(f'a[href^="/table/{dead}"]')).to_have_count(0)
    assert guest.page.locator("section[aria-labelledby=open-tables] li").count() <= 6
    host.post(f"/api/tables/{alive}/close")
    host.leave()
    guest.leave()


def test_the_leaderboard_opens_on_a_list_with_places(
    server: ServerProcess, browser: Browser
) -> None:
    visitor = Visitor(server, browser, "Aki", DESK, motion="off")
    visitor.visit("/leaderboard")
    expect(visitor.page.locator("main ol li").first).to_be_visible()
    expect(visitor.page.get_by_role("button", name="Bots", pressed=True)).to_be_visible()
    visitor.page.get_by_role("button", name="People").click()
    expect(visitor.page.get_by_text("Nobody has a rating here yet")).to_be_visible()
    visitor.reload()
    expect(visitor.page.get_by_text("Nobody has a rating here yet")).to_be_visible()
    visitor.leave()
