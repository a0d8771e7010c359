"""Many entries of many matches, appended with as few questions as one entry needs."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from zashiki.server.store.append_check import Head, check_next
from zashiki.server.store.errors import StoreFault
from zashiki.server.store.postgres.notify import CHANNEL
from zashiki.server.store.postgres.transaction import Transaction
from zashiki.server.store.protocol import Appended
from zashiki.server.store.rows import EntryRow
from zashiki.server.store.sql import ENTRIES

HEADS = """
SELECT id, ended, (SELECT max(n) FROM entries WHERE entries."match" = matches.id)
FROM matches WHERE id = ANY($1::text[])
"""
KNOWN = f"""
{ENTRIES.select} JOIN unnest($1::text[], $2::bigint[], $3::text[]) AS asked (m, s, k)
ON entries."match" = asked.m AND coalesce(entries.seat, -1) = asked.s AND entries."key" = asked.k
"""
NOTICES = 100
"""So many fit into one message."""
TYPES = ("text", "bigint", "bigint", "text", "text", "text", "text", "text", "double precision")
NAMES = ", ".join(f'"{name}"' for name in ENTRIES.names)
GIVEN = f"unnest({', '.join(f'${n}::{kind}[]' for n, kind in enumerate(TYPES, 1))})"
INSERT = f"INSERT INTO entries ({NAMES}) SELECT * FROM {GIVEN}"
AT_ONCE = f"""
WITH playing AS MATERIALIZED (
  SELECT id FROM matches WHERE id = ANY($1::text[]) AND ended IS NULL
  ORDER BY id FOR NO KEY UPDATE
), added AS (
  INSERT INTO entries ({NAMES})
  SELECT given.* FROM {GIVEN} AS given ({NAMES}) JOIN playing ON playing.id = given."match"
  WHERE (SELECT max(n) FROM entries WHERE entries."match" = given."match") = given.n - 1
  ON CONFLICT DO NOTHING
  RETURNING "match", n
), parts AS (
  SELECT "match", n, row_number() OVER () / {NOTICES} AS part FROM added
)
SELECT array_agg("match"),
  pg_notify('{CHANNEL}', json_agg(json_build_array('match', "match", n))::text)
FROM parts GROUP BY part
"""
"""Locks, appends and tells. What another transaction has appended meanwhile is not seen by what is
asked for the last number, but then this number is taken."""
NOBODY = -1

Key = tuple[str, int, str]


class Draft(NamedTuple):
    """An entry that may be appended, and its values when that was asked."""

    entry: EntryRow
    values: list[Any]

    @property
    def key(self) -> Key | None:
        """By which it is known if it comes again."""
        entry = self.entry
        if entry.key is None:
            return None
        return entry.match, NOBODY if entry.seat is None else entry.seat, entry.key


async def append_at_once(pen: Transaction, drafts: Sequence[Draft]) -> set[str]:
    """With one question: the matches to which it was appended. The others have to be looked at, and
    a fault ends the transaction."""
    values = [draft.values for draft in drafts]
    found = await pen.fetch(AT_ONCE, *map(list, zip(*values, strict=True)))
    return {match for matches, _ in found for match in matches}


async def append(pen: Transaction, drafts: Sequence[Draft]) -> list[Appended | StoreFault]:
    """What becomes of each, in their order. Their matches are locked, over, or not there."""
    known = await known_entries(pen, drafts)
    heads = await heads_of(pen, drafts)
    outcomes: list[Appended | StoreFault] = []
    added: list[list[Any]] = []
    for draft in drafts:
        entry, key = draft.entry, draft.key
        if key is not None and key in known:
            outcomes.append(Appended(known[key], known=True))
            continue
        try:
            check_next(entry, heads.get(entry.match))
        except StoreFault as fault:
            outcomes.append(fault)
            continue
        heads[entry.match] = Head(None, entry.n)
        if key is not None:
            known[key] = ENTRIES.read(draft.values)
        added.append(draft.values)
        outcomes.append(Appended(entry, known=False))
        pen.tell("match", entry.match, entry.n)
    if added:
        await pen.execute(INSERT, *map(list, zip(*added, strict=True)))
    return outcomes


async def append_one(pen: Transaction, draft: Draft) -> Appended:
    (outcome,) = await append(pen, [draft])
    if isinstance(outcome, StoreFault):
        raise outcome
    return outcome


async def known_entries(pen: Transaction, drafts: Sequence[Draft]) -> dict[Key, EntryRow]:
    keys = {key for draft in drafts if (key := draft.key) is not None}
    if not keys:
        return {}
    found = await pen.fetch(KNOWN, *map(list, zip(*keys, strict=True)))
    rows = [ENTRIES.read(list(values)) for values in found]
    return {key: row for row in rows if (key := Draft(row, []).key) is not None}


async def heads_of(pen: Transaction, drafts: Sequence[Draft]) -> dict[str, Head]:
    found = await pen.fetch(HEADS, list({draft.entry.match for draft in drafts}))
    return {id: Head(ended, last) for id, ended, last in found}
