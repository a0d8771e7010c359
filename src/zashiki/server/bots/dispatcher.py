"""The dispatcher: assigns every seat that needs a bot to a worker."""

import asyncio
import hmac
import logging
from contextlib import suppress

import msgspec

from zashiki.server.accounts.tickets import Tickets
from zashiki.server.bots.leases import SeatLeases
from zashiki.server.bots.worker_link import WorkerLink
from zashiki.server.ops.logs import log
from zashiki.server.protocol import frames
from zashiki.server.protocol.workers import Offering, Priority, Release, Serve
from zashiki.server.store.coordination import Coordination, Place
from zashiki.server.store.errors import StoreFault
from zashiki.server.store.rows import is_bot
from zashiki.server.system import System
from zashiki.server.tables.connection import Connection
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.model import bot_id
from zashiki.server.tables.observer import TableObserver
from zashiki.server.tables.registry import TableRegistry

MAX_WORKERS = 100
SPARE_TABLES = 4
"""Tables of bots alone that are played at the same time, per worker."""
LEASE_RETRY_SECONDS = 0.5
"""Interval at which seats that another server holds are requested again."""
RELEASED = frames.Bye("released", "this seat is not yours any more", False)


class BotDemand(msgspec.Struct, frozen=True):
    """The bots that a table needs."""

    game: str
    bots: dict[int, str]
    """The name of the bot, by seat."""
    pace: float
    has_people: bool
    stand_ins: frozenset[int]
    """Seats of people. If a bot plays there, it is a stand-in."""

    def priority(self, seat: int) -> Priority:
        if not self.has_people:
            return Priority.SPARE
        return Priority.STAND_IN if seat in self.stand_ins else Priority.PEOPLE


class BotDispatcher(TableObserver[LiveTable]):
    """Assigns seats to workers, and takes them back when no bot is needed."""

    def __init__(
        self,
        registry: TableRegistry,
        tickets: Tickets,
        system: System,
        token: str,
        pace: float = 0.0,
        has_own_workers: bool = True,
        coordination: Coordination | None = None,
        name: str = "",
    ) -> None:
        self.registry = registry
        self.tickets = tickets
        self.system = system
        self.token = token
        self.pace = pace
        self.has_own_workers = has_own_workers
        """True if the server runs workers itself, so that one will connect soon."""
        self.name = name
        self.workers: set[WorkerLink] = set()
        self.demands: dict[str, BotDemand] = {}
        """By the id of the table."""
        self.assignments: dict[Place, WorkerLink] = {}
        self.unassigned: dict[Place, None] = {}
        """Seats without a worker, those that have waited longest first."""
        self.failed_workers: dict[Place, set[WorkerLink]] = {}
        """Workers that did not play a seat that was assigned to them."""
        self.connections: dict[Place, set[Connection]] = {}
        """The open connections of bots."""
        self.leases: SeatLeases | None = None
        """None if no other server shares the store."""
        if coordination is not None:
            self.leases = SeatLeases(coordination, name)
        self.spare: dict[str, None] = {}
        """Tables of bots alone that are played now."""
        self.waiting: dict[str, None] = registry.waiting_for_bots
        """Tables of bots alone that wait for one of these to end, in order."""
        self._loading: set[asyncio.Task[None]] = set()
        self.is_retired = False
        self._demand_changed = asyncio.Event()
        registry.observe(self)

    async def resume(self) -> None:
        """Continue the unfinished matches in which only bots are left, a few at once."""
        for match in await self.registry.store.unfinished():
            people = {seat for seat, id in enumerate(match.players) if not is_bot(id)}
            row = await self.registry.store.table(match.table)
            if row is None or not people <= set(row.doc.get("resigned", ())):
                continue
            if row.id not in self.spare:
                self.waiting.setdefault(row.id)
        self._play_waiting()

    # Tables ------------------------------------------------------------------------------------

    def is_staffed(self) -> bool:
        """Return True if a worker is connected, or will be soon."""
        return self.has_own_workers or bool(self.workers)

    def on_bots_changed(self, table: LiveTable) -> None:
        """Assign, update or take back seats after the bots that a table needs have changed."""
        table_id, bots, has_people = table.row.id, table.bot_seats(), table.has_people()
        if not self._may_play(table_id, bool(bots) and not has_people):
            bots = {}
        pace, stand_ins = self.pace if has_people else 0.0, frozenset(table.doc.people())
        demand = BotDemand(table.doc.game, bots, pace, has_people, stand_ins)
        before = self.demands.pop(table_id, demand)
        if bots:
            self.demands[table_id] = demand
        for seat, bot in before.bots.items():
            place = table_id, seat
            if bots.get(seat) != bot:
                self._unassign(place)
            elif before.has_people != has_people and place in self.assignments:
                self.assignments[place].send(self._serve_order(place))
        for seat in bots:
            if (table_id, seat) not in self.assignments:
                self.unassigned[table_id, seat] = None
        self._demand_changed.set()
        self._assign_seats()
        self._play_waiting()

    # Bots among themselves -----------------------------------------------------------------------

    def _may_play(self, table: str, is_spare: bool) -> bool:
        """Return False if only bots play at a table, and enough such tables are played now."""
        if not is_spare:
            self.spare.pop(table, None)
            self.waiting.pop(table, None)
        elif table not in self.spare:
            if len(self.spare) >= self._most_spare():
                self.waiting.setdefault(table)
                return False
            self.waiting.pop(table, None)
            self.spare[table] = None
        return True

    def _most_spare(self) -> int:
        return SPARE_TABLES * max(1, len(self.workers))

    def _play_waiting(self) -> None:
        """Begin with the tables that waited longest, as many as may be played."""
        while self.waiting and len(self.spare) < self._most_spare() and not self.is_retired:
            table = next(iter(self.waiting))
            del self.waiting[table]
            self.spare[table] = None
            task = asyncio.create_task(self._load(table))
            self._loading.add(task)
            task.add_done_callback(self._loading.discard)

    async def _load(self, id: str) -> None:
        """Have a table played that waited, and perhaps was not in memory meanwhile."""
        try:
            self.on_bots_changed(await self.registry.find(id))
        except Exception as fault:  # one broken table must not stop the others
            log(logging.ERROR, "broken", fault, table=id)
            self.spare.pop(id, None)
            self._play_waiting()

    # Assignments -------------------------------------------------------------------------------

    async def keep_leases(self) -> None:
        """Lease the seats that this server serves, until it retires.

        Every server with a table in memory wants the bots of that table. The lease decides.
        """
        while self.leases is not None and not self.is_retired:
            with suppress(TimeoutError):
                async with asyncio.timeout(LEASE_RETRY_SECONDS):
                    await self._demand_changed.wait()
            self._demand_changed.clear()
            try:
                refused = await self.leases.update(set(self.assignments), set(self.unassigned))
            except StoreFault:
                await asyncio.sleep(LEASE_RETRY_SECONDS)  # no other server can lease either
            except Exception as fault:  # retried soon
                log(logging.ERROR, "broken", fault)
                await asyncio.sleep(LEASE_RETRY_SECONDS)
            else:
                for place in [place for place in self.assignments if place in refused]:
                    self._unassign(place)
                    self.unassigned[place] = None
                self._assign_seats()

    async def retire(self) -> None:
        """Take back all seats for good, and release them to other servers."""
        self.is_retired = True
        for place in list(self.assignments):
            self._unassign(place)
        if self.leases is not None:
            await self.leases.close()

    def _is_ours(self, place: Place) -> bool:
        return self.leases is None or place in self.leases.held

    def _unassign(self, place: Place) -> None:
        self.unassigned.pop(place, None)
        self.failed_workers.pop(place, None)
        worker = self.assignments.pop(place, None)
        if worker is not None:
            worker.assigned.discard(place)
            worker.send(Release(*place))
        self._close_bot_sockets(place)

    def _close_bot_sockets(self, place: Place) -> None:
        """Disconnect the previous bot of a seat, so that it receives nothing more."""
        for connection in self.connections.pop(place, set()):
            connection.close(RELEASED)

    def _assign_seats(self) -> None:
        """Assign waiting seats to workers, the most urgent first."""
        if self.is_retired:
            return
        ours = [place for place in self.unassigned if self._is_ours(place)]
        for place in sorted(ours, key=self._priority):
            worker = self._free_worker(place)
            if worker is None:
                continue
            del self.unassigned[place]
            self.assignments[place] = worker
            worker.assigned.add(place)
            worker.send(self._serve_order(place))

    def _priority(self, place: Place) -> Priority:
        table, seat = place
        return self.demands[table].priority(seat)

    def _free_worker(self, place: Place) -> WorkerLink | None:
        """Return the worker with the fewest failures and the fewest seats.

        Each worker thinks in one thread, whatever number of seats it offers. If none is free, a
        seat where people play takes the place of one where only bots do.
        """
        failed = self.failed_workers.get(place, set())
        able = [worker for worker in self.workers if worker not in failed]
        free = [worker for worker in able if len(worker.assigned) < worker.capacity]
        if free:
            return min(free, key=lambda worker: (worker.failures, len(worker.assigned)))
        if self._priority(place) == Priority.SPARE:
            return None
        for other, worker in self.assignments.items():
            if worker in able and self._priority(other) == Priority.SPARE:
                self._unassign(other)
                self.unassigned[other] = None
                return worker
        return None

    def _serve_order(self, place: Place) -> Serve:
        table, seat = place
        demand = self.demands[table]
        bot = demand.bots[seat]
        ticket = self.tickets.issue(bot_id(bot), 0, table, seat)
        return Serve(table, seat, ticket, bot, demand.game, demand.pace, demand.priority(seat))

    # Workers -----------------------------------------------------------------------------------

    def is_worker(self, authorization: str | None) -> bool:
        """Return True if an `Authorization` header carries the token of bot workers."""
        scheme, _, token = (authorization or "").partition(" ")
        given = token.strip().encode("utf-8", "replace")
        is_equal = hmac.compare_digest(given, self.token.encode("ascii"))
        return is_equal and scheme.lower() == "bearer"

    def add_worker(self, offering: Offering) -> WorkerLink:
        """Register a worker that has connected, and assign seats to it."""
        worker = WorkerLink(offering.seats, offering.reviews)
        self.workers.add(worker)
        log(logging.INFO, "worker-joined", seats=worker.capacity)
        self._assign_seats()
        self._play_waiting()
        return worker

    def remove_worker(self, worker: WorkerLink) -> None:
        """Forget a worker that has disconnected, and assign its seats to others."""
        self.workers.discard(worker)
        log(logging.INFO, "worker-left", seats=len(worker.assigned))
        for failed in self.failed_workers.values():
            failed.discard(worker)
        for place in worker.assigned:
            del self.assignments[place]
            self._close_bot_sockets(place)
        self.unassigned = dict.fromkeys([*sorted(worker.assigned), *self.unassigned])
        worker.assigned = set()
        self._assign_seats()

    def send_ticket(self, worker: WorkerLink, place: Place) -> None:
        """Send a worker another ticket for its seat; if the seat is not its own, a release."""
        worker.send(self._serve_order(place) if place in worker.assigned else Release(*place))

    def reassign(self, place: Place) -> None:
        """Move a seat from a worker that does not play it to another one, if there is one."""
        worker = self.assignments[place]
        log(logging.WARNING, "worker-failed", table=place[0], seat=place[1])
        failed = self.failed_workers.get(place, set())
        self._unassign(place)
        worker.failures += 1
        self.failed_workers[place] = failed | {worker}
        self.unassigned[place] = None
        self._assign_seats()

    def unserved_seats(self) -> list[Place]:
        """Return the seats of this server for which no worker is free after one has failed."""
        waiting = [place for place in self.failed_workers if place in self.unassigned]
        return [place for place in waiting if self._is_ours(place)]

    # Seats -------------------------------------------------------------------------------------

    def owed_decision(self, place: Place) -> int | None:
        """Return the number of the decision that the bot of a seat owes, or None."""
        table_id, seat = place
        table = self.registry.tables.get(table_id)
        if table is None or table.live is None or seat not in table.bot_seats():
            return None
        return table.live.decision(seat)

    def attach(self, place: Place, connection: Connection) -> None:
        """Register the connection of a bot. Close it if the seat was taken back meanwhile."""
        if place not in self.assignments:
            connection.close(RELEASED)
        else:
            self.connections.setdefault(place, set()).add(connection)

    def detach(self, place: Place, connection: Connection) -> None:
        connections = self.connections.get(place, set())
        connections.discard(connection)
        if not connections:
            self.connections.pop(place, None)
