"""`zashiki simulate`: many matches between bots, with statistics of bots, seats and cards."""

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

from zashiki.cli.arguments import (
    add_game,
    add_matches,
    add_options,
    add_seed,
    add_workers,
    default_bot,
    read_names,
    read_options,
    read_seats,
    read_workers,
)
from zashiki.cli.files import check_writable
from zashiki.cli.result_files import WriteRows, row_writer, write_cards, write_summary
from zashiki.cli.terminal.console import make_console
from zashiki.cli.terminal.progress import Advance, progress_bar
from zashiki.cli.terminal.simulation_report import print_summary
from zashiki.cli.terminal.stdio import printable
from zashiki.core.rulings import Malformed
from zashiki.core.spec import GameSpec
from zashiki.games import game_spec
from zashiki.lab.simulate import Plan, Row, simulate, summarize

DESCRIPTION = """\
Play many matches between bots, without records, and print how often each bot wins.

The seating rotates: the bot at place e of --bots takes seat (e + match number) modulo seats, so
that no bot benefits from a better seat. Each match has its own seed, derived from --seed and its
number: the results do not depend on --workers.
"""
EPILOG = """\
A first place that k seats share counts 1/k for each. Win rates have 95 % Wilson intervals, mean
scores 95 % intervals. A bot on several seats (×3) has one row: its wins are those of all its
seats, its rates and means are per seat. Games for two can end in a draw; the share of draws has a
Wilson interval too.

Some games (kingdoms) also report the number of turns and the use of each card: the copies that
were drafted, played, and kept in a hand to the end, per match over all seats; users, the number of
times that a seat played the card at least once in a match; and how often these seats won.

files, which appear when they are complete:
  --out      one row per match and seat: match, seed, seat, bot, rank, score
  --summary  one row per measure: of (bot, seat or match), name, side, measure, value, low, high
  --cards    one row per card: card, drafted, played, kept, users, win_rate, low, high
Rates in files are fractions of 1; low and high are the ends of a 95 % interval.

examples:
  zashiki simulate kamiza-second --bots sensible,random,random,random --matches 2000
  zashiki simulate kamiza-second --seats 3 --bots random --options open_start=true
  zashiki simulate kamiza-second --bots greedy,random,random,random --out results.csv
  zashiki simulate kamiza-second --matches 100000 --workers 8 --out results.parquet
  zashiki simulate kingdoms --options card_set=mine.toml --summary sides.csv --cards cards.csv
"""
FILES = {"out": "Rows", "summary": "Summary", "cards": "Cards"}
"""The arguments that name a file, and the content of that file."""
FORMATS = (".csv", ".parquet")


def add_arguments(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "--seats", type=int, metavar="N",
        help="number of seats (default: the number of bots, or a full table)",
    )  # fmt: skip
    parser.add_argument(
        "--bots", metavar="A,B,…",
        help="one bot per seat, or one for all seats "
        "(default: sensible, or regular if the game has no sensible)",
    )  # fmt: skip
    add_matches(parser, 1000)
    add_options(parser)
    add_seed(parser)
    add_workers(parser)
    parser.add_argument(
        "--out", type=Path, metavar="FILE",
        help="file for one row per match and seat, .csv or .parquet (default: none)",
    )  # fmt: skip
    parser.add_argument(
        "--summary", type=Path, metavar="FILE",
        help="file for the measures of bots, seats and matches, .csv (default: none)",
    )  # fmt: skip
    parser.add_argument(
        "--cards", type=Path, metavar="FILE",
        help="file for the statistics of cards, .csv (default: none)",
    )  # fmt: skip


def run(arguments: Namespace) -> int:
    plan = read_plan(arguments)
    workers = read_workers(arguments.workers, plan.matches)
    check_files(arguments, game_spec(plan.game))
    console = make_console()
    before = time.monotonic()
    with (
        progress_bar(plan.matches) as advance,
        row_writer(arguments.out) as write_rows,
        closing(simulate(plan, workers)) as blocks,
    ):
        summary = summarize(written(blocks, write_rows, advance))
    if arguments.summary is not None:
        write_summary(arguments.summary, plan, summary)
    if arguments.cards is not None:
        write_cards(arguments.cards, summary)
    print_summary(console, plan, summary)
    if console.is_terminal:
        rate = plan.matches / (time.monotonic() - before)
        console.print(f"{rate:,.0f} matches per second, {workers} processes", style="usuzumi")
    for what, path in named_files(arguments).items():
        console.print(f"{FILES[what]} written to {printable(str(path))}")
    return 0


def read_plan(arguments: Namespace) -> Plan:
    spec = game_spec(arguments.game)
    bots = read_names(arguments.bots) if arguments.bots is not None else (default_bot(spec),)
    seats = read_seats(spec, arguments.seats, len(bots))
    options = read_options(spec, arguments.options, seats)
    return Plan.checked(spec.id, seats, bots, arguments.matches, arguments.seed, options)


def named_files(arguments: Namespace) -> dict[str, Path]:
    """Return the files that the command line names, by argument."""
    named = {what: getattr(arguments, what) for what in FILES}
    return {what: path for what, path in named.items() if path is not None}


def check_files(arguments: Namespace, spec: GameSpec) -> None:
    """Refuse a file that cannot be written, before the first match."""
    if arguments.cards is not None and spec.match_stats is None:
        raise Malformed(f"--cards: {spec.id} has no statistics of cards")
    seen: dict[Path, str] = {}
    for what, path in named_files(arguments).items():
        formats = FORMATS if what == "out" else FORMATS[:1]
        if path.suffix not in formats:
            expected = f"expected a name that ends in {' or '.join(formats)}"
            raise Malformed(f"--{what} {path}: {expected}")
        if path.suffix == ".parquet" and find_spec("pyarrow") is None:
            raise Malformed("--out: parquet needs pyarrow: pip install 'zashiki[parquet]'")
        check_writable(path)
        other = seen.setdefault(path.parent.resolve() / path.name, what)
        if other != what:
            raise Malformed(f"--{what} {path}: that is already the file of --{other}")


def written(
    blocks: Iterable[list[Row]], write_rows: WriteRows, advance: Advance
) -> Iterator[list[Row]]:
    """Write each block of rows and advance the progress bar, then pass the block on."""
    for rows in blocks:
        write_rows(rows)
        advance(len({row.match for row in rows}))
        yield rows
