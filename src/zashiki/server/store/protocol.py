"""The interface of a store. Every database behind it passes the same conformance tests.

A write is durable when its call returns. A read sees every write that returned before the read
began. A write that raises has changed nothing, except for `MaybeWritten`.
"""

from abc import abstractmethod
from collections.abc import Set as AbstractSet

from zashiki.server.store import rows
from zashiki.server.store.coordination import Coordination
from zashiki.server.store.group_commit import Done
from zashiki.server.store.queries import Queries
from zashiki.server.store.writes import Writes


class Store(Queries, Writes):
    """A database. Most of its methods are the same for all: see `Queries` and `Writes`."""

    where: object
    """The file or the address, without a password."""
    coordination: Coordination | None = None
    """The servers that share the store; None if only one can use it."""

    @property
    @abstractmethod
    def waiting(self) -> int:
        """The number of pending writes."""

    @property
    @abstractmethod
    def writes(self) -> int:
        """The number of writes since the store was opened, including refused ones."""

    @property
    @abstractmethod
    def commits(self) -> int:
        """The number of transactions that were committed for them."""

    @abstractmethod
    async def open(self) -> None:
        """Connect, and migrate an older database; `Unusable` if that fails."""

    @abstractmethod
    async def close(self) -> None:
        """Finish pending writes and release everything. Closing twice is allowed."""

    @abstractmethod
    async def check_writable(self) -> None:
        """Commit a write that changes nothing."""

    @abstractmethod
    async def players(self, ids: AbstractSet[str]) -> dict[str, rows.PlayerRow]:
        """Return players by id, without unknown ones."""

    @abstractmethod
    async def muted(self, player: str) -> frozenset[str]:
        """Return the players whom a player has muted."""

    @abstractmethod
    def append(self, entry: rows.EntryRow, done: Done) -> None:
        """Add the next entry of a match; `Conflict` if its number is taken.

        The caller has read every entry before it, and they do not end the match. This is most of
        what is written, so it needs neither a task nor a future: `done` is called when the entry is
        durable, or with its fault. `Busy` and `Closed` are raised at once.
        """
