"""Map rows to SQL columns: one column per field, with dicts and lists as JSON text.

Statements have a `?` for each value, as in SQLite; `numbered` converts them for PostgreSQL.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Generic, TypeVar, get_args, get_origin

from msgspec import Struct, json
from msgspec.structs import FieldInfo, astuple, fields

from zashiki.server.store import rows

Row = TypeVar("Row", bound=Struct)


class Columns(Generic[Row]):
    """The SQL table of a row type, and the statements that every table needs."""

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
        # A key does not change. If an UPDATE named it, SQLite would look for rows that refer to it,
        # with a full scan if there is no index.
        sets = ", ".join(f'"{name}" = ?' for name in names if name not in keys)
        self.select = f"SELECT {', '.join(f'{table}.{name}' for name in quoted)} FROM {table}"
        self.insert = f"INSERT INTO {table} ({', '.join(quoted)}) VALUES ({marks})"
        self.add = f"{self.insert} ON CONFLICT DO NOTHING"
        self.update = f"UPDATE {table} SET {sets} WHERE {here}"
        self.by_key = f"{self.select} WHERE {here}"
        new = ", ".join(f'"{name}" = excluded."{name}"' for name in names if name not in keys)
        quoted_keys = ", ".join(f'"{key}"' for key in keys)
        self.put = f"{self.insert} ON CONFLICT ({quoted_keys}) DO UPDATE SET {new}"

    def write(self, row: Row) -> list[Any]:
        """Return the column values of a row. Later changes of its lists do not affect them."""
        return [
            json.encode(value).decode() if as_json and value is not None else value
            for value, as_json in zip(astuple(row), self.json, strict=True)
        ]

    def write_update(self, row: Row) -> list[Any]:
        """Return the values for `update`: the columns that are not keys, then the keys."""
        values = self.write(row)
        others = [value for place, value in enumerate(values) if place not in self.keys]
        return [*others, *(values[key] for key in self.keys)]

    def read(self, values: Sequence[Any]) -> Row:
        """Build a row from column values."""
        return self.kind(
            *(
                value if value is None or read is None else read(value)
                for value, read in zip(values, self.readers, strict=True)
            )
        )


@cache
def numbered(statement: str) -> str:
    """Replace each `?` by $1, $2 … for PostgreSQL. No statement has a literal `?`."""
    first, *rest = statement.split("?")
    return first + "".join(f"${number}{part}" for number, part in enumerate(rest, 1))


def is_json(field: FieldInfo) -> bool:
    """Return whether a field is a dict or a list, or may be one."""
    kinds = (field.type, *get_args(field.type))
    return any(get_origin(kind) in (dict, list) for kind in kinds)


def reader_of(field: FieldInfo) -> Callable[[Any], Any] | None:
    """Return the function from column to value; None if both are the same."""
    if is_json(field):
        return json.Decoder(field.type).decode
    return bool if field.type is bool else None


PLAYERS = Columns(rows.PlayerRow, "players", ["id"])
TABLES = Columns(rows.TableRow, "tables", ["id"])
MATCHES = Columns(rows.MatchRow, "matches", ["id"])
ENTRIES = Columns(rows.EntryRow, "entries", ["match", "n"])
CHAT = Columns(rows.ChatRow, "chat", ["table", "n"])
CARD_SETS = Columns(rows.CardSetRow, "card_sets", ["id"])
EARLIER_RATINGS = Columns(rows.EarlierRatingRow, "ratings", ["player", "game", "seats"])
RATINGS = Columns(rows.RatingRow, "form_ratings", ["player", "game", "form", "seats", "rivals"])
REVIEWS = Columns(rows.ReviewRow, "reviews", ["match", "reviewer"])
ADDRESSES = Columns(rows.AddressRow, "addresses", ["table", "player", "hash"])
SUBSCRIPTIONS = Columns(rows.SubscriptionRow, "subscriptions", ["endpoint"])
DIGESTS = Columns(rows.DigestRow, "digests", ["player"])
REPORTS = Columns(rows.ReportRow, "reports", ["id"])
ACTS = Columns(rows.ActRow, "acts", ["id"])
ADDRESS_BANS = Columns(rows.AddressBanRow, "address_bans", ["address"])
