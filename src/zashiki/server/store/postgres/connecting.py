"""Connections to a PostgreSQL database, which may be away for a while or not there yet.

They go straight to it: what stands in between and shares connections out by the transaction
(PgBouncer, for one) can neither prepare statements nor listen.
"""

import asyncio
import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import asyncpg

from zashiki.server.store.errors import Unusable

if TYPE_CHECKING:
    Connection = asyncpg.Connection[asyncpg.Record]
else:
    Connection = asyncpg.Connection


SCHEMES = ("postgresql", "postgres")
HOST = re.compile(r"(\[[^\]]*\]|[^:\[\]]*)(:\d+)?")
CONNECTING = 3.0
"""So many seconds a connection may take to come about."""
ANSWERING = 8.0
"""So many seconds an answer may take; the database itself gives up before."""
SHORTEST_PAUSE = 0.05
LONGEST_PAUSE = 1.0
"""Between two attempts, at first and at last."""
SETTINGS = {
    "application_name": "zashiki",
    "synchronous_commit": "on",
    "default_transaction_isolation": "read committed",
    "statement_timeout": "5s",
    "lock_timeout": "3s",
    "idle_in_transaction_session_timeout": "3s",  # who vanished without a word holds no locks
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
    "jit": "off",  # no statement here is long enough to be worth compiling
    "TimeZone": "UTC",
}


class Address:
    """Where a database is. Its password is never shown."""

    def __init__(self, url: str) -> None:
        try:
            parts = urlsplit(url)
        except ValueError:
            raise unreadable() from None  # its text may hold a piece of a password
        hosts = parts.netloc.rpartition("@")[2]
        rest = url.partition("://")[2].removeprefix(parts.netloc)
        is_plain = all(map(HOST.fullmatch, hosts.split(",")))
        is_empty = not (hosts or parts.path.strip("/") or parts.query)
        if parts.scheme not in SCHEMES or not is_plain or is_empty or "@" in rest:
            raise unreadable()
        user = f"{parts.username}@" if parts.username else ""
        self._url = url
        self._shown = f"postgresql://{user}{hosts}{parts.path}"

    def __repr__(self) -> str:
        return self._shown

    async def connect(self, answering: float | None = ANSWERING, **settings: str) -> Connection:
        """A connection on which nothing takes for ever, unless that is wanted."""
        return await asyncpg.connect(
            self._url,
            timeout=CONNECTING,
            command_timeout=answering,
            server_settings={**SETTINGS, **settings},
        )


def unreadable() -> Unusable:
    return Unusable(
        "the address of the database cannot be read: postgresql://user:password@host:port/name is "
        "expected, with %40, %2F, %3F and %23 for @, /, ? and # in a password"
    )


class Link:
    """One connection, made when it is asked for, and anew when it was lost."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._connection: Connection | None = None

    async def connection(self) -> Connection:
        if self._connection is None or self._connection.is_closed():
            self.drop()
            self._connection = await self._address.connect()
        return self._connection

    @property
    def number(self) -> int | None:
        """By which the database knows this connection."""
        return None if self._connection is None else self._connection.get_server_pid()

    def drop(self) -> None:
        """The next one who asks gets another."""
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

    async def close(self) -> None:
        if self._connection is not None:
            with suppress(Exception):  # whatever it has to say, it is over
                await self._connection.close(timeout=CONNECTING)
            self.drop()


class Pauses:
    """Longer and longer ones, between attempts."""

    def __init__(self) -> None:
        self._next = SHORTEST_PAUSE

    async def wait(self) -> None:
        await asyncio.sleep(self._next)
        self._next = min(2 * self._next, LONGEST_PAUSE)


GONE = (
    OSError,  # TimeoutError is one
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
    asyncpg.TooManyConnectionsError,
    asyncpg.IdleInTransactionSessionTimeoutError,
    asyncpg.ReadOnlySQLTransactionError,  # another machine leads now
)
CROSSED = (
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
    asyncpg.InvalidCachedStatementError,
)
PASSING = (*CROSSED, asyncpg.LockNotAvailableError, asyncpg.QueryCanceledError)


def is_gone(fault: BaseException) -> bool:
    """Is the connection of no more use? A value that cannot be sent says nothing of it."""
    return isinstance(fault, GONE) and not isinstance(fault, ValueError)


def is_spoilt(fault: BaseException) -> bool:
    """Must the whole transaction be done again?"""
    return is_gone(fault) or isinstance(fault, CROSSED)


def is_passing(fault: BaseException) -> bool:
    """Might it go well, if all is done again?"""
    return is_gone(fault) or isinstance(fault, PASSING)


def why(fault: Exception) -> str:
    """In words, for who has chosen the address; without the details, in which the values of a row
    may be."""
    if isinstance(fault, OSError) and fault.errno:
        return os.strerror(fault.errno)
    return " ".join(str(fault.args[0]).split()) if fault.args else "it does not answer"


def can_be_kept(value: Any) -> bool:
    """PostgreSQL has no text with a zero in it, nor with half a character."""
    if not isinstance(value, str):
        return True
    try:
        return 0 not in value.encode()
    except UnicodeEncodeError:
        return False
