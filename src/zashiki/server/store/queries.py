"""The queries that are the same SQL in every database."""

from abc import ABC, abstractmethod
from collections.abc import Set as AbstractSet

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
from zashiki.server.store.sql import (
    CARD_SETS,
    CHAT,
    ENTRIES,
    MATCHES,
    PLAYERS,
    RATINGS,
    REPORTS,
    TABLES,
    Columns,
    Row,
)


class Queries(ABC):
    """The half of a `Store` that reads rows."""

    @abstractmethod
    async def _rows(self, columns: Columns[Row], rest: str, *values: object) -> list[Row]:
        """Return the rows that `SELECT … FROM table` finds with the rest of the statement."""

    @abstractmethod
    async def _row(self, columns: Columns[Row], *key: object) -> Row | None:
        """Return the row with a primary key."""

    # Players -------------------------------------------------------------------------------------

    async def player(self, id: str) -> PlayerRow | None:
        return await self._row(PLAYERS, id)

    async def player_by_login(self, login: str) -> PlayerRow | None:
        found = await self._rows(PLAYERS, "WHERE login = ?", login)
        return found[0] if found else None

    async def names(self, players: AbstractSet[str]) -> dict[str, str]:
        if not players:
            return {}
        rest = f"WHERE id IN ({', '.join('?' * len(players))})"
        return {row.id: row.name for row in await self._rows(PLAYERS, rest, *sorted(players))}

    async def bots_of(self, owner: str) -> list[PlayerRow]:
        rest = "WHERE owner = ? AND NOT deleted ORDER BY created, id"
        return await self._rows(PLAYERS, rest, owner)

    # Tables --------------------------------------------------------------------------------------

    async def table(self, id: str) -> TableRow | None:
        return await self._row(TABLES, id)

    async def tables(
        self, state: AbstractSet[str], public: bool | None = None, limit: int = 100
    ) -> list[TableRow]:
        if not state:
            return []
        values: list[object] = [*sorted(state)]
        where = f"state IN ({', '.join('?' * len(values))})"
        if public is not None:
            where += " AND public = ?"
            values.append(public)
        rest = f"WHERE {where} ORDER BY updated DESC, id LIMIT ?"
        return await self._rows(TABLES, rest, *values, limit)

    async def chat(self, table: str, after: int = -1, limit: int = 100) -> list[ChatRow]:
        rest = 'WHERE "table" = ? AND n > ? ORDER BY n DESC LIMIT ?'
        return (await self._rows(CHAT, rest, table, after, limit))[::-1]

    async def chat_message(self, table: str, n: int) -> ChatRow | None:
        return await self._row(CHAT, table, n)

    # Matches -------------------------------------------------------------------------------------

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

    # Ratings -------------------------------------------------------------------------------------

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

    # Card sets and reports -----------------------------------------------------------------------

    async def card_set(self, id: str) -> CardSetRow | None:
        return await self._row(CARD_SETS, id)

    async def card_sets(self, owner: str, limit: int = 200) -> list[CardSetRow]:
        rest = "WHERE owner = ? OR shared ORDER BY owner = ? DESC, created DESC, id LIMIT ?"
        return await self._rows(CARD_SETS, rest, owner, owner, limit)

    async def reports(self, limit: int = 100) -> list[ReportRow]:
        return await self._rows(REPORTS, "ORDER BY at DESC, id LIMIT ?", limit)
