"""Tables that have not ended, by player, and how many of them a player may have.

It is read from the store once and follows every change from then on, so that no question about a
player looks through all tables.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice

from msgspec import Struct

from zashiki.server.errors import ApiError
from zashiki.server.store.rows import TableRow

NOT_ENDED = frozenset({"open", "playing"})
MAX_HOSTED_TABLES = 20
"""Max tables that have not ended per host."""
LISTED_SECONDS = 6 * 3600.0
"""Time for which a public table counts for the address that opened it."""
MAX_BOT_TABLES, MAX_BOT_TABLES_PER_ADDRESS = 4, 8
"""Max matches that a player, or an address, has bots play alone."""
MAX_LEFT_TO_BOTS = 20
"""Max matches that all people left to bots before a player may start another one with bots."""
MAX_SEATS = 50
"""Max tables that have not ended at which a player sits."""


class TablePlayers(Struct, frozen=True):
    """The players of one table."""

    version: int
    is_open: bool
    is_public: bool
    updated: float
    host: str
    seated: frozenset[str]
    """Players who have not resigned."""
    resigned: frozenset[str]
    invited: frozenset[str] = frozenset()
    """Players who are invited to a table that has not started."""

    def is_left_to_bots(self) -> bool:
        """Return True if only bots play here, or play on."""
        return not self.is_open and not self.seated

    def everybody(self) -> frozenset[str]:
        return self.seated | self.resigned | {self.host}


class PlayerTableIndex:
    """The tables that have not ended, by player."""

    def __init__(self) -> None:
        self._tables: dict[str, TablePlayers] = {}
        self._public: dict[str, None] = {}
        """The public ones, in the order in which they changed."""
        self._of: dict[str, set[str]] = {}
        self._invited: dict[str, set[str]] = {}
        """By player: the tables to which they are invited."""
        self._coming: dict[str, list[tuple[str, bool]]] = {}
        """By player: tables that are being written, and whether the player is the host."""
        self._bot_tables: dict[str, set[str]] = {}
        """By player, and by address: tables of bots alone that they started."""
        self._listed: dict[str, dict[str, float]] = {}
        """By address: public tables that were opened from there, and when. Addresses are kept in
        memory only."""
        self.max_listed = 40
        """Max public tables that have not ended, opened from one address in `LISTED_SECONDS`."""
        self._being_listed: set[str] = set()
        """Those of them that are being written."""

    def of(self, player: str) -> list[str]:
        """Return the tables of a player."""
        return sorted(self._of.get(player, ()))

    def invited(self, player: str) -> list[str]:
        """Return the tables to which a player is invited."""
        return sorted(self._invited.get(player, ()))

    def open_tables(self, player: str) -> list[str]:
        """Return the tables of a player that have not started."""
        return [id for id in self.of(player) if self._tables[id].is_open]

    def public(self, skip: int, limit: int) -> list[str]:
        """Return public tables, those that changed last first."""
        if skip >= len(self._public):
            return []  # `islice` takes no number beyond those of the machine
        return list(islice(reversed(self._public), skip, skip + limit))

    # Following ----------------------------------------------------------------------------------

    def versions(self) -> dict[str, int]:
        """Return the version of each table that is known here."""
        return {id: one.version for id, one in self._tables.items()}

    def read(self, rows: Sequence[TableRow]) -> None:
        """Take tables, those that changed last first."""
        for row in reversed(rows):
            self.note(row)

    def note(self, row: TableRow) -> None:
        """Take a table as its row says."""
        known = self._tables.get(row.id)
        if known is not None and known.version >= row.version:
            return
        self._drop(row.id)
        if row.state in NOT_ENDED:
            one = self._tables[row.id] = players_of(row)
            if one.is_public:
                self._public[row.id] = None
            for player in one.everybody():
                self._of.setdefault(player, set()).add(row.id)
            for player in one.invited:
                self._invited.setdefault(player, set()).add(row.id)

    def expire(self, before: float) -> int:
        """Forget open tables that were not updated since: they are closed. Return how many."""
        tables = self._tables.items()
        expired = [id for id, one in tables if one.is_open and one.updated < before]
        for id in expired:
            self._drop(id)
        return len(expired)

    def forget_addresses(self, now: float) -> None:
        """Forget addresses for which no table counts any more."""
        started = {key: self._started(key) for key in self._bot_tables}
        self._bot_tables = {key: tables for key, tables in started.items() if tables}
        for address in list(self._listed):
            if not self._still_listed(address, now):
                del self._listed[address]

    def _drop(self, id: str) -> None:
        one = self._tables.pop(id, None)
        self._public.pop(id, None)
        if one is not None:
            drop_from(self._of, one.everybody(), id)
            drop_from(self._invited, one.invited, id)

    # Bounds -------------------------------------------------------------------------------------

    @contextmanager
    def coming(self, player: str, table: str, hosts: bool = False) -> Iterator[None]:
        """Count a table for a player while it is being written. Refuse it beyond the limits."""
        if hosts:
            self.check_can_host(player)
        self.check_can_sit(player, table)
        coming = self._coming.setdefault(player, [])
        coming.append((table, hosts))
        try:
            yield
        finally:
            coming.remove((table, hosts))
            if not coming:
                del self._coming[player]

    @contextmanager
    def listing(self, address: str, table: str, now: float) -> Iterator[None]:
        """Count a public table for the address that opens it. Refuse it beyond the limit.

        Otherwise guests of one address could push all other tables out of the lobby's list.
        """
        listed = self._listed[address] = self._still_listed(address, now)
        if len(listed) >= self.max_listed:
            text = (
                f"{self.max_listed} public tables from your address have not ended: end "
                "one first, or open a private table"
            )
            raise ApiError(429, "too-many-tables", text)
        listed[table] = now
        self._being_listed.add(table)
        try:
            yield
        finally:
            self._being_listed.discard(table)

    def _still_listed(self, address: str, now: float) -> dict[str, float]:
        """Return the tables that count for an address."""
        return {
            id: at
            for id, at in self._listed.get(address, {}).items()
            if id in self._being_listed or (id in self._tables and now - at < LISTED_SECONDS)
        }

    def check_can_host(self, player: str) -> None:
        """Refuse one more table to a host. Tables at which they resigned do not count."""
        own = {id: self._tables[id] for id in self._of.get(player, ())}
        hosted = {id for id, one in own.items() if one.host == player}
        hosted -= {id for id, one in own.items() if player in one.resigned}
        hosted |= {id for id, hosts in self._coming.get(player, ()) if hosts}
        if len(hosted) < MAX_HOSTED_TABLES:
            return
        text = f"you are the host of {MAX_HOSTED_TABLES} tables that have not ended: end one first"
        raise ApiError(429, "too-many-tables", text)

    def check_can_play_bots(self, player: str, address: str, table: str, has_people: bool) -> None:
        """Refuse one more match with bots to those who have too many played by bots alone."""
        by_bots = {id for id in self._of.get(player, ()) if self._tables[id].is_left_to_bots()}
        own, at_address = by_bots | self._started(player), self._started(address)
        is_refused = len(own - {table}) >= (MAX_LEFT_TO_BOTS if has_people else MAX_BOT_TABLES)
        if not has_people:
            is_refused |= len(at_address - {table}) >= MAX_BOT_TABLES_PER_ADDRESS
        if is_refused:
            text = "too many matches among bots alone are being played: wait until one has ended"
            raise ApiError(429, "too-many-bot-tables", text)
        if not has_people:
            self._bot_tables[player] = self._started(player) | {table}
            self._bot_tables[address] = at_address | {table}

    def _started(self, key: str) -> set[str]:
        """Return the running tables of bots alone that a player or an address started."""
        tables = self._bot_tables.get(key, set())
        return {id for id in tables if id in self._tables and not self._tables[id].seated}

    def check_can_sit(self, player: str, table: str | None = None) -> None:
        """Refuse a seat to a player who sits at too many tables."""
        seated = {id for id in self._of.get(player, ()) if player in self._tables[id].seated}
        seated |= {id for id, _ in self._coming.get(player, ())}
        if len(seated - {table}) < MAX_SEATS:
            return
        text = f"you sit at {MAX_SEATS} tables that have not ended: leave one first"
        raise ApiError(429, "too-many-seats", text)


def drop_from(index: dict[str, set[str]], players: frozenset[str], id: str) -> None:
    """Take a table out of an index by player."""
    for player in players:
        index[player].discard(id)
        if not index[player]:
            del index[player]


def players_of(row: TableRow) -> TablePlayers:
    players = [chair.get("player") for chair in row.doc["chairs"]]
    gone = set(row.doc.get("resigned", ()))
    asked = row.doc.get("invited", {}) if row.state == "open" else {}
    invited = {player for player, by in asked.items() if by}
    seated = {who for seat, who in enumerate(players) if who is not None and seat not in gone}
    resigned = {who for seat, who in enumerate(players) if who is not None and seat in gone}
    return TablePlayers(
        row.version, row.state == "open", row.public, row.updated, row.host, frozenset(seated),
        frozenset(resigned), frozenset(invited),
    )  # fmt: skip
