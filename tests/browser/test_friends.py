"""An evening with friends: chat before and during a match, bubbles at the seats, the link."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.browse import DESK, PHONE, TABLET, Visitor
from tests.browser.test_panel import say, sit
from tests.server.server_process import ServerProcess

LONG = pytest.mark.long
LAPTOP = (1366, 650)
WATCH = """
(text) => {
  const boxes = (chosen) =>
    [...document.querySelectorAll(chosen)].map((one) => one.getBoundingClientRect());
  const meet = (a, b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const pressed = ":is(.stage button, .stage a, .stage input):not([data-person] *)";
  const covered = () => {
    const controls = boxes(pressed).filter((one) => one.width > 0);
    return boxes(".bubble").flatMap((one) =>
      controls.filter((other) => meet(one, other)).map((other) => JSON.stringify([one, other])));
  };
  const bubbles = () => [...document.querySelectorAll(".bubble[data-said-by='1']")];
  const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
  const watched = async () => {
    while (!bubbles().some((one) => one.textContent.trim() === text)) await frame();
    let behind = covered();
    while (behind.length > 0 && bubbles().length > 0) {
      await frame();
      behind = covered();
    }
    const [seat] = boxes("[data-person='1']");
    return { behind, seat, said: boxes(".bubble[data-said-by='1']") };
  };
  window.watched = watched();
}
"""
"""Watch the bubble of this text, until it has moved away from the controls that it covered.

A bubble is shown for some seconds, which may pass before a test looks: the page itself watches.
Without a free place it covers seats.
"""


def open_room(host: Visitor, seats: int = 3, **wanted: object) -> tuple[str, str]:
    """A private table whose host waits for people with the link; its id and its key."""
    host.come()
    chairs = [{"kind": "link"}] * seats
    asked = {"game": "kamiza-second", "seats": seats, "chairs": chairs, "public": False, **wanted}
    made = host.post("/api/tables", asked)
    return made["table"]["id"], made["key"]


@pytest.mark.parametrize(("language", "size"), [("en", DESK), ("ja", PHONE)])
def test_people_talk_before_the_match(
    server: ServerProcess, browser: Browser, language: str, size: tuple[int, int]
) -> None:
    aki = Visitor(server, browser, "Aki", size, language)
    ben = Visitor(server, browser, "Ben", PHONE, "en")
    table, key = open_room(aki)
    ben.come()
    for one in (aki, ben):
        one.visit(f"/table/{table}?key={key}")
    ben.press(ben.button("Sit down"))
    ben.page.get_by_label("Say something").fill("Is Hana coming?")
    ben.button("Send", exact=True).click()
    talk = aki.page.locator(".talk")
    expect(talk.get_by_text("Is Hana coming?")).to_be_visible()
    label = "Quick message" if language == "en" else "ひとこと送る"
    opener = talk.get_by_role("button", name=label)
    aki.settle()  # words in a font that arrives during a press move the button away
    opener.click()
    expect(opener).to_have_attribute("aria-expanded", "true")
    assert aki.axe() == []
    first = aki.page.get_by_role("group", name=label).get_by_role("button").nth(1)
    assert first.inner_text() == ("Well played!" if language == "en" else "お見事！")
    first.click()
    expect(opener).to_be_focused()
    expect(ben.page.locator(".talk").get_by_text("Well played!")).to_be_visible()
    for one in (aki, ben):
        one.leave()


def test_words_out_of_sight_are_shown_below_and_keep_their_speakers_mark(
    server: ServerProcess, browser: Browser
) -> None:
    aki = Visitor(server, browser, "Aki", (390, 700))
    ben = Visitor(server, browser, "Ben", PHONE)
    table, key = open_room(aki, seating="fixed")
    ben.come()
    for one in (aki, ben):
        one.visit(f"/table/{table}?key={key}")
    ben.press(ben.button("Sit down"))
    ben.page.get_by_label("Say something").fill("Is Hana coming?")
    ben.button("Send", exact=True).click()
    said = aki.page.locator(".talk li", has_text="Is Hana coming?")
    expect(said.locator("svg rect")).to_have_count(1)
    heard = aki.button("Ben Is Hana coming?")
    aki.press(heard)
    expect(said).to_be_in_viewport()
    expect(heard).to_have_count(0)
    aki.press(aki.button("Swap seats 1 and 2"))
    expect(said.locator("svg rect")).to_have_count(0)
    aki.leave()
    ben.leave()


def test_free_seats_are_filled_with_bots_by_one_press(
    server: ServerProcess, browser: Browser
) -> None:
    aki = Visitor(server, browser, "Aki", PHONE)
    table, key = open_room(aki, seats=4, seating="drawn")
    aki.visit(f"/table/{table}?key={key}")
    expect(aki.button("Stand up")).to_be_visible()
    expect(aki.button("Move here")).to_have_count(0)
    expect(aki.button("Start")).to_have_count(0)
    aki.press(aki.button("Fill with bots"))
    expect(aki.page.get_by_text("bot, regular")).to_have_count(3)
    expect(aki.button("Start")).to_be_enabled()
    aki.leave()


def test_four_seats_fit_a_low_window(server: ServerProcess, browser: Browser) -> None:
    aki = Visitor(server, browser, "Aki", LAPTOP, "ja")
    table, key = open_room(aki, seats=4, seating="drawn")
    aki.visit(f"/table/{table}?key={key}")
    seat = aki.page.locator(".room section[aria-labelledby=seats] li").nth(3).bounding_box()
    start = aki.page.locator(".room .start").bounding_box()
    assert seat is not None
    assert start is not None
    assert seat["y"] + seat["height"] <= start["y"]
    aki.leave()


def test_the_link_is_there_when_all_seats_are_taken_and_as_a_code(
    server: ServerProcess, browser: Browser
) -> None:
    aki = Visitor(server, browser, "Aki", TABLET, "ja")
    table, key = open_room(aki)
    aki.visit(f"/table/{table}?key={key}")
    for seat in (1, 2):
        aki.post(f"/api/tables/{table}/bot", {"seat": seat, "bot": "random"})
    link = aki.page.get_by_label("観戦する人にこのリンクを送ってください")
    address = urlsplit(link.input_value())
    assert address.path == f"/table/{table}"
    assert parse_qs(address.query) == {"key": [key], "language": ["ja"]}
    aki.press(aki.button("QRコード"))  # a bot that sits down moves it
    code = aki.page.get_by_role("img", name="この卓のリンクのQRコード")
    expect(code).to_be_visible()
    side = int((code.get_attribute("viewBox") or "").split()[2])
    drawn = set(re.findall(r"M(\d+) (\d+)", code.locator("path").get_attribute("d") or ""))
    finder = {(str(4 + x), "4") for x in range(7)}
    assert finder <= drawn, "the first row of a finder pattern, inside the margin"
    assert side - 8 in range(25, 60, 4)
    assert aki.axe() == []
    aki.leave()


@pytest.mark.parametrize(
    ("game", "size"),
    [
        ("kamiza-second", PHONE),
        ("red-town", LAPTOP),
        pytest.param("kamiza-second", LAPTOP, marks=LONG),
        pytest.param("red-town", PHONE, marks=LONG),
        pytest.param("kingdoms", PHONE, marks=LONG),
        pytest.param("kingdoms", LAPTOP, marks=LONG),
    ],
)
def test_what_is_said_stands_at_the_seat_and_covers_no_control(
    server: ServerProcess, browser: Browser, game: str, size: tuple[int, int]
) -> None:
    aki = Visitor(server, browser, "Aki", size)
    ben = Visitor(server, browser, "Ben", DESK, "ja")
    sit(game, aki, ben)
    aki.page.evaluate(WATCH, "That was my best card, and you know it.")
    say(ben, "That was my best card, and you know it.")
    watched = aki.page.wait_for_function("() => window.watched").json_value()
    assert watched["behind"] == []
    (said,) = watched["said"]
    seat = watched["seat"]
    assert said["height"] > 0
    assert abs(said["y"] - seat["y"]) < seat["height"] + said["height"] + 130
    aki.page.evaluate(WATCH, "Well played!")
    ben.button("ひとこと送る").first.click()
    ben.button("お見事！").click()
    watched = aki.page.wait_for_function("() => window.watched").json_value()
    assert watched["behind"] == []
    assert len(watched["said"]) == 1, "it replaces the line before"
    expect(aki.page.locator(".bubble[data-said-by='1']")).to_have_count(0)
    for one in (aki, ben):
        one.leave()


def test_who_is_muted_has_no_bubble(server: ServerProcess, browser: Browser) -> None:
    aki, ben = (Visitor(server, browser, name, PHONE) for name in ("Aki", "Ben"))
    sit("kamiza-second", aki, ben)
    aki.post("/api/mute", {"player": ben.id, "muted": True})
    say(ben, "Can you hear me?")
    say(aki, "Who spoke?")
    expect(aki.page.locator(".bubble[data-said-by='0']")).to_be_visible()
    expect(aki.page.locator(".bubble[data-said-by='1']")).to_have_count(0)
    for one in (aki, ben):
        one.leave()


def test_what_is_said_behind_a_closed_drawer_stays_unread(
    server: ServerProcess, browser: Browser
) -> None:
    aki = Visitor(server, browser, "Aki", (1024, 768))
    ben = Visitor(server, browser, "Ben", PHONE)
    sit("kamiza-second", aki, ben)
    opener = aki.button("Log, chat, rules")
    opener.click()
    aki.page.get_by_role("tab", name="Chat").click()
    aki.page.keyboard.press("Escape")
    say(ben, "hello")
    expect(aki.button("Log, chat, rules 1 unread message")).to_be_visible()
    for one in (aki, ben):
        one.leave()


def test_people_of_an_earlier_match_are_invited_by_one_press(
    server: ServerProcess, browser: Browser
) -> None:
    aki = Visitor(server, browser, "Aki", DESK)
    ben = Visitor(server, browser, "Ben", PHONE, "ja")
    sit("kingdoms", aki, ben)
    made = aki.post(
        "/api/tables",
        {"game": "kingdoms", "seats": 2, "chairs": [{"kind": "link"}] * 2, "public": False},
    )
    table = made["table"]["id"]
    aki.visit(f"/table/{table}?key={made['key']}")
    aki.press(aki.button("Invite Ben"))
    expect(aki.button("Ben is invited")).to_be_disabled()
    assert aki.axe() == []
    ben.page.evaluate("() => window.zashiki.resign()")  # a waiting turn is shown first
    ben.visit("/rules")
    notice = ben.page.get_by_role("link", name="Akiさんからの招待")
    expect(notice).to_be_visible()
    assert ben.axe() == []
    ben.visit(f"/table/{table}")  # as a notification leads there, without the key
    expect(ben.button("席に着く")).to_be_visible()
    ben.visit("/rules")
    notice.click()
    ben.press(ben.button("席に着く"))
    expect(aki.page.locator(".room").get_by_role("strong").filter(has_text="Ben")).to_be_visible()
    for one in (aki, ben):
        one.leave()
