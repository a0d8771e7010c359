"""A line to one client: frames wait in a bounded queue until its socket takes them."""

import asyncio
from collections.abc import Awaitable, Callable

import msgspec

from zashiki.server.live import Reader
from zashiki.server.store.rows import is_bot
from zashiki.server.wire import Bye, Language, News

MOST_WAITING = 256
"""A client that is so many frames behind is dropped; it comes back and says what it has."""
SIGNED_OUT = Bye("signed-out", "this session has ended", False)


class Line:
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
        self._waiting: asyncio.Queue[bytes | None] = asyncio.Queue(MOST_WAITING)
        self.is_open = True

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
        """Put a frame behind those that wait; a client too far behind is let go."""
        if not self.is_open:
            return
        raw = frame if isinstance(frame, bytes) else msgspec.json.encode(frame)
        if self._waiting.qsize() >= MOST_WAITING - 1:
            bye = Bye("slow", "too many frames are waiting: come back and say what you have", True)
            self.close(bye)
            return
        self._waiting.put_nowait(raw)

    def close(self, bye: Bye | None = None) -> None:
        """Nothing more is sent after this frame."""
        if self.is_open:
            self.is_open = False
            if bye is not None:
                while self._waiting.full():
                    self._waiting.get_nowait()
                self._waiting.put_nowait(msgspec.json.encode(bye))
            while self._waiting.full():
                self._waiting.get_nowait()
            self._waiting.put_nowait(None)

    async def drain(self, send: Callable[[bytes], Awaitable[None]]) -> None:
        """Hand frames to a socket, in order, until the line is closed."""
        while (frame := await self._waiting.get()) is not None:
            await send(frame)
