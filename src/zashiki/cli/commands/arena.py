"""`zashiki arena`: the strength of bots, measured on the same deals."""

import math
import time
from argparse import ArgumentParser, Namespace
from contextlib import closing
from pathlib import Path

from rich.console import Console

from zashiki.cli.arguments import (
    add_game,
    add_matches,
    add_options,
    add_results_folder,
    add_seed,
    add_workers,
    read_names,
    read_options,
    read_seats,
    read_workers,
)
from zashiki.cli.files import errors_naming_folder
from zashiki.cli.terminal.arena_report import print_standing
from zashiki.cli.terminal.console import make_console
from zashiki.cli.terminal.progress import progress_bar
from zashiki.cli.terminal.stdio import printable
from zashiki.core.files import write_atomically
from zashiki.core.rulings import Malformed
from zashiki.games import game_spec
from zashiki.lab.arena import ArenaResults, Judge, Plan, Standing, contest, measure, opened
from zashiki.lab.arena.export import can_write_parquet, lines, write_csv, write_parquet
from zashiki.lab.arena.report import report, summary

DESCRIPTION = """\
Play bots against each other and print how strong they are, with intervals.

Every deal is played several times, so that each bot is dealt what the others were dealt, and every
bot takes every seat, against every other bot, equally often. With two bots on more than two seats,
each is alone in a field of the other. --matches is rounded up until all have played equally often.

A bot is one that `zashiki games` lists, or your own: FILE.py:NAME is a class or function in a
file, called as NAME(game, seed), whose choose(view, legal) returns one of the legal actions.
"""
EPILOG = """\
With --out, all results are saved in DIR. The same command resumes an interrupted or killed run: no
match is lost or played twice, and --matches may be larger than before.

--until-clear stops as soon as it is clear whether the first of two bots wins more than SHARE
(0.6: 60 %; the default is its fair share), by a test that may be read after every deal and is
wrong in at most 5 % of cases. Between two players, SHARE is of the decisive matches; with more
seats, the first bot is alone in a field of the other. --matches is then the maximum.

--ray plays on the machines of a Ray cluster, which need Zashiki installed. Its ADDRESS is as Ray
spells it (auto, HOST:6379, ray://HOST:10001); local starts a cluster on this machine.

files in DIR:
  report.html      all tables and plots on one page that loads nothing else
  results.csv      one row per match and seat: match, deal, seed, seat, bot, rank, score,
                   decisions, seconds, longest; results.parquet is the same
  summary.json     the figures that are printed
  plan.json, matches.jsonl      needed to resume

examples:
  zashiki arena kamiza-second --bots sensible,greedy,random --matches 1200 --out evening
  zashiki arena kingdoms --bots sensible,greedy --until-clear 0.6 --matches 4000
  zashiki arena red-town --seats 4 --bots ./mybot.py:MyBot,sensible --workers 8
  zashiki arena kamiza-second --bots sensible,greedy --ray auto --out evening
"""
FAIR = "fair"
FILES = ("report.html", "results.csv", "results.parquet", "summary.json")
MATCHES_PER_WORKER = 4
"""Minimum number of matches for which another process is started."""


def add_arguments(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "--bots", required=True, metavar="A,B,…", help="two or more bots, as described above"
    )
    parser.add_argument(
        "--seats", type=int, metavar="N",
        help="number of seats (default: the number of bots, or a full table)",
    )  # fmt: skip
    add_matches(parser, 1000)
    add_options(parser)
    add_seed(parser)
    parser.add_argument(
        "--until-clear", nargs="?", const=FAIR, metavar="SHARE",
        help="share between 0 and 1; play stops when it is clear whether the first of two bots "
        "wins more (default: all matches are played; without SHARE: its fair share)",
    )  # fmt: skip
    add_workers(parser)
    parser.add_argument(
        "--ray", metavar="ADDRESS", help="address of a Ray cluster (default: this machine only)"
    )
    add_results_folder(parser)


def run(arguments: Namespace) -> int:
    plan = read_plan(arguments)
    workers: int | None = None
    if arguments.workers is not None or arguments.ray is None:  # a cluster has its own number
        workers = read_workers(arguments.workers, plan.matches, MATCHES_PER_WORKER)
    console = make_console()
    if plan.matches != arguments.matches:
        why = reason_to_round(plan)
        console.print(f"{arguments.matches} matches are rounded up to {plan.matches}: {why}")
    with errors_naming_folder(arguments.out), opened(arguments.out, plan) as results:
        play(console, plan, results, workers, arguments.ray)
        finding = Judge(plan, results).finding()
        counted = plan.matches if finding is None else finding.matches
        standing = measure(plan, results.in_order(counted), finding)
        if arguments.out is not None:
            write(plan, results, standing, arguments.out)
    print_standing(console, plan, standing)
    if arguments.out is not None:
        print_files(console, arguments.out)
    return 0


# Reading ---------------------------------------------------------------------------------------


def read_plan(arguments: Namespace) -> Plan:
    spec = game_spec(arguments.game)
    bots = read_names(arguments.bots)
    seats = read_seats(spec, arguments.seats, len(bots))
    options = read_options(spec, arguments.options, seats)
    share = read_share(arguments.until_clear, seats)
    return Plan.checked(spec.id, seats, bots, arguments.matches, arguments.seed, options, share)


def read_share(text: str | None, seats: int) -> float | None:
    """Read the share of --until-clear; None if the option was not given."""
    if text is None:
        return None
    if text == FAIR:
        return 1 / seats
    try:
        share = float(text)
    except ValueError:
        share = math.nan
    if not 0 < share < 1:
        raise Malformed(f"--until-clear {text!r}: expected a share between 0 and 1, such as 0.6")
    return share


def reason_to_round(plan: Plan) -> str:
    """Say why the number of matches is rounded up."""
    schedule = plan.schedule
    deals = "" if schedule.deals_a_round == 1 else f", {schedule.deals_a_round} deals per round"
    return f"{schedule.matches_a_deal} matches per deal{deals}, so that all play equally often"


# Playing ---------------------------------------------------------------------------------------


def play(
    console: Console, plan: Plan, results: ArenaResults, workers: int | None, ray: str | None
) -> None:
    """Play the matches of the plan that the results do not have yet."""
    before, known = time.monotonic(), len(results)
    if known:
        console.print(f"{known} matches are there already")
    with (
        progress_bar(plan.matches, known) as advance,
        closing(contest(plan, results, workers, ray)) as matches,
    ):
        for _ in matches:
            advance(1)
    if console.is_terminal and len(results) > known:
        rate = (len(results) - known) / (time.monotonic() - before)
        console.print(f"{rate:,.1f} matches per second", style="usuzumi")


def write(plan: Plan, results: ArenaResults, standing: Standing, folder: Path) -> None:
    """Write all files of the folder, each atomically."""
    write_csv(folder / "results.csv", lines(plan, results.in_order(standing.matches)))
    if can_write_parquet():
        write_parquet(folder / "results.parquet", lines(plan, results.in_order(standing.matches)))
    write_atomically(folder / "summary.json", summary(plan, standing).encode())
    write_atomically(folder / "report.html", report(plan, standing).encode())


def print_files(console: Console, folder: Path) -> None:
    """Print the names of the files that were written."""
    names = [name for name in FILES if can_write_parquet() or name != "results.parquet"]
    console.print()
    console.print(f"Written to {printable(str(folder))}: {', '.join(names)}")
    if len(names) < len(FILES):
        console.print("No results.parquet, which needs pyarrow: pip install 'zashiki[parquet]'")
