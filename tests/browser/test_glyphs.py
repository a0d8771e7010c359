"""Every character that the client shows is drawn by a font that comes with it.

What people type is not looked at: a name or a word of theirs may be in any script. Notation and
hashes (`code`) are in the monospaced font of the system, which is why they are ASCII.
"""

import json
from collections import defaultdict
from itertools import product

import pytest
from playwright.sync_api import Browser

from tests.browser.browse import DESK, PHONE, ROOT, Visitor
from tests.server.server_process import ServerProcess

Written = dict[str, dict[str, str]]
"""By style: characters, and a page that each is on."""
LANGUAGES = ("en", "ja")
FACES = [
    ("var(--gothic)", "400"), ("var(--gothic)", "500"), ("var(--gothic)", "700"),
    ("var(--mincho)", "700"),
]  # fmt: skip
SOURCES = {".svelte", ".ts", ".css", ".html", ".json"}
UNKNOWN = "𒀀"
"""A sign of cuneiform: no font of ours has it."""
CLAIMED = "\ue000"
PAGES = {"/": ".hero h1", "/new": "form", "/settings": "h1", "/card-sets": "h1", "/verify": "h1"}
"""What is there when a page has come."""
TABLES = {"red-town": 3, "kamiza-second": 3, "kingdoms": 2}
"""With how many seats; the editions of KAMIZA have one table."""

LAY = """
async ([text, language, family, weight]) => {
  document.querySelector("#probe")?.remove();
  const probe = document.createElement("p");
  Object.assign(probe, { id: "probe", lang: language, textContent: text });
  Object.assign(probe.style, { fontFamily: family, fontWeight: weight });
  document.body.append(probe);
  probe.getBoundingClientRect();
  await document.fonts.ready;
  probe.getBoundingClientRect();
}
"""
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
"""A font of ours, under its name or another, says that it has a character which it has not."""
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
"""Language, fonts and weight, and all that is written so: also by style sheets, and in fields."""


class Fonts:
    """Which fonts a page is drawn with, as the browser itself says."""

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
        """The characters of a text, written so, that our fonts do not draw."""
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
    answer = visitor.context.request.get(f"{visitor.server.url}/api/games").json()
    return [game["id"] for game in answer]


def shown(visitor: Visitor) -> str:
    """Every character of the shell's texts and sources, and of the texts and rules of all games."""
    folders = [ROOT / "web" / "src", *(ROOT / "src" / "zashiki" / "games").glob("*/client")]
    files = [one for folder in folders for one in folder.rglob("*") if one.suffix in SOURCES]
    files = [one for one in files if not one.name.endswith(".test.ts")]
    found = {letter for file in files for letter in file.read_text("utf-8")}
    for game, what, language in product(games(visitor), ("texts", "rules"), LANGUAGES):
        address = f"{visitor.server.url}/api/games/{game}/{what}?language={language}"
        answer = visitor.context.request.get(address)
        assert answer.ok, address
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
    """Drawn by our own font, but as the box that stands for what it lacks."""
    aki = Visitor(server, browser, "Aki")
    aki.visit("/settings")
    fonts = Fonts(aki)
    for face in FACES:
        aki.page.evaluate(LAY, ["座敷", "ja", *face])
        aki.page.evaluate(CLAIM, None)
        assert fonts.lacking(f"座敷{CLAIMED}", "ja", *face) == CLAIMED
    aki.leave()


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_are_written_in_our_fonts(
    server: ServerProcess, browser: Browser, language: str
) -> None:
    """Every style that texts have on a page, with all that is written in it there."""
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
    """By style, what is written on a page, and where; once the page is there and rests."""
    visitor.visit(path)
    visitor.page.locator(sign).first.wait_for()
    visitor.settle()
    for style, text in visitor.page.evaluate(WRITTEN):
        written[style] |= {letter: path for letter in text if not letter.isspace()}
