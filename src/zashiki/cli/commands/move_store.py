"""`zashiki move-store`: copy a SQLite file into a PostgreSQL database."""

import os
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from zashiki.cli.archives import Telling, faults_told
from zashiki.cli.server_options import check_packages
from zashiki.core.rulings import Malformed
from zashiki.server.settings import KEY_FILE, KEY_VARIABLE, STORE_VARIABLE

if TYPE_CHECKING:
    from zashiki.server.store.archive.bulk import BulkStore

MAX_ADDRESS_LENGTH = 4096

DESCRIPTION = """\
Copy the SQLite file of a stopped server into an empty database (built-in bots may be there). If
anything fails, the database stays empty. Both are compared afterwards. The file does not change.
"""
EPILOG = f"""\
The address contains a password, and other users of a machine can list the arguments of its
processes: prefer {STORE_VARIABLE} or standard input.

examples:
  {STORE_VARIABLE}=postgresql://… zashiki move-store zashiki-data/zashiki.db
  zashiki move-store zashiki-data/zashiki.db - < address
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "sqlite", type=Path, metavar="SQLITE", help="SQLite file, such as zashiki.db"
    )
    parser.add_argument(
        "postgres", nargs="?", metavar="POSTGRES",
        help="postgresql://user:password@host:port/name, - for standard input "
        f"(default: ${STORE_VARIABLE})",
    )  # fmt: skip


def run(arguments: Namespace) -> int:
    check_packages("move-store")
    from zashiki.server.store.archive.copy import move
    from zashiki.server.store.archive.sqlite import SqliteBulkStore

    telling = Telling()
    file: Path = arguments.sqlite
    with faults_told(file):
        target = target_of(*address(arguments.postgres))
        contents = move(SqliteBulkStore(file), target)
    telling.tell(f"{target}: all of {file}, moved and compared", contents)
    telling.say(
        f"{file} is as it was. Next: give every server this address as {STORE_VARIABLE}, and the "
        f"content of {file.with_name(KEY_FILE)} as {KEY_VARIABLE} (unless it has one already); "
        "then start them."
    )
    return 0


def address(argument: str | None) -> tuple[str, str]:
    """Return where the address of the database is from, and the address."""
    if argument is None:
        return STORE_VARIABLE, os.environ.get(STORE_VARIABLE, "")
    if argument != "-":
        return "POSTGRES", argument
    if sys.stdin is None:
        raise Malformed("-: standard input is closed")
    return "standard input", sys.stdin.readline(MAX_ADDRESS_LENGTH).strip()


def target_of(origin: str, address: str) -> "BulkStore":
    from zashiki.server.store.archive.postgres import PostgresBulkStore
    from zashiki.server.store.errors import Unusable

    if not address:
        how = f"set {STORE_VARIABLE} or give POSTGRES"
        text = f"expected the address of a PostgreSQL database, found nothing: {how}"
        raise Malformed(f"{origin}: {text}")
    try:
        return PostgresBulkStore(address)
    except Unusable as fault:
        raise Malformed(f"{origin}: {fault}") from None
