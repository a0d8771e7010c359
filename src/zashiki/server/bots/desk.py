"""Where workers come to for seats to play: who plays for whom, as long as somebody has to."""

import asyncio
import base64
import hashlib
import hmac
import logging
import time
from contextlib import suppress

import msgspec
from litestar.exceptions import WebSocketDisconnect

from zashiki.server import wire
from zashiki.server.bots.frames import Again, Asked, Full, Offering, Order, Release, Serve
from zashiki.server.hall import Hall
from zashiki.server.limits import Limits, Rate
from zashiki.server.logs import log
from zashiki.server.problems import Problem
from zashiki.server.rooms import Room
from zashiki.server.sessions import Ticket, Tickets
from zashiki.server.sockets import LONGEST_FRAME, AnySocket, Conversation
from zashiki.server.source import Source
from zashiki.server.store.protocol import StoreFault
from zashiki.server.store.rows import PlayerRow, is_bot
from zashiki.server.store.site import Place, Site
from zashiki.server.tables import bot_id

MOST_SEATS = 10_000
"""For more no worker can play, whatever it says."""
MOST_WORKERS = 100
MOST_BEHIND = 1000
"""A worker that is so many orders behind, and one for each of its seats, is let go."""
FASTEST = Rate(6000, 60)
"""How often a bot may ask for one seat: nobody has to wait in a match among bots alone."""

LEASE = 5.0
"""Seconds for which a seat is this server's: if it dies, another one has the seat after that."""
RENEW = 2.0
"""Seconds after which that is said again."""
TRY = 0.5
"""Seconds after which a seat is asked for again that another server has."""
ASKED = msgspec.json.Decoder(Asked)


def worker_token(key: bytes) -> str:
    """What a worker has to bring: it follows from the server's key, and does not betray it."""
    digest = hmac.digest(key, b"zashiki worker", hashlib.sha256)
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode("ascii")


class Worker:
    """The line to a process that plays for seats."""

    def __init__(self, seats: int) -> None:
        self.seats = min(max(seats, 0), MOST_SEATS)
        self.serves: set[Place] = set()
        self.failures = 0
        """How many seats it was given and did not play for."""
        self.orders: asyncio.Queue[Order | None] = asyncio.Queue()
        """None ends the line."""

    def send(self, order: Order) -> None:
        if self.orders.qsize() > self.seats + MOST_BEHIND:
            self.orders.put_nowait(None)
        else:
            self.orders.put_nowait(order)

    def room(self) -> float:
        """Which part of it is free."""
        return 1 - len(self.serves) / self.seats if self.seats else 0.0


class Wish(msgspec.Struct, frozen=True):
    """What a table wants."""

    game: str
    bots: dict[int, str]
    """Which bot, by seat."""
    pace: float


class Desk:
    """Gives each seat that wants a bot to a worker, and takes it back."""

    def __init__(
        self,
        hall: Hall,
        tickets: Tickets,
        source: Source,
        token: str,
        pace: float = 0.0,
        has_own: bool = True,
        site: Site | None = None,
        name: str = "",
    ) -> None:
        self.hall = hall
        self.tickets = tickets
        self.source = source
        self.token = token
        self.pace = pace
        self.has_own = has_own
        """Does the server itself run workers? Then one comes, sooner or later."""
        self.workers: set[Worker] = set()
        self.wanted: dict[str, Wish] = {}
        """Of each table that wants bots."""
        self.given: dict[Place, Worker] = {}
        self.waiting: dict[Place, None] = {}
        """Seats for which there is no worker, those that wait longest first."""
        self.failed: dict[Place, set[Worker]] = {}
        """Who was given a seat and did not play for it."""
        self.talks: dict[Place, set[Conversation]] = {}
        self.site = site if site is not None and site.is_shared else None
        """Other servers, which may want bots for the same seats."""
        self.name = name
        self.leased: set[Place] = set()
        """The seats for which this server has bots, and no other."""
        self.is_retired = False
        self._wanting = asyncio.Event()
        hall.on_bots = self.changed

    async def resume(self) -> None:
        """After a start: go on with the matches that wait for nobody."""
        for match in await self.hall.store.unfinished():
            people = {seat for seat, id in enumerate(match.players) if not is_bot(id)}
            row = await self.hall.store.table(match.table)
            if row is None or not people <= set(row.doc.get("resigned", ())):
                continue
            try:
                await self.hall.room(match.table)
            except Exception as fault:  # one broken table stops no other
                log(logging.ERROR, "broken", fault, table=match.table)

    # Tables ------------------------------------------------------------------------------------

    def is_staffed(self) -> bool:
        """Is there anybody who plays for bots, or will there be soon?"""
        return self.has_own or bool(self.workers)

    def check_staffed(self, room: Room) -> None:
        """A table with bots would wait for ever where nobody plays for them."""
        seats = [seat for seat, chair in enumerate(room.table.chairs) if chair.kind == "bot"]
        if seats and not self.is_staffed():
            text = "nobody plays for bots at this server now: ask its operator, or seat people"
            raise Problem(503, "no-bots", text, {"seats": seats})

    def changed(self, room: Room) -> None:
        """Other seats of a table want bots than before."""
        table, bots = room.row.id, room.bot_seats()
        wish = Wish(room.table.game, bots, self.pace if room.has_people() else 0.0)
        before = self.wanted.pop(table, wish)
        if bots:
            self.wanted[table] = wish
        for seat, bot in before.bots.items():
            if bots.get(seat) != bot:
                self._take_back((table, seat))
            elif before.pace != wish.pace and (worker := self.given.get((table, seat))) is not None:
                worker.send(self._serve((table, seat)))
        for seat in bots:
            if (table, seat) not in self.given:
                self.waiting[table, seat] = None
        self._wanting.set()
        self._give()

    # Leases ------------------------------------------------------------------------------------

    async def keep_leases(self) -> None:
        """Seats are wanted by all servers where their table is in memory: one of them has each."""
        renewed = time.monotonic()
        while self.site is not None and not self.is_retired:
            with suppress(TimeoutError):
                async with asyncio.timeout(TRY):
                    await self._wanting.wait()
            self._wanting.clear()
            is_time = time.monotonic() - renewed > RENEW
            try:
                await self._lease(self.site, {*self.given} if is_time else set())
            except StoreFault:
                await asyncio.sleep(TRY)  # no other server can take them either
            except Exception as fault:  # it is tried again soon
                log(logging.ERROR, "broken", fault)
                await asyncio.sleep(TRY)
            else:
                renewed = time.monotonic() if is_time else renewed

    async def _lease(self, site: Site, again: set[Place]) -> None:
        """Take what waits, say once more what is ours, and give back what nobody needs."""
        if free := self.leased - {*self.given, *self.waiting}:
            self.leased -= free
            await site.release(self.name, sorted(free))
        wanted = again | {*self.waiting}
        if not wanted or self.is_retired:
            return
        ours = await site.lease(self.name, sorted(wanted), LEASE)
        if self.is_retired:  # meanwhile: nobody else would give them back
            await site.release(self.name, sorted(ours))
            return
        for place in [place for place in self.given if place in wanted - ours]:
            self._take_back(place)
            self.waiting[place] = None
        self.leased = self.leased - wanted | ours
        self._give()

    async def retire(self) -> None:
        """This server stops: its seats are free for others."""
        self.is_retired = True
        for place in list(self.given):
            self._take_back(place)
        free, self.leased = sorted(self.leased), set()
        if self.site is not None and free:
            with suppress(StoreFault):  # they are free soon anyway
                await self.site.release(self.name, free)

    def _is_ours(self, place: Place) -> bool:
        return self.site is None or place in self.leased

    def _take_back(self, place: Place) -> None:
        self.waiting.pop(place, None)
        self.failed.pop(place, None)
        worker = self.given.pop(place, None)
        if worker is not None:
            worker.serves.discard(place)
            worker.send(Release(*place))
        self._hush(place)

    def _hush(self, place: Place) -> None:
        """Whoever was given this seat before is told nothing more."""
        bye = wire.Bye("released", "this seat is not yours any more", False)
        for talk in self.talks.pop(place, set()):
            talk.line.close(bye)

    def _give(self) -> None:
        """Give what waits to those who have failed least and have most room."""
        if self.is_retired:
            return
        for place in [place for place in self.waiting if self._is_ours(place)]:
            free = [worker for worker in self.workers if worker.room() > 0]
            if not free:
                return
            able = [worker for worker in free if worker not in self.failed.get(place, ())]
            if not able:
                continue
            worker = max(able, key=lambda worker: (-worker.failures, worker.room()))
            del self.waiting[place]
            self.given[place] = worker
            worker.serves.add(place)
            worker.send(self._serve(place))

    def _serve(self, place: Place) -> Serve:
        table, seat = place
        wish = self.wanted[table]
        bot = wish.bots[seat]
        ticket = self.tickets.issue(bot_id(bot), 0, table, seat)
        return Serve(table, seat, ticket, bot, wish.game, wish.pace)

    # Workers -----------------------------------------------------------------------------------

    def knows(self, authorization: str | None) -> bool:
        """Does somebody bring the token of a worker?"""
        scheme, _, token = (authorization or "").partition(" ")
        given = token.strip().encode("utf-8", "replace")
        fits = hmac.compare_digest(given, self.token.encode("ascii"))
        return fits and scheme.lower() == "bearer"

    async def employ(self, socket: AnySocket) -> None:
        """A worker, from its first frame to its last."""
        if len(self.workers) >= MOST_WORKERS:
            await socket.send_data(msgspec.json.encode(Full(MOST_WORKERS)).decode(), mode="text")
            return
        worker: Worker | None = None

        async def read() -> None:
            nonlocal worker
            while True:
                try:
                    raw = await socket.receive_data(mode="text")
                    asked = ASKED.decode(raw[: LONGEST_FRAME + 1])
                except (WebSocketDisconnect, msgspec.DecodeError, RecursionError):
                    return
                if isinstance(asked, Again):
                    if worker is not None:
                        self.again(worker, (asked.table, asked.seat))
                elif worker is None:
                    worker = self.join(asked)
                    told.set_result(worker)

        async def write() -> None:
            orders = (await told).orders
            while (order := await orders.get()) is not None:
                await socket.send_data(msgspec.json.encode(order).decode(), mode="text")

        told: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        both = {asyncio.create_task(read()), asyncio.create_task(write())}
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if worker is not None:
                self.lose(worker)
            for task in both:
                task.cancel()
            await asyncio.gather(*both, return_exceptions=True)

    def join(self, offering: Offering) -> Worker:
        worker = Worker(offering.seats)
        self.workers.add(worker)
        log(logging.INFO, "worker-joined", seats=worker.seats)
        self._give()
        return worker

    def lose(self, worker: Worker) -> None:
        """A worker is gone: others get its seats at once."""
        self.workers.discard(worker)
        log(logging.INFO, "worker-left", seats=len(worker.serves))
        for failed in self.failed.values():
            failed.discard(worker)
        for place in worker.serves:
            del self.given[place]
            self._hush(place)
        self.waiting = dict.fromkeys([*sorted(worker.serves), *self.waiting])
        worker.serves = set()
        self._give()

    def again(self, worker: Worker, place: Place) -> None:
        worker.send(self._serve(place) if place in worker.serves else Release(*place))

    def dismiss(self, place: Place) -> None:
        """A worker does not play for a seat that it was given: another one does, if one can."""
        worker = self.given[place]
        log(logging.WARNING, "worker-failed", table=place[0], seat=place[1])
        failed = self.failed.get(place, set())
        self._take_back(place)
        worker.failures += 1
        self.failed[place] = failed | {worker}
        self.waiting[place] = None
        self._give()

    def forsaken(self) -> list[Place]:
        """The seats for which there is nobody but workers that failed."""
        return [place for place in self.failed if place in self.waiting and self._is_ours(place)]

    # Seats -------------------------------------------------------------------------------------

    def decision(self, place: Place) -> int | None:
        """The decision that the bot of a seat owes."""
        table, seat = place
        room = self.hall.rooms.get(table)
        if room is None or room.live is None or seat not in room.bot_seats():
            return None
        return room.live.decision(seat)

    async def seat(self, socket: AnySocket, ticket: Ticket) -> None:
        """The socket of a table in the hands of a bot. The caller has accepted it."""
        assert ticket.seat is not None
        place = ticket.table, ticket.seat
        room = await self.hall.room(ticket.table)
        talk = BotTalk(socket, room, ticket.player, ticket.seat, self.source)
        if place not in self.given:
            talk.line.close(wire.Bye("released", "this seat is not yours any more", False))
        else:
            self.talks.setdefault(place, set()).add(talk)
        try:
            with room.kept(talk.line):
                await talk.hold()
        finally:
            talks = self.talks.get(place, set())
            talks.discard(talk)
            if not talks:
                self.talks.pop(place, None)


class BotTalk(Conversation):
    """A bot may do less than a person: it plays, for a seat that wants a bot."""

    def __init__(self, socket: AnySocket, room: Room, id: str, seat: int, source: Source) -> None:
        player = PlayerRow(id, "bot", id, None, None, source.now())
        super().__init__(socket, room, player, seat, Limits(source.now, {"player": FASTEST}))

    async def do(self, command: wire.Command) -> wire.Answer | None:
        if not isinstance(command, wire.Hello | wire.Play | wire.WhyNot):
            raise Problem(403, "not-for-bots", "a bot plays, and does nothing else")
        return await super().do(command)
