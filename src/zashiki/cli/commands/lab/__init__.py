"""`zashiki lab`: long measurements, each a command of its own."""

from argparse import ArgumentParser, Namespace
from typing import NoReturn

from zashiki.cli.command_parser import add_commands
from zashiki.core.rulings import Malformed

DESCRIPTION = "Run long measurements. With --out, results are saved and a run can be resumed."
EPILOG = """\
examples:
  zashiki lab balance kingdoms --out balance
  zashiki lab balance kingdoms --card-set mine.toml --matches 400
  zashiki lab levels --out levels
  zashiki lab ratings --out ratings
"""
MEASUREMENTS = {
    "balance": "measure whether a card set is balanced",
    "levels": "measure whether each bot level is above the one below",
    "ratings": "measure how strong each bot is, for the ratings of people",
}


def add_arguments(parser: ArgumentParser) -> None:
    add_commands(parser, MEASUREMENTS, "measurements", "WHAT", __name__)


def run(_: Namespace) -> NoReturn:
    """Refuse `zashiki lab` without a measurement: each measurement has a `run` of its own."""
    raise Malformed(f"lab: expected one of {', '.join(MEASUREMENTS)} (see zashiki lab --help)")
