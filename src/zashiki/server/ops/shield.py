"""What has to come to its end, whoever waits for it."""

import asyncio
from collections.abc import Awaitable


async def run_to_completion(work: Awaitable[None]) -> None:
    """Wait until it is done, however often who waits is cancelled; after that they are.

    `asyncio.shield` lets go of who waits at once, and with them of the lock that they hold.
    """
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as fault:
            cancelled = fault
    if cancelled is not None:
        await asyncio.gather(task, return_exceptions=True)
        raise cancelled
    task.result()
