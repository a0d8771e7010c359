"""The command line: play, simulate, read and verify records, look up rules."""

import os
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import NoReturn

from zashiki.cli import games, play, replay, rules, simulate, verify
from zashiki.cli.screen import printable
from zashiki.core.rulings import Malformed

FAILED = 1
USAGE = 2
INTERRUPTED = 130
BROKEN_PIPE = 141

COMMANDS = (games, rules, play, simulate, replay, verify)

EPILOG = """\
examples:
  zashiki play kamiza-second                    sit down against three bots
  zashiki rules kamiza-second K2 3.5            one rule
  zashiki simulate kamiza-second --bots greedy,random,random,random
  zashiki verify evening.jsonl                  is this record honest?

Each command has a --help of its own. Colours are left out when the output is
piped or NO_COLOR is set. Status: 0 all well, 1 a record failed verification,
2 something in the input cannot be used.
"""


class Parser(ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"zashiki: {message} (see {self.prog} --help)\n")


def parser() -> Parser:
    """The whole grammar of the command line."""
    made = Parser(
        prog="zashiki",
        description="Card games of hidden information: play, simulate, replay, verify.",
        epilog=EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    made.add_argument("--version", action="version", version=f"zashiki {own_version()}")
    commands = made.add_subparsers(title="commands", metavar="COMMAND")
    for module in COMMANDS:
        command = commands.add_parser(
            module.__name__.rpartition(".")[2],
            help=module.HELP,
            description=module.DESCRIPTION,
            epilog=module.EPILOG,
            formatter_class=RawDescriptionHelpFormatter,
        )
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return made


def own_version() -> str:
    try:
        return version("zashiki")
    except PackageNotFoundError:
        return "(not installed)"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the status to exit with."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    made = parser()
    chosen, rest = made.parse_known_args(arguments)
    if rest and hasattr(chosen, "id") and not any(word.startswith("-") for word in rest):
        chosen.id = [*chosen.id, *rest]  # argparse loses the words of an ID behind an option
    elif rest:
        made.error(f"unrecognized arguments: {' '.join(rest)}")
    if not hasattr(chosen, "run"):
        made.print_help()
        return 0
    try:
        status = int(chosen.run(chosen))
        sys.stdout.flush()
    except Malformed as fault:
        print(f"zashiki: {printable(str(fault))}", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        print("zashiki: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has left: nothing more to say, not even when Python flushes at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    return status
