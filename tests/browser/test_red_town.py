"""Red Town's table: the labels of plays, the sweep of a turf war, and replays with open hands."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.browse import Visitor
from tests.browser.fit import PLAY, REACH, SCENES, SIZES, Stage
from tests.server.server_process import ServerProcess
from zashiki.games import catalogue
from zashiki.laws import Walk, forms

LONG = pytest.mark.long
LAPTOP, PHONE = (1366, 650), (390, 844)
MOST_TURNS = 20_000
PROPOSE = """
async () => {
  for (const location of document.querySelectorAll("button[data-location]")) {
    if (document.querySelector(".acts .act")) return;
    location.click();
    await new Promise((done) => setTimeout(done));
  }
}
"""
"""Press locations until one of them proposes a play."""
LABELS = """
(labels) => {
  const button = document.querySelector(".acts .act");
  const stage = document.querySelector(".stage").getBoundingClientRect();
  const before = button.textContent;
  const range = document.createRange();
  const faults = [];
  for (const label of labels) {
    button.textContent = label;
    button.classList.toggle("long", label.replace(/[^\\0-\\u024f]/g, "  ").length > 34);
    range.selectNodeContents(button);
    const [text, edge] = [range.getBoundingClientRect(), button.getBoundingClientRect()];
    const lacks = Math.max(edge.top - text.top, text.bottom - edge.bottom,
      edge.left - text.left, text.right - edge.right, edge.bottom - stage.bottom);
    if (lacks > 1.5) faults.push(`${Math.round(lacks)} px: ${label}`);
  }
  button.textContent = before;
  return faults;
}
"""
"""Measure these labels on the button of the play that is ready."""
WATCH = """
window.sweeps = [];
window.swept = [];
let resting = new Map();
let sweep = null;
const middle = (one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
};
/** Where a card comes to rest: its place without the motion that brings it there. */
const restingPlace = (card) => {
  const around = card.offsetParent.getBoundingClientRect();
  return {
    x: around.left + card.offsetLeft + card.offsetWidth / 2,
    y: around.top + card.offsetTop + card.offsetHeight / 2,
  };
};
/** True if nothing of the town covers it. A leaving card is inert and cannot be hit itself. */
const isInFront = (card, all) => {
  for (const one of all) one.inert = false;
  const { x, y } = middle(card);
  const found = document.elementFromPoint(x, y);
  for (const one of all) one.inert = true;
  return !found?.closest(".map") || all.some((one) => one.contains(found));
};
/** The motion of each card at some of its moments; null if it has not begun. */
const motionsOf = (cards) => {
  const motions = cards.map((card) => card.getAnimations().find((one) => lengthOf(one) > 300));
  if (motions.includes(undefined)) return null;
  const began = motions.map((one) => one.currentTime);
  const frames = [0, 0.3, 0.6, 0.9, 0.99].map((part) => {
    for (const one of motions) one.currentTime = part * lengthOf(one);
    return cards.map((card) => ({
      ...middle(card),
      from: resting.get(card),
      opacity: Number(getComputedStyle(card).opacity),
      front: isInFront(card, cards),
    }));
  });
  for (const [place, one] of motions.entries()) one.currentTime = began[place];
  return frames;
};
const lengthOf = (motion) => motion.effect.getComputedTiming().duration;
function look() {
  const board = window.zashiki?.view?.board;
  const cards = [...document.querySelectorAll(".laid > [data-card]")];
  const isSwept = board !== undefined && Object.keys(board).length === 0 && cards.length > 0;
  if (isSwept) {
    sweep ??= { lay: resting.size, went: cards, frames: null };
    sweep.frames ??= motionsOf(cards);
  } else {
    if (sweep?.frames) {
      window.swept.push(...sweep.went);
      window.sweeps.push({ ...sweep, went: sweep.went.length });
    }
    sweep = null;
    if (board !== undefined) resting = new Map(cards.map((card) => [card, restingPlace(card)]));
  }
  requestAnimationFrame(look);
}
requestAnimationFrame(look);
"""
"""Records the places of cards during a sweep, which begins when no location has cards."""
SEEN = "window.sweeps.some((one) => one.lay > 2)"
GONE = """
() => window.swept.every((card) => {
  const location = card.closest("[data-location]")?.dataset.location;
  return !card.isConnected || window.zashiki.view.board[location]?.includes(card.dataset.card);
})
"""
"""Return whether all of them are gone, except cards that were played there again since."""
UNSKIPPED = REACH.replace("table?.skip();", "")


@pytest.mark.parametrize("size", [LAPTOP, pytest.param(PHONE, marks=LONG)])
def test_the_river_takes_all_cards_in_one_gesture(
    server: ServerProcess, browser: Browser, size: tuple[int, int]
) -> None:
    aki = Visitor(server, browser, "Aki", size, pace="quick")
    aki.page.emulate_media(reduced_motion="no-preference")
    aki.come()
    aki.context.add_init_script(WATCH)
    for _ in range(10):
        aki.visit(f"/table/{aki.open_table('red-town', 3, 'random', options={'form': 'short'})}")
        if aki.page.evaluate(UNSKIPPED % SEEN, [list(PLAY), MOST_TURNS]):
            break
    found: list[dict[str, Any]] = aki.page.evaluate("window.sweeps")
    sweep = next(one for one in found if one["lay"] > 2)
    first, *_, last = sweep["frames"]
    assert len(first) == sweep["went"] == sweep["lay"], "all of them go, at once"
    river = aki.page.locator("[data-river]").bounding_box()
    assert river is not None
    along, over, start, width = (
        ("x", "y", river["y"], river["height"])
        if river["width"] > river["height"]
        else ("y", "x", river["x"], river["width"])
    )
    for card in first:
        assert abs(card["x"] - card["from"]["x"]) + abs(card["y"] - card["from"]["y"]) < 2
    for card in last:
        assert start <= card[over] <= start + width, "it goes to the water"
        assert card[along] - card["from"][along] > width, "it goes along with the water"
    moves = [card for frame in sweep["frames"] for card in frame]
    assert all(card["front"] for card in moves if card["opacity"] > 0.2), "nothing lies over it"
    aki.page.wait_for_function(GONE)
    aki.leave()


@pytest.fixture(scope="module")
def replay(server: ServerProcess, browser: Browser) -> Iterator[Stage]:
    scene = next(one for one in SCENES if one.id == "red_town-replay_open")
    stage = Stage(server, browser, replace(scene, seats=4, options={"form": "short"}), "en")
    yield stage
    stage.leave()


@pytest.mark.parametrize("size", SIZES)
def test_all_hands_are_open_each_in_its_place(replay: Stage, size: tuple[int, int]) -> None:
    page = replay.visitor.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    replay.visitor.settle()
    assert "You" not in page.locator(".stage").inner_text()
    boxes = [one.bounding_box() for one in page.locator("[data-hand]").all()]
    places = {(round(box["x"]), round(box["y"])) for box in boxes if box}
    assert len(places) == 4
    is_phone = min(size) < 500
    assert len({x for x, _ in places}) == (1 if is_phone else 2), "two by two where there is room"
    cards = page.locator("[data-held]").first.bounding_box()
    assert cards is not None
    least = 28 if is_phone else 44
    assert cards["width"] >= least, "large enough to be read"
    assert page.evaluate("document.scrollingElement.scrollWidth") <= size[0]


def test_others_sit_around_the_town_only_where_they_are(
    server: ServerProcess, browser: Browser
) -> None:
    aki = Visitor(server, browser, "Aki", (1920, 950), motion="off")
    hana = Visitor(server, browser, "Hana", (1920, 950), motion="off")
    aki.come()
    hana.come()
    width = "document.querySelector('.{}').clientWidth"
    free = f"{width.format('stage')} - {width.format('board')}"
    for seats in (4, 2):
        table = aki.open_table("red-town", seats, "random", options={})
        aki.visit(f"/table/{table}")
        aki.page.wait_for_function("() => window.zashiki?.legal.length > 0")
        aki.settle()
        assert (aki.page.evaluate(free) > 200) == (seats == 4)
    hana.visit(f"/table/{table}")
    hana.page.wait_for_function("() => window.zashiki?.started")
    hana.settle()
    assert hana.page.evaluate(free) < 20
    hana.page.locator(".discards").click(trial=True)
    aki.leave()
    hana.leave()


@pytest.mark.parametrize("language", [pytest.param("en", marks=LONG), "ja"])
def test_every_label_of_a_play_fits_its_button(
    server: ServerProcess, browser: Browser, language: str
) -> None:
    (scene,) = (one for one in SCENES if one.id == "red_town-turn")
    stage = Stage(server, browser, scene, language)
    stage.visitor.page.evaluate(PROPOSE)
    labels = labels_of_plays(language)
    faults = []
    for width, height in SIZES:
        stage.visitor.page.set_viewport_size({"width": width, "height": height})
        stage.visitor.settle()
        found = stage.visitor.page.evaluate(LABELS, labels)
        faults += [f"{width}x{height} {fault}" for fault in found]
    assert not faults, "\n" + "\n".join(faults)
    stage.leave()


def labels_of_plays(language: str) -> list[str]:
    """Return the labels of plays of all forms, three of each length."""
    labels = {
        texts.action(action)
        for form in forms(catalogue()["red-town"])
        for match in [Walk(form, 0).match]
        for texts in [match.texts(language)]
        for action in match.game.actions
        if re.match(PLAY[0], action.text)
    }
    alike = groupby(sorted(labels, key=lambda label: (len(label), label)), key=len)
    return [label for _, found in alike for label in [*found][:3]]
