"""Which store an operator has chosen."""

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
    """The store that a setting names, still to be opened: a file, unless it is a PostgreSQL."""
    if not setting:
        return SqliteStore(folder / NAME)
    if not ANY_URL.match(setting):
        return SqliteStore(Path(setting))
    if not POSTGRES.match(setting):
        scheme = setting.partition(":")[0]
        raise Unusable(
            f"{SETTING}: {scheme}: is no store that is known: the path of a file is expected, or "
            "postgresql://user:password@host:port/name"
        )
    from zashiki.server.store.postgres.store import PostgresStore

    try:
        return PostgresStore(setting)
    except Unusable as fault:
        raise Unusable(f"{SETTING}: {fault}") from None
