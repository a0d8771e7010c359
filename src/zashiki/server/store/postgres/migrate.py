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
from zashiki.server.store.migrations import migrations_of, steps_in, too_new
from zashiki.server.store.postgres.driver import (
    Backoff,
    Connection,
    DatabaseUrl,
    is_transient,
    reason,
)

MIGRATIONS = migrations_of("postgres")
OPEN_TIMEOUT_SECONDS = 30.0
"""How long to wait for a database that does not answer, or that another server migrates."""
MIN_POSTGRES = 13
ADVISORY_LOCK = 0x7A617368696B69
"""Held by the server that migrates: the name of the project as a number."""
SETTINGS = {"statement_timeout": "0", "lock_timeout": "1s"}
"""An index of many rows may take long to build."""
EXPAND = "expand"


async def prepare(url: DatabaseUrl, migrations: Traversable = MIGRATIONS) -> None:
    """Wait until the database answers, and migrate it."""
    steps = steps_in(migrations)
    await retry_until_open(url, lambda: migrate(url, steps))


async def migrate(url: DatabaseUrl, steps: dict[int, Traversable]) -> None:
    """Check the database and apply the missing migrations."""
    connection = await url.connect(command_timeout=None, **SETTINGS)
    try:
        check_server(url, connection)
        await apply_missing(url, connection, steps)
    finally:
        connection.terminate()


async def retry_until_open(url: DatabaseUrl, attempt: Callable[[], Awaitable[None]]) -> None:
    """Repeat an attempt after transient faults; `Unusable` after other faults or a timeout."""
    loop = asyncio.get_running_loop()
    end = loop.time() + OPEN_TIMEOUT_SECONDS
    backoff = Backoff()
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
            if not is_transient(fault) or loop.time() > end:
                raise Unusable(f"{url}: this cannot be used as a store: {reason(fault)}") from None
        await backoff.wait()


def check_server(url: DatabaseUrl, connection: Connection) -> None:
    """`Unusable` if the server is too old, or does not store text as UTF-8."""
    version = connection.get_server_version()
    if version.major < MIN_POSTGRES:
        raise Unusable(
            f"{url}: expected PostgreSQL {MIN_POSTGRES} or newer, "
            f"found {version.major}.{version.minor}: upgrade the database"
        )
    encoding = connection.get_settings().server_encoding
    if encoding != "UTF8":
        raise Unusable(f"{url}: expected a database with the encoding UTF8, found {encoding}")


async def apply_missing(
    url: DatabaseUrl, connection: Connection, steps: dict[int, Traversable]
) -> None:
    """Apply the missing migrations, each in a transaction."""
    while True:
        async with connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock($1)", ADVISORY_LOCK)
            applied = await applied_steps(connection)
            missing = sorted(set(steps) - set(applied))
            if not missing:
                check_compatible(url, steps, applied)
                return
            await apply(connection, missing[0], steps[missing[0]])


async def applied_steps(connection: Connection) -> dict[int, str]:
    """Return the names of the migrations that were applied to this database, by number."""
    await connection.execute(
        "CREATE TABLE IF NOT EXISTS migrations ("
        "number bigint PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL DEFAULT now())"
    )
    found = await connection.fetch("SELECT number, name FROM migrations")
    return dict(map(tuple, found))


def check_compatible(
    url: DatabaseUrl, steps: dict[int, Traversable], applied: dict[int, str]
) -> None:
    """`Unusable` if newer code has applied a migration that this code cannot live with."""
    for number in sorted(set(applied) - set(steps)):
        if not applied[number].startswith(EXPAND):
            raise too_new(url, number, max(steps))


async def apply(connection: Connection, number: int, step: Traversable) -> None:
    """Run the script of a migration and record it."""
    await connection.execute(step.read_text("utf-8"))
    name = step.name.partition("_")[2].removesuffix(".sql")
    await connection.execute("INSERT INTO migrations (number, name) VALUES ($1, $2)", number, name)
