"""A transaction: statements, and the notices that are sent with its commit."""

from collections.abc import Iterable
from typing import Any

import asyncpg

from zashiki.server.store.coordination import NoticeKind
from zashiki.server.store.postgres.driver import Connection
from zashiki.server.store.postgres.notify import CHANNEL, NOTIFY, Pending, encode
from zashiki.server.store.sql import numbered
from zashiki.server.store.writes import Values


class PostgresTransaction:
    """A `Transaction` of all writes of a group."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.pending: Pending = {}

    async def execute(self, statement: str, *values: Any) -> int:
        status = await self._connection.execute(numbered(statement), *values)
        number = status.rpartition(" ")[2]
        return int(number) if number.isdecimal() else 0

    async def execute_each(self, statement: str, values: Iterable[Values]) -> None:
        await self._connection.executemany(numbered(statement), values)

    async def fetch(self, statement: str, *values: Any) -> list[asyncpg.Record]:
        return await self._connection.fetch(numbered(statement), *values)

    def notify(self, kind: NoticeKind, id: str, n: int) -> None:
        self.pending[kind, id] = max(n, self.pending.get((kind, id), n))

    async def send_notices(self) -> None:
        """Hand the notices to the database, which sends them with the commit."""
        if self.pending:
            await self.execute(NOTIFY, CHANNEL, list(encode(self.pending)))
