"""Protection of work from cancellation."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

Result = TypeVar("Result")


async def run_to_completion(work: Awaitable[Result]) -> Result:
    """Await work to its end, even if the caller is cancelled. Then raise the cancellation.

    With `asyncio.shield` a cancelled caller returns at once, and cleans up too early.
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
    try:
        return task.result()
    finally:
        del task  # a fault refers to this frame: the two would wait for the garbage collector
