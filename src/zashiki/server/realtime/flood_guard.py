"""Frames beyond the rate: the client is not read for a while, and disconnected if it continues.

A client that reads too slowly is disconnected by `transport.SlowReaderGuard` and `Connection.put`.
"""

import asyncio
import math
from collections.abc import Callable

from zashiki.server.errors import ApiError
from zashiki.server.protocol import frames
from zashiki.server.realtime.framing import CloseCode
from zashiki.server.realtime.transport import WebSocketConnection
from zashiki.server.tables.connection import Connection

GOES_ON = "too many frames: send fewer, and come back in a moment"


class FloodGuard:
    """Pauses a client whose frames come faster than its rate allows.

    To answer each of them would be work that others wait for. A client that is not read has to
    wait itself.
    """

    max_pauses: float = 5
    """A client that needs more pauses than are forgiven is hung up on."""
    forgiven_per_second = 0.1

    def __init__(self, socket: WebSocketConnection, connection: Connection) -> None:
        self._socket = socket
        self._connection = connection
        self._pauses = 0.0
        self._last_pause = -math.inf
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_pausing(self) -> bool:
        """True while the frames that have come wait, and no more are read."""
        return self._timer is not None

    def pause(self, problem: ApiError, go_on: Callable[[], None]) -> None:
        """Read nothing until the rate allows more, and then call `go_on`; or hang up."""
        loop = asyncio.get_running_loop()
        now, seconds = loop.time(), float(str(problem.details.get("retry_after", 1)))
        rest = max(0.0, now - self._last_pause)
        self._pauses = max(0.0, self._pauses - rest * self.forgiven_per_second) + 1
        self._last_pause = now
        if self._pauses > self.max_pauses:
            self._socket.close_code = CloseCode.POLICY_VIOLATION
            self._connection.close(frames.Bye(problem.code, GOES_ON, True))
            return
        self._socket.pause_reading()
        self._timer = loop.call_later(seconds, self._end_pause, go_on)

    def _end_pause(self, go_on: Callable[[], None]) -> None:
        self._timer = None
        self._socket.resume_reading()
        go_on()

    def close(self) -> None:
        """Cancel the timer of a pause."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
