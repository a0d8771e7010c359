"""Connect to PostgreSQL with asyncpg, reconnect, and classify its errors.

Connections must not go through a pooler in transaction mode, such as PgBouncer: it supports neither
prepared statements nor LISTEN.
"""

import asyncio
import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import asyncpg

from zashiki.server.store.errors import Unusable

if TYPE_CHECKING:
    Connection = asyncpg.Connection[asyncpg.Record]
else:
    Connection = asyncpg.Connection


SCHEMES = ("postgresql", "postgres")
HOST = re.compile(r"(\[[^\]]*\]|[^:\[\]]*)(?::([0-9]{1,5}))?")
MAX_PORT = 65535
CONNECT_TIMEOUT_SECONDS = 3.0
COMMAND_TIMEOUT_SECONDS = 8.0
"""Longer than `statement_timeout`, so that the database gives up first."""
MIN_PAUSE_SECONDS = 0.05
MAX_PAUSE_SECONDS = 1.0
"""The first and the longest pause between two attempts."""
SETTINGS = {
    "application_name": "zashiki",
    "synchronous_commit": "on",
    "default_transaction_isolation": "read committed",
    "statement_timeout": "5s",
    "lock_timeout": "3s",
    "idle_in_transaction_session_timeout": "3s",  # a vanished client holds no locks
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
    "jit": "off",  # no statement here takes long enough
    "TimeZone": "UTC",
}


class DatabaseUrl:
    """The URL of a database. Its repr has no password."""

    def __init__(self, url: str) -> None:
        try:
            parts = urlsplit(url)
        except ValueError:
            raise malformed() from None  # the text may have a part of a password
        hosts = parts.netloc.rpartition("@")[2]
        rest = url.partition("://")[2].removeprefix(parts.netloc)
        ports = parse_qs(parts.query, keep_blank_values=True).get("port", [])
        addresses = (*hosts.split(","), *(f":{one}" for port in ports for one in port.split(",")))
        is_plain = all(map(is_host, addresses))
        is_empty = not (hosts or parts.path.strip("/") or parts.query)
        if parts.scheme not in SCHEMES or not is_plain or is_empty or "@" in rest:
            raise malformed()
        user = f"{parts.username}@" if parts.username else ""
        self._url = url
        self._shown = f"postgresql://{user}{hosts}{parts.path}"

    def __repr__(self) -> str:
        return self._shown

    async def connect(
        self, command_timeout: float | None = COMMAND_TIMEOUT_SECONDS, **settings: str
    ) -> Connection:
        """Open a connection with timeouts, unless the caller switches them off."""
        return await asyncpg.connect(
            self._url,
            timeout=CONNECT_TIMEOUT_SECONDS,
            command_timeout=command_timeout,
            server_settings={**SETTINGS, **settings},
        )


def is_host(text: str) -> bool:
    """Return whether this is a host, perhaps with a port that exists."""
    found = HOST.fullmatch(text)
    return found is not None and (found[2] is None or 0 < int(found[2]) <= MAX_PORT)


def malformed() -> Unusable:
    return Unusable(
        "the address of the database cannot be read: expected "
        "postgresql://user:password@host:port/name, with a port from 1 to 65535, and %40, %2F, %3F "
        "and %23 for @, /, ? and # in a password"
    )


class ReconnectingConnection:
    """A connection that is opened on demand, and again after it was lost."""

    def __init__(self, url: DatabaseUrl) -> None:
        self._url = url
        self._connection: Connection | None = None

    async def connection(self) -> Connection:
        """Return the open connection, or open one."""
        if self._connection is None or self._connection.is_closed():
            self.drop()
            self._connection = await self._url.connect()
        return self._connection

    @property
    def pid(self) -> int | None:
        """The process id of the open connection in the database. A later one may get it again."""
        if self._connection is None or self._connection.is_closed():
            return None
        return self._connection.get_server_pid()

    def drop(self) -> None:
        """Abandon the connection; the next request opens another."""
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

    async def close(self) -> None:
        if self._connection is not None:
            with suppress(Exception):  # the connection is abandoned anyway
                await self._connection.close(timeout=CONNECT_TIMEOUT_SECONDS)
            self.drop()


class Backoff:
    """Growing pauses between attempts."""

    def __init__(self) -> None:
        self._next = MIN_PAUSE_SECONDS

    async def wait(self) -> None:
        await asyncio.sleep(self._next)
        self._next = min(2 * self._next, MAX_PAUSE_SECONDS)


CONNECTION_LOST = (
    OSError,  # TimeoutError is one
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
    asyncpg.TooManyConnectionsError,
    asyncpg.IdleInTransactionSessionTimeoutError,
    asyncpg.ReadOnlySQLTransactionError,  # another machine is the primary now
)
TRANSACTION_LOST = (
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
    asyncpg.InvalidCachedStatementError,
)
TRANSIENT = (*TRANSACTION_LOST, asyncpg.LockNotAvailableError, asyncpg.QueryCanceledError)


def is_connection_lost(fault: BaseException) -> bool:
    """Return whether the connection is unusable. A value that cannot be encoded does no harm."""
    return isinstance(fault, CONNECTION_LOST) and not isinstance(fault, ValueError)


def breaks_transaction(fault: BaseException) -> bool:
    """Return whether the whole transaction must be repeated."""
    return is_connection_lost(fault) or isinstance(fault, TRANSACTION_LOST)


def is_transient(fault: BaseException) -> bool:
    """Return whether a repetition may succeed."""
    return is_connection_lost(fault) or isinstance(fault, TRANSIENT)


def reason(fault: Exception) -> str:
    """Describe a fault for the operator, without details, which may contain values of a row."""
    if isinstance(fault, OSError) and fault.errno:
        return os.strerror(fault.errno)
    return " ".join(str(fault.args[0]).split()) if fault.args else "it does not answer"


def can_store(value: Any) -> bool:
    """Return whether PostgreSQL can store a value: no text with NUL or a lone surrogate."""
    if not isinstance(value, str):
        return True
    try:
        return 0 not in value.encode()
    except UnicodeEncodeError:
        return False
