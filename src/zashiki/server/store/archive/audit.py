"""Check rows against each other: unique keys, journals without gaps, references that exist.

Keys are noted in a temporary SQLite database, so that millions of matches need no more memory than
ten.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from zashiki.server.store.archive.rows import ARCHIVED_TABLES, IntegrityFault, TableRowPair
from zashiki.server.store.rows import EntryRow, MatchRow

REFERENCES: dict[str, dict[str, str]] = {
    "players": {"owner": "players"},
    "mutes": {"player": "players", "other": "players"},
    "tables": {"host": "players", "match": "matches"},
    "matches": {"table": "tables"},
    "sittings": {"player": "players", "match": "matches"},
    "entries": {"match": "matches", "by": "players"},
    "chat": {"table": "tables", "player": "players"},
    "card_sets": {"owner": "players"},
    "ratings": {"player": "players"},
    "form_ratings": {"player": "players"},
    "reports": {"by": "players", "table": "tables", "match": "matches"},
    "acts": {"player": "players", "table": "tables", "report": "reports"},
    "address_bans": {"player": "players"},
}
"""The columns of each table that refer to another table, and which one."""
REFERENCED = {"players", "tables", "matches", "reports"}
FIRST_ENTRIES = "first entries"
"""A table in the notes: each match refers to its entry 0."""
MAX_RECENT = 1000
NOTES = """
CREATE TABLE there (kind TEXT, id TEXT, PRIMARY KEY (kind, id)) WITHOUT ROWID;
CREATE TABLE named (kind TEXT, id TEXT, by TEXT, PRIMARY KEY (kind, id)) WITHOUT ROWID;
BEGIN;
"""
ABSENT = """
SELECT kind, id, by FROM named
WHERE NOT EXISTS (SELECT 1 FROM there WHERE there.kind = named.kind AND there.id = named.id)
LIMIT 1
"""


def audited(rows: Iterator[TableRowPair], where: str) -> Iterator[TableRowPair]:
    """Yield the same rows; `IntegrityFault` at the first contradiction, or after the last row."""
    with closing(sqlite3.connect("", isolation_level=None)) as notes:
        audit = Audit(notes, where)
        for table, row in rows:
            audit.see(table, row)
            yield table, row
        audit.conclude()


class Audit:
    """The check of rows that come in the order of an archive."""

    def __init__(self, notes: sqlite3.Connection, where: str) -> None:
        self._where = where
        self._notes = notes
        self._notes.executescript(NOTES)
        self._table = ""
        self._key: list[Any] = []
        self._recent: set[tuple[str, str]] = set()
        """Some references that were noted already."""

    def see(self, table: str, row: Struct) -> None:
        """Check a row and note its references."""
        key = self._check_key(table, row)
        if isinstance(row, EntryRow):
            self._check_next(row)
        self._table, self._key = table, key
        if table in REFERENCED:
            self._note("there", table, key[0])
        for column, kind in REFERENCES[table].items():
            self._name(kind, getattr(row, column), table, key)
        if isinstance(row, MatchRow):
            self._name(FIRST_ENTRIES, row.id, table, key)
            for player in row.players:
                self._name("players", player, table, key)

    def conclude(self) -> None:
        """`IntegrityFault` if a row that was referred to does not exist."""
        for kind, id, by in self._notes.execute(ABSENT):
            raise self._fault(f"{by}: of the {kind} it names {id!r}, and that is not there")

    def _fault(self, text: str) -> IntegrityFault:
        return IntegrityFault(f"{self._where}: {text}")

    def _check_key(self, table: str, row: Struct) -> list[Any]:
        columns = ARCHIVED_TABLES[table]
        values = astuple(row)
        key = [values[place] for place in columns.keys]
        if table == self._table and key <= self._key:
            raise self._fault(f"{shown(table, key)}: it is there twice, or in the wrong place")
        return key

    def _check_next(self, entry: EntryRow) -> None:
        is_same = self._table == "entries" and self._key[0] == entry.match
        following = self._key[1] + 1 if is_same else 0
        if entry.n != following:
            raise self._fault(f"match {entry.match}: entry {following} is missing from its log")
        if entry.n == 0:
            self._note("there", FIRST_ENTRIES, entry.match)

    def _name(self, kind: str, id: str | None, table: str, key: list[Any]) -> None:
        if id is None or (kind, id) in self._recent:
            return
        self._note("named", kind, id, shown(table, key))
        if len(self._recent) >= MAX_RECENT:
            self._recent.clear()
        self._recent.add((kind, id))

    def _note(self, notes: str, *values: str) -> None:
        marks = ", ".join("?" * len(values))
        try:
            self._notes.execute(f"INSERT OR IGNORE INTO {notes} VALUES ({marks})", values)
        except sqlite3.Error as fault:
            raise self._fault(f"notes for its check cannot be kept: {fault}") from fault


def shown(table: str, key: list[Any]) -> str:
    return f"{table} {' '.join(map(str, key))}"
