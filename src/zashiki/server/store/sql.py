"""Between rows and the columns of SQL: a field a column, and what is JSON as text.

Statements are written with a `?` for each value, as SQLite takes them; see `numbered`.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Generic, TypeVar, get_args, get_origin

from msgspec import Struct, json
from msgspec.structs import FieldInfo, astuple, fields

from zashiki.server.store.rows import (
    CardSetRow,
    ChatRow,
    EntryRow,
    MatchRow,
    PlayerRow,
    RatingRow,
    ReportRow,
    TableRow,
)

Row = TypeVar("Row", bound=Struct)


class Columns(Generic[Row]):
    """The SQL table of one kind of row, and the statements that every table needs."""

    def __init__(self, kind: type[Row], table: str, keys: Sequence[str]) -> None:
        known = fields(kind)
        names = [field.name for field in known]
        self.kind = kind
        self.names = names
        self.keys = [names.index(key) for key in keys]
        self.json = [is_json(field) for field in known]
        self.readers = [reader_of(field) for field in known]
        quoted = [f'"{name}"' for name in names]  # table and match are words of SQL
        marks = ", ".join("?" * len(names))
        here = " AND ".join(f'"{key}" = ?' for key in keys)
        # A key does not change. If it were named, SQLite would look at every row that refers to it,
        # and where there is no index, at every row there is.
        sets = ", ".join(f'"{name}" = ?' for name in names if name not in keys)
        self.select = f"SELECT {', '.join(f'{table}.{name}' for name in quoted)} FROM {table}"
        self.insert = f"INSERT INTO {table} ({', '.join(quoted)}) VALUES ({marks})"
        self.add = f"{self.insert} ON CONFLICT DO NOTHING"
        self.update = f"UPDATE {table} SET {sets} WHERE {here}"
        self.by_key = f"{self.select} WHERE {here}"

    def write(self, row: Row) -> list[Any]:
        """The row as it is now, whatever happens to its lists afterwards."""
        return [
            json.encode(value).decode() if as_json and value is not None else value
            for value, as_json in zip(self.plain(row), self.json, strict=True)
        ]

    def write_update(self, row: Row) -> list[Any]:
        """What `update` asks for."""
        values = self.write(row)
        others = [value for place, value in enumerate(values) if place not in self.keys]
        return [*others, *(values[key] for key in self.keys)]

    def plain(self, row: Row) -> tuple[Any, ...]:
        return astuple(row)

    def read(self, values: Sequence[Any]) -> Row:
        return self.kind(
            *(
                value if value is None or read is None else read(value)
                for value, read in zip(values, self.readers, strict=True)
            )
        )


@cache
def numbered(statement: str) -> str:
    """With $1, $2 … instead of `?`, as PostgreSQL takes it. No statement has a `?` of its own."""
    first, *rest = statement.split("?")
    return first + "".join(f"${number}{part}" for number, part in enumerate(rest, 1))


def is_json(field: FieldInfo) -> bool:
    """Whether it is a dict or a list, or may be one."""
    kinds = (field.type, *get_args(field.type))
    return any(get_origin(kind) in (dict, list) for kind in kinds)


def reader_of(field: FieldInfo) -> Callable[[Any], Any] | None:
    """What makes the value out of the column, unless it is the value."""
    if is_json(field):
        return json.Decoder(field.type).decode
    return bool if field.type is bool else None


PLAYERS = Columns(PlayerRow, "players", ["id"])
TABLES = Columns(TableRow, "tables", ["id"])
MATCHES = Columns(MatchRow, "matches", ["id"])
ENTRIES = Columns(EntryRow, "entries", ["match", "n"])
CHAT = Columns(ChatRow, "chat", ["table", "n"])
CARD_SETS = Columns(CardSetRow, "card_sets", ["id"])
RATINGS = Columns(RatingRow, "ratings", ["player", "game", "seats"])
REPORTS = Columns(ReportRow, "reports", ["id"])
