"""The socket of a bot worker: it says how many seats it can play, and is told which."""

import asyncio

import msgspec
from litestar.exceptions import WebSocketDisconnect

from zashiki.server.bots.dispatcher import MAX_WORKERS, BotDispatcher
from zashiki.server.bots.worker_link import WorkerLink
from zashiki.server.protocol.workers import Full, TicketRequest, WorkerFrame
from zashiki.server.realtime.table_socket import MAX_FRAME_LENGTH, AnySocket

WORKER_FRAMES = msgspec.json.Decoder(WorkerFrame)


async def serve_worker(dispatcher: BotDispatcher, socket: AnySocket) -> None:
    """Serve a worker, from its first frame to its last."""
    if len(dispatcher.workers) >= MAX_WORKERS:
        await socket.send_data(msgspec.json.encode(Full(MAX_WORKERS)).decode(), mode="text")
        return
    worker: WorkerLink | None = None

    async def read() -> None:
        nonlocal worker
        while True:
            try:
                raw = await socket.receive_data(mode="text")
                asked = WORKER_FRAMES.decode(raw[: MAX_FRAME_LENGTH + 1])
            except (WebSocketDisconnect, msgspec.DecodeError, RecursionError):
                return
            if isinstance(asked, TicketRequest):
                if worker is not None:
                    dispatcher.send_ticket(worker, (asked.table, asked.seat))
            elif worker is None:
                worker = dispatcher.add_worker(asked)
                told.set_result(worker)

    async def write() -> None:
        orders = (await told).orders
        while (order := await orders.get()) is not None:
            await socket.send_data(msgspec.json.encode(order).decode(), mode="text")

    told: asyncio.Future[WorkerLink] = asyncio.get_running_loop().create_future()
    both = {asyncio.create_task(read()), asyncio.create_task(write())}
    try:
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    finally:
        if worker is not None:
            dispatcher.remove_worker(worker)
        for task in both:
            task.cancel()
        await asyncio.gather(*both, return_exceptions=True)
