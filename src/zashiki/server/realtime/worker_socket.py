"""The socket of a bot worker: it says how many seats it can play, and is told which."""

import asyncio

import msgspec
from litestar.exceptions import WebSocketDisconnect

from zashiki.server.bots.dispatcher import MAX_WORKERS, BotDispatcher, Worker
from zashiki.server.protocol.workers import Again, Asked, Full
from zashiki.server.realtime.table_socket import MAX_FRAME_LENGTH, AnySocket

ASKED = msgspec.json.Decoder(Asked)


async def serve_worker(dispatcher: BotDispatcher, socket: AnySocket) -> None:
    """Serve a worker, from its first frame to its last."""
    if len(dispatcher.workers) >= MAX_WORKERS:
        await socket.send_data(msgspec.json.encode(Full(MAX_WORKERS)).decode(), mode="text")
        return
    worker: Worker | None = None

    async def read() -> None:
        nonlocal worker
        while True:
            try:
                raw = await socket.receive_data(mode="text")
                asked = ASKED.decode(raw[: MAX_FRAME_LENGTH + 1])
            except (WebSocketDisconnect, msgspec.DecodeError, RecursionError):
                return
            if isinstance(asked, Again):
                if worker is not None:
                    dispatcher.again(worker, (asked.table, asked.seat))
            elif worker is None:
                worker = dispatcher.join(asked)
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
            dispatcher.lose(worker)
        for task in both:
            task.cancel()
        await asyncio.gather(*both, return_exceptions=True)
