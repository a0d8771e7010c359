"""`zashiki lab balance`: the balance of a card set of Kingdoms, by what RB 6.4 asks for."""

from argparse import ArgumentParser, Namespace
from contextlib import closing
from pathlib import Path

from rich.console import Console

from zashiki.cli.arguments import (
    add_game,
    add_matches,
    add_results_folder,
    add_seed,
    add_workers,
    read_options,
    read_workers,
)
from zashiki.cli.files import errors_naming_folder
from zashiki.cli.terminal.console import make_console
from zashiki.cli.terminal.progress import progress_bar
from zashiki.cli.terminal.stdio import printable
from zashiki.cli.terminal.tables import make_table, print_table
from zashiki.core.files import write_atomically
from zashiki.core.rulings import Malformed
from zashiki.games import game_spec
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

DESCRIPTION = """\
Play a bot against itself with a card set and print whether the set is balanced: how often Red wins,
the share of draws, the number of turns, and the use of each card (RB 6.4).
"""
EPILOG = """\
With --out, all results are saved in DIR. The same command resumes an interrupted or killed run, and
--matches may be larger than before. The matches do not depend on --workers.

files in DIR:
  report.html, report.md        all tables; report.html also has plots
  cards.csv                     one row per card: card, drafted, played, kept, share_played, users,
                                win_rate, low, high
  plan.json, matches.jsonl      needed to resume

examples:
  zashiki lab balance kingdoms --out balance
  zashiki lab balance kingdoms --card-set reconstructed --bot sensible --matches 2000
  zashiki lab balance kingdoms --card-set mine.toml --workers 8 --out mine
"""


def add_arguments(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "--card-set", metavar="SET",
        help="name or TOML file of a card set (default: the game's default set)",
    )  # fmt: skip
    parser.add_argument(
        "--bot", default="strong", metavar="NAME", help="bot on both seats (default: strong)"
    )
    add_matches(parser, MATCHES)
    add_seed(parser)
    add_workers(parser)
    add_results_folder(parser)


def run(arguments: Namespace) -> int:
    plan = read_plan(arguments)
    workers = read_workers(arguments.workers, plan.matches)
    with errors_naming_folder(arguments.out), opened(arguments.out, plan) as results:
        left = plan.matches - len(results)
        with progress_bar(left) as advance, closing(measure(plan, results, workers)) as source:
            for _ in source:
                advance(1)
        balance = weighed(plan, list(results.in_order(plan.matches)))
        if arguments.out is not None:
            write(plan, balance, arguments.out)
    console = make_console()
    print_balance(console, plan, balance)
    if arguments.out is not None:
        console.print(f"Report written to {printable(str(arguments.out / 'report.html'))}")
    return 0


def read_plan(arguments: Namespace) -> Plan:
    spec = game_spec(arguments.game)
    if "card_set" not in spec.options:
        raise Malformed(f"{spec.id} has no card sets: choose a game with the option card_set")
    chosen = "" if arguments.card_set is None else f"card_set={arguments.card_set}"
    options = read_options(spec, chosen, 2)
    return Plan.checked(spec.id, arguments.bot, arguments.matches, arguments.seed, options)


def write(plan: Plan, balance: Balance, folder: Path) -> None:
    texts = {
        "report.html": report_html(plan, balance),
        "report.md": report_markdown(plan, balance),
        "cards.csv": card_table(balance),
    }
    for name, text in texts.items():
        write_atomically(folder / name, text.encode())


def print_balance(console: Console, plan: Plan, balance: Balance) -> None:
    console.print(printable(heading(plan)))
    console.print(printable(how(plan, balance)))
    console.print()
    rows = [[printable(card.name), *card_cells(card)] for card in balance.cards]
    print_table(console, make_table(HEAD, rows, numbers=len(HEAD) - 1))
    console.print()
    for name, value in figures(balance):
        console.print(f"{name}: {value}")
    console.print()
    for one in balance.conditions:
        console.print(printable(f"{'yes' if one.is_met else 'NO '} {one.asked}: {one.found}"))
