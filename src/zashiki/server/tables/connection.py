"""A line to one client: frames wait, but not too many, until its socket takes them.

What is sent in one turn of the loop goes out together: to write costs more than all the rest.
"""

import asyncio
from collections.abc import Iterable
from typing import Protocol

import msgspec

from zashiki.server.protocol.frames import Bye, News
from zashiki.server.protocol.rest import Language
from zashiki.server.store.rows import is_bot
from zashiki.server.tables.match import Reader

MAX_WAITING = 256
"""A client that is so many frames behind is dropped; it comes back and says what it has."""
SIGNED_OUT = Bye("signed-out", "this session has ended", False)


class Transport(Protocol):
    """The connection that a line has."""

    def is_writable(self) -> bool:
        """Does it take more now? If not, it says so when it does: see `Line.flush`."""

    def write(self, frames: Iterable[bytes]) -> None: ...

    def hang_up(self) -> None:
        """Nothing more is to come."""


class Connection:
    """One connection of one player to one table."""

    def __init__(self, player: str, seat: int | None, epoch: int = 0) -> None:
        self.player = player
        self.seat = seat
        self.epoch = epoch
        """Of the player's sessions, when the line was opened."""
        self.has = 0
        """How many facts it was sent, or has told us that it has."""
        self.views = True
        self.language: Language | None = None
        """In which it wants the news in words."""
        self.muted: set[str] = set()
        """Whose chat it is not sent."""
        self.listens = False
        """Has it said hello? Before that it is told nothing."""
        self.waiting: list[bytes] = []
        """Frames that were not written yet."""
        self.is_open = True
        self._plug: Transport | None = None
        self._is_due = False
        """Will what waits be written in a moment?"""

    @property
    def is_person(self) -> bool:
        return not is_bot(self.player)

    @property
    def is_here(self) -> bool:
        """Does somebody listen? Who was let go does not, though the socket may not know yet."""
        return self.is_open and self.is_person

    @property
    def reader(self) -> Reader:
        return "all" if self.seat is None else self.seat

    def send(self, frame: News | bytes) -> None:
        """Let a frame be written in a moment."""
        if self.put(frame if isinstance(frame, bytes) else msgspec.json.encode(frame)):
            asyncio.get_running_loop().call_soon(self.flush)

    def put(self, raw: bytes) -> bool:
        """Put a frame behind those that wait: has the caller to see to it that they are written? A
        client too far behind is let go."""
        if not self.is_open:
            return False
        if len(self.waiting) >= MAX_WAITING:
            self.flush()
        if len(self.waiting) >= MAX_WAITING:
            bye = Bye("slow", "too many frames are waiting: come back and say what you have", True)
            self.close(bye)
            return False
        self.waiting.append(raw)
        return self._becomes_due()

    def close(self, bye: Bye | None = None) -> None:
        """Nothing more is sent after this frame."""
        if self.is_open:
            self.is_open = False
            if bye is not None:
                self.waiting.append(msgspec.json.encode(bye))
            self._flush_soon()

    def plug_in(self, plug: Transport) -> None:
        """From now on frames are written there."""
        self._plug = plug
        self._flush_soon()

    def _flush_soon(self) -> None:
        if self._becomes_due():
            asyncio.get_running_loop().call_soon(self.flush)

    def _becomes_due(self) -> bool:
        """Will what waits be written in a moment, and was that not so before?"""
        if self._plug is None or self._is_due:
            return False
        self._is_due = True
        return True

    def flush(self) -> None:
        """Write what waits, in order; after the last frame of a closed line nothing is to come."""
        self._is_due = False
        if self._plug is None or not self._plug.is_writable():
            return
        frames, self.waiting = self.waiting, []
        if frames:
            self._plug.write(frames)
        if not self.is_open:
            self._plug.hang_up()


def send_all(frames: Iterable[tuple[Connection, bytes]]) -> None:
    """To many at once: what has to wait for its turn in the loop does so once for all of them."""
    due = [connection for connection, raw in frames if connection.put(raw)]
    if due:
        asyncio.get_running_loop().call_soon(flush_all, due)


def flush_all(lines: Iterable[Connection]) -> None:
    for connection in lines:
        connection.flush()
