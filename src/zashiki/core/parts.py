# mypyc: compile
"""The three kinds of parts of a state, and the journal in which their facts are written.

A fact is a method of a part, named in the past tense, and the only thing that changes it. Its
audience is the kind of its part: `Public` everybody, `Own` one seat, `Hidden` nobody.
"""

from typing import Any, Final, Generic, Literal, NewType, TypeVar, cast

from mypy_extensions import i64, mypyc_attr

Seat = NewType("Seat", i64)
"""The number of a seat, from 0, clockwise."""

Seats = NewType("Seats", i64)
"""A set of seats, as bits: seat s is in it when bit s is set."""

NO_SEATS: Final = Seats(0)

Audience = int | Literal["all", "none"]
"""The readers of a fact: everybody, nobody, or the seat of that number."""

Entry = tuple[Audience, str, tuple[Any, ...], int]
"""Audience, fact, arguments (integers, often packed, and texts), number of the action."""


def bit(place: i64) -> i64:
    """Return 1 << place, for places 0 to 61.

    Compiled, a literal 1 is a C int and loses what is shifted beyond its 32 bits.
    """
    highest: i64 = 1 << 61
    return highest >> 61 - place


def next_of(seats: Seats, after: Seat) -> Seats:
    """Return the first of these seats clockwise after a seat, as a set; empty for no seats."""
    above = seats >> after + 1 << after + 1
    found = above if above else seats
    return Seats(found & -found)


def only(seats: Seats) -> Seat:
    """Return the seat of a set that has exactly one."""
    seat: i64 = 0
    while seats >> seat > 1:
        seat += 1
    return Seat(seat)


@mypyc_attr(allow_interpreted_subclasses=True)
class Journal:
    """The list of all facts in order, each with the action that caused it."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.actions: list[tuple[int, str]] = []

    def copy(self) -> "Journal":
        """Return a journal with the same facts and actions. It can grow by itself."""
        return self.cut(len(self.entries), len(self.actions))

    def cut(self, entries: int, actions: int) -> "Journal":
        """Return a journal with the first facts and actions of this one."""
        twin = Journal()
        twin.entries = self.entries[:entries]
        twin.actions = self.actions[:actions]
        return twin

    def caused(self, seat: int, action: str) -> None:
        """Assign the facts that follow to this action of this seat."""
        self.actions.append((seat, action))

    def write(self, audience: Audience, fact: str, arguments: tuple[Any, ...]) -> None:
        self.entries.append((audience, fact, arguments, len(self.actions)))


@mypyc_attr(allow_interpreted_subclasses=True)
class Part:
    """A piece of the state with one audience. Each method that is a fact begins with

        if self.journal is not None:
            self.tell("placed", (seat, area))

    so that a match records the fact, and a playout pays for one branch only.
    """

    def __init__(self) -> None:
        self.journal: Journal | None = None

    def audience(self) -> Audience:
        raise NotImplementedError

    def copy(self) -> "Part":
        """Return a part with equal content, without a journal, that shares nothing that changes.

        When: at any time. `State.copy` calls it for every part.
        Must not: share a list, dict or vec with the original, unless facts only replace it.
        """
        raise NotImplementedError(f"{type(self).__name__}.copy")

    def tell(self, fact: str, arguments: tuple[Any, ...]) -> None:
        journal = self.journal
        if journal is not None:
            journal.write(self.audience(), fact, arguments)


@mypyc_attr(allow_interpreted_subclasses=True)
class Public(Part):
    """The part of the state that everybody knows."""

    def audience(self) -> Audience:
        return "all"

    def said(self, seat: Seat, words: str) -> None:
        """A fact: a seat said words with its action. Extend it if words stay on the table."""
        if self.journal is not None:
            self.tell("said", (seat, words))


@mypyc_attr(allow_interpreted_subclasses=True)
class Own(Part):
    """The part of the state that one seat knows and the others do not."""

    def __init__(self, seat: Seat) -> None:
        super().__init__()
        self.seat = seat

    def audience(self) -> Audience:
        return int(self.seat)


@mypyc_attr(allow_interpreted_subclasses=True)
class Hidden(Part):
    """The part of the state that no seat knows. A game without secrets uses this class itself."""

    def audience(self) -> Audience:
        return "none"

    def copy(self) -> "Hidden":
        """Return a new part without content. A class with content implements its own."""
        if type(self) is not Hidden:
            raise NotImplementedError(f"{type(self).__name__}.copy")
        return Hidden()


P = TypeVar("P", bound=Public)
O = TypeVar("O", bound=Own)  # noqa: E741
H = TypeVar("H", bound=Hidden)


@mypyc_attr(allow_interpreted_subclasses=True)
class View(Generic[P, O]):
    """The knowledge of one seat: references to parts of the state. Spectators have `public`."""

    def __init__(self, public: P, own: O) -> None:
        self.public: Final = public
        self.own: Final = own
        self.seat: Final = own.seat


@mypyc_attr(allow_interpreted_subclasses=True)
class State(Generic[P, O, H]):
    """The full state. The views of its seats are made once, because they refer to its parts."""

    def __init__(self, public: P, own: list[O], hidden: H) -> None:
        self.public: Final = public
        self.own: Final = own
        self.hidden: Final = hidden
        self.views: Final = [View(public, part) for part in own]

    def copy(self) -> "State[P, O, H]":
        """Return an equal state without a journal, which can be played independently of this one.

        When: at any time. `Match.copy` and searches call it.
        Note: it copies every part by the part's own `copy`, so a game has nothing to add here.
        """
        own = [cast(O, part.copy()) for part in self.own]
        return State(cast(P, self.public.copy()), own, cast(H, self.hidden.copy()))

    def keep_journal(self, journal: Journal | None) -> None:
        """Write the facts of every part to this journal from now on (None: to none)."""
        self.public.journal = journal
        self.hidden.journal = journal
        for part in self.own:
            part.journal = journal
