"""`zashiki backup`: write all that a store keeps to one file."""

import shutil
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from tempfile import TemporaryDirectory

from zashiki.cli.archives import (
    STREAM,
    Telling,
    chosen_store,
    faults_told,
    from_stream,
    key_kept,
    named,
)
from zashiki.cli.files import check_new
from zashiki.cli.server_options import add_options, check_packages, read_settings, variables_help
from zashiki.core.rulings import Malformed
from zashiki.server.settings import KEY_FILE, KEY_VARIABLE, StoreSettings

DESCRIPTION = """\
Write players, tables, matches with every step, chat, ratings, card sets and reports to a new file:
one consistent snapshot, even while servers run. The file appears once it has been read back and
verified, or not at all. It contains seeds and password hashes: only its owner may read it. `zashiki
restore` reads it into any kind of store.
"""
EPILOG = f"""\
{variables_help(StoreSettings)}
The secret key is not in the file: keep {KEY_FILE} of the data folder, or the value of
{KEY_VARIABLE}, in another place. Without it, everyone must sign in again.

examples:
  zashiki backup monday.zashiki
  zashiki backup - > monday.zashiki             out of a container, for example
  zashiki backup --check monday.zashiki         only verify the file
"""
KEEP = "The secret key is not in it: keep {} too, somewhere else."


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="new file (-: standard output)")
    add_options(parser, StoreSettings)
    parser.add_argument("--check", action="store_true", help="verify an existing FILE instead")


def run(arguments: Namespace) -> int:
    check_packages("backup")
    file: Path = arguments.file
    if arguments.check:
        return look(file)
    settings = read_settings(StoreSettings, arguments)
    return send(settings) if file == STREAM else write(file, settings)


def write(file: Path, settings: StoreSettings) -> int:
    from zashiki.server.store.archive.copy import back_up

    telling = Telling()
    check_new(file)
    with faults_told(file):
        contents = back_up(chosen_store(settings), file)
        size = file.stat().st_size
    telling.tell(f"{file}: {size:,} bytes, written and read back", contents)
    telling.say(KEEP.format(key_kept(settings)))
    return 0


def send(settings: StoreSettings) -> int:
    """Write a temporary file, and copy it to standard output once it is verified."""
    from zashiki.server.store.archive.copy import back_up

    if sys.stdout.isatty():
        raise Malformed("-: expected a file or a pipe, found a terminal: add > FILE")
    telling = Telling(stderr=True)
    with TemporaryDirectory() as temporary:
        file = Path(temporary) / "backup.zashiki"
        with faults_told(file):
            contents = back_up(chosen_store(settings), file)
            size = file.stat().st_size
        with file.open("rb") as whole:
            shutil.copyfileobj(whole, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    telling.tell(f"standard output: {size:,} bytes, read back and sent", contents)
    telling.say(KEEP.format(key_kept(settings)))
    return 0


def look(file: Path) -> int:
    from zashiki.server.store.archive.copy import check

    telling = Telling()
    with from_stream(file) as copy, faults_told(copy):
        contents, size = check(copy), copy.stat().st_size
    telling.tell(f"{named(file)}: {size:,} bytes, whole and sound, read", contents)
    return 0
