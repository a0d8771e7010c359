"""A transaction: statements, and the notices that are sent with its commit."""

from typing import Any

import asyncpg

from zashiki.server.store.postgres.driver import Connection
from zashiki.server.store.postgres.notify import CHANNEL, NOTIFY, Pending, encode


class Transaction:
    """The statements and notices of one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.pending: Pending = {}

    async def execute(self, statement: str, *values: Any) -> int:
        """Execute a statement and return the number of changed rows."""
        status = await self._connection.execute(statement, *values)
        number = status.rpartition(" ")[2]
        return int(number) if number.isdecimal() else 0

    async def fetch(self, statement: str, *values: Any) -> list[asyncpg.Record]:
        """Execute a statement and return its rows."""
        return await self._connection.fetch(statement, *values)

    def notify(self, kind: str, id: str, n: int = 0) -> None:
        """Add a notice that other servers get if this transaction is committed."""
        self.pending[kind, id] = max(n, self.pending.get((kind, id), n))

    async def send_notices(self) -> None:
        """Hand the notices to the database, which sends them with the commit."""
        if self.pending:
            await self.execute(NOTIFY, CHANNEL, list(encode(self.pending)))
