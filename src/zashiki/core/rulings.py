# mypyc: compile
"""Ids of rules, and two errors: `Refused` (a rule forbids it), `Malformed` (it cannot be read)."""

from collections.abc import Mapping
from operator import index
from typing import Final, NewType, SupportsIndex, cast

Ruling = NewType("Ruling", str)
"""The id of a rule, as `rules.en.md` numbers it. Tests, errors and rules pages refer to it."""

Z_1: Final = Ruling("Z 1")
"""The rule that a seat acts only when it has a decision to make."""
Z_2: Final = Ruling("Z 2")
"""The rule that nobody acts after the end."""
Z_3: Final = Ruling("Z 3")
"""The rule that a seat plays only cards of its hand."""


class Refusal:
    """The rule that forbids an attempt, what to highlight, and the values for its text."""

    def __init__(
        self,
        ruling: Ruling,
        blame: tuple[str, ...] = (),
        details: Mapping[str, object] | None = None,
        text: str = "",
    ) -> None:
        self.ruling: Final = ruling
        self.blame: Final = blame
        self.details: Final[Mapping[str, object]] = {} if details is None else details
        self.text = text
        """The reason in English. A refusal of `Match.why_not` has it, one of the rules has not."""

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Refusal, (self.ruling, self.blame, dict(self.details), self.text)

    def __repr__(self) -> str:
        return f"Refusal({self.ruling!r}, {self.blame!r}, {dict(self.details)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Refusal) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))


def as_int(value: object) -> int | None:
    """Return any integer, such as one of numpy, as an int; None for everything else and bools."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return int(value)
    try:
        return index(cast(SupportsIndex, value))
    except TypeError:
        return None


def quoted(value: object) -> str:
    """Return any input as text for a message: short, even if its `repr` is huge or fails."""
    try:
        text = repr(value)
    except Exception:
        return f"something of type {type(value).__name__}"
    return text if len(text) <= MAX_QUOTED else f"{text[:MAX_QUOTED]}…"


MAX_QUOTED: Final = 80
"""Maximum characters of a wrong input that are quoted."""


class Malformed(ValueError):
    """Input that cannot be read. The message says what was expected and what was found."""


class Refused(Exception):
    """A readable attempt that a rule forbids. It changed nothing."""

    def __init__(self, refusal: Refusal, text: str) -> None:
        super().__init__(f"{refusal.ruling}: {text}")
        self.refusal: Final = refusal
        self.ruling: Final = refusal.ruling
        self.blame: Final = refusal.blame
        self.text: Final = text

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Refused, (self.refusal, self.text)
