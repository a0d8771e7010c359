"""`zashiki bots`: a process that plays for the bots of a server."""

from argparse import SUPPRESS, ArgumentParser, Namespace

from zashiki.cli.server_options import add_options, check_packages, read_settings
from zashiki.server.settings import WorkerSettings

DESCRIPTION = """\
Connect to servers and play the seats of bots, through the same socket as a person. A server starts
one worker itself, and this command adds workers from any machine. A worker reconnects by itself and
ends on SIGINT or SIGTERM. Connection events are logged to stderr as JSON lines.
"""
EPILOG = """\
Anyone who has the token sees the cards of bots: keep it secret. Prefer the variable to --token:
other users of a machine can list the arguments of its processes.

examples:
  zashiki bots --server http://127.0.0.1:8620 --token "$(cat zashiki-data/worker.token)"
"""


def add_arguments(parser: ArgumentParser) -> None:
    add_options(parser, WorkerSettings)
    parser.add_argument("--leash", action="store_true", help=SUPPRESS)


def run(arguments: Namespace) -> int:
    check_packages("bots", "msgspec", "websockets")
    settings = read_settings(WorkerSettings, arguments)
    from zashiki.server.bots.worker import work

    return work(settings, arguments.leash)
