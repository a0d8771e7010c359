"""Stores, errors and output that backup, restore and move-store share."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING

from zashiki.cli.files import errors_naming
from zashiki.cli.terminal.console import make_console
from zashiki.cli.terminal.stdio import printable
from zashiki.core.rulings import Malformed
from zashiki.server.settings import KEY_FILE, KEY_VARIABLE, POSTGRES, StoreSettings

if TYPE_CHECKING:
    from zashiki.server.store.archive.bulk import BulkStore
    from zashiki.server.store.archive.rows import Contents

STREAM = Path("-")
"""The file name that means standard input or standard output."""


def chosen_store(settings: StoreSettings) -> "BulkStore":
    from zashiki.server.store.archive.factory import open_bulk_store

    if not settings.store:
        settings.check_folder()
    return open_bulk_store(settings.store, settings.folder)


@contextmanager
def faults_told(path: Path) -> Iterator[None]:
    """Turn every fault of a store, an archive or the disk into a `Malformed` of one line."""
    from zashiki.server.store.errors import StoreFault

    try:
        with errors_naming(path):
            try:
                yield
            except OSError as fault:
                if is_other(fault.filename, path):
                    raise Malformed(f"{fault.filename}: {fault.strerror or fault}") from None
                raise
    except StoreFault as fault:
        raise Malformed(str(fault)) from None


def is_other(name: object, path: Path) -> bool:
    """Return True if a name is neither this file nor its temporary file."""
    return isinstance(name, str) and name != str(path) and not name.endswith(".part")


@contextmanager
def from_stream(path: Path) -> Iterator[Path]:
    """Return the named file; for `-`, a copy of standard input, since it is read twice."""
    if path != STREAM:
        yield path
        return
    if sys.stdin is None:
        raise Malformed("-: standard input is closed")
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "standard-input"
        with errors_naming(copy), copy.open("xb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        try:
            yield copy
        except Malformed as fault:
            raise Malformed(str(fault).replace(str(copy), "standard input")) from None


def named(path: Path) -> str:
    return "standard input" if path == STREAM else str(path)


class Telling:
    """Prints what a command did and how long that took."""

    def __init__(self, stderr: bool = False) -> None:
        self._since = monotonic()
        self._screen = make_console(stderr)

    def say(self, text: str) -> None:
        self._screen.print(printable(text))

    def tell(self, what: str, contents: "Contents") -> None:
        seconds = monotonic() - self._since
        width = max(map(len, contents.counts))
        self.say(f"{what} in {seconds:.1f} s")
        for table, count in contents.counts.items():
            self.say(f"  {table:<{width}} {count:>10,}")


def key_kept(settings: StoreSettings) -> str:
    """Return where the secret key is: the variable of servers that share a database, or a file."""
    file = settings.folder / KEY_FILE
    is_shared = POSTGRES.match(settings.store or "") is not None
    is_variable = os.environ.get(KEY_VARIABLE) or (is_shared and not file.exists())
    return KEY_VARIABLE if is_variable else str(file)
