"""Keepalive of all WebSockets by one timer: pings, and an end for clients that do not answer."""

import asyncio
from collections import OrderedDict
from itertools import islice, takewhile
from typing import Protocol


class Pinged(Protocol):
    """A connection that can be pinged."""

    def ping(self) -> None:
        """Send a ping. Drop the client if it has not answered the ping before."""


class KeepAlive:
    """Calls `ping` on each connection once per interval."""

    interval = 25.0
    """Seconds between two pings of one connection, and for the answer to come. Proxies cut off
    sockets on which they see nothing for a minute."""
    sweep_seconds = 5.0
    """Seconds between two looks at those whose turn it is. A ping costs half as much among many as
    alone, because their answers come together."""
    max_pings_per_sweep = 250
    """If more are due, the others wait for 10 ms, so that nobody waits for all of them."""

    def __init__(self) -> None:
        self._due: OrderedDict[Pinged, float] = OrderedDict()
        """When each is pinged next, the earliest first."""
        self._timer: asyncio.TimerHandle | None = None

    def add(self, connection: Pinged) -> None:
        loop = asyncio.get_running_loop()
        self._due[connection] = loop.time() + self.interval
        if self._timer is None:
            self._timer = loop.call_later(self.sweep_seconds, self._sweep)

    def discard(self, connection: Pinged) -> None:
        self._due.pop(connection, None)

    def _sweep(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        first = islice(self._due.items(), self.max_pings_per_sweep)
        due = [connection for connection, _ in takewhile(lambda item: item[1] <= now, first)]
        for connection in due:
            self._due[connection] = now + self.interval
            self._due.move_to_end(connection)
            connection.ping()
        delay = self.sweep_seconds if len(due) < self.max_pings_per_sweep else 0.01
        self._timer = loop.call_later(delay, self._sweep) if self._due else None
