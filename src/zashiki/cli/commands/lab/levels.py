"""`zashiki lab levels`: a check that each bot level is above the one below."""

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
from zashiki.cli.terminal.tables import make_table, print_table
from zashiki.lab.arena.sequential import Verdict
from zashiki.lab.levels import Measured, climb, forms_of, prepare

DESCRIPTION = """\
Play each bot level against the one below, at one table of each game and form, until it is clear
which is better. With two seats, the upper level must win more than 60 % of the decisive matches.
With more, it must win more than its fair share alone in a field of the other. The reverse is not
played: the lower level, alone in a field of the upper one, may win more than its fair share too.
"""
EPILOG = """\
The exit status is 0 if every level is above the one below, else 1. With --out, all results are
saved in DIR, and the same command resumes an interrupted or killed run. The matches do not depend
on --workers.

examples:
  zashiki lab levels --out levels
  zashiki lab levels kamiza-second --matches 400
"""
COLUMNS = ("table", "above", "below", "verdict", "matches", "wins %", "95 %", "asked %")


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="id of a game (default: all games)")
    add_matches(parser, 1000, "maximum number of matches per pair of levels")
    add_seed(parser)
    add_workers(parser)
    add_results_folder(parser)


def run(arguments: Namespace) -> int:
    workers = read_workers(arguments.workers, arguments.matches)
    forms = forms_of(arguments.game)
    console = make_console()
    rows = []
    with errors_naming_folder(arguments.out):
        if arguments.out is not None:
            prepare(arguments.out)
        for form in forms:
            for measured in climb(form, arguments.matches, arguments.seed, workers, arguments.out):
                rows.append(cells(measured))
                console.print(" · ".join(rows[-1]), style="usuzumi", highlight=False)
    console.print()
    print_table(console, make_table(list(COLUMNS), rows, numbers=4))
    return 0 if all(row[3] == Verdict.ABOVE.value for row in rows) else 1


def cells(measured: Measured) -> list[str]:
    form, above, below, finding = measured
    estimate = finding.estimate
    return [
        str(form),
        above,
        below,
        finding.verdict.value,
        str(finding.matches),
        f"{100 * estimate.mean:.1f}",
        f"{100 * estimate.low:.1f}–{100 * estimate.high:.1f}",
        f"{100 * finding.share:.1f}",
    ]
