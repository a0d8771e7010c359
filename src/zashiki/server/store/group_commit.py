"""What every database has that is written to: one writer while it is open, and how much it did."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from zashiki.server.store.errors import Closed

MAX_WAITING = 2000
"""So many writes may wait, and so many reads: who comes later is told at once to come again."""


@dataclass
class Write:
    """Something to write, and where to say what became of it."""

    work: Callable[[Any], Any]
    future: "asyncio.Future[Any]"
    since: float
    """When it began to wait, by the monotonic clock."""
    result: Any = None
    fault: Exception | None = None


def resolve(group: Sequence[Write]) -> None:
    for write in group:
        if write.future.done():
            continue  # its caller was cancelled; it is written all the same
        if write.fault is None:
            write.future.set_result(write.result)
        else:
            write.future.set_exception(write.fault)


class AnyWriter(Protocol):
    commits: int
    writes: int

    def __len__(self) -> int: ...


WriterT = TypeVar("WriterT", bound=AnyWriter)


class Writing(ABC, Generic[WriterT]):
    """A database that is somewhere, and has a writer from when it is open until it closes."""

    def __init__(self, where: object, most_waiting: int) -> None:
        self.where = where
        self._most_waiting = most_waiting
        self._writer: WriterT | None = None
        self._ending: asyncio.Future[None] | None = None

    def __repr__(self) -> str:
        state = "closed" if self._writer is None else "open"
        return f"<{type(self).__name__} {self.where}, {state}>"

    @property
    def commits(self) -> int:
        """How often the disk was asked since the store was opened."""
        return self._open_writer().commits

    @property
    def writes(self) -> int:
        """How many writes were done with that, those included that were refused."""
        return self._open_writer().writes

    @property
    def waiting(self) -> int:
        """How many writes wait."""
        return 0 if self._writer is None else len(self._writer)

    def _open_writer(self) -> WriterT:
        if self._writer is None:
            raise Closed(f"{self.where}: the store is not open")
        return self._writer

    async def close(self) -> None:
        if self._writer is not None:
            writer, self._writer = self._writer, None  # nothing new from now on
            self._ending = asyncio.ensure_future(self._end(writer))
        if self._ending is not None:
            await asyncio.shield(self._ending)  # once begun, it is not left half-way

    @abstractmethod
    async def _end(self, writer: WriterT) -> None: ...
