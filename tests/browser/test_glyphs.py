"""Every character that the client shows is drawn by a font that comes with it.

Text that people type is not checked: a name or a line of theirs may be in any script. Notation and
hashes (`code`) are in the system's monospaced font, which is why they are ASCII.
"""

import json
from collections import defaultdict
from itertools import product

import pytest
from playwright.sync_api import Browser

from tests.browser.browse import DESK, PHONE, ROOT, Visitor
from tests.server.server_process import ServerProcess

Written = dict[str, dict[str, str]]
"""By style: characters, and a page that has each of them."""
LANGUAGES = ("en", "ja")
FACES = [
    ("var(--gothic)", "400"), ("var(--gothic)", "500"), ("var(--gothic)", "700"),
    ("var(--mincho)", "700"),
]  # fmt: skip
SOURCES = {".svelte", ".ts", ".css", ".html", ".json"}
UNKNOWN = "𒀀"
"""A cuneiform sign, which none of our fonts has."""
CLAIMED = "\ue000"
PAGES = {"/": ".hero h1", "/new": "form", "/settings": "h1", "/card-sets": "h1", "/verify": "h1"}
"""A selector for an element that a loaded page has."""
TABLES = {"red-town": 3, "kamiza-second": 3, "kingdoms": 2}
"""The number of seats per game; both editions of KAMIZA share a table."""

LAY = """
async ([text, language, family, weight]) => {
  document.querySelector("#probe")?.remove();
  const probe = document.createElement("p");
  Object.assign(probe, { id: "probe", lang: language, textContent: text });
  Object.assign(probe.style, { fontFamily: family, fontWeight: weight });
  document.body.append(probe);
  const sheets = () => [...document.querySelectorAll("link[rel=stylesheet]")];
  const isBusy = () => {
    probe.getBoundingClientRect();
    return document.fonts.status === "loading" || sheets().some(({ sheet }) => sheet === null);
  };
  let known = sheets().length;
  for (let still = 0; still < 10; still += 1) {
    await new Promise((done) => setTimeout(done, 20));
    if (isBusy() || sheets().length > known) still = -1;
    known = sheets().length;
  }
}
"""
"""Fonts are loaded when a text needs them: their style sheets first, one after the other."""
CLAIM = """
async (name) => {
  const bare = (text) => text.split(",")[0].replaceAll('"', "");
  const { fontFamily, fontWeight } = getComputedStyle(document.querySelector("#probe"));
  const own = bare(fontFamily);
  const faces = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSFontFaceRule && bare(rule.style.fontFamily) === own)
    .map((rule) => rule.style);
  const chosen = faces.find((style) => style.fontWeight === fontWeight) ?? faces[0];
  const claim = { unicodeRange: "U+E000", weight: chosen.fontWeight };
  const face = new FontFace(name ?? own, chosen.getPropertyValue("src"), claim);
  document.fonts.add(await face.load());
  return [own, fontWeight];
}
"""
"""Loads a font of ours, under its own or another name, for a character that it does not have."""
BOXES = """
([text, own, weight]) => {
  const pen = new OffscreenCanvas(24, 24).getContext("2d", { willReadFrequently: true });
  const picture = (letter, name) => {
    pen.clearRect(0, 0, 24, 24);
    pen.font = `${weight} 16px "${name}"`;
    pen.fillText(letter, 3, 18);
    return pen.getImageData(0, 0, 24, 24).data.join();
  };
  const box = picture("\\ue000", "Box");
  return [...text].filter((letter) => picture(letter, own) === box);
}
"""
WRITTEN = """
() => {
  const found = {};
  const add = (text, element, part) => {
    const { fontFamily, fontWeight } = getComputedStyle(element, part);
    const style = JSON.stringify([element.closest("[lang]").lang, fontFamily, fontWeight]);
    found[style] = (found[style] ?? "") + text;
  };
  for (const element of document.body.querySelectorAll(":not(script, noscript, textarea)")) {
    for (const { nodeType, data } of element.childNodes) {
      const said = element.matches("code, code *") ? data?.replace(/[ -~]/g, "") : data;
      if (nodeType === Node.TEXT_NODE && said.trim()) add(said, element);
    }
    for (const part of ["::before", "::after"]) {
      const { content } = getComputedStyle(element, part);
      if (!["none", "normal", '""'].includes(content)) add(content, element, part);
    }
    if (element.placeholder) add(element.placeholder, element, "::placeholder");
  }
  return Object.entries(found);
}
"""
"""Language, fonts and weight, and all text in that style, also from style sheets and in fields."""


class Fonts:
    """The fonts that a page is drawn with, as reported by the browser."""

    def __init__(self, visitor: Visitor) -> None:
        self.page = visitor.page
        self.session = visitor.context.new_cdp_session(visitor.page)
        self.session.send("DOM.enable")
        self.session.send("CSS.enable")

    def are_ours(self) -> bool:
        root = self.session.send("DOM.getDocument")["root"]["nodeId"]
        asked = {"nodeId": root, "selector": "#probe"}
        probe = self.session.send("DOM.querySelector", asked)["nodeId"]
        fonts = self.session.send("CSS.getPlatformFontsForNode", {"nodeId": probe})["fonts"]
        return fonts != [] and all(font["isCustomFont"] for font in fonts)

    def lacking(self, text: str, language: str, family: str, weight: str) -> str:
        """Return the characters of a text in this style that our fonts do not draw."""
        self.page.evaluate(LAY, [text, language, family, weight])
        if self.are_ours():
            own = self.page.evaluate(CLAIM, "Box")
            return "".join(self.page.evaluate(BOXES, [text, *own]))
        if len(text) == 1:
            return text
        half = len(text) // 2
        parts = (text[:half], text[half:])
        return "".join(self.lacking(part, language, family, weight) for part in parts)


def games(visitor: Visitor) -> list[str]:
    answer = visitor.get("/api/games").json()
    return [game["id"] for game in answer]


def shown(visitor: Visitor) -> str:
    """Every character of the shell's texts and sources, and of the texts and rules of all games."""
    folders = [ROOT / "web" / "src", *(ROOT / "src" / "zashiki" / "games").glob("*/client")]
    files = [one for folder in folders for one in folder.rglob("*") if one.suffix in SOURCES]
    files = [one for one in files if not one.name.endswith(".test.ts")]
    found = {letter for file in files for letter in file.read_text("utf-8")}
    for game, what, language in product(games(visitor), ("texts", "rules"), LANGUAGES):
        path = f"/api/games/{game}/{what}?language={language}"
        answer = visitor.get(path)
        assert answer.ok, path
        found |= set(json.dumps(answer.json(), ensure_ascii=False))
    return "".join(sorted(letter for letter in found if not letter.isspace()))


def test_our_fonts_have_every_character(server: ServerProcess, browser: Browser) -> None:
    aki = Visitor(server, browser, "Aki")
    aki.visit("/settings")
    text = shown(aki)
    assert {"座", "〜", "·"} < set(text)
    fonts = Fonts(aki)
    found = {
        (language, *face): fonts.lacking(text, language, *face)
        for language, face in product(LANGUAGES, FACES)
    }
    assert {face: letters for face, letters in found.items() if letters} == {}
    aki.leave()


def test_a_character_that_they_lack_is_found(server: ServerProcess, browser: Browser) -> None:
    aki = Visitor(server, browser, "Aki")
    aki.visit("/settings")
    fonts = Fonts(aki)
    for language, face in product(LANGUAGES, FACES):
        assert fonts.lacking(f"座敷{UNKNOWN}Zashiki", language, *face) == UNKNOWN
    aki.leave()


def test_a_box_is_found(server: ServerProcess, browser: Browser) -> None:
    """Our own font draws it, but as the box for missing glyphs."""
    aki = Visitor(server, browser, "Aki")
    aki.visit("/settings")
    fonts = Fonts(aki)
    for face in FACES:
        aki.page.evaluate(LAY, ["座敷", "ja", *face])
        aki.page.evaluate(CLAIM, None)
        assert fonts.lacking(f"座敷{CLAIMED}", "ja", *face) == CLAIMED
    aki.leave()


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.long), "ja"])
def test_pages_are_written_in_our_fonts(
    server: ServerProcess, browser: Browser, language: str
) -> None:
    """Every style on the pages is checked with all text in it."""
    aki = Visitor(server, browser, "Aki", PHONE if language == "ja" else DESK, language)
    aki.come()
    written: Written = defaultdict(dict)
    rules = {f"/rules/{game}": "article p" for game in games(aki)}
    for path, sign in {**PAGES, **rules}.items():
        read(aki, path, sign, written)
    for game, seats in TABLES.items():
        table = aki.open_table(game, seats, "random")
        aki.play_on(table, 2)
        read(aki, f"/table/{table}", ".frame button", written)
    fonts = Fonts(aki)
    assert len(written) > 3
    for style, letters in written.items():
        found = fonts.lacking("".join(sorted(letters)), *json.loads(style))
        assert {letter: letters[letter] for letter in found} == {}, style
    aki.leave()


def read(visitor: Visitor, path: str, sign: str, written: Written) -> None:
    """Add the characters on a page by style, once the page is loaded and rests."""
    visitor.visit(path)
    visitor.page.locator(sign).first.wait_for()
    visitor.settle()
    for style, text in visitor.page.evaluate(WRITTEN):
        written[style] |= {letter: path for letter in text if not letter.isspace()}
