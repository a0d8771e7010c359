"""`zashiki arena`: bots against bots on the same deals, until it is clear who is stronger."""

import math
import os
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from rich.console import Console

from zashiki.cli.arguments import add_game, add_options, read_names, read_options, read_seed
from zashiki.cli.screen import screen, show_table, table
from zashiki.cli.simulate import between, progress, read_seats
from zashiki.cli.streams import printable
from zashiki.core.rulings import Malformed
from zashiki.games import offer_of
from zashiki.lab.arena import ArenaResults, Judge, Plan, Standing, contest, measure, opened
from zashiki.lab.arena.export import can_write_parquet, lines, write_csv, write_parquet
from zashiki.lab.arena.report import report, summary
from zashiki.lab.arena.sequential import Finding
from zashiki.lab.arena.words import percent, sentence, title, took
from zashiki.lab.results import write_atomically
from zashiki.lab.simulate import Interval

DESCRIPTION = """\
Plays bots against each other and says how strong they are, with intervals.

Every deal is played several times, so that what one bot was dealt the others are dealt as
well, and every bot sits on every seat, against every other, equally often. With two bots on
more than two seats, each sits alone in a field of the other. --matches is rounded up until
all have played equally often.

A bot is one that `zashiki games` lists, or your own: FILE.py:NAME is a class or function in a
file, called as NAME(game, seed), whose choose(view, legal) returns one of the legal actions.
"""
EPILOG = """\
With --out, all that was played stands in DIR, and the same command goes on where it was
interrupted or killed: no match is lost, none is played twice, more --matches may be asked for.

--until-clear stops as soon as it is clear whether the first of two bots wins more than SHARE
(0.6: 60 %; the default is its fair share), by a test that may be looked at after every deal and
is wrong in 5 % of cases at most. Between two players that is the share of decisive matches;
with more, the first sits alone in a field of the other. --matches is then the most it may take.

--ray plays on the machines of a Ray cluster, where zashiki is installed as well; its ADDRESS is
as Ray spells it (auto, HOST:6379, ray://HOST:10001), and local starts one here.

files in DIR:
  report.html      all tables and plots on one page, without anything from elsewhere
  results.csv      one row a match and seat: match, deal, seed, seat, bot, rank, score,
                   decisions, seconds, longest; results.parquet is the same
  summary.json     what is printed, as figures
  plan.json, matches.jsonl      what is needed to go on

examples:
  zashiki arena kamiza-second --bots sensible,greedy,random --matches 1200 --out evening
  zashiki arena kingdoms --bots sensible,greedy --until-clear 0.6 --matches 4000
  zashiki arena red-town --seats 4 --bots ./mybot.py:MyBot,sensible --workers 8
  zashiki arena kamiza-second --bots sensible,greedy --ray auto --out evening
"""
FAIR = "fair"
FILES = ("report.html", "results.csv", "results.parquet", "summary.json")
MOST_WORKERS = 1024


def add_arguments(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("--bots", required=True, metavar="A,B,…", help="two or more; see above")
    parser.add_argument("--seats", type=int, metavar="N", help="(default: as many as bots named)")
    parser.add_argument("--matches", type=int, default=1000, metavar="N", help="(default: 1000)")
    add_options(parser)
    parser.add_argument("--seed", type=read_seed, default=0, help="integer or text (default: 0)")
    parser.add_argument(
        "--until-clear", nargs="?", const=FAIR, metavar="SHARE", help="stop when it is clear"
    )
    parser.add_argument("--workers", type=int, metavar="N", help="processes (default: all cores)")
    parser.add_argument("--ray", metavar="ADDRESS", help="play on a Ray cluster")
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep everything in this folder")


def run(arguments: Namespace) -> int:
    plan = read_plan(arguments)
    workers = read_workers(arguments.workers, plan.matches, arguments.ray)
    console = screen()
    if plan.matches != arguments.matches:
        console.print(f"{arguments.matches} matches are rounded up to {plan.matches}: {why(plan)}")
    with faults_named(arguments.out), opened(arguments.out, plan) as results:
        play(console, plan, results, workers, arguments.ray)
        finding = Judge(plan, results).finding()
        counted = plan.matches if finding is None else finding.matches
        standing = measure(plan, results.in_order(counted), finding)
        if arguments.out is not None:
            write(plan, results, standing, arguments.out)
    show(console, plan, standing)
    if arguments.out is not None:
        show_files(console, arguments.out)
    return 0


# Reading ---------------------------------------------------------------------------------------


def read_plan(arguments: Namespace) -> Plan:
    offer = offer_of(arguments.game)
    bots = read_names(arguments.bots)
    seats = read_seats(offer, arguments.seats, len(bots))
    options = read_options(offer, arguments.options, seats)
    share = read_share(arguments.until_clear, seats)
    return Plan.checked(offer.id, seats, bots, arguments.matches, arguments.seed, options, share)


def read_share(text: str | None, seats: int) -> float | None:
    if text is None:
        return None
    if text == FAIR:
        return 1 / seats
    try:
        share = float(text)
    except ValueError:
        share = math.nan
    if not 0 < share < 1:
        raise Malformed(f"--until-clear {text!r}: a share between 0 and 1, like 0.6, is expected")
    return share


def read_workers(workers: int | None, matches: int, ray: str | None) -> int | None:
    """As many as asked for, else one a core, as far as there is work; a cluster has its own."""
    if workers is None:
        return None if ray is not None else max(1, min(os.cpu_count() or 1, matches // 4))
    if not 1 <= workers <= MOST_WORKERS:
        raise Malformed(f"--workers {workers}: a number from 1 to {MOST_WORKERS} is expected")
    return workers


@contextmanager
def faults_named(folder: Path | None) -> Iterator[None]:
    """What the system says against the folder, where it does not name a file itself."""
    try:
        yield
    except OSError as fault:
        if folder is None or fault.filename is not None or isinstance(fault, BrokenPipeError):
            raise
        raise Malformed(f"{folder}: {fault.strerror or fault}") from None


def why(plan: Plan) -> str:
    schedule = plan.schedule
    deals = "" if schedule.deals_a_round == 1 else f", {schedule.deals_a_round} deals a round"
    return f"{schedule.matches_a_deal} matches a deal{deals}, and all have played equally often"


# While it runs ---------------------------------------------------------------------------------


def play(
    console: Console, plan: Plan, results: ArenaResults, workers: int | None, ray: str | None
) -> None:
    before, known = time.monotonic(), len(results)
    if known:
        console.print(f"{known} matches are there already")
    with (
        progress(plan.matches, known) as advance,
        closing(contest(plan, results, workers, ray)) as matches,
    ):
        for _ in matches:
            advance(1)
    if console.is_terminal and len(results) > known:
        rate = (len(results) - known) / (time.monotonic() - before)
        console.print(f"{rate:,.1f} matches a second", style="usuzumi")


def write(plan: Plan, results: ArenaResults, standing: Standing, folder: Path) -> None:
    """All files, each when it is complete."""
    write_csv(folder / "results.csv", lines(plan, results.in_order(standing.matches)))
    if can_write_parquet():
        write_parquet(folder / "results.parquet", lines(plan, results.in_order(standing.matches)))
    write_atomically(folder / "summary.json", summary(plan, standing).encode())
    write_atomically(folder / "report.html", report(plan, standing).encode())


# What it says ----------------------------------------------------------------------------------


def show(console: Console, plan: Plan, standing: Standing) -> None:
    offer = offer_of(plan.game)
    options = ", ".join(
        f"{name}={str(offer.options[name].name_of(value)).lower()}"
        for name, value in plan.options.items()
    )
    console.print(printable(title(plan, standing)))
    console.print(f"options: {options or 'none'}")
    if standing.finding is not None:
        show_finding(console, plan, standing.finding)
    show_bots(console, standing)
    show_versus(console, plan, standing)
    show_seats(console, plan, standing)
    show_times(console, standing)
    turns = standing.turns
    middle = f"{turns.mean:.1f} on average, median {turns.median:g}"
    console.print(f"decisions a match: {middle}, from {turns.least} to {turns.most}")
    if standing.draws is not None:
        console.print(f"draws: {percent(standing.draws)}")
    console.print(f"fair share of wins: {100 * standing.fair:.1f} % a chair")
    if standing.bots[0].rating is None:
        console.print("No ratings, which need openskill: pip install 'zashiki[lab]'")


def show_finding(console: Console, plan: Plan, finding: Finding) -> None:
    console.print()
    console.print(printable(sentence(plan, finding)), style="title")


def show_bots(console: Console, standing: Standing) -> None:
    alone = any(entry.alone for entry in standing.bots)
    columns = ["bot", "chairs", "wins %", "95 %"]
    columns += ["alone %", "95 %"] if alone else []
    columns += ["score", "95 %", "rank", "rating", "95 %"]
    rows = []
    for entry in sorted(standing.bots, key=lambda entry: -entry.share.mean):
        row = [printable(entry.name), str(entry.chairs), *shown(entry.share)]
        row += shown(entry.alone) if alone else []
        row += [f"{entry.score.mean:.2f}", between(entry.score, "{:.2f}"), f"{entry.rank:.2f}"]
        rating = entry.rating
        row += [f"{rating.strength:.1f}" if rating else "unknown"]
        row += [f"{rating.low:.1f}–{rating.high:.1f}" if rating else "unknown"]
        rows.append(row)
    console.print()
    show_table(console, table(columns, rows, numbers=len(columns) - 1))


def shown(share: Interval | None) -> list[str]:
    """A share and its interval, in percent."""
    if share is None:
        return ["–", "–"]
    return [f"{100 * share.mean:.1f}", between(share, "{:.1f}", 100)]


def show_versus(console: Console, plan: Plan, standing: Standing) -> None:
    """Who ended before whom."""
    columns = ["ended before, %", *map(printable, plan.names)]
    rows = [
        [printable(entry.name), *("–" if share is None else percent(share) for share in shares)]
        for entry in standing.bots
        for shares in [entry.versus]
    ]
    console.print()
    show_table(console, table(columns, rows, numbers=len(columns) - 1))


def show_seats(console: Console, plan: Plan, standing: Standing) -> None:
    """Who wins how often from which seat."""
    offer = offer_of(plan.game)
    words = offer.texts("en", options=plan.options)
    sides = [f" {words.word(side)}" for side in offer.sides] or [""] * plan.seats
    columns = ["wins by seat, %", *(f"{seat}{sides[seat]}" for seat in range(plan.seats))]
    rows = [["all", *(percent(share) for share in standing.seats)]]
    rows += [
        [printable(entry.name), *("–" if share is None else percent(share) for share in shares)]
        for entry in standing.bots
        for shares in [entry.seats]
    ]
    console.print()
    show_table(console, table(columns, rows, numbers=len(columns) - 1))


def show_times(console: Console, standing: Standing) -> None:
    columns = ["time a decision", "decisions", "mean", "median", "95 % within", "longest"]
    rows = []
    for entry in standing.bots:
        spent = entry.thinking
        times = spent.mean, spent.median, spent.nearly_all, spent.longest
        rows.append([printable(entry.name), str(spent.decisions), *map(took, times)])
    console.print()
    show_table(console, table(columns, rows, numbers=len(columns) - 1))
    console.print()


def show_files(console: Console, folder: Path) -> None:
    names = [name for name in FILES if can_write_parquet() or name != "results.parquet"]
    console.print()
    console.print(f"Written to {printable(str(folder))}: {', '.join(names)}")
    if len(names) < len(FILES):
        console.print("No results.parquet, which needs pyarrow: pip install 'zashiki[parquet]'")
