"""What the arguments of a game's facts mean: how packed integers are written, read and said.

Parts work with small integers; a record, the wire and a person want `{"area": "top"}`. A game
gives each fact a mapping from the names of its arguments to their kinds.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from zashiki.core.parts import Audience
from zashiki.core.rulings import Malformed, quoted

BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that nobody sees."""
SPACES = frozenset(" \u3000")
MOST_MARKS = 2
"""So many accents a letter may have: a stack of them covers the lines above."""


class Speaker(Protocol):
    """Says seats and words in a language."""

    def seat(self, seat: int) -> str: ...
    def word(self, word: str) -> str: ...
    def phrase(self, words: str) -> str: ...
    def listed(self, items: list[str]) -> str: ...


class Kind(Protocol):
    """One kind of argument."""

    def write(self, value: int | str) -> object:
        """The JSON form."""
        ...

    def read(self, written: object) -> int | str:
        """The argument again; `Malformed` says what was expected."""
        ...

    def say(self, written: object, speaker: Speaker) -> str:
        """The JSON form in a person's language; empty where there is nothing to say."""
        ...


@dataclass(frozen=True)
class Number:
    """An integer between two bounds."""

    least: int
    most: int

    def write(self, value: int | str) -> object:
        return value

    def read(self, written: object) -> int:
        if type(written) is not int or not self.least <= written <= self.most:
            raise Malformed(
                f"{quoted(written)}: a number from {self.least} to {self.most} is expected"
            )
        return written

    def say(self, written: object, speaker: Speaker) -> str:
        return str(written)


class SeatNumber(Number):
    """A seat at a table of so many."""

    def __init__(self, seats: int) -> None:
        super().__init__(0, seats - 1)

    def say(self, written: object, speaker: Speaker) -> str:
        return speaker.seat(self.read(written))


@dataclass(frozen=True)
class OneOf:
    """One of these words, by its place among them."""

    names: tuple[str, ...]

    def write(self, value: int | str) -> object:
        return self.names[int(value)]

    def read(self, written: object) -> int:
        if written not in self.names:
            raise Malformed(f"{quoted(written)}: one of {', '.join(self.names)} is expected")
        return self.names.index(str(written))

    def say(self, written: object, speaker: Speaker) -> str:
        return speaker.word(str(written))


@dataclass(frozen=True)
class SetOf:
    """A set, as bits, of things of another kind, written as a rising list."""

    kind: Kind
    size: int

    def write(self, value: int | str) -> object:
        return [self.kind.write(member) for member in range(self.size) if int(value) >> member & 1]

    def read(self, written: object) -> int:
        members = [int(self.kind.read(member)) for member in read_list(written)]
        if members != sorted(set(members)):
            raise Malformed(f"{quoted(written)}: a rising list without repetition is expected")
        return sum(1 << member for member in members)

    def say(self, written: object, speaker: Speaker) -> str:
        return speaker.listed([self.kind.say(member, speaker) for member in read_list(written)])


@dataclass(frozen=True)
class BySeat:
    """A value of another kind for each seat, packed so many bits apart."""

    kind: Kind
    seats: int
    bits: int

    def write(self, value: int | str) -> object:
        mask = (1 << self.bits) - 1
        lanes = [int(value) >> seat * self.bits & mask for seat in range(self.seats)]
        return [self.kind.write(lane) for lane in lanes]

    def read(self, written: object) -> int:
        values = read_list(written)
        if len(values) != self.seats:
            raise Malformed(
                f"{quoted(written)}: a list of {self.seats}, one for each seat, is expected"
            )
        lanes = [int(self.kind.read(value)) for value in values]
        return sum(lane << seat * self.bits for seat, lane in enumerate(lanes))

    def say(self, written: object, speaker: Speaker) -> str:
        said = [self.kind.say(value, speaker) for value in read_list(written)]
        return speaker.listed(
            [f"{speaker.seat(seat)} {text}" for seat, text in enumerate(said) if text]
        )


@dataclass(frozen=True)
class Words:
    """A bounded plain text that a person typed."""

    most: int

    def write(self, value: int | str) -> object:
        return value

    def read(self, written: object) -> str:
        return plain_text(written, "words", self.most)

    def say(self, written: object, speaker: Speaker) -> str:
        return speaker.phrase(str(written))


def plain_text(text: object, what: str, most: int) -> str:
    """Text that may be shown anywhere: one line, bounded, no control or invisible characters."""
    if not isinstance(text, str):
        raise Malformed(f"{what}: a text is expected, not {quoted(text)}")
    if not 1 <= len(text) <= most or text != text.strip():
        raise Malformed(
            f"{what}: 1 to {most} characters without outer spaces are expected, not {quoted(text)}"
        )
    odd = odd_in(text)
    if odd is not None:
        raise Malformed(f"{what}: plain text is expected, without {quoted(odd)}")
    return text


def odd_in(text: str) -> str | None:
    """The first control or invisible character; the Japanese space is a plain one."""
    return next(
        (one for one in text if unicodedata.category(one)[0] in "CZ" and one not in SPACES), None
    )


def is_visible(text: str, kinds: str) -> bool:
    """Is there a character of one of these kinds (L, N, S…) that can be seen?"""
    return any(unicodedata.category(one)[0] in kinds and one not in BLANKS for one in text)


def shown_name(name: object, most: int) -> str:
    """A plain text that somebody can be called by: there is something to see, and no tower."""
    text = typed_text(name, "name", most)
    if not is_visible(text, "LNS"):
        raise Malformed(f"name: a letter, a digit or a symbol is expected in {quoted(text)}")
    return text


def typed_text(text: object, what: str, most: int) -> str:
    """A plain text that a person wrote for others: no letter carries a tower of accents."""
    plain = plain_text(text, what, most)
    marks = "".join("M" if unicodedata.category(one)[0] == "M" else " " for one in plain)
    if "M" * (MOST_MARKS + 1) in marks:
        raise Malformed(f"{what}: at most {MOST_MARKS} accents on a letter are expected")
    return plain


def read_list(written: object) -> list[object]:
    if not isinstance(written, list):
        raise Malformed(f"{quoted(written)}: a list is expected")
    return written


Signature = Mapping[str, Kind]
"""The arguments of one fact, in order."""


@dataclass(frozen=True)
class Vocabulary:
    """Every fact of a game, by the kind of part it lives on."""

    public: Mapping[str, Signature]
    own: Mapping[str, Signature]
    hidden: Mapping[str, Signature]

    def signature(self, audience: Audience, fact: str) -> Signature:
        if audience == "all":
            facts = self.public
        elif audience == "none":
            facts = self.hidden
        else:
            facts = self.own
        if fact not in facts:
            known = ", ".join(facts) or "no facts"
            raise Malformed(
                f"fact {quoted(fact)} to {quoted(audience)}: one of {known} is expected"
            )
        return facts[fact]

    def written(
        self, audience: Audience, fact: str, values: Sequence[int | str]
    ) -> dict[str, object]:
        """The arguments of a fact in their JSON form."""
        pairs = zip(self.signature(audience, fact).items(), values, strict=True)
        return {argument: kind.write(value) for (argument, kind), value in pairs}

    def every_fact(self) -> dict[str, Signature]:
        return {**self.public, **self.own, **self.hidden}


@dataclass(frozen=True)
class Fact:
    """What happened, who was told, and which action was its cause."""

    audience: Audience
    name: str
    arguments: Mapping[str, object]
    act: int = 0
    """The number of the action that was its cause; 0 while setting up."""
    seat: int | None = None
    action: str | None = None
