"""What a store can do and how it says no; every database behind it passes the same tests.

A write is there for ever when its call returns, and a read sees every write that returned before
it began. A write that raises has changed nothing (but see `Unwritten`).
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Protocol

from zashiki.server.store.coordination import Coordination
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


class Store(Protocol):
    """A database."""

    @property
    def where(self) -> object:
        """A file or an address, as it may be told: without a password."""
        ...

    @property
    def coordination(self) -> Coordination:
        """The servers that share it."""
        ...

    @property
    def waiting(self) -> int:
        """How many writes wait."""
        ...

    @property
    def writes(self) -> int:
        """How many were done since the store was opened, those included that were refused."""
        ...

    @property
    def commits(self) -> int:
        """In how many transactions."""
        ...

    async def open(self) -> None:
        """Make ready, and bring an older database up to date; `Unusable` if that cannot be."""
        ...

    async def close(self) -> None:
        """Finish what waits and let go of everything. Closing twice is allowed."""
        ...

    # Players -----------------------------------------------------------------------------------

    async def add_player(self, row: PlayerRow) -> None:
        """`Taken` if another has the login, `Conflict` if another has the id."""
        ...

    async def player(self, id: str) -> PlayerRow | None: ...
    async def player_by_login(self, login: str) -> PlayerRow | None: ...

    async def names(self, players: AbstractSet[str]) -> dict[str, str]:
        """By id, of those who are there."""
        ...

    async def bots_of(self, owner: str) -> list[PlayerRow]:
        """Those that are not deleted, the oldest first."""
        ...

    async def change_player(self, row: PlayerRow, before: PlayerRow | None = None) -> None:
        """`Taken` if another has the login, `Missing` if nobody has the id, `Conflict` unless the
        player is stored as before, where that is said."""
        ...

    async def set_muted(self, player: str, other: str, muted: bool) -> None:
        """Whether a player wants to hear another."""
        ...

    async def muted(self, player: str) -> set[str]: ...

    # Tables ------------------------------------------------------------------------------------

    async def add_table(self, row: TableRow) -> None: ...
    async def table(self, id: str) -> TableRow | None: ...

    async def change_table(self, row: TableRow) -> None:
        """`Conflict` unless the stored version is the one before the row's."""
        ...

    async def tables(
        self, state: AbstractSet[str], public: bool | None = None, limit: int = 100
    ) -> list[TableRow]:
        """Those in one of the states, the last updated first."""
        ...

    async def close_idle(self, before: float) -> int:
        """Close the open tables that were not updated since, each as a new version; how many."""
        ...

    async def add_chat(self, row: ChatRow) -> None:
        """`Conflict` if the table has something under this number."""
        ...

    async def chat(self, table: str, after: int = -1, limit: int = 100) -> list[ChatRow]:
        """What has a higher number, in order; the last of it."""
        ...

    async def line(self, table: str, n: int) -> ChatRow | None:
        """What was said under a number."""
        ...

    # Matches -----------------------------------------------------------------------------------

    async def begin_match(self, row: MatchRow, first: EntryRow, table: TableRow) -> None:
        """A match with entry 0, and its table changed: all or nothing."""
        ...

    async def append(self, entry: EntryRow) -> None:
        """Add the next entry of a match; `Conflict` if its number is taken.

        The caller has read every entry before it, and they do not end the match.
        """
        ...

    async def finish(
        self, entry: EntryRow, match: MatchRow, ratings: Sequence[RatingRow], table: TableRow
    ) -> None:
        """`append` the last entry, and change match, ratings and table: all or nothing.

        Each rating replaces the one that it was computed from: `Overtaken` unless it counts one
        match more than the stored one, or one if there is none.
        """
        ...

    async def match(self, id: str) -> MatchRow | None: ...

    async def entries(self, match: str, after: int = -1) -> list[EntryRow]:
        """Those with a higher number, in order."""
        ...

    async def matches_of(
        self, player: str, limit: int = 100, before: float | None = None
    ) -> list[MatchRow]:
        """A player's matches (those that started before), the last one first."""
        ...

    async def unfinished(self) -> list[MatchRow]:
        """What was in play when the server stopped, the oldest first."""
        ...

    # Ratings -----------------------------------------------------------------------------------

    async def rating(self, player: str, game: str, seats: int) -> RatingRow | None: ...
    async def ratings(self, player: str) -> list[RatingRow]: ...

    async def leaderboard(self, game: str, seats: int, limit: int = 100) -> list[RatingRow]:
        """Those who are strong for certain (mu − 3 sigma) first; without deleted players."""
        ...

    # Card sets and reports ---------------------------------------------------------------------

    async def add_card_set(self, row: CardSetRow) -> None: ...
    async def card_set(self, id: str) -> CardSetRow | None: ...

    async def card_sets(self, owner: str, limit: int = 200) -> list[CardSetRow]:
        """A player's own first, then what others share; in both the newest first."""
        ...

    async def change_card_set(self, row: CardSetRow) -> None:
        """`Missing` if there is none with the id."""
        ...

    async def delete_card_set(self, id: str) -> None:
        """Afterwards there is none with the id, whether there was one or not."""
        ...

    async def add_report(self, row: ReportRow) -> None: ...

    async def reports(self, limit: int = 100) -> list[ReportRow]:
        """The newest first."""
        ...
