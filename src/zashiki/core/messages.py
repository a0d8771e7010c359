"""Messages that are put into the reader's language when they are shown: a key and values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from typing import Protocol, runtime_checkable

from zashiki.core.rulings import Malformed
from zashiki.core.text import load

DEFAULT_LANGUAGE = "en"
"""The language of exceptions and of the command line."""


@runtime_checkable
class Localizable(Protocol):
    """A value with words in every language."""

    def words(self, language: str) -> str: ...


@dataclass(frozen=True)
class Message:
    """An entry of a section of a folder's texts, and its values, which may be messages as well."""

    folder: Traversable
    section: str
    key: str
    details: Mapping[str, object] = field(default_factory=dict)
    reason: str = ""
    """The reason that a parser or the rules gave, in English; shown in English only."""

    def words(self, language: str = DEFAULT_LANGUAGE) -> str:
        text = load(self.folder, language)[self.section][self.key]
        filled = {name: localized(value, language) for name, value in self.details.items()}
        said = str(text).format(**filled)
        return f"{said}: {self.reason}" if self.reason and language == DEFAULT_LANGUAGE else said


@dataclass(frozen=True)
class LocalizedName:
    """A name that somebody gave in every language."""

    names: Mapping[str, str]

    def words(self, language: str) -> str:
        return self.names[language]


def localized(value: object, language: str) -> str:
    return value.words(language) if isinstance(value, Localizable) else str(value)


class Faulty(Malformed):
    """Content of an option with a fault: its place, and the reason."""

    def __init__(
        self, message: Message, what: str = "", path: str = "", line: int | None = None
    ) -> None:
        said = message.words()
        super().__init__(f"{what}: {said}" if what else said)
        self.message = message
        self.what = what
        self.path = path
        """The path of the key at fault, as in `cards[3].attack`; empty if none is at fault."""
        self.line = line
        """The line of a text that cannot be read."""

    def __reduce__(self) -> tuple[type["Faulty"], tuple[object, ...]]:
        return Faulty, (self.message, self.what, self.path, self.line)
