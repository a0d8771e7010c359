"""Waits for events, with a limit that a busy machine does not reach."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from websockets.asyncio import client

TIMEOUT = 120.0
"""Seconds after which a test stops waiting."""
POLL_INTERVAL = 0.02
"""Seconds between two checks."""


async def until(is_so: Callable[[], bool | Awaitable[bool]]) -> None:
    """Wait until a condition holds."""
    async with asyncio.timeout(TIMEOUT):
        while True:
            found = is_so()
            if found if isinstance(found, bool) else await found:
                return
            await asyncio.sleep(POLL_INTERVAL)


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait until a condition holds, without an event loop."""
    end = time.monotonic() + TIMEOUT
    while not is_so():
        assert time.monotonic() < end, "this does not happen"
        time.sleep(POLL_INTERVAL)


def connect(url: str, **options: Any) -> client.connect:
    """Connect a WebSocket, however long a busy machine takes to open it or to answer a ping."""
    return client.connect(url, **{"open_timeout": TIMEOUT, "ping_timeout": TIMEOUT, **options})
