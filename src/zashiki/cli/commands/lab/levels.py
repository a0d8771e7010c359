"""`zashiki lab levels`: is each level of the bots above the one below?"""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from zashiki.cli.arguments import read_seed
from zashiki.cli.commands.arena import faults_named
from zashiki.cli.commands.simulate import read_workers
from zashiki.cli.terminal.console import screen, show_table, table
from zashiki.lab.arena.sequential import Verdict
from zashiki.lab.levels import Measured, climb, forms_of, prepare

DESCRIPTION = """\
Lets each level play the one below, at one table of each game and form, until it is clear who is
better: between two, whether the upper one wins more than 60 % of decisive matches; among more,
whether it wins more than its fair share, alone in a field of the other. The reverse is not played:
the other, alone in a field of the upper one, may be above its fair share as well.
"""
EPILOG = """\
With --out, all that was played stands in DIR, and the same command goes on where it was
interrupted or killed. Matches are the same for any --workers.

examples:
  zashiki lab levels --out levels
  zashiki lab levels kamiza-second --matches 400
"""
COLUMNS = ("table", "above", "below", "verdict", "matches", "wins %", "95 %", "asked %")


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="(default: all of them)")
    parser.add_argument(
        "--matches", type=int, default=1000, metavar="N", help="at most, a step (default: 1000)"
    )
    parser.add_argument("--seed", type=read_seed, default=0, help="integer or text (default: 0)")
    parser.add_argument("--workers", type=int, metavar="N", help="processes (default: all cores)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep everything in this folder")


def run(arguments: Namespace) -> int:
    workers = read_workers(arguments.workers, arguments.matches)
    forms = forms_of(arguments.game)
    console = screen()
    rows = []
    with faults_named(arguments.out):
        if arguments.out is not None:
            prepare(arguments.out)
        for form in forms:
            for measured in climb(form, arguments.matches, arguments.seed, workers, arguments.out):
                rows.append(cells(measured))
                console.print(" · ".join(rows[-1]), style="usuzumi", highlight=False)
    console.print()
    show_table(console, table(list(COLUMNS), rows, numbers=4))
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
