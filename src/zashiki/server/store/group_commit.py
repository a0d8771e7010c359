"""Group commit: the parts that the writers of both databases share."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from zashiki.server.store.errors import Closed

MAX_WAITING = 2000
"""Pending writes, and pending reads. A request beyond that is refused as `Busy` at once."""

Done = Callable[[Any, BaseException | None], None]
"""Called once, in the event loop, with the result of a request or with its fault."""


@dataclass
class Write:
    """A pending write, and where to report its outcome."""

    work: Callable[[Any], Any]
    done: Done
    since: float
    """When it was queued, by the monotonic clock."""
    result: Any = None
    fault: Exception | None = None


def resolve(group: Sequence[Write]) -> None:
    """Report the outcomes of a group to its callers. None of them can harm the others."""
    for write in group:
        try:
            write.done(write.result, write.fault)
        except Exception as fault:
            context = {"message": "a caller of the store failed", "exception": fault}
            asyncio.get_running_loop().call_exception_handler(context)


def future_outcome() -> "tuple[asyncio.Future[Any], Done]":
    """Return a future, and what to call with the outcome that it waits for."""
    future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def done(result: Any, fault: BaseException | None) -> None:
        if future.done():
            return  # the caller was cancelled; the request is done all the same
        if fault is None:
            future.set_result(result)
        else:
            future.set_exception(fault)

    return future, done


class AnyWriter(Protocol):
    """A writer, whatever its database."""

    commits: int
    writes: int

    def __len__(self) -> int: ...


WriterT = TypeVar("WriterT", bound=AnyWriter)


class GroupCommitDatabase(ABC, Generic[WriterT]):
    """A database with one writer from opening to closing."""

    def __init__(self, where: object, max_waiting: int) -> None:
        self.where = where
        self._max_waiting = max_waiting
        self._writer: WriterT | None = None
        self._closing: asyncio.Future[None] | None = None

    def __repr__(self) -> str:
        state = "closed" if self._writer is None else "open"
        return f"<{type(self).__name__} {self.where}, {state}>"

    @property
    def commits(self) -> int:
        return self._open_writer().commits

    @property
    def writes(self) -> int:
        return self._open_writer().writes

    @property
    def waiting(self) -> int:
        return 0 if self._writer is None else len(self._writer)

    def _open_writer(self) -> WriterT:
        """Return the writer; `Closed` if the store is not open."""
        if self._writer is None:
            raise Closed(f"{self.where}: the store is not open")
        return self._writer

    async def close(self) -> None:
        if self._writer is not None:
            writer, self._writer = self._writer, None  # no new requests from now on
            self._closing = asyncio.ensure_future(self._close_all(writer))
        if self._closing is not None:
            await asyncio.shield(self._closing)  # a caller that is cancelled does not stop it

    @abstractmethod
    async def _close_all(self, writer: WriterT) -> None:
        """Finish pending requests and close all connections."""
