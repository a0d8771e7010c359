"""Whole matches of every game, played by real pages to the end screen and into the replay.

Every second person at a table uses the keyboard alone.
"""

import random
import time
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.browse import DESK, PHONE, Visitor
from tests.browser.hands import Hands, Keys
from tests.server.server_process import ServerProcess

LONG = pytest.mark.long
LOST = ["WebSocket", "ERR_CONNECTION_REFUSED", "Failed to load resource"]
FORMS: list[Any] = [
    ("kamiza-second", 3, {}, 2),
    pytest.param("red-town", 3, {"form": "short"}, 2, marks=LONG),
    pytest.param("kamiza-2014", 3, {}, 2, marks=LONG),
    pytest.param("kingdoms", 2, {}, 2, marks=LONG),
    pytest.param("red-town", 3, {}, 3, marks=LONG),
    pytest.param("red-town", 4, {"hitmen": "hidden"}, 2, marks=LONG),
    pytest.param("red-town", 5, {"form": "short", "hitmen": "hidden"}, 4, marks=LONG),
    pytest.param("red-town", 2, {}, 2, marks=LONG),
    pytest.param("kamiza-second", 4, {"open_start": True, "underboss_shield": True}, 4, marks=LONG),
    pytest.param("kamiza-2014", 4, {"open_start": True}, 3, marks=LONG),
]
"""Game, seats, options, and how many of the seats are people's."""
STARTS: list[Any] = [
    pytest.param("kamiza-2014", 3, 7, marks=LONG),
    pytest.param("kingdoms", 2, 16, marks=LONG),
]
"""Game, seats, and the number of decisions; FORMS has the whole matches."""
BY_KEYS: list[Any] = [
    pytest.param("kamiza-second", 3, {}, marks=LONG),
    pytest.param("kamiza-2014", 3, {}, marks=LONG),
    pytest.param("red-town", 3, {"form": "short"}, marks=LONG),
    pytest.param("kingdoms", 2, {}, marks=LONG),
]
MOST_SECONDS = 300
OWED = """
(seats) => window.zashiki?.over || window.zashiki?.toAct.some((seat) => seats.includes(seat))
"""
SHAKY = """
window.mishaps = 0;
window.WebSocket = class extends WebSocket {
  #disturbed(frame, pass) {
    const evil = () => Math.random() < 0.08 && (window.mishaps += 1);
    if (evil()) this.close();
    if (evil()) pass(frame);  // twice
    if (evil()) setTimeout(() => pass(frame), 200);  // behind what comes after it
    else pass(frame);
  }
  set onmessage(hear) {
    super.onmessage = (event) => this.#disturbed(event, hear);
  }
  send(frame) {
    this.#disturbed(frame, (one) => this.readyState === WebSocket.OPEN && super.send(one));
  }
};
"""
"""A network that drops, duplicates, delays and reorders frames."""


class Player(Visitor):
    """A person who plays legal actions at random."""

    def sit(self, hands: type[Hands], seed: int) -> None:
        self.hands = hands(self.page)
        self.chance = random.Random(seed)
        self.taken = 0

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.page.evaluate(
            "(({legal, over, busy, game}) => ({legal, over, busy, game}))"
            "(window.zashiki ?? {legal: [], over: false, busy: true})"
        )
        return found

    def play(self) -> bool:
        """Take a decision, if one is owed; return whether the match is over."""
        now = self.state()
        if now["legal"] and not now["busy"] and not now["over"]:
            action = self.chance.choice(now["legal"])
            before = self.page.evaluate("window.zashiki.log.length")
            self.hands.take(now["game"], action)
            self.page.wait_for_function(
                "n => window.zashiki.log.length > n && !window.zashiki.busy", arg=before
            )
            self.taken += 1
        return bool(now["over"])


def at_table(
    server: ServerProcess, browser: Browser, game: str, seats: int, options: dict[str, Any],
    people: list[type[Hands]], script: str = "",
) -> list[Player]:  # fmt: skip
    """People at a started table, and bots on the other seats."""
    made = [
        Player(server, browser, f"Player {n}", DESK if n % 2 else PHONE, motion="off")
        for n in range(len(people))
    ]
    wanted = {"game": game, "seats": seats, "options": options}
    for number, (player, hands) in enumerate(zip(made, people, strict=True)):
        player.expected = LOST
        player.context.add_init_script(script)
        player.come()
        player.sit(hands, number)
    bots = [{"kind": "bot", "bot": "random"}] * (seats - len(people))
    chairs = [*[{"kind": "open"}] * len(people), *bots]
    table = made[0].post("/api/tables", {**wanted, "chairs": chairs})["table"]["id"]
    for number, player in enumerate(made[1:], 1):
        player.post(f"/api/tables/{table}/sit", {"seat": number})
    for player in made:
        player.visit(f"/table/{table}")
    expect(made[0].page.get_by_text("Not here yet")).to_have_count(0)
    made[0].settle()  # an arrival moves the button
    made[0].hands.press(made[0].button("Start", exact=True))
    for player in made:
        expect(player.page.locator("div.frame")).to_be_visible()
        player.settle()  # the legal actions are known before the table is drawn
    return made


def play_round(players: list[Player]) -> bool:
    """Wait until a decision is owed, take all that are; return whether it is over for all."""
    players[0].page.wait_for_function(OWED, arg=list(range(len(players))))
    over = [player.play() for player in players]
    return all(over)


def finish(players: list[Player]) -> None:
    """Play to the end of the match and the end screen, and open the replay."""
    until = time.monotonic() + MOST_SECONDS
    while not play_round(players):
        assert time.monotonic() < until, [player.state() for player in players]
    for player in players:
        dialog = player.page.get_by_role("dialog")
        expect(dialog.get_by_role("listitem").first).to_be_visible()
        assert player.taken > 0
    page = players[0].page
    page.get_by_role("dialog").get_by_role("link", name="Replay").click()
    expect(page.get_by_role("slider").first).to_be_visible()
    for player in players:
        player.leave()


@pytest.mark.parametrize(("game", "seats", "options", "people"), FORMS)
def test_a_match(
    server: ServerProcess,
    browser: Browser,
    game: str,
    seats: int,
    options: dict[str, Any],
    people: int,
) -> None:
    players = at_table(server, browser, game, seats, options, [Hands, Keys, Hands, Keys][:people])
    begin(server, players)
    finish(players)


@pytest.mark.parametrize(("game", "seats", "decisions"), STARTS)
def test_a_match_begins(
    server: ServerProcess, browser: Browser, game: str, seats: int, decisions: int
) -> None:
    """Like a whole match, but only until some decisions after the server was killed."""
    players = at_table(server, browser, game, seats, {}, [Keys, Hands])
    begin(server, players)
    before = taken(players)
    while taken(players) < decisions and not play_round(players):
        pass
    assert taken(players) > before
    for player in players:
        assert player.taken > 0
        player.leave()


def begin(server: ServerProcess, players: list[Player]) -> None:
    """Through a reload and a killed server."""
    play_until(players, 3)
    players[0].reload()
    play_until(players, 5)
    server.kill()
    server.start()


def play_until(players: list[Player], decisions: int) -> None:
    while taken(players) < decisions:
        assert not play_round(players), "it was over too soon"


def taken(players: list[Player]) -> int:
    """The number of decisions that they have taken together."""
    return sum(player.taken for player in players)


@pytest.mark.parametrize(("game", "seats", "options"), BY_KEYS)
def test_a_match_by_keyboard_alone(
    server: ServerProcess, browser: Browser, game: str, seats: int, options: dict[str, Any]
) -> None:
    finish(at_table(server, browser, game, seats, options, [Keys]))


@LONG
def test_a_match_over_a_shaky_network(server: ServerProcess, browser: Browser) -> None:
    players = at_table(server, browser, "kamiza-second", 3, {}, [Hands, Hands], SHAKY)
    while not all(player.page.evaluate("window.mishaps") for player in players):
        assert not play_round(players), "nothing has gone wrong"
    finish(players)
