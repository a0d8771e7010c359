"""A table of KAMIZA with four seats, a socket each, at either kind of server.

Both do the same: whoever is to act is told the table, takes one of the legal actions at random when
it is due, and the move is over when the mover's own socket has brought the state with the move.
A match that has ended is followed by another of the same people, in the server's own way.
"""

import asyncio
import time
from abc import ABC, abstractmethod
from random import Random
from typing import Any

from benchmarks.plugs import Failed, Plug, Requests
from benchmarks.servers import MOVES


class Pace:
    """How often a decision falls due at a table that plays; what came of the moves."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.interval = 1.0
        self.times: list[float] = []
        self.refused = 0
        self.ended = 0
        """Matches."""
        self.broken: list[BaseException] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def next(self) -> float:
        """Seconds from one decision to the next: half as long to half as long again."""
        return self.interval * (0.5 + self.random.random())

    def spawn(self, what: Any) -> None:
        task = asyncio.ensure_future(what)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            self.broken.append(fault)


class Table(ABC):
    """Four seats; the moment at which the next decision is due, whether or not it can be taken."""

    def __init__(self, pace: Pace, requests: list[Requests]) -> None:
        self.pace = pace
        self.requests = requests
        """Where each seat asks."""
        self.is_playing = False
        self.has_played = False
        """Before that it waits for up to a match, so that not all matches end together."""
        self.due = 0.0
        self.owing: int | None = None
        self.moving: int | None = None
        """The seat whose move is on its way."""
        self._since = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self.extra: list[Plug] = []

    def play(self, playing: bool) -> None:
        """Play from now on, or rest: then what is on its way still comes."""
        self.is_playing = playing
        spread = self.pace.interval if self.has_played else self.pace.interval * MOVES
        self.has_played |= playing
        self.due = time.monotonic() + spread * self.pace.random.random()
        self._arm()

    def owes(self, seat: int) -> None:
        self.owing = seat
        self._arm()

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self.is_playing and self.owing is not None and self.moving is None:
            wait = max(0.0, self.due - time.monotonic())
            self._timer = asyncio.get_running_loop().call_later(wait, self._move)

    def _move(self) -> None:
        assert self.owing is not None
        self.moving, self.owing, self._timer = self.owing, None, None
        self._since = self.due
        self.due += self.pace.next()
        self.send(self.moving)

    def moved(self) -> None:
        """The mover has been brought the state with the move."""
        self.pace.times.append(time.monotonic() - self._since)
        self.moving = None
        self._arm()  # the next may have been told before

    def ended(self) -> None:
        self.pace.ended += 1
        self.owing = self.moving = None
        self.pace.spawn(self._begin_again())

    async def _begin_again(self) -> None:
        await self.again()
        self.due = time.monotonic() + self.pace.next()
        self._arm()

    def lost(self) -> None:
        self.pace.broken.append(Failed("a server ended a socket"))

    @abstractmethod
    async def open(self) -> None:
        """Sit down, connect, and begin the first match."""

    @abstractmethod
    async def again(self) -> None:
        """Begin another match."""

    @abstractmethod
    async def open_extra(self) -> None:
        """Connect the first seat once more, as a second tab would."""

    @abstractmethod
    def send(self, seat: int) -> None:
        """Take any legal action."""

    @abstractmethod
    def close(self) -> None: ...


# Zashiki ---------------------------------------------------------------------------------------
