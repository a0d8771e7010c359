"""Keepalive of all WebSockets, which finds peers that are gone without a close frame.

The system of this machine asks each peer on the other end of its TCP connection, which costs this
process nothing. Behind a proxy that is only the proxy. So one timer also pings all clients, often
enough for proxies, which cut off sockets on which they see nothing for a minute.
"""

import asyncio
import socket
from collections import OrderedDict
from itertools import islice, takewhile
from typing import Protocol

TCP_OPTIONS = {"TCP_KEEPIDLE": 20, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 4, "TCP_USER_TIMEOUT": 40_000}
"""A peer is asked after 20 s of silence. One that acknowledges nothing for 40 s is gone."""


def watch_peer(transport: asyncio.Transport) -> None:
    """Let the system notice if the other end of a TCP connection is gone."""
    connected = transport.get_extra_info("socket")
    if connected is not None and connected.family in {socket.AF_INET, socket.AF_INET6}:
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in TCP_OPTIONS.items():
            if hasattr(socket, name):  # not every system has all of them
                connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


class Pinged(Protocol):
    """A connection that can be pinged."""

    def ping(self) -> None:
        """Send a ping."""

    def check_pong(self) -> None:
        """Drop the client if it has not answered the ping."""


class KeepAlive:
    """Pings each connection once per interval, and drops those that do not answer."""

    interval = 50.0
    """Seconds between two pings of one connection."""
    pong_seconds = 20.0
    """Seconds for the answer to come."""
    sweep_seconds = 5.0
    """Seconds between two looks at those whose turn it is."""
    max_pings_per_sweep = 250
    """If more are due, the others wait for 10 ms, so that nobody waits for all of them."""

    def __init__(self) -> None:
        self._due: OrderedDict[Pinged, float] = OrderedDict()
        """When each is pinged next, the earliest first."""
        self._asked: OrderedDict[Pinged, float] = OrderedDict()
        """When each that was pinged has to have answered."""
        self._timer: asyncio.TimerHandle | None = None

    def add(self, connection: Pinged) -> None:
        loop = asyncio.get_running_loop()
        self._due[connection] = loop.time() + self.interval
        if self._timer is None:
            self._timer = loop.call_later(self.sweep_seconds, self._sweep)

    def discard(self, connection: Pinged) -> None:
        self._due.pop(connection, None)
        self._asked.pop(connection, None)

    def _sweep(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        asked, due = self._take(self._asked, now), self._take(self._due, now)
        for connection in asked:
            self._due[connection] = now + self.interval - self.pong_seconds
            connection.check_pong()
        for connection in due:
            self._asked[connection] = now + self.pong_seconds
            connection.ping()
        is_full = max(len(asked), len(due)) == self.max_pings_per_sweep
        delay = 0.01 if is_full else self.sweep_seconds
        self._timer = loop.call_later(delay, self._sweep) if self._due or self._asked else None

    def _take(self, waiting: OrderedDict[Pinged, float], now: float) -> list[Pinged]:
        """Take out those whose time has come, or as many of them as one sweep may have."""
        first = islice(waiting.items(), self.max_pings_per_sweep)
        taken = [connection for connection, _ in takewhile(lambda item: item[1] <= now, first)]
        for connection in taken:
            del waiting[connection]
        return taken
