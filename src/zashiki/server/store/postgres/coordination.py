"""The servers that share a PostgreSQL store, in tables that are not logged and never waited for.

All times are the database's: clocks of servers need not agree.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from zashiki.server.store.coordination import DEAD, FORGOTTEN, Heads, Heard, Place
from zashiki.server.store.postgres.connecting import Connection, can_be_kept
from zashiki.server.store.postgres.notify import CHANNEL, TELL, Ear, messages

Ask = Callable[[Callable[[Connection], Awaitable[Any]]], Awaitable[Any]]
"""Put something to the database; once more, if the connection was lost."""

BEAT = "UPDATE servers SET beat = clock_timestamp() WHERE name = $1 RETURNING true"
ENTER = "INSERT INTO servers (name, beat) VALUES ($1, clock_timestamp()) ON CONFLICT DO NOTHING"
STOP = "UPDATE servers SET beat = '-infinity' WHERE name = $1"
"""The next who beats strikes it off, and does what it did."""
STRIKE = """
DELETE FROM servers WHERE name IN (
  SELECT name FROM servers WHERE beat < clock_timestamp() - make_interval(secs => $1)
  FOR UPDATE SKIP LOCKED
) RETURNING name, beat = '-infinity'
"""
LIVING = "SELECT name FROM servers WHERE beat >= clock_timestamp() - make_interval(secs => $1)"
FREE = 'DELETE FROM presence WHERE server = ANY($1::text[]) RETURNING "table"'
COME = """
INSERT INTO presence ("table", player, server) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
"""
GO = 'DELETE FROM presence WHERE "table" = $1 AND player = $2 AND server = $3'
ELSEWHERE = """
SELECT DISTINCT "table", player FROM presence JOIN servers ON servers.name = presence.server
WHERE "table" = ANY($1::text[]) AND server <> $2
AND beat >= clock_timestamp() - make_interval(secs => $3)
"""
LEASE = """
INSERT INTO leases ("table", seat, server, until)
SELECT asked.at, asked.seat, $3, clock_timestamp() + make_interval(secs => $4)
FROM unnest($1::text[], $2::bigint[]) AS asked (at, seat)
ON CONFLICT ("table", seat) DO UPDATE SET server = excluded.server, until = excluded.until
WHERE leases.server = excluded.server OR leases.until < clock_timestamp() OR NOT EXISTS (
  SELECT FROM servers
  WHERE name = leases.server AND beat >= clock_timestamp() - make_interval(secs => $5)
)
RETURNING "table", seat
"""
RELEASE = """
DELETE FROM leases USING unnest($1::text[], $2::bigint[]) AS asked (at, seat)
WHERE leases."table" = asked.at AND leases.seat = asked.seat AND leases.server = $3
"""
NOW = "extract(epoch FROM now())::double precision"
ADD_TICKET = f"""
WITH old AS (DELETE FROM tickets WHERE expires < {NOW} - $4)
INSERT INTO tickets (token, content, expires) VALUES ($1, $2, {NOW} + $3) ON CONFLICT DO NOTHING
"""
TAKE_TICKET = f"""
WITH taken AS (DELETE FROM tickets WHERE token = $1 RETURNING content, expires)
SELECT content FROM taken WHERE expires >= {NOW}
"""
HEADS = """
SELECT 'entries', id, (SELECT max(n) FROM entries WHERE entries."match" = id)
FROM unnest($1::text[]) AS id
UNION ALL SELECT 'versions', id, version FROM tables WHERE id = ANY($2::text[])
UNION ALL SELECT 'lines', id, (SELECT max(n) FROM chat WHERE chat."table" = id)
FROM unnest($2::text[]) AS id
"""
"""In one go: it is asked whenever somebody comes to a table."""


class PostgresCoordination:
    """A `Site`."""

    is_shared = True

    def __init__(self, ear: Ear, ask: Ask, ask_at_once: Ask) -> None:
        self.dead_after = DEAD
        self._ear = ear
        self._ask = ask
        self._ask_at_once = ask_at_once
        """Without waiting behind others."""
        self._known: set[str] = set()
        """The servers that have beaten here: they expect to be known."""

    def listen(self, heard: Heard) -> None:
        self._ear.listen(heard)

    async def _execute(self, statement: str, *values: Any) -> None:
        await self._ask(lambda sql: sql.execute(statement, *values))

    # Servers -----------------------------------------------------------------------------------

    async def living(self) -> set[str]:
        found = await self._ask(lambda sql: sql.fetch(LIVING, self.dead_after))
        return {name for (name,) in found}

    async def beat(self, server: str) -> dict[str, bool]:
        asked = 0

        async def work(sql: Connection) -> dict[str, bool]:
            nonlocal asked
            asked += 1
            async with sql.transaction():
                is_known = await sql.fetchval(BEAT, server)
                if not is_known:
                    await sql.execute(ENTER, server)
                dead = dict(map(tuple, await sql.fetch(STRIKE, self.dead_after)))
                await free(sql, list(dead))
            return dead if is_known or server not in self._known else {server: False, **dead}

        struck: dict[str, bool] = await self._ask_at_once(work)
        self._known.add(server)
        return struck if asked == 1 else {server: False, **struck}

    async def leave(self, server: str) -> None:
        async def work(sql: Connection) -> None:
            async with sql.transaction():
                await sql.execute(STOP, server)
                await free(sql, [server])

        await self._ask(work)
        self._known.discard(server)

    # Who is here -------------------------------------------------------------------------------

    async def come(self, server: str, table: str, player: str) -> None:
        await self._ask(lambda sql: change(sql, COME, table, player, server))

    async def go(self, server: str, table: str, player: str) -> None:
        await self._ask(lambda sql: change(sql, GO, table, player, server))

    async def elsewhere(self, server: str, tables: Iterable[str]) -> Mapping[str, set[str]]:
        asked = [table for table in tables if can_be_kept(table)]
        found = await self._ask(lambda sql: sql.fetch(ELSEWHERE, asked, server, self.dead_after))
        there: dict[str, set[str]] = {}
        for table, player in found:
            there.setdefault(table, set()).add(player)
        return there

    # Seats and tickets -------------------------------------------------------------------------

    async def lease(self, server: str, places: Iterable[Place], seconds: float) -> set[Place]:
        wanted = split(places)
        found = await self._ask(
            lambda sql: sql.fetch(LEASE, *wanted, server, seconds, self.dead_after)
        )
        return {(table, seat) for table, seat in found}

    async def release(self, server: str, places: Iterable[Place]) -> None:
        await self._execute(RELEASE, *split(places), server)

    async def add_ticket(self, token: str, content: bytes, seconds: float) -> None:
        await self._execute(ADD_TICKET, token, content, seconds, FORGOTTEN)

    async def take_ticket(self, token: str) -> bytes | None:
        if not can_be_kept(token):
            return None
        content: bytes | None = await self._ask(lambda sql: sql.fetchval(TAKE_TICKET, token))
        return content

    # What is new -------------------------------------------------------------------------------

    async def heads(self, matches: Iterable[str], tables: Iterable[str]) -> Heads:
        asked = list(matches), list(tables)
        heads: dict[str, dict[str, int]] = {kind: {} for kind in Heads._fields}
        for kind, id, n in await self._ask(lambda sql: sql.fetch(HEADS, *asked)):
            if n is not None:
                heads[kind][id] = n
        return Heads(**heads)


def split(places: Iterable[Place]) -> tuple[list[str], list[int]]:
    """Each once and in order: two servers that want the same never wait for each other."""
    ordered = sorted(set(places))
    return [table for table, _ in ordered], [seat for _, seat in ordered]


async def free(sql: Connection, servers: list[str]) -> None:
    """Nobody is there any more, and no seat is theirs."""
    if not servers:
        return
    await sql.execute("DELETE FROM leases WHERE server = ANY($1::text[])", servers)
    left = {table for (table,) in await sql.fetch(FREE, servers)}
    await tell_presence(sql, left)


async def change(sql: Connection, statement: str, table: str, player: str, server: str) -> None:
    async with sql.transaction():
        if not (await sql.execute(statement, table, player, server)).endswith(" 0"):
            await tell_presence(sql, {table})


async def tell_presence(sql: Connection, tables: set[str]) -> None:
    if tables:
        known = {("here", table): 0 for table in sorted(tables)}
        await sql.execute(TELL, CHANNEL, list(messages(known)))
