"""The connection of one client to one table: what it was sent, and frames that wait to be sent.

Frames of one turn of the event loop are written together: a write costs more than all the rest.
"""

import asyncio
from collections.abc import Iterable
from typing import Protocol

import msgspec

from zashiki.server.protocol.frames import Bye, News, Version
from zashiki.server.protocol.rest import Language
from zashiki.server.store.rows import is_bot
from zashiki.server.tables.match import Reader

MAX_WAITING = 256
"""Frames that wait for a slow client. A client with more is disconnected, and comes back."""
STOPPING = Bye("stopping", "the server stops: come back in a moment", True)
SIGNED_OUT = Bye("signed-out", "this session has ended", False)
NEW_SESSION = Bye("signed-out", "this session has ended: come back with the new one", True)
"""For the password's change: other tabs of the same browser have the new session already."""


class Transport(Protocol):
    """The socket that a connection writes to."""

    is_writable: bool
    """False while too much waits in the socket. It calls `Connection.flush` later."""

    def write(self, frames: Iterable[bytes]) -> None: ...

    def hang_up(self) -> None:
        """Close the socket after the frames that were written."""


class Connection:
    """One connection of one player to one table."""

    def __init__(self, player: str, seat: int | None, epoch: int = 0) -> None:
        self.player = player
        self.seat = seat
        self.epoch = epoch
        """The epoch of the player's sessions when the connection was opened."""
        self.link: str | None = None
        """The key of the table's invite link, if the client has sent one."""
        self.has = 0
        """The number of facts that it was sent, or has said that it has."""
        self.views = True
        self.language: Language | None = None
        """The language of its words, or None for no words."""
        self.version: Version = 1
        """The version of its news, see `Hello`."""
        self.muted: frozenset[str] = frozenset()
        """Players whose chat it is not sent."""
        self.silenced_until: float | None = None
        """The operator has muted the player until then."""
        self.listens = False
        """True after its hello. Before that it is sent nothing."""
        self.waiting: list[bytes] = []
        """Frames that are not written yet."""
        self.is_open = True
        self._transport: Transport | None = None
        self._is_flush_scheduled = False

    @property
    def is_person(self) -> bool:
        return not is_bot(self.player)

    @property
    def is_here(self) -> bool:
        """True for a player's connection until `close`, even if its socket is open for longer."""
        return self.is_open and self.is_person

    @property
    def reader(self) -> Reader:
        return "all" if self.seat is None else self.seat

    def send(self, frame: News | bytes) -> None:
        """Write a frame in this turn of the event loop."""
        if self.put(frame if isinstance(frame, bytes) else msgspec.json.encode(frame)):
            asyncio.get_running_loop().call_soon(self.flush)

    def put(self, raw: bytes) -> bool:
        """Queue a frame. Return True if the caller must schedule a flush.

        A client whose queue is full is disconnected.
        """
        if not self.is_open:
            return False
        if len(self.waiting) >= MAX_WAITING:
            self.flush()
        if len(self.waiting) >= MAX_WAITING:
            bye = Bye("slow", "too many frames are waiting: come back and say what you have", True)
            self.close(bye)
            return False
        self.waiting.append(raw)
        return self._must_schedule_flush()

    def close(self, bye: Bye | None = None) -> None:
        """Send nothing after this frame."""
        if self.is_open:
            self.is_open = False
            if bye is not None:
                self.waiting.append(msgspec.json.encode(bye))
            self._flush_soon()

    def attach(self, transport: Transport) -> None:
        """Write frames to this socket from now on."""
        self._transport = transport
        self._flush_soon()

    def _flush_soon(self) -> None:
        if self._must_schedule_flush():
            asyncio.get_running_loop().call_soon(self.flush)

    def _must_schedule_flush(self) -> bool:
        """Return True once until the next flush."""
        if self._transport is None or self._is_flush_scheduled:
            return False
        self._is_flush_scheduled = True
        return True

    def flush(self) -> None:
        """Write the frames that wait, in order. After the last frame of a closed one, hang up."""
        self._is_flush_scheduled = False
        if self._transport is None or not self._transport.is_writable:
            return
        frames, self.waiting = self.waiting, []
        if frames:
            self._transport.write(frames)
        if not self.is_open:
            self._transport.hang_up()


def send_all(frames: Iterable[tuple[Connection, bytes]]) -> None:
    """Send frames to many connections, with one callback of the event loop for all of them."""
    due = [connection for connection, raw in frames if connection.put(raw)]
    if due:
        asyncio.get_running_loop().call_soon(flush_all, due)


def flush_all(connections: Iterable[Connection]) -> None:
    for connection in connections:
        connection.flush()
