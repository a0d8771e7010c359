"""What PostgreSQL carries from server to server: that something is new, and never what it is."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, cast, get_args

from msgspec import DecodeError, ValidationError, json

from zashiki.server.store.coordination import Heard, Kind, Notice
from zashiki.server.store.postgres.connecting import Address, Connection, Link, Pauses

CHANNEL = "zashiki"
LONGEST = 7900
"""So many bytes at most in one message; PostgreSQL takes less than 8000."""
LISTENING = 3.0
"""So often, in seconds, it is asked whether the connection that listens is still one."""
TELL = "SELECT pg_notify($1, message) FROM unnest($2::text[]) AS message"

Known = dict[tuple[str, str], int]
"""What is to be told: by kind and id the highest number."""

_reader = json.Decoder(list[tuple[str, str, int]])
_kinds = frozenset(get_args(Kind))


def messages(known: Known) -> Iterator[str]:
    """As few as will carry all."""
    parts: list[bytes] = []
    size = 0
    for (kind, id), n in known.items():
        part = json.encode((kind, id, n))
        if parts and size + len(part) + 2 > LONGEST:
            yield joined(parts)
            parts, size = [], 0
        parts.append(part)
        size += len(part) + 1
    if parts:
        yield joined(parts)


def joined(parts: Sequence[bytes]) -> str:
    return (b"[" + b",".join(parts) + b"]").decode()


def read(message: str) -> list[Notice]:
    """What a message says; nothing if it is none of ours, or of a kind that is not known here."""
    try:
        told = _reader.decode(message)
    except (DecodeError, ValidationError):
        return []
    return [Notice(cast("Kind", kind), id, n) for kind, id, n in told if kind in _kinds]


class Ear:
    """The connection that listens. It comes back by itself, and says that it was away."""

    def __init__(self, address: Address, own: Callable[[], int | None]) -> None:
        self._link = Link(address)
        self._own = own
        """Which connection writes here: what it writes needs not be told us."""
        self._heard: list[Heard] = []
        self._listening: asyncio.Task[None] | None = None

    def listen(self, heard: Heard) -> None:
        self._heard.append(heard)

    async def open(self) -> None:
        """From now on nothing is missed without a word."""
        connection = await self._attach()
        self._listening = asyncio.create_task(self._stay(connection))

    async def close(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)
            self._listening = None
        await self._link.close()

    async def _attach(self) -> Connection:
        connection = await self._link.connection()
        await connection.add_listener(CHANNEL, self._hear)
        return connection

    async def _stay(self, connection: Connection) -> None:
        while True:
            await watch(connection)
            self._link.drop()
            connection = await self._attach_again()
            asyncio.get_running_loop().call_soon(self._tell, None)  # their faults are not ours

    async def _attach_again(self) -> Connection:
        pauses = Pauses()
        while True:
            try:
                return await self._attach()
            except Exception:  # whatever it is, it is tried until it goes well
                self._link.drop()
            await pauses.wait()

    def _hear(self, _: Connection | Any, writer: int, __: str, message: object) -> None:
        notices = [] if writer == self._own() else read(str(message))
        if notices:
            self._tell(notices)

    def _tell(self, notices: list[Notice] | None) -> None:
        for heard in self._heard:
            heard(notices)


async def watch(connection: Connection) -> None:
    """Until a connection is lost. One that was cut says nothing: therefore it is asked."""
    lost = asyncio.Event()
    connection.add_termination_listener(lambda _: lost.set())
    with suppress(Exception):
        while not lost.is_set():
            await connection.execute("SELECT 1")  # fails if it was lost before we looked
            with suppress(TimeoutError):
                async with asyncio.timeout(LISTENING):
                    await lost.wait()
