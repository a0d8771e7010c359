"""`zashiki lab ratings`: the strength of all bots, as a table for the server."""

from argparse import ArgumentParser, Namespace

from zashiki.cli.arguments import (
    add_matches,
    add_results_folder,
    add_seed,
    add_workers,
    read_workers,
)
from zashiki.cli.files import errors_naming_folder
from zashiki.cli.terminal.console import make_console
from zashiki.lab.bot_ratings import as_toml, measure_pool, pools_of

DESCRIPTION = """\
Play all bots against each other in each game, form and number of seats, and print how strong each
of them is, as TOML: the content of src/zashiki/bots/ratings.toml.
"""
EPILOG = """\
With --out, all results are saved in DIR, and the same command resumes an interrupted or killed
run. The matches do not depend on --workers.

examples:
  zashiki lab ratings --out ratings > ratings.toml
  zashiki lab ratings red-town --seats 4 --form short --matches 280
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="id of a game (default: all games)")
    parser.add_argument("--seats", type=int, metavar="N", help="number of seats (default: all)")
    parser.add_argument("--form", metavar="NAME", help="form of the game (default: all)")
    add_matches(parser, 280, "number of matches per game, form and number of seats")
    add_seed(parser)
    add_workers(parser)
    add_results_folder(parser)


def run(arguments: Namespace) -> int:
    workers = read_workers(arguments.workers, arguments.matches)
    pools = pools_of(arguments.game, arguments.seats, arguments.form)
    console = make_console()
    with errors_naming_folder(arguments.out):
        if arguments.out is not None:
            arguments.out.mkdir(exist_ok=True)
        for pool in pools:
            done = measure_pool(pool, arguments.matches, arguments.seed, workers, arguments.out)
            for line in as_toml(done):
                console.print(line, highlight=False, markup=False, soft_wrap=True)
    return 0
