"""The prompt beside the hand: every text fits it at every size."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.browse import ROOT, Visitor
from tests.browser.fit import LANGUAGES, LONG_WORDS, SIZES, game_texts, refusals
from tests.server.server_process import ServerProcess

LONG = pytest.mark.long
GAMES = {"red-town": 5, "kamiza-second": 4, "kamiza-2014": 4, "kingdoms": 2}
"""Games with their own table, and the number of seats."""
FEW = ((1280, 632), (360, 640))
"""The windows of `make test`: the smallest laptop and the smallest phone."""
NOTICES = ("claim.taken", "claim.you", "claim.youNow", "table.botPlayed", "table.botPlayedLate")
ASKS = ("table.away", "table.lost", "table.paused", "table.resigned", "table.watching")
FITS = """
async ([asks, whys, notes, turn]) => {
  const faults = [];
  const table = window.zashiki;
  const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const prompt = document.querySelector(".prompt");
  const high = prompt.clientHeight;
  /** The first words that a player sees, before a note or before the question. */
  const first = () => {
    const status = prompt.querySelector(".status");
    if (getComputedStyle(status).clipPath === "none") return status.textContent.trim();
    const { content } = getComputedStyle(prompt.querySelector(".note .text"), "::before");
    return content.replace(/^"/, "");
  };
  const check = (text) => {
    if (!first().startsWith(turn)) faults.push(`"${turn}" is not seen: "${text}"`);
    const edge = prompt.getBoundingClientRect();
    const parts = [...prompt.querySelectorAll(".status, .text, .acts, .end")].filter((one) =>
      one.checkVisibility() && getComputedStyle(one).clipPath === "none");
    const boxes = parts.map((one) => one.getBoundingClientRect());
    for (const [place, part] of parts.entries()) {
      const box = boxes[place];
      const lacks = Math.max(edge.top - box.top, box.bottom - edge.bottom, box.right - edge.right,
        part.scrollHeight - part.clientHeight);
      if (lacks > 1) faults.push(`${Math.round(lacks)} px: ${part.className} "${text}"`);
      for (const other of boxes.slice(place + 1)) {
        const isApart = box.right <= other.left + 1 || other.right <= box.left + 1 ||
          box.bottom <= other.top + 1 || other.bottom <= box.top + 1;
        if (!isApart) faults.push(`overlap: "${text}"`);
      }
    }
    if (prompt.clientHeight !== high) faults.push(`${prompt.clientHeight} px high: "${text}"`);
  };
  const asked = table.asked;
  const longest = asks.toSorted((a, b) => b.length - a.length)[0];
  for (const text of asks) {
    table.asked = text;
    await drawn();
    check(text);
  }
  table.asked = longest;
  for (const text of whys) {
    table.why = { action: "", ruling: "RT 4.10", text, blame: [] };
    await drawn();
    check(text);
  }
  table.why = null;
  await drawn();
  const note = document.querySelector(".note .text");
  if (note === null) faults.push("no note is shown");
  else {
    const said = [...note.childNodes].findLast((one) => one.nodeType === Node.TEXT_NODE);
    const before = said.textContent;
    for (const text of notes) {
      said.textContent = text;
      check(text);
    }
    said.textContent = before;
  }
  table.asked = asked;
  return faults;
}
"""


def texts_in(section: dict[str, Any]) -> Iterator[str]:
    for value in section.values():
        if isinstance(value, dict):
            yield from texts_in(value)
        else:
            yield value


CASES = [
    pytest.param(game, seats, language, SIZES, id=f"{game}-{language}", marks=LONG)
    for game, seats in GAMES.items()
    for language in LANGUAGES
]
CASES += [
    pytest.param(game, GAMES[game], language, FEW, id=f"{game}-{language}-few")
    for game, language in [("red-town", "ja"), ("kamiza-second", "en"), ("kingdoms", "ja")]
]


@pytest.mark.parametrize(("game", "seats", "language", "sizes"), CASES)
def test_every_text_fits_the_prompt(
    server: ServerProcess,
    browser: Browser,
    game: str,
    seats: int,
    language: str,
    sizes: Sequence[tuple[int, int]],
) -> None:
    path = ROOT / "web" / "src" / "text" / f"{language}.json"
    shell: dict[str, str] = json.loads(path.read_text("utf-8"))
    words = LONG_WORDS[language]
    asks = list(texts_in(game_texts(game, language)["phases"]))
    asks += [
        shell[key].format(name=words[""], names=f"{words['']}, {words['']}", time="13 s")
        for key in ASKS
    ]
    turn = shell["nav.yourTurn"]
    notes = list(texts_in(game_texts(game, language)["hints"]))
    notes += [shell[key].replace("{time}", "20:15") for key in NOTICES]
    notes += [text for key, text in shell.items() if key.startswith("unrated.")]
    aki = Visitor(server, browser, "Aki", (1440, 900), language, motion="off")
    aki.come()
    aki.visit(f"/table/{aki.open_table(game, seats, 'random')}")
    aki.page.wait_for_function("() => window.zashiki?.legal.length > 0")
    faults = []
    for width, height in sizes:
        aki.page.set_viewport_size({"width": width, "height": height})
        aki.settle()
        found = aki.page.evaluate(FITS, [asks, refusals(game, language), notes, turn])
        faults += [f"{width}x{height} {fault}" for fault in found]
    assert not faults, "\n" + "\n".join(faults)
    aki.leave()
