"""A view as a person likes to see it, for any game: who has what, what lies where, what is yours.

It knows no game. Lists with an entry for each seat become the columns of a table, small values the
headline, everything else a line; what only this seat sees stands by itself.
"""

from collections.abc import Iterable, Mapping

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from zashiki.cli.terminal.console import seat_mark, seat_style, show_table, table
from zashiki.cli.terminal.fact_printer import folded
from zashiki.cli.terminal.wording import Wording
from zashiki.core.facts import SeatNumber, SetOf
from zashiki.core.match import Match

SHOWN_OTHERWISE = {"seat", "seats", "turn", "to_act", "options"}
SCORES = ("scores", "score", "points")
SPOKEN = {"threats"}
"""What was said, by seat."""


class Board:
    """Shows what a seat (or, for None, everybody) knows of a match."""

    def __init__(self, wording: Wording, match: Match, seat: int | None) -> None:
        self.wording = wording
        self.match = match
        self.seat = seat
        signatures = match.vocabulary.every_fact().values()
        kinds = [pair for signature in signatures for pair in signature.items()]
        self.seats = {name for name, kind in kinds if isinstance(kind, SeatNumber)} | {"seat"}
        self.seat_sets = {
            name
            for name, kind in kinds
            if isinstance(kind, SetOf) and isinstance(kind.kind, SeatNumber)
        } | self.told_of_seats()
        self.sets = {name for name, kind in kinds if isinstance(kind, SetOf)} | self.seat_sets
        self.columns = self.by_seat(match.view(None))

    def told_of_seats(self) -> set[str]:
        """Where a fact `has_chosen` tells a seat and no more, `chosen` in a view is the seats."""
        facts = self.match.vocabulary.every_fact().items()
        return {
            name.removeprefix("has_")
            for name, signature in facts
            if [type(kind) for kind in signature.values()] == [SeatNumber]
        }

    def by_seat(self, public: Mapping[str, object]) -> list[str]:
        """The keys with an entry for each seat, scores first. A pile can only seem to be one."""
        keys = [key for key, value in public.items() if self.fits_seats(value)]
        keys = [key for key in keys if not self.is_set(key, public[key])]
        keys = [key for key in keys if not is_deep(public[key])]
        return sorted(keys, key=lambda key: key not in SCORES)

    def is_set(self, key: str, value: object) -> bool:
        """Is it one set, by what the facts call so, and not a set for each seat?"""
        return key in self.sets and not any(isinstance(item, list) for item in as_list(value))

    def fits_seats(self, value: object) -> bool:
        return isinstance(value, list) and len(value) == self.match.seats

    def show(self, console: Console, match: Match) -> None:
        """The table as it stands."""
        self.match = match
        public = match.view(None)
        view = match.view(self.seat)
        still = self.by_seat(public)
        self.columns = [key for key in self.columns if key in still]
        console.print(self.headline(public))
        self.show_options(console)
        self.show_seats(console, public)
        for key in public:
            if key not in self.columns and key not in SHOWN_OTHERWISE:
                self.show_line(console, key, view[key])
        for key in view:
            if key not in public and key not in SHOWN_OTHERWISE:
                self.show_line(console, key, view[key], own=True)

    def headline(self, public: Mapping[str, object]) -> Text:
        said = [self.wording.title()]
        for key, value in public.items():
            if value is True:
                said.append(self.wording.key(key))
            elif (
                isinstance(value, (int, str)) and value is not False and key not in SHOWN_OTHERWISE
            ):
                said.append(f"{self.wording.key(key)} {self.one(key, value)}")
        return Text(" · ".join(said), style="title")

    def show_options(self, console: Console) -> None:
        """What this table plays otherwise than usual."""
        known, chosen = self.match.offer.options, self.match.options
        named = {name: option.name_of(chosen[name]) for name, option in known.items()}
        said = [
            self.wording.option(name, value)
            for name, value in named.items()
            if value != known[name].default_for(self.match.seats)
        ]
        if said:
            console.print(Text(" · ".join(said), style="usuzumi"))

    def show_seats(self, console: Console, public: Mapping[str, object]) -> None:
        """One row a seat; an arrow shows who is to act."""
        columns = ["", self.wording.say("seat"), *(self.wording.key(key) for key in self.columns)]
        rows: list[list[str | Text]] = []
        for seat in range(self.match.seats):
            values = [as_list(public[key])[seat] for key in self.columns]
            cells = [self.one(key, value) for key, value in zip(self.columns, values, strict=True)]
            rows.append(["▶" if seat in self.match.to_act else "", self.name(seat), *cells])
        made = folded(table(columns, rows))
        # Names stay whole where they leave room for the rest.
        longest = max(cell_len(str(row[1])) for row in rows)
        made.columns[1].no_wrap = longest <= console.width // 3
        show_table(console, made)

    def name(self, seat: int) -> Text:
        """A seat in its colour and with its shape."""
        name = Text(f"{seat_mark(seat)} {self.wording.seat(seat)}", style=seat_style(seat))
        if seat == self.seat:
            name.append(f" {self.wording.say('yours')}", style="bold")
        return name

    def show_line(self, console: Console, key: str, value: object, own: bool = False) -> None:
        """A collection in one line, or in one a member; nothing for what is empty or too deep."""
        if value is None or (isinstance(value, (int, str)) and not own):
            return
        said = self.many(key, value)
        if said:
            line = Text(f"{self.wording.key(key)}: ", style="bold kin" if own else "usuzumi")
            console.print(line.append(said, style="bold" if own else "none"))

    def many(self, key: str, value: object) -> str:
        """A value of any kind in words."""
        if isinstance(value, Mapping):
            items = value.items()
            if key in SPOKEN:
                return " · ".join(
                    f"{self.owner(name)}: {self.wording.said(x)}" for name, x in items
                )
            are_things = any(isinstance(item, Mapping) for item in value.values())
            return " · ".join(
                f"{self.owner(name)}: {self.member(name, item)}"
                for name, item in items
                if are_things or self.is_seat(name) or (item is not None and item is not False)
            )
        if isinstance(value, list) and value and isinstance(value[0], Mapping):
            if any(isinstance(field, (list, Mapping)) for item in value for field in item.values()):
                return ""
            return " · ".join(self.thing(item) for item in value)
        return self.one(key, value)

    def owner(self, name: str) -> str:
        return self.wording.seat(int(name)) if self.is_seat(name) else self.wording.key(name)

    def is_seat(self, name: str) -> bool:
        return name.isdecimal() and int(name) < self.match.seats

    def member(self, name: str, value: object) -> str:
        """What a mapping has under a name: a seat's may be hidden, and nothing else is."""
        if value in (None, []) and not self.is_seat(name):
            return "–"
        return self.one(name, value)

    def thing(self, fields: Mapping[str, object]) -> str:
        """Something that lies somewhere: whose it is, then the rest; a question mark is hidden.

        Where it is nobody's, each of its parts by its name.
        """
        if "seat" in fields:
            return " ".join(self.one(key, x) for key, x in fields.items() if x is not False)
        parts = {key: x for key, x in fields.items() if x not in (None, []) and x is not False}
        return " · ".join(f"{self.wording.key(key)} {self.one(key, x)}" for key, x in parts.items())

    def one(self, key: str, value: object) -> str:
        """A small value in words."""
        if value is None:
            return self.wording.say("hidden")
        if value is True or value is False:
            return self.wording.key(key) if value else "–"
        if isinstance(value, Mapping):
            return self.thing(value)
        if isinstance(value, list):
            return self.wording.texts.listed([self.one(key, item) for item in value])
        if isinstance(value, int) and key in self.seats | self.seat_sets:
            return self.wording.seat(value)
        return self.wording.word(value)


def as_list(value: object) -> list[object]:
    assert isinstance(value, list)
    return value


def is_deep(value: object) -> bool:
    """Too much for a cell: structures within, such as a whole history."""
    items: Iterable[object] = value if isinstance(value, list) else []
    return any(
        isinstance(inner, (list, Mapping))
        for item in items
        for inner in (item if isinstance(item, list) else parts_of(item))
    )


def parts_of(item: object) -> list[object]:
    """The parts of a mapping that say more than themselves; a list of names is one of them."""
    if not isinstance(item, Mapping):
        return []
    return [x[0] if isinstance(x, list) and x else x for x in item.values() if x != []]
