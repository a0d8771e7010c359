"""Nothing moves unless a card moves: layout shift over whole matches, input included.

The browser's own measure (Layout Instability) is summed over all shifts, including those right
after a press, which are usually excluded. A move by transform is not a shift. By hand, with each
shift: `ZASHIKI_TELL_SHIFTS=1 pytest -s tests/browser/test_still.py -k kingdoms`.
"""

import os
import time
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.browse import Visitor
from tests.browser.hands import Hands
from tests.browser.test_matches import Player
from tests.server.server_process import ServerProcess

LONG = pytest.mark.long
MOST = 0.02
MOST_SECONDS = 600
WATCH = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const moved = entry.sources.map(({ node, previousRect: from, currentRect: to }) => {
      const element = node instanceof Element ? node : node?.parentElement;
      const name = element?.getAttribute("class")?.split(" ")[0] ?? element?.localName;
      const inside = element?.parentElement?.getAttribute("class")?.split(" ")[0];
      const place = (box) => `${box.x},${box.y} ${box.width}x${box.height}`;
      return `${inside} > ${name}: ${place(from)} -> ${place(to)}`;
    });
    window.shifts.push({ value: entry.value, at: entry.startTime, moved });
  }
}).observe({ type: "layout-shift", buffered: true });
"""
MATCHES = [
    pytest.param("red-town", 3, {"form": "short"}, (1366, 650), marks=LONG),
    pytest.param("red-town", 3, {"form": "short"}, (390, 844), marks=LONG),
    pytest.param("red-town", 4, {}, (1366, 650), marks=LONG),
    pytest.param("red-town", 2, {}, (1366, 650), marks=LONG),
    pytest.param("kamiza-second", 4, {}, (1366, 650), marks=LONG),
    pytest.param("kamiza-second", 4, {}, (390, 844), marks=LONG),
    pytest.param("kamiza-2014", 4, {}, (1366, 650), marks=LONG),
    pytest.param("kingdoms", 2, {}, (1366, 650), marks=LONG),
    pytest.param("kingdoms", 2, {}, (390, 844), marks=LONG),
]


@pytest.mark.parametrize(("game", "seats", "options", "size"), MATCHES)
def test_a_match_stands_still(
    server: ServerProcess,
    browser: Browser,
    game: str,
    seats: int,
    options: dict[str, Any],
    size: tuple[int, int],
) -> None:
    aki = Player(server, browser, "Aki", size, pace="quick")
    aki.page.emulate_media(reduced_motion="no-preference")
    aki.sit(Hands, 1)
    aki.come()
    aki.context.add_init_script(WATCH)
    table = aki.open_table(game, seats, "random", options=options)
    aki.visit(f"/table/{table}")
    aki.page.wait_for_function("() => window.zashiki?.legal.length > 0")
    aki.settle()
    before = shifts(aki)  # shifts while the page loads; `lighthouse` measures those
    play_all(aki)
    found = [one for one in shifts(aki) if one not in before]
    total = sum(one["value"] for one in found)
    worst = sorted(found, key=lambda one: -one["value"])
    told = "\n".join(f"{one['value']:.4f} at {one['at']:.0f} ms: {one['moved']}" for one in worst)
    if os.environ.get("ZASHIKI_TELL_SHIFTS"):
        print(f"\n{game} {size}: {total:.4f} in {len(found)} shifts\n{told}")
    assert total < MOST, f"{total:.4f} in {len(found)} shifts\n{told}"
    aki.leave()


def shifts(aki: Visitor) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = aki.page.evaluate("window.shifts")
    return found


def play_all(aki: Player) -> None:
    """Press what a person would press, as soon as the table rests, to the last decision."""
    until = time.monotonic() + MOST_SECONDS
    while True:
        aki.page.wait_for_function(
            "() => window.zashiki.over || (window.zashiki.settled && window.zashiki.legal.length)"
        )
        if aki.play():
            break
        assert time.monotonic() < until, aki.state()
    aki.page.wait_for_function("() => window.zashiki.settled")
