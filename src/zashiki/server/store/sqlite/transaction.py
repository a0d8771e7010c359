"""A transaction of SQLite, whose statements run in the event loop without waiting."""

import sqlite3
from collections.abc import Iterable
from typing import Any

from zashiki.server.store.writes import Result, Values, Work


class SqliteTransaction:
    """A `Transaction` on the connection that writes."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    async def execute(self, statement: str, *values: Any) -> int:
        return self._connection.execute(statement, values).rowcount

    async def execute_each(self, statement: str, values: Iterable[Values]) -> None:
        self._connection.executemany(statement, values)

    async def fetch(self, statement: str, *values: Any) -> list[Any]:
        return self._connection.execute(statement, values).fetchall()

    def notify(self, kind: str, id: str, n: int) -> None:
        """Do nothing: no other server uses the file."""


def run(work: Work[Result], connection: sqlite3.Connection) -> Result:
    """Run work that waits for nothing but its statements, here and now."""
    coroutine = work(SqliteTransaction(connection))
    try:
        coroutine.send(None)
    except StopIteration as done:
        result: Result = done.value
        return result
    coroutine.close()
    raise RuntimeError("the work of a write waits for something else than its statements")
