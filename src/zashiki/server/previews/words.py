"""The words of a preview: who invites to which game, and how many seats are free."""

from hmac import compare_digest
from importlib.resources import files
from typing import Any

from msgspec import Struct

from zashiki.core.text import LANGUAGES, load
from zashiki.core.wording import Wording
from zashiki.games import catalogue
from zashiki.server.protocol.rest import Language
from zashiki.server.store.rows import TableRow
from zashiki.server.tables.model import FILLED, TableDoc

SITE = "Zashiki"


class Preview(Struct, frozen=True):
    """The facts that people with the link may know of a table. `game` is None if there are none."""

    language: Language
    title: str
    """The game, or the name of the site."""
    said: str
    """The invitation, or the state of the table, in words."""
    seats: str = ""
    """The number of free seats, in words."""
    game: str | None = None
    taken: tuple[bool, ...] = ()
    """By seat: whether it is taken."""

    @property
    def text(self) -> str:
        """Return all of it in a line."""
        if not self.seats:
            return self.said
        return (
            f"{self.said}。{self.seats}。"
            if self.language == "ja"
            else (f"{self.said}. {self.seats}.")
        )


def spoken(asked: str | None, accepted: str) -> Language:
    """Return the language of a link or, if it has none, the first that the reader accepts."""
    for language in LANGUAGES:
        if asked == language:
            return language  # type: ignore[return-value]  # one of LANGUAGES
    return "ja" if accepted.lower().lstrip().startswith("ja") else "en"


def sentence(section: str, key: str, language: str, **details: object) -> str:
    """Return a sentence of the server in a language."""
    texts: Any = load(files("zashiki.server"), language)
    return str(texts[section][key]).format(**details)


def neutral(language: Language) -> Preview:
    """Return the preview of the site: for a table that does not exist, or must not be shown."""
    return Preview(language, SITE, sentence("preview", "site", language))


def preview_of(row: TableRow, doc: TableDoc, key: str, language: Language) -> Preview:
    """Return the preview of a table. A private one is shown to those who have its key.

    A table of a game that this server does not know is not shown.
    """
    is_known = compare_digest(key.encode(), doc.key.encode())
    if not (row.public or is_known) or doc.game not in catalogue():
        return neutral(language)
    taken = tuple(chair.kind in FILLED for chair in doc.chairs)
    free = len(taken) - sum(taken)
    seats = sentence("preview", "free" if free else "full", language, free=free, seats=len(taken))
    title = Wording(doc.spec, language).title()
    return Preview(language, title, said_of(row, doc, language), seats, doc.game, taken)


def said_of(row: TableRow, doc: TableDoc, language: Language) -> str:
    if row.state != "open":
        return sentence("preview", row.state, language)
    hosts = [chair.name for chair in doc.chairs if chair.player == row.host]
    if hosts:
        return sentence("preview", "invited", language, host=hosts[0])
    return sentence("preview", "open", language)
