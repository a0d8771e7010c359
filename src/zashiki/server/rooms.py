"""A table that is alive: its lock, its lines, its match.

What happens here happens in this order: validate, commit, project for each reader, send. Nobody is
shown what is not on disk, and a command is answered once, whatever became of the connection.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from zashiki.core import record as records
from zashiki.core.facts import plain_text
from zashiki.core.record import Record
from zashiki.core.rulings import Malformed, Refused
from zashiki.server import tables, wire
from zashiki.server.attendance import Attendance
from zashiki.server.lines import Line
from zashiki.server.live import Delayed, Live, Outlook, Reader, Stale, begun, stood_up
from zashiki.server.problems import Problem
from zashiki.server.ratings import rated, rating_lock
from zashiki.server.source import Source
from zashiki.server.store.protocol import Conflict, Store
from zashiki.server.store.rows import HOUSE, ChatRow, EntryRow, MatchRow, PlayerKind, TableRow
from zashiki.server.tables import Chair, Table
from zashiki.server.tally import COMMITS

LONGEST_KEY = 64
LONGEST_LINE = 300
LONGEST_NONCE = 64
WAIT_FOR_NONCES = 10.0
"""Seconds after which a nonce that did not come counts as empty."""

SAID = 50
"""So many lines of chat are shown to who comes."""
GRACE = 30.0
"""Seconds for which somebody may be away before a bot plays for them."""


@dataclass(frozen=True)
class Surroundings:
    """What a room needs from the house that it is in."""

    store: Store
    source: Source
    changed: Callable[["Room"], None]
    """Tells the lobby."""
    on_bots: Callable[["Room"], None]
    """Tells whoever provides bots that other seats need them."""
    grace: float = GRACE


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
        self.keys: dict[tuple[int, str], wire.Answer] = {}
        """The answers to commands of this match that changed something."""
        self.chat = 0
        """The number of the last line."""
        self.said: deque[tuple[str, wire.Chatted]] = deque(maxlen=SAID)
        """The last lines, and who said them."""
        self.secrets: tuple[bytes, bytes] | None = None
        """Seed and salt, once they are committed to and until the deal."""
        self.nonces: dict[int, str] = {}
        self.dealing: asyncio.Task[None] | None = None
        self.behind: Delayed | None = None
        self.taken_over = False
        """Has a bot ever decided for somebody? Then the match is not rated."""
        self.attendance: Attendance | None = None
        """Of the people at a match that is being played."""
        self.waking: asyncio.TimerHandle | None = None
        self._bots: dict[int, str] = {}
        """The seats that needed bots when this was last told."""

    # What it looks like ------------------------------------------------------------------------

    @property
    def state(self) -> str:
        return "starting" if self.secrets is not None else self.row.state

    def seen(self) -> wire.Table:
        """As all may see it."""
        seats = [self.seat_seen(seat, chair) for seat, chair in enumerate(self.table.chairs)]
        commitment = records.commit(*self.secrets) if self.secrets is not None else None
        if self.match is not None:
            commitment = self.match.header["commitment"]
        return wire.Table(
            self.row.id,
            self.table.game,
            self.table.options,
            self.row.host,
            self.state,  # type: ignore[arg-type]
            self.row.public,
            self.table.watch,
            seats,
            self.row.match,
            commitment,
            self.table.pace,
            self.attendance is not None and self.attendance.paused(),
            self.table.next,
        )

    def seat_seen(self, seat: int, chair: Chair) -> wire.Seat:
        if chair.kind not in tables.FILLED:
            return wire.Seat(chair.kind)
        kind = "bot" if chair.kind == "bot" else chair.who
        player = wire.Player(chair.player or bot_id(chair.bot), chair.name, kind)
        here = any(line.player == chair.player for line in self.lines)
        ready, resigned = seat in self.nonces, seat in self.table.resigned
        attendance = self.attendance
        if attendance is None or seat not in attendance.people:
            return wire.Seat(chair.kind, player, here, ready, resigned=resigned)
        stand_in = self.table.level if seat in attendance.by_bots() else None
        until = attendance.until(seat)
        return wire.Seat(chair.kind, player, here, ready, stand_in, until, resigned)

    def news(self, reader: Reader, after: int, views: bool) -> wire.Told:
        """All that a reader does not have yet."""
        live, outlook = self.live, self.outlook(reader)
        assert live is not None
        seat = reader if isinstance(reader, int) else None
        return wire.Told(
            after + 1,
            outlook.told(after),
            outlook.to_act(),
            None if seat is None else live.decision(seat),
            [] if seat is None else list(live.match.legal(seat)),
            outlook.is_over(),
            outlook.view() if views else msgspec.UNSET,
        )

    def outlook(self, reader: Reader) -> Outlook:
        assert self.live is not None
        if reader != "all" or self.table.watch != "delayed":
            return Outlook(self.live, reader)
        if self.behind is None or self.behind.live is not self.live:
            self.behind = Delayed(self.live, self.table.delay)
        return self.behind

    def publish(self) -> None:
        """Send each line what it does not have; equal news are made and encoded once."""
        made: dict[tuple[Reader, int, bool], bytes] = {}
        if self.live is None:
            return
        for line in list(self.lines):
            if not line.listens:
                continue
            which = (line.reader, line.has, line.views)
            if which not in made:
                made[which] = msgspec.json.encode(self.news(*which))
            line.has = self.outlook(line.reader).count()
            line.send(made[which])

    def tell_changed(self) -> None:
        """The table is not as it was: its lines and the lobby are told."""
        frame = msgspec.json.encode(wire.Changed(self.seen()))
        for line in self.lines:
            if line.listens:
                line.send(frame)
        self.house.changed(self)

    # Bots and absent people --------------------------------------------------------------------

    def bot_seats(self) -> dict[int, str]:
        """The seats that a bot should play now, and which bot."""
        live, attendance = self.live, self.attendance
        if live is None or attendance is None or live.match.over or attendance.paused():
            return {}
        chairs = enumerate(self.table.chairs)
        bots = {seat: chair.bot for seat, chair in chairs if chair.bot is not None}
        return bots | dict.fromkeys(attendance.by_bots(), self.table.level)

    def look_round(self) -> None:
        """Something has happened: who owes a decision, who needs a bot, when is the next look?"""
        live, attendance = self.live, self.attendance
        if self.waking is not None:
            self.waking.cancel()
            self.waking = None
        if live is not None and attendance is not None and not live.match.over:
            attendance.owes(live.match.to_act, self.source.now())
            due = attendance.due()
            if due is not None:
                wait = max(0.0, due - self.source.now())
                self.waking = asyncio.get_running_loop().call_later(wait, self.wake)
        bots = self.bot_seats()
        if bots != self._bots:
            self._bots = bots
            self.house.on_bots(self)

    def wake(self) -> None:
        """Somebody's time is up."""
        self.waking = None
        if self.attendance is not None and self.attendance.advance(self.source.now()):
            self.tell_changed()
        self.look_round()

    def rest(self) -> None:
        """Nothing more happens by itself."""
        if self.waking is not None:
            self.waking.cancel()
            self.waking = None
        if self.dealing is not None:
            self.dealing.cancel()
            self.dealing = None

    async def resign(self, seat: int) -> None:
        """A seat is handed over to a bot, for good."""
        async with self.lock:
            if self.attendance is None or self.live is None or self.live.match.over:
                raise Problem(409, "not-playing", "no match is being played here")
            if seat in self.attendance.resigned:
                return
            resigned = tuple(sorted({*self.table.resigned, seat}))
            await self.change(msgspec.structs.replace(self.table, resigned=resigned))
            self.attendance.resign(seat)
            self.tell_changed()
            self.look_round()

    def attend(self) -> None:
        """A match begins or goes on: see who is here."""
        now = self.source.now()
        self.attendance = Attendance(
            self.people(), self.table.resigned, self.table.pace, self.house.grace, now
        )
        for line in self.lines:
            if line.is_person and line.seat is not None:
                self.attendance.came(line.seat, now)
        self.look_round()

    # Coming and going --------------------------------------------------------------------------

    async def arrive(self, line: Line, hello: wire.Hello) -> None:
        """A client says what it has, and is told the rest. A second tab is nothing special."""
        line.muted = await self.store.muted(line.player)
        async with self.lock:
            self.seat(line)
            if not line.is_open:
                return
            line.views = hello.views
            line.listens = True
            chat = [said for player, said in self.said if player not in line.muted]
            line.send(wire.Welcome(self.seen(), line.seat, chat))
            if self.live is not None:
                most = self.outlook(line.reader).count()
                line.has = min(max(hello.have, 0), most)
                news = self.news(line.reader, line.has, True)
                line.has = most
                line.send(news)
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
            line.close(wire.Bye("not-watched", "this table is not to be watched", False))

    def leave(self, line: Line) -> None:
        line.close()
        if line not in self.lines:
            return
        self.lines.remove(line)
        seat, attendance = line.seat, self.attendance
        still_here = any(other.seat == seat and other.is_person for other in self.lines)
        if attendance is not None and seat is not None and line.is_person and not still_here:
            attendance.left(seat, self.source.now())
        self.tell_changed()
        self.look_round()

    # Before the match --------------------------------------------------------------------------

    async def change(self, table: Table) -> None:
        """Keep a table as it should be; the caller has the lock."""
        await self._keep(msgspec.structs.replace(self.row, doc=msgspec.to_builtins(table)))
        self.table = table
        for line in list(self.lines):
            self.seat(line)
        self.tell_changed()

    async def _keep(self, row: TableRow) -> None:
        row = self._next(row)
        try:
            await self.store.change_table(row)
        except Conflict:
            stored = await self.store.table(row.id)
            assert stored is not None, "tables are never deleted"
            self.row, self.table = stored, msgspec.convert(stored.doc, Table)
            raise Problem(409, "changed", "this table was changed meanwhile: look again") from None
        self.row = row

    def _next(self, row: TableRow) -> TableRow:
        version = self.row.version + 1
        return msgspec.structs.replace(row, version=version, updated=self.source.now())

    def check_open(self) -> None:
        if self.row.state != "open" or self.secrets is not None:
            raise Problem(409, "table-started", "this table has started: sit down at another")

    async def sit(
        self, seat: int, player: str, name: str, key: str | None, who: PlayerKind = "guest"
    ) -> None:
        async with self.lock:
            self.check_open()
            await self.change(tables.sat(self.table, seat, player, name, key, who))

    async def stand(self, player: str) -> None:
        async with self.lock:
            self.check_open()
            seat = self.table.seat_of(player)
            if seat is None:
                raise Problem(409, "not-seated", "you do not sit at this table")
            await self.change(tables.stood(self.table, seat))

    async def remove(self, player: str, seat: int) -> None:
        """The host shows somebody the door."""
        async with self.lock:
            self.check_host(player)
            self.check_open()
            await self.change(tables.stood(self.table, seat))

    async def shut(self, player: str) -> None:
        """The host closes a table that has not started."""
        async with self.lock:
            self.check_host(player)
            self.check_open()
            await self._keep(msgspec.structs.replace(self.row, state="closed"))
            self.tell_changed()

    def check_host(self, player: str) -> None:
        if player != self.row.host:
            raise Problem(403, "not-host", "only the host of this table may do that")

    async def start(self, player: str) -> None:
        """Commit to a seed; the deal waits for the nonces of all people, but not for ever."""
        async with self.lock:
            self.check_host(player)
            self.check_open()
            tables.check_full(self.table)
            self.secrets = (self.source.secret(), self.source.secret())
            self.nonces = {}
            self.tell_changed()
            if self.people() <= self.nonces.keys():
                await self.deal()
            else:
                self.dealing = asyncio.create_task(self.deal_anyway())

    def people(self) -> set[int]:
        return {seat for seat, chair in enumerate(self.table.chairs) if chair.kind == "player"}

    async def deal_anyway(self) -> None:
        await asyncio.sleep(WAIT_FOR_NONCES)
        async with self.lock:
            self.dealing = None
            await self.deal()

    async def ready(self, seat: int, nonce: str) -> None:
        """A seat has seen the commitment and adds its own chance to it."""
        if len(nonce) > LONGEST_NONCE or set(nonce) - set("0123456789abcdef"):
            text = f"nonce: at most {LONGEST_NONCE} hexadecimal digits are expected"
            raise Problem(422, "malformed", text)
        async with self.lock:
            if self.secrets is None:
                raise Problem(409, "not-starting", "nothing is being dealt")
            self.nonces.setdefault(seat, nonce)
            self.tell_changed()
            if self.people() <= self.nonces.keys():
                await self.deal()

    async def deal(self) -> None:
        """Begin the match: on disk first."""
        if self.secrets is None:
            return
        if self.dealing is not None:
            self.dealing.cancel()
            self.dealing = None
        seed, salt = self.secrets
        table, seats = self.table, len(self.table.chairs)
        names = [chair.name for chair in table.chairs]
        nonces = [self.nonces.get(seat, "") for seat in range(seats)]
        live, facts = begun(table.offer, seats, table.options, seed, salt, names, nonces)
        match = MatchRow(
            id=self.source.id(),
            table=self.row.id,
            game=table.game,
            seats=seats,
            header=records.header_line(Record(live.match.header, (), False)),
            seed=seed,
            salt=salt,
            started=self.source.now(),
            ended=None,
            players=[chair.player or bot_id(chair.bot) for chair in table.chairs],
            rated=bool(self.people()),
            ranks=None,
            scores=None,
        )
        row = self._next(msgspec.structs.replace(self.row, state="playing", match=match.id))
        first = EntryRow(match.id, 0, None, None, None, None, None, facts, self.source.now())
        await self.store.begin_match(match, first, row)
        self.row, self.match, self.live = row, match, live
        self.secrets = None
        self.attend()
        self.tell_changed()
        self.publish()

    # The match ---------------------------------------------------------------------------------

    async def load(self) -> None:
        """Stand where the store says."""
        await self.load_chat()
        await self.load_names()
        self.live, self.match, self.keys = None, None, {}
        if self.row.match is None:
            return
        match = await self.store.match(self.row.match)
        assert match is not None, "a table's match is stored with it"
        live = stood_up(self.table.offer, match.header, match.seed, match.salt)
        for entry in await self.store.entries(match.id):
            live.follow(entry.seat, entry.action, entry.facts)
            self.note_hand(entry.seat, entry.by)
            if entry.seat is not None and entry.key is not None:
                self.keys[entry.seat, entry.key] = wire.Answer(entry.key, True)
        self.live, self.match = live, match
        if not live.match.over:
            self.attend()

    async def load_names(self) -> None:
        """Who was deleted while nobody was here has no name any more."""
        for chair in self.table.chairs:
            player = None if chair.player is None else await self.store.player(chair.player)
            if player is not None and player.deleted:
                self.table = tables.renamed(self.table, player.id, player.name)

    async def forget(self, player: str, name: str) -> None:
        """Somebody is deleted: a seat in a match stays theirs, and what they said; not the name."""
        async with self.lock:
            for who, said in self.said:
                if who == player:
                    said.name = name
            seat = self.table.seat_of(player)
            if seat is None:
                return
            if self.row.state == "open" and self.secrets is None:
                await self.change(tables.stood(self.table, seat))
            else:
                await self.change(tables.renamed(self.table, player, name))

    async def load_chat(self) -> None:
        self.said.clear()
        for row in await self.store.chat(self.row.id):
            player = await self.store.player(row.player)
            name = "" if player is None else player.name
            self.said.append((row.player, wire.Chatted(row.n, name, row.seat, row.text)))
            self.chat = row.n

    async def play(self, player: str, seat: int, command: wire.Play) -> wire.Answer:
        """An action: exactly once for its key, or refused with nothing changed."""
        check_key(command.key)
        async with self.lock:
            known = self.keys.get((seat, command.key))
            if known is not None:
                return known
            live, match = self.live, self.match
            if live is None or match is None:
                raise Problem(409, "not-playing", "no match is being played here")
            try:
                facts = live.play(seat, command.decision, command.action, command.says)
            except Stale as stale:
                text, now = "that decision is not open", {"decision": stale.decision}
                raise Problem(409, "stale", text, now) from None
            except Refused as refused:
                details = {"ruling": refused.ruling, "blame": list(refused.blame)}
                raise Problem(422, "refused", str(refused), details) from None
            except Malformed as fault:
                raise Problem(422, "malformed", str(fault)) from None
            entry = EntryRow(
                match.id, live.done, seat, command.key, player, command.action, command.says,
                facts, self.source.now(),
            )  # fmt: skip
            self.note_hand(seat, player)
            with COMMITS.time():
                await self._commit(entry)
            answer = wire.Answer(command.key, True)
            self.keys[seat, command.key] = answer
            if self.attendance is not None:
                self.attendance.acted(seat, self.source.now())
            self.publish()
            self.look_round()
            return answer

    def note_hand(self, seat: int | None, by: str | None) -> None:
        """Whose hand moved for a seat. Who resigned has lost already, whoever plays on."""
        if seat is None or seat in self.table.resigned:
            return
        chair = self.table.chairs[seat]
        if chair.kind == "player" and by != chair.player:
            self.taken_over = True

    async def _commit(self, entry: EntryRow) -> None:
        live, match = self.live, self.match
        assert live is not None
        assert match is not None
        outcome = live.match.outcome
        try:
            if outcome is None:
                await self.store.append(entry)
                return
            ended = msgspec.structs.replace(
                match,
                ended=entry.at,
                ranks=list(outcome.ranks),
                scores=list(outcome.scores),
                rated=match.rated and not self.taken_over,
            )
            row = self._next(msgspec.structs.replace(self.row, state="over"))
            async with rating_lock(self.store):
                ratings = await rated(self.store, ended, entry.at, self.table.resigned)
                await self.store.finish(entry, ended, ratings, row)
            self.match, self.row = ended, row
            self.tell_changed()
        except Conflict:
            await self.load()
            raise Problem(409, "stale", "another server was first: look again") from None
        except BaseException:
            await asyncio.shield(self.load())
            raise

    async def say(self, player: str, name: str, seat: int | None, text: str) -> None:
        """A line of chat: text, and no more than that."""
        try:
            line = plain_text(text, "text", LONGEST_LINE)
        except Malformed as fault:
            raise Problem(422, "malformed", str(fault)) from None
        async with self.lock:
            row = ChatRow(self.row.id, self.chat + 1, player, seat, line, self.source.now())
            await self.store.add_chat(row)
            self.chat = row.n
            chatted = wire.Chatted(row.n, name, seat, line)
            self.said.append((player, chatted))
            frame = msgspec.json.encode(chatted)
            for one in self.lines:
                if one.listens and player not in one.muted:
                    one.send(frame)

    async def why_not(self, seat: int, action: str) -> wire.Fault | None:
        async with self.lock:
            if self.live is None:
                raise Problem(409, "not-playing", "no match is being played here")
            try:
                refusal = self.live.match.why_not(seat, action)
            except Malformed as fault:
                raise Problem(422, "malformed", str(fault)) from None
            if refusal is None:
                return None
            text = self.live.match.texts("en").refusal(refusal)
            details = {"ruling": refusal.ruling, "blame": list(refusal.blame)}
            return wire.Fault("refused", f"{refusal.ruling}: {text}", details)

    async def record(self, player: str | None) -> str:
        """What somebody may read now: all at the end, before that what their seat was told."""
        async with self.lock:
            if self.live is None:
                raise Problem(404, "no-match", "no match was played here yet")
            if self.live.match.over:
                return self.live.match.record()
            seat = None if player is None else self.table.seat_of(player)
            if seat is None and self.table.watch == "off":
                raise Problem(403, "not-watched", "this table is not to be watched")
            return self.outlook("all" if seat is None else seat).record()


def bot_id(bot: str | None) -> str:
    """The player that a bot of the house is."""
    return f"{HOUSE}{bot}"


def check_key(key: str) -> None:
    if not 1 <= len(key) <= LONGEST_KEY or not key.isascii() or not key.isprintable():
        text = f"key: 1 to {LONGEST_KEY} printable ASCII characters are expected"
        raise Problem(422, "malformed", text)
