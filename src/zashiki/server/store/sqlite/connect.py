"""Open the file of a SQLite store so that committed writes survive a power failure."""

import os
import sqlite3
import time
from pathlib import Path

from zashiki.server.store.sqlite.writer import RETRY_SECONDS, is_busy

FILE_MODE = 0o600
FOLDER_MODE = 0o700
BUSY_TIMEOUT_SECONDS = 5.0
"""How long another process, such as one that copies the file, may hold the database."""


def connect(path: Path) -> sqlite3.Connection:
    """Open a connection that syncs every commit. Any thread may use it."""
    connection = sqlite3.connect(
        path, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")  # macOS does not sync to the disk otherwise
        connection.execute("PRAGMA foreign_keys = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def connect_reader(path: Path) -> sqlite3.Connection:
    """Open a connection that cannot write."""
    connection = connect(path)
    connection.execute("PRAGMA query_only = ON")
    return connection


def has_write_ahead_log(connection: sqlite3.Connection) -> bool:
    """Switch to write-ahead logging and return whether that worked.

    SQLite itself does not wait here for another process that opens the file.
    """
    end = time.monotonic() + BUSY_TIMEOUT_SECONDS
    while True:
        try:
            (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as fault:
            if not is_busy(fault) or time.monotonic() > end:
                raise
            time.sleep(RETRY_SECONDS)
        else:
            return bool(mode == "wal")


def make_private(path: Path) -> None:
    """Create the file if needed, readable by its owner only: it has seeds and password hashes.

    SQLite gives its other files the same mode.
    """
    path.parent.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
    file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), FILE_MODE)
    os.close(file)
    path.chmod(FILE_MODE)


def sync_folder(folder: Path) -> None:
    """Write the name of a new or renamed file to the disk."""
    if os.name == "posix":
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
