"""Read or fill a PostgreSQL store as a whole."""

import asyncio
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import asyncpg
from msgspec import Struct

from zashiki.server.store.archive.bulk import BATCH, BulkSession
from zashiki.server.store.archive.rows import ARCHIVED_TABLES, IntegrityFault
from zashiki.server.store.coordination import NODE_TIMEOUT_SECONDS
from zashiki.server.store.errors import Unusable
from zashiki.server.store.migrations import Kind
from zashiki.server.store.postgres.driver import (
    CONNECT_TIMEOUT_SECONDS,
    Connection,
    DatabaseUrl,
    can_store,
    reason,
)
from zashiki.server.store.postgres.migrate import check_server, prepare

Result = TypeVar("Result")

SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
LOCKED = f"LOCK TABLE {', '.join(ARCHIVED_TABLES)} IN SHARE ROW EXCLUSIVE MODE"
"""Others may read, but not write."""
SETTINGS = {
    "application_name": "zashiki archive",
    "statement_timeout": "0",
    "idle_in_transaction_session_timeout": "10min",
}
COLUMNS = """
SELECT attname FROM pg_attribute
WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped
"""
SERVERS = f"SELECT 1 FROM servers WHERE beat > now() - interval '{NODE_TIMEOUT_SECONDS} s' LIMIT 1"


class PostgresBulkSession(BulkSession):
    """A transaction of PostgreSQL."""

    kind: Kind = "postgres"

    def __init__(self, url: DatabaseUrl, run: asyncio.Runner, sql: Connection) -> None:
        super().__init__(str(url))
        self._run = run
        self._sql = sql
        tables = [table for table in ("migrations", "players") if self.names(table)]
        if not tables:
            raise Unusable(f"{url}: expected a store of Zashiki, found none: check the address")
        if len(tables) == 1:
            raise Unusable(
                f"{url}: expected a store of Zashiki, found only {tables[0]}: check the address"
            )
        taken = {number for (number,) in self.fetch("SELECT number FROM migrations")}
        self.schema = max(taken, default=0)
        self.check_version()

    def _do(self, work: Coroutine[Any, Any, Result]) -> Result:
        return self._run.run(work)

    def names(self, table: str) -> set[str]:
        return {name for (name,) in self._do(self._sql.fetch(COLUMNS, table))}

    def fetch(self, statement: str) -> Iterator[Sequence[Any]]:
        cursor = self._do(opened(self._sql, statement))
        while rows := self._do(cursor.fetch(BATCH)):
            yield from rows

    def execute(self, statement: str) -> None:
        self._do(self._sql.execute(statement))

    def insert(self, table: str, rows: Sequence[Struct]) -> None:
        values = [ARCHIVED_TABLES[table].write(row) for row in rows]
        copy = self._sql.copy_records_to_table(
            table, records=values, columns=ARCHIVED_TABLES[table].names
        )
        try:
            self._do(copy)
        except (asyncpg.DataError, UnicodeEncodeError):
            for one in values:
                if not all(map(can_store, one)):
                    key = " ".join(str(one[place]) for place in ARCHIVED_TABLES[table].keys)
                    raise IntegrityFault(
                        f"{table} {key!r}: there is a text with a null character in it, which "
                        "PostgreSQL does not keep"
                    ) from None
            raise

    def link(self, table: str, column: str, pairs: Sequence[tuple[str, str]]) -> None:
        statement = (
            f'UPDATE {table} SET "{column}" = late.value '
            f"FROM unnest($1::text[], $2::text[]) AS late (id, value) WHERE {table}.id = late.id"
        )
        ids, values = [id for id, _ in pairs], [value for _, value in pairs]
        self._do(self._sql.execute(statement, ids, values))


async def opened(sql: Connection, statement: str) -> Any:
    """Open a cursor."""
    return await sql.cursor(statement)


async def closed(sql: Connection) -> None:
    """Close a connection, which rolls back an open transaction."""
    with suppress(Exception):  # the connection is abandoned anyway
        await sql.close(timeout=CONNECT_TIMEOUT_SECONDS)
    sql.terminate()


class PostgresBulkStore:
    """A `BulkStore` in a PostgreSQL database."""

    def __init__(self, url: str) -> None:
        self._url = DatabaseUrl(url)

    def __str__(self) -> str:
        return str(self._url)

    @contextmanager
    def reading(self, exclusive: bool = False) -> Iterator[BulkSession]:
        with self._connected() as (run, sql):
            run.run(sql.execute(SNAPSHOT))
            yield PostgresBulkSession(self._url, run, sql)

    @contextmanager
    def filling(self) -> Iterator[BulkSession]:
        with self._connected() as (run, sql):
            run.run(sql.execute("BEGIN"))
            if run.run(sql.fetch(COLUMNS, "players")):
                PostgresBulkSession(self._url, run, sql).check_empty()
            run.run(sql.execute("COMMIT"))
            run.run(prepare(self._url))
            run.run(sql.execute("BEGIN"))
            run.run(sql.execute(LOCKED))
            if run.run(sql.fetch(SERVERS)):
                raise Unusable(f"{self._url}: servers run on it: stop them first")
            yield PostgresBulkSession(self._url, run, sql)
            run.run(sql.execute("COMMIT"))

    @contextmanager
    def _connected(self) -> Iterator[tuple[asyncio.Runner, Connection]]:
        """Open a connection. Closing it rolls back an open transaction."""
        with asyncio.Runner() as run:
            try:
                sql = run.run(self._url.connect(command_timeout=None, **SETTINGS))
            except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as fault:
                raise self._unusable(fault) from None
            try:
                check_server(self._url, sql)
                yield run, sql
            except (asyncpg.PostgresError, asyncpg.InterfaceError, ConnectionError) as fault:
                raise self._unusable(fault) from None
            finally:
                run.run(closed(sql))

    def _unusable(self, fault: Exception) -> Unusable:
        return Unusable(f"{self._url}: this cannot be used as a store: {reason(fault)}")
