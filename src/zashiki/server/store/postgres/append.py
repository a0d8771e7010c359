"""Insert all journal entries of a group with one statement."""

from collections.abc import Iterable
from operator import itemgetter

from zashiki.server.store.postgres.notify import CHANNEL, MAX_NOTICES
from zashiki.server.store.postgres.transaction import PostgresTransaction
from zashiki.server.store.sql import ENTRIES
from zashiki.server.store.writes import Values

EntryKey = tuple[str, int]
"""The primary key of an entry: its match and its number."""

TYPES = ("text", "bigint", "bigint", "text", "text", "text", "text", "text", "double precision")
NAMES = ", ".join(f'"{name}"' for name in ENTRIES.names)
GIVEN = f"unnest({', '.join(f'${n}::{kind}[]' for n, kind in enumerate((*TYPES, 'bigint'), 1))})"
APPEND = f"""
WITH added AS (
  INSERT INTO entries ({NAMES})
  SELECT {NAMES} FROM {GIVEN} AS given ({NAMES}, before)
  WHERE before < 0 OR (
    SELECT true FROM entries AS stored
    WHERE stored."match" = given."match" AND stored.n = given.before
  )
  ON CONFLICT DO NOTHING
  RETURNING "match", n
), parts AS (
  SELECT "match", n, row_number() OVER () / {MAX_NOTICES} AS part FROM added
)
SELECT array_agg("match"), array_agg(n),
  pg_notify('{CHANNEL}', json_agg(json_build_array('match', "match", n))::text)
FROM parts GROUP BY part
"""
"""Insert and notify. Skip an entry if its key is taken or an entry before it is missing."""


def key_of(entry: Values) -> EntryKey:
    """Return the primary key of an entry, whose columns begin with it."""
    match, n = entry[:2]
    return match, n


async def append(tx: PostgresTransaction, entries: Iterable[Values]) -> set[EntryKey]:
    """Insert entries and return the keys of those that were inserted."""
    rows = in_order(entries)
    found = await tx.fetch(APPEND, *map(list, zip(*rows, strict=True)))
    return {key for matches, numbers, _ in found for key in zip(matches, numbers, strict=True)}


def in_order(entries: Iterable[Values]) -> list[Values]:
    """Sort entries by key, and add to each the number that must be stored before its run.

    All servers insert in the same order, so that no two of them wait for each other.
    """
    rows: list[Values] = []
    for values in sorted(entries, key=itemgetter(0, 1)):
        match, n = values[:2]
        is_next = bool(rows) and rows[-1][:2] == [match, n - 1]
        rows.append([*values, rows[-1][-1] if is_next else n - 1])
    return rows
