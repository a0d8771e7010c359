"""Firefox with its mouse: from the lobby to a table, through a reload, to the replay."""

import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.browse import DESK, PHONE
from tests.browser.firefox import Firefox, Pointer, Tab, running
from tests.server.server_process import ServerProcess

pytestmark = pytest.mark.long

ENTER = "\ue007"
MOST_SECONDS = 240
STATE = """
(({ legal, over, busy, game, log }) => ({ legal, over, busy, game, told: log.length }))
(window.zashiki ?? { legal: [], over: false, busy: true, game: "", log: [] })
"""
SHORT = """
(async () => {
  const ask = async (path, wanted) => (await fetch(path, {
    method: "POST",
    headers: { "X-Zashiki": "1", "Content-Type": "application/json" },
    body: JSON.stringify(wanted),
  })).json();
  await ask("/api/guest", { name: "Aki" });
  const bot = { kind: "bot", bot: "random" };
  const { table } = await ask("/api/tables", {
    game: "red-town", seats: 3, options: { form: "short" }, chairs: [{ kind: "open" }, bot, bot],
  });
  await ask(`/api/tables/${table.id}/start`, {});
  return table.id;
})()
"""

ANSWERED = "!window.zashiki.busy && window.zashiki.settled"
"""True when the news have arrived: they come before the answer, and change the legal actions."""
UP = """
[...document.querySelectorAll(".lying.up")].map((card) => {
  const { x, y, width, height } = card.getBoundingClientRect();
  const over = document.elementFromPoint(x + width / 2, y + height / 2);
  return card.contains(over) ? (over.closest(".side")?.classList.contains("face") ?? false) : null;
}).filter((side) => side !== null)
"""
"""For each visible face-up card of KAMIZA, whether its face is shown."""


@pytest.fixture(scope="module")
def fox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    with running(Path(tmp_path_factory.mktemp("profile"))) as started:
        yield started


class Player:
    """A person with a tab who plays legal actions at random."""

    def __init__(self, server: ServerProcess, fox: Firefox, size: tuple[int, int]) -> None:
        self.server = server
        self.tab = Tab(fox, size, language="en", motion="off")
        self.hands = Pointer(self.tab)
        self.chance = random.Random(0)
        self.taken = 0

    def play_now(self, title: str) -> None:
        """Start in the lobby, and give the name that is asked for."""
        self.tab.visit(self.server.url)
        game = self.hands.find("article").saying(title)
        self.hands.press(game.locator(".button.go"))
        self.tab.wait("document.activeElement.matches('dialog input')")
        self.tab.type(f"Aki{ENTER}")
        if title == "Red Kingdom & Blue Kingdom":
            self.hands.press(self.hands.find('[data-side="either"]'))
        self.tab.wait("location.pathname.startsWith('/table/')")

    def play(self, decisions: float) -> None:
        """Play until this many decisions are taken, or the match is over."""
        until = time.monotonic() + MOST_SECONDS
        while self.taken < decisions and not (now := self.state())["over"]:
            assert time.monotonic() < until, now
            if now["legal"] and not now["busy"]:
                self.hands.take(now["game"], self.chance.choice(now["legal"]))
                self.tab.wait(f"{ANSWERED} && window.zashiki.log.length > {now['told']}")
                self.taken += 1

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.tab.evaluate(STATE)
        return found

    def reload(self) -> None:
        """Reload the page during the person's turn, and check that it still is."""
        turn = "window.zashiki?.legal.length > 0 && window.zashiki.legal"
        before = self.tab.wait(turn)
        self.tab.reload()
        assert self.tab.wait(turn) == before

    def finish(self) -> None:
        """Play to the end of the match and the end screen, and open the replay."""
        self.play(float("inf"))
        self.tab.wait("document.querySelector('dialog[open] li') !== null")
        self.tab.wait("document.querySelector('dialog :is(.rating, .note)') !== null")
        self.hands.press(self.hands.find("dialog[open] a").saying("Replay"))
        self.tab.wait("document.querySelector('input[type=range], [role=slider]') !== null")
        assert self.taken > 0


@pytest.mark.parametrize(
    ("title", "size"),
    [
        ("Sumidagawa Red Town", PHONE),
        ("Red Kingdom & Blue Kingdom", PHONE),
        ("Red Kingdom & Blue Kingdom", DESK),
        ("KAMIZA (2014)", DESK),
    ],
)
def test_play_now(server: ServerProcess, fox: Firefox, title: str, size: tuple[int, int]) -> None:
    aki = Player(server, fox, size)
    aki.play_now(title)
    aki.play(1)
    aki.reload()
    aki.play(6)
    aki.tab.leave()


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_a_match_of_kamiza(server: ServerProcess, fox: Firefox, size: tuple[int, int]) -> None:
    aki = Player(server, fox, size)
    aki.play_now("KAMIZA Second Generation")
    aki.play(2)
    aki.reload()
    aki.finish()
    aki.tab.leave()


def test_a_card_that_is_turned_up_shows_its_face(server: ServerProcess, fox: Firefox) -> None:
    aki = Player(server, fox, DESK)
    aki.play_now("KAMIZA Second Generation")
    aki.play(1)
    aki.hands.press(aki.hands.find(".sill .again"))
    aki.tab.wait("document.querySelector('.lying.up .face svg') !== null")
    aki.tab.wait("document.getAnimations().length === 0")
    faces = aki.tab.evaluate(UP)
    assert faces
    assert all(faces)
    aki.tab.leave()


def test_a_short_match_of_red_town(server: ServerProcess, fox: Firefox) -> None:
    aki = Player(server, fox, DESK)
    aki.tab.visit(f"{server.url}/settings")
    table = aki.tab.evaluate(SHORT)
    aki.tab.visit(f"{server.url}/table/{table}")
    aki.play(2)
    aki.reload()
    aki.finish()
    aki.tab.leave()


def test_what_a_page_complains_about_is_heard(server: ServerProcess, fox: Firefox) -> None:
    aki = Player(server, fox, PHONE)
    aki.tab.visit(f"{server.url}/settings")
    aki.tab.evaluate("void setTimeout(() => { throw new Error('on purpose') })")
    aki.tab.evaluate("console.warn('mind') ?? new Promise((done) => setTimeout(done, 100, 1))")
    with pytest.raises(AssertionError, match="on purpose"):
        aki.tab.leave()
