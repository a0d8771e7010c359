"""The protocol of a store. Every database behind it passes the same conformance tests.

A write is durable when its call returns. A read sees every write that returned before the read
began. A write that raises has changed nothing, except for `Unwritten`.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Protocol

from zashiki.server.store import rows
from zashiki.server.store.coordination import Coordination


class Store(Protocol):
    """A database."""

    @property
    def where(self) -> object:
        """The file or the address, without a password."""
        ...

    @property
    def coordination(self) -> Coordination:
        """The servers that share the store."""
        ...

    @property
    def waiting(self) -> int:
        """The number of pending writes."""
        ...

    @property
    def writes(self) -> int:
        """The number of writes since the store was opened, including refused ones."""
        ...

    @property
    def commits(self) -> int:
        """The number of transactions that were committed for them."""
        ...

    async def open(self) -> None:
        """Connect, and migrate an older database; `Unusable` if that fails."""
        ...

    async def close(self) -> None:
        """Finish pending writes and release everything. Closing twice is allowed."""
        ...

    async def check_writable(self) -> None:
        """Commit a write that changes nothing."""
        ...

    # Players -----------------------------------------------------------------------------------

    async def add_player(self, row: rows.PlayerRow) -> None:
        """Add a player; `Taken` if another has the login, `Conflict` if another has the id."""
        ...

    async def player(self, id: str) -> rows.PlayerRow | None: ...
    async def player_by_login(self, login: str) -> rows.PlayerRow | None: ...

    async def names(self, players: AbstractSet[str]) -> dict[str, str]:
        """Return names by id, without unknown players."""
        ...

    async def bots_of(self, owner: str) -> list[rows.PlayerRow]:
        """Return the bots of an owner that are not deleted, the oldest first."""
        ...

    async def change_player(
        self, row: rows.PlayerRow, before: rows.PlayerRow | None = None
    ) -> None:
        """Replace a player; `Taken` if another has the login, `Missing` if nobody has the id.

        `Conflict` if `before` is given and not what is stored.
        """
        ...

    async def set_muted(self, player: str, other: str, muted: bool) -> None:
        """Mute another player, or end that."""
        ...

    async def muted(self, player: str) -> set[str]: ...

    async def players_at(self, address: str) -> list[rows.PlayerRow]:
        """Return the players who last came from an address, the oldest first."""
        ...

    async def forget_addresses(self, before: float) -> int:
        """Delete the addresses of players who last came before a time, and return their number."""
        ...

    # Tables ------------------------------------------------------------------------------------

    async def add_table(self, row: rows.TableRow) -> None: ...
    async def table(self, id: str) -> rows.TableRow | None: ...

    async def change_table(self, row: rows.TableRow) -> None:
        """Replace a table; `Conflict` unless the stored version is the one before the row's."""
        ...

    async def tables(
        self, state: AbstractSet[str], public: bool | None = None, limit: int = 100
    ) -> list[rows.TableRow]:
        """Return tables in one of these states, the last updated first."""
        ...

    async def close_idle(self, before: float) -> int:
        """Close open tables that were not updated since, and return their number.

        Each gets a new version.
        """
        ...

    async def add_chat(self, row: rows.ChatRow) -> None:
        """Add a chat message; `Conflict` if the table has its number, or its player the key."""
        ...

    async def chat(self, table: str, after: int = -1, limit: int = 100) -> list[rows.ChatRow]:
        """Return the last messages with a higher number, in order."""
        ...

    async def chat_message(self, table: str, n: int) -> rows.ChatRow | None:
        """Return the chat message with a number."""
        ...

    async def chat_between(self, table: str, first: int, last: int) -> list[rows.ChatRow]:
        """Return the messages with these numbers, in order."""
        ...

    # Matches -----------------------------------------------------------------------------------

    async def begin_match(
        self, row: rows.MatchRow, first: rows.EntryRow, table: rows.TableRow
    ) -> None:
        """Add a match with entry 0, and change its table: all or nothing."""
        ...

    async def append(self, entry: rows.EntryRow) -> None:
        """Add the next entry of a match; `Conflict` if its number is taken.

        The caller has read every entry before it, and they do not end the match.
        """
        ...

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
        ...

    async def match(self, id: str) -> rows.MatchRow | None: ...

    async def entries(self, match: str, after: int = -1) -> list[rows.EntryRow]:
        """Return the entries with a higher number, in order."""
        ...

    async def matches_of(
        self, player: str, limit: int = 100, before: float | None = None
    ) -> list[rows.MatchRow]:
        """Return a player's matches that started before a time, the newest first."""
        ...

    async def unfinished(self) -> list[rows.MatchRow]:
        """Return the matches that have not ended, the oldest first."""
        ...

    # Ratings -----------------------------------------------------------------------------------

    async def rating(self, player: str, game: str, seats: int) -> rows.RatingRow | None: ...
    async def ratings(self, player: str) -> list[rows.RatingRow]: ...

    async def leaderboard(self, game: str, seats: int, limit: int = 100) -> list[rows.RatingRow]:
        """Return ratings by their lower bound (mu − 3 sigma), the highest first.

        Deleted players are left out.
        """
        ...

    # Card sets ---------------------------------------------------------------------------------

    async def add_card_set(self, row: rows.CardSetRow) -> None: ...
    async def card_set(self, id: str) -> rows.CardSetRow | None: ...

    async def card_sets(self, owner: str, limit: int = 200) -> list[rows.CardSetRow]:
        """Return a player's own sets, then those that others share; the newest first in both."""
        ...

    async def change_card_set(self, row: rows.CardSetRow) -> None:
        """Replace a card set; `Missing` if there is none with the id."""
        ...

    async def delete_card_set(self, id: str) -> None:
        """Delete a card set, if it exists."""
        ...

    # Reports and the operator ------------------------------------------------------------------

    async def add_report(self, row: rows.ReportRow) -> None: ...
    async def report(self, id: str) -> rows.ReportRow | None: ...

    async def reports(
        self, limit: int = 100, before: float | None = None, done: bool | None = None
    ) -> list[rows.ReportRow]:
        """Return reports from before a time, the newest first: all, or those (not) done."""
        ...

    async def reports_about(self, player: str, limit: int = 100) -> list[rows.ReportRow]:
        """Return the reports about a player, the newest first."""
        ...

    async def change_report(self, row: rows.ReportRow) -> None:
        """Replace a report; `Missing` if there is none with the id."""
        ...

    async def add_act(self, row: rows.ActRow) -> None: ...

    async def acts(self, player: str | None = None, limit: int = 100) -> list[rows.ActRow]:
        """Return the acts of operators, or those that concern a player; the newest first."""
        ...

    async def acts_on(self, report: str) -> list[rows.ActRow]:
        """Return the acts that a report was the reason for, the newest first."""
        ...

    async def set_address_ban(self, row: rows.AddressBanRow) -> None:
        """Ban an address, or change the end of its ban."""
        ...

    async def address_bans(self) -> list[rows.AddressBanRow]:
        """Return all banned addresses, also those whose ban has ended and is not deleted yet."""
        ...

    async def delete_address_bans(self, before: float, player: str | None = None) -> None:
        """Delete the bans that end before a time: all, or those of a player."""
        ...
