"""`zashiki backup`: all that a store keeps, in one file."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from zashiki.cli.archives import (
    Telling,
    add_folder,
    check_packages,
    chosen_vault,
    faults_told,
    key_kept,
)
from zashiki.cli.files import check_new

HELP = "all that a store keeps, in one file; servers may go on meanwhile"
DESCRIPTION = """\
Writes all that is kept for ever (players, tables, matches with every step, chat, ratings, card
sets, reports) as it is at one moment, whatever servers do meanwhile, into a new file. It is there
when it has been read back and found whole, or not at all. Seeds and the hashes of passwords are in
it: only its owner may read it. `zashiki restore` brings it back, into any kind of store.
"""
EPILOG = """\
The secret key is not in it: keep the file secret.key of the server's folder as well (or what is in
ZASHIKI_KEY), somewhere else. Without it, all people have to sign in again.

ZASHIKI_STORE names the store, as for `zashiki serve`.

examples:
  zashiki backup monday.zashiki
  zashiki backup --check monday.zashiki         is it whole? Nothing else is done
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="a new name")
    add_folder(parser)
    parser.add_argument(
        "--check", action="store_true", help="only read FILE, and say whether it is whole"
    )


def run(arguments: Namespace) -> int:
    check_packages("backup")
    file: Path = arguments.file
    return look(file) if arguments.check else write(file, arguments.data)


def write(file: Path, folder: Path) -> int:
    from zashiki.server.store.archive_copying import back_up

    telling = Telling()
    check_new(file)
    with faults_told(file):
        tally = back_up(chosen_vault(folder), file)
        size = file.stat().st_size
    telling.tell(f"{file}: {size:,} bytes, written and read back", tally)
    telling.say(f"The secret key is not in it: keep {key_kept(folder)} too, somewhere else.")
    return 0


def look(file: Path) -> int:
    from zashiki.server.store.archive_copying import check

    telling = Telling()
    with faults_told(file):
        tally, size = check(file), file.stat().st_size
    telling.tell(f"{file}: {size:,} bytes, whole and sound, read", tally)
    return 0
