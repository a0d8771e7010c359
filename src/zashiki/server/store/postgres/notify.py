"""Notices between servers by LISTEN and NOTIFY: they say that something is new, not what it is."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, cast, get_args

from msgspec import DecodeError, ValidationError, json

from zashiki.server.store.coordination import Notice, NoticeHandler, NoticeKind
from zashiki.server.store.postgres.driver import (
    Backoff,
    Connection,
    DatabaseUrl,
    ReconnectingConnection,
)

CHANNEL = "zashiki"
MAX_MESSAGE_BYTES = 7900
"""PostgreSQL takes less than 8000."""
CHECK_INTERVAL_SECONDS = 3.0
"""Time between two checks that the listening connection still works."""
MAX_NOTICES = 100
"""Notices per message that a statement makes. With very long ids it is too large, and fails."""
NOTIFY = "SELECT pg_notify($1, message) FROM unnest($2::text[]) AS message"

Pending = dict[tuple[str, str], int]
"""The highest number to announce by kind and id."""

_reader = json.Decoder(list[tuple[str, str, int]])
_kinds = frozenset(get_args(NoticeKind))


def encode(pending: Pending) -> Iterator[str]:
    """Encode notices as few messages."""
    parts: list[bytes] = []
    size = 0
    for (kind, id), n in pending.items():
        part = json.encode((kind, id, n))
        if parts and size + len(part) + 2 > MAX_MESSAGE_BYTES:
            yield joined(parts)
            parts, size = [], 0
        parts.append(part)
        size += len(part) + 1
    if parts:
        yield joined(parts)


def joined(parts: Sequence[bytes]) -> str:
    return (b"[" + b",".join(parts) + b"]").decode()


def decode(message: str) -> list[Notice]:
    """Decode a message; messages of others and unknown kinds give no notices."""
    try:
        found = _reader.decode(message)
    except (DecodeError, ValidationError):
        return []
    return [Notice(cast("NoticeKind", kind), id, n) for kind, id, n in found if kind in _kinds]


class NotifyListener:
    """The connection that listens. It reconnects by itself and then calls handlers with None."""

    def __init__(self, url: DatabaseUrl, is_own: Callable[[int], bool]) -> None:
        self._connection = ReconnectingConnection(url)
        self._is_own = is_own
        """Returns whether a process of the database serves this store: its notices are ignored."""
        self._handlers: list[NoticeHandler] = []
        self._task: asyncio.Task[None] | None = None

    def listen(self, handler: NoticeHandler) -> None:
        self._handlers.append(handler)

    async def open(self) -> None:
        """Start to listen. From now on handlers learn if notices may have been missed."""
        connection = await self._attach()
        self._task = asyncio.create_task(self._keep_attached(connection))

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        await self._connection.close()

    async def _attach(self) -> Connection:
        connection = await self._connection.connection()
        await connection.add_listener(CHANNEL, self._receive)
        return connection

    async def _keep_attached(self, connection: Connection) -> None:
        while True:
            await wait_until_lost(connection)
            self._connection.drop()
            connection = await self._attach_again()
            # Called by the loop, so that a fault of a handler does not end this task.
            asyncio.get_running_loop().call_soon(self._call_handlers, None)

    async def _attach_again(self) -> Connection:
        backoff = Backoff()
        while True:
            try:
                return await self._attach()
            except Exception:  # try until it works, whatever is wrong
                self._connection.drop()
            await backoff.wait()

    def _receive(self, _: Connection | Any, pid: int, __: str, message: object) -> None:
        notices = [] if self._is_own(pid) else decode(str(message))
        if notices:
            self._call_handlers(notices)

    def _call_handlers(self, notices: list[Notice] | None) -> None:
        for handler in self._handlers:
            handler(notices)


async def wait_until_lost(connection: Connection) -> None:
    """Wait until a connection is lost. A cut one is found out by a query now and then."""
    lost = asyncio.Event()
    connection.add_termination_listener(lambda _: lost.set())
    with suppress(Exception):
        while not lost.is_set():
            await connection.execute("SELECT 1")  # fails if it was lost before we looked
            with suppress(TimeoutError):
                async with asyncio.timeout(CHECK_INTERVAL_SECONDS):
                    await lost.wait()
