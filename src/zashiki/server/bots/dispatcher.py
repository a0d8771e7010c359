"""Where workers come to for seats to play: who plays for whom, as long as somebody has to."""

import asyncio
import base64
import hashlib
import hmac
import logging
import time
from contextlib import suppress

import msgspec

from zashiki.server.accounts.tickets import Tickets
from zashiki.server.ops.logs import log
from zashiki.server.protocol import frames
from zashiki.server.protocol.workers import Offering, Order, Release, Serve
from zashiki.server.store.coordination import Coordination, Place
from zashiki.server.store.errors import StoreFault
from zashiki.server.store.rows import is_bot
from zashiki.server.system import System
from zashiki.server.tables.connection import Connection
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.model import bot_id
from zashiki.server.tables.observer import SilentObserver
from zashiki.server.tables.registry import TableRegistry

MAX_SEATS = 10_000
"""For more no worker can play, whatever it says."""
MAX_WORKERS = 100
MAX_ORDERS_BEHIND = 1000
"""A worker that is so many orders behind, and one for each of its seats, is let go."""
LEASE = 5.0
"""Seconds for which a seat is this server's: if it dies, another one has the seat after that."""
RENEW = 2.0
"""Seconds after which that is said again."""
TRY = 0.5
"""Seconds after which a seat is asked for again that another server has."""
RELEASED = frames.Bye("released", "this seat is not yours any more", False)


def worker_token(key: bytes) -> str:
    """What a worker has to bring: it follows from the server's key, and does not betray it."""
    digest = hmac.digest(key, b"zashiki worker", hashlib.sha256)
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode("ascii")


class Worker:
    """The line to a process that plays for seats."""

    def __init__(self, seats: int) -> None:
        self.seats = min(max(seats, 0), MAX_SEATS)
        self.serves: set[Place] = set()
        self.failures = 0
        """How many seats it was given and did not play for."""
        self.orders: asyncio.Queue[Order | None] = asyncio.Queue()
        """None ends the line."""

    def send(self, order: Order) -> None:
        if self.orders.qsize() > self.seats + MAX_ORDERS_BEHIND:
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


class BotDispatcher(SilentObserver):
    """Gives each seat that wants a bot to a worker, and takes it back."""

    def __init__(
        self,
        registry: TableRegistry,
        tickets: Tickets,
        system: System,
        token: str,
        pace: float = 0.0,
        has_own: bool = True,
        coordination: Coordination | None = None,
        name: str = "",
    ) -> None:
        self.registry = registry
        self.tickets = tickets
        self.system = system
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
        self.lines: dict[Place, set[Connection]] = {}
        """The open connections of bots."""
        self.coordination = (
            coordination if coordination is not None and coordination.is_shared else None
        )
        """Other servers, which may want bots for the same seats."""
        self.name = name
        self.leased: set[Place] = set()
        """The seats for which this server has bots, and no other."""
        self.is_retired = False
        self._wanting = asyncio.Event()
        registry.observe(self)

    async def resume(self) -> None:
        """After a start: go on with the matches that wait for nobody."""
        for match in await self.registry.store.unfinished():
            people = {seat for seat, id in enumerate(match.players) if not is_bot(id)}
            row = await self.registry.store.table(match.table)
            if row is None or not people <= set(row.doc.get("resigned", ())):
                continue
            try:
                await self.registry.find(match.table)
            except Exception as fault:  # one broken table stops no other
                log(logging.ERROR, "broken", fault, table=match.table)

    # Tables ------------------------------------------------------------------------------------

    def is_staffed(self) -> bool:
        """Is there anybody who plays for bots, or will there be soon?"""
        return self.has_own or bool(self.workers)

    def on_bots_changed(self, table: LiveTable) -> None:
        """Take which seats of a table need a bot."""
        table_id, bots = table.row.id, table.bot_seats()
        wish = Wish(table.doc.game, bots, self.pace if table.has_people() else 0.0)
        before = self.wanted.pop(table_id, wish)
        if bots:
            self.wanted[table_id] = wish
        for seat, bot in before.bots.items():
            if bots.get(seat) != bot:
                self._take_back((table_id, seat))
            elif (
                before.pace != wish.pace
                and (worker := self.given.get((table_id, seat))) is not None
            ):
                worker.send(self._serve((table_id, seat)))
        for seat in bots:
            if (table_id, seat) not in self.given:
                self.waiting[table_id, seat] = None
        self._wanting.set()
        self._give()

    # Leases ------------------------------------------------------------------------------------

    async def keep_leases(self) -> None:
        """Seats are wanted by all servers where their table is in memory: one of them has each."""
        renewed = time.monotonic()
        while self.coordination is not None and not self.is_retired:
            with suppress(TimeoutError):
                async with asyncio.timeout(TRY):
                    await self._wanting.wait()
            self._wanting.clear()
            is_time = time.monotonic() - renewed > RENEW
            try:
                await self._lease(self.coordination, {*self.given} if is_time else set())
            except StoreFault:
                await asyncio.sleep(TRY)  # no other server can take them either
            except Exception as fault:  # it is tried again soon
                log(logging.ERROR, "broken", fault)
                await asyncio.sleep(TRY)
            else:
                renewed = time.monotonic() if is_time else renewed

    async def _lease(self, coordination: Coordination, again: set[Place]) -> None:
        """Take what waits, say once more what is ours, and give back what nobody needs."""
        if free := self.leased - {*self.given, *self.waiting}:
            self.leased -= free
            await coordination.release(self.name, sorted(free))
        wanted = again | {*self.waiting}
        if not wanted or self.is_retired:
            return
        ours = await coordination.lease(self.name, sorted(wanted), LEASE)
        if self.is_retired:  # meanwhile: nobody else would give them back
            await coordination.release(self.name, sorted(ours))
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
        if self.coordination is not None and free:
            with suppress(StoreFault):  # they are free soon anyway
                await self.coordination.release(self.name, free)

    def _is_ours(self, place: Place) -> bool:
        return self.coordination is None or place in self.leased

    def _take_back(self, place: Place) -> None:
        self.waiting.pop(place, None)
        self.failed.pop(place, None)
        worker = self.given.pop(place, None)
        if worker is not None:
            worker.serves.discard(place)
            worker.send(Release(*place))
        self._close_bot_sockets(place)

    def _close_bot_sockets(self, place: Place) -> None:
        """Whoever was given this seat before is told nothing more."""
        for connection in self.lines.pop(place, set()):
            connection.close(RELEASED)

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
            self._close_bot_sockets(place)
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

    def unserved_seats(self) -> list[Place]:
        """The seats for which there is nobody but workers that failed."""
        return [place for place in self.failed if place in self.waiting and self._is_ours(place)]

    # Seats -------------------------------------------------------------------------------------

    def decision(self, place: Place) -> int | None:
        """The decision that the bot of a seat owes."""
        table_id, seat = place
        table = self.registry.tables.get(table_id)
        if table is None or table.live is None or seat not in table.bot_seats():
            return None
        return table.live.decision(seat)

    def attach(self, place: Place, connection: Connection) -> None:
        """Keep the connection of a bot's seat. A seat that was taken back has none."""
        if place not in self.given:
            connection.close(RELEASED)
        else:
            self.lines.setdefault(place, set()).add(connection)

    def detach(self, place: Place, connection: Connection) -> None:
        lines = self.lines.get(place, set())
        lines.discard(connection)
        if not lines:
            self.lines.pop(place, None)
