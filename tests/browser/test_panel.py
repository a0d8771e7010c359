"""The side panel: log, chat, rules, and a summary for players who were away."""

import re

from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.browse import DESK, PHONE, Visitor
from tests.server.server_process import ServerProcess

AT_END = "(list) => list.scrollHeight - list.scrollTop - list.clientHeight < 48"


def sit(game: str, *people: Visitor) -> str:
    """People at one table, with a bot on every other seat that the game needs."""
    first, *others = people
    for one in people:
        one.come()
    seats = max(len(people), 3 if game.startswith("kamiza") else 2)
    chairs = [{"kind": "open"}] * len(people)
    chairs += [{"kind": "bot", "bot": "random"}] * (seats - len(people))
    wanted = {"game": game, "seats": seats, "chairs": chairs}
    table: str = first.post("/api/tables", wanted)["table"]["id"]
    for seat, one in enumerate(others, 1):
        one.post(f"/api/tables/{table}/sit", {"seat": seat})
    first.post(f"/api/tables/{table}/start")
    for one in people:
        one.visit(f"/table/{table}")
    for one in people:
        expect(one.page.locator("div.frame")).to_be_visible()
        one.settle()  # the frame is there before the cards are drawn
    return table


def say(who: Visitor, text: str) -> None:
    who.page.evaluate("(text) => window.zashiki.talk(text)", text)


def expect_at_end(page: Page, lines: Locator, count: int) -> None:
    expect(lines.locator("li")).to_have_count(count)
    handle = lines.element_handle()
    page.wait_for_function(AT_END, arg=handle)


def test_a_list_follows_until_somebody_reads_further_up(
    server: ServerProcess, browser: Browser
) -> None:
    aki = Visitor(server, browser, "Aki", (1280, 400))
    ben = Visitor(server, browser, "Ben", PHONE)
    sit("kamiza-second", aki, ben)
    for number in range(9):
        say(aki, f"line {number}")
    aki.page.get_by_role("tab", name="Chat").click()
    lines = aki.page.locator("#panel-chat ol")
    expect_at_end(aki.page, lines, 9)
    say(ben, " ".join(["it goes on and on"] * 9))
    expect_at_end(aki.page, lines, 10)
    newest = aki.button("Newest")
    expect(newest).to_be_hidden()
    lines.evaluate("(list) => (list.scrollTop = 0)")
    expect(newest).to_be_visible()
    say(ben, "and one more")
    expect(lines.locator("li")).to_have_count(11)
    assert lines.evaluate("(list) => list.scrollTop") == 0, "they are left where they read"
    newest.click()
    expect_at_end(aki.page, lines, 11)
    expect(newest).to_be_hidden()
    ben.button("Log, chat, rules").click()
    ben.page.get_by_role("tab", name="Chat").click()
    expect_at_end(ben.page, ben.page.locator("#panel-chat ol"), 11)
    for one in (aki, ben):
        one.leave()


def test_what_is_unread_is_counted_and_what_is_bad_reported(
    server: ServerProcess, browser: Browser
) -> None:
    aki, ben = (Visitor(server, browser, name, PHONE) for name in ("Aki", "Ben"))
    sit("kamiza-second", aki, ben)
    say(ben, "hello")
    say(ben, "<b>bad</b> words")
    opener = aki.button("Log, chat, rules 2 unread messages")
    expect(opener).to_be_visible()
    opener.click()
    chat = aki.page.get_by_role("tab", name="Chat")
    expect(chat).to_have_accessible_name("Chat 2 unread messages")
    chat.click()
    expect(chat).to_have_accessible_name("Chat")
    line = aki.page.get_by_role("listitem").filter(has_text="words")
    more = line.get_by_role("button", name="More about what Ben said")
    box = more.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44
    more.click()
    line.get_by_role("button", name="Report").click()
    dialog = aki.page.get_by_role("dialog")
    expect(dialog).to_contain_text("<b>bad</b> words")
    assert aki.axe() == []
    dialog.get_by_role("textbox").fill("That is\nrude.")
    dialog.get_by_role("button", name="Send").click()
    expect(dialog).to_contain_text("Thank you")
    dialog.get_by_role("button", name="Close").last.click()
    line.get_by_role("button", name="Mute").click()
    lines = aki.page.locator("#panel-chat li")
    expect(lines.filter(has_text="muted")).to_have_count(2)
    aki.button("Unmute").click()
    expect(lines.filter(has_text="muted")).to_have_count(0)
    expect(lines.filter(has_text="words")).to_have_count(1)
    for one in (aki, ben):
        one.leave()


def test_a_rule_is_read_beside_the_table(server: ServerProcess, browser: Browser) -> None:
    aki = Visitor(server, browser, "Aki", PHONE)
    table, page = sit("kingdoms", aki), aki.page
    panel = page.locator("#panel-rules")
    for width, height in (PHONE, DESK):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("window.zashiki.whyNot('defend:none')")
        link = page.get_by_role("alert").get_by_role("link")
        ruling = link.inner_text().removeprefix("Rule ")
        assert (link.get_attribute("href") or "").startswith("/rules/kingdoms#")
        link.click()
        rule = panel.locator(f"[id='{ruling.replace(' ', '-')}']")
        expect(rule).to_be_focused()
        expect(rule).to_be_in_viewport()
        expect(panel.locator(".goal")).to_contain_text("monarch")
        panel.locator("details a").first.evaluate("(link) => link.click()")
        expect(panel.locator("h2:focus")).to_be_in_viewport()
        page.evaluate("window.zashiki.why = null")
    assert aki.axe() == []
    assert page.url == f"{server.url}/table/{table}"
    assert len(aki.context.pages) == 1
    aki.leave()


def test_who_was_late_is_told_that_a_bot_has_played(
    server: ServerProcess, browser: Browser
) -> None:
    aki = Visitor(server, browser, "Aki")
    aki.come()
    table = aki.open_table("kamiza-second", 3, "random", pace={"kind": "clock", "seconds": 5})
    aki.visit(f"/table/{table}")
    notice = aki.page.get_by_text("a bot played for you")
    expect(notice).to_be_visible()
    aki.reload()
    expect(notice).to_be_visible()
    aki.button("OK", exact=True).click()
    expect(notice).to_be_hidden()
    aki.leave()


def test_other_pages_know_whose_turn_it_is(server: ServerProcess, browser: Browser) -> None:
    aki = Visitor(server, browser, "Aki", DESK)
    ben = Visitor(server, browser, "Ben")
    table = sit("kingdoms", aki)
    expect(aki.page).to_have_title("Your turn · Red Kingdom & Blue Kingdom · Zashiki")
    ben.come()
    aki.visit(f"/player/{ben.id}")
    back = aki.page.get_by_role("link", name="Your turn: Red Kingdom & Blue Kingdom")
    expect(back).to_have_attribute("href", f"/table/{table}")
    expect(aki.page).to_have_title("Your turn · Ben · Zashiki")
    expect(aki.page.locator("nav [aria-current]")).to_have_count(0)
    assert aki.axe() == []
    back.click()
    expect(aki.page.locator("div.frame")).to_be_visible()
    expect(back).to_be_hidden()
    ben.visit(f"/table/{table}")
    expect(ben.page.get_by_text("You are watching. Waiting for Aki.")).to_be_visible()
    for one in (aki, ben):
        one.leave()


def test_resigning_can_be_thought_over(server: ServerProcess, browser: Browser) -> None:
    aki = Visitor(server, browser, "Aki")
    sit("kingdoms", aki)
    aki.button("Resign").click()
    dialog = aki.page.get_by_role("dialog")
    resign = dialog.get_by_role("button", name="Resign")
    box = resign.bounding_box()
    assert box is not None
    assert box["width"] > 2 * box["height"]
    dialog.get_by_role("button", name="Play on").click()
    expect(dialog).to_be_hidden()
    aki.button("Resign").click()
    resign.click()
    expect(aki.page.get_by_role("link", name="To the lobby", exact=True)).to_be_visible()
    aki.leave()


def test_somebody_without_a_name_watches_and_is_seen_to(
    server: ServerProcess, browser: Browser
) -> None:
    """Watch with one press in the lobby: no name is needed, and players see the spectator count."""
    aki = Visitor(server, browser, "Aki", DESK)
    table = sit("kamiza-second", aki)
    stranger = Visitor(server, browser, "", DESK)
    stranger.visit(f"/table/{table}")
    expect(stranger.page.locator("div.frame")).to_be_visible()
    expect(stranger.page.get_by_role("dialog")).to_have_count(0)
    expect(aki.page.get_by_text("1 person is watching")).to_be_attached()
    assert stranger.page.evaluate("[window.zashiki.seat, window.zashiki.legal.length]") == [None, 0]
    stranger.page.get_by_role("tab", name="Chat").click()
    expect(stranger.page.get_by_label("Say something")).to_have_count(0)
    assert stranger.axe() == []
    stranger.leave()
    expect(aki.page.get_by_text("1 person is watching")).to_have_count(0)
    aki.leave()


def test_the_log_tells_acts_under_headings_with_cards_as_cards(
    server: ServerProcess, browser: Browser
) -> None:
    aki = Visitor(server, browser, "Aki", DESK)
    aki.come()
    aki.visit("/")
    table = aki.open_table("red-town", 3, options={"form": "short"})
    aki.play_on(table, 4)
    aki.visit(f"/table/{table}")
    log = aki.page.locator("#panel-log")
    expect(log.get_by_role("heading", name="Turf war 1")).to_be_visible()
    expect(log.locator(".chip svg").first).to_be_attached()
    words = log.inner_text()
    assert "You " in words
    assert "Aki" not in words
    assert not re.search(r"\b[RB](\d+|H)\b", words)
    assert aki.axe() == []
    aki.leave()


def test_the_rules_open_at_what_is_asked_in_this_form(
    server: ServerProcess, browser: Browser
) -> None:
    aki = Visitor(server, browser, "Aki", DESK)
    aki.come()
    aki.visit("/")
    table = aki.open_table("red-town", 3, options={"form": "short"})
    aki.visit(f"/table/{table}")
    aki.page.get_by_role("tab", name="Rules").click()
    now = aki.page.locator("#panel-rules .now")
    expect(now.get_by_role("heading")).to_have_text("Now: Choose one Hitman to add.")
    expect(now.get_by_role("link", name="RT 8.1")).to_be_visible()
    expect(now.get_by_role("link", name="RT 2.5")).to_have_count(0)
    expect(aki.page.locator("#panel-rules svg").first).to_be_visible()
    aki.play_on(table, 1)
    expect(now.get_by_role("link", name="RT 3.5")).to_be_visible()
    assert aki.axe() == []
    aki.leave()
