"""The numbered rules for players in a game's `rules.en.md` and `rules.ja.md`.

A file holds one game, or several games under headings `# Title {game-id}`. A rule is a list item
that begins with its id in bold (`- **K2 3.5** …`), under a chapter (`## K2 3 …`).
"""

import re
from dataclasses import dataclass
from importlib.resources import files

from zashiki.core.rulings import Malformed
from zashiki.core.spec import GameSpec
from zashiki.core.wording import Wording

GAME = re.compile(r"^# (?P<title>.*?)\s*\{(?P<id>[\w-]+)\}\s*$")
RULE = re.compile(r"^- \*\*(?P<id>[A-Z]+\d* \d+(?:\.\d+)*[a-z]?)\*\*")
WRAPPED_JAPANESE = re.compile(
    r"(?<=[\u3000-\u9fff\uff00-\uffef])\n *(?=[\u3000-\u9fff\uff00-\uffef])"
)


@dataclass(frozen=True)
class Rulebook:
    """The rules of one game in one language, in Markdown."""

    text: str
    rules: dict[str, str]
    """The text of each rule by its id."""

    def find(self, wanted: str) -> str | None:
        """Find a rule with its parts. Spaces, case and the game's prefix may be left out.

        The parts of a chapter are its rules (`K2 3.5` of `K2 3`), those of a rule its lettered
        rules (`RB 2.4a` of `RB 2.4`).
        """
        is_part = re.compile(rf"{re.escape(squeezed(wanted))}(?:\..*|(?<=\d)[A-Z])?")
        for spelling in (squeezed, unprefixed):
            found = [text for id, text in self.rules.items() if is_part.fullmatch(spelling(id))]
            if found:
                return "\n".join(found)
        return None


def squeezed(id: str) -> str:
    return re.sub(r"[\s_-]", "", id).upper()


def unprefixed(id: str) -> str:
    return squeezed(id.rpartition(" ")[2])


def rulebook(spec: GameSpec, language: str) -> Rulebook:
    """Read the rules of a game; `Malformed` if they are not written in this language."""
    try:
        text = (spec.folder / f"rules.{language}.md").read_text("utf-8")
    except FileNotFoundError:
        raise Malformed(f"rules of {spec.id}: not available in language {language!r}") from None
    own = f"{chapter_of_game(text, spec.id)}\n\n{credits_chapter(Wording(spec, language))}".strip()
    common = (files("zashiki.core") / f"rules.{language}.md").read_text("utf-8")
    whole = join_japanese(f"{own}\n\n{common.strip()}")
    return Rulebook(whole, rules_in(whole))


def chapter_of_game(text: str, game: str) -> str:
    """Select the part of a file that tells the rules of a game."""
    return "\n".join(lines_of_game(text.splitlines(), game)).strip()


def credits_chapter(wording: Wording) -> str:
    """Name the people behind the printed game, in Markdown; empty if it has none."""
    credits = wording.spec.credits
    if credits is None:
        return ""
    title, note = (wording.texts.get("credits", key) for key in ("title", "note"))
    lines = [*wording.credits(), *([credits.website] if credits.website else [])]
    return "\n".join([f"## {title}", "", *(f"- {line}" for line in lines), "", note])


def lines_of_game(lines: list[str], game: str) -> list[str]:
    """Select the lines of a game and remove the id from its heading; all if no heading has one."""
    headings = [(place, match) for place, line in enumerate(lines) if (match := GAME.match(line))]
    ends = [place for place, _ in headings[1:]] + [len(lines)]
    for (start, heading), end in zip(headings, ends, strict=False):
        if heading["id"] == game:
            return [f"# {heading['title']}", *lines[start + 1 : end]]
    return [] if headings else lines


def join_japanese(text: str) -> str:
    """Join wrapped lines of Japanese, which has no spaces between words."""
    return WRAPPED_JAPANESE.sub("", text)


def rules_in(text: str) -> dict[str, str]:
    """Find every list item that begins with an id, with its continuation lines."""
    rules: dict[str, list[str]] = {}
    current: list[str] = []
    for line in text.splitlines():
        start = RULE.match(line)
        if start:
            current = rules.setdefault(start["id"], [])
        elif not line.startswith("  "):
            current = []
        current.append(line)
    return {id: "\n".join(lines) for id, lines in rules.items()}
