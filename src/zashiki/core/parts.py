# mypyc: compile
"""The three kinds of parts a state is made of, and the journal in which their facts are written.

A fact is a method of a part, named in the past tense, and the only thing that changes it. Its
audience is the kind of part it lives on: `Public` everybody, `Own` one seat, `Hidden` nobody.
"""

from typing import Any, Final, Generic, Literal, NewType, TypeVar

from mypy_extensions import i64, mypyc_attr

Seat = NewType("Seat", i64)
"""A chair at the table, from 0, clockwise."""

Seats = NewType("Seats", i64)
"""A set of seats, as bits: seat s is in it when bit s is set."""

NO_SEATS: Final = Seats(0)

Audience = int | Literal["all", "none"]
"""Who is told a fact: everybody, nobody, or the seat of that number."""

Entry = tuple[Audience, str, tuple[Any, ...], int]
"""Audience, fact, arguments (integers, often packed, and texts), number of the action."""


def bit(place: i64) -> i64:
    """1 << place, for places 0 to 61.

    Compiled, a literal 1 is a C int and loses what is shifted beyond its 32 bits.
    """
    highest: i64 = 1 << 61
    return highest >> 61 - place


def next_of(seats: Seats, after: Seat) -> Seats:
    """The first of these seats clockwise after that one, as a set of one; none of none."""
    above = seats >> after + 1 << after + 1
    found = above if above else seats
    return Seats(found & -found)


def only(seats: Seats) -> Seat:
    """The seat in a set of one."""
    seat: i64 = 0
    while seats >> seat > 1:
        seat += 1
    return Seat(seat)


@mypyc_attr(allow_interpreted_subclasses=True)
class Journal:
    """Writes down each fact as it happens, and which action was its cause."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.actions: list[tuple[int, str]] = []

    def caused(self, seat: int, action: str) -> None:
        """What is written from here on was caused by this action of this seat."""
        self.actions.append((seat, action))

    def write(self, audience: Audience, fact: str, arguments: tuple[Any, ...]) -> None:
        self.entries.append((audience, fact, arguments, len(self.actions)))


@mypyc_attr(allow_interpreted_subclasses=True)
class Part:
    """A piece of the state with one audience. Each fact begins with

        if self.journal is not None:
            self.tell("placed", (seat, area))

    so that a match writes it down and a playout pays a branch.
    """

    def __init__(self) -> None:
        self.journal: Journal | None = None

    def audience(self) -> Audience:
        raise NotImplementedError

    def tell(self, fact: str, arguments: tuple[Any, ...]) -> None:
        journal = self.journal
        if journal is not None:
            journal.write(self.audience(), fact, arguments)


@mypyc_attr(allow_interpreted_subclasses=True)
class Public(Part):
    """What everybody knows."""

    def audience(self) -> Audience:
        return "all"

    def said(self, seat: Seat, words: str) -> None:
        """Somebody spoke with an action. A game in which words stay on the table keeps them."""
        if self.journal is not None:
            self.tell("said", (seat, words))


@mypyc_attr(allow_interpreted_subclasses=True)
class Own(Part):
    """What one seat knows and the others do not."""

    def __init__(self, seat: Seat) -> None:
        super().__init__()
        self.seat = seat

    def audience(self) -> Audience:
        return int(self.seat)


@mypyc_attr(allow_interpreted_subclasses=True)
class Hidden(Part):
    """What nobody knows. A game without such a thing uses this class as it is."""

    def audience(self) -> Audience:
        return "none"


P = TypeVar("P", bound=Public)
O = TypeVar("O", bound=Own)  # noqa: E741
H = TypeVar("H", bound=Hidden)


@mypyc_attr(allow_interpreted_subclasses=True)
class View(Generic[P, O]):
    """What one seat knows: a selection of live parts, no copy. A spectator's is `public` alone."""

    def __init__(self, public: P, own: O) -> None:
        self.public: Final = public
        self.own: Final = own
        self.seat: Final = own.seat


@mypyc_attr(allow_interpreted_subclasses=True)
class State(Generic[P, O, H]):
    """The truth. The views of its seats are made once, because they only point at its parts."""

    def __init__(self, public: P, own: list[O], hidden: H) -> None:
        self.public: Final = public
        self.own: Final = own
        self.hidden: Final = hidden
        self.views: Final = [View(public, part) for part in own]

    def keep_journal(self, journal: Journal | None) -> None:
        """From now on every fact of every part is written there (None: nowhere)."""
        self.public.journal = journal
        self.hidden.journal = journal
        for part in self.own:
            part.journal = journal
