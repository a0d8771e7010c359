"""A process that plays for seats: the server's desk says which, and for how long."""

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
from zashiki.server.bots.seat_client import LOST, Mind, SeatClient, connected
from zashiki.server.ops.logs import config, log
from zashiki.server.protocol.workers import SOCKET, Again, Full, Offering, Order, Serve, Told
from zashiki.server.settings import WorkerSettings, read_server

LONGEST_WAIT = 2.0
ANSWER_WITHIN = 10.0
REFUSED = (401, 403)
NICE = 5
"""The server itself comes first on its machine."""

TOLD = msgspec.json.Decoder(Told)


class Job:
    """A seat that this worker plays for."""

    def __init__(self, worker: "Worker", serve: Serve) -> None:
        self.worker = worker
        self.place = serve.table, serve.seat
        self.ticket: str | None = serve.ticket
        self.came = asyncio.Event()
        url = f"{worker.url}/api/tables/{serve.table}/socket"
        self.client = SeatClient(
            url, serve.seat, serve.bot, self.next_ticket, worker.thread, serve.pace
        )
        self.task = asyncio.create_task(self.client.play())
        self.task.add_done_callback(self._ended)

    async def next_ticket(self) -> str:
        if self.ticket is None:
            self.came.clear()
            await self.worker.send(Again(*self.place))
            await asyncio.wait_for(self.came.wait(), ANSWER_WITHIN)
        ticket, self.ticket = self.ticket, None
        assert ticket is not None
        return ticket

    def served(self, serve: Serve) -> None:
        """Another ticket, or another pace."""
        self.client.pace = serve.pace
        self.ticket = serve.ticket
        self.came.set()

    def _ended(self, task: "asyncio.Task[None]") -> None:
        if self.worker.jobs.get(self.place) is self:
            del self.worker.jobs[self.place]
        if not task.cancelled() and (fault := task.exception()) is not None:
            table, seat = self.place
            log(logging.ERROR, "broken", fault, table=table, seat=seat)


class Worker:
    """Keeps a line to the server, and plays for the seats that come over it."""

    def __init__(
        self,
        server: str,
        token: str,
        seats: int = WorkerSettings.seats,
        patience: float = WorkerSettings.patience,
        fellows: "list[Worker] | None" = None,
        is_leashed: bool = False,
    ) -> None:
        self.url = socket_url(server)
        self.server = re.sub("//[^/]*@", "//", server.strip())
        """As it was typed; but a password is not said."""
        self.is_leashed = is_leashed
        """Whose worker it is says itself that it came and went."""
        self.trouble = ""
        """Why the server is not there, if it is not."""
        self.reached = time.monotonic()
        self.fellows = [] if fellows is None else fellows
        """Those in this process: as long as one of them has a server, none of them gives up."""
        self.fellows.append(self)
        self.token = token
        self.seats = seats
        self.patience = patience
        self.jobs: dict[tuple[str, int], Job] = {}
        self.leaving: set[asyncio.Task[None]] = set()
        """Seats that are being left: closing a connection may take a moment."""
        self.thread: Mind = self.fellows[0].thread if len(self.fellows) > 1 else Mind()
        self.socket: ClientConnection | None = None

    async def run(self) -> None:
        """Until no server can be reached for too long."""
        wait = 0.05
        try:
            while True:
                try:
                    if await self._shift():
                        self.reached, wait = time.monotonic(), 0.05
                except InvalidStatus as fault:
                    self._miss(fault.response.status_code)
                except (*LOST, InvalidHandshake):
                    self._miss()
                if time.monotonic() - self.last_reached() > self.patience:
                    told = (one.trouble or f"{one.server} is gone" for one in self.fellows)
                    raise Malformed("; ".join(told))
                await asyncio.sleep(wait)
                wait = min(2 * wait, LONGEST_WAIT)
        finally:
            self.thread.shutdown(wait=False, cancel_futures=True)

    def _miss(self, status: int | None = None) -> None:
        """The server is not there, or something else is that answers. It is written down once, not
        at each try."""
        if status in REFUSED:
            raise Malformed(f"{self.server} does not take this token")
        is_known = bool(self.trouble)
        if status is None:
            self.trouble = f"{self.server} cannot be reached"
        else:
            self.trouble = (
                f"{self.server} answers with status {status}: the address of a server itself is "
                "expected, not that of a proxy"
            )
        if not is_known and not self.is_leashed:
            answer: dict[str, Any] = {} if status is None else {"status": status}
            log(logging.WARNING, "unreachable", server=self.server, **answer)

    def last_reached(self) -> float:
        """When a server was there last; one that is talked to is there."""
        if any(one.socket is not None for one in self.fellows):
            return time.monotonic()
        return max(one.reached for one in self.fellows)

    async def _shift(self) -> bool:
        """One connection to the desk, from beginning to end."""
        headers = {"Authorization": f"Bearer {self.token}"}
        async with connected(f"{self.url}{SOCKET}", headers) as socket:
            self.socket, self.trouble = socket, ""
            if not self.is_leashed:
                log(logging.INFO, "connected", server=self.server)
            try:
                await self.send(Offering(self.seats))
                while True:
                    told: Told = TOLD.decode(await socket.recv())
                    if isinstance(told, Full):
                        most = f"has {told.most} workers, and takes no more"
                        raise Malformed(f"{self.server} {most}")
                    self._do(told)
            except LOST:
                if not self.is_leashed:
                    log(logging.INFO, "disconnected", server=self.server)
                return True
            finally:
                self.socket = None
                for job in list(self.jobs.values()):
                    self._drop(job)
                await asyncio.gather(*self.leaving, return_exceptions=True)

    async def send(self, frame: Offering | Again) -> None:
        if self.socket is None:
            raise ConnectionError("the line to the desk is lost")
        await self.socket.send(msgspec.json.encode(frame).decode())

    def _do(self, order: Order) -> None:
        place = order.table, order.seat
        job = self.jobs.get(place)
        if isinstance(order, Serve):
            if job is None or job.client.bot != order.bot:
                if job is not None:
                    self._drop(job)
                self.jobs[place] = Job(self, order)
            else:
                job.served(order)
        elif job is not None:
            self._drop(job)

    def _drop(self, job: Job) -> None:
        self.jobs.pop(job.place, None)
        self.leaving.add(job.task)
        job.task.add_done_callback(self.leaving.discard)
        job.task.cancel()


def socket_url(server: str) -> str:
    """Return http://… as ws://…, without a slash at its end."""
    scheme, _, rest = read_server(server).partition("://")
    return f"{scheme.lower().replace('http', 'ws')}://{rest}"


def work(settings: WorkerSettings, leash: bool) -> int:
    """Play until told to end: by a signal or, on a leash, by the end of standard input."""
    logging.config.dictConfig(config(settings.quiet))
    fellows: list[Worker] = []
    for server in settings.servers:
        Worker(server, settings.token, settings.seats, settings.patience, fellows, leash)
    if leash and hasattr(os, "nice"):
        os.nice(NICE)
    return asyncio.run(until_told(fellows, leash))


async def until_told(fellows: Sequence[Worker], leash: bool) -> int:
    loop = asyncio.get_running_loop()
    working = asyncio.ensure_future(asyncio.gather(*(worker.run() for worker in fellows)))
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, working.cancel)
    if leash:
        threading.Thread(target=wait_for_end, args=(loop, working), daemon=True).start()
    with contextlib.suppress(asyncio.CancelledError):
        await working
    return 0


def wait_for_end(loop: asyncio.AbstractEventLoop, working: "asyncio.Future[list[None]]") -> None:
    """Whoever started this process holds the other end, and is gone when it closes."""
    with contextlib.suppress(OSError):
        while os.read(0, 1024):
            pass
    with contextlib.suppress(RuntimeError):  # the loop has ended already
        loop.call_soon_threadsafe(working.cancel)
