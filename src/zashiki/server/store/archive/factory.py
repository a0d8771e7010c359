"""Choose the kind of store to read or fill in bulk."""

from pathlib import Path

from zashiki.server.store.archive.bulk import BulkStore
from zashiki.server.store.archive.sqlite import SqliteBulkStore
from zashiki.server.store.factory import open_store
from zashiki.server.store.sqlite.store import SqliteStore


def open_bulk_store(setting: str | None, folder: Path) -> BulkStore:
    """Return the store that a setting names, as a server would find it."""
    chosen = open_store(setting, folder)
    if isinstance(chosen, SqliteStore):
        return SqliteBulkStore(chosen.path)
    from zashiki.server.store.archive.postgres import PostgresBulkStore

    assert setting is not None
    return PostgresBulkStore(setting)
