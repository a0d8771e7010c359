"""The state of one table in memory, and values that follow from it.

Only `LiveTable` assigns it, except for the delayed projection, which `projection` keeps. Two things
are changed in place: `handler` takes commands in and out of the queue, and `gameplay.judge` plays
on in the match.
"""

from collections.abc import Callable, Set
from dataclasses import dataclass, field
from typing import Any

import msgspec

from zashiki.server.errors import ApiError
from zashiki.server.ops.outage import Outage
from zashiki.server.protocol import frames
from zashiki.server.protocol.rest import Days
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import MatchRow, TableRow
from zashiki.server.system import System
from zashiki.server.tables.commands import QueuedCommand
from zashiki.server.tables.connection import Connection
from zashiki.server.tables.match import DelayedProjection, LiveMatch, PublicProjection, Reader
from zashiki.server.tables.model import Dealing, TableDoc
from zashiki.server.tables.observer import TableObserver
from zashiki.server.tables.presence import GIVE_UP_SECONDS, Presence

CHAT_LINES = 50
"""Lines of chat that a new connection is shown."""
CHAT_KEYS = 4 * CHAT_LINES
FORGIVEN_DECISIONS = 2
"""Decisions per match that a bot may take for somebody who is late, away or claimed. With one more
they count as last."""
AWAY_SECONDS = 30.0
"""Seconds without a connection after which a bot plays for somebody."""


RESTART_SECONDS = 3600.0
"""Time after a start within which nobody counts as gone: the server itself may have been away."""


@dataclass(frozen=True)
class TableContext:
    """The services that all tables of a server share."""

    store: Store
    system: System
    observers: list[TableObserver[Any]] = field(default_factory=list)
    away_seconds: float = AWAY_SECONDS
    outage: Outage = field(default_factory=Outage)
    started: float = 0.0
    """When the server was started, by the monotonic clock."""
    check_memory: Callable[[TableDoc], None] = lambda _: None
    """Refuses one more match while the memory is full."""

    def seconds_of_start(self) -> float:
        """Return for how many seconds nobody counts as gone, after a start of the server."""
        return self.started + RESTART_SECONDS - self.system.monotonic()

    @property
    def is_shared(self) -> bool:
        """Return True if other servers may use the same store."""
        return self.store.coordination is not None


class TableState:
    """One table in memory: its row, its match, its connections.

    There are many, and most have nothing to wait for and no chat. So queues are lists, of which an
    empty one takes 56 bytes, and an empty deque 760.
    """

    def __init__(self, row: TableRow, context: TableContext) -> None:
        self.row = row
        self.doc = msgspec.convert(row.doc, TableDoc)
        self.context = context
        self.store = context.store
        self.system = context.system
        self.queue: list[QueuedCommand] = []
        """The command that happens now, and those that wait."""
        self.needs_reload = False
        """The outcome of the last write is unknown: reload before the next command."""
        self.sockets: set[Connection] = set()
        """All open connections, those that have not said hello included."""
        self.subscribers: set[Connection] = set()
        """Those that have said hello and are told everything."""
        self.elsewhere: Set[str] = frozenset()
        """Players with a connection to another server."""
        self.visited = self.system.now()
        """When somebody last asked for the table."""
        self.live: LiveMatch | None = None
        self.match_row: MatchRow | None = None
        self.keys: dict[tuple[int, str], tuple[int, str]] = {}
        """By seat and key: the decision and action of each command that changed this match."""
        self.stand_in_moves: dict[int, int] = {}
        """By seat: how many decisions a bot took for a person who had not resigned."""
        self.moved = 0.0
        """When the last action of the match was taken, by the clock of the machine."""
        self.moved_here: float | None = None
        """The same by the monotonic clock, if it was taken at this server since it was loaded."""
        self.left_after: dict[int, int] = {}
        """By seat of a person who counts as last: the number of actions until they left."""
        self.presence: Presence | None = None
        """Presence and clocks of the people, while a match is being played."""
        self.delayed: DelayedProjection | None = None
        self.chat_number = 0
        """The number of the last line of chat."""
        self.chat_lines: list[frames.Chatted] = []
        """The last lines, at most `CHAT_LINES`."""
        self.chat_keys: list[tuple[str, str]] = []
        """Player and key of the last lines, at most `CHAT_KEYS`."""

    # The table ---------------------------------------------------------------------------------

    @property
    def state(self) -> str:
        return "starting" if self.doc.dealing is not None else self.row.state

    def is_open(self) -> bool:
        """Return True if people may still sit down and stand up."""
        return self.row.state == "open" and self.doc.dealing is None

    def pending_deal(self) -> Dealing | None:
        """Return the deal that waits for people. A table that has expired deals no more."""
        return self.doc.dealing if self.row.state == "open" else None

    def check_open(self) -> None:
        if not self.is_open():
            raise ApiError(409, "table-started", "this table has started: sit down at another")

    def check_host(self, player: str) -> None:
        if player != self.row.host:
            raise ApiError(403, "not-host", "only the host of this table may do that")

    def has_chat(self, seat: int | None, link: str | None) -> bool:
        """Return True if this reader may read and write the chat. A private table needs a seat, or
        the key of the invite link."""
        return self.row.public or seat is not None or link == self.doc.key

    # The match ---------------------------------------------------------------------------------

    def is_playing(self) -> bool:
        is_closed = self.row.state == "closed"  # by the operator, in the middle of a match
        return self.live is not None and not self.live.match.over and not is_closed

    def waits_for(self, player: str) -> bool:
        """Return True if a player owes a decision here."""
        seat = self.doc.seat_of(player)
        if seat is None or self.live is None or seat in self.doc.resigned:
            return False
        return self.is_playing() and seat in self.live.match.to_act

    def projection(self, reader: Reader) -> PublicProjection:
        """Return the view of a reader, besides a seat's own facts."""
        assert self.live is not None
        if reader != "all" or self.doc.watch != "delayed":
            return PublicProjection(self.live)
        if self.delayed is None or self.delayed.live is not self.live:
            self.delayed = DelayedProjection(self.live, self.doc.delay)
        return self.delayed

    def is_stand_in(self, seat: int | None, actor: str | None) -> bool:
        """Return True if a bot acted for a person."""
        if seat is None:
            return False
        chair = self.doc.chairs[seat]
        return chair.kind == "player" and actor != chair.player

    # People and bots ---------------------------------------------------------------------------

    def is_connected_here(self, player: str) -> bool:
        """Return True if a player is connected to this server."""
        return any(one.player == player and one.is_here for one in self.subscribers)

    def is_here(self, player: str) -> bool:
        """Return True if a player is connected, to this server or to another."""
        return player in self.elsewhere or self.is_connected_here(player)

    def here(self) -> set[str]:
        """The people with a connection, to this server or to another."""
        return {one.player for one in self.subscribers if one.is_here} | self.elsewhere

    def watchers(self) -> set[str]:
        """The people who are here and have no seat."""
        return self.here() - {chair.player for chair in self.doc.chairs}

    def has_people(self) -> bool:
        """Return True if a person plays who has not resigned. Bots pause only for people."""
        return self.presence is not None and bool(self.presence.playing())

    def clock(self) -> float:
        """The time by which decisions are measured.

        Days go by the calendar and outlast a restart. Seconds are not to be had, or lost, by
        setting the clock of the machine.
        """
        return self.system.now() if isinstance(self.doc.pace, Days) else self.system.monotonic()

    def seconds_until_due(self) -> float | None:
        """Seconds until somebody's time will be up; None if nobody's time runs."""
        due = None if self.presence is None or not self.is_playing() else self.presence.due()
        return None if due is None else due - self.clock()

    def seconds_until_given_up(self) -> float | None:
        """Seconds until those count as gone for whom the match waits; None if it waits for ever.

        They are measured from the last action in the journal, so that a restart changes nothing. If
        it was taken here, setting the clock of the machine changes nothing either.
        """
        if self.presence is None or not self.is_playing() or not self.doc.left_counts:
            return None
        if self.presence.is_slow() or not self.presence.given_up():
            return None
        seconds = max(
            self.moved + GIVE_UP_SECONDS - self.system.now(), self.context.seconds_of_start()
        )
        if self.moved_here is not None:
            seconds = max(seconds, self.moved_here + GIVE_UP_SECONDS - self.system.monotonic())
        return seconds

    def has_waited_too_long(self) -> bool:
        """Return True if the match has waited too long."""
        seconds = self.seconds_until_given_up()
        return seconds is not None and seconds <= 0

    def bot_seats(self) -> dict[int, str]:
        """The seats that a bot should play now, and which bot."""
        live, presence = self.live, self.presence
        if live is None or presence is None or live.match.over or live.is_old():
            return {}
        if presence.paused():
            return {}
        chairs = enumerate(self.doc.chairs)
        bots = {seat: chair.bot for seat, chair in chairs if chair.bot is not None}
        bots |= dict.fromkeys(presence.by_bots(), self.doc.level)
        if presence.deserted():  # for days perhaps: no worker has to wait that long
            return {seat: bot for seat, bot in bots.items() if seat in live.match.to_act}
        return bots
