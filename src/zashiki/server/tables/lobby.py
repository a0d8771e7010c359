"""The lobby: the public tables, and the sockets that are sent every change of them."""

from collections.abc import Mapping

import msgspec

from zashiki.server.protocol import frames, rest
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import TableRow
from zashiki.server.tables.connection import Connection
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.model import TableDoc, in_brief, seen
from zashiki.server.tables.quotas import NOT_ENDED
from zashiki.server.tables.views import table_seen

MAX_LISTED_TABLES = 200


class Lobby:
    """Shows tables as everybody may see them."""

    def __init__(self, store: Store, tables: Mapping[str, LiveTable]) -> None:
        self.watchers: set[Connection] = set()
        """The sockets of the lobby."""
        self._store = store
        self._tables = tables
        """The tables in memory, by id."""

    async def tables(self) -> list[rest.Table]:
        """Return the public tables, those that changed last first."""
        rows = await self._store.tables(NOT_ENDED, True, MAX_LISTED_TABLES)
        return [self._glance(row) for row in rows]

    def show(self, row: TableRow) -> None:
        """Send a table that has changed to all watchers, if it is public."""
        if row.public and self.watchers:
            frame = msgspec.json.encode(frames.Changed(self._glance(row)))
            for watcher in self.watchers:
                watcher.send(frame)

    def _glance(self, row: TableRow) -> rest.Table:
        """Show a table in brief. One that is not in memory is shown by its row."""
        table = self._tables.get(row.id)
        if table is None:
            return in_brief(seen(row, msgspec.convert(row.doc, TableDoc)))
        return in_brief(table_seen(table))
