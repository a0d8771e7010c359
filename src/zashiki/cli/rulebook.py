"""The rules for players, as a game's `rules.en.md` and `rules.ja.md` number them.

A file holds a game under each top-level heading (`# Title {game-id}`), or one game as a whole; a
rule is a list item that begins with its id in bold (`- **K2 3.5** …`), under a chapter
(`## K2 3 …`).
"""

import re
from dataclasses import dataclass
from importlib.resources import files

from zashiki.core.offer import Offer
from zashiki.core.rulings import Malformed

GAME = re.compile(r"^# (?P<title>.*?)\s*\{(?P<id>[\w-]+)\}\s*$")
RULE = re.compile(r"^- \*\*(?P<id>[A-Z]+\d* \d+(?:\.\d+)*[a-z]?)\*\*")
MARKED = re.compile(r"\*\*(.+?)\*\*|\*(\S.*?)\*|`(.+?)`")
WRAPPED_JAPANESE = re.compile(
    r"(?<=[\u3000-\u9fff\uff00-\uffef])\n *(?=[\u3000-\u9fff\uff00-\uffef])"
)


@dataclass(frozen=True)
class Rulebook:
    """The rules of one game in one language, in Markdown."""

    text: str
    rules: dict[str, str]
    """Each rule by its id, as it stands in the text."""

    def find(self, wanted: str) -> str | None:
        """A rule and what belongs to it; spaces, case and the game's prefix may be left out.

        To a chapter belong its rules (`K2 3.5` to `K2 3`), to a rule its parts with letters
        (`RB 2.4a` to `RB 2.4`).
        """
        belongs = re.compile(rf"{re.escape(squeezed(wanted))}(?:\..*|(?<=\d)[A-Z])?")
        for spelling in (squeezed, unprefixed):
            found = [text for id, text in self.rules.items() if belongs.fullmatch(spelling(id))]
            if found:
                return "\n".join(found)
        return None


def squeezed(id: str) -> str:
    return re.sub(r"[\s_-]", "", id).upper()


def unprefixed(id: str) -> str:
    return squeezed(id.rpartition(" ")[2])


def rulebook(offer: Offer, language: str) -> Rulebook:
    """The rules of a game; `Malformed` where they are not written down in this language."""
    try:
        text = (offer.folder / f"rules.{language}.md").read_text("utf-8")
    except FileNotFoundError:
        raise Malformed(f"rules of {offer.id}: there are none in language {language!r}") from None
    own = "\n".join(chosen(text.splitlines(), offer.id)).strip()
    common = (files("zashiki.core") / f"rules.{language}.md").read_text("utf-8")
    whole = joined(f"{own}\n\n{common.strip()}")
    return Rulebook(whole, rules_in(whole))


def chosen(lines: list[str], game: str) -> list[str]:
    """The lines of this game, without the id in its heading; all, if no heading has an id."""
    headings = [(place, match) for place, line in enumerate(lines) if (match := GAME.match(line))]
    ends = [place for place, _ in headings[1:]] + [len(lines)]
    for (start, heading), end in zip(headings, ends, strict=False):
        if heading["id"] == game:
            return [f"# {heading['title']}", *lines[start + 1 : end]]
    return [] if headings else lines


def joined(text: str) -> str:
    """Japanese has no spaces between words, and so none where a line of the file ends."""
    return WRAPPED_JAPANESE.sub("", text)


def rules_in(text: str) -> dict[str, str]:
    """Every list item that begins with an id, with the lines that belong to it."""
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


def plain(markdown: str) -> str:
    """Markdown as text: no emphasis, no code marks, a rule on one line."""
    text = re.sub(r"(?<=\S)\n +(?=\S)", " ", markdown)
    text = re.sub(r"^#+ ", "", text, flags=re.MULTILINE)
    return MARKED.sub(lambda match: match[match.lastindex or 0], text)
