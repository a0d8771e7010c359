"""The memory that tables and their matches take, by estimate, and its bound.

The bytes of Python objects cannot be counted in passing. The estimates below are checked against a
measurement by `test_the_estimate_is_near_the_measured_size`.
"""

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Callable

import msgspec

from zashiki.core.spec import Rules
from zashiki.games import catalogue
from zashiki.server.errors import ApiError
from zashiki.server.ops.logs import log
from zashiki.server.ops.metrics import EVICTED
from zashiki.server.tables.model import TableDoc
from zashiki.server.tables.state import TableState

TABLE_BYTES = 16_000
"""A table without a match, and a match without facts."""
FACT_BYTES = 800
"""A fact of a match, with its sentences in two languages."""
ACTION_BYTES = 850
"""An entry in the action table of rules, which all matches with equal options share."""
CONTENT_FACTOR = 15
"""Bytes per character of content that a player wrote: the table and the match have copies."""
ROOM_SHARE = 0.9
"""An eviction goes down to this share of the limit, so that not every load evicts."""
CONTENT_SHARE = 0.5
"""Rules of content that players wrote take at most this share of the limit."""


async def prepared_rules(doc: TableDoc) -> Rules:
    """Return the rules of a table. Those that are not in memory are built in a thread."""
    spec, seats = doc.spec, len(doc.chairs)
    if spec.has_rules(seats, doc.options):
        return spec.rules(seats, doc.options)
    return await asyncio.to_thread(spec.rules, seats, doc.options)


def has_own_content(doc: TableDoc) -> bool:
    """Return True if a player wrote the content of an option."""
    spec = catalogue().get(doc.game)
    known = {} if spec is None else spec.options
    return any(
        isinstance(value, dict)
        and (name not in known or known[name].name_of(value) not in known[name].values)
        for name, value in doc.options.items()
    )


def estimated_bytes(table: TableState) -> int:
    """Estimate the size of a table and its match, without the rules, which others may share."""
    size = TABLE_BYTES
    if table.live is not None:
        size += FACT_BYTES * len(table.live.match.journal.entries)
    if has_own_content(table.doc):
        size += CONTENT_FACTOR * len(msgspec.json.encode(table.doc.options))
    return size


def rules_bytes(rules: Rules) -> int:
    return ACTION_BYTES * len(rules.game.actions)


class MemoryBudget:
    """Counts the tables in memory, and makes room by dropping those that nobody uses."""

    def __init__(self, limit: int, drop: Callable[[str], bool]) -> None:
        self.limit = limit
        self._drop = drop
        """Drops a table by its id, and returns False if it is in use."""
        self._counted: OrderedDict[str, tuple[int, Rules | None]] = OrderedDict()
        """By table, the least recently used first: its size, and the rules of its match."""
        self._users: Counter[Rules] = Counter()
        """The number of tables by the rules that they share."""
        self._written: set[Rules] = set()
        """Those rules that are of content that a player wrote."""
        self._sizes = 0
        self._is_full = False

    @property
    def total(self) -> int:
        return self._sizes + sum(map(rules_bytes, self._users))

    @property
    def written(self) -> int:
        """Bytes that the rules of card sets of players take, by estimate."""
        return sum(map(rules_bytes, self._written))

    # Counting ------------------------------------------------------------------------------------

    def count(self, table: TableState) -> None:
        """Count a table as it is now, as the one that was used last."""
        self.forget(table.row.id)
        size = estimated_bytes(table)
        rules = None if table.live is None else table.live.match.rules
        self._counted[table.row.id] = size, rules
        self._sizes += size
        if rules is not None:
            self._users[rules] += 1
            if has_own_content(table.doc):
                self._written.add(rules)

    def touch(self, table: str) -> None:
        """Mark a table as the one that was used last."""
        if table in self._counted:
            self._counted.move_to_end(table)

    def forget(self, table: str) -> None:
        """Stop counting a table that was dropped."""
        size, rules = self._counted.pop(table, (0, None))
        self._sizes -= size
        if rules is not None:
            self._users[rules] -= 1
            if not self._users[rules]:
                del self._users[rules]
                self._written.discard(rules)

    # The bound -----------------------------------------------------------------------------------

    def make_room(self) -> None:
        """Drop tables that nobody uses if there are too many, the least recently used first."""
        if self._is_within(1.0):
            return
        for table in list(self._counted)[:-1]:  # somebody has just asked for the last one
            if self._drop(table):
                EVICTED.add()
                if self._is_within(ROOM_SHARE):
                    break

    def check(self, doc: TableDoc) -> None:
        """Refuse one more match if all the memory is taken by tables that are in use."""
        self.make_room()
        is_full = self.total > self.limit
        if is_full and not self._is_full:
            log(logging.WARNING, "memory-full")
        self._is_full = is_full
        if is_full:
            text = "the memory for matches is full: try again later"
            raise ApiError(503, "memory-full", text, {"retry_after": 10})
        if has_own_content(doc) and self.written > CONTENT_SHARE * self.limit:
            text = "too many card sets are being played with: try again later"
            raise ApiError(503, "memory-full", text, {"retry_after": 10})

    def _is_within(self, share: float) -> bool:
        limit = share * self.limit
        return self.total <= limit and self.written <= CONTENT_SHARE * limit
