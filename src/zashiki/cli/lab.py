"""`zashiki lab`: measurements that take long, each a command of its own."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter

from zashiki.cli import lab_balance, lab_levels
from zashiki.core.rulings import Malformed

HELP = "long measurements: is a card set balanced, are the levels far apart?"
DESCRIPTION = "Measurements that take long. What was measured is kept, and can be gone on with."
EPILOG = """\
examples:
  zashiki lab balance kingdoms --out balance
  zashiki lab balance kingdoms --card-set mine.toml --matches 400
  zashiki lab levels --out levels
"""
COMMANDS = {"balance": lab_balance, "levels": lab_levels}


def add_arguments(parser: ArgumentParser) -> None:
    commands = parser.add_subparsers(title="measurements", metavar="WHAT")
    for name, module in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=module.HELP,
            description=module.DESCRIPTION,
            epilog=module.EPILOG,
            formatter_class=RawDescriptionHelpFormatter,
        )
        module.add_arguments(command)
        command.set_defaults(measurement=module, parser=command)


def run(arguments: Namespace) -> int:
    if not hasattr(arguments, "measurement"):
        raise Malformed(f"lab: one of {', '.join(COMMANDS)} is expected (see zashiki lab --help)")
    return int(arguments.measurement.run(arguments))
