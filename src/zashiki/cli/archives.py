"""What the commands about archives have in common."""

import os
import shutil
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING

from zashiki.cli.files import faults_named
from zashiki.cli.terminal.console import screen
from zashiki.cli.terminal.stdio import printable
from zashiki.core.rulings import Malformed

if TYPE_CHECKING:
    from zashiki.server.store.archive.bulk import BulkStore
    from zashiki.server.store.archive.rows import Contents

STORE = "ZASHIKI_STORE"
KEY = "ZASHIKI_KEY"
KEY_FILE = "secret.key"
STREAM = Path("-")
"""Standard output, or standard input, where the name of a file may stand."""
PACKAGES = ("msgspec", "asyncpg", "litestar")


def add_folder(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=Path, default=Path("zashiki-data"), metavar="DIR",
        help="the folder of the server, unless ZASHIKI_STORE names a store "
        "(default: zashiki-data)",
    )  # fmt: skip


def check_packages(command: str) -> None:
    if any(find_spec(package) is None for package in PACKAGES):
        raise Malformed(f"{command}: it needs more packages: pip install 'zashiki[server]'")


def chosen_store(folder: Path) -> "BulkStore":
    from zashiki.server.store.archive.factory import open_bulk_store

    if not os.environ.get(STORE) and folder.exists() and not folder.is_dir():
        raise Malformed(f"--data {folder}: is a file, the folder of a server is expected")
    return open_bulk_store(os.environ.get(STORE), folder)


@contextmanager
def faults_told(path: Path) -> Iterator[None]:
    """What a store, an archive or the disk has against it, in one line."""
    from zashiki.server.store.errors import StoreFault

    try:
        with faults_named(path):
            try:
                yield
            except OSError as fault:
                if is_other(fault.filename, path):
                    raise Malformed(f"{fault.filename}: {fault.strerror or fault}") from None
                raise
    except StoreFault as fault:
        raise Malformed(str(fault)) from None


def is_other(name: object, path: Path) -> bool:
    """Is this neither that file nor the one beside it under which it is written?"""
    return isinstance(name, str) and name != str(path) and not name.endswith(".part")


@contextmanager
def from_stream(path: Path) -> Iterator[Path]:
    """The file that is named; for `-`, a copy of standard input, since it is read twice."""
    if path != STREAM:
        yield path
        return
    if sys.stdin is None:
        raise Malformed("-: standard input is closed")
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "standard-input"
        with faults_named(copy), copy.open("xb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        try:
            yield copy
        except Malformed as fault:
            raise Malformed(str(fault).replace(str(copy), "standard input")) from None


def named(path: Path) -> str:
    return "standard input" if path == STREAM else str(path)


class Telling:
    """What was done, and how long that took."""

    def __init__(self, stderr: bool = False) -> None:
        self._since = monotonic()
        self._screen = screen(stderr)

    def say(self, text: str) -> None:
        self._screen.print(printable(text))

    def tell(self, what: str, contents: "Contents") -> None:
        seconds = monotonic() - self._since
        width = max(map(len, contents.counts))
        self.say(f"{what} in {seconds:.1f} s")
        for table, count in contents.counts.items():
            self.say(f"  {table:<{width}} {count:>10,}")


def key_kept(folder: Path) -> str:
    """Where the secret key is. Servers that share a database have it as a setting, unless the
    folder of one says otherwise."""
    from zashiki.server.store.factory import POSTGRES

    file = folder / KEY_FILE
    is_shared = POSTGRES.match(os.environ.get(STORE, "")) is not None
    if os.environ.get(KEY) or (is_shared and not os.path.exists(file)):
        return KEY
    return str(file)
