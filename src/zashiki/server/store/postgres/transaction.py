"""What writes in a transaction have in hand: statements, and the notices that go out with it."""

from typing import Any

import asyncpg

from zashiki.server.store.postgres.connecting import Connection
from zashiki.server.store.postgres.notify import CHANNEL, TELL, Known, messages


class Transaction:
    """Of one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.told: Known = {}

    async def execute(self, statement: str, *values: Any) -> int:
        """How many rows it changed; 0 of a statement that changes none."""
        status = await self._connection.execute(statement, *values)
        number = status.rpartition(" ")[2]
        return int(number) if number.isdecimal() else 0

    async def fetch(self, statement: str, *values: Any) -> list[asyncpg.Record]:
        return await self._connection.fetch(statement, *values)

    def tell(self, kind: str, id: str, n: int = 0) -> None:
        """What others hear if this transaction is committed."""
        self.told[kind, id] = max(n, self.told.get((kind, id), n))

    async def send(self) -> None:
        if self.told:
            await self.execute(TELL, CHANNEL, list(messages(self.told)))
