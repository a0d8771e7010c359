"""Whole matches against bots by drag and drop, with mouse and finger."""

import random
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Locator, Page, expect

from tests.browser.browse import DESK, LOADING, PHONE, SETTLED, Visitor
from tests.browser.hands import Hands
from tests.server.server_process import ServerProcess

LONG = pytest.mark.long
MOST_SECONDS = 240
STEPS = 4
ASKED = """
() => {
  const { legal, over, busy, settled } = window.zashiki;
  return (over || (legal.length > 0 && settled && !busy)) && { legal, over };
}
"""
"""The legal actions, once a decision is owed or the match is over."""
TOLD = "n => window.zashiki.log.length > n && !window.zashiki.busy"
CHOSEN = """
([action, told]) => window.zashiki.log.length > told ||
  document.querySelector(`[data-action="${action}"], .going`) !== null
"""
"""True if the action can be pressed, is about to be sent, or was taken already."""
Point = tuple[float, float]


class Mouse(Hands):
    """Drags cards with a mouse."""

    size = DESK

    def drag(self, card: Locator, place: Locator) -> None:
        (x, y), (to_x, to_y) = at_rest(self.page, card, place)
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(to_x, to_y, steps=STEPS)
        self.page.mouse.up()


class Finger(Hands):
    """Drags cards with a finger."""

    size = PHONE

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.session: CDPSession = page.context.new_cdp_session(page)
        self.session.send("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def drag(self, card: Locator, place: Locator) -> None:
        (x, y), (to_x, to_y) = at_rest(self.page, card, place)
        self._touch("touchStart", [(x, y)])
        for step in range(1, STEPS + 1):
            part = step / STEPS
            self._touch("touchMove", [(x + (to_x - x) * part, y + (to_y - y) * part)])
        self._touch("touchEnd", [])

    def _touch(self, kind: str, points: list[Point]) -> None:
        touched = [{"x": x, "y": y} for x, y in points]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})


def at_rest(page: Page, card: Locator, place: Locator) -> tuple[Point, Point]:
    """Return where to take a card and where to drop it, once neither moves any more."""
    page.wait_for_function(SETTLED, arg=LOADING)
    return grip(card), middle(place)


def grip(card: Locator) -> Point:
    """Return a point of a card that the next one does not cover."""
    box = card.bounding_box()
    assert box is not None
    return box["x"] + 8, box["y"] + 10


def middle(place: Locator) -> Point:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def red_town(hands: Any, action: str) -> bool:
    """Pick all cards but one, and drag that one to the location with them."""
    location, _, cards = action.partition(":")
    if not location[1:].isdigit():
        return False
    chosen = cards.split(",")
    for card in chosen[:-1]:
        hands.pick(hands.find(f'[data-held^="{card}-"] button'))
    rest = hands.find(f'[data-held^="{chosen[-1]}-"]:not(:has([aria-pressed="true"]))').first
    if len(chosen) > 1:
        hands.press(rest.locator("button"))
        rest = hands.find('[data-held]:has([aria-pressed="true"])').last
    hands.drag(rest, hands.find(f'[data-location="{location}"]'))
    return True


def kamiza(hands: Any, action: str) -> bool:
    """Drag the card to the seats, and confirm a placement that scores nothing."""
    card, _, area = action.partition("@")
    hands.drag(hands.find(f'.hand [data-card="{card}"]'), hands.find(f'.room [data-drop="{area}"]'))
    if card in {"boss", "police"} and area == "bottom":
        hands.act(action)
    return True


def kingdoms(hands: Any, action: str) -> bool:
    """Pick both of two cards, and drag one to its area; drag a defender to the battle."""
    verb, *rest = action.split(":")
    if verb not in {"occupy", "attack", "swap", "defend"} or rest[-1] == "none":
        return False
    area = rest[0] if len(rest) > 1 else hands.page.evaluate("window.zashiki.view.battle.area")
    cards = rest[-1].split("+")
    if len(cards) > 1:
        for card in cards:
            hands.pick(hands.find(f'.hand [data-card="{card}"]'))
        held = hands.find('.hand [aria-pressed="true"]').last
    else:
        held = hands.find(f'.hand [data-card="{cards[0]}"]').first
    told = hands.page.evaluate("window.zashiki.log.length")
    hands.drag(held, hands.find(f'[data-area="{area}"]'))
    hands.page.wait_for_function(CHOSEN, arg=[action, told])
    if hands.find(f'[data-action="{action}"]').count() > 0:  # a second card might join
        hands.act(action)
    return True


WAYS: dict[str, Callable[[Any, str], bool]] = {
    "red-town": red_town,
    "kamiza-second": kamiza,
    "kingdoms": kingdoms,
}
"""By game: drags the cards of an action to its place, and returns False if it has none."""


@pytest.mark.parametrize(
    ("game", "seats", "options", "hands"),
    [
        ("kamiza-second", 4, {}, Finger),
        pytest.param("kamiza-second", 4, {}, Mouse, marks=LONG),
        pytest.param("red-town", 3, {"form": "short"}, Mouse, marks=LONG),
        pytest.param("red-town", 3, {"form": "short"}, Finger, marks=LONG),
        pytest.param("kingdoms", 2, {}, Mouse, marks=LONG),
        pytest.param("kingdoms", 2, {}, Finger, marks=LONG),
    ],
)
def test_a_match(
    server: ServerProcess,
    browser: Browser,
    game: str,
    seats: int,
    options: dict[str, Any],
    hands: type[Mouse | Finger],
) -> None:
    aki = Visitor(server, browser, "Aki", hands.size, motion="off")
    aki.come()
    aki.visit("/settings")
    table = aki.open_table(game, seats, "random", options=options)
    aki.visit(f"/table/{table}")
    drawing = hands(aki.page)
    chance = random.Random(1)
    drawn = 0
    until = time.monotonic() + MOST_SECONDS
    while not (now := aki.page.wait_for_function(ASKED).json_value())["over"]:
        assert time.monotonic() < until, now
        before = aki.page.evaluate("window.zashiki.log.length")
        places = [action for action in now["legal"] if ":" in action]
        action = chance.choice(places or now["legal"])
        if WAYS[game](drawing, action):
            drawn += 1
        else:
            drawing.take(game, action)
        aki.page.wait_for_function(TOLD, arg=before)
    expect(aki.page.get_by_role("dialog").get_by_role("listitem").first).to_be_visible()
    assert drawn > 2
    aki.leave()


def test_a_press_that_hardly_moves_stays_a_press(server: ServerProcess, browser: Browser) -> None:
    aki = Visitor(server, browser, "Aki", DESK, motion="off")
    aki.come()
    aki.visit("/settings")
    table = aki.open_table("red-town", 3, "random", options={"form": "short"})
    aki.play_on(table, 1)
    aki.visit(f"/table/{table}")
    aki.page.wait_for_function("() => window.zashiki?.settled && window.zashiki.legal.length > 0")
    card = aki.page.locator("[data-held]").first
    x, y = grip(card)
    aki.page.mouse.move(x, y)
    aki.page.mouse.down()
    aki.page.mouse.move(x + 3, y + 3)
    aki.page.mouse.up()
    expect(card.locator("button")).to_have_attribute("aria-pressed", "true")
    # Dropped on no place, it stays in the hand, picked.
    Mouse(aki.page).drag(card, aki.page.get_by_role("heading", level=1))
    expect(card.locator("button")).to_have_attribute("aria-pressed", "true")
    assert aki.page.evaluate("document.querySelector('[data-drawn]')") is None
    aki.leave()
