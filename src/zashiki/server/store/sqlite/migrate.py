"""Create or migrate the file of a SQLite store. Its version is the number of the last migration.

An empty file is refused: it may be what is left of a store, and nobody would notice the loss.
"""

import os
import sqlite3
from collections.abc import Iterator
from importlib.resources.abc import Traversable
from pathlib import Path
from secrets import token_hex

from zashiki.server.store.errors import Unusable
from zashiki.server.store.migrations import migrations_of, steps_in, too_new
from zashiki.server.store.sqlite.connect import (
    connect,
    has_write_ahead_log,
    make_private,
    sync_folder,
)

MIN_SQLITE = (3, 37)
"""The first version with strict tables."""
MIGRATIONS = migrations_of("sqlite")


def prepare(path: Path, migrations: Traversable = MIGRATIONS) -> sqlite3.Connection:
    """Create or migrate a database, and return a connection that writes to it."""
    if sqlite3.sqlite_version_info < MIN_SQLITE:
        raise Unusable(
            f"expected SQLite {'.'.join(map(str, MIN_SQLITE))} or newer, "
            f"found {sqlite3.sqlite_version}: install a newer Python or SQLite"
        )
    try:
        if not path.exists():
            create(path.resolve(), migrations)
        return opened(path, migrations)
    except (sqlite3.Error, OSError) as fault:
        raise Unusable(f"{path}: this cannot be used as a store: {fault}") from fault


def create(path: Path, migrations: Traversable) -> None:
    """Create a database under another name, and give it its own when it is complete.

    So a server that is killed meanwhile leaves no empty file.
    """
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and log.stat().st_size:
        raise Unusable(
            f"{path}: expected a store beside {log.name}, found none: restore a copy, or remove "
            "that file to begin with an empty store"
        )
    part = path.with_name(f".{token_hex(8)}.new")
    try:
        opened(part, migrations, is_new=True).close()
        try:
            os.link(part, path)  # unlike a rename, it replaces nothing
        except FileExistsError:
            return  # another process was first
        except OSError:  # a file system without links
            part.rename(path)
        sync_folder(path.parent)
    finally:
        part.unlink(missing_ok=True)


def opened(path: Path, migrations: Traversable, is_new: bool = False) -> sqlite3.Connection:
    """Return a connection that writes to a migrated database."""
    make_private(path)
    connection = connect(path)
    try:
        if not (is_new or has_content(connection)):
            raise Unusable(
                f"{path}: expected a store of Zashiki, found an empty file: restore a copy, or "
                "remove the file to begin with an empty store"
            )
        if not has_write_ahead_log(connection):
            raise Unusable(f"{path}: a write-ahead log cannot be kept there")
        migrate(connection, path, migrations)
    except BaseException:
        connection.close()
        raise
    return connection


def has_content(connection: sqlite3.Connection) -> bool:
    """Return whether there is a version or a table. `migrate` checks that it is one of Zashiki."""
    tables = connection.execute("SELECT 1 FROM sqlite_master")
    return version_of(connection) > 0 or tables.fetchone() is not None


def migrate(connection: sqlite3.Connection, path: Path, migrations: Traversable) -> None:
    """Apply the missing migrations, each in a transaction."""
    steps = steps_in(migrations)
    newest = max(steps)
    while (version := version_of(connection)) != newest:
        if version > newest:
            raise too_new(path, version, newest)
        apply(connection, path, version, steps[version + 1].read_text("utf-8"))


def apply(connection: sqlite3.Connection, path: Path, version: int, script: str) -> None:
    """Migrate from a version to the next, unless another process has just done it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        if version_of(connection) == version:
            if not version and has_content(connection):
                raise Unusable(
                    f"{path}: expected a store of Zashiki, found tables of another program"
                )
            for statement in statements(script):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {version + 1}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def version_of(connection: sqlite3.Connection) -> int:
    """Return the number of the last migration of a database; 0 for an empty one."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    assert isinstance(version, int)
    return version


def statements(script: str) -> Iterator[str]:
    """Split a script into statements. `executescript` would commit the transaction first."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        yield statement
