"""What is said in the asker's language only when somebody asks: a text's key, and what fills it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from typing import Protocol, runtime_checkable

from zashiki.core.rulings import Malformed
from zashiki.core.text import load

OWN = "en"
"""The language of exceptions and of the command line."""


@runtime_checkable
class InWords(Protocol):
    """Something that can be said in every language."""

    def words(self, language: str) -> str: ...


@dataclass(frozen=True)
class Saying:
    """An entry of a section of a folder's texts. What fills it may be a saying as well."""

    folder: Traversable
    section: str
    key: str
    details: Mapping[str, object] = field(default_factory=dict)
    reason: str = ""
    """What a parser or the rules said of it, in English: other languages do without."""

    def words(self, language: str = OWN) -> str:
        text = load(self.folder, language)[self.section][self.key]
        said = str(text).format(**{name: spoken(it, language) for name, it in self.details.items()})
        return f"{said}: {self.reason}" if self.reason and language == OWN else said


@dataclass(frozen=True)
class Named:
    """What somebody has named in every language."""

    names: Mapping[str, str]

    def words(self, language: str) -> str:
        return self.names[language]


def spoken(detail: object, language: str) -> str:
    return detail.words(language) if isinstance(detail, InWords) else str(detail)


class Faulty(Malformed):
    """Content that somebody wrote and that cannot be played with: where the fault lies, and why."""

    def __init__(
        self, saying: Saying, what: str = "", path: str = "", line: int | None = None
    ) -> None:
        said = saying.words()
        super().__init__(f"{what}: {said}" if what else said)
        self.saying = saying
        self.path = path
        """The key at fault, as in `cards[3].attack`; empty where it is none in particular."""
        self.line = line
        """The line of a text that cannot be read."""
