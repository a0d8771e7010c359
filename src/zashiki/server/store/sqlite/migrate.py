"""The file of a SQLite store: opened as it must be for nothing to be lost, and brought up to date.

The version of a database is the number of the last migration that it went through.
"""

import os
import sqlite3
import time
from collections.abc import Iterator
from importlib.resources.abc import Traversable
from pathlib import Path

from zashiki.server.store.errors import Unusable
from zashiki.server.store.migrations import migrations_of, steps_in
from zashiki.server.store.sqlite.writer import PAUSE, is_busy

OLDEST_SQLITE = (3, 37)
"""Before it, there are no strict tables."""
FILE_MODE = 0o600
FOLDER_MODE = 0o700
PATIENCE = 5.0
"""So many seconds another process, which copies the database perhaps, may hold it."""
MIGRATIONS = migrations_of("sqlite")


def connect(path: Path) -> sqlite3.Connection:
    """A connection that writes what it says it wrote. It may go from thread to thread."""
    connection = sqlite3.connect(
        path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")  # or macOS only says it wrote
        connection.execute("PRAGMA foreign_keys = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def connect_reader(path: Path) -> sqlite3.Connection:
    connection = connect(path)
    connection.execute("PRAGMA query_only = ON")
    return connection


def prepare(path: Path, migrations: Traversable = MIGRATIONS) -> sqlite3.Connection:
    """The connection that writes, to a database that is there and up to date."""
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise Unusable(
            f"SQLite {sqlite3.sqlite_version}: {'.'.join(map(str, OLDEST_SQLITE))} or newer is "
            "expected"
        )
    try:
        make_private(path)
        connection = connect(path)
        try:
            if not is_logged_ahead(connection):
                raise Unusable(f"{path}: a write-ahead log cannot be kept there")
            migrate(connection, path, migrations)
        except BaseException:
            connection.close()
            raise
    except (sqlite3.Error, OSError) as fault:
        raise Unusable(f"{path}: this cannot be used as a store: {fault}") from fault
    return connection


def is_logged_ahead(connection: sqlite3.Connection) -> bool:
    """From now on. Whoever opens the file at the same moment is waited for, which SQLite by itself
    does not do here."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as fault:
            if not is_busy(fault) or time.monotonic() > end:
                raise
            time.sleep(PAUSE)
        else:
            return bool(mode == "wal")


def make_private(path: Path) -> None:
    """There are seeds and the hashes of passwords in it; SQLite gives its other files this mode."""
    path.parent.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
    file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), FILE_MODE)
    os.close(file)
    path.chmod(FILE_MODE)


# Migrations ------------------------------------------------------------------------------------


def migrate(connection: sqlite3.Connection, path: Path, migrations: Traversable) -> None:
    """Take the steps that are missing, each wholly or not at all."""
    steps = steps_in(migrations)
    newest = max(steps)
    while (version := version_of(connection)) != newest:
        if version > newest:
            raise Unusable(
                f"{path}: the database has version {version}, written by a newer Zashiki; this "
                f"one knows versions up to {newest}"
            )
        take(connection, path, version, steps[version + 1].read_text("utf-8"))


def take(connection: sqlite3.Connection, path: Path, version: int, script: str) -> None:
    """One step from a version to the next, unless another process has just taken it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        if version_of(connection) == version:
            if not version and connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                raise Unusable(f"{path}: this is no store of Zashiki: others have tables in it")
            for statement in statements(script):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {version + 1}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def version_of(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    assert isinstance(version, int)
    return version


def statements(script: str) -> Iterator[str]:
    """One after the other: `executescript` would commit what is before it."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        yield statement
