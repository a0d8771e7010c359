"""The kinds of arguments of a game's facts: how packed integers are written, read and said.

Parts work with small integers; a record, the wire and a person want `{"area": "top"}`. A game
gives each fact a mapping from the names of its arguments to their kinds.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from zashiki.core.game import Attempt
from zashiki.core.parts import Audience
from zashiki.core.rulings import Malformed, quoted

BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that are invisible."""
SPACES = frozenset(" \u3000")
MAX_MARKS = 2
"""Maximum accents per letter: a stack of them covers the lines above."""


class Speaker(Protocol):
    """Says seats, words, actions and lists in a language."""

    def seat(self, seat: int) -> str: ...
    def word(self, word: str) -> str: ...
    def phrase(self, words: str) -> str: ...
    def listed(self, items: list[str]) -> str: ...
    def joined(self, items: list[str]) -> str: ...
    def counted(self, words: list[str]) -> str: ...
    def form(self, key: str, **said: object) -> str: ...
    def action(self, attempt: Attempt) -> str: ...


class Sayable(Protocol):
    """A kind of argument that can be put into words."""

    def say(self, written: object, speaker: Speaker) -> str:
        """Return the JSON form in words; empty if there is nothing to say."""
        ...


class Kind(Sayable, Protocol):
    """One kind of argument."""

    def write(self, value: int | str) -> object:
        """Return the JSON form."""
        ...

    def read(self, written: object) -> int | str:
        """Return the argument of a JSON form; raise `Malformed` if it is not one."""
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
                f"expected a number from {self.least} to {self.most}, found {quoted(written)}"
            )
        return written

    def say(self, written: object, speaker: Speaker) -> str:
        return str(written)


class Count(Number):
    """A number of things. No things are not mentioned."""

    def say(self, written: object, speaker: Speaker) -> str:
        return super().say(written, speaker) if written else ""


class Flag(Number):
    """A yes (1) or a no (0). A no is not mentioned."""

    def __init__(self) -> None:
        super().__init__(0, 1)

    def say(self, written: object, speaker: Speaker) -> str:
        return speaker.word("yes") if written else ""


class SeatNumber(Number):
    """A seat, for a given number of seats."""

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
            raise Malformed(f"expected one of {', '.join(self.names)}, found {quoted(written)}")
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
            raise Malformed(f"expected a rising list without repetition, found {quoted(written)}")
        return sum(1 << member for member in members)

    def say(self, written: object, speaker: Speaker) -> str:
        return speaker.listed([self.kind.say(member, speaker) for member in read_list(written)])


@dataclass(frozen=True)
class BySeat:
    """A value of another kind for each seat, in lanes of `bits` bits."""

    kind: Kind
    seats: int
    bits: int
    form: str = "by-seat"
    """The template that says one of them."""

    def write(self, value: int | str) -> object:
        mask = (1 << self.bits) - 1
        lanes = [int(value) >> seat * self.bits & mask for seat in range(self.seats)]
        return [self.kind.write(lane) for lane in lanes]

    def read(self, written: object) -> int:
        values = read_list(written)
        if len(values) != self.seats:
            raise Malformed(
                f"expected a list of {self.seats}, one per seat, found {quoted(written)}"
            )
        lanes = [int(self.kind.read(value)) for value in values]
        return sum(lane << seat * self.bits for seat, lane in enumerate(lanes))

    def say(self, written: object, speaker: Speaker) -> str:
        said = [self.kind.say(value, speaker) for value in read_list(written)]
        return speaker.listed(
            [
                speaker.form(self.form, seat=self.owner(seat, speaker), said=text)
                for seat, text in enumerate(said)
                if text
            ]
        )

    def owner(self, seat: int, speaker: Speaker) -> str:
        return speaker.seat(seat)


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
    """Return a text that may be shown anywhere: one short line of visible characters."""
    if not isinstance(text, str):
        raise Malformed(f"{what}: expected a text, found {quoted(text)}")
    if not 1 <= len(text) <= most or text != text.strip():
        raise Malformed(
            f"{what}: expected 1 to {most} characters without outer spaces, found {quoted(text)}"
        )
    odd = odd_in(text)
    if odd is not None:
        raise Malformed(f"{what}: expected plain text, found the character {quoted(odd)}")
    return text


def odd_in(text: str) -> str | None:
    """Return the first control or invisible character, if any. The Japanese space is allowed."""
    return next(
        (one for one in text if unicodedata.category(one)[0] in "CZ" and one not in SPACES), None
    )


def is_visible(text: str, kinds: str) -> bool:
    """Return True if a visible character has one of these Unicode categories (L, N, S …)."""
    return any(unicodedata.category(one)[0] in kinds and one not in BLANKS for one in text)


def shown_name(name: object, most: int) -> str:
    """Return a name that can be shown: plain text with a visible character."""
    text = typed_text(name, "name", most)
    if not is_visible(text, "LNS"):
        raise Malformed(f"name: expected a letter, a digit or a symbol, found {quoted(text)}")
    return text


def typed_text(text: object, what: str, most: int) -> str:
    """Return a plain text that a person wrote for others. No letter has too many accents."""
    plain = plain_text(text, what, most)
    marks = "".join("M" if unicodedata.category(one)[0] == "M" else " " for one in plain)
    if "M" * (MAX_MARKS + 1) in marks:
        raise Malformed(f"{what}: expected at most {MAX_MARKS} accents per letter, found more")
    return plain


def read_list(written: object) -> list[object]:
    if not isinstance(written, list):
        raise Malformed(f"expected a list, found {quoted(written)}")
    return written


Signature = Mapping[str, Kind]
"""The arguments of one fact, in order."""


@dataclass(frozen=True)
class Vocabulary:
    """The signatures of every fact of a game, by the kind of part that has the fact."""

    public: Mapping[str, Signature]
    own: Mapping[str, Signature]
    hidden: Mapping[str, Signature]
    quiet: frozenset[str] = frozenset()
    """Facts that another fact tells as well or sums up. A short log leaves them out."""
    retold: Mapping[str, Mapping[str, Sayable]] = field(default_factory=dict)
    """Sentences of a short log that stand for several facts, with their arguments."""
    retell: "Callable[[Iterable[Fact]], Iterable[Fact]] | None" = None
    """Replaces facts by retold ones; None: the game has none."""

    def signature(self, audience: Audience, fact: str) -> Signature:
        if audience == "all":
            facts = self.public
        elif audience == "none":
            facts = self.hidden
        else:
            facts = self.own
        if fact not in facts:
            known = ", ".join(facts) or "no facts"
            raise Malformed(f"expected one of {known} to {quoted(audience)}, found {quoted(fact)}")
        return facts[fact]

    def sayable(self, fact: "Fact") -> Mapping[str, Sayable]:
        """Return the arguments of a fact that a match or a short log tells."""
        return self.retold.get(fact.name) or self.signature(fact.audience, fact.name)

    def story(self, facts: "Iterable[Fact]") -> "list[Fact]":
        """Return the facts of a short log, in which nothing is said twice."""
        told = facts if self.retell is None else self.retell(facts)
        return [fact for fact in told if fact.name not in self.quiet]

    def written(
        self, audience: Audience, fact: str, values: Sequence[int | str]
    ) -> dict[str, object]:
        """Return the arguments of a fact in their JSON form."""
        pairs = zip(self.signature(audience, fact).items(), values, strict=True)
        return {argument: kind.write(value) for (argument, kind), value in pairs}

    def every_fact(self) -> dict[str, Signature]:
        return {**self.public, **self.own, **self.hidden}


@dataclass(frozen=True)
class Fact:
    """An event of a match, its audience, and the action that caused it."""

    audience: Audience
    name: str
    arguments: Mapping[str, object]
    act: int = 0
    """The number of the action that caused it; 0 while setting up."""
    seat: int | None = None
    action: str | None = None
