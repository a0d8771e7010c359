"""`zashiki lab`: measurements that take long, each a command of its own."""

from argparse import ArgumentParser, Namespace
from typing import NoReturn

from zashiki.cli.command_parser import add_commands
from zashiki.core.rulings import Malformed

DESCRIPTION = "Measurements that take long. What was measured is kept, and can be gone on with."
EPILOG = """\
examples:
  zashiki lab balance kingdoms --out balance
  zashiki lab balance kingdoms --card-set mine.toml --matches 400
  zashiki lab levels --out levels
"""
MEASUREMENTS = {
    "balance": "is a card set balanced?",
    "levels": "is each level of the bots above the one below?",
}


def add_arguments(parser: ArgumentParser) -> None:
    add_commands(parser, MEASUREMENTS, "measurements", "WHAT", f"{__name__}.")


def run(_: Namespace) -> NoReturn:
    """Refuse `zashiki lab` without a measurement: each measurement has a `run` of its own."""
    raise Malformed(f"lab: one of {', '.join(MEASUREMENTS)} is expected (see zashiki lab --help)")
