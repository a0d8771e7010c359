"""A table that is alive: its lock, its lines, its match.

What happens here happens in this order: validate, commit, project for each reader, send. Nobody is
shown what is not on disk, and a command is answered once, whatever became of the connection.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, ParamSpec

import msgspec

from zashiki.core import record as records
from zashiki.server.errors import ApiError
from zashiki.server.ops.outage import Outage
from zashiki.server.ops.shield import run_to_completion
from zashiki.server.protocol import frames, rest
from zashiki.server.store.errors import Conflict
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import MatchRow, TableRow
from zashiki.server.system import System
from zashiki.server.tables import model
from zashiki.server.tables.connection import Connection, send_all
from zashiki.server.tables.match import DelayedProjection, LiveMatch, Reader, ReaderProjection
from zashiki.server.tables.model import Table
from zashiki.server.tables.presence import Presence

SAID = 50
"""So many lines of chat are shown to who comes."""
GRACE = 30.0
"""Seconds for which somebody may be away before a bot plays for them."""
TRIES = 8
"""So often something is tried again at a table that another server changed meanwhile."""

P = ParamSpec("P")


@dataclass(frozen=True)
class TableContext:
    """What a room needs from the house that it is in."""

    store: Store
    system: System
    changed: Callable[["LiveTable"], None]
    """Tells the lobby."""
    on_bots_changed: Callable[["LiveTable"], None]
    """Tells whoever provides bots that other seats need them."""
    settled: Callable[["LiveTable"], None]
    """Sees to what a table waits for, when it is not as it was."""
    mend: Callable[["LiveTable"], Awaitable[None]]
    """Makes a room stand where the store says."""
    on_here: Callable[["LiveTable", str, bool], None]
    """Tells other servers that somebody is here now, or not any more."""
    grace: float = GRACE
    outage: Outage = field(default_factory=Outage)


class Changed(ApiError):
    """Another server changed a table first; the room stands as it is now."""

    def __init__(self) -> None:
        super().__init__(409, "changed", "this table was changed meanwhile: look again")


def retried(act: Callable[P, Awaitable[None]]) -> Callable[P, Awaitable[None]]:
    """Where another server was first, the table is looked at as it is now, and it is tried again:
    what was free may be taken, and then that is what is said."""

    @wraps(act)
    async def again(*args: P.args, **kwargs: P.kwargs) -> None:
        for _ in range(TRIES):
            try:
                return await act(*args, **kwargs)
            except Changed:
                continue
        raise ApiError(409, "changed", "this table is changed all the time: look again")

    return again


class TableLock:
    """A room for somebody alone. A class, for every action needs one, and a generator would take
    longer than what it waits for."""

    def __init__(self, table: "LiveTable") -> None:
        self.table = table

    async def __aenter__(self) -> None:
        table = self.table
        await table.lock.acquire()
        try:
            if table.needs_reload:
                await table.context.mend(table)
        except BaseException:
            table.lock.release()
            raise

    async def __aexit__(self, *_: object) -> None:
        self.table.lock.release()


class LiveTable:
    """One table in memory."""

    def __init__(self, row: TableRow, house: TableContext) -> None:
        self.row = row
        self.doc = msgspec.convert(row.doc, Table)
        self.context = house
        self.store = house.store
        self.system = house.system
        self.lock = asyncio.Lock()
        self.subscribers: set[Connection] = set()
        self.live: LiveMatch | None = None
        self.match_row: MatchRow | None = None
        self.keys: dict[tuple[int, str], tuple[int, str]] = {}
        """By seat and key the decision and action of each command that changed this match."""
        self.chat = 0
        """The number of the last line."""
        self.said: deque[frames.Chatted] = deque(maxlen=SAID)
        """The last lines."""
        self.said_with: deque[tuple[str, str]] = deque(maxlen=4 * SAID)
        """Who said something last, and with which key."""
        self.needs_reload = False
        """Was something to be written of which nobody knows whether it is? Then it has to be read
        again before anything else happens here."""
        self.elsewhere: set[str] = set()
        """Who is at this table by way of another server."""
        self.deal_due: asyncio.Task[None] | None = None
        """Deals when the time for nonces is over."""
        self.behind: DelayedProjection | None = None
        self.taken_over = False
        """Has a bot ever decided for somebody? Then the match is not rated."""
        self.stood_in: dict[int, int] = {}
        """How often, by seat."""
        self.presence: Presence | None = None
        """Of the people at a match that is being played."""
        self.visited = self.system.now()
        """When somebody last asked for it."""
        self.waking: asyncio.TimerHandle | None = None
        self.sockets: set[Connection] = set()
        """All that are open here, whether they have said hello or not."""
        self._bots: tuple[dict[int, str], bool] = ({}, False)
        """The seats that needed bots when this was last told, and whether people played."""

    # What it looks like ------------------------------------------------------------------------

    @property
    def state(self) -> str:
        return "starting" if self.doc.dealing is not None else self.row.state

    def seen(self, seated: bool = False) -> rest.Table:
        """As all may see it, with who is here; or as those who sit here may.

        Others learn from no clock who has decided before they are told so, and no way to a table
        that is not public.
        """
        shown = model.seen(self.row, self.doc)
        if not (seated or self.row.public):
            shown.next = None
        if self.doc.dealing is not None:
            shown.state, shown.wishes = "starting", []
            shown.commitment = records.commit(*self.doc.dealing.secrets)
        if self.match_row is not None:
            shown.commitment = self.match_row.header["commitment"]
        if self.is_playing() and self.presence is not None:
            shown.paused = self.presence.paused()
        for seat, one in enumerate(shown.seats):
            self.show_presence(seat, one, seated or self.doc.watch == "live")
        return shown

    def waits_for(self, player: str) -> bool:
        """Does somebody owe a decision here?"""
        seat = self.doc.seat_of(player)
        if seat is None or self.live is None or seat in self.doc.resigned:
            return False
        return self.is_playing() and seat in self.live.match.to_act

    def show_presence(self, seat: int, shown: rest.Seat, clock: bool) -> None:
        if shown.player is None:
            return
        shown.here = self.is_here(shown.player.id)
        shown.ready = self.doc.dealing is not None and str(seat) in self.doc.dealing.nonces
        presence = self.presence
        if presence is not None and seat in presence.people and self.is_playing():
            shown.stand_in = self.doc.level if seat in presence.by_bots(clock) else None
            shown.until = presence.until(seat, clock)

    def news(
        self, reader: Reader, after: int, views: bool, language: rest.Language | None = None
    ) -> frames.Told:
        """All that a reader does not have yet."""
        live, outlook = self.live, self.outlook(reader)
        assert live is not None
        seat = reader if isinstance(reader, int) else None
        told = frames.Told(
            after + 1,
            outlook.told(after),
            outlook.to_act(),
            None if seat is None else live.decision(seat),
            [] if seat is None else list(live.match.legal(seat)),
            outlook.is_over(),
        )
        outcome = live.match.outcome
        if outcome is not None:
            told.outcome = frames.Outcome(list(outcome.ranks), list(outcome.scores))
        if seat in self.stood_in:
            told.stood_in = self.stood_in[seat]
        view = outlook.view() if views or language is not None else {}
        if views:
            told.view = view
        if language is not None:
            told.words = frames.Words(
                live.said(told.facts, reader, language),
                live.labels(told.legal, language),
                live.wording(language).phase(view),
            )
        return told

    def outlook(self, reader: Reader) -> ReaderProjection:
        assert self.live is not None
        if reader != "all" or self.doc.watch != "delayed":
            return ReaderProjection(self.live, reader)
        if self.behind is None or self.behind.live is not self.live:
            self.behind = DelayedProjection(self.live, self.doc.delay)
        return self.behind

    def publish(self) -> None:
        """Send each line what it does not have; equal news are made and encoded once."""
        made: dict[tuple[Reader, int, bool, rest.Language | None], bytes] = {}
        outgoing: list[tuple[Connection, bytes]] = []
        if self.live is None:
            return
        for connection in self.subscribers:
            if not connection.listens:
                continue
            which = (connection.reader, connection.has, connection.views, connection.language)
            if which not in made:
                made[which] = msgspec.json.encode(self.news(*which))
            connection.has = self.outlook(connection.reader).count()
            outgoing.append((connection, made[which]))
        send_all(outgoing)

    def tell_changed(self) -> None:
        """The table is not as it was: its lines and the lobby are told."""
        made: dict[bool, bytes] = {}
        outgoing: list[tuple[Connection, bytes]] = []
        for connection in self.subscribers:
            seated = connection.seat is not None
            if seated not in made:
                made[seated] = msgspec.json.encode(frames.Changed(self.seen(seated)))
            outgoing.append((connection, made[seated]))
        send_all(outgoing)
        self.context.changed(self)

    # Bots and absent people --------------------------------------------------------------------

    def is_playing(self) -> bool:
        return self.live is not None and not self.live.match.over

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

    def reschedule(self) -> None:
        """Something has happened: who owes a decision, who needs a bot, when is the next look?"""
        self.sleep()
        if self.live is not None and self.presence is not None and self.is_playing():
            self.presence.owes(self.live.match.to_act, self.system.now())
        due = self.due()
        if due is not None:
            wait = max(0.0, due - self.system.now())
            self.waking = asyncio.get_running_loop().call_later(wait, self.wake)
        bots = self.bot_seats(), self.has_people()
        if bots != self._bots:
            self._bots = bots
            self.context.on_bots_changed(self)

    def has_people(self) -> bool:
        """Does somebody play who is no bot? For them bots take their time."""
        return self.presence is not None and bool(self.presence.playing())

    def due(self) -> float | None:
        """When somebody's time will be up."""
        if self.presence is None or not self.is_playing():
            return None
        return self.presence.due()

    def wake(self) -> None:
        """Somebody's time is up."""
        if self.presence is not None and self.is_playing():
            if self.presence.advance(self.system.now()):
                self.tell_changed()
            self.reschedule()

    def sleep(self) -> None:
        if self.waking is not None:
            self.waking.cancel()
            self.waking = None

    def rest(self) -> None:
        """Nothing more happens by itself."""
        self.sleep()
        if self.deal_due is not None:
            self.deal_due.cancel()
            self.deal_due = None

    def new_presence(self) -> Presence:
        """Of the people at the match, as long as none of them is here."""
        table, now = self.doc, self.system.now()
        return Presence(table.people(), table.resigned, table.pace, self.context.grace, now)

    def attend(self, presence: Presence) -> None:
        """A match begins or goes on: see who is here."""
        presence.here(connection.seat for connection in self.subscribers if connection.is_here)
        presence.here(self.doc.seat_of(player) for player in self.elsewhere)
        self.presence = presence
        self.reschedule()

    # Coming and going --------------------------------------------------------------------------

    def exclusive(self) -> "TableLock":
        """Nobody else does anything here, and nothing here is in doubt."""
        return TableLock(self)

    def is_here(self, player: str) -> bool:
        """Has somebody a connection, here or at another server?"""
        return player in self.elsewhere or self.is_connected_here(player)

    def is_connected_here(self, player: str) -> bool:
        """Has somebody a connection to this very server?"""
        return any(
            connection.player == player and connection.is_here for connection in self.subscribers
        )

    def set_present_on_other_nodes(self, players: set[str]) -> None:
        """So it is at the other servers now."""
        before, self.elsewhere = self.elsewhere, players
        if before == players:
            return
        for player in before ^ players:
            seat = self.doc.seat_of(player)
            if self.presence is None or seat is None or self.is_connected_here(player):
                continue
            if player in players:
                self.presence.came(seat, self.system.now())
            else:
                self.presence.left(seat, self.system.now())
        self.tell_changed()
        self.reschedule()

    @contextmanager
    def kept(self, connection: Connection) -> Iterator[None]:
        """In memory for as long as a socket talks: from before its hello on."""
        self.sockets.add(connection)
        try:
            yield
        finally:
            self.sockets.discard(connection)

    async def arrive(self, connection: Connection, hello: frames.Hello) -> None:
        """A client says what it has, and is told the rest. A second tab is nothing special."""
        connection.muted = await self.store.muted(connection.player)
        async with self.exclusive():
            self.seat(connection)
            if not connection.is_open:
                return
            connection.views, connection.language = hello.views, hello.language
            connection.listens = True
            chat = [said for said in self.said if said.player not in connection.muted]
            connection.send(
                frames.Welcome(self.seen(connection.seat is not None), connection.seat, chat)
            )
            if self.live is not None:
                most = self.outlook(connection.reader).count()
                connection.has = min(max(hello.have, 0), most)
                news = self.news(connection.reader, connection.has, True, connection.language)
                connection.has = most
                connection.send(news)
            if connection.is_person and not self.is_connected_here(connection.player):
                self.context.on_here(self, connection.player, True)
            self.subscribers.add(connection)
            if self.presence is not None and connection.seat is not None and connection.is_person:
                self.presence.came(connection.seat, self.system.now())
            self.tell_changed()
            self.reschedule()

    def seat(self, connection: Connection) -> None:
        """A line is told what its player's seat is told: of the seat they have now, not of the one
        that they had when they came."""
        if not connection.is_person:
            return  # a bot's ticket is for one seat
        connection.seat = self.doc.seat_of(connection.player)
        if connection.seat is None and self.doc.watch == "off":
            connection.close(frames.Bye("not-watched", "this table is not to be watched", False))

    def leave(self, connection: Connection) -> None:
        connection.close()
        if connection not in self.subscribers:
            return
        self.subscribers.remove(connection)
        seat, presence = connection.seat, self.presence
        if connection.is_person and not self.is_connected_here(connection.player):
            self.context.on_here(self, connection.player, False)
            if presence is not None and seat is not None and not self.is_here(connection.player):
                presence.left(seat, self.system.now())
        self.tell_changed()
        self.reschedule()

    # On disk -----------------------------------------------------------------------------------

    async def change(self, table: Table, **more: Any) -> None:
        """Keep a table as it should be, and say so; the caller has the lock."""
        await self.keep(table, **more)
        self.tell_changed()

    async def keep(self, table: Table, **more: Any) -> None:
        """Keep a table, and what else its row should say."""
        row = self.next(doc=msgspec.to_builtins(table), **more)
        try:
            await self.store.change_table(row)
        except Conflict:
            await self.context.mend(self)
            raise Changed from None
        except BaseException:  # it may be on disk all the same
            self.needs_reload = True
            await run_to_completion(self.context.mend(self))
            raise
        self.settle(row, table)

    async def reread(self) -> None:
        """Take the table as the store has it."""
        row = await self.store.table(self.row.id)
        assert row is not None, "tables are never deleted"
        self.settle(row, msgspec.convert(row.doc, Table))

    def settle(self, row: TableRow, table: Table) -> None:
        self.row, self.doc = row, table
        if self.presence is not None:
            self.presence.resigned = set(table.resigned)
        for connection in list(self.subscribers):
            self.seat(connection)
        self.context.settled(self)

    def next(self, **other: Any) -> TableRow:
        """The row as it should be after this one."""
        version, now = self.row.version + 1, self.system.now()
        return msgspec.structs.replace(self.row, version=version, updated=now, **other)

    def is_open(self) -> bool:
        """May people still sit down and get up?"""
        return self.row.state == "open" and self.doc.dealing is None

    def check_open(self) -> None:
        if not self.is_open():
            raise ApiError(409, "table-started", "this table has started: sit down at another")

    def check_host(self, player: str) -> None:
        if player != self.row.host:
            raise ApiError(403, "not-host", "only the host of this table may do that")
