"""No rules in the client: it offers exactly the legal actions that it is given.

The news on their way to the page are changed: some legal actions are removed. The remaining ones
can be played, and no others.
"""

import json
import random
from typing import Any

import pytest
from playwright.sync_api import Browser, WebSocketRoute

from tests.browser.browse import Visitor
from tests.browser.hands import Hands
from tests.server.server_process import ServerProcess

LONG = pytest.mark.long
KEPT = 3
TRIED = 4


class Censor:
    """Removes actions from the news; a number determines which."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.full: list[str] = []
        self.kept: list[str] = []

    def listen(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()
        server.on_message(lambda raw: page.send(self.censored(str(raw))))

    def censored(self, raw: str) -> str:
        frame: dict[str, Any] = json.loads(raw)
        own: dict[str, Any] = frame.get("own") or {"legal": []}
        if not own["legal"]:
            return raw
        self.full = own["legal"]
        chance = random.Random(self.seed)
        self.kept = sorted(chance.sample(self.full, max(1, min(KEPT, len(self.full) - 1))))
        labels = dict(zip(own["legal"], own["words"]["labels"], strict=True))
        own["legal"] = self.kept
        own["words"]["labels"] = [labels[action] for action in self.kept]
        return json.dumps(frame)


@pytest.mark.parametrize(
    ("game", "seats", "options", "moves"),
    [
        ("red-town", 3, {"form": "short"}, 1),
        pytest.param("red-town", 3, {"form": "short"}, 5, marks=LONG),
        pytest.param("kamiza-second", 3, {}, 0, marks=LONG),
        pytest.param("kingdoms", 2, {}, 0, marks=LONG),
        pytest.param("kingdoms", 2, {}, 1, marks=LONG),
    ],
)
def test_what_is_legal_is_offered_and_nothing_else(
    server: ServerProcess,
    browser: Browser,
    game: str,
    seats: int,
    options: dict[str, Any],
    moves: int,
) -> None:
    aki = Visitor(server, browser, "Aki", motion="off")
    aki.come()
    aki.visit("/settings")
    table = aki.open_table(game, seats, "random", options=options)
    aki.play_on(table, moves)
    censor = Censor(moves)
    aki.page.route_web_socket("**/socket**", censor.listen)
    hands = Hands(aki.page)
    asked = 0
    while asked < TRIED:
        aki.visit(f"/table/{table}")
        aki.page.wait_for_function("() => window.zashiki?.legal.length > 0")
        others = [action for action in censor.full if action not in censor.kept]
        for action in (*censor.kept[:1], *others[asked : asked + 1]):
            if asked:
                aki.reload()
                aki.page.wait_for_function("() => window.zashiki?.legal.length > 0")
            assert hands.offers(game, action) == (action in censor.kept), action
            asked += 1
    aki.leave()
