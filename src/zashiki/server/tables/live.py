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
from zashiki.server.errors import Problem
from zashiki.server.ops.outage import Outage
from zashiki.server.ops.shield import finished
from zashiki.server.protocol import frames, rest
from zashiki.server.store.errors import Conflict
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import MatchRow, TableRow
from zashiki.server.system import Source
from zashiki.server.tables import model
from zashiki.server.tables.connection import Line, send_all
from zashiki.server.tables.match import Delayed, Live, Outlook, Reader
from zashiki.server.tables.model import Table
from zashiki.server.tables.presence import Attendance

SAID = 50
"""So many lines of chat are shown to who comes."""
GRACE = 30.0
"""Seconds for which somebody may be away before a bot plays for them."""
TRIES = 8
"""So often something is tried again at a table that another server changed meanwhile."""

P = ParamSpec("P")


@dataclass(frozen=True)
class Surroundings:
    """What a room needs from the house that it is in."""

    store: Store
    source: Source
    changed: Callable[["Room"], None]
    """Tells the lobby."""
    on_bots: Callable[["Room"], None]
    """Tells whoever provides bots that other seats need them."""
    settled: Callable[["Room"], None]
    """Sees to what a table waits for, when it is not as it was."""
    mend: Callable[["Room"], Awaitable[None]]
    """Makes a room stand where the store says."""
    on_here: Callable[["Room", str, bool], None]
    """Tells other servers that somebody is here now, or not any more."""
    grace: float = GRACE
    outage: Outage = field(default_factory=Outage)


class Changed(Problem):
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
        raise Problem(409, "changed", "this table is changed all the time: look again")

    return again


class Sound:
    """A room for somebody alone. A class, for every action needs one, and a generator would take
    longer than what it waits for."""

    def __init__(self, room: "Room") -> None:
        self.room = room

    async def __aenter__(self) -> None:
        room = self.room
        await room.lock.acquire()
        try:
            if room.is_doubtful:
                await room.house.mend(room)
        except BaseException:
            room.lock.release()
            raise

    async def __aexit__(self, *_: object) -> None:
        self.room.lock.release()


class Room:
    """One table in memory."""

    def __init__(self, row: TableRow, house: Surroundings) -> None:
        self.row = row
        self.table = msgspec.convert(row.doc, Table)
        self.house = house
        self.store = house.store
        self.source = house.source
        self.lock = asyncio.Lock()
        self.lines: set[Line] = set()
        self.live: Live | None = None
        self.match: MatchRow | None = None
        self.keys: dict[tuple[int, str], tuple[int, str]] = {}
        """By seat and key the decision and action of each command that changed this match."""
        self.chat = 0
        """The number of the last line."""
        self.said: deque[frames.Chatted] = deque(maxlen=SAID)
        """The last lines."""
        self.said_with: deque[tuple[str, str]] = deque(maxlen=4 * SAID)
        """Who said something last, and with which key."""
        self.is_doubtful = False
        """Was something to be written of which nobody knows whether it is? Then it has to be read
        again before anything else happens here."""
        self.elsewhere: set[str] = set()
        """Who is at this table by way of another server."""
        self.deal_due: asyncio.Task[None] | None = None
        """Deals when the time for nonces is over."""
        self.behind: Delayed | None = None
        self.taken_over = False
        """Has a bot ever decided for somebody? Then the match is not rated."""
        self.stood_in: dict[int, int] = {}
        """How often, by seat."""
        self.attendance: Attendance | None = None
        """Of the people at a match that is being played."""
        self.visited = self.source.now()
        """When somebody last asked for it."""
        self.waking: asyncio.TimerHandle | None = None
        self.talks: set[Line] = set()
        """All that are open here, whether they have said hello or not."""
        self._bots: tuple[dict[int, str], bool] = ({}, False)
        """The seats that needed bots when this was last told, and whether people played."""

    # What it looks like ------------------------------------------------------------------------

    @property
    def state(self) -> str:
        return "starting" if self.table.dealing is not None else self.row.state

    def seen(self, seated: bool = False) -> rest.Table:
        """As all may see it, with who is here; or as those who sit here may.

        Others learn from no clock who has decided before they are told so, and no way to a table
        that is not public.
        """
        shown = model.seen(self.row, self.table)
        if not (seated or self.row.public):
            shown.next = None
        if self.table.dealing is not None:
            shown.state, shown.wishes = "starting", []
            shown.commitment = records.commit(*self.table.dealing.secrets)
        if self.match is not None:
            shown.commitment = self.match.header["commitment"]
        if self.is_playing() and self.attendance is not None:
            shown.paused = self.attendance.paused()
        for seat, one in enumerate(shown.seats):
            self.show_presence(seat, one, seated or self.table.watch == "live")
        return shown

    def waits_for(self, player: str) -> bool:
        """Does somebody owe a decision here?"""
        seat = self.table.seat_of(player)
        if seat is None or self.live is None or seat in self.table.resigned:
            return False
        return self.is_playing() and seat in self.live.match.to_act

    def show_presence(self, seat: int, shown: rest.Seat, clock: bool) -> None:
        if shown.player is None:
            return
        shown.here = self.is_here(shown.player.id)
        shown.ready = self.table.dealing is not None and str(seat) in self.table.dealing.nonces
        attendance = self.attendance
        if attendance is not None and seat in attendance.people and self.is_playing():
            shown.stand_in = self.table.level if seat in attendance.by_bots(clock) else None
            shown.until = attendance.until(seat, clock)

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

    def outlook(self, reader: Reader) -> Outlook:
        assert self.live is not None
        if reader != "all" or self.table.watch != "delayed":
            return Outlook(self.live, reader)
        if self.behind is None or self.behind.live is not self.live:
            self.behind = Delayed(self.live, self.table.delay)
        return self.behind

    def publish(self) -> None:
        """Send each line what it does not have; equal news are made and encoded once."""
        made: dict[tuple[Reader, int, bool, rest.Language | None], bytes] = {}
        outgoing: list[tuple[Line, bytes]] = []
        if self.live is None:
            return
        for line in self.lines:
            if not line.listens:
                continue
            which = (line.reader, line.has, line.views, line.language)
            if which not in made:
                made[which] = msgspec.json.encode(self.news(*which))
            line.has = self.outlook(line.reader).count()
            outgoing.append((line, made[which]))
        send_all(outgoing)

    def tell_changed(self) -> None:
        """The table is not as it was: its lines and the lobby are told."""
        made: dict[bool, bytes] = {}
        outgoing: list[tuple[Line, bytes]] = []
        for line in self.lines:
            seated = line.seat is not None
            if seated not in made:
                made[seated] = msgspec.json.encode(frames.Changed(self.seen(seated)))
            outgoing.append((line, made[seated]))
        send_all(outgoing)
        self.house.changed(self)

    # Bots and absent people --------------------------------------------------------------------

    def is_playing(self) -> bool:
        return self.live is not None and not self.live.match.over

    def bot_seats(self) -> dict[int, str]:
        """The seats that a bot should play now, and which bot."""
        live, attendance = self.live, self.attendance
        if live is None or attendance is None or live.match.over or live.is_old():
            return {}
        if attendance.paused():
            return {}
        chairs = enumerate(self.table.chairs)
        bots = {seat: chair.bot for seat, chair in chairs if chair.bot is not None}
        bots |= dict.fromkeys(attendance.by_bots(), self.table.level)
        if attendance.deserted():  # for days perhaps: no worker has to wait that long
            return {seat: bot for seat, bot in bots.items() if seat in live.match.to_act}
        return bots

    def look_round(self) -> None:
        """Something has happened: who owes a decision, who needs a bot, when is the next look?"""
        self.sleep()
        if self.live is not None and self.attendance is not None and self.is_playing():
            self.attendance.owes(self.live.match.to_act, self.source.now())
        due = self.due()
        if due is not None:
            wait = max(0.0, due - self.source.now())
            self.waking = asyncio.get_running_loop().call_later(wait, self.wake)
        bots = self.bot_seats(), self.has_people()
        if bots != self._bots:
            self._bots = bots
            self.house.on_bots(self)

    def has_people(self) -> bool:
        """Does somebody play who is no bot? For them bots take their time."""
        return self.attendance is not None and bool(self.attendance.playing())

    def due(self) -> float | None:
        """When somebody's time will be up."""
        if self.attendance is None or not self.is_playing():
            return None
        return self.attendance.due()

    def wake(self) -> None:
        """Somebody's time is up."""
        if self.attendance is not None and self.is_playing():
            if self.attendance.advance(self.source.now()):
                self.tell_changed()
            self.look_round()

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

    def new_attendance(self) -> Attendance:
        """Of the people at the match, as long as none of them is here."""
        table, now = self.table, self.source.now()
        return Attendance(table.people(), table.resigned, table.pace, self.house.grace, now)

    def attend(self, attendance: Attendance) -> None:
        """A match begins or goes on: see who is here."""
        attendance.here(line.seat for line in self.lines if line.is_here)
        attendance.here(self.table.seat_of(player) for player in self.elsewhere)
        self.attendance = attendance
        self.look_round()

    # Coming and going --------------------------------------------------------------------------

    def sound(self) -> "Sound":
        """Nobody else does anything here, and nothing here is in doubt."""
        return Sound(self)

    def is_here(self, player: str) -> bool:
        """Has somebody a connection, here or at another server?"""
        return player in self.elsewhere or self.is_near(player)

    def is_near(self, player: str) -> bool:
        """Has somebody a connection to this very server?"""
        return any(line.player == player and line.is_here for line in self.lines)

    def see_elsewhere(self, players: set[str]) -> None:
        """So it is at the other servers now."""
        before, self.elsewhere = self.elsewhere, players
        if before == players:
            return
        for player in before ^ players:
            seat = self.table.seat_of(player)
            if self.attendance is None or seat is None or self.is_near(player):
                continue
            if player in players:
                self.attendance.came(seat, self.source.now())
            else:
                self.attendance.left(seat, self.source.now())
        self.tell_changed()
        self.look_round()

    @contextmanager
    def kept(self, line: Line) -> Iterator[None]:
        """In memory for as long as a socket talks: from before its hello on."""
        self.talks.add(line)
        try:
            yield
        finally:
            self.talks.discard(line)

    async def arrive(self, line: Line, hello: frames.Hello) -> None:
        """A client says what it has, and is told the rest. A second tab is nothing special."""
        line.muted = await self.store.muted(line.player)
        async with self.sound():
            self.seat(line)
            if not line.is_open:
                return
            line.views, line.language = hello.views, hello.language
            line.listens = True
            chat = [said for said in self.said if said.player not in line.muted]
            line.send(frames.Welcome(self.seen(line.seat is not None), line.seat, chat))
            if self.live is not None:
                most = self.outlook(line.reader).count()
                line.has = min(max(hello.have, 0), most)
                news = self.news(line.reader, line.has, True, line.language)
                line.has = most
                line.send(news)
            if line.is_person and not self.is_near(line.player):
                self.house.on_here(self, line.player, True)
            self.lines.add(line)
            if self.attendance is not None and line.seat is not None and line.is_person:
                self.attendance.came(line.seat, self.source.now())
            self.tell_changed()
            self.look_round()

    def seat(self, line: Line) -> None:
        """A line is told what its player's seat is told: of the seat they have now, not of the one
        that they had when they came."""
        if not line.is_person:
            return  # a bot's ticket is for one seat
        line.seat = self.table.seat_of(line.player)
        if line.seat is None and self.table.watch == "off":
            line.close(frames.Bye("not-watched", "this table is not to be watched", False))

    def leave(self, line: Line) -> None:
        line.close()
        if line not in self.lines:
            return
        self.lines.remove(line)
        seat, attendance = line.seat, self.attendance
        if line.is_person and not self.is_near(line.player):
            self.house.on_here(self, line.player, False)
            if attendance is not None and seat is not None and not self.is_here(line.player):
                attendance.left(seat, self.source.now())
        self.tell_changed()
        self.look_round()

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
            await self.house.mend(self)
            raise Changed from None
        except BaseException:  # it may be on disk all the same
            self.is_doubtful = True
            await finished(self.house.mend(self))
            raise
        self.settle(row, table)

    async def reread(self) -> None:
        """Take the table as the store has it."""
        row = await self.store.table(self.row.id)
        assert row is not None, "tables are never deleted"
        self.settle(row, msgspec.convert(row.doc, Table))

    def settle(self, row: TableRow, table: Table) -> None:
        self.row, self.table = row, table
        if self.attendance is not None:
            self.attendance.resigned = set(table.resigned)
        for line in list(self.lines):
            self.seat(line)
        self.house.settled(self)

    def next(self, **other: Any) -> TableRow:
        """The row as it should be after this one."""
        version, now = self.row.version + 1, self.source.now()
        return msgspec.structs.replace(self.row, version=version, updated=now, **other)

    def is_open(self) -> bool:
        """May people still sit down and get up?"""
        return self.row.state == "open" and self.table.dealing is None

    def check_open(self) -> None:
        if not self.is_open():
            raise Problem(409, "table-started", "this table has started: sit down at another")

    def check_host(self, player: str) -> None:
        if player != self.row.host:
            raise Problem(403, "not-host", "only the host of this table may do that")
