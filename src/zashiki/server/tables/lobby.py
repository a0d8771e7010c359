"""The lobby: the list of public tables, and the sockets that are sent every change of them.

The list is kept as JSON until one of its tables changes, and then only that one is encoded again.
"""

import logging
from collections import OrderedDict
from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from zashiki.server.ops.logs import log
from zashiki.server.protocol import frames, rest
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import TableRow
from zashiki.server.tables.connection import Connection
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.model import TableDoc, in_brief, seen
from zashiki.server.tables.quotas import NOT_ENDED, PlayerTableIndex
from zashiki.server.tables.views import table_seen

MAX_LISTED_TABLES = 200
"""Tables per page."""
MAX_ENCODED = 1_000
"""Tables that are kept as JSON."""
MAX_PAGES = 64


class EvictedTable(msgspec.Struct, frozen=True):
    """A table whose match was dropped from memory, as lists show it."""

    match: str
    version: int
    """The version of its row."""
    done: int
    """The number of actions of its match."""
    to_act: tuple[int, ...]
    """Seats that owe a decision."""
    seated: bytes
    """As JSON, for those who sit there."""
    public: bytes
    """As JSON, for everybody; empty if it is not public."""


def evicted_table(table: LiveTable) -> EvictedTable | None:
    """Return what lists show of a table with a running match, for when it is not in memory."""
    live, match, row = table.live, table.match_row, table.row
    if live is None or match is None or live.match.over:
        return None
    encode, to_act = msgspec.json.encode, tuple(sorted(live.match.to_act))
    seated = replace(in_brief(table_seen(table, True)), to_act=list(to_act))
    public = encode(in_brief(table_seen(table))) if row.public else b""
    return EvictedTable(match.id, row.version, live.done, to_act, encode(seated), public)


class Lobby:
    """Shows tables as everybody may see them."""

    def __init__(
        self,
        store: Store,
        tables: Mapping[str, LiveTable],
        evicted: Mapping[str, EvictedTable],
        index: PlayerTableIndex,
    ) -> None:
        self.watchers: set[Connection] = set()
        """The sockets of the lobby."""
        self._store = store
        self._tables = tables
        """The tables in memory, by id."""
        self._evicted = evicted
        """Tables whose match was dropped from memory, by id."""
        self._index = index
        self._version = 0
        """Increases with every change: nothing that was read before it is kept."""
        self._encoded: OrderedDict[str, bytes] = OrderedDict()
        """By table."""
        self._pages: dict[tuple[int, int], bytes] = {}
        """By the number of tables before the page, and its length."""

    def show(self, row: TableRow) -> None:
        """Take a table that has changed, and send it to all watchers, if it is public."""
        if not row.public:
            return
        self.forget(row.id)
        if self.watchers:
            frame = msgspec.json.encode(frames.Changed(self._glance(row)))
            for watcher in self.watchers:
                watcher.send(frame)

    def _glance(self, row: TableRow) -> rest.Table:
        """Show a table in brief. One that is not in memory is shown by its row."""
        table = self._tables.get(row.id)
        if table is not None:
            return in_brief(table_seen(table))
        return in_brief(seen(row, msgspec.convert(row.doc, TableDoc)))

    # The list ------------------------------------------------------------------------------------

    def forget(self, table: str) -> None:
        """Drop the cached JSON of a table that has changed."""
        self._encoded.pop(table, None)
        self.forget_pages()

    def forget_pages(self) -> None:
        """Drop the cached pages, because tables have come or gone."""
        self._version += 1
        self._pages.clear()

    async def page(self, skip: int = 0, limit: int = MAX_LISTED_TABLES) -> bytes:
        """Return public tables as a list in JSON, those that changed last first."""
        page, version = self._pages.get((skip, limit)), self._version
        if page is None:
            ids = self._index.public(skip, limit)
            tables = [await self._table(id) for id in ids]
            page = b"[" + b",".join(filter(None, tables)) + b"]"
            if version == self._version:
                if len(self._pages) >= MAX_PAGES:
                    self._pages.clear()
                self._pages[skip, limit] = page
        return page

    async def _table(self, id: str) -> bytes:
        """Return a table as JSON; nothing if it has ended meanwhile or cannot be read."""
        kept, version = self._encoded.get(id), self._version
        if kept is not None:
            return kept
        if id in self._evicted:
            return self._evicted[id].public
        table = self._tables.get(id)
        row = await self._store.table(id) if table is None else table.row
        if row is None or row.state not in NOT_ENDED:
            return b""
        try:
            made = msgspec.json.encode(self._glance(row))
        except Exception as fault:  # one unreadable table hides no other
            log(logging.ERROR, "unreadable", fault, table=id)
            return b""
        if version == self._version:
            self._encoded[id] = made
            if len(self._encoded) > MAX_ENCODED:
                self._encoded.popitem(last=False)
        return made
