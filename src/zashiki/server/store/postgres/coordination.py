"""Coordination of the servers that share a PostgreSQL store, in unlogged tables.

All times are those of the database: the clocks of servers need not agree.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, TypeVar

from zashiki.server.store.coordination import (
    NODE_TIMEOUT_SECONDS,
    TICKET_RETENTION_SECONDS,
    Attendance,
    LatestVersions,
    NoticeHandler,
    Place,
)
from zashiki.server.store.postgres.driver import Connection, can_store
from zashiki.server.store.postgres.notify import CHANNEL, MAX_NOTICES, NotifyListener

Part = TypeVar("Part", str, int)
Ask = Callable[[Callable[[Connection], Awaitable[Any]]], Awaitable[Any]]
"""Runs a query, and repeats it once if the connection was lost."""

HEARTBEAT = "UPDATE servers SET beat = clock_timestamp() WHERE name = $1 RETURNING true"
REGISTER = "INSERT INTO servers (name, beat) VALUES ($1, clock_timestamp()) ON CONFLICT DO NOTHING"
STOP = "UPDATE servers SET beat = '-infinity' WHERE name = $1"
"""The next server with a heartbeat removes it, and takes over what it did."""
REMOVE_DEAD = """
DELETE FROM servers WHERE name IN (
  SELECT name FROM servers WHERE beat < clock_timestamp() - make_interval(secs => $1)
  FOR UPDATE SKIP LOCKED
) RETURNING name, beat = '-infinity'
"""
LIVE_NODES = "SELECT name FROM servers WHERE beat >= clock_timestamp() - make_interval(secs => $1)"
NOTIFYING = f"""
WITH changed AS ({{}} RETURNING "table"), parts AS (
  SELECT "table", row_number() OVER () / {MAX_NOTICES} AS part
  FROM (SELECT DISTINCT "table" FROM changed) AS tables
)
SELECT pg_notify('{CHANNEL}', json_agg(json_build_array('here', "table", 0))::text)
FROM parts GROUP BY part
"""
"""Change presences, and notify others of the tables at which that changed anything."""
CLEAR_PRESENCE = NOTIFYING.format("DELETE FROM presence WHERE server = ANY($1::text[])")
SET_PRESENT = NOTIFYING.format(
    'INSERT INTO presence ("table", player, server) '
    "SELECT who.at, who.player, $3 FROM unnest($1::text[], $2::text[]) AS who (at, player) "
    "ON CONFLICT DO NOTHING"
)
SET_ABSENT = NOTIFYING.format(
    "DELETE FROM presence USING unnest($1::text[], $2::text[]) AS who (at, player) "
    'WHERE "table" = who.at AND presence.player = who.player AND server = $3'
)
PRESENT_ELSEWHERE = """
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
LATEST_VERSIONS = """
SELECT 'entries', id, (SELECT max(n) FROM entries WHERE entries."match" = id)
FROM unnest($1::text[]) AS id
UNION ALL SELECT 'versions', id, version FROM tables WHERE id = ANY($2::text[])
UNION ALL SELECT 'lines', id, (SELECT max(n) FROM chat WHERE chat."table" = id)
FROM unnest($2::text[]) AS id
"""
"""One statement, because it runs whenever somebody comes to a table."""


class PostgresCoordination:
    """A `Coordination`."""

    def __init__(self, listener: NotifyListener, ask: Ask, ask_alone: Ask) -> None:
        self.dead_after = NODE_TIMEOUT_SECONDS
        self._listener = listener
        self._ask = ask
        self._ask_alone = ask_alone
        """Uses a connection of its own, without waiting for other queries."""
        self._known: set[str] = set()
        """The servers that have sent heartbeats from here and expect to be registered."""

    def listen(self, handler: NoticeHandler) -> None:
        self._listener.listen(handler)

    async def _execute(self, statement: str, *values: Any) -> None:
        await self._ask(lambda sql: sql.execute(statement, *values))

    # Servers -----------------------------------------------------------------------------------

    async def live_nodes(self) -> set[str]:
        found = await self._ask(lambda sql: sql.fetch(LIVE_NODES, self.dead_after))
        return {name for (name,) in found}

    async def heartbeat(self, node: str) -> dict[str, bool]:
        attempts = 0

        async def work(sql: Connection) -> dict[str, bool]:
            nonlocal attempts
            attempts += 1
            async with sql.transaction():
                is_known = await sql.fetchval(HEARTBEAT, node)
                if not is_known:
                    await sql.execute(REGISTER, node)
                dead = dict(map(tuple, await sql.fetch(REMOVE_DEAD, self.dead_after)))
                await free(sql, list(dead))
            return dead if is_known or node not in self._known else {node: False, **dead}

        removed: dict[str, bool] = await self._ask_alone(work)
        self._known.add(node)
        return removed if attempts == 1 else {node: False, **removed}

    async def leave(self, node: str) -> None:
        async def work(sql: Connection) -> None:
            async with sql.transaction():
                await sql.execute(STOP, node)
                await free(sql, [node])

        await self._ask(work)
        self._known.discard(node)

    # Presence ----------------------------------------------------------------------------------

    async def set_present(self, node: str, attendances: Iterable[Attendance]) -> None:
        await self._execute(SET_PRESENT, *split(attendances), node)

    async def set_absent(self, node: str, attendances: Iterable[Attendance]) -> None:
        await self._execute(SET_ABSENT, *split(attendances), node)

    async def present_on_other_nodes(
        self, node: str, tables: Iterable[str]
    ) -> Mapping[str, set[str]]:
        known = [table for table in tables if can_store(table)]
        found = await self._ask(
            lambda sql: sql.fetch(PRESENT_ELSEWHERE, known, node, self.dead_after)
        )
        there: dict[str, set[str]] = {}
        for table, player in found:
            there.setdefault(table, set()).add(player)
        return there

    # Seats and tickets -------------------------------------------------------------------------

    async def lease(self, node: str, places: Iterable[Place], seconds: float) -> set[Place]:
        wanted = split(places)
        found = await self._ask(
            lambda sql: sql.fetch(LEASE, *wanted, node, seconds, self.dead_after)
        )
        return {(table, seat) for table, seat in found}

    async def release(self, node: str, places: Iterable[Place]) -> None:
        await self._execute(RELEASE, *split(places), node)

    async def add_ticket(self, token: str, content: bytes, seconds: float) -> None:
        await self._execute(ADD_TICKET, token, content, seconds, TICKET_RETENTION_SECONDS)

    async def take_ticket(self, token: str) -> bytes | None:
        if not can_store(token):
            return None
        content: bytes | None = await self._ask(lambda sql: sql.fetchval(TAKE_TICKET, token))
        return content

    # Latest versions ---------------------------------------------------------------------------

    async def latest_versions(
        self, matches: Iterable[str], tables: Iterable[str]
    ) -> LatestVersions:
        ids = list(matches), list(tables)
        found: dict[str, dict[str, int]] = {kind: {} for kind in LatestVersions._fields}
        for kind, id, n in await self._ask(lambda sql: sql.fetch(LATEST_VERSIONS, *ids)):
            if n is not None:
                found[kind][id] = n
        return LatestVersions(**found)


def split(pairs: Iterable[tuple[str, Part]]) -> tuple[list[str], list[Part]]:
    """Sort pairs without duplicates, so that two servers never wait for each other."""
    ordered = sorted(set(pairs))
    return [table for table, _ in ordered], [part for _, part in ordered]


async def free(sql: Connection, nodes: list[str]) -> None:
    """Delete leases and presence of servers."""
    if not nodes:
        return
    await sql.execute("DELETE FROM leases WHERE server = ANY($1::text[])", nodes)
    await sql.execute(CLEAR_PRESENCE, nodes)
