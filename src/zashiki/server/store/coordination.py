"""What the servers of one site tell each other, beside what the store keeps for ever.

A server is known here by a name of its own, which no later one has, and as long as its heart beats:
when that stops, all that it holds (who is here, which seats it has bots for) is free for others.
Nothing of this outlives a crash of the database, nor has to: servers say it again. They do so when
`heard` is called with None, and when `beat` names the server itself.
"""

import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

from msgspec import Struct

Place = tuple[str, int]
"""A table and a seat at it."""
Kind = Literal["match", "table", "chat", "player", "here"]
DEAD = 5.0
"""A server whose last beat is so many seconds ago is taken for dead."""
FORGOTTEN = 3600.0
"""A ticket whose time was up so many seconds ago need not be kept."""
MAX_TICKETS = 10_000
"""So many are kept in memory."""


class Notice(Struct, frozen=True):
    """Something has a higher number now. What it is has to be read from the store."""

    kind: Kind
    id: str
    n: int = 0
    """The last entry of a match, the version of a table, the last line of chat at a table, the
    epoch of a player; of who is at a table (`here`) there is none."""


class Heads(NamedTuple):
    """How far things have come, by their ids; what there is nothing of is not named."""

    entries: Mapping[str, int]
    """The last entry of a match."""
    versions: Mapping[str, int]
    """The version of a table."""
    lines: Mapping[str, int]
    """The last line of chat at a table, if another server may have written it."""


Heard = Callable[[Sequence[Notice] | None], None]
"""Called in the event loop with what others have written; None: something may have been
missed, so that all that is in memory has to be compared with the store."""


class Coordination(Protocol):
    """The servers that share a store."""

    is_shared: bool
    """May there be other servers at all?"""

    def listen(self, heard: Heard) -> None:
        """From when the store is open on."""
        ...

    async def living(self) -> set[str]:
        """The servers whose hearts beat."""
        ...

    async def beat(self, server: str) -> dict[str, bool]:
        """This server lives. Those whose hearts have stopped are struck off; which they were, and
        whether each has left, as servers do that are told to stop.

        The server itself is among them if it had been struck off by another, or the database has
        forgotten it: then it holds nothing any more. So it is if an answer was lost, for then it
        is not known who was struck off.
        """
        ...

    async def leave(self, server: str) -> None:
        """This server stops: all that it holds is free at once. Another one strikes it off."""
        ...

    async def come(self, server: str, table: str, player: str) -> None:
        """Somebody has a connection to a table here."""
        ...

    async def go(self, server: str, table: str, player: str) -> None:
        """Their last one has ended."""
        ...

    async def elsewhere(self, server: str, tables: Iterable[str]) -> Mapping[str, set[str]]:
        """Who has a connection to each of these tables at another server that lives; where nobody
        has, the table is not named."""
        ...

    async def lease(self, server: str, places: Iterable[Place], seconds: float) -> set[Place]:
        """Take these seats, or keep them, for so long; those that are this server's now."""
        ...

    async def release(self, server: str, places: Iterable[Place]) -> None: ...

    async def add_ticket(self, token: str, content: bytes, seconds: float) -> None:
        """Good for so long, by the clock of the store."""
        ...

    async def take_ticket(self, token: str) -> bytes | None:
        """Its content, once, unless its time is up."""
        ...

    async def heads(self, matches: Iterable[str], tables: Iterable[str]) -> Heads:
        """How far these matches and tables have come."""
        ...


# One server ------------------------------------------------------------------------------------

Counted = Callable[
    [Iterable[str], Iterable[str]], Awaitable[tuple[Mapping[str, int], Mapping[str, int]]]
]
"""The last entries of matches, and the versions of tables."""


class SingleNode:
    """The `Site` of a store that one process uses: nobody is elsewhere, and every seat is free."""

    is_shared = False

    def __init__(self, counted: Counted) -> None:
        self._counted = counted
        self._tickets: dict[str, tuple[bytes, float]] = {}

    def listen(self, heard: Heard) -> None:
        """Nobody else writes: there is nothing to hear."""

    async def living(self) -> set[str]:
        return set()

    async def beat(self, server: str) -> dict[str, bool]:
        return {}

    async def leave(self, server: str) -> None: ...
    async def come(self, server: str, table: str, player: str) -> None: ...
    async def go(self, server: str, table: str, player: str) -> None: ...

    async def elsewhere(self, server: str, tables: Iterable[str]) -> Mapping[str, set[str]]:
        return {}

    async def lease(self, server: str, places: Iterable[Place], seconds: float) -> set[Place]:
        return set(places)

    async def release(self, server: str, places: Iterable[Place]) -> None: ...

    async def add_ticket(self, token: str, content: bytes, seconds: float) -> None:
        now = time.monotonic()
        self._tickets[token] = content, now + seconds
        while len(self._tickets) > 1:
            oldest = next(iter(self._tickets))
            is_old = self._tickets[oldest][1] < now - FORGOTTEN
            if not is_old and len(self._tickets) <= MAX_TICKETS:
                break
            del self._tickets[oldest]

    async def take_ticket(self, token: str) -> bytes | None:
        content, expires = self._tickets.pop(token, (None, 0.0))
        return content if expires >= time.monotonic() else None

    async def heads(self, matches: Iterable[str], tables: Iterable[str]) -> Heads:
        entries, versions = await self._counted(matches, tables)
        return Heads(entries, versions, {})
