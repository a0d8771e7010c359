"""`zashiki move-store`: from a SQLite file into a PostgreSQL database."""

import os
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from zashiki.cli.archives import (
    KEY,
    KEY_FILE,
    STORE,
    Telling,
    check_packages,
    faults_told,
)
from zashiki.core.rulings import Malformed

if TYPE_CHECKING:
    from zashiki.server.store.archive.bulk import BulkStore

LONGEST = 4096

DESCRIPTION = """\
Copies everything from the file of a server that is stopped into a database that holds nothing yet
(but perhaps bots of the house): all of it or nothing. Both are compared afterwards. The file is
left as it is.
"""
EPILOG = """\
An address has a password in it, which others who list the processes of the machine would see as an
argument: leave it out to take that of ZASHIKI_STORE, or write - to have it read from standard
input.

examples:
  ZASHIKI_STORE=postgresql://… zashiki move-store zashiki-data/zashiki.db
  zashiki move-store zashiki-data/zashiki.db - < address
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("sqlite", type=Path, metavar="SQLITE", help="the file, usually zashiki.db")
    parser.add_argument(
        "postgres", nargs="?", metavar="POSTGRES",
        help="postgresql://user:password@host:port/name (-: from standard input; "
        "default: $ZASHIKI_STORE)",
    )  # fmt: skip


def run(arguments: Namespace) -> int:
    check_packages("move-store")
    from zashiki.server.store.archive.copy import move
    from zashiki.server.store.archive.sqlite import SqliteBulkStore

    telling = Telling()
    file: Path = arguments.sqlite
    with faults_told(file):
        target = target_of(address(arguments.postgres))
        contents = move(SqliteBulkStore(file), target)
    telling.tell(f"{target}: all of {file}, moved and compared", contents)
    telling.say(
        f"{file} is as it was. Next: give every server this address as {STORE}, and the content of "
        f"{file.with_name(KEY_FILE)} as {KEY} (unless it has one already); then start them."
    )
    return 0


def address(argument: str | None) -> str:
    if argument == "-":
        if sys.stdin is None:
            raise Malformed("-: standard input is closed")
        typed = sys.stdin.readline(LONGEST).strip()
        if not typed:
            raise Malformed("-: standard input is empty, the address of a database is expected")
        return typed
    return os.environ.get(STORE, "") if argument is None else argument


def target_of(address: str) -> "BulkStore":
    from zashiki.server.store.archive.postgres import PostgresBulkStore
    from zashiki.server.store.errors import Unusable

    if not address:
        raise Malformed(
            f"POSTGRES: the address of a database is expected, as an argument or in {STORE}"
        )
    try:
        return PostgresBulkStore(address)
    except Unusable as fault:
        raise Malformed(f"POSTGRES: {fault}") from None
