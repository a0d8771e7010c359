"""A store in one SQLite file: the SQL of each method of the protocol."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from zashiki.server.store.coordination import Coordination, SingleNode
from zashiki.server.store.errors import Conflict, Missing, Overtaken, Taken
from zashiki.server.store.group_commit import MAX_WAITING
from zashiki.server.store.queries import Queries
from zashiki.server.store.rows import (
    CardSetRow,
    ChatRow,
    EntryRow,
    MatchRow,
    PlayerRow,
    RatingRow,
    ReportRow,
    TableRow,
    check_first,
    check_over,
    check_same,
)
from zashiki.server.store.sql import (
    CARD_SETS,
    CHAT,
    ENTRIES,
    MATCHES,
    PLAYERS,
    RATINGS,
    REPORTS,
    TABLES,
)
from zashiki.server.store.sqlite.connections import SqliteDatabase, execute


class SqliteStore(SqliteDatabase, Queries):
    """A `Store`, bound to the event loop in which it was opened."""

    def __init__(self, path: Path, max_waiting: int = MAX_WAITING) -> None:
        super().__init__(path, max_waiting)
        self.coordination: Coordination = SingleNode(self._versions)

    async def _versions(
        self, matches: Iterable[str], tables: Iterable[str]
    ) -> tuple[Mapping[str, int], Mapping[str, int]]:
        queries = [
            (list(matches), 'SELECT "match", max(n) FROM entries WHERE "match" = ? GROUP BY 1'),
            (list(tables), "SELECT id, version FROM tables WHERE id = ?"),
        ]

        def work(sql: sqlite3.Connection) -> list[dict[str, int]]:
            return [
                dict(row for id in ids for row in sql.execute(statement, [id]))
                for ids, statement in queries
            ]

        entries, versions = await self._read(work)
        return entries, versions

    # Players -----------------------------------------------------------------------------------

    async def add_player(self, row: PlayerRow) -> None:
        values = PLAYERS.write(row)

        def work(sql: sqlite3.Connection) -> None:
            check_login(sql, row)
            execute(sql, PLAYERS.insert, values)

        await self._write(work)

    async def change_player(self, row: PlayerRow, before: PlayerRow | None = None) -> None:
        values = PLAYERS.write_update(row)

        def work(sql: sqlite3.Connection) -> None:
            found = sql.execute(PLAYERS.by_key, [row.id]).fetchone()
            if before is not None and found is not None and PLAYERS.read(found) != before:
                raise Conflict(f"player {row.id}: changed meanwhile")
            check_login(sql, row)
            if not execute(sql, PLAYERS.update, values):
                raise Missing(f"player {row.id}: there is none to change")

        await self._write(work)

    async def set_muted(self, player: str, other: str, muted: bool) -> None:
        statement = (
            "INSERT INTO mutes (player, other) VALUES (?, ?) ON CONFLICT DO NOTHING"
            if muted
            else "DELETE FROM mutes WHERE player = ? AND other = ?"
        )
        await self._write(lambda sql: execute(sql, statement, [player, other]))

    async def muted(self, player: str) -> set[str]:
        statement = "SELECT other FROM mutes WHERE player = ?"
        return await self._read_in_loop(
            lambda sql: {other for (other,) in sql.execute(statement, [player])}
        )

    # Tables ------------------------------------------------------------------------------------

    async def add_table(self, row: TableRow) -> None:
        await self._add(TABLES, row)

    async def change_table(self, row: TableRow) -> None:
        values = TABLES.write_update(row)
        await self._write(lambda sql: replace_table(sql, row, values))

    async def close_idle(self, before: float) -> int:
        statement = (
            "UPDATE tables SET state = 'closed', version = version + 1 "
            "WHERE state = 'open' AND updated < ?"
        )
        return await self._write(lambda sql: execute(sql, statement, [before]))

    async def add_chat(self, row: ChatRow) -> None:
        await self._add(CHAT, row)

    # Matches -----------------------------------------------------------------------------------

    async def begin_match(self, row: MatchRow, first: EntryRow, table: TableRow) -> None:
        check_same(row, first, table)
        check_first(first)
        match, entry, change = MATCHES.write(row), ENTRIES.write(first), TABLES.write_update(table)

        def work(sql: sqlite3.Connection) -> None:
            execute(sql, MATCHES.insert, match)
            seat_players(sql, row)
            execute(sql, ENTRIES.insert, entry)
            replace_table(sql, table, change)

        await self._write(work)

    async def append(self, entry: EntryRow) -> None:
        await self._add(ENTRIES, entry)

    async def finish(
        self, entry: EntryRow, match: MatchRow, ratings: Sequence[RatingRow], table: TableRow
    ) -> None:
        check_same(match, entry, table)
        check_over(match)
        values, change = ENTRIES.write(entry), TABLES.write_update(table)
        last = MATCHES.write_update(match)

        def work(sql: sqlite3.Connection) -> None:
            execute(sql, ENTRIES.insert, values)
            if not execute(sql, f"{MATCHES.update} AND ended IS NULL", last):
                raise Conflict(f"match {match.id}: it is over")
            seat_players(sql, match)
            for rating in ratings:
                rate(sql, rating)
            replace_table(sql, table, change)

        await self._write(work)

    # Card sets and reports ---------------------------------------------------------------------

    async def add_card_set(self, row: CardSetRow) -> None:
        await self._add(CARD_SETS, row)

    async def change_card_set(self, row: CardSetRow) -> None:
        values = CARD_SETS.write_update(row)

        def work(sql: sqlite3.Connection) -> None:
            if not execute(sql, CARD_SETS.update, values):
                raise Missing(f"card set {row.id}: there is none to change")

        await self._write(work)

    async def delete_card_set(self, id: str) -> None:
        await self._write(lambda sql: execute(sql, "DELETE FROM card_sets WHERE id = ?", [id]))

    async def add_report(self, row: ReportRow) -> None:
        await self._add(REPORTS, row)


# In a transaction ------------------------------------------------------------------------------


def check_login(sql: sqlite3.Connection, row: PlayerRow) -> None:
    """`Taken` if another player has the login."""
    found = sql.execute("SELECT 1 FROM players WHERE login = ? AND id <> ?", [row.login, row.id])
    if found.fetchone() is not None:
        raise Taken(f"login {row.login!r}: another player has it")


def replace_table(sql: sqlite3.Connection, row: TableRow, values: Sequence[object]) -> None:
    """Update a table; `Conflict` unless the version before is stored."""
    if not execute(sql, f"{TABLES.update} AND version = ?", [*values, row.version - 1]):
        raise Conflict(
            f"table {row.id}: expected version {row.version - 1}, which was replaced: read it again"
        )


def seat_players(sql: sqlite3.Connection, match: MatchRow) -> None:
    """Index a match by its players."""
    players = {player for player in match.players if player is not None}
    sql.executemany(
        'INSERT INTO sittings (player, started, "match") VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
        [(player, match.started, match.id) for player in sorted(players)],
    )


def rate(sql: sqlite3.Connection, row: RatingRow) -> None:
    """Replace the rating that counts one match less."""
    if row.matches == 1:
        done = execute(sql, RATINGS.add, RATINGS.write(row))
    else:
        values = [*RATINGS.write_update(row), row.matches - 1]
        done = execute(sql, f"{RATINGS.update} AND matches = ?", values)
    if not done:
        raise Overtaken(f"player {row.player}: another match has ended meanwhile")
