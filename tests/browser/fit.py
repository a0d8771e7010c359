"""Checks whether a table fits a window: scenes of every game, common windows, and all faults.

python -m tests.browser.fit                          every scene at every size, as a table
python -m tests.browser.fit red_town 1366x650 ja     scenes whose name has parts that begin so
python -m tests.browser.fit kamiza --pictures DIR    and a picture of each
python -m tests.browser.fit red_town --seed 7        other deals than those of the tests
"""

import argparse
import random
import re
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

import zashiki
from tests.browser import browse
from tests.browser.browse import ROOT, Visitor
from tests.browser.positions import give_position, position_server
from tests.server.server_process import ServerProcess

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
Reached = Callable[[Mapping[str, Any], Sequence[str]], bool]
"""Whether a decision with this view and these legal actions is the scene."""
TEXTS = ROOT / "src" / "zashiki"
MOST_TURNS = 4000
MOST_MATCHES = 40


@dataclass(frozen=True)
class Scene:
    """A phase of a game, how to reach it, and the controls to press there."""

    name: str
    game: str
    seats: int
    until: Reached | str
    """Which decision the scene is. It is found by seeded play before the page opens the table, so a
    test always looks at the same deal. For a scene that passes: a JavaScript expression over
    `table`, `view` and `legal` that is true then."""
    options: dict[str, Any] = field(default_factory=dict)
    prefer: tuple[str, ...] = ()
    """Patterns of actions: the first match is played."""
    press: tuple[str, ...] = ()
    """Selectors: the first control that each finds is pressed, if there is one."""
    bot: str = "random"
    reader: str = ""
    """After the match: the middle of its replay, seen by this seat, `all` or `open`."""
    long: bool = True

    @property
    def id(self) -> str:
        return f"{self.game.replace('-', '_')}-{self.name}"

    def rank(self, action: str) -> int:
        """Return the place of the first pattern that the action matches. The least is played."""
        matching = (place for place, one in enumerate(self.prefer) if re.search(one, action))
        return next(matching, len(self.prefer))

    def position(self, seed: int) -> dict[str, object]:
        """Return a position of the scene, in which seat 0 decides."""
        assert not isinstance(self.until, str)
        for attempt in range(MOST_MATCHES):
            name = f"{self.id} {seed} {attempt}"
            chance = random.Random(name)
            match = zashiki.start(self.game, self.seats, options=self.options, seed=name)
            while not match.over:
                legal = match.legal(0)
                if legal and self.until(match.view(0), legal):
                    return match.truth()
                seat = min(match.to_act)
                actions = match.legal(seat)
                if seat == 0:
                    least = min(map(self.rank, actions))
                    actions = tuple(one for one in actions if self.rank(one) == least)
                match.play(seat, chance.choice(actions))
        raise AssertionError(f"{self.id} was not reached in {MOST_MATCHES} matches")


def in_phase(name: str, least: int = 1) -> Reached:
    """A decision of this phase with at least this number of legal actions."""
    return lambda view, legal: view["phase"] == name and len(legal) >= least


def has_placed(*counts: int) -> Reached:
    """A decision of KAMIZA after this number of cards, or one of these numbers."""
    return lambda view, _: len(view["placed"]) in counts


PLAY = (r"^[rb]\d:",)
ALL_CARDS = tuple(f"[data-held]:nth-child({place}) button" for place in range(1, 18))
KAMIZA: list[tuple[str, int, Reached | str, dict[str, Any], tuple[str, ...]]] = [
    ("placing", 4, has_placed(0), {},
     ('.hand [data-card="boss"]', '.hand [data-area="bottom"]')),
    ("placing_three", 3, has_placed(1, 2), {}, (".hand [data-card]",)),
    ("open_start", 4, has_placed(1), {"open_start": True}, (".hand [data-card]",)),
    ("reveal", 4, "!table.over && table.news.some((one) => one.fact === 'revealed')", {},
     (".sill .again",)),
    ("over", 4, "table.over", {}, ()),
]  # fmt: skip
SCENES = [
    Scene("decide", "red-town", 5, in_phase("decide")),
    Scene("pick", "red-town", 5, in_phase("pick"), prefer=("add",),
          press=(".offers [data-card]",)),
    Scene("pick_many", "red-town", 3, in_phase("pick-many"),
          prefer=("add",), press=(".offers [data-card]",)),
    Scene("look", "red-town", 2, in_phase("look"), press=("[data-choice]",)),
    Scene("pick_two", "red-town", 2, in_phase("pick"),
          press=(".offers [data-card]",)),
    Scene("give", "red-town", 2, in_phase("give"),
          press=("[data-choice]",)),
    Scene("choose", "red-town", 2, in_phase("choose"),
          press=("[data-choice]",)),
    Scene("turn_two", "red-town", 2, in_phase("turn", 2),
          press=("button[data-location]",)),
    Scene("turn_largest", "red-town", 3,
          lambda view, legal: len(legal) > 1 and len(view["hand"]) >= 17,
          prefer=("add", "hitmen:RRBB", "hitmen:...", "hitmen:..", "hitmen"),
          press=("button[data-location]",)),
    Scene("turn", "red-town", 5, in_phase("turn", 2), prefer=("add",),
          press=("button[data-location]",), long=False),
    Scene("turn_raised", "red-town", 5, in_phase("turn", 2),
          prefer=("add",), press=ALL_CARDS, long=False),
    Scene("turn_covered", "red-town", 5,
          lambda view, _: view["phase"] == "turn" and len(view["board"]) >= 4,
          prefer=PLAY),
    Scene("discard", "red-town", 3, in_phase("discard"),
          prefer=("^r4:", *PLAY), press=("[data-held] button",)),
    Scene("short_pick", "red-town", 5, in_phase("pick"),
          {"form": "short"}, press=(".offers [data-card]",)),
    Scene("short_turn", "red-town", 5, in_phase("turn", 2),
          {"form": "short"}, press=("button[data-location]",)),
    Scene("wait", "red-town", 5, in_phase("turn"), {"hitmen": "hidden"}),
    Scene("over", "red-town", 3, "table.over", {"form": "short"}, prefer=PLAY),
    *[
        Scene(name, game, seats, until, options, press=press,
              long=(game, name) != ("kamiza-2014", "placing"))
        for game in ("kamiza-2014", "kamiza-second")
        for name, seats, until, options, press in KAMIZA
    ],
    Scene("draft", "kingdoms", 2, in_phase("draft", 4),
          prefer=("draft:N?[1-9]?A", "attack", "occupy", "defend:[^n]"), press=("[data-area]",)),
    Scene("deploy", "kingdoms", 2,
          lambda view, _: view["phase"] == "deploy" and len(view["hand"]) == 5,
          prefer=("draft:N[1-9]",), press=(".hand [data-card]",), long=False),
    Scene("attack", "kingdoms", 2,
          lambda view, legal: view["phase"] == "deploy" and any(
              re.match(r"attack:[^:]*:.*[+]", one) for one in legal),
          prefer=("draft:N[1-9]", "occupy", "done"),
          press=(".hand [data-card]", '[data-area]:enabled[aria-label*="Blue"]')),
    Scene("defend", "kingdoms", 2, in_phase("defend", 2),
          prefer=("draft:N?[1-9]?A?[1-9]", "done"), press=(".hand [data-card]",)),
    Scene("leave", "kingdoms", 2, in_phase("leave", 2),
          prefer=("draft:N?[1-9]?A?[1-9]", "attack:[^:]*:.*[+]", "defend:[^n]", "attack")),
    Scene("battle_told", "kingdoms", 2,
          "view.phase === 'deploy' && table.news.some((one) => one.fact === 'revealed')",
          prefer=("draft:N?[1-9]?A?[1-9]", "attack", "occupy")),
    Scene("over", "kingdoms", 2, "table.over", prefer=("attack",)),
    *[
        Scene(f"replay_{reader}", game, seats, "table.over", options, reader=reader)
        for game, seats, options in [
            ("red-town", 5, {}), ("kamiza-second", 4, {}), ("kamiza-2014", 4, {}),
            ("kingdoms", 2, {}),
            ("goofspiel", 2, {"cards": 13}),
        ]
        for reader in ("0", "open")
    ],
    Scene("bids", "goofspiel", 2, lambda _, legal: len(legal) == 13, {"cards": 13}, long=False),
]  # fmt: skip


class Stage:
    """A page with a scene in one language, for windows of several sizes."""

    def __init__(
        self, server: ServerProcess, browser: Browser, scene: Scene, language: str, seed: int = 0
    ):
        self.scene = scene
        self.language = language
        self.visitor = Visitor(server, browser, "Aki", (1440, 900), language, motion="off")
        self.visitor.come()
        if scene.reader:
            self._replay()
            return
        if isinstance(scene.until, str):
            self._play_to(scene.until)
        else:
            give_position(server, scene.position(seed))
            self._open()
            self.visitor.page.wait_for_function("() => window.zashiki?.legal.length > 0")
            self.visitor.page.locator(
                ".prompt .note [role=status] + .acts button"
            ).click()  # below it: the hint
        page = self.visitor.page
        if page.get_by_role("dialog").count() > 0:
            page.keyboard.press("Escape")
        self.visitor.settle()
        for selector in scene.press:
            target = page.locator(f".stage {selector}")
            if target.count() > 0:
                target.first.evaluate("(one) => one.click()")

    def _open(self) -> str:
        """Open a table of the scene's form in the page."""
        scene, visitor = self.scene, self.visitor
        table = visitor.open_table(scene.game, scene.seats, scene.bot, options=scene.options)
        visitor.visit(f"/table/{table}")
        return table

    def _play_to(self, expression: str) -> None:
        for _ in range(MOST_MATCHES):
            self._open()
            arguments = [list(self.scene.prefer), MOST_TURNS]
            if self.visitor.page.evaluate(REACH % expression, arguments):
                return
        raise AssertionError(f"{self.scene.id} was not reached in {MOST_MATCHES} matches")

    def _replay(self) -> None:
        """Open the middle of the replay of a match. A page that showed it would cost time."""
        scene, visitor = self.scene, self.visitor
        visitor.visit("/settings")
        table = visitor.open_table(scene.game, scene.seats, scene.bot, options=scene.options)
        assert visitor.play_on(table, MOST_TURNS)
        visitor.visit(f"/table/{table}")
        page = visitor.page
        match = page.wait_for_function("() => window.zashiki.info.match").json_value()
        address = f"/replay/{match}"
        visitor.visit(f"{address}?seat={scene.reader}&step=0")
        slider = page.get_by_role("slider").first
        slider.wait_for()
        steps = int(slider.get_attribute("max") or 0)
        visitor.visit(f"{address}?seat={scene.reader}&step={steps // 2}")
        slider.wait_for()

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
        position_server(Path(folder), *options) as server,
        browse.browser() as browser,
    ):
        yield server, browser


def look(
    words: list[str], pictures: Path | None, seed: int, tell: Callable[[str], None]
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
                stage = Stage(server, browser, scene, language, seed)
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
    parser.add_argument("--seed", type=int, default=0, help="of the deals (default: 0)")
    given = parser.parse_args()
    if given.pictures:
        given.pictures.mkdir(parents=True, exist_ok=True)
    found = look(given.words, given.pictures, given.seed, lambda line: print(line, file=sys.stderr))
    print(table_of(found))
    return 1 if any(found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
