"""A rematch in the page: the connection stays, and the address is that of the next table."""

import re

from playwright.sync_api import Browser, WebSocket, expect

from tests.browser.browse import DESK, Visitor
from tests.server.server_process import ServerProcess

ADDRESS = re.compile(r"/table/(\w+)")


class Watched(Visitor):
    """A person whose connections to tables are counted."""

    def watch(self) -> None:
        self.sockets: list[str] = []
        self.page.on("websocket", self._opened)

    def _opened(self, socket: WebSocket) -> None:
        if "/api/tables/" in socket.url:
            self.sockets.append(socket.url)

    def table(self) -> str:
        found = ADDRESS.search(self.page.url)
        assert found is not None
        return found[1]

    def at(self) -> tuple[str, bool, bool]:
        """The table on the page, and whether its match has started and is over."""
        shown: list[object] = self.page.evaluate(
            "[window.zashiki.id, window.zashiki.started, window.zashiki.over]"
        )
        return str(shown[0]), bool(shown[1]), bool(shown[2])


def finished(server: ServerProcess, browser: Browser, people: int) -> list[Watched]:
    """People at the end screen of a match, whose connections are counted from now on."""
    made = [Watched(server, browser, f"Player {n}", DESK, motion="off") for n in range(people)]
    for visitor in made:
        visitor.come()
    bots = [{"kind": "bot", "bot": "random"}] * (3 - people)
    chairs = [*[{"kind": "open"}] * people, *bots]
    wanted = {"game": "kamiza-second", "seats": 3, "chairs": chairs}
    table = made[0].post("/api/tables", wanted)["table"]["id"]
    for seat, visitor in enumerate(made[1:], 1):
        visitor.post(f"/api/tables/{table}/sit", {"seat": seat})
    for visitor in made:
        visitor.visit(f"/table/{table}")
        visitor.page.wait_for_function("() => window.zashiki?.info")
    made[0].post(f"/api/tables/{table}/start")
    play(made)
    for visitor in made:
        visitor.watch()
    return made


def play(people: list[Watched]) -> None:
    """Everyone takes the first legal action, to the end of the match."""
    for visitor in people:
        visitor.page.evaluate(
            """() => {
              const next = () => {
                const table = window.zashiki;
                if (table.over) return;
                if (table.legal.length && !table.busy) void table.play(table.legal[0]);
                setTimeout(next, 20);
              };
              next();
            }"""
        )
    for visitor in people:
        visitor.page.wait_for_function("() => window.zashiki.over")
        expect(visitor.page.get_by_role("dialog")).to_be_visible()


def test_against_bots_the_next_match_is_dealt_by_the_same_connection(
    server: ServerProcess, browser: Browser
) -> None:
    (visitor,) = finished(server, browser, 1)
    page, first = visitor.page, visitor.table()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_role("dialog").get_by_role("button", name="Play again").click()
    page.wait_for_function("() => window.zashiki.started && !window.zashiki.over")
    second = visitor.table()
    assert second != first
    assert visitor.at() == (second, True, False)
    assert visitor.sockets == [], "no second socket was opened"
    assert not [url for url in asked if url.endswith(("/rematch", "/start"))]
    play([visitor])
    assert visitor.at() == (second, True, True)
    page.go_back()
    page.wait_for_function("id => window.zashiki.id === id && window.zashiki.over", arg=first)
    assert visitor.table() == first
    page.go_forward()
    page.wait_for_function("id => window.zashiki.id === id && window.zashiki.over", arg=second)
    visitor.reload()
    page.wait_for_function("() => window.zashiki?.over")
    assert visitor.at()[0] == visitor.table() == second
    assert [url.split("/")[5] for url in visitor.sockets] == [first, second, second]
    visitor.leave()


def test_people_go_on_together_and_one_who_comes_later_finds_them(
    server: ServerProcess, browser: Browser
) -> None:
    one, other = finished(server, browser, 2)
    first = one.table()
    spectator = Visitor(server, browser, "", DESK, motion="off")
    spectator.visit(f"/table/{first}")
    onward = spectator.page.get_by_role("dialog").get_by_role("link", name="Watch the next match")
    expect(spectator.page.get_by_role("dialog")).to_be_visible()
    expect(onward).not_to_be_visible()
    one.page.get_by_role("dialog").get_by_role("button", name="Play again").click()
    one.page.wait_for_function("id => window.zashiki.id !== id", arg=first)
    second = one.table()
    expect(onward).to_have_attribute("href", f"/table/{second}")
    spectator.leave()
    expect(one.button("Start", exact=True)).to_be_visible()
    absent = one.page.get_by_text("Not here yet")
    expect(absent).to_be_visible()
    other.page.get_by_role("dialog").get_by_role("link", name="Yes, play again").click()
    other.page.wait_for_function("id => window.zashiki.id === id", arg=second)
    assert other.table() == second
    expect(absent).not_to_be_visible()
    assert one.sockets + other.sockets == []
    other.reload()  # before the deal
    other.page.wait_for_function("() => window.zashiki?.info?.state === 'open'")
    one.press(one.button("Start", exact=True))
    for visitor in (one, other):
        visitor.page.wait_for_function("() => window.zashiki.started")
        assert visitor.at() == (second, True, False)
    assert one.sockets == []
    assert len(other.sockets) == 1, "the reload's"
    for visitor in (one, other):
        visitor.leave()
