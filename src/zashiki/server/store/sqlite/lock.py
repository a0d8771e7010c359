"""Ensure that one server at a time uses a SQLite file.

SQLite itself would let two servers write, but neither would learn what the other one does.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from zashiki.server.store.errors import Unusable
from zashiki.server.store.sqlite.connect import FILE_MODE, FOLDER_MODE


@contextmanager
def sole_server(path: Path) -> Iterator[None]:
    """Lock a file for one server; `Unusable` if another one has it.

    The system releases the lock however the process ends. The lock file itself means nothing.
    """
    path.parent.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
    real = path.resolve()  # two names of one file are one lock
    opened = os.open(real.with_name(f"{real.name}.lock"), os.O_RDWR | os.O_CREAT, FILE_MODE)
    try:
        try:
            is_ours = take(opened)
        except OSError as fault:  # some network file systems have no locks
            raise Unusable(f"{path}: it cannot be locked: {fault.strerror or fault}") from None
        if not is_ours:
            raise Unusable(f"{path}: another server uses this: stop that one first")
        yield
    finally:
        os.close(opened)


if sys.platform == "win32":
    import msvcrt

    def take(file: int) -> bool:
        """Try to lock a file and return whether that worked."""
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

else:
    import fcntl

    def take(file: int) -> bool:
        """Try to lock a file and return whether that worked."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
