"""The operator's page: a report with its chat, a mute that its player sees, a list that empties."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.browse import DESK, PHONE, Visitor
from tests.browser.conftest import BOTS
from tests.server.server_process import ServerProcess, server_process
from zashiki.server.accounts.secret_key import operator_key, read_secret_key
from zashiki.server.settings import KEY_FILE


@pytest.fixture(name="house", scope="module")
def _house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("operator")
    with server_process(folder, *BOTS, "--operator", "okami") as made:
        yield made


def complained(house: ServerProcess, browser: Browser) -> tuple[Visitor, Visitor, str]:
    """Aki, Ben whom Aki has reported, and their table."""
    ben = Visitor(house, browser, "Ben", PHONE, motion="off")
    ben.come()
    table = ben.open_table("kamiza-second", 4, "random")
    ben.visit(f"/table/{table}")
    ben.button("Log, chat, rules").click()
    ben.page.get_by_role("tab", name="Chat").click()
    ben.page.get_by_label("Say something").fill("you fool")
    ben.button("Send").click()
    expect(ben.page.locator("#panel-chat").get_by_text("you fool")).to_be_visible()
    aki = Visitor(house, browser, "Aki", DESK, motion="off")
    aki.come()
    aki.post(f"/api/tables/{table}/report", {"text": "rude", "line": 1})
    return aki, ben, table


def test_a_report_is_read_and_acted_on(house: ServerProcess, browser: Browser) -> None:
    aki, ben, _ = complained(house, browser)
    okami = Visitor(house, browser, "Okami", DESK, motion="off")
    okami.come()
    okami.post("/api/register", {"login": "okami", "password": "correct horse"})
    okami.visit("/settings")
    okami.page.get_by_role("link", name="Operator page").click()
    report = okami.page.get_by_role("link", name="Ben").first
    expect(report).to_contain_text("reported by Aki")
    assert okami.axe() == []
    report.click()
    case = okami.page.get_by_role("article")
    expect(case.locator(".meant")).to_contain_text("you fool")
    assert okami.axe() == []
    expect(okami.button("Mute")).to_be_disabled()  # without a reason nothing is done
    okami.page.get_by_label("Reason").fill("insults")
    okami.page.get_by_label("For how long").select_option("a week")
    okami.button("Mute", exact=True).click()
    expect(case.get_by_text("muted until").first).to_be_visible()
    expect(okami.button("Unmute")).to_be_visible()

    ben.page.get_by_label("Say something").fill("you twice fool")
    ben.button("Send").click()
    expect(ben.page.get_by_text("The operator has muted you until")).to_be_visible()
    assert ben.axe() == []

    okami.page.get_by_label("Reason").fill("muted for a week")
    okami.button("Done", exact=True).click()
    expect(okami.page.get_by_text("No reports. How peaceful.")).to_be_visible()

    okami.page.get_by_label("Reason").fill("and out")
    ben.expected = ["403"]  # from now on: his page fetches his tables by itself
    okami.button("Ban", exact=True).click()
    expect(okami.button("Lift ban", exact=True)).to_be_visible()
    ben.visit("/")
    expect(ben.page.get_by_text("has banned you until")).to_be_visible()
    for visitor in (aki, ben, okami):
        visitor.leave()


def test_the_key_opens_the_page_on_this_machine(house: ServerProcess, browser: Browser) -> None:
    visitor = Visitor(house, browser, "Somebody", PHONE, "ja", theme="light", motion="off")
    visitor.expected = ["403"]
    visitor.visit("/operator")
    label = visitor.page.get_by_label("運営者キー").last
    label.fill("wrong")
    assert visitor.axe() == []
    visitor.button("入る", exact=True).click()
    expect(visitor.page.get_by_text("このサーバーの運営者キーではありません。")).to_be_visible()
    label.fill(operator_key(read_secret_key(house.folder / KEY_FILE)))
    visitor.button("入る", exact=True).click()
    expect(visitor.page.get_by_role("heading", name="通報")).to_be_visible()
    assert visitor.axe() == []
    visitor.leave()
