"""Settings of the server on the command line: their flags, the help of their variables, reading."""

import os
from argparse import ArgumentParser, Namespace
from importlib.util import find_spec
from textwrap import fill
from typing import TypeVar

from zashiki.core.rulings import Malformed
from zashiki.server.settings import Option, choose, options_of

PACKAGES = ("asyncpg", "litestar", "msgspec", "uvicorn")
Chosen = TypeVar("Chosen")


def add_options(parser: ArgumentParser, settings: type) -> None:
    """Add the flags of a settings class to the parser of a command."""
    for name, option in options_of(settings).items():
        if option.read is bool:
            parser.add_argument(option.flag, dest=name, action="store_true", help=option.help)
        elif option.flag:
            parser.add_argument(
                option.flag, dest=name, metavar=option.metavar, help=help_of(option),
                action="append" if option.collect else "store",
                required=option.is_required and not option.variable,
            )  # fmt: skip


def help_of(option: Option) -> str:
    default = f" (default: {option.default_text})" if option.default_text else ""
    return f"{option.help}{default}"


def variables_help(settings: type) -> str:
    """Describe the options that have no flag, for the end of a command's help."""
    found = [option for option in options_of(settings).values() if not option.flag]
    width = 2 + max(len(option.variable) for option in found)
    lines = [f"  {option.variable:<{width}}{help_of(option)}" for option in found]
    wrapped = [fill(line, 80, subsequent_indent=" " * (2 + width)) for line in lines]
    return "\n".join(["environment variables:", *wrapped, ""])


def check_packages(command: str, *packages: str) -> None:
    """Raise `Malformed` if a package of these, by default of the server, is not installed."""
    if any(find_spec(package) is None for package in packages or PACKAGES):
        raise Malformed(f"{command}: needs more packages: pip install 'zashiki[server]'")


def read_settings(settings: type[Chosen], arguments: Namespace) -> Chosen:
    """Read the settings of a command from its flags and the environment."""
    try:
        return choose(settings, vars(arguments), os.environ)
    except Malformed as fault:
        parser: ArgumentParser = arguments.parser
        parser.error(str(fault))
