# mypyc: compile
"""Rulings by their ids, and two ways to say no: `Refused` (a rule), `Malformed` (unreadable)."""

from collections.abc import Mapping
from typing import Final, NewType

Ruling = NewType("Ruling", str)
"""The id of a rule, as `rules.en.md` numbers it: what tests, errors and rules pages refer to."""

Z_1: Final = Ruling("Z 1")
"""It is not this seat's decision."""
Z_2: Final = Ruling("Z 2")
"""The match is over."""
Z_3: Final = Ruling("Z 3")
"""A card named is not in the hand."""


class Refusal:
    """Which rule stands against an attempt, what to highlight, and what its text needs to know."""

    def __init__(
        self,
        ruling: Ruling,
        blame: tuple[str, ...] = (),
        details: Mapping[str, object] | None = None,
    ) -> None:
        self.ruling: Final = ruling
        self.blame: Final = blame
        self.details: Final[Mapping[str, object]] = {} if details is None else details

    def __repr__(self) -> str:
        return f"Refusal({self.ruling!r}, {self.blame!r}, {dict(self.details)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Refusal) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))


def quoted(value: object) -> str:
    """Any input for a message: short, and safe where its `repr` is huge or fails."""
    try:
        text = repr(value)
    except Exception:
        return f"something of type {type(value).__name__}"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


LONGEST: Final = 80
"""So much of a wrong input is quoted."""


class Malformed(ValueError):
    """Input that cannot be read; the message says what is wrong and what is expected."""


class Refused(Exception):
    """A readable attempt that a rule forbids. Nothing was changed."""

    def __init__(self, refusal: Refusal, text: str) -> None:
        super().__init__(f"{refusal.ruling}: {text}")
        self.refusal: Final = refusal
        self.ruling: Final = refusal.ruling
        self.blame: Final = refusal.blame
        self.text: Final = text
