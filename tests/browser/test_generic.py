"""The generic table, for games without their own, through a reload and a killed server."""

from playwright.sync_api import Browser, expect

from tests.browser.browse import Visitor
from tests.server.server_process import ServerProcess


def test_a_match_of_goofspiel(server: ServerProcess, browser: Browser) -> None:
    aki = Visitor(server, browser, "Aki")
    aki.expected = ["WebSocket", "ERR_CONNECTION_REFUSED", "Failed to load resource"]
    aki.come()
    chairs = [{"kind": "open"}, {"kind": "bot", "bot": "random"}]
    wanted = {"game": "goofspiel", "seats": 2, "chairs": chairs, "options": {"cards": 5}}
    table = aki.post("/api/tables", wanted)["table"]["id"]
    aki.visit(f"/table/{table}")
    aki.press(aki.button("Start"))
    actions = aki.page.locator(".actions button")
    for turn in range(5):
        expect(actions).to_have_count(5 - turn)
        actions.first.click()
        expect(actions).not_to_have_count(5 - turn)
        if turn == 1:
            aki.reload()
        if turn == 2:
            server.kill()
            server.start()
    dialog = aki.page.get_by_role("dialog")
    expect(dialog.get_by_role("listitem")).to_have_count(2)
    aki.leave()
