"""The queries that are the same SQL in every database."""

from abc import ABC, abstractmethod
from collections.abc import Set as AbstractSet

from zashiki.server.store import rows, sql

PEOPLE_IN_MATCH = (
    "(length(matches.players) - length(replace(matches.players, '\"', ''))) / 2 "
    "- (length(matches.players) - length(replace(matches.players, '\"bot:', ''))) / 5"
)
"""SQL for the number of people in a match: ids in quotes, without bots of the server."""
MAX_SEARCHED_MATCHES = 2000
"""The newest matches of a player among which those of a kind are looked for."""


class Queries(ABC):
    """The half of a `Store` that reads rows."""

    @abstractmethod
    async def _rows(
        self, columns: sql.Columns[sql.Row], rest: str, *values: object
    ) -> list[sql.Row]:
        """Return the rows that `SELECT … FROM table` finds with the rest of the statement."""

    @abstractmethod
    async def _row(self, columns: sql.Columns[sql.Row], *key: object) -> sql.Row | None:
        """Return the row with a primary key."""

    # Players -------------------------------------------------------------------------------------

    async def player(self, id: str) -> rows.PlayerRow | None:
        return await self._row(sql.PLAYERS, id)

    async def player_by_login(self, login: str) -> rows.PlayerRow | None:
        found = await self._rows(sql.PLAYERS, "WHERE login = ?", login)
        return found[0] if found else None

    async def names(self, players: AbstractSet[str]) -> dict[str, str]:
        """Return names by id, without unknown players."""
        if not players:
            return {}
        rest = f"WHERE id IN ({', '.join('?' * len(players))})"
        return {row.id: row.name for row in await self._rows(sql.PLAYERS, rest, *sorted(players))}

    async def bots_of(self, owner: str) -> list[rows.PlayerRow]:
        """Return the bots of an owner that are not deleted, the oldest first."""
        rest = "WHERE owner = ? AND NOT deleted ORDER BY created, id"
        return await self._rows(sql.PLAYERS, rest, owner)

    async def players_at(self, address: str) -> list[rows.PlayerRow]:
        """Return the players who last came from an address, the oldest first."""
        return await self._rows(sql.PLAYERS, "WHERE address = ? ORDER BY created, id", address)

    # Tables --------------------------------------------------------------------------------------

    async def table(self, id: str) -> rows.TableRow | None:
        return await self._row(sql.TABLES, id)

    async def tables(
        self, state: AbstractSet[str], public: bool | None = None, limit: int = 100
    ) -> list[rows.TableRow]:
        """Return tables in one of these states, the last updated first."""
        if not state:
            return []
        values: list[object] = [*sorted(state)]
        where = f"state IN ({', '.join('?' * len(values))})"
        if public is not None:
            where += " AND public = ?"
            values.append(public)
        rest = f"WHERE {where} ORDER BY updated DESC, id LIMIT ?"
        return await self._rows(sql.TABLES, rest, *values, limit)

    async def chat(self, table: str, after: int = -1, limit: int = 100) -> list[rows.ChatRow]:
        """Return the last messages with a higher number, in order."""
        rest = 'WHERE "table" = ? AND n > ? ORDER BY n DESC LIMIT ?'
        return (await self._rows(sql.CHAT, rest, table, after, limit))[::-1]

    async def chat_message(self, table: str, n: int) -> rows.ChatRow | None:
        """Return the chat message with a number."""
        return await self._row(sql.CHAT, table, n)

    async def chat_between(self, table: str, first: int, last: int) -> list[rows.ChatRow]:
        """Return the messages with these numbers, in order."""
        rest = 'WHERE "table" = ? AND n >= ? AND n <= ? ORDER BY n'
        return await self._rows(sql.CHAT, rest, table, first, last)

    # Matches -------------------------------------------------------------------------------------

    async def match(self, id: str) -> rows.MatchRow | None:
        return await self._row(sql.MATCHES, id)

    async def entries(self, match: str, after: int = -1) -> list[rows.EntryRow]:
        """Return the entries with a higher number, in order."""
        return await self._rows(sql.ENTRIES, 'WHERE "match" = ? AND n > ? ORDER BY n', match, after)

    async def matches_of(
        self,
        player: str,
        limit: int = 100,
        before: float | None = None,
        game: str | None = None,
        seats: int | None = None,
        rival: str | None = None,
        rivals: rows.Rivals | None = None,
    ) -> list[rows.MatchRow]:
        """Return a player's matches that started before a time, the newest first.

        They may be those of a game, of a number of seats, with another player or a bot, or with
        other people or bots of the server alone. Those
        are looked for among the newest `MAX_SEARCHED_MATCHES`.
        """
        where, values = "", list[object]()
        if game is not None:
            where, values = f"{where} AND matches.game = ?", [*values, game]
        if seats is not None:
            where, values = f"{where} AND matches.seats = ?", [*values, seats]
        if rivals is not None:
            where = f"{where} AND {PEOPLE_IN_MATCH} {'>' if rivals == 'people' else '<='} 1"
        if rival is not None:
            quoted = rival.replace("!", "!!").replace("%", "!%").replace("_", "!_")
            where, values = (
                f"{where} AND matches.players LIKE ? ESCAPE '!'",
                [
                    *values,
                    f'%"{quoted}"%',
                ],
            )
        rest = (
            'JOIN (SELECT "match" AS id, started FROM sittings '
            "WHERE player = ? AND started < ? "
            'ORDER BY started DESC, "match" DESC LIMIT ?) AS own ON own.id = matches.id '
            f"WHERE matches.seats > 0{where} ORDER BY own.started DESC, own.id DESC LIMIT ?"
        )
        end = float("inf") if before is None else before
        most = MAX_SEARCHED_MATCHES if where else limit
        return await self._rows(sql.MATCHES, rest, player, end, most, *values, limit)

    async def rated_matches_of_pair(
        self, one: str, other: str, after: float, limit: int = 100
    ) -> list[rows.MatchRow]:
        """Return the rated matches of two players that started after a time, the oldest first.

        Those that have not ended are included.
        """
        rest = (
            'JOIN sittings AS a ON a."match" = matches.id '
            'JOIN sittings AS b ON b.started = a.started AND b."match" = a."match" '
            "WHERE a.player = ? AND b.player = ? AND a.started > ? AND matches.rated "
            'ORDER BY a.started, a."match" LIMIT ?'
        )
        return await self._rows(sql.MATCHES, rest, one, other, after, limit)

    async def unfinished(self) -> list[rows.MatchRow]:
        """Return the matches that have not ended, the oldest first."""
        return await self._rows(sql.MATCHES, "WHERE ended IS NULL ORDER BY started, id")

    async def review(self, match: str, reviewer: int) -> rows.ReviewRow | None:
        return await self._row(sql.REVIEWS, match, reviewer)

    # Ratings -------------------------------------------------------------------------------------

    async def rating(self, player: str, pool: rows.RatingPool) -> rows.RatingRow | None:
        return await self._row(sql.RATINGS, player, *pool)

    async def earlier_rating(
        self, player: str, game: str, seats: int
    ) -> rows.EarlierRatingRow | None:
        """Return a rating of before forms and rivals were told apart."""
        return await self._row(sql.EARLIER_RATINGS, player, game, seats)

    async def ratings(self, player: str) -> list[rows.RatingRow]:
        rest = "WHERE player = ? ORDER BY game, form, seats, rivals"
        return await self._rows(sql.RATINGS, rest, player)

    async def leaderboard(
        self, pool: rows.RatingPool, created_before: float, min_matches: int, limit: int = 100
    ) -> list[rows.RatingRow]:
        """Return ratings by their lower bound (mu − 3 sigma), the highest first.

        Only accounts are listed that were created before a time and have this many matches.
        """
        rest = (
            "JOIN players ON players.id = form_ratings.player "
            "WHERE form_ratings.game = ? AND form_ratings.form = ? AND form_ratings.seats = ? "
            "AND form_ratings.rivals = ? AND form_ratings.matches >= ? "
            "AND players.kind = 'account' AND NOT players.deleted AND players.created <= ? "
            "ORDER BY form_ratings.mu - 3 * form_ratings.sigma DESC, form_ratings.player LIMIT ?"
        )
        return await self._rows(sql.RATINGS, rest, *pool, min_matches, created_before, limit)

    async def listed_ratings(
        self, created_before: float, min_matches: int, limit: int = 2000
    ) -> list[rows.RatingRow]:
        """Return the ratings of all leaderboards, those that changed last first."""
        rest = (
            "JOIN players ON players.id = form_ratings.player WHERE form_ratings.matches >= ? "
            "AND players.kind = 'account' AND NOT players.deleted AND players.created <= ? "
            "ORDER BY form_ratings.updated DESC, form_ratings.player LIMIT ?"
        )
        return await self._rows(sql.RATINGS, rest, min_matches, created_before, limit)

    # Addresses -----------------------------------------------------------------------------------

    async def addresses(self, table: str) -> list[rows.AddressRow]:
        """Return the addresses of all players who came to a table that has not ended."""
        return await self._rows(sql.ADDRESSES, 'WHERE "table" = ? ORDER BY player, hash', table)

    # Subscriptions -------------------------------------------------------------------------------

    async def subscriptions(self, player: str) -> list[rows.SubscriptionRow]:
        """Return the browsers of a player that are to be called, the oldest first."""
        rest = "WHERE player = ? ORDER BY created, endpoint"
        return await self._rows(sql.SUBSCRIPTIONS, rest, player)

    # Digests -------------------------------------------------------------------------------------

    async def digest(self, player: str) -> rows.DigestRow | None:
        return await self._row(sql.DIGESTS, player)

    async def due_digests(self, now: float, limit: int = 100) -> list[rows.DigestRow]:
        """Return confirmed digests that are due, the longest overdue first."""
        rest = "WHERE confirmed AND due <= ? ORDER BY due, player LIMIT ?"
        return await self._rows(sql.DIGESTS, rest, now, limit)

    # Card sets -----------------------------------------------------------------------------------

    async def card_set(self, id: str) -> rows.CardSetRow | None:
        return await self._row(sql.CARD_SETS, id)

    async def card_sets(self, owner: str, limit: int = 200) -> list[rows.CardSetRow]:
        """Return a player's own sets, then those that others share; the newest first in both."""
        rest = "WHERE owner = ? OR shared ORDER BY owner = ? DESC, created DESC, id LIMIT ?"
        return await self._rows(sql.CARD_SETS, rest, owner, owner, limit)

    # Reports and the operator --------------------------------------------------------------------

    async def report(self, id: str) -> rows.ReportRow | None:
        return await self._row(sql.REPORTS, id)

    async def reports(
        self, limit: int = 100, before: float | None = None, done: bool | None = None
    ) -> list[rows.ReportRow]:
        """Return reports from before a time, the newest first: all, or those (not) done."""
        state = {None: "", True: " AND done IS NOT NULL", False: " AND done IS NULL"}[done]
        rest = f"WHERE at < ?{state} ORDER BY at DESC, id LIMIT ?"
        end = float("inf") if before is None else before
        return await self._rows(sql.REPORTS, rest, end, limit)

    async def reports_about(self, player: str, limit: int = 100) -> list[rows.ReportRow]:
        """Return the reports about a player, the newest first."""
        rest = "WHERE about = ? ORDER BY at DESC, id LIMIT ?"
        return await self._rows(sql.REPORTS, rest, player, limit)

    async def acts(self, player: str | None = None, limit: int = 100) -> list[rows.ActRow]:
        """Return the acts of operators, or those that concern a player; the newest first."""
        if player is None:
            return await self._rows(sql.ACTS, "ORDER BY at DESC, id LIMIT ?", limit)
        rest = "WHERE player = ? ORDER BY at DESC, id LIMIT ?"
        return await self._rows(sql.ACTS, rest, player, limit)

    async def acts_on(self, report: str) -> list[rows.ActRow]:
        """Return the acts that a report was the reason for, the newest first."""
        return await self._rows(sql.ACTS, "WHERE report = ? ORDER BY at DESC, id", report)

    async def address_bans(self) -> list[rows.AddressBanRow]:
        """Return all banned addresses, also those whose ban has ended and is not deleted yet."""
        return await self._rows(sql.ADDRESS_BANS, "ORDER BY address")
