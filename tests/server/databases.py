"""Databases of a running PostgreSQL: a new one for each test, or a cleared one."""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

import asyncpg

from tests.server.waits import TIMEOUT

Result = TypeVar("Result")

USER = "zashiki"
TEMPLATE = "ready"
"""The database that already has all tables."""
ENDING = 10.0
"""Seconds for connections to a database to end. If new ones keep coming, it is dropped."""
CLEARER = ThreadPoolExecutor(1)
CLEARING: list[Future[None]] = []
OTHERS = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
SHAPE = """
SELECT md5(string_agg(part, ' ' ORDER BY part)) FROM (
  SELECT concat_ws(':', relname, relkind, attname, atttypid, attnotnull, attnum)
  FROM pg_class LEFT JOIN pg_attribute ON attrelid = pg_class.oid
  WHERE relnamespace = 'public'::regnamespace
  UNION ALL SELECT conname FROM pg_constraint WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT concat_ws(':', number, name) FROM migrations
) AS parts (part)
"""
EMPTY = """
DO $$ DECLARE name text; BEGIN
  SET LOCAL session_replication_role = replica;  -- in any order, whatever refers to what
  FOR name IN SELECT tablename FROM pg_tables
    WHERE schemaname = 'public' AND tablename <> 'migrations'
  LOOP EXECUTE format('DELETE FROM %I', name); END LOOP;
END $$
"""


class Databases:
    """A running cluster, and the databases that this process has taken from it."""

    def __init__(self, port: int, password: str, leash: int, shape: str = "") -> None:
        self.port = port
        self.password = password
        self.leash = leash
        """The cluster runs as long as a process holds it."""
        self.shape = shape
        """The tables of the template, as reported by `SHAPE`."""
        self.made: list[str] = []
        self.free: list[str] = []
        """Cleared databases of earlier tests."""

    def url(self, database: str) -> str:
        return f"postgresql://{USER}:{self.password}@127.0.0.1:{self.port}/{database}"

    def new(self, template: str = TEMPLATE) -> str:
        """Return the address of an unused database; an empty one if it is made from template0."""
        if template == TEMPLATE and self.free:
            name = self.free.pop()
        else:
            name = f"test_{secrets.token_hex(6)}"
            self.ask(f"CREATE DATABASE {name} TEMPLATE {template}")
        self.made.append(name)
        return self.url(name)

    def give_back(self, names: list[str]) -> None:
        """Clear databases in the background, so that no test waits for it."""
        for name in names:
            self.made.remove(name)
            CLEARING.append(CLEARER.submit(self._clear, name))
        while CLEARING and CLEARING[0].done():
            CLEARING.pop(0).result()

    def _clear(self, name: str) -> None:
        """Empty a database for the next test: dropping and creating one costs twenty times as much.
        One whose tables a test has changed is dropped."""
        try:
            end = time.monotonic() + ENDING
            while self.ask(OTHERS, name) and time.monotonic() < end:
                time.sleep(0.01)
            is_usable = time.monotonic() < end and self.ask(SHAPE, name)[0][0] == self.shape
        except asyncpg.PostgresError:
            is_usable = False  # it has no migrations, or is gone
        if is_usable:
            self.ask(EMPTY, name)
            self.free.append(name)
        else:
            self.ask(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def ask(self, statement: str, database: str = "postgres") -> list[Any]:
        """Return the rows of a statement."""

        async def asked() -> list[Any]:
            connection = await asyncpg.connect(self.url(database), timeout=TIMEOUT)
            try:
                return await connection.fetch(statement)
            finally:
                await connection.close()

        return apart(asked)


def apart(work: Callable[[], Awaitable[Result]]) -> Result:
    """Run in a separate event loop, whether one runs here or not."""

    async def whole() -> Result:
        return await work()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, whole()).result()
