"""A worker: a process that plays the seats that servers assign to it."""

import asyncio
import contextlib
import logging
import logging.config
import os
import re
import signal
import threading
import time
from collections.abc import Sequence
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import InvalidHandshake, InvalidStatus

from zashiki.core.rulings import Malformed
from zashiki.server.bots.review_process import ReviewJob, run_review
from zashiki.server.bots.seat_client import CONNECTION_ERRORS, SeatClient, open_socket
from zashiki.server.bots.thread import BotThread
from zashiki.server.ops.logs import config, log
from zashiki.server.protocol.workers import (
    SOCKET,
    Full,
    Offering,
    Order,
    ReviewEnded,
    ReviewMatch,
    SeatOrder,
    Serve,
    StopReview,
    TicketRequest,
    WorkerFrame,
)
from zashiki.server.settings import WorkerSettings, read_server

MIN_RECONNECT_SECONDS = 0.05
MAX_RECONNECT_SECONDS = 2.0
TICKET_TIMEOUT_SECONDS = 10.0
MAX_REVIEWS = 1
"""Reviews at once, each in a process of its own."""
UNAUTHORIZED = (401, 403)
NICENESS = 5
"""Scheduling priority of the server's own workers: the server goes first."""

SERVER_FRAMES = msgspec.json.Decoder(Order | Full)


class Job:
    """A seat that this worker plays."""

    def __init__(self, worker: "Worker", serve: Serve) -> None:
        self.worker = worker
        self.place = serve.table, serve.seat
        self.ticket: str | None = serve.ticket
        self.ticket_arrived = asyncio.Event()
        url = f"{worker.url}/api/tables/{serve.table}/socket"
        self.lane = worker.thread.lane(serve.priority)
        self.client = SeatClient(
            url, serve.seat, serve.bot, self.next_ticket, self.lane, serve.pace
        )
        self.task = asyncio.create_task(self.client.play())
        self.task.add_done_callback(self._on_done)

    async def next_ticket(self) -> str:
        """Return an unused ticket. Request one from the server if there is none."""
        if self.ticket is None:
            self.ticket_arrived.clear()
            await self.worker.send(TicketRequest(*self.place))
            await asyncio.wait_for(self.ticket_arrived.wait(), TICKET_TIMEOUT_SECONDS)
        ticket, self.ticket = self.ticket, None
        assert ticket is not None
        return ticket

    def update(self, serve: Serve) -> None:
        """Take over the ticket, the pace and the priority of a repeated order."""
        self.client.pace = serve.pace
        self.lane.set_priority(serve.priority)
        self.ticket = serve.ticket
        self.ticket_arrived.set()

    def _on_done(self, task: "asyncio.Task[None]") -> None:
        self.lane.close()
        if self.worker.jobs.get(self.place) is self:
            del self.worker.jobs[self.place]
        if not task.cancelled() and (fault := task.exception()) is not None:
            table, seat = self.place
            log(logging.ERROR, "broken", fault, table=table, seat=seat)


class Worker:
    """The connection to one server, and the seats that this server assigned."""

    def __init__(
        self,
        server: str,
        token: str,
        seats: int = WorkerSettings.seats,
        patience: float = WorkerSettings.patience,
        siblings: "list[Worker] | None" = None,
        is_leashed: bool = False,
    ) -> None:
        self.url = socket_url(server)
        self.http_url = read_server(server)
        self.server = re.sub("//[^/]*@", "//", server.strip())
        """The address as typed, without a password."""
        self.is_leashed = is_leashed
        """True for a server's own worker. Its server logs when it connects and disconnects."""
        self.problem = ""
        """The reason why the server cannot be reached; empty if it can."""
        self.last_contact = time.monotonic()
        self.siblings = [] if siblings is None else siblings
        """All workers of this process. None gives up while one of them has a server."""
        self.siblings.append(self)
        self.token = token
        self.seats = seats
        self.patience = patience
        self.jobs: dict[tuple[str, int], Job] = {}
        self.reviews: dict[str, asyncio.Task[None]] = {}
        """By the id of the match."""
        self.stopping: set[asyncio.Task[None]] = set()
        """Tasks of cancelled jobs that still close their connections."""
        self.thread: BotThread = self.siblings[0].thread if len(self.siblings) > 1 else BotThread()
        self.socket: ClientConnection | None = None

    async def run(self) -> None:
        """Work until no server could be reached for `patience` seconds."""
        wait = MIN_RECONNECT_SECONDS
        try:
            while True:
                try:
                    await self._serve_connection()
                    self.last_contact, wait = time.monotonic(), MIN_RECONNECT_SECONDS
                except InvalidStatus as fault:
                    self._note_unreachable(fault.response.status_code)
                except (*CONNECTION_ERRORS, InvalidHandshake):
                    self._note_unreachable()
                if time.monotonic() - self._last_contact_of_all() > self.patience:
                    problems = (one.problem or f"{one.server} is gone" for one in self.siblings)
                    raise Malformed("; ".join(problems))
                await asyncio.sleep(wait)
                wait = min(2 * wait, MAX_RECONNECT_SECONDS)
        finally:
            self.thread.shutdown()

    def _note_unreachable(self, status: int | None = None) -> None:
        """Remember why the connection failed, and log it once per outage."""
        if status in UNAUTHORIZED:
            raise Malformed(f"{self.server} does not accept this token: see its worker.token")
        is_new = not self.problem
        if status is None:
            self.problem = f"{self.server} cannot be reached"
        else:
            self.problem = (
                f"{self.server} answers with status {status}: expected the address of a Zashiki "
                "server itself, not that of a proxy"
            )
        if is_new and not self.is_leashed:
            answer: dict[str, Any] = {} if status is None else {"status": status}
            log(logging.WARNING, "unreachable", server=self.server, **answer)

    def _last_contact_of_all(self) -> float:
        """Return when any server was last connected, by the monotonic clock."""
        if any(one.socket is not None for one in self.siblings):
            return time.monotonic()
        return max(one.last_contact for one in self.siblings)

    async def _serve_connection(self) -> None:
        """Connect to the server and follow its orders until the connection is lost."""
        headers = {"Authorization": f"Bearer {self.token}"}
        async with open_socket(f"{self.url}{SOCKET}", headers) as socket:
            self.socket, self.problem = socket, ""
            if not self.is_leashed:
                log(logging.INFO, "connected", server=self.server)
            try:
                await self.send(Offering(self.seats, MAX_REVIEWS))
                while True:
                    frame: Order | Full = SERVER_FRAMES.decode(await socket.recv())
                    if isinstance(frame, Full):
                        text = f"has {frame.most} workers, the most that it accepts"
                        raise Malformed(f"{self.server} {text}")
                    self._follow(frame)
            except CONNECTION_ERRORS:
                if not self.is_leashed:
                    log(logging.INFO, "disconnected", server=self.server)
            finally:
                self.socket = None
                for job in list(self.jobs.values()):
                    self._stop(job)
                for review in self.reviews.values():
                    self._cancel(review)
                await asyncio.gather(*self.stopping, return_exceptions=True)

    async def send(self, frame: WorkerFrame) -> None:
        if self.socket is None:
            raise ConnectionError("the connection to the server is lost")
        await self.socket.send(msgspec.json.encode(frame).decode())

    def _follow(self, order: Order) -> None:
        if isinstance(order, ReviewMatch):
            self.reviews[order.match] = asyncio.create_task(self._review(order))
        elif isinstance(order, StopReview):
            if order.match in self.reviews:
                self._cancel(self.reviews[order.match])
        else:
            self._follow_seat(order)

    def _follow_seat(self, order: SeatOrder) -> None:
        """Start, update or stop the job of a seat."""
        place = order.table, order.seat
        job = self.jobs.get(place)
        if isinstance(order, Serve):
            if job is not None and job.client.bot == order.bot:
                job.update(order)
                return
            if job is not None:
                self._stop(job)
            self.jobs[place] = Job(self, order)
        elif job is not None:
            self._stop(job)

    def _stop(self, job: Job) -> None:
        self.jobs.pop(job.place, None)
        self._cancel(job.task)

    def _cancel(self, task: "asyncio.Task[None]") -> None:
        self.stopping.add(task)
        task.add_done_callback(self.stopping.discard)
        task.cancel()

    async def _review(self, order: ReviewMatch) -> None:
        """Review a match in a process of its own, and tell the server when that has ended."""
        try:
            await run_review(ReviewJob(self.http_url, self.token, order.match, order.playouts))
        except Exception as fault:
            log(logging.ERROR, "broken", fault, match=order.match)
        finally:
            del self.reviews[order.match]
            with contextlib.suppress(*CONNECTION_ERRORS):  # a lost server notices by itself
                await self.send(ReviewEnded(order.match))


def socket_url(server: str) -> str:
    """Return the WebSocket address of an HTTP address, without a trailing slash."""
    scheme, _, rest = read_server(server).partition("://")
    return f"{scheme.lower().replace('http', 'ws')}://{rest}"


def work(settings: WorkerSettings, leash: bool) -> int:
    """Work for these servers until a signal or, on a leash, the end of standard input."""
    logging.config.dictConfig(config(settings.quiet))
    workers: list[Worker] = []
    for server in settings.servers:
        Worker(server, settings.token, settings.seats, settings.patience, workers, leash)
    if leash and hasattr(os, "nice"):
        os.nice(NICENESS)
    return asyncio.run(run_until_stopped(workers, leash))


async def run_until_stopped(workers: Sequence[Worker], leash: bool) -> int:
    loop = asyncio.get_running_loop()
    running = asyncio.ensure_future(asyncio.gather(*(worker.run() for worker in workers)))
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, running.cancel)
    if leash:
        threading.Thread(target=cancel_at_end_of_input, args=(loop, running), daemon=True).start()
    with contextlib.suppress(asyncio.CancelledError):
        await running
    return 0


def cancel_at_end_of_input(
    loop: asyncio.AbstractEventLoop, running: "asyncio.Future[list[None]]"
) -> None:
    """Cancel the workers when standard input closes, that is, when the parent process is gone."""
    with contextlib.suppress(OSError):
        while os.read(0, 1024):
            pass
    with contextlib.suppress(RuntimeError):  # the loop has ended already
        loop.call_soon_threadsafe(running.cancel)
