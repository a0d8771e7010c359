"""`zashiki restore`: what `zashiki backup` has written, in a store again."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from zashiki.cli.archives import (
    Telling,
    add_folder,
    check_packages,
    chosen_store,
    faults_told,
    from_stream,
    key_kept,
    named,
)

DESCRIPTION = """\
Brings everything in an archive into a store that holds nothing yet (but perhaps bots of the house):
all of it or nothing. The archive is checked before, and what is in the store compared with it
after. No server may run on that store meanwhile. The archive may come from any kind of store, and
from an older Zashiki.
"""
EPILOG = """\
ZASHIKI_STORE names the store, as for `zashiki serve`. Put the file secret.key, or ZASHIKI_KEY, back
as well: without it, all people have to sign in again.

examples:
  zashiki restore monday.zashiki --data new-folder
  zashiki restore - < monday.zashiki
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file", type=Path, metavar="FILE",
        help="what zashiki backup has written (-: from standard input)",
    )  # fmt: skip
    add_folder(parser)


def run(arguments: Namespace) -> int:
    check_packages("restore")
    from zashiki.server.store.archive.copy import restore

    telling = Telling()
    file: Path = arguments.file
    with from_stream(file) as copy, faults_told(copy):
        store = chosen_store(arguments.data)
        contents = restore(copy, store)
    telling.tell(f"{store}: restored from {named(file)} and compared with it", contents)
    key = key_kept(arguments.data)
    telling.say(f"The secret key was not in it: servers expect the one of that time in {key}.")
    return 0
