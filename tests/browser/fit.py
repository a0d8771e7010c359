"""Checks whether a table fits a window: scenes of every game, common windows, and all faults.

python -m tests.browser.fit                          every scene at every size, as a table
python -m tests.browser.fit red_town 1366x650 ja     scenes whose name has parts that begin so
python -m tests.browser.fit kamiza --pictures DIR    and a picture of each
"""

import argparse
import re
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from tests.browser import browse
from tests.browser.browse import ROOT, Visitor
from tests.server.server_process import ServerProcess, server_process

SIZES = (
    (1280, 632), (1366, 650), (1440, 790), (1536, 730), (1440, 900), (1920, 950),
    (820, 1180), (1180, 820), (360, 640), (390, 844), (844, 390),
)  # fmt: skip
LANGUAGES = ("en", "ja")
MEASURE = (Path(__file__).parent / "fit.js").read_text("utf-8")
REACH = """
async ([wanted, most]) => {
  const patterns = wanted.map((one) => new RegExp(one));
  const rank = (action) => {
    const found = patterns.findIndex((one) => one.test(action));
    return found < 0 ? patterns.length : found;
  };
  const reached = (table, view, legal) => (%s);
  for (let turn = 0; turn < most; turn += 1) {
    const table = window.zashiki;
    if (table?.started && table.settled && !table.busy) {
      if (reached(table, table.view, table.legal)) return true;
      if (table.over) return false;
      if (table.legal.length > 0) {
        const least = Math.min(...table.legal.map(rank));
        const fitting = table.legal.filter((action) => rank(action) === least);
        await table.play(fitting[Math.floor(Math.random() * fitting.length)]);
      }
    }
    table?.skip();
    await new Promise((done) => setTimeout(done, 15));
  }
  return false;
}
"""
"""Plays on the page the first legal action that matches a pattern, until a scene is reached."""
TEXTS = ROOT / "src" / "zashiki"
MOST_TURNS = 4000
MOST_MATCHES = 40


@dataclass(frozen=True)
class Scene:
    """A phase of a game, how to reach it, and the controls to press there."""

    name: str
    game: str
    seats: int
    until: str
    """A JavaScript expression over `table`, `view` and `legal` that is true in the scene."""
    options: dict[str, Any] = field(default_factory=dict)
    prefer: tuple[str, ...] = ()
    """Patterns of actions: the first match is played."""
    press: tuple[str, ...] = ()
    """Selectors: the first control that each finds is pressed, if there is one."""
    bot: str = "random"
    reader: str = ""
    """After the match: the middle of its replay, seen by this seat, `all` or `open`."""
    lasts: bool = True
    """True if the scene survives a reload, after which the hint is shown again."""
    long: bool = True

    @property
    def id(self) -> str:
        return f"{self.game.replace('-', '_')}-{self.name}"


PLAY = (r"^[rb]\d:",)
SCENES = [
    Scene("decide", "red-town", 5, "view.phase === 'decide' && legal.length"),
    Scene("pick", "red-town", 5, "view.phase === 'pick' && legal.length", prefer=("add",),
          press=(".offers [data-card]",)),
    Scene("pick_many", "red-town", 3, "view.phase === 'pick-many' && legal.length",
          prefer=("add",), press=(".offers [data-card]",)),
    Scene("look", "red-town", 2, "view.phase === 'look' && legal.length", press=("[data-choice]",)),
    Scene("pick_two", "red-town", 2, "view.phase === 'pick' && legal.length",
          press=(".offers [data-card]",)),
    Scene("give", "red-town", 2, "view.phase === 'give' && legal.length",
          press=("[data-choice]",)),
    Scene("choose", "red-town", 2, "view.phase === 'choose' && legal.length",
          press=("[data-choice]",)),
    Scene("turn_two", "red-town", 2, "view.phase === 'turn' && legal.length > 1",
          press=("button[data-location]",)),
    Scene("turn_largest", "red-town", 3,
          "view.phase === 'turn' && legal.length > 1 && view.hand.length >= 17",
          prefer=("add", "hitmen:RRBB", "hitmen:...", "hitmen:..", "hitmen"),
          press=("button[data-location]",)),
    Scene("turn", "red-town", 5, "view.phase === 'turn' && legal.length > 1", prefer=("add",),
          press=("button[data-location]",), long=False),
    Scene("turn_covered", "red-town", 5,
          "view.phase === 'turn' && legal.length && Object.keys(view.board).length >= 4",
          prefer=PLAY),
    Scene("discard", "red-town", 3, "view.phase === 'discard' && legal.length",
          prefer=("^r4:", *PLAY), press=("[data-held] button",)),
    Scene("short_pick", "red-town", 5, "view.phase === 'pick' && legal.length",
          {"form": "short"}, press=(".offers [data-card]",)),
    Scene("short_turn", "red-town", 5, "view.phase === 'turn' && legal.length > 1",
          {"form": "short"}, press=("button[data-location]",)),
    Scene("wait", "red-town", 5, "view.phase === 'turn' && legal.length", {"hitmen": "hidden"}),
    Scene("over", "red-town", 3, "table.over", {"form": "short"}, prefer=PLAY, lasts=False),
    *[
        Scene(name, game, seats, until, options, press=press, lasts=lasts, long=long)
        for game in ("kamiza-2014", "kamiza-second")
        for name, seats, until, options, press, lasts, long in [
            ("placing", 4, "legal.length && view.placed.length === 0", {},
             ('.hand [data-card="boss"]', '.hand [data-area="bottom"]'), True,
             game == "kamiza-2014"),
            ("placing_three", 3, "legal.length && view.placed.length > 0", {},
             (".hand [data-card]",), True, True),
            ("open_start", 4, "legal.length && view.placed.length === 1", {"open_start": True},
             (".hand [data-card]",), True, True),
            ("reveal", 4, "!table.over && table.news.some((one) => one.fact === 'revealed')", {},
             (".sill .again",), False, True),
            ("over", 4, "table.over", {}, (), False, True),
        ]
    ],
    Scene("draft", "kingdoms", 2, "view.phase === 'draft' && legal.length > 3",
          prefer=("draft:N?[1-9]?A", "attack", "occupy", "defend:[^n]")),
    Scene("deploy", "kingdoms", 2, "view.phase === 'deploy' && view.hand.length === 5",
          prefer=("draft:N[1-9]",), press=(".hand [data-card]",), long=False),
    Scene("attack", "kingdoms", 2,
          "view.phase === 'deploy' && legal.some((one) => /^attack:[^:]*:.*[+]/.test(one))",
          prefer=("draft:N[1-9]", "occupy", "done"),
          press=(".hand [data-card]", '[data-area]:enabled[aria-label*="Blue"]')),
    Scene("defend", "kingdoms", 2, "view.phase === 'defend' && legal.length > 1",
          prefer=("draft:N?[1-9]?A?[1-9]", "done"), press=(".hand [data-card]",)),
    Scene("leave", "kingdoms", 2, "view.phase === 'leave' && legal.length > 1",
          prefer=("draft:N?[1-9]?A?[1-9]", "attack:[^:]*:.*[+]", "defend:[^n]", "attack")),
    Scene("battle_told", "kingdoms", 2,
          "view.phase === 'deploy' && table.news.some((one) => one.fact === 'revealed')",
          prefer=("draft:N?[1-9]?A?[1-9]", "attack", "occupy"), lasts=False),
    Scene("over", "kingdoms", 2, "table.over", prefer=("attack",), lasts=False),
    *[
        Scene(f"replay_{reader}", game, seats, "table.over", options, reader=reader, lasts=False)
        for game, seats, options in [
            ("red-town", 5, {}), ("kamiza-second", 4, {}), ("kamiza-2014", 4, {}),
            ("kingdoms", 2, {}),
            ("goofspiel", 2, {"cards": 13}),
        ]
        for reader in ("0", "open")
    ],
    Scene("bids", "goofspiel", 2, "legal.length === 13", {"cards": 13}, long=False),
]  # fmt: skip


class Stage:
    """A page with a scene in one language, for windows of several sizes."""

    def __init__(self, server: ServerProcess, browser: Browser, scene: Scene, language: str):
        self.scene = scene
        self.language = language
        self.visitor = Visitor(server, browser, "Aki", (1440, 900), language, motion="off")
        self.visitor.come()
        self._reach()
        page = self.visitor.page
        if scene.reader:
            self._replay()
            return
        if scene.lasts:
            page.evaluate("localStorage.removeItem('zashiki.hints')")
            self.visitor.reload()
            page.wait_for_function("() => window.zashiki?.started")
        if page.get_by_role("dialog").count() > 0:
            page.keyboard.press("Escape")
        self.visitor.settle()
        for selector in scene.press:
            target = page.locator(f".stage {selector}")
            if target.count() > 0:
                target.first.evaluate("(one) => one.click()")

    def _replay(self) -> None:
        page = self.visitor.page
        match = page.wait_for_function("() => window.zashiki.info.match").json_value()
        address = f"/replay/{match}"
        self.visitor.visit(f"{address}?seat={self.scene.reader}&step=0")
        slider = page.get_by_role("slider").first
        slider.wait_for()
        steps = int(slider.get_attribute("max") or 0)
        self.visitor.visit(f"{address}?seat={self.scene.reader}&step={steps // 2}")
        slider.wait_for()

    def _reach(self) -> None:
        scene, visitor = self.scene, self.visitor
        if scene.reader:  # a page that shows the match would only cost time
            visitor.visit("/settings")
            table = visitor.open_table(scene.game, scene.seats, scene.bot, options=scene.options)
            assert visitor.play_on(table, MOST_TURNS)
            visitor.visit(f"/table/{table}")
            return
        for _ in range(MOST_MATCHES):
            table = visitor.open_table(scene.game, scene.seats, scene.bot, options=scene.options)
            visitor.visit(f"/table/{table}")
            if visitor.page.evaluate(REACH % scene.until, [list(scene.prefer), MOST_TURNS]):
                return
        raise AssertionError(f"{scene.id} was not reached in {MOST_MATCHES} matches")

    def faults(self, size: tuple[int, int], picture: Path | None = None) -> list[str]:
        """Return the faults, with the current texts and with the longest refusal of the game."""
        page = self.visitor.page
        page.set_viewport_size({"width": size[0], "height": size[1]})
        self.visitor.settle()
        found: list[str] = page.evaluate(MEASURE)
        if picture:
            page.screenshot(path=picture)
        if self.scene.game != "goofspiel" and self.scene.until != "table.over":
            why = {"action": "", "ruling": "RT 3.5", "blame": []}
            text = longest_refusal(self.scene.game, self.language)
            page.evaluate("(why) => (window.zashiki.why = why)", {**why, "text": text})
            self.visitor.settle()
            found += [f"{fault} (refused)" for fault in page.evaluate(MEASURE)]
            page.evaluate("window.zashiki.why = null")
        return list(dict.fromkeys(found))

    def leave(self) -> None:
        self.visitor.leave()


@cache
def game_texts(game: str, language: str) -> dict[str, Any]:
    folder = "kamiza" if game.startswith("kamiza") else game.replace("-", "_")
    path = TEXTS / "games" / folder / "text" / f"{language}.toml"
    return tomllib.loads(path.read_text("utf-8"))


LONG_WORDS = {
    "en": {
        "cards": "red 10, black Hitman, red Hitman",
        "wanted": "three cards in sequence, all red or two red and one black",
        "": "Capital Guardian",
    },
    "ja": {
        "cards": "赤の10、黒のヒットマン、赤のヒットマン",
        "wanted": "3枚の連番（赤3枚、または赤2枚と黒1枚）",
        "": "王都守護兵",
    },
}
"""The details of the longest sentences: cards, the requirement of a location, or other words."""


def refusals(game: str, language: str) -> list[str]:
    """Every refusal of a game in words, with long details."""
    words = LONG_WORDS[language]
    common = tomllib.loads((TEXTS / "core" / "text" / f"{language}.toml").read_text("utf-8"))
    told = {**common["refusals"], **game_texts(game, language).get("refusals", {})}
    return [
        re.sub(r"\{(\w+)[^}]*\}", lambda found: words.get(found[1], words[""]), text)
        for text in told.values()
    ]


def longest_refusal(game: str, language: str) -> str:
    return max(refusals(game, language), key=len)


def named(scene: Scene, language: str, size: tuple[int, int]) -> str:
    return f"{scene.id}-{language}-{size[0]}x{size[1]}"


def is_meant(name: str, words: list[str]) -> bool:
    """Return whether each of these words begins a part of the name."""
    return all(any(part.startswith(word) for part in name.split("-")) for word in words)


def table_of(found: dict[tuple[str, str], list[str]]) -> str:
    """Return a table of the number of faults by scene and size, and below it each fault."""
    columns = list(dict.fromkeys(size for _, size in found))
    rows = list(dict.fromkeys(scene for scene, _ in found))
    text = [f"| scene | {' | '.join(columns)} |", f"|---|{'---|' * len(columns)}"]
    for row in rows:
        cells = (found.get((row, column)) for column in columns)
        shown = " | ".join("" if one is None else str(len(one)) if one else "fits" for one in cells)
        text.append(f"| {row} | {shown} |")
    for (row, column), faults in found.items():
        text += [f"{row} {column}: {fault}" for fault in faults]
    return "\n".join(text)


@contextmanager
def service() -> Iterator[tuple[ServerProcess, Browser]]:
    options = ("--bots", "1", "--bot-pace", "0", "--requests", "100000", "--quiet")
    with (
        tempfile.TemporaryDirectory() as folder,
        server_process(Path(folder), *options) as server,
        browse.browser() as browser,
    ):
        yield server, browser


def look(
    words: list[str], pictures: Path | None, tell: Callable[[str], None]
) -> dict[tuple[str, str], list[str]]:
    """Return the faults of each scene and size whose name matches these words."""
    chosen = [
        (scene, language, size)
        for scene in SCENES
        for language in LANGUAGES
        for size in SIZES
        if is_meant(named(scene, language, size), words)
    ]
    found: dict[tuple[str, str], list[str]] = {}
    with service() as (server, browser):
        stage: Stage | None = None
        for scene, language, size in chosen:
            if stage is None or (stage.scene, stage.language) != (scene, language):
                if stage:
                    stage.leave()
                stage = Stage(server, browser, scene, language)
            picture = pictures / f"{named(scene, language, size)}.png" if pictures else None
            faults = stage.faults(size, picture)
            found[f"{scene.id}-{language}", f"{size[0]}x{size[1]}"] = faults
            tell(f"{named(scene, language, size)}: {len(faults) or 'fits'}")
        if stage:
            stage.leave()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="Say which tables do not fit which windows.")
    parser.add_argument("words", nargs="*", help="only names with parts that begin so")
    parser.add_argument("--pictures", type=Path, help="folder for a screenshot of each")
    given = parser.parse_args()
    if given.pictures:
        given.pictures.mkdir(parents=True, exist_ok=True)
    found = look(given.words, given.pictures, lambda line: print(line, file=sys.stderr))
    print(table_of(found))
    return 1 if any(found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
