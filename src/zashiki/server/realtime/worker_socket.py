"""The socket of a bot worker: it says what it can play and review, and is told what."""

import asyncio

import msgspec

from zashiki.server.bots.dispatcher import MAX_WORKERS, BotDispatcher
from zashiki.server.bots.reviews import ReviewQueue
from zashiki.server.bots.worker_link import WorkerLink
from zashiki.server.protocol.workers import Full, ReviewEnded, TicketRequest, WorkerFrame
from zashiki.server.realtime.table_socket import MAX_FRAME_LENGTH
from zashiki.server.realtime.transport import WebSocketConnection

WORKER_FRAMES = msgspec.json.Decoder(WorkerFrame)


class WorkerSession:
    """One worker, from its first frame to its last."""

    def __init__(
        self, dispatcher: BotDispatcher, reviews: ReviewQueue, socket: WebSocketConnection
    ) -> None:
        self.dispatcher = dispatcher
        self.reviews = reviews
        self.socket = socket
        self.worker: WorkerLink | None = None
        self._sending: asyncio.Task[None] | None = None
        self._can_write = asyncio.Event()

    async def run(self) -> None:
        """Take offers and send orders until either side ends the connection."""
        self.socket.listen(self._receive, self._can_write.set)
        try:
            await self.socket.over
        finally:
            if self.worker is not None:
                self.dispatcher.remove_worker(self.worker)
                self.reviews.remove_worker(self.worker)
            if self._sending is not None:
                self._sending.cancel()
                await asyncio.gather(self._sending, return_exceptions=True)

    def _receive(self, raw: str) -> None:
        try:
            frame = WORKER_FRAMES.decode(raw[: MAX_FRAME_LENGTH + 1])
        except (msgspec.DecodeError, RecursionError):
            self.socket.hang_up()
            return
        if isinstance(frame, TicketRequest):
            if self.worker is not None:
                self.dispatcher.send_ticket(self.worker, (frame.table, frame.seat))
        elif isinstance(frame, ReviewEnded):
            if self.worker is not None:
                self.reviews.end(self.worker, frame.match)
        elif self.worker is None:
            self.worker = self.dispatcher.add_worker(frame)
            self.reviews.add_worker(self.worker)
            self._sending = asyncio.create_task(self._send_orders(self.worker))

    async def _send_orders(self, worker: WorkerLink) -> None:
        """Send orders as fast as the worker reads them. None ends the connection."""
        while (order := await worker.orders.get()) is not None:
            self.socket.write([msgspec.json.encode(order)])
            while not self.socket.is_writable:
                self._can_write.clear()
                await self._can_write.wait()
        self.socket.hang_up()


async def serve_worker(
    dispatcher: BotDispatcher, reviews: ReviewQueue, socket: WebSocketConnection
) -> None:
    """Serve a worker. The caller has accepted its socket."""
    if len(dispatcher.workers) >= MAX_WORKERS:
        socket.write([msgspec.json.encode(Full(MAX_WORKERS))])
    else:
        await WorkerSession(dispatcher, reviews, socket).run()
