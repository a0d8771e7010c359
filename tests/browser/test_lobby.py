"""On the way to a match: an invitation, a bot on a free seat, and the same once more."""

from playwright.sync_api import Browser, expect

from tests.browser.browse import DESK, PHONE, Visitor
from tests.server.server_process import ServerProcess


def invited(
    server: ServerProcess, browser: Browser, host: Visitor, **wanted: object
) -> tuple[str, Visitor]:
    """A table of the host's, and somebody who has its link and no name."""
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
    friend.button("Sit down").click()
    expect(friend.page.get_by_text("Stand up")).to_be_visible()

    host.visit(path)
    seat = host.page.get_by_label("Who sits here: Seat 3")
    seat.select_option("casual")
    expect(host.page.get_by_text("bot, casual")).to_be_visible()
    seat.select_option("")
    expect(host.page.get_by_text("bot, casual")).to_be_hidden()
    seat.select_option("newcomer")
    assert host.axe() == []
    host.button("Start", exact=True).click()
    for visitor in (host, friend):
        expect(visitor.page.get_by_role("button", name="top seat").first).to_be_visible()
    expect(host.page.get_by_title("A bot of the house: newcomer").first).to_be_visible()
    host.leave()
    friend.leave()


def test_who_may_not_watch_may_still_sit_down(server: ServerProcess, browser: Browser) -> None:
    host = Visitor(server, browser, "Aki", DESK, motion="off")
    host.come()
    _, friend = invited(server, browser, host, watch="off")
    friend.expected = ["403"]
    friend.page.get_by_label("Your name").fill(friend.name)
    friend.button("Come in").click()
    friend.button("Sit down").click()
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
    card.get_by_text("Standard game").click()
    card.get_by_role("button", name="Standard game").click()
    expect(card.get_by_text("Players, with you")).to_be_hidden()
    visitor.page.reload()
    card.get_by_role("button", name="Standard game").click()
    card.get_by_text("Short game").first.click()
    card.get_by_role("button", name="Play now").click()
    visitor.page.wait_for_function("() => window.zashiki?.started")
    assert visitor.page.evaluate("window.zashiki.options.form") == "short"
    visitor.leave()
