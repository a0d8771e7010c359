"""Waits of tests: for an event, with an upper limit that a busy machine does not reach."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from websockets.asyncio import client

PATIENCE = 120.0
"""Seconds after which an event is taken to never happen."""
LOOK = 0.02
"""Seconds between two looks."""


async def until(is_so: Callable[[], bool | Awaitable[bool]]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(PATIENCE):
        while True:
            found = is_so()
            if found if isinstance(found, bool) else await found:
                return
            await asyncio.sleep(LOOK)


def wait_until(is_so: Callable[[], bool]) -> None:
    """The same where no event loop runs."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "this does not happen"
        time.sleep(LOOK)


def connect(url: str, **options: Any) -> client.connect:
    """A WebSocket, however long a busy machine takes to open it or to answer a ping."""
    return client.connect(url, **{"open_timeout": PATIENCE, "ping_timeout": PATIENCE, **options})
