"""Choose the store that the operator's setting names."""

import re
from pathlib import Path

from zashiki.server.store.errors import Unusable
from zashiki.server.store.protocol import Store
from zashiki.server.store.sqlite.store import SqliteStore

SETTING = "ZASHIKI_STORE"
NAME = "zashiki.db"
POSTGRES = re.compile(r"postgres(ql)?://")
ANY_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")  # C: is a drive


def open_store(setting: str | None, folder: Path) -> Store:
    """Return the store that a setting names, not opened yet: a SQLite file or a PostgreSQL."""
    if not setting:
        return SqliteStore(folder / NAME)
    if not ANY_URL.match(setting):
        return SqliteStore(Path(setting))
    if not POSTGRES.match(setting):
        scheme = setting.partition(":")[0]
        raise Unusable(
            f"{SETTING}: unknown store {scheme!r}: the path of a file is expected, or "
            "postgresql://user:password@host:port/name"
        )
    from zashiki.server.store.postgres.store import PostgresStore

    try:
        return PostgresStore(setting)
    except Unusable as fault:
        raise Unusable(f"{SETTING}: {fault}") from None
