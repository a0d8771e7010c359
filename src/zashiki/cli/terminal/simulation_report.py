"""The summary of a simulation as tables on the console."""

from collections.abc import Sequence

from rich.console import Console

from zashiki.cli.terminal.stdio import printable
from zashiki.cli.terminal.tables import interval_text, make_table, percent_cells, print_table
from zashiki.cli.terminal.wording import spell_options
from zashiki.games import game_spec
from zashiki.lab.simulate import CardEntry, Entry, Plan, Summary


def print_summary(console: Console, plan: Plan, summary: Summary) -> None:
    """Print the results by bot, by seat and, if the game has statistics of cards, by card."""
    spec = game_spec(plan.game)
    seed = printable(str(plan.seed))
    console.print(f"{plan.game}, {plan.seats} seats, {plan.matches} matches, seed {seed}")
    console.print(f"options: {spell_options(spec, plan.options) or 'none'}")
    print_entries(console, "bot", summary.bots)
    words = spec.texts("en", options=plan.options)
    print_entries(console, "seat", summary.seats, [words.word(side) for side in spec.sides])
    console.print(f"fair share of wins: {100 * summary.fair_share:.1f} % per seat")
    if summary.draws is not None:
        share, interval = percent_cells(summary.draws.rate)
        console.print(f"draws: {summary.draws.count}, {share} % ({interval})")
    if summary.turns is not None:
        turns = summary.turns
        middle = f"{turns.mean:.1f} on average, median {turns.median:g}"
        console.print(f"turns: {middle}, from {turns.least} to {turns.most}")
    if summary.cards:
        print_cards(console, summary.cards)


def print_entries(
    console: Console, kind: str, entries: tuple[Entry, ...], sides: Sequence[str] = ()
) -> None:
    columns = [kind, "matches", "wins", "wins %", "95 %", "score", "95 %", "rank"]
    rows = [
        [
            f"{entry.name} {sides[place]}" if sides else entry_name(entry),
            str(entry.matches),
            f"{entry.wins:.1f}",
            *percent_cells(entry.win_rate),
            f"{entry.score.mean:.2f}",
            interval_text(entry.score, "{:.2f}"),
            f"{entry.rank:.2f}",
        ]
        for place, entry in enumerate(entries)
    ]
    console.print()
    print_table(console, make_table(columns, rows, numbers=len(columns) - 1))


def entry_name(entry: Entry) -> str:
    return entry.name if entry.chairs == 1 else f"{entry.name} ×{entry.chairs}"


def print_cards(console: Console, cards: tuple[CardEntry, ...]) -> None:
    columns = ["card", "drafted", "played", "kept", "users", "wins %", "95 %"]
    rows = [
        [
            printable(card.name),
            f"{card.drafted:.2f}",
            f"{card.played:.2f}",
            f"{card.kept:.2f}",
            str(card.users),
            *(percent_cells(card.win_rate) if card.win_rate else ["unknown", "unknown"]),
        ]
        for card in cards
    ]
    console.print()
    print_table(console, make_table(columns, rows, numbers=len(columns) - 1))
