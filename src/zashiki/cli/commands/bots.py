"""`zashiki bots`: a process that plays for the bots of a server."""

import os
from argparse import SUPPRESS, ArgumentParser, Namespace
from importlib.util import find_spec

from zashiki.core.rulings import Malformed

DESCRIPTION = """\
Comes to a server, is given seats that want a bot, and plays for them through the same socket as a
person. A server has one such process of its own; this adds more of them, from any machine. It comes
back by itself when the server was gone for a while, and ends on SIGINT and SIGTERM. That it comes
to a server, loses it or cannot reach it, it writes to standard error, a line of JSON each.
"""
EPILOG = """\
The token is in the file worker.token in the server's folder. Whoever has it is shown the cards of
bots: keep it as you keep a password, and hand it over as ZASHIKI_BOTS_TOKEN rather than as an
argument where others can list the processes of the machine.

examples:
  zashiki bots --server http://127.0.0.1:8620 --token "$(cat zashiki-data/worker.token)"
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--server", required=True, action="append", metavar="URL",
        help="where the server listens; may be repeated where several share a store",
    )  # fmt: skip
    parser.add_argument("--token", help="what the server takes (default: $ZASHIKI_BOTS_TOKEN)")
    parser.add_argument(
        "--seats", type=int, default=200, metavar="N", help="at most so many (default: 200)"
    )
    parser.add_argument(
        "--patience", type=float, default=60.0, metavar="SECONDS",
        help="end when the server is gone for so long (default: 60)",
    )  # fmt: skip
    parser.add_argument("--quiet", action="store_true", help="log only what goes wrong")
    parser.add_argument("--leash", action="store_true", help=SUPPRESS)


def run(arguments: Namespace) -> int:
    if find_spec("websockets") is None or find_spec("msgspec") is None:
        raise Malformed("bots: they need more packages: pip install 'zashiki[server]'")
    token = arguments.token or os.environ.get("ZASHIKI_BOTS_TOKEN", "")
    if not token or not token.isascii() or not token.isprintable():
        raise Malformed("--token: the content of the server's worker.token is expected")
    if arguments.seats < 1:
        raise Malformed(f"--seats {arguments.seats}: at least 1 is expected")
    if not arguments.patience >= 0:
        raise Malformed(f"--patience {arguments.patience}: seconds are expected")
    from zashiki.server.bots.worker import work

    return work(
        arguments.server, token, arguments.seats, arguments.patience, arguments.leash,
        arguments.quiet,
    )  # fmt: skip
