"""Argument parsers that import the module of a command only when the command is chosen."""

import re
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from zashiki.core.rulings import Malformed

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


INVALID_VALUE = re.compile(r"argument (.+?): invalid (int|float) value: (.+)", re.DOTALL)
INVALID_CHOICE = re.compile(r"argument (.+?): invalid choice: (.+) \(choose from (.+)\)", re.DOTALL)
NUMBERS = {"int": "a whole number", "float": "a number"}


class Parser(ArgumentParser):
    """An argument parser that raises `Malformed` with one line instead of exiting."""

    def error(self, message: str) -> NoReturn:
        raise Malformed(f"{reworded(message)} (see {self.prog} --help)")

    def _print_message(self, message: str, file: "SupportsWrite[str] | None" = None) -> None:
        (file or sys.stdout).write(message)  # argparse itself would ignore a full disk

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        sys.stdout.flush()  # fails here on a full disk, so that `main` can report it
        super().exit(status, message)


def reworded(message: str) -> str:
    """Return an error of argparse in the form of all others: "expected ..., found ..."."""
    if value := INVALID_VALUE.fullmatch(message):
        return f"{value[1]}: expected {NUMBERS[value[2]]}, found {value[3]}"
    if choice := INVALID_CHOICE.fullmatch(message):
        known = choice[3].replace("'", "")
        return f"{choice[1]}: expected one of {known}, found {choice[2]}"
    return message.removeprefix("argument ")


class CommandParser(Parser):
    """The parser of one command, filled by the command's module at the first use.

    The module has DESCRIPTION, EPILOG, `add_arguments(parser)` and `run(arguments)`.
    """

    def __init__(self, *, module: str, **named: Any) -> None:
        super().__init__(formatter_class=RawDescriptionHelpFormatter, **named)
        self.module = module
        self.is_filled = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        if not self.is_filled:
            self.is_filled = True
            self.fill()
        return super().parse_known_args(args, namespace)

    def fill(self) -> None:
        """Import the command's module and add its help and arguments."""
        module = import_module(self.module)
        self.description, self.epilog = module.DESCRIPTION, module.EPILOG
        self.set_defaults(run=module.run, parser=self)
        module.add_arguments(self)


def add_commands(
    parser: ArgumentParser, helps: Mapping[str, str], title: str, metavar: str, package: str
) -> None:
    """Add commands by name, each with one line of help; each is a module of the package."""
    commands = parser.add_subparsers(title=title, metavar=metavar, parser_class=CommandParser)
    for name, help in helps.items():
        commands.add_parser(name, help=help, module=f"{package}.{name.replace('-', '_')}")
