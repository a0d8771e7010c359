"""The command line: parse it, run one command, and turn every failure into an exit status."""

import sys
from argparse import RawDescriptionHelpFormatter
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version

from zashiki.cli.command_parser import Parser, add_commands
from zashiki.cli.terminal.signals import Terminated, raise_on_signals
from zashiki.cli.terminal.stdio import flush_streams, print_error, printable, repair_streams
from zashiki.core.rulings import Malformed

USAGE = 2
SIGNALLED = 128
INTERRUPTED = SIGNALLED + 2
BROKEN_PIPE = SIGNALLED + 13

COMMANDS = {
    "games": "list the games with their seats, options and bots",
    "rules": "print the rules of a game, or one of them",
    "play": "play a match in the terminal against bots",
    "serve": "run the server: tables, seats and live play over HTTP and WebSocket",
    "bots": "run a worker that plays the bots at the tables of a server",
    "reports": "read what players report to the operator, and mute, ban or close tables",
    "backup": "write everything in a store to one file, even while servers run",
    "restore": "read a file of zashiki backup into an empty store",
    "move-store": "copy a SQLite file into a PostgreSQL database, which several servers can share",
    "simulate": "play many matches between bots and print statistics",
    "arena": "compare the strength of bots on the same deals",
    "lab": "run long measurements: balance of a card set, distance between bot levels",
    "new-game": "write a package with a small playable game, to be changed into yours",
    "replay": "print a record as a story, step by step",
    "review": "evaluate every decision of a record, given what its seat knew",
    "verify": "check whether a record is honest: its chain, its seed, its rules",
}
"""The line of help of each command. Its module `commands.<name>` is imported only when the command
is chosen: the help and a bot worker need not wait for rich or the laboratory."""

EPILOG = """\
examples:
  zashiki play kamiza-second                    play against three bots
  zashiki rules kamiza-second K2 3.5            print one rule
  zashiki simulate kamiza-second --bots greedy,random,random,random
  zashiki arena kamiza-second --bots sensible,greedy --matches 400
  zashiki verify evening.jsonl                  check a record
  zashiki review evening.jsonl --out page.html  find the decisions that cost most

Each command has its own --help. Colours are off if the output is piped or
NO_COLOR is set. Exit status: 0 success, 1 a check failed (verify, lab levels),
2 wrong input or an output that cannot be written, 128 + N ended by signal N.
"""


def build_parser() -> Parser:
    """Build the parser of the whole command line, without importing any command."""
    parser = Parser(
        prog="zashiki",
        description="Card games of hidden information: play, simulate, replay, verify.",
        epilog=EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"zashiki {own_version()}")
    add_commands(parser, COMMANDS, "commands", "COMMAND", f"{__name__}.commands")
    return parser


def own_version() -> str:
    try:
        return version("zashiki")
    except PackageNotFoundError:
        return "(not installed)"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status of the process."""
    try:
        repair_streams()
        with raise_on_signals():
            status = run(arguments)
            sys.stdout.flush()
    except Malformed as fault:
        print_error(printable(str(fault)))
        status = USAGE
    except KeyboardInterrupt:
        print_error("interrupted")
        status = INTERRUPTED
    except Terminated as terminated:
        print_error("ended by a signal")
        status = SIGNALLED + terminated.number
    except BrokenPipeError:
        status = BROKEN_PIPE  # the reader has left: print nothing more
    except OSError as fault:
        print_error(printable(f"{fault.filename or 'standard output'}: {fault.strerror or fault}"))
        status = USAGE
    flush_streams()
    return status


def run(arguments: Sequence[str] | None) -> int:
    """Parse the command line and run its command; without a command, print the help."""
    parser = build_parser()
    chosen, rest = parser.parse_known_args(arguments)
    if rest and hasattr(chosen, "id") and not any(word.startswith("-") for word in rest):
        chosen.id = [*chosen.id, *rest]  # argparse drops the words of an ID behind an option
    elif rest:
        at: Parser = getattr(chosen, "parser", parser)  # the help of the command says more
        at.error(f"unrecognized arguments: {' '.join(rest)}")
    if not hasattr(chosen, "run"):
        parser.print_help()
        return 0
    return int(chosen.run(chosen))
