"""Text in the fonts that come with the client, found by the style sheets of its build."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

from msgspec import Struct
from PIL import ImageDraw, ImageFont

RULE = re.compile(r"@font-face\s*\{([^}]*)\}")
ASSET = re.compile(r"url\(\"?/(assets/[\w.-]+\.woff2)\"?\)")
MINCHO, GOTHIC = "Shippori Mincho B1", "Zen Kaku Gothic New"
REST = " Rest"
"""Ends the name of the family of the characters that the client itself does not write."""
MAX_FONTS = 96
"""Opened fonts that are kept: a family is in many pieces."""


class Face(Struct, frozen=True):
    """One piece of a family: a file and the characters that it draws."""

    family: str
    weight: str
    file: Path
    ranges: tuple[tuple[int, int], ...]

    def has(self, character: str) -> bool:
        return any(first <= ord(character) <= last for first, last in self.ranges)


def faces_in(folder: Path) -> tuple[Face, ...]:
    """Return the faces of a built client. There are none if it was not built."""
    index = folder / "index.html"
    return _faces_in(folder, index.stat().st_mtime_ns) if index.is_file() else ()


@cache
def _faces_in(folder: Path, _built: int) -> tuple[Face, ...]:
    sheets = sorted((folder / "assets").glob("*.css"))
    rules = [rule for sheet in sheets for rule in RULE.findall(sheet.read_text("utf-8"))]
    return tuple(face for rule in rules for face in read_rule(folder, rule))


def read_rule(folder: Path, rule: str) -> Iterator[Face]:
    """Yield the face of a rule, if its file is one of the client."""
    named = dict(part.split(":", 1) for part in rule.split(";") if ":" in part)
    values = {name.strip(): value.strip() for name, value in named.items()}
    asset = ASSET.search(values.get("src", ""))
    if asset is not None:
        family = values.get("font-family", "").strip("\"'")
        ranges = values.get("unicode-range", "U+0-10FFFF")
        weight = values.get("font-weight", "400")
        yield Face(family, weight, folder / asset[1], tuple(map(read_range, ranges.split(","))))


def read_range(text: str) -> tuple[int, int]:
    """Return the first and the last character of `U+4E00`, `U+20-7E` or `U+4??`."""
    first, _, last = text.strip().upper().removeprefix("U+").partition("-")
    return int(first.replace("?", "0"), 16), int((last or first).replace("?", "F"), 16)


@lru_cache(MAX_FONTS)
def opened(file: Path, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(file), size)


class Style(Struct, frozen=True):
    """A family at a size."""

    faces: tuple[Face, ...]
    family: str
    weight: str
    size: int

    def font(self, character: str) -> ImageFont.FreeTypeFont | None:
        """Return the font that draws a character: of this family, the rest of it, or any."""
        kinds = (self.kind, (f"{self.family}{REST}", self.weight))
        own = [face for kind in kinds for face in self.faces if (face.family, face.weight) == kind]
        for face in (*own, *self.faces):
            if face.has(character):
                return opened(face.file, self.size)
        return None

    @property
    def kind(self) -> tuple[str, str]:
        return self.family, self.weight

    def can_draw(self, text: str) -> bool:
        return all(self.font(character) is not None for character in text)

    def runs(self, text: str) -> list[tuple[ImageFont.FreeTypeFont, str]]:
        """Return parts of a text, each with the font that draws it."""
        runs: list[tuple[ImageFont.FreeTypeFont, str]] = []
        for character in text:
            font = self.font(character)
            if font is None:
                continue
            if runs and runs[-1][0] is font:
                runs[-1] = font, runs[-1][1] + character
            else:
                runs.append((font, character))
        return runs

    def width(self, text: str) -> float:
        return sum(font.getlength(part) for font, part in self.runs(text))

    def draw(self, draw: ImageDraw.ImageDraw, at: tuple[float, float], text: str, ink: str) -> None:
        """Draw a line of text from its left end on the baseline."""
        x, y = at
        for font, part in self.runs(text):
            draw.text((x, y), part, ink, font, anchor="ls")
            x += font.getlength(part)

    def lines(self, text: str, room: float) -> list[str]:
        """Break a text into lines: between words, or between Japanese characters.

        A word in katakana is broken only if it alone is wider than the room. No line begins with
        a full stop or comma, and a line breaks after one beyond the middle of the room.
        """
        lines = [""]
        for part in self._pieces(text, room):
            if lines[-1] and self.width((lines[-1] + part).rstrip()) > room:
                lines[-1:] = self._broken(lines[-1], part, room)
            lines[-1] += part
        return [line.strip() for line in lines]

    def _broken(self, line: str, part: str, room: float) -> tuple[str, str]:
        """Return a full line, and the beginning of the next one, which this part continues."""
        end = max(line.rfind("、"), line.rfind("。")) + 1
        phrase, rest = line[:end], line[end:]
        if self.width(phrase) > room / 2 and self.width(rest + part) <= room:
            return phrase, rest
        return line, ""

    def widest_word(self, text: str) -> float:
        """Return the width of the widest word."""
        return max((self.width(word.rstrip()) for word in words(text)), default=0.0)

    def _pieces(self, text: str, room: float) -> list[str]:
        return [
            piece
            for word in words(text)
            for piece in ([word] if word.isascii() or self.width(word) <= room else word)
        ]


def words(text: str) -> list[str]:
    """Return the words in Latin letters or katakana, and every other character.

    The full stops and commas of Japanese belong to the word before them.
    """
    return re.findall(r"(?:[!-~]+ ?|[ァ-ヺー]+|.)[、。]*", text)
