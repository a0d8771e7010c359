"""The report of a measurement: a self-contained HTML page, Markdown, and a CSV table of cards."""

import csv
from html import escape
from importlib.resources import files
from io import StringIO

from zashiki.games import game_spec
from zashiki.lab.arena.drawing import Mark, histogram, share_axis, whiskers
from zashiki.lab.arena.report import figure, section, table_of
from zashiki.lab.arena.words import percent, took
from zashiki.lab.balance.measuring import Plan
from zashiki.lab.balance.verdict import WORTH_PLAYING, Balance
from zashiki.lab.simulate import CardEntry

CARD_COLUMNS = (
    "card",
    "drafted",
    "played",
    "kept",
    "share_played",
    "users",
    "win_rate",
    "low",
    "high",
)
DIGITS = 4


def heading(plan: Plan) -> str:
    return f"{game_spec(plan.game).title}: the card set {plan.card_set['name']}"


def how(plan: Plan, balance: Balance) -> str:
    return (
        f"{balance.matches:,} matches of {plan.bot} against itself, seed {plan.seed}, "
        f"{balance.decisions:.0f} decisions a match, {took(balance.seconds)} a decision "
        f"(the longest {took(balance.longest)})"
    )


def figures(balance: Balance) -> list[tuple[str, str]]:
    """The main figures, each with its name."""
    low, middle, high = balance.turns
    decisive = balance.red_of_decisive
    return [
        ("Red wins, of all matches", f"{percent(balance.red)} %"),
        ("Red wins, of decisive matches", f"{percent(decisive)} %" if decisive else "none"),
        ("Blue wins, of all matches", f"{percent(balance.blue)} %"),
        ("draws", f"{percent(balance.draws)} %"),
        ("turns", f"median {middle:g}, half of them from {low:g} to {high:g}"),
    ]


def card_cells(card: CardEntry) -> list[str]:
    share = f"{100 * card.played / card.drafted:.0f}" if card.drafted else "–"
    wins = f"{percent(card.win_rate)}" if card.win_rate else "–"
    counts = (card.drafted, card.played, card.kept)
    return [*(f"{count:.2f}" for count in counts), share, f"{card.users:,}", wins]


CARDS_SAY = (
    "Copies a match, of both sides together: come to a hand, played from it (one that came back "
    "and is played again counts again), kept to the end. Share: played of those that came. Users: "
    "how often a side played the card; wins: how often these won."
)
HEAD = ["card", "came", "played", "kept", "share %", "users", "wins %"]


def report_markdown(plan: Plan, balance: Balance) -> str:
    """Write all tables as Markdown."""
    lines = [
        f"# {heading(plan)}",
        "",
        f"{how(plan, balance)}.",
        "",
        "| RB 6.4 | | |",
        "|---|---|---|",
    ]
    lines += [
        f"| {one.asked} | {one.found} | {'yes' if one.is_met else '**no**'} |"
        for one in balance.conditions
    ]
    lines += ["", WORTH_PLAYING, "", "| | 95 % intervals |", "|---|---|"]
    lines += [f"| {name} | {value} |" for name, value in figures(balance)]
    lines += ["", CARDS_SAY, "", f"| {' | '.join(HEAD)} |", "|---|" + "---:|" * (len(HEAD) - 1)]
    lines += [f"| {card.name} | {' | '.join(card_cells(card))} |" for card in balance.cards]
    return "\n".join(lines) + "\n"


def report_html(plan: Plan, balance: Balance) -> str:
    """Write tables and plots as an HTML page."""
    style = files("zashiki.lab.arena").joinpath("report.css").read_text("utf-8")
    title = f"{heading(plan)}: RB 6.4 is {'met' if balance.is_met else 'not met'}"
    asked = [
        [escape(one.asked), escape(one.found), "yes" if one.is_met else "<b>no</b>"]
        for one in balance.conditions
    ]
    found = [[escape(name), escape(value)] for name, value in figures(balance)]
    sides = [
        Mark(name, share.mean, share.low, share.high, f"{percent(share)} %")
        for name, share in (("Red", balance.red), ("Blue", balance.blue), ("draws", balance.draws))
    ]
    plot = whiskers("Wins of all matches, %", sides, share_axis(sides, 0.5), 0.5)
    played = [
        Mark(card.name, rate.mean, rate.low, rate.high, f"{percent(rate)} %")
        for card in balance.cards
        if (rate := card.win_rate)
    ]
    users = whiskers("Wins of those who played it, %", played, share_axis(played, 0.5), 0.5)
    rows = [[escape(card.name), *map(escape, card_cells(card))] for card in balance.cards]
    parts = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="pale">{escape(how(plan, balance))}</p>',
        section("RB 6.4", table_of(WORTH_PLAYING, ["asked", "found", "met"], asked)),
        section("Sides", figure("", "of all matches, %", plot) + table_of("", ["", ""], found)),
        section("Turns", figure("", "turns a match", histogram("Turns a match", balance.lengths))),
        section(
            "Cards",
            figure("", "wins of those who played it, %", users) + table_of(CARDS_SAY, HEAD, rows),
        ),
    ]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(parts)
        + "\n</main>\n</body>\n</html>\n"
    )


def card_table(balance: Balance) -> str:
    """Write the figures of all cards as CSV; rates are parts of 1."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CARD_COLUMNS)
    for card in balance.cards:
        rate = card.win_rate
        numbers = [card.drafted, card.played, card.kept]
        numbers.append(card.played / card.drafted if card.drafted else 0.0)
        rates = (rate.mean, rate.low, rate.high) if rate else ()
        writer.writerow(
            [card.name, *(round(number, DIGITS) for number in numbers), card.users]
            + [round(number, DIGITS) for number in rates]
        )
    return text.getvalue()
