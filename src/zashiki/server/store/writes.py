"""The writes that are the same SQL in every database."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from zashiki.server.store import rows, sql
from zashiki.server.store.coordination import NoticeKind
from zashiki.server.store.errors import Conflict, Missing, Overtaken, Taken

Result = TypeVar("Result")
Values = list[Any]
"""The columns of a row, as `Columns.write` returns them."""


class Transaction(Protocol):
    """The statements of one write, each with a `?` for every value."""

    async def execute(self, statement: str, *values: Any) -> int:
        """Execute a statement and return the number of changed rows."""
        ...

    async def execute_each(self, statement: str, values: Iterable[Values]) -> None:
        """Execute a statement once for each of these lists of values."""
        ...

    async def fetch(self, statement: str, *values: Any) -> Sequence[Sequence[Any]]:
        """Execute a statement and return its rows."""
        ...

    def notify(self, kind: NoticeKind, id: str, n: int) -> None:
        """Add a notice that other servers get if this transaction is committed."""
        ...


Work = Callable[[Transaction], Coroutine[Any, Any, Result]]
Changes = Mapping[str, Collection[str]]
"""The ids of the rows that a write will change, by SQL table."""
NO_CHANGES: Changes = {}
FORGET_ADDRESSES = (
    "DELETE FROM addresses WHERE NOT EXISTS (SELECT 1 FROM tables "
    "WHERE tables.id = addresses.\"table\" AND tables.state IN ('open', 'playing'))"
)
"""Addresses are needed until the match ends."""


class Writes(ABC):
    """The half of a `Store` that writes rows."""

    @abstractmethod
    async def _transact(
        self, work: Work[Result], changes: Changes = NO_CHANGES, entry: Values | None = None
    ) -> Result:
        """Do the work and append the entry: all or nothing. Return the result of the work.

        A database may append before the work, and with the entries of other writes.
        """

    async def _add(self, columns: sql.Columns[sql.Row], row: sql.Row) -> None:
        values = columns.write(row)
        await self._transact(lambda tx: tx.execute(columns.insert, *values))

    async def _replace(self, columns: sql.Columns[sql.Row], row: sql.Row, name: str) -> None:
        """Replace a row by its key; `Missing` if there is none."""
        values = columns.write_update(row)

        async def work(tx: Transaction) -> None:
            if not await tx.execute(columns.update, *values):
                raise Missing(f"{name}: there is none to change")

        await self._transact(work)

    # Players -----------------------------------------------------------------------------------

    async def add_player(self, row: rows.PlayerRow) -> None:
        """Add a player; `Taken` if another has the login, `Conflict` if another has the id."""
        values = sql.PLAYERS.write(row)

        async def work(tx: Transaction) -> None:
            await check_login(tx, row)
            await tx.execute(sql.PLAYERS.insert, *values)

        await self._transact(work)

    async def change_player(
        self, row: rows.PlayerRow, before: rows.PlayerRow | None = None
    ) -> None:
        """Replace a player; `Taken` if another has the login, `Missing` if nobody has the id.

        `Conflict` if `before` is given and not what is stored.
        """
        values = sql.PLAYERS.write_update(row)

        async def work(tx: Transaction) -> None:
            for found in await tx.fetch(sql.PLAYERS.by_key, row.id):
                if before is not None and sql.PLAYERS.read(found) != before:
                    raise Conflict(f"player {row.id}: changed meanwhile")
            await check_login(tx, row)
            if not await tx.execute(sql.PLAYERS.update, *values):
                raise Missing(f"player {row.id}: there is none to change")
            tx.notify("player", row.id, row.epoch)

        await self._transact(work, {"players": [row.id]})

    async def set_muted(self, player: str, other: str, muted: bool) -> None:
        """Mute another player, or end that."""
        statement = (
            "INSERT INTO mutes (player, other) VALUES (?, ?) ON CONFLICT DO NOTHING"
            if muted
            else "DELETE FROM mutes WHERE player = ? AND other = ?"
        )

        async def work(tx: Transaction) -> None:
            await tx.execute(statement, player, other)
            for (epoch,) in await tx.fetch("SELECT epoch FROM players WHERE id = ?", player):
                tx.notify("player", player, epoch)

        await self._transact(work)

    async def forget_addresses(self, before: float) -> int:
        """Delete the addresses of players who last came before a time, and return their number."""
        statement = "UPDATE players SET address = NULL, address_at = NULL WHERE address_at < ?"
        return await self._transact(lambda tx: tx.execute(statement, before))

    # Tables ------------------------------------------------------------------------------------

    async def add_table(self, row: rows.TableRow) -> None:
        values = sql.TABLES.write(row)

        async def work(tx: Transaction) -> None:
            await tx.execute(sql.TABLES.insert, *values)
            tx.notify("table", row.id, row.version)

        await self._transact(work)

    async def change_table(self, row: rows.TableRow) -> None:
        """Replace a table; `Conflict` unless the stored version is the one before the row's."""
        values = sql.TABLES.write_update(row)
        await self._transact(lambda tx: replace_table(tx, row, values), {"tables": [row.id]})

    async def close_idle(self, before: float) -> int:
        """Close open tables that were not updated since, and return their number.

        Each gets a new version. Addresses of tables that have ended are deleted.
        """
        statement = (
            "UPDATE tables SET state = 'closed', version = version + 1 "
            "WHERE state = 'open' AND updated < ? RETURNING id, version"
        )

        async def work(tx: Transaction) -> int:
            closed = await tx.fetch(statement, before)
            for id, version in closed:
                tx.notify("table", id, version)
            await tx.execute(FORGET_ADDRESSES)
            return len(closed)

        return await self._transact(work)

    async def add_addresses(self, added: Iterable[rows.AddressRow]) -> None:
        """Add addresses of players to tables, unless they are known."""
        values = [sql.ADDRESSES.write(row) for row in added]
        await self._transact(lambda tx: tx.execute_each(sql.ADDRESSES.add, values))

    async def add_chat(self, row: rows.ChatRow) -> None:
        """Add a chat message; `Conflict` if the table has its number, or its player the key."""
        values = sql.CHAT.write(row)

        async def work(tx: Transaction) -> None:
            await tx.execute(sql.CHAT.insert, *values)
            tx.notify("chat", row.table, row.n)

        await self._transact(work)

    # Matches -----------------------------------------------------------------------------------

    async def begin_match(
        self, row: rows.MatchRow, first: rows.EntryRow, table: rows.TableRow
    ) -> None:
        """Add a match with entry 0, and change its table: all or nothing."""
        rows.check_same(row, first, table)
        rows.check_first(first)
        match, change = sql.MATCHES.write(row), sql.TABLES.write_update(table)

        async def work(tx: Transaction) -> None:
            await tx.execute(sql.MATCHES.insert, *match)
            await seat_players(tx, row)
            await replace_table(tx, table, change)

        await self._transact(work, {"tables": [table.id]}, sql.ENTRIES.write(first))

    async def finish(
        self,
        entry: rows.EntryRow,
        match: rows.MatchRow,
        ratings: Sequence[rows.RatingRow],
        table: rows.TableRow,
    ) -> None:
        """`append` the last entry, and change match, ratings and table: all or nothing.

        Each rating replaces the one that it was computed from: `Overtaken` unless it counts one
        match more than the stored one, or one if there is none.
        """
        rows.check_same(match, entry, table)
        rows.check_over(match)
        last, change = sql.MATCHES.write_update(match), sql.TABLES.write_update(table)
        rated = sorted(ratings, key=lambda row: row.player)

        async def work(tx: Transaction) -> None:
            if not await tx.execute(f"{sql.MATCHES.update} AND ended IS NULL", *last):
                raise Conflict(f"match {match.id}: it is over")
            await seat_players(tx, match)
            for row in rated:
                await rate(tx, row)
            await replace_table(tx, table, change)

        changes = {"players": [row.player for row in rated], "tables": [table.id]}
        await self._transact(work, changes, sql.ENTRIES.write(entry))

    async def put_review(self, row: rows.ReviewRow) -> None:
        """Store a review of a match, unless the stored one has as many playouts or more."""
        statement = f"{sql.REVIEWS.put} WHERE excluded.playouts > reviews.playouts"
        values = sql.REVIEWS.write(row)
        await self._transact(lambda tx: tx.execute(statement, *values))

    # Subscriptions -----------------------------------------------------------------------------

    async def put_subscription(self, row: rows.SubscriptionRow, most: int) -> None:
        """Add a browser to be called, or change it. Of a player's, only the newest `most` stay."""
        values = sql.SUBSCRIPTIONS.write(row)
        older = (
            "DELETE FROM subscriptions WHERE player = ? AND endpoint NOT IN (SELECT endpoint FROM "
            "subscriptions WHERE player = ? ORDER BY created DESC, endpoint LIMIT ?)"
        )

        async def work(tx: Transaction) -> None:
            await tx.execute(sql.SUBSCRIPTIONS.put, *values)
            await tx.execute(older, row.player, row.player, most)

        await self._transact(work)

    async def delete_subscriptions(self, player: str, endpoint: str | None = None) -> None:
        """Delete a browser of a player that was to be called, or all of them."""
        statement, values = "DELETE FROM subscriptions WHERE player = ?", [player]
        if endpoint is not None:
            statement, values = f"{statement} AND endpoint = ?", [player, endpoint]
        await self._transact(lambda tx: tx.execute(statement, *values))

    # Digests -----------------------------------------------------------------------------------

    async def put_digest(self, row: rows.DigestRow) -> None:
        """Set where a player wants a daily digest. A player has one address."""
        values = sql.DIGESTS.write(row)
        await self._transact(lambda tx: tx.execute(sql.DIGESTS.put, *values))

    async def change_digest(self, before: rows.DigestRow, row: rows.DigestRow) -> bool:
        """Replace a digest unless it was changed meanwhile. Of several servers, one succeeds."""
        values = [*sql.DIGESTS.write_update(row), before.id, before.due]
        statement = f"{sql.DIGESTS.update} AND id = ? AND due = ?"
        return bool(await self._transact(lambda tx: tx.execute(statement, *values)))

    async def delete_digest(self, player: str, id: str | None = None) -> None:
        """Delete a player's digest, or only the one with this id."""
        statement, values = "DELETE FROM digests WHERE player = ?", [player]
        if id is not None:
            statement, values = f"{statement} AND id = ?", [player, id]
        await self._transact(lambda tx: tx.execute(statement, *values))

    async def delete_unconfirmed_digests(self, before: float) -> int:
        """Delete digests that were asked for before a time and not confirmed."""
        statement = "DELETE FROM digests WHERE NOT confirmed AND created < ?"
        return await self._transact(lambda tx: tx.execute(statement, before))

    # Card sets ---------------------------------------------------------------------------------

    async def add_card_set(self, row: rows.CardSetRow) -> None:
        await self._add(sql.CARD_SETS, row)

    async def change_card_set(self, row: rows.CardSetRow) -> None:
        """Replace a card set; `Missing` if there is none with the id."""
        await self._replace(sql.CARD_SETS, row, f"card set {row.id}")

    async def delete_card_set(self, id: str) -> None:
        """Delete a card set, if it exists."""
        await self._transact(lambda tx: tx.execute("DELETE FROM card_sets WHERE id = ?", id))

    # Reports and the operator ------------------------------------------------------------------

    async def add_report(self, row: rows.ReportRow) -> None:
        await self._add(sql.REPORTS, row)

    async def change_report(self, row: rows.ReportRow) -> None:
        """Replace a report; `Missing` if there is none with the id."""
        await self._replace(sql.REPORTS, row, f"report {row.id}")

    async def add_act(self, row: rows.ActRow) -> None:
        await self._add(sql.ACTS, row)

    async def set_address_ban(self, row: rows.AddressBanRow) -> None:
        """Ban an address, or change the end of its ban."""
        values = sql.ADDRESS_BANS.write(row)

        async def work(tx: Transaction) -> None:
            await tx.execute(sql.ADDRESS_BANS.put, *values)
            tx.notify("player", row.player, 0)

        await self._transact(work)

    async def delete_address_bans(self, before: float, player: str | None = None) -> None:
        """Delete the bans that end before a time: all, or those of a player."""
        statement = "DELETE FROM address_bans WHERE until < ?"
        values: list[object] = [before]
        if player is not None:
            statement, values = f"{statement} AND player = ?", [before, player]
        await self._transact(lambda tx: tx.execute(statement, *values))


# In a transaction ------------------------------------------------------------------------------


async def check_login(tx: Transaction, row: rows.PlayerRow) -> None:
    """`Taken` if another player has the login."""
    if await tx.fetch("SELECT 1 FROM players WHERE login = ? AND id <> ?", row.login, row.id):
        raise Taken(f"login {row.login!r}: another player has it")


async def replace_table(tx: Transaction, row: rows.TableRow, values: Values) -> None:
    """Update a table; `Conflict` unless the version before is stored."""
    if not await tx.execute(f"{sql.TABLES.update} AND version = ?", *values, row.version - 1):
        raise Conflict(
            f"table {row.id}: expected version {row.version - 1}, which was replaced: read it again"
        )
    tx.notify("table", row.id, row.version)


async def seat_players(tx: Transaction, match: rows.MatchRow) -> None:
    """Index a match by its players."""
    players = sorted({player for player in match.players if player is not None})
    statement = (
        'INSERT INTO sittings (player, started, "match") VALUES (?, ?, ?) ON CONFLICT DO NOTHING'
    )
    await tx.execute_each(statement, [[player, match.started, match.id] for player in players])


async def rate(tx: Transaction, row: rows.RatingRow) -> None:
    """Replace the rating that counts one match less."""
    if row.matches == 1:
        done = await tx.execute(sql.RATINGS.add, *sql.RATINGS.write(row))
    else:
        values = [*sql.RATINGS.write_update(row), row.matches - 1]
        done = await tx.execute(f"{sql.RATINGS.update} AND matches = ?", *values)
    if not done:
        raise Overtaken(f"player {row.player}: another match has ended meanwhile")
