"""`zashiki backup`: all that a store keeps, in one file."""

import shutil
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from tempfile import TemporaryDirectory

from zashiki.cli.archives import (
    STREAM,
    Telling,
    add_folder,
    check_packages,
    chosen_store,
    faults_told,
    from_stream,
    key_kept,
    named,
)
from zashiki.cli.files import check_new
from zashiki.core.rulings import Malformed

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
  zashiki backup - > monday.zashiki             out of a container, for one
  zashiki backup --check monday.zashiki         is it whole? Nothing else is done
"""
KEEP = "The secret key is not in it: keep {} too, somewhere else."


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="a new name (-: to standard output)"
    )
    add_folder(parser)
    parser.add_argument(
        "--check", action="store_true", help="only read FILE, and say whether it is whole"
    )


def run(arguments: Namespace) -> int:
    check_packages("backup")
    file: Path = arguments.file
    if arguments.check:
        return look(file)
    return send(arguments.data) if file == STREAM else write(file, arguments.data)


def write(file: Path, folder: Path) -> int:
    from zashiki.server.store.archive.copy import back_up

    telling = Telling()
    check_new(file)
    with faults_told(file):
        contents = back_up(chosen_store(folder), file)
        size = file.stat().st_size
    telling.tell(f"{file}: {size:,} bytes, written and read back", contents)
    telling.say(KEEP.format(key_kept(folder)))
    return 0


def send(folder: Path) -> int:
    """To standard output, once it is whole: until then it is among the temporary files."""
    from zashiki.server.store.archive.copy import back_up

    if sys.stdout.isatty():
        raise Malformed("-: standard output is a terminal, a file is expected: > FILE")
    telling = Telling(stderr=True)
    with TemporaryDirectory() as temporary:
        file = Path(temporary) / "backup.zashiki"
        with faults_told(file):
            contents = back_up(chosen_store(folder), file)
            size = file.stat().st_size
        with file.open("rb") as whole:
            shutil.copyfileobj(whole, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    telling.tell(f"standard output: {size:,} bytes, read back and sent", contents)
    telling.say(KEEP.format(key_kept(folder)))
    return 0


def look(file: Path) -> int:
    from zashiki.server.store.archive.copy import check

    telling = Telling()
    with from_stream(file) as copy, faults_told(copy):
        contents, size = check(copy), copy.stat().st_size
    telling.tell(f"{named(file)}: {size:,} bytes, whole and sound, read", contents)
    return 0
