"""What the commands about archives have in common."""

import os
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from zashiki.cli.files import faults_named
from zashiki.cli.screen import printable, screen
from zashiki.core.rulings import Malformed

if TYPE_CHECKING:
    from zashiki.server.store.archive_rows import Tally
    from zashiki.server.store.archive_store import Vault

STORE = "ZASHIKI_STORE"
KEY = "ZASHIKI_KEY"
KEY_FILE = "secret.key"
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


def chosen_vault(folder: Path) -> "Vault":
    from zashiki.server.store.archive_store import vault_of

    return vault_of(os.environ.get(STORE), folder)


@contextmanager
def faults_told(path: Path) -> Iterator[None]:
    """What a store, an archive or the disk has against it, in one line."""
    from zashiki.server.store.protocol import StoreFault

    try:
        with faults_named(path):
            yield
    except StoreFault as fault:
        raise Malformed(str(fault)) from None


class Telling:
    """What was done, and how long that took."""

    def __init__(self) -> None:
        self._since = monotonic()
        self._screen = screen()

    def say(self, text: str) -> None:
        self._screen.print(printable(text))

    def tell(self, what: str, tally: "Tally") -> None:
        seconds = monotonic() - self._since
        width = max(map(len, tally.counts))
        self.say(f"{what} in {seconds:.1f} s")
        for table, count in tally.counts.items():
            self.say(f"  {table:<{width}} {count:>10,}")


def key_kept(folder: Path) -> str:
    """Where the secret key is."""
    return KEY if os.environ.get(KEY) else str(folder / KEY_FILE)
