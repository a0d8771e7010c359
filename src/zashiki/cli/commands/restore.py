"""`zashiki restore`: read a file of `zashiki backup` into an empty store."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from zashiki.cli.archives import Telling, chosen_store, faults_told, from_stream, key_kept, named
from zashiki.cli.server_options import add_options, check_packages, read_settings, variables_help
from zashiki.server.settings import KEY_FILE, KEY_VARIABLE, StoreSettings

DESCRIPTION = """\
Read an archive into an empty store (built-in bots may be there). If anything fails, the store stays
empty. The archive is verified first, and the store is compared with it afterwards. No server may
use the store meanwhile. The archive may come from any kind of store, and from an older Zashiki.
"""
EPILOG = f"""\
{variables_help(StoreSettings)}
Restore {KEY_FILE} or {KEY_VARIABLE} as well: without it, everyone must sign in again.

examples:
  zashiki restore monday.zashiki --data new-folder
  zashiki restore - < monday.zashiki
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="file of zashiki backup (-: standard input)"
    )
    add_options(parser, StoreSettings)


def run(arguments: Namespace) -> int:
    check_packages("restore")
    settings = read_settings(StoreSettings, arguments)
    from zashiki.server.store.archive.copy import restore

    telling = Telling()
    file: Path = arguments.file
    with from_stream(file) as copy, faults_told(copy):
        store = chosen_store(settings)
        contents = restore(copy, store)
    telling.tell(f"{store}: restored from {named(file)} and compared with it", contents)
    key = key_kept(settings)
    telling.say(f"The secret key was not in it: servers expect the one of that time in {key}.")
    return 0
