"""Bring the tables of a PostgreSQL store up to date while other servers use them.

A migration is a file `0007_expand_….sql` or `0007_contract_….sql`. One that expands adds tables,
indexes, or columns with a default, or drops an index or a constraint that older code can do
without: older code continues unchanged. One that contracts removes what newer code does not use any
more. It comes one release later, when no server that needs it is left. So a release can be deployed
server by server: the first one expands, and older servers, which find a migration that they do not
know, continue if it only expands.

Each migration is one transaction, by one server at a time. None waits long for a lock, because
every later query would wait behind it: it gives up and tries again.
"""

import asyncio
from collections.abc import Awaitable, Callable
from importlib.resources.abc import Traversable

import asyncpg

from zashiki.server.store.errors import Unusable
from zashiki.server.store.migrations import migrations_of, steps_in
from zashiki.server.store.postgres.connecting import Address, Connection, Pauses, is_passing, why

MIGRATIONS = migrations_of("postgres")
OPENING = 30.0
"""So many seconds a database that is not there yet, or that others migrate, is waited for."""
OLDEST_POSTGRES = 13
LOCK = 0x7A617368696B69
"""Held by who migrates: the name of the project as a number."""
PATIENT = {"statement_timeout": "0", "lock_timeout": "1s"}
"""An index of many rows takes its time."""
EXPAND = "expand"


async def prepare(address: Address, migrations: Traversable = MIGRATIONS) -> None:
    """Wait until the database is there, and bring it up to date."""
    steps = steps_in(migrations)
    await patiently(address, lambda: bring_up(address, steps))


async def bring_up(address: Address, steps: dict[int, Traversable]) -> None:
    connection = await address.connect(answering=None, **PATIENT)
    try:
        check_kind(address, connection)
        await take_all(address, connection, steps)
    finally:
        connection.terminate()


async def patiently(address: Address, attempt: Callable[[], Awaitable[None]]) -> None:
    """What is in the way may pass; what does not pass, or not soon, makes the store unusable."""
    loop = asyncio.get_running_loop()
    end = loop.time() + OPENING
    pauses = Pauses()
    while True:
        try:
            return await attempt()
        except (
            asyncpg.PostgresError,
            asyncpg.InterfaceError,
            asyncpg.InternalClientError,  # a connection that ends while it is being set up
            OSError,
            ValueError,
        ) as fault:
            if not is_passing(fault) or loop.time() > end:
                raise Unusable(f"{address}: this cannot be used as a store: {why(fault)}") from None
        await pauses.wait()


def check_kind(address: Address, connection: Connection) -> None:
    version = connection.get_server_version()
    if version.major < OLDEST_POSTGRES:
        raise Unusable(
            f"{address}: PostgreSQL {version.major}.{version.minor}: {OLDEST_POSTGRES} or newer is "
            "expected"
        )
    encoding = connection.get_settings().server_encoding
    if encoding != "UTF8":
        raise Unusable(f"{address}: the database keeps text as {encoding}: UTF8 is expected")


async def take_all(address: Address, connection: Connection, steps: dict[int, Traversable]) -> None:
    """Take the steps that are missing, each wholly or not at all."""
    while True:
        async with connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
            taken = await taken_steps(connection)
            missing = sorted(set(steps) - set(taken))
            if not missing:
                check_known(address, steps, taken)
                return
            await take(connection, missing[0], steps[missing[0]])


async def taken_steps(connection: Connection) -> dict[int, str]:
    """By number, what was done to this database."""
    await connection.execute(
        "CREATE TABLE IF NOT EXISTS migrations ("
        "number bigint PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL DEFAULT now())"
    )
    found = await connection.fetch("SELECT number, name FROM migrations")
    return dict(map(tuple, found))


def check_known(address: Address, steps: dict[int, Traversable], taken: dict[int, str]) -> None:
    """Whether this code may use the database, if a newer one has been there."""
    for number in sorted(set(taken) - set(steps)):
        if not taken[number].startswith(EXPAND):
            raise Unusable(
                f"{address}: the database has version {number}, written by a newer Zashiki; this "
                f"one knows versions up to {max(steps)}"
            )


async def take(connection: Connection, number: int, step: Traversable) -> None:
    await connection.execute(step.read_text("utf-8"))
    name = step.name.partition("_")[2].removesuffix(".sql")
    await connection.execute("INSERT INTO migrations (number, name) VALUES ($1, $2)", number, name)
