"""The table of any game on the console, drawn from a view.

It knows no game. Lists with one entry per seat become the columns of a table, small values the
headline, all else one line per key. Keys that only this seat sees come last.
"""

from collections.abc import Iterable, Mapping

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from zashiki.cli.terminal.fact_printer import seat_name
from zashiki.cli.terminal.tables import fold_cells, make_table, print_table
from zashiki.cli.terminal.wording import TerminalWording
from zashiki.core.facts import SeatNumber, SetOf
from zashiki.core.match import Match

SHOWN_ELSEWHERE = {"seat", "seats", "turn", "to_act", "options"}
SCORES = ("scores", "score", "points")
SEATS = {"seat", "winner"}
"""Keys of a view that hold a seat in every game."""
SPOKEN = {"threats"}
"""Keys of a view that hold what players said, by seat."""


class Board:
    """Shows what a seat knows of a match, or for None what everybody knows."""

    def __init__(self, wording: TerminalWording, match: Match, seat: int | None) -> None:
        self.wording = wording
        self.match = match
        self.seat = seat
        signatures = match.vocabulary.every_fact().values()
        kinds = [pair for signature in signatures for pair in signature.items()]
        self.seat_keys = {name for name, kind in kinds if isinstance(kind, SeatNumber)} | SEATS
        self.seat_set_keys = {
            name
            for name, kind in kinds
            if isinstance(kind, SetOf) and isinstance(kind.kind, SeatNumber)
        } | self.keys_of_seat_facts()
        self.set_keys = {name for name, kind in kinds if isinstance(kind, SetOf)}
        self.set_keys |= self.seat_set_keys
        self.columns = self.seat_columns(match.view(None))

    def keys_of_seat_facts(self) -> set[str]:
        """Find keys that list seats: `has_chosen` and `went_out`, which tell a seat, fill them."""
        facts = self.match.vocabulary.every_fact().items()
        return {
            name.removeprefix("has_").removeprefix("went_")
            for name, signature in facts
            if [type(kind) for kind in signature.values()] == [SeatNumber]
        }

    # Layout ------------------------------------------------------------------------------------

    def seat_columns(self, public: Mapping[str, object]) -> list[str]:
        """Find the keys with one entry per seat, scores first.

        A set of cards may have as many entries as there are seats; it is not a column.
        """
        keys = [key for key, value in public.items() if self.has_entry_per_seat(value)]
        keys = [key for key in keys if not self.is_set(key, public[key])]
        keys = [key for key in keys if not is_deep(public[key])]
        return sorted(keys, key=lambda key: key not in SCORES)

    def is_set(self, key: str, value: object) -> bool:
        """Return True if the facts call it one set, and it is not one set per seat."""
        return key in self.set_keys and not any(isinstance(item, list) for item in as_list(value))

    def has_entry_per_seat(self, value: object) -> bool:
        return isinstance(value, list) and len(value) == self.match.seats

    # Printing ----------------------------------------------------------------------------------

    def print_to(self, console: Console, match: Match) -> None:
        """Print the table as it is in this match now."""
        self.match = match
        public = match.view(None)
        view = match.view(self.seat)
        still = self.seat_columns(public)
        self.columns = [key for key in self.columns if key in still]
        console.print(self.headline(public))
        self.print_options(console)
        self.print_seats(console, public)
        for key in public:
            if key not in self.columns and key not in SHOWN_ELSEWHERE:
                self.print_line(console, key, view[key])
        for key in view:
            if key not in public and key not in SHOWN_ELSEWHERE:
                self.print_line(console, key, view[key], is_own=True)

    def headline(self, public: Mapping[str, object]) -> Text:
        """Write the title of the game and each small value that everybody knows, but no zeros."""
        said = [self.wording.title()]
        for key, value in public.items():
            if key in SHOWN_ELSEWHERE or key in self.match.spec.options:
                continue
            if value is True:
                said.append(self.wording.label(key))
            elif isinstance(value, (int, str)) and (value or self.is_seat_key(key)):
                said.append(self.headed(key, value))
        return Text(" · ".join(said), style="title")

    def headed(self, key: str, value: int | str) -> str:
        """Name a small value: a number follows its name, a word follows a colon."""
        label, said = self.wording.label(key), self.value_text(key, value)
        is_number = isinstance(value, int) and not self.is_seat_key(key)
        return (self.wording.number if is_number else self.wording.pair)(label, said)

    def is_seat_key(self, key: str) -> bool:
        return key in self.seat_keys or key in self.seat_set_keys

    def print_options(self, console: Console) -> None:
        """Print the options of this table that differ from the default."""
        known, chosen = self.match.spec.options, self.match.options
        named = {name: option.name_of(chosen[name]) for name, option in known.items()}
        said = [
            self.wording.option(name, value)
            for name, value in named.items()
            if value != known[name].default_for(self.match.seats)
        ]
        if said:
            console.print(Text(" · ".join(said), style="usuzumi"))

    def print_seats(self, console: Console, public: Mapping[str, object]) -> None:
        """Print one row per seat, with an arrow for each seat that is to act."""
        columns = ["", self.wording.say("seat"), *map(self.wording.label, self.columns)]
        rows: list[list[str | Text]] = []
        for seat in range(self.match.seats):
            arrow = "▶" if seat in self.match.to_act else ""
            cells = [self.value_text(key, as_list(public[key])[seat]) for key in self.columns]
            rows.append([arrow, seat_name(self.wording, seat, self.seat), *cells])
        made = fold_cells(make_table(columns, rows))
        # Names stay whole if they leave room for the rest.
        longest = max(cell_len(str(row[1])) for row in rows)
        made.columns[1].no_wrap = longest <= console.width // 3
        print_table(console, made)

    def print_line(self, console: Console, key: str, value: object, is_own: bool = False) -> None:
        """Print a collection in one line; nothing if it is empty or too deep."""
        if value is None or (isinstance(value, (int, str)) and not is_own):
            return
        said = self.collection_text(key, value)
        if said:
            label = self.wording.pair(self.wording.label(key), "")
            line = Text(label, style="bold kin" if is_own else "usuzumi")
            console.print(line.append(said, style="bold" if is_own else "none"))

    # Words for values --------------------------------------------------------------------------

    def collection_text(self, key: str, value: object) -> str:
        """Put a value of any kind into words."""
        if isinstance(value, Mapping):
            return " · ".join(self.members(key, value))
        if isinstance(value, list) and self.has_entry_per_seat(value):
            if are_rows(value):
                return " · ".join(self.numbered(value))
            if key in self.seat_set_keys and are_things(value):
                return " · ".join(self.members(key, by_seat(value)))
        if isinstance(value, list) and value and isinstance(value[0], Mapping):
            if any(isinstance(field, (list, Mapping)) for item in value for field in item.values()):
                return ""
            return " · ".join(self.fields_text(item) for item in value)
        return self.value_text(key, value)

    def numbered(self, rows: list[list[Mapping[str, object]]]) -> Iterable[str]:
        """Put the things of each seat into words, numbered from 1."""
        for seat, things in enumerate(rows):
            for number, fields in enumerate(things, 1):
                owner = f"{self.wording.seat(seat)} {number}"
                yield self.wording.pair(owner, self.fields_text(fields))

    def members(self, key: str, value: Mapping[str, object]) -> Iterable[str]:
        """Put each member of a mapping into words, with its name or that of its owner."""
        has_places = all(item is None or isinstance(item, Mapping) for item in value.values())
        for name, item in value.items():
            if key in SPOKEN:
                yield self.wording.pair(self.owner(name), self.wording.quote(item))
            elif item is True or (item is None and self.is_seat(name)):
                yield self.owner(name)
            elif has_places or self.is_seat(name) or not (is_empty(item) or are_things(item)):
                yield self.wording.pair(self.owner(name), self.member_text(name, item))

    def owner(self, name: str) -> str:
        return self.wording.seat(int(name)) if self.is_seat(name) else self.wording.label(name)

    def is_seat(self, name: str) -> bool:
        return name.isdecimal() and int(name) < self.match.seats

    def member_text(self, name: str, value: object) -> str:
        """Put a member of a mapping into words. Only what belongs to a seat can be hidden."""
        if value in (None, []) and not self.is_seat(name):
            return "–"
        return self.value_text(name, value)

    def fields_text(self, fields: Mapping[str, object]) -> str:
        """Put a thing on the table into words: its seat first, or each field with its name."""
        if "seat" in fields:
            owner = self.value_text("seat", fields["seat"])
            things = {key: x for key, x in fields.items() if key != "seat" and x is not False}
            said = [self.value_text(key, x) for key, x in things.items()]
            if len(said) == 1:
                return self.wording.say("owned", owner=owner, thing=said[0])
            return self.wording.pair(owner, self.wording.texts.listed(said))
        parts = {
            key: x for key, x in fields.items() if x not in (None, [], 0) or self.is_seat_key(key)
        }
        said = [
            self.wording.label(key)
            if x is True
            else f"{self.wording.label(key)} {self.value_text(key, x)}"
            for key, x in parts.items()
        ]
        return self.wording.texts.listed(said) or "–"

    def value_text(self, key: str, value: object) -> str:
        """Put a small value into words. None is something hidden."""
        if value is None:
            return self.wording.say("hidden")
        if value is True or value is False:
            return self.wording.label(key) if value else "–"
        if isinstance(value, Mapping):
            return self.fields_text(value)
        if isinstance(value, list):
            if all(isinstance(item, str) for item in value):
                return self.wording.texts.listed(self.wording.texts.tallied(value))
            return self.wording.texts.listed([self.value_text(key, item) for item in value])
        if isinstance(value, int) and self.is_seat_key(key):
            return self.wording.seat(value)
        return (isinstance(value, str) and self.wording.tally(value)) or self.wording.word(value)


def by_seat(value: list[object]) -> dict[str, object]:
    """Return the entries of the seats that have one, by the number of the seat."""
    return {str(seat): item for seat, item in enumerate(value) if item is not None}


def is_empty(value: object) -> bool:
    """Return True for nothing. A zero is a number."""
    return value is None or value is False or value == []


def are_things(value: object) -> bool:
    """Return True for a list of things with fields, such as the lines of a battle."""
    return isinstance(value, list) and any(isinstance(item, Mapping) for item in value)


def are_rows(value: list[object]) -> bool:
    """Return True for a list of things with fields per seat."""
    return bool(value) and all(are_things(item) for item in value)


def as_list(value: object) -> list[object]:
    assert isinstance(value, list)
    return value


def is_deep(value: object) -> bool:
    """Return True if a value has too much structure for a cell, such as a whole history."""
    items: Iterable[object] = value if isinstance(value, list) else []
    return any(
        isinstance(inner, (list, Mapping))
        for item in items
        for inner in (item if isinstance(item, list) else field_values(item))
    )


def field_values(item: object) -> list[object]:
    """Return the fields of a mapping that are not empty; a list stands for its first entry."""
    if not isinstance(item, Mapping):
        return []
    return [x[0] if isinstance(x, list) and x else x for x in item.values() if x != []]
