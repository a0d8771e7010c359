"""State that the servers on one store share only while they run.

A server (node) is known by a unique name for as long as it sends heartbeats. When they stop,
everything that it holds is free for others: who is present through it, and which seats it leases.
Nothing of this survives a crash of the database. Servers say it again when their notice handler is
called with None, and when `heartbeat` names the server itself.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

from msgspec import Struct

Place = tuple[str, int]
"""A table and a seat at it."""
Attendance = tuple[str, str]
"""A table and a player."""
NoticeKind = Literal["match", "table", "chat", "player", "here"]
NODE_TIMEOUT_SECONDS = 5.0
"""A server without a heartbeat for this long counts as dead."""
TICKET_RETENTION_SECONDS = 3600.0
"""Seconds for which an expired ticket is kept."""


class Notice(Struct, frozen=True):
    """The news that something has a higher number now. The store has the content."""

    kind: NoticeKind
    id: str
    n: int = 0
    """The last entry of a match, the version of a table, the last chat message of a table, or the
    epoch of a player. Presence at a table (`here`) has no number."""


class LatestVersions(NamedTuple):
    """The highest numbers of matches and tables by id, without those that have none."""

    entries: Mapping[str, int]
    """The last entry of each match."""
    versions: Mapping[str, int]
    """The version of each table."""
    lines: Mapping[str, int]
    """The last chat message of each table, if another server may have written it."""


NoticeHandler = Callable[[Sequence[Notice] | None], None]
"""Called in the event loop with what other servers wrote. None means that notices may have been
missed: everything in memory must be compared with the store."""


class Coordination(Protocol):
    """The servers that share a store."""

    def listen(self, handler: NoticeHandler) -> None:
        """Call the handler with notices from the moment the store is open."""
        ...

    async def live_nodes(self) -> set[str]:
        """Return the servers with a recent heartbeat."""
        ...

    async def heartbeat(self, node: str) -> dict[str, bool]:
        """Record that this server is alive, and remove dead ones.

        Returns the removed servers, and of each whether it had left in order. The server itself is
        among them if another one had removed it or the database has forgotten it: then it holds
        nothing any more. It is also among them if a reply was lost, because then the list of
        removed servers is incomplete.
        """
        ...

    async def leave(self, node: str) -> None:
        """Free all that this stopping server holds. Another one removes it."""
        ...

    async def set_present(self, node: str, attendances: Iterable[Attendance]) -> None:
        """Record that players are connected to tables through this server."""
        ...

    async def set_absent(self, node: str, attendances: Iterable[Attendance]) -> None:
        """Record that the players' last connections to the tables have ended here."""
        ...

    async def present_on_other_nodes(
        self, node: str, tables: Iterable[str]
    ) -> Mapping[str, set[str]]:
        """Return by table the players who are connected through other live servers.

        Tables without such players are left out.
        """
        ...

    async def lease(self, node: str, places: Iterable[Place], seconds: float) -> set[Place]:
        """Take or extend these seats for a time, and return those that this server has now."""
        ...

    async def release(self, node: str, places: Iterable[Place]) -> None:
        """Give these seats back."""
        ...

    async def add_ticket(self, token: str, content: bytes, seconds: float) -> None:
        """Keep a ticket that is valid for some seconds, by the clock of the store."""
        ...

    async def take_ticket(self, token: str) -> bytes | None:
        """Remove a ticket and return its content, or None if it is unknown or expired."""
        ...

    async def latest_versions(
        self, matches: Iterable[str], tables: Iterable[str]
    ) -> LatestVersions:
        """Return the highest numbers of these matches and tables."""
        ...
