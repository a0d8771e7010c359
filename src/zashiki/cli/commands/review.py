"""`zashiki review`: the value of every decision of a record."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from rich.text import Text

from zashiki.analysis.page import Words, account_rows, page, points
from zashiki.analysis.result import Review, SeatReview
from zashiki.analysis.reviewing import SECONDS, review_match
from zashiki.cli.arguments import add_language, add_record, add_seed
from zashiki.cli.files import check_new, read_text, write_text
from zashiki.cli.terminal.console import make_console
from zashiki.cli.terminal.progress import step_bar
from zashiki.cli.terminal.stdio import printable
from zashiki.cli.terminal.tables import make_table, print_table
from zashiki.core import record as records
from zashiki.core.match import Match, replayed
from zashiki.core.rulings import Malformed
from zashiki.games import game_spec

DESCRIPTION = """\
Evaluate every decision of a record by what its seat knew, and break the result down into own
decisions, cards, and the choices of others. A figure is a share of the win in points; 100 is a
certain win.
"""
EPILOG = """\
Passes with more and more playouts are made, as long as the next one should end in time. The output
names the playouts of the last pass. The same playouts and seed give the same review everywhere.

examples:
  zashiki review evening.jsonl
  zashiki review evening.jsonl --seat 2 --seconds 20
  zashiki review evening.jsonl --playouts 4096 --out evening.html
  zashiki review evening.jsonl --out evening.json
"""
STYLES = {
    "blunder": "bold shu",
    "mistake": "shu",
    "inaccuracy": "kin",
    "found": "matsu",
    "as-good": "",
    "too-close": "usuzumi",
}
SUFFIXES = (".html", ".json")


def add_arguments(parser: ArgumentParser) -> None:
    add_record(parser)
    parser.add_argument(
        "--seat", type=int, metavar="S", help="number of a seat, from 0 (default: all seats)"
    )
    parser.add_argument(
        "--seconds", type=float, metavar="N",
        help=f"time limit of the whole review in seconds (default: {SECONDS:g})",
    )  # fmt: skip
    parser.add_argument(
        "--playouts", type=int, metavar="N",
        help="maximum playouts per decision, instead of a time limit (default: by --seconds)",
    )  # fmt: skip
    parser.add_argument(
        "--out", type=Path, metavar="FILE",
        help="file for the review, .html or .json (default: a table in the terminal only)",
    )  # fmt: skip
    add_seed(parser)
    add_language(parser)


def run(arguments: Namespace) -> int:
    out: Path | None = arguments.out
    if out is not None:
        if out.suffix not in SUFFIXES:
            raise Malformed(f"--out {out}: expected a name that ends in {' or '.join(SUFFIXES)}")
        check_new(out)
    match = read_match(arguments.file)
    seat: int | None = arguments.seat
    if seat is not None and not 0 <= seat < match.seats:
        raise Malformed(f"--seat {seat}: expected a number from 0 to {match.seats - 1}")
    with step_bar("steps") as report:
        found = review_match(
            match,
            seat,
            seconds=arguments.seconds,
            playouts=arguments.playouts,
            seed=arguments.seed,
            progress=report,
        )
    print_review(found, arguments.lang)
    if out is not None:
        write_text(out, page(found, arguments.lang) if out.suffix == ".html" else found.to_json())
    return 0


def read_match(path: str) -> Match:
    text = read_text(path)
    try:
        record = records.read(text)
    except Malformed as fault:
        raise Malformed(f"{path}: {fault}") from None
    return replayed(game_spec(record.header.game), record)


def print_review(review: Review, language: str) -> None:
    said = Words(review, language)
    console = make_console()
    console.print(Text(printable(said.title), style="title"))
    how = said.page("how", playouts=f"{review.playouts:,}", seed=review.seed)
    console.print(Text(printable(how), style="usuzumi"))
    for one in review.seats:
        console.print()
        console.print(Text(printable(said.texts.seat(one.seat)), style="title"))
        print_seat(said, one)


def print_seat(said: Words, review: SeatReview) -> None:
    console = make_console()
    for moment in review.worst:
        console.print(printable(said.moment(moment)))
    if not review.worst:
        console.print(said.page("none"))
    keys = ("mark", "played", "rival", "act", "loss", "error")
    rows: list[list[str | Text]] = [
        [
            Text(said.mark(one), style=STYLES[one.mark]),
            printable(said.action(one.played)),
            printable(said.action(one.rival)),
            str(one.act),
            points(max(0.0, one.loss)),
            points(one.error),
        ]
        for one in review.decisions
    ]
    print_table(console, make_table([said.column(key) for key in keys], rows, numbers=3))
    if review.account is None:
        console.print(said.page("unfinished"))
        return
    lines = account_rows(said, review.account)
    print_table(console, make_table([said.page("account"), "", "±"], lines, numbers=2))
