"""`zashiki serve`: the server, until it is stopped."""

import os
import re
from argparse import ArgumentParser, Namespace
from importlib.util import find_spec
from pathlib import Path

from zashiki.core.rulings import Malformed

MOST_BOTS = 64
SLOWEST = 60
LONGEST_DRAIN = 600
ORIGIN = re.compile(r"(https?)://(\[[0-9a-f:.]+]|[a-z0-9._-]+)(?::([0-9]{1,5}))?/?", re.IGNORECASE)
USUAL = {"http": 80, "https": 443}

DESCRIPTION = """\
Serves tables to whoever can reach the address, and keeps everything in one folder: matches go on
where they stood when it is started again. It stops on SIGINT and SIGTERM when all that it has
acknowledged is written, which it always is.
"""
EPILOG = """\
settings, as variables of the environment:
  ZASHIKI_STORE  where tables and matches are kept, if not in the folder: postgresql://…, which
                 several servers may share
  ZASHIKI_KEY    the secret key, 64 hexadecimal digits: the same for all servers that share a store
                 (default: the folder has one)

examples:
  zashiki serve                                 on this machine only
  zashiki serve --host 0.0.0.0 --origin https://play.example
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="address (default: 127.0.0.1)")
    parser.add_argument("--port", type=int, default=8620, help="0: any (default: 8620)")
    parser.add_argument(
        "--data", type=Path, default=Path("zashiki-data"), metavar="DIR",
        help="where everything is kept (default: zashiki-data)",
    )  # fmt: skip
    parser.add_argument(
        "--origin", action="append", default=[], metavar="URL",
        help="from where pages may ask, if not from the address itself; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--bots", type=int, default=1, metavar="N",
        help="processes of its own that play for bots (default: 1; see zashiki bots)",
    )  # fmt: skip
    parser.add_argument(
        "--compiled", type=Path, metavar="DIR",
        help="folder of compiled modules for the bot workers; they change over when it appears",
    )  # fmt: skip
    parser.add_argument(
        "--bot-pace", type=float, default=1.0, metavar="SECONDS",
        help="about so long a bot takes where people play (default: 1)",
    )  # fmt: skip
    parser.add_argument(
        "--requests", type=int, default=600, metavar="N",
        help="so many a minute from one address (default: 600)",
    )  # fmt: skip
    parser.add_argument(
        "--connections", type=int, default=1000, metavar="N",
        help="so many at once from one address (default: 1000)",
    )  # fmt: skip
    parser.add_argument(
        "--drain", type=float, default=None, metavar="SECONDS",
        help="how long a stop takes in which people move to another server (default: 5 where "
        "several share a PostgreSQL, else 0)",
    )  # fmt: skip
    parser.add_argument(
        "--proxy", action="append", default=[], metavar="ADDRESS",
        help="believe X-Forwarded-For of this address or network; may be repeated",
    )  # fmt: skip
    parser.add_argument("--quiet", action="store_true", help="write down only what goes wrong")
    parser.add_argument("--open", action="store_true", help="open a browser, where there is one")


def run(arguments: Namespace) -> int:
    if find_spec("litestar") is None or find_spec("uvicorn") is None:
        raise Malformed("serve: the server needs more packages: pip install 'zashiki[server]'")
    if not 0 <= arguments.port <= 65535:
        raise Malformed(f"--port {arguments.port}: a number from 0 to 65535 is expected")
    if not 0 <= arguments.bots <= MOST_BOTS:
        raise Malformed(f"--bots {arguments.bots}: a number from 0 to {MOST_BOTS} is expected")
    if not 0 <= arguments.bot_pace <= SLOWEST:
        raise Malformed(f"--bot-pace {arguments.bot_pace}: 0 to {SLOWEST} seconds are expected")
    if not 1 <= arguments.requests <= 10**9:
        raise Malformed(f"--requests {arguments.requests}: a number from 1 on is expected")
    if not 1 <= arguments.connections <= 10**9:
        raise Malformed(f"--connections {arguments.connections}: a number from 1 on is expected")
    if arguments.drain is not None and not 0 <= arguments.drain <= LONGEST_DRAIN:
        raise Malformed(f"--drain {arguments.drain}: 0 to {LONGEST_DRAIN} seconds are expected")
    from zashiki.server.serve import serve

    return serve(
        arguments.host, arguments.port, arguments.data,
        frozenset(map(origin, arguments.origin)),
        arguments.bots, arguments.bot_pace, arguments.requests, arguments.connections,
        arguments.quiet, arguments.open, os.environ.get("ZASHIKI_STORE"),
        os.environ.get("ZASHIKI_KEY"), arguments.drain, arguments.proxy,
        arguments.compiled,
    )  # fmt: skip


def origin(written: str) -> str:
    """As browsers say it: in small letters, and without a port that goes without saying."""
    found = ORIGIN.fullmatch(written)
    if found is None or (found[3] and not 0 < int(found[3]) < 65536):
        raise Malformed(
            f"--origin {written or repr(written)}: https:// or http://, a host and perhaps a port "
            "are expected, as in https://play.example"
        )
    scheme, host = found[1].lower(), found[2].lower()
    port = int(found[3] or USUAL[scheme])
    return f"{scheme}://{host}" if port == USUAL[scheme] else f"{scheme}://{host}:{port}"
