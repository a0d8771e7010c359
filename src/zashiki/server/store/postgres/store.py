"""A store in a PostgreSQL database: the SQL of each method of the protocol."""

from collections.abc import Sequence

from zashiki.server.store.errors import Conflict, Missing, Overtaken, Taken
from zashiki.server.store.group_commit import MAX_WAITING
from zashiki.server.store.postgres.connections import PostgresDatabase
from zashiki.server.store.postgres.coordination import PostgresCoordination
from zashiki.server.store.postgres.transaction import Transaction
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
    numbered,
)


class PostgresStore(PostgresDatabase, Queries):
    """A `Store`, bound to the event loop in which it was opened."""

    def __init__(self, url: str, max_waiting: int = MAX_WAITING) -> None:
        super().__init__(url, max_waiting)
        self.coordination = PostgresCoordination(self._listener, self._read, self._ask_alone)

    # Players -----------------------------------------------------------------------------------

    async def add_player(self, row: PlayerRow) -> None:
        values = PLAYERS.write(row)

        async def work(tx: Transaction) -> None:
            await check_login(tx, row)
            await tx.execute(numbered(PLAYERS.insert), *values)

        await self._write(work)

    async def change_player(self, row: PlayerRow, before: PlayerRow | None = None) -> None:
        values = PLAYERS.write_update(row)

        async def work(tx: Transaction) -> None:
            for found in await tx.fetch(numbered(PLAYERS.by_key), row.id):
                if before is not None and PLAYERS.read(tuple(found)) != before:
                    raise Conflict(f"player {row.id}: changed meanwhile")
            await check_login(tx, row)
            if not await tx.execute(numbered(PLAYERS.update), *values):
                raise Missing(f"player {row.id}: there is none to change")
            tx.notify("player", row.id, row.epoch)

        await self._write(work, {"players": [row.id]})

    async def set_muted(self, player: str, other: str, muted: bool) -> None:
        statement = (
            "INSERT INTO mutes (player, other) VALUES ($1, $2) ON CONFLICT DO NOTHING"
            if muted
            else "DELETE FROM mutes WHERE player = $1 AND other = $2"
        )

        async def work(tx: Transaction) -> None:
            await tx.execute(statement, player, other)
            for (epoch,) in await tx.fetch("SELECT epoch FROM players WHERE id = $1", player):
                tx.notify("player", player, epoch)

        await self._write(work)

    async def muted(self, player: str) -> set[str]:
        found = await self._fetch("SELECT other FROM mutes WHERE player = ?", player)
        return {other for (other,) in found}

    # Tables ------------------------------------------------------------------------------------

    async def add_table(self, row: TableRow) -> None:
        values = TABLES.write(row)

        async def work(tx: Transaction) -> None:
            await tx.execute(numbered(TABLES.insert), *values)
            tx.notify("table", row.id, row.version)

        await self._write(work)

    async def change_table(self, row: TableRow) -> None:
        values = TABLES.write_update(row)
        await self._write(lambda tx: replace_table(tx, row, values), {"tables": [row.id]})

    async def close_idle(self, before: float) -> int:
        statement = (
            "UPDATE tables SET state = 'closed', version = version + 1 "
            "WHERE state = 'open' AND updated < $1 RETURNING id, version"
        )

        async def work(tx: Transaction) -> int:
            closed = await tx.fetch(statement, before)
            for id, version in closed:
                tx.notify("table", id, version)
            return len(closed)

        return await self._write(work)

    async def add_chat(self, row: ChatRow) -> None:
        values = CHAT.write(row)

        async def work(tx: Transaction) -> None:
            await tx.execute(numbered(CHAT.insert), *values)
            tx.notify("chat", row.table, row.n)

        await self._write(work)

    # Matches -----------------------------------------------------------------------------------

    async def begin_match(self, row: MatchRow, first: EntryRow, table: TableRow) -> None:
        check_same(row, first, table)
        check_first(first)
        match, change = MATCHES.write(row), TABLES.write_update(table)

        async def work(tx: Transaction) -> None:
            await tx.execute(numbered(MATCHES.insert), *match)
            await seat_players(tx, row)
            await replace_table(tx, table, change)

        await self._write(work, {"tables": [table.id]}, ENTRIES.write(first))

    async def append(self, entry: EntryRow) -> None:
        await self._open_writer().append(ENTRIES.write(entry))

    async def finish(
        self, entry: EntryRow, match: MatchRow, ratings: Sequence[RatingRow], table: TableRow
    ) -> None:
        check_same(match, entry, table)
        check_over(match)
        last, change = MATCHES.write_update(match), TABLES.write_update(table)
        rated = sorted(ratings, key=lambda row: row.player)

        async def work(tx: Transaction) -> None:
            if not await tx.execute(numbered(f"{MATCHES.update} AND ended IS NULL"), *last):
                raise Conflict(f"match {match.id}: it is over")
            await seat_players(tx, match)
            for row in rated:
                await rate(tx, row)
            await replace_table(tx, table, change)

        changes = {"players": [row.player for row in rated], "tables": [table.id]}
        await self._write(work, changes, ENTRIES.write(entry))

    # Card sets and reports ---------------------------------------------------------------------

    async def add_card_set(self, row: CardSetRow) -> None:
        await self._add(CARD_SETS, row)

    async def change_card_set(self, row: CardSetRow) -> None:
        values = CARD_SETS.write_update(row)

        async def work(tx: Transaction) -> None:
            if not await tx.execute(numbered(CARD_SETS.update), *values):
                raise Missing(f"card set {row.id}: there is none to change")

        await self._write(work)

    async def delete_card_set(self, id: str) -> None:
        await self._write(lambda tx: tx.execute("DELETE FROM card_sets WHERE id = $1", id))

    async def add_report(self, row: ReportRow) -> None:
        await self._add(REPORTS, row)


# In a transaction ------------------------------------------------------------------------------


async def check_login(tx: Transaction, row: PlayerRow) -> None:
    """`Taken` if another player has the login."""
    statement = "SELECT 1 FROM players WHERE login = $1 AND id <> $2"
    if await tx.fetch(statement, row.login, row.id):
        raise Taken(f"login {row.login!r}: another player has it")


async def replace_table(tx: Transaction, row: TableRow, values: Sequence[object]) -> None:
    """Update a table; `Conflict` unless the version before is stored."""
    statement = numbered(f"{TABLES.update} AND version = ?")
    if not await tx.execute(statement, *values, row.version - 1):
        raise Conflict(
            f"table {row.id}: expected version {row.version - 1}, which was replaced: read it again"
        )
    tx.notify("table", row.id, row.version)


async def seat_players(tx: Transaction, match: MatchRow) -> None:
    """Index a match by its players."""
    players = {player for player in match.players if player is not None}
    await tx.execute(
        'INSERT INTO sittings (player, started, "match") '
        "SELECT player, $2, $3 FROM unnest($1::text[]) AS player ON CONFLICT DO NOTHING",
        sorted(players),
        match.started,
        match.id,
    )


async def rate(tx: Transaction, row: RatingRow) -> None:
    """Replace the rating that counts one match less."""
    if row.matches == 1:
        done = await tx.execute(numbered(RATINGS.add), *RATINGS.write(row))
    else:
        statement = numbered(f"{RATINGS.update} AND matches = ?")
        done = await tx.execute(statement, *RATINGS.write_update(row), row.matches - 1)
    if not done:
        raise Overtaken(f"player {row.player}: another match has ended meanwhile")
