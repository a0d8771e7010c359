"""The command line: play, simulate, read and verify records, look up rules."""

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType
from typing import TYPE_CHECKING, NoReturn

from zashiki.cli import (
    arena,
    backup,
    bots,
    games,
    lab,
    move_store,
    play,
    replay,
    restore,
    rules,
    serve,
    simulate,
    verify,
)
from zashiki.cli.screen import printable
from zashiki.cli.signals import Ended, signals_raise
from zashiki.cli.streams import complain, mend_streams, settle
from zashiki.core.rulings import Malformed

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

USAGE = 2
SIGNALLED = 128
INTERRUPTED = SIGNALLED + 2
BROKEN_PIPE = SIGNALLED + 13

COMMANDS = (
    games, rules, play, serve, bots, backup, restore, move_store, simulate, arena, lab, replay,
    verify,
)  # fmt: skip

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


class Parser(ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        raise Malformed(f"{message} (see {self.prog} --help)")

    def _print_message(self, message: str, file: "SupportsWrite[str] | None" = None) -> None:
        (file or sys.stdout).write(message)  # argparse itself would say nothing of a full disk

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        sys.stdout.flush()  # here, where it may fail: `main` knows what to say then
        super().exit(status, message)


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
            name_of(module),
            help=module.HELP,
            description=module.DESCRIPTION,
            epilog=module.EPILOG,
            formatter_class=RawDescriptionHelpFormatter,
        )
        module.add_arguments(command)
        command.set_defaults(run=module.run, parser=command)
    return made


def name_of(module: ModuleType) -> str:
    """What people type for a command."""
    return module.__name__.rpartition(".")[2].replace("_", "-")


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
