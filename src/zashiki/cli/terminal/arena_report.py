"""The standing of an arena as tables on the console."""

from collections.abc import Iterable

from rich.console import Console

from zashiki.cli.terminal.stdio import printable
from zashiki.cli.terminal.tables import interval_text, make_table, percent_cells, print_table
from zashiki.cli.terminal.wording import spell_options
from zashiki.games import game_spec
from zashiki.lab.arena import Plan, Standing
from zashiki.lab.arena.words import percent, sentence, title, took
from zashiki.lab.simulate import Interval


def print_standing(console: Console, plan: Plan, standing: Standing) -> None:
    """Print how strong the bots are, then the length of a match and the share of draws."""
    console.print(printable(title(plan, standing)))
    console.print(f"options: {spell_options(game_spec(plan.game), plan.options) or 'none'}")
    if standing.finding is not None:
        console.print()
        console.print(printable(sentence(plan, standing.finding)), style="title")
    print_bots(console, standing)
    print_versus(console, plan, standing)
    print_seats(console, plan, standing)
    print_times(console, standing)
    turns = standing.turns
    middle = f"{turns.mean:.1f} on average, median {turns.median:g}"
    console.print(f"decisions per match: {middle}, from {turns.least} to {turns.most}")
    if standing.draws is not None:
        console.print(f"draws: {percent(standing.draws)}")
    console.print(f"fair share of wins: {100 * standing.fair:.1f} % per seat")
    if standing.bots[0].rating is None:
        console.print("No ratings, which need openskill: pip install 'zashiki[lab]'")


def print_bots(console: Console, standing: Standing) -> None:
    """Print wins, score, rank and rating of each bot, the best first."""
    alone = any(entry.alone for entry in standing.bots)
    columns = ["bot", "seats", "wins %", "95 %"]
    columns += ["alone %", "95 %"] if alone else []
    columns += ["score", "95 %", "rank", "rating", "95 %"]
    rows = []
    for entry in sorted(standing.bots, key=lambda entry: -entry.share.mean):
        row = [printable(entry.name), str(entry.chairs), *percent_cells(entry.share)]
        row += percent_cells(entry.alone) if alone else []
        row += [f"{entry.score.mean:.2f}", interval_text(entry.score, "{:.2f}")]
        row += [f"{entry.rank:.2f}"]
        rating = entry.rating
        row += [f"{rating.strength:.1f}" if rating else "unknown"]
        row += [f"{rating.low:.1f}–{rating.high:.1f}" if rating else "unknown"]
        rows.append(row)
    print_numbers(console, columns, rows)


def print_versus(console: Console, plan: Plan, standing: Standing) -> None:
    """Print how often each bot ended before each other bot."""
    columns = ["ended before, %", *map(printable, plan.names)]
    rows = [[printable(entry.name), *shares(entry.versus)] for entry in standing.bots]
    print_numbers(console, columns, rows)


def print_seats(console: Console, plan: Plan, standing: Standing) -> None:
    """Print how often each bot wins from each seat."""
    spec = game_spec(plan.game)
    words = spec.texts("en", options=plan.options)
    sides = [f" {words.word(side)}" for side in spec.sides] or [""] * plan.seats
    columns = ["wins by seat, %", *(f"{seat}{sides[seat]}" for seat in range(plan.seats))]
    rows = [["all", *shares(standing.seats)]]
    rows += [[printable(entry.name), *shares(entry.seats)] for entry in standing.bots]
    print_numbers(console, columns, rows)


def print_times(console: Console, standing: Standing) -> None:
    """Print how long the bots think."""
    columns = ["time per decision", "decisions", "mean", "median", "95 % within", "longest"]
    rows = []
    for entry in standing.bots:
        spent = entry.thinking
        times = spent.mean, spent.median, spent.nearly_all, spent.longest
        rows.append([printable(entry.name), str(spent.decisions), *map(took, times)])
    print_numbers(console, columns, rows)
    console.print()


def shares(intervals: Iterable[Interval | None]) -> list[str]:
    """Write shares in percent with their intervals, as one cell each."""
    return ["–" if share is None else percent(share) for share in intervals]


def print_numbers(console: Console, columns: list[str], rows: list[list[str]]) -> None:
    """Print a table whose columns are numbers, all but the first."""
    console.print()
    print_table(console, make_table(columns, rows, numbers=len(columns) - 1))
