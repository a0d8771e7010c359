"""`zashiki lab balance`: does a card set of Kingdoms hold what RB 6.4 asks for?"""

from argparse import ArgumentParser, Namespace
from contextlib import closing
from pathlib import Path

from rich.console import Console

from zashiki.cli.arena import faults_named
from zashiki.cli.arguments import add_game, read_options, read_seed
from zashiki.cli.screen import screen, show_table, table
from zashiki.cli.simulate import progress, read_workers
from zashiki.cli.streams import printable
from zashiki.core.rulings import Malformed
from zashiki.games import offer_of
from zashiki.lab.balance import (
    Balance,
    Plan,
    card_table,
    measure,
    opened,
    report_html,
    report_markdown,
    weighed,
)
from zashiki.lab.balance.report import HEAD, card_cells, figures, heading, how
from zashiki.lab.balance.verdict import MATCHES
from zashiki.lab.results import write_atomically

DESCRIPTION = """\
Lets a bot play itself with a card set, and says whether the set is balanced: how often Red wins,
how many matches are draws, how many turns they take, and what becomes of each card (RB 6.4).
"""
EPILOG = """\
With --out, all that was played stands in DIR, and the same command goes on where it was
interrupted or killed; more --matches may be asked for. Matches are the same for any --workers.

files in DIR:
  report.html, report.md        all tables, and plots on the page
  cards.csv                     one row a card: card, drafted, played, kept, share_played, users,
                                win_rate, low, high
  plan.json, matches.jsonl      what is needed to go on

examples:
  zashiki lab balance kingdoms --out balance
  zashiki lab balance kingdoms --card-set reconstructed --bot sensible --matches 2000
  zashiki lab balance kingdoms --card-set mine.toml --workers 8 --out mine
"""


def add_arguments(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("--card-set", metavar="SET", help="a name or a file (default: the usual)")
    parser.add_argument("--bot", default="strong", metavar="NAME", help="(default: strong)")
    parser.add_argument(
        "--matches", type=int, default=MATCHES, metavar="N", help=f"(default: {MATCHES})"
    )
    parser.add_argument("--seed", type=read_seed, default=0, help="integer or text (default: 0)")
    parser.add_argument("--workers", type=int, metavar="N", help="processes (default: all cores)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep everything in this folder")


def run(arguments: Namespace) -> int:
    plan = read_plan(arguments)
    workers = read_workers(arguments.workers, plan.matches)
    with faults_named(arguments.out), opened(arguments.out, plan) as results:
        left = plan.matches - len(results)
        with progress(left) as advance, closing(measure(plan, results, workers)) as source:
            for _ in source:
                advance(1)
        balance = weighed(plan, list(results.in_order(plan.matches)))
        if arguments.out is not None:
            write(plan, balance, arguments.out)
    console = screen()
    show(console, plan, balance)
    if arguments.out is not None:
        console.print(f"Report written to {printable(str(arguments.out / 'report.html'))}")
    return 0


def read_plan(arguments: Namespace) -> Plan:
    offer = offer_of(arguments.game)
    if "card_set" not in offer.options:
        raise Malformed(f"{offer.id} has no card sets that could be balanced")
    chosen = "" if arguments.card_set is None else f"card_set={arguments.card_set}"
    options = read_options(offer, chosen, 2)
    return Plan.checked(offer.id, arguments.bot, arguments.matches, arguments.seed, options)


def write(plan: Plan, balance: Balance, folder: Path) -> None:
    texts = {
        "report.html": report_html(plan, balance),
        "report.md": report_markdown(plan, balance),
        "cards.csv": card_table(balance),
    }
    for name, text in texts.items():
        write_atomically(folder / name, text.encode())


def show(console: Console, plan: Plan, balance: Balance) -> None:
    console.print(printable(heading(plan)))
    console.print(printable(how(plan, balance)))
    console.print()
    rows = [[printable(card.name), *card_cells(card)] for card in balance.cards]
    show_table(console, table(HEAD, rows, numbers=len(HEAD) - 1))
    console.print()
    for name, value in figures(balance):
        console.print(f"{name}: {value}")
    console.print()
    for one in balance.conditions:
        console.print(printable(f"{'yes' if one.is_met else 'NO '} {one.asked}: {one.found}"))
