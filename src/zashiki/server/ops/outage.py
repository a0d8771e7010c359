"""Failures of the database: metrics, log, answers to clients, and a probe for `/health`."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from zashiki.server.errors import ApiError
from zashiki.server.ops.logs import log
from zashiki.server.ops.metrics import FAULTS
from zashiki.server.store.errors import Away, Busy, CommitUnanswered, StoreFault

OVERLOADED = "the server is overloaded: try again in a moment"
NO_DATABASE = "the database cannot be reached: try again in a moment"
PROBE_SECONDS = 2.0
"""Time for which the result of a probe is valid."""
PROBE_TIMEOUT_SECONDS = 5.0


class Outage:
    """An outage of the database. It is logged when it begins and when it ends, once each."""

    def __init__(self) -> None:
        self.is_on = False

    def record(self, fault: StoreFault, table: str | None = None) -> None:
        """Count a failure of the database. Log it, unless an outage was logged already."""
        FAULTS.add()
        is_lasting = isinstance(fault, Away | CommitUnanswered)
        if not (is_lasting and self.is_on):
            log(logging.ERROR, "store", fault, **({} if table is None else {"table": table}))
        self.is_on = self.is_on or is_lasting

    def end(self) -> None:
        """End the outage, if there is one, because the database has answered."""
        if self.is_on:
            self.is_on = False
            log(logging.WARNING, "store", code="back")

    def error_for(self, fault: StoreFault, table: str | None = None) -> ApiError:
        """Record a failure, and return the error for the client.

        The client may send the same command again. It is executed once, even if it was stored.
        """
        is_only_busy = isinstance(fault, Busy) and not isinstance(fault, Away)
        if not is_only_busy:
            self.record(fault, table)
        text = OVERLOADED if is_only_busy and not self.is_on else NO_DATABASE
        return ApiError(503, "busy", text, {"retry_after": 1})


class Probe:
    """Tries an operation of the database, no more often than every few seconds: anyone may ask for
    the result."""

    def __init__(self, attempt: Callable[[], Awaitable[object]]) -> None:
        self._attempt = attempt
        self._lock = asyncio.Lock()
        self._succeeded = False
        self._valid_until = 0.0

    async def succeeds(self) -> bool:
        """Return whether the last attempt succeeded."""
        loop = asyncio.get_running_loop()
        async with self._lock:
            if loop.time() >= self._valid_until:
                self._succeeded = await self._try()
                self._valid_until = loop.time() + PROBE_SECONDS
            return self._succeeded

    async def _try(self) -> bool:
        try:
            async with asyncio.timeout(PROBE_TIMEOUT_SECONDS):
                await self._attempt()
        except (StoreFault, TimeoutError):
            return False
        return True
