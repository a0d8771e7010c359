"""A store in one SQLite file: what each method of the protocol is in SQL."""

import sqlite3
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from zashiki.server.store.columns import (
    CARD_SETS,
    CHAT,
    ENTRIES,
    MATCHES,
    PLAYERS,
    RATINGS,
    REPORTS,
    TABLES,
)
from zashiki.server.store.database import Database, execute
from zashiki.server.store.protocol import Appended, Conflict, Missing, Taken
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


class SqliteStore(Database):
    """A `Store`. It belongs to the event loop in which it was opened."""

    # Players -----------------------------------------------------------------------------------

    async def add_player(self, row: PlayerRow) -> None:
        values = PLAYERS.write(row)

        def work(sql: sqlite3.Connection) -> None:
            check_login(sql, row)
            execute(sql, PLAYERS.insert, values)

        await self._write(work)

    async def player(self, id: str) -> PlayerRow | None:
        return await self._row(PLAYERS, id)

    async def player_by_login(self, login: str) -> PlayerRow | None:
        found = await self._rows(PLAYERS, "WHERE login = ?", login)
        return found[0] if found else None

    async def bots_of(self, owner: str) -> list[PlayerRow]:
        rest = "WHERE owner = ? AND NOT deleted ORDER BY created, id"
        return await self._rows(PLAYERS, rest, owner)

    async def change_player(self, row: PlayerRow) -> None:
        values = PLAYERS.write_update(row)

        def work(sql: sqlite3.Connection) -> None:
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
        return await self._read(
            lambda sql: {other for (other,) in sql.execute(statement, [player])}
        )

    # Tables ------------------------------------------------------------------------------------

    async def add_table(self, row: TableRow) -> None:
        await self._add(TABLES, row)

    async def table(self, id: str) -> TableRow | None:
        return await self._row(TABLES, id)

    async def change_table(self, row: TableRow) -> None:
        values = TABLES.write_update(row)
        await self._write(lambda sql: replace_table(sql, row, values))

    async def tables(
        self, state: AbstractSet[str], public: bool | None = None, limit: int = 100
    ) -> list[TableRow]:
        states = sorted(state)
        marks = ", ".join("?" * len(states))
        rest = (
            f"WHERE state IN ({marks}) AND ifnull(public = ?, 1) ORDER BY updated DESC, id LIMIT ?"
        )
        return await self._rows(TABLES, rest, *states, public, limit)

    async def close_idle(self, before: float) -> int:
        statement = (
            "UPDATE tables SET state = 'closed', version = version + 1 "
            "WHERE state = 'open' AND updated < ?"
        )
        return await self._write(lambda sql: execute(sql, statement, [before]))

    async def add_chat(self, row: ChatRow) -> None:
        await self._add(CHAT, row)

    async def chat(self, table: str, after: int = -1) -> list[ChatRow]:
        return await self._rows(CHAT, 'WHERE "table" = ? AND n > ? ORDER BY n', table, after)

    # Matches -----------------------------------------------------------------------------------

    async def begin_match(self, row: MatchRow, first: EntryRow, table: TableRow) -> None:
        check_same(row, first, table)
        match, entry, change = MATCHES.write(row), ENTRIES.write(first), TABLES.write_update(table)

        def work(sql: sqlite3.Connection) -> None:
            execute(sql, MATCHES.insert, match)
            seat_players(sql, row)
            append(sql, first, entry)
            replace_table(sql, table, change)

        await self._write(work)

    async def append(self, entry: EntryRow) -> Appended:
        values = ENTRIES.write(entry)
        return await self._write(lambda sql: append(sql, entry, values))

    async def finish(
        self, entry: EntryRow, match: MatchRow, ratings: Sequence[RatingRow], table: TableRow
    ) -> Appended:
        check_same(match, entry, table)
        if match.ended is None:
            raise ValueError(f"{match}: a match that finishes has an end")
        values, change = ENTRIES.write(entry), TABLES.write_update(table)
        last, rated = MATCHES.write_update(match), [RATINGS.write(rating) for rating in ratings]

        def work(sql: sqlite3.Connection) -> Appended:
            appended = append(sql, entry, values)
            if not appended.known:
                execute(sql, MATCHES.update, last)
                seat_players(sql, match)
                sql.executemany(RATINGS.put, rated)
                replace_table(sql, table, change)
            return appended

        return await self._write(work)

    async def match(self, id: str) -> MatchRow | None:
        return await self._row(MATCHES, id)

    async def entries(self, match: str, after: int = -1) -> list[EntryRow]:
        return await self._rows(ENTRIES, 'WHERE "match" = ? AND n > ? ORDER BY n', match, after)

    async def matches_of(
        self, player: str, limit: int = 100, before: float | None = None
    ) -> list[MatchRow]:
        rest = (
            'JOIN sittings ON sittings."match" = matches.id '
            "WHERE sittings.player = ? AND sittings.started < ? "
            'ORDER BY sittings.started DESC, sittings."match" DESC LIMIT ?'
        )
        end = float("inf") if before is None else before
        return await self._rows(MATCHES, rest, player, end, limit)

    async def unfinished(self) -> list[MatchRow]:
        return await self._rows(MATCHES, "WHERE ended IS NULL ORDER BY started, id")

    # Ratings -----------------------------------------------------------------------------------

    async def rating(self, player: str, game: str, seats: int) -> RatingRow | None:
        return await self._row(RATINGS, player, game, seats)

    async def ratings(self, player: str) -> list[RatingRow]:
        return await self._rows(RATINGS, "WHERE player = ? ORDER BY game, seats", player)

    async def leaderboard(self, game: str, seats: int, limit: int = 100) -> list[RatingRow]:
        rest = (
            "JOIN players ON players.id = ratings.player "
            "WHERE ratings.game = ? AND ratings.seats = ? AND NOT players.deleted "
            "ORDER BY ratings.mu - 3 * ratings.sigma DESC, ratings.player LIMIT ?"
        )
        return await self._rows(RATINGS, rest, game, seats, limit)

    # Card sets and reports ---------------------------------------------------------------------

    async def add_card_set(self, row: CardSetRow) -> None:
        await self._add(CARD_SETS, row)

    async def card_set(self, id: str) -> CardSetRow | None:
        return await self._row(CARD_SETS, id)

    async def card_sets(self, owner: str, limit: int = 200) -> list[CardSetRow]:
        rest = "WHERE owner = ? OR shared ORDER BY owner = ? DESC, created DESC, id LIMIT ?"
        return await self._rows(CARD_SETS, rest, owner, owner, limit)

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

    async def reports(self, limit: int = 100) -> list[ReportRow]:
        return await self._rows(REPORTS, "ORDER BY at DESC, id LIMIT ?", limit)


# In the writing thread -------------------------------------------------------------------------


def check_login(sql: sqlite3.Connection, row: PlayerRow) -> None:
    found = sql.execute("SELECT 1 FROM players WHERE login = ? AND id <> ?", [row.login, row.id])
    if found.fetchone() is not None:
        raise Taken(f"login {row.login!r}: another player has it")


def check_same(match: MatchRow, entry: EntryRow, table: TableRow) -> None:
    if entry.match != match.id or table.id != match.table:
        raise ValueError(f"{match}: entry and table of the same match are expected")


def replace_table(sql: sqlite3.Connection, row: TableRow, values: Sequence[object]) -> None:
    if not execute(sql, f"{TABLES.update} AND version = ?", [*values, row.version - 1]):
        raise Conflict(f"table {row.id}: it has not the version {row.version - 1} any more")


def seat_players(sql: sqlite3.Connection, match: MatchRow) -> None:
    players = {player for player in match.players if player is not None}
    sql.executemany(
        'INSERT INTO sittings (player, started, "match") VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
        [(player, match.started, match.id) for player in sorted(players)],
    )


def append(sql: sqlite3.Connection, entry: EntryRow, values: Sequence[object]) -> Appended:
    """The next entry, unless it is known or comes too late: a journal has no gaps."""
    if (known := known_entry(sql, entry)) is not None:
        return Appended(known, known=True)
    statement = (
        'SELECT ended, (SELECT max(n) FROM entries WHERE entries."match" = matches.id) '
        "FROM matches WHERE id = ?"
    )
    found = sql.execute(statement, [entry.match]).fetchone()
    if found is None:
        raise Missing(f"match {entry.match}: there is none to append to")
    ended, last = found
    if ended is not None:
        raise Conflict(f"match {entry.match}: it is over")
    following = 0 if last is None else last + 1
    if entry.n != following:
        raise Conflict(f"match {entry.match}: entry {following} is the next, not {entry.n}")
    execute(sql, ENTRIES.insert, values)
    return Appended(entry, known=False)


def known_entry(sql: sqlite3.Connection, entry: EntryRow) -> EntryRow | None:
    if entry.key is None:
        return None
    where = 'WHERE "match" = ? AND ifnull(seat, -1) = ifnull(?, -1) AND "key" = ?'
    key = [entry.match, entry.seat, entry.key]
    found = sql.execute(f"{ENTRIES.select} {where}", key).fetchone()
    return None if found is None else ENTRIES.read(found)
