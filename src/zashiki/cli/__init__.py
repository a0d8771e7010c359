"""The command line: play, simulate, read and verify records, look up rules."""

import sys
from argparse import RawDescriptionHelpFormatter
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version

from zashiki.cli.command_parser import Parser, add_commands
from zashiki.cli.terminal.signals import Ended, signals_raise
from zashiki.cli.terminal.stdio import complain, mend_streams, printable, settle
from zashiki.core.rulings import Malformed

USAGE = 2
SIGNALLED = 128
INTERRUPTED = SIGNALLED + 2
BROKEN_PIPE = SIGNALLED + 13

COMMANDS = {
    "games": "what can be played",
    "rules": "the rules of a game, or one of them",
    "play": "a match in the terminal, against bots",
    "serve": "the server: tables, seats and live play over HTTP and WebSocket",
    "bots": "plays for the bots at the tables of a server",
    "backup": "all that a store keeps, in one file; servers may go on meanwhile",
    "restore": "what zashiki backup has written, in an empty store again",
    "move-store": "from a SQLite file into a PostgreSQL database, which several servers may share",
    "simulate": "many matches between bots, with statistics",
    "arena": "bots against bots on the same deals: who is stronger?",
    "lab": "long measurements: is a card set balanced, are the levels far apart?",
    "replay": "a record as a story, step by step",
    "verify": "is a record honest: its chain, its seed, its rules",
}
"""From what people type to its line in the help. The module of a command is imported only when the
command is chosen: the help, and a bot worker, need not wait for rich or the laboratory."""

EPILOG = """\
examples:
  zashiki play kamiza-second                    sit down against three bots
  zashiki rules kamiza-second K2 3.5            one rule
  zashiki simulate kamiza-second --bots greedy,random,random,random
  zashiki arena kamiza-second --bots sensible,greedy --matches 400
  zashiki verify evening.jsonl                  is this record honest?

Each command has a --help of its own. Colours are left out when the output is
piped or NO_COLOR is set. Status: 0 all well, 1 a record failed verification,
2 something cannot be used or written, 128 and more: ended by a signal.
"""


def parser() -> Parser:
    """The whole grammar of the command line."""
    made = Parser(
        prog="zashiki",
        description="Card games of hidden information: play, simulate, replay, verify.",
        epilog=EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    made.add_argument("--version", action="version", version=f"zashiki {own_version()}")
    add_commands(made, COMMANDS, "commands", "COMMAND", f"{__name__}.commands.")
    return made


def own_version() -> str:
    try:
        return version("zashiki")
    except PackageNotFoundError:
        return "(not installed)"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the status to exit with."""
    try:
        mend_streams()
        with signals_raise():
            status = run(arguments)
            sys.stdout.flush()
    except Malformed as fault:
        complain(printable(str(fault)))
        status = USAGE
    except KeyboardInterrupt:
        complain("interrupted")
        status = INTERRUPTED
    except Ended as ended:
        complain("ended by a signal")
        status = SIGNALLED + ended.number
    except BrokenPipeError:
        status = BROKEN_PIPE  # the reader has left: nothing more to say
    except OSError as fault:
        complain(printable(f"{fault.filename or 'standard output'}: {fault.strerror or fault}"))
        status = USAGE
    settle()
    return status


def run(arguments: Sequence[str] | None) -> int:
    """Read the command line and do what it asks for."""
    made = parser()
    chosen, rest = made.parse_known_args(arguments)
    if rest and hasattr(chosen, "id") and not any(word.startswith("-") for word in rest):
        chosen.id = [*chosen.id, *rest]  # argparse loses the words of an ID behind an option
    elif rest:
        at: Parser = getattr(chosen, "parser", made)  # the help of the command says more
        at.error(f"unrecognized arguments: {' '.join(rest)}")
    if not hasattr(chosen, "run"):
        made.print_help()
        return 0
    return int(chosen.run(chosen))
