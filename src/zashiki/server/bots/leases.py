"""Leases on seats: of the servers that share a store, one at a time runs the bot of a seat."""

import time
from collections.abc import Iterable
from contextlib import suppress

from zashiki.server.store.coordination import Coordination, Place
from zashiki.server.store.errors import StoreFault

LEASE_SECONDS = 5.0
"""Lifetime of a lease. If this server dies, another one can have the seat after that."""
RENEW_SECONDS = 2.0
"""Interval at which leases on assigned seats are renewed."""


class SeatLeases:
    """The leases of one server."""

    def __init__(self, coordination: Coordination, server: str) -> None:
        self.coordination = coordination
        self.server = server
        self.held: set[Place] = set()
        self._is_closed = False
        self._renewed = time.monotonic()

    async def update(self, assigned: set[Place], unassigned: set[Place]) -> set[Place]:
        """Release unneeded leases, request unassigned seats and renew assigned ones when due.

        Return the seats that another server holds.
        """
        await self._release(self.held - assigned - unassigned)
        is_due = time.monotonic() - self._renewed > RENEW_SECONDS
        requested = assigned | unassigned if is_due else unassigned
        granted = await self._request(requested)
        if is_due:
            self._renewed = time.monotonic()
        return requested - granted

    async def close(self) -> None:
        """Release all leases and take no more."""
        self._is_closed = True
        with suppress(StoreFault):  # the leases expire soon
            await self._release(set(self.held))

    async def _request(self, places: set[Place]) -> set[Place]:
        if not places or self._is_closed:
            return set()
        granted = await self.coordination.lease(self.server, sorted(places), LEASE_SECONDS)
        self.held = self.held - places | granted
        if self._is_closed:  # closed during the request, so nothing else would release them
            await self._release(granted)
        return granted

    async def _release(self, places: Iterable[Place]) -> None:
        released = sorted(places)
        self.held.difference_update(released)
        if released:
            await self.coordination.release(self.server, released)
