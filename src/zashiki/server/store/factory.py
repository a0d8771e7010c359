"""The store that an operator has chosen."""

from pathlib import Path

from zashiki.server.settings import POSTGRES, STORE_VARIABLE
from zashiki.server.store.errors import Unusable
from zashiki.server.store.protocol import Store
from zashiki.server.store.sqlite.store import SqliteStore

NAME = "zashiki.db"


def open_store(address: str | None, folder: Path) -> Store:
    """Return the store at an address, not yet open. The default is a SQLite file in the folder."""
    if not address or not POSTGRES.match(address):
        return SqliteStore(Path(address) if address else folder / NAME)
    from zashiki.server.store.postgres.store import PostgresStore

    try:
        return PostgresStore(address)
    except Unusable as fault:
        raise Unusable(f"{STORE_VARIABLE}: {fault}") from None
