"""The report of an arena: one self-contained HTML page, and all figures as JSON."""

import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from enum import Enum
from html import escape
from importlib.resources import files
from typing import Any

from zashiki.games import game_spec
from zashiki.lab.arena.drawing import (
    Mark,
    histogram,
    linear_axis,
    share_axis,
    spans,
    stacked,
    time_axis,
    whiskers,
)
from zashiki.lab.arena.plan import Plan
from zashiki.lab.arena.standing import Entry, Standing
from zashiki.lab.arena.words import percent, sentence, took
from zashiki.lab.simulate import Interval

FORMAT = 1
PLACES = ("first", "second", "third", "fourth", "fifth")


def report(plan: Plan, standing: Standing) -> str:
    """Write the report as an HTML page."""
    best = sorted(standing.bots, key=lambda entry: -entry.share.mean)
    style = files("zashiki.lab.arena").joinpath("report.css").read_text("utf-8")
    name = game_spec(plan.game).title
    bots = ", ".join(entry.name for entry in best)
    counts = f"{standing.matches:,} matches of {standing.deals:,} deals, {plan.seats} seats"
    parts = [
        f"<h1>{escape(name)}: {escape(bots)}</h1>",
        f'<p class="pale">{counts}</p>',
        verdict(plan, standing),
        strength(standing, best),
        head_to_head(plan, standing),
        by_seat(plan, standing, best),
        lengths(standing),
        thinking(best),
        how(plan, standing),
    ]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Arena: {escape(name)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(part for part in parts if part)
        + "\n</main>\n</body>\n</html>\n"
    )


# Sections --------------------------------------------------------------------------------------


def verdict(plan: Plan, standing: Standing) -> str:
    if standing.finding is None:
        return ""
    return f'<p class="verdict">{escape(sentence(plan, standing.finding))}</p>'


def strength(standing: Standing, best: Sequence[Entry]) -> str:
    plots = [share_plot("Wins", "of first places, % per seat", standing, best, lambda e: e.share)]
    if any(entry.alone for entry in best):
        alone = share_plot(
            "Alone", "wins alone in a field of the other, %", standing, best, lambda e: e.alone
        )
        plots.append(alone)
    if all(entry.rating for entry in best):
        plots.append(rating_plot(best))
    rows = [(entry.name, [share.mean for share in entry.ranks]) for entry in best]
    places = stacked("Places", rows)
    plots.append(figure("Places", "how often first (darkest), second …, %", places))
    note = (
        f"The dashed line is a fair share, {100 * standing.fair:.1f} %. Lines are 95 % intervals."
    )
    return section(
        "Strength",
        f'<p class="pale">{note}</p><div class="plots">{"".join(plots)}</div>'
        + strength_table(best)
        + places_table(best),
    )


def share_plot(
    title: str,
    what: str,
    standing: Standing,
    best: Sequence[Entry],
    of: Callable[[Entry], Interval | None],
) -> str:
    pairs = [(entry.name, of(entry)) for entry in best]
    marks = [share_mark(name, share) for name, share in pairs if share is not None]
    axis = share_axis(marks, standing.fair)
    return figure(title, what, whiskers(f"{title}: {what}", marks, axis, standing.fair))


def share_mark(name: str, share: Interval) -> Mark:
    return Mark(name, share.mean, share.low, share.high, f"{percent(share)} %")


def rating_plot(best: Sequence[Entry]) -> str:
    rated = [(entry.name, entry.rating) for entry in best if entry.rating]
    marks = [
        Mark(name, one.strength, one.low, one.high,
             f"{one.strength:.1f} ({one.low:.1f}–{one.high:.1f})")
        for name, one in sorted(rated, key=lambda pair: -pair[1].strength)
    ]  # fmt: skip
    low, high = min(mark.low for mark in marks), max(mark.high for mark in marks)
    axis = linear_axis(low, high, lambda value: f"{value:g}")
    what = "openskill, Plackett–Luce"
    return figure("Rating", what, whiskers(f"Rating: {what}", marks, axis))


def strength_table(best: Sequence[Entry]) -> str:
    alone = any(entry.alone for entry in best)
    head = ["bot", "seats", "deals", "wins %", *["alone %"] * alone, "score", "rank", "rating"]
    rows = []
    for entry in best:
        rating = entry.rating
        rated = Interval(rating.strength, rating.low, rating.high) if rating else None
        row = [escape(entry.name), f"{entry.chairs:,}", f"{entry.deals:,}"]
        row += [cell(share, 100) for share in (entry.share, *[entry.alone] * alone)]
        row += [cell(entry.score, digits=2), f"{entry.rank:.2f}", cell(rated)]
        rows.append(row)
    return table_of("All figures are per seat that the bot took.", head, rows)


def places_table(best: Sequence[Entry]) -> str:
    count = len(best[0].ranks)
    head = [
        "places, %",
        *(PLACES[place] if place < 5 else f"{place + 1}th" for place in range(count)),
    ]
    rows = [[escape(entry.name), *(cell(share, 100) for share in entry.ranks)] for entry in best]
    return table_of("", head, rows)


def head_to_head(plan: Plan, standing: Standing) -> str:
    rows = [
        [escape(entry.name), *(heat(share, 0.5) for share in entry.versus)]
        for entry in standing.bots
    ]
    note = "How often the bot of a row ended before that of a column at one table, %; ties half."
    head = ["", *map(escape, plan.names)]
    return section("Head to head", table_of(note, head, rows, "heat"))


def by_seat(plan: Plan, standing: Standing, best: Sequence[Entry]) -> str:
    spec = game_spec(plan.game)
    words = spec.texts("en", options=plan.options)
    sides = [f" {words.word(side)}" for side in spec.sides] or [""] * plan.seats
    names = [f"seat {seat}{side}" for seat, side in enumerate(sides)]
    marks = [share_mark(*pair) for pair in zip(names, standing.seats, strict=True)]
    what = "of first places by whoever sat there, %"
    axis = share_axis(marks, standing.fair)
    plot = figure("By seat", what, whiskers(f"By seat: {what}", marks, axis, standing.fair))
    rows = [
        [escape(entry.name), *(heat(share, standing.fair) for share in entry.seats)]
        for entry in best
    ]
    draws = "" if standing.draws is None else f"<p>Draws: {percent(standing.draws)} %.</p>"
    note = "Wins of each bot from each seat, %."
    table = table_of(note, ["", *map(escape, names)], rows, "heat")
    return section("Seats", beside(plot, table) + draws)


def lengths(standing: Standing) -> str:
    turns = standing.turns
    note = (
        f"{turns.mean:.1f} decisions on average, median {turns.median:g}, "
        f"from {turns.least} to {turns.most}."
    )
    plot = histogram("Decisions a match", dict(standing.lengths))
    return section("Length of a match", f"<p>{note}</p>" + figure("", "decisions a match", plot))


def thinking(best: Sequence[Entry]) -> str:
    marks, rows = [], []
    for entry in best:
        spent = entry.thinking
        text = f"median {took(spent.median)}, 95 % within {took(spent.nearly_all)}"
        marks.append(Mark(entry.name, spent.median, spent.nearly_all, spent.longest, text))
        times = spent.mean, spent.median, spent.nearly_all, spent.longest
        rows.append([escape(entry.name), f"{spent.decisions:,}", *map(took, times)])
    axis = time_axis(min(mark.value for mark in marks), max(mark.high for mark in marks), took)
    what = "median (dot), 95 % (bar) and longest, by powers of ten"
    head = ["", "decisions", "mean", "median", "95 % within", "longest"]
    plot = figure("", what, spans("Time a decision", marks, axis))
    return section("Time a decision", beside(plot, table_of("", head, rows)))


def how(plan: Plan, standing: Standing) -> str:
    known = game_spec(plan.game).options
    options = ", ".join(
        f"{name}={str(known[name].name_of(value)).lower()}" for name, value in plan.options.items()
    )
    own = [f"{one.name} (sha256 {one.digest[:12]})" for one in plan.entrants if one.digest]
    facts = {
        "game": f"{plan.game}, rules version {game_spec(plan.game).rules_version}",
        "options": options or "none",
        "seats": str(plan.seats),
        "seed": str(plan.seed),
        "own bots": ", ".join(own) or "none",
        "deals": f"{standing.deals:,}, each played {plan.schedule.matches_a_deal} times",
    }
    listed = "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(fact)}</dd>" for name, fact in facts.items()
    )
    note = (
        "Every deal is played in all its lineups, so that what one bot was dealt the others are "
        "dealt as well. The matches of a deal hang together: intervals are over deals. A first "
        "place shared by k seats counts 1/k for each."
    )
    return section("How it was played", f"<p>{note}</p><dl>{listed}</dl>")


# Pieces ----------------------------------------------------------------------------------------


def section(title: str, content: str) -> str:
    return f"<section>\n<h2>{escape(title)}</h2>\n{content}\n</section>"


def beside(plot: str, table: str) -> str:
    """Put a plot and a table side by side if there is room."""
    return f'<div class="plots">{plot}<div>{table}</div></div>'


def figure(title: str, what: str, plot: str) -> str:
    named = f"<b>{escape(title)}</b> " if title else ""
    return f"<figure><figcaption>{named}{escape(what)}</figcaption>{plot}</figure>"


def table_of(
    caption: str, head: Sequence[str], rows: Iterable[Sequence[str]], kind: str = ""
) -> str:
    """Write a table whose cells are HTML; a cell with a colour is a whole `<td>`."""
    columns = "".join(f'<th scope="col">{name}</th>' for name in head)
    body = "".join(
        f'<tr><th scope="row">{name}</th>'
        + "".join(text if text.startswith("<td") else f"<td>{text}</td>" for text in cells)
        + "</tr>\n"
        for name, *cells in rows
    )
    said = f'<p class="pale">{caption}</p>' if caption else ""
    label = f' aria-label="{escape(caption)}"' if caption else ""
    return (
        f'{said}<div class="wide" tabindex="0"><table class="{kind}"{label}>'
        f"<thead><tr>{columns}</tr></thead>\n<tbody>\n{body}</tbody></table></div>"
    )


def cell(interval: Interval | None, times: int = 1, digits: int = 1) -> str:
    if interval is None:
        return "–"
    if math.isnan(interval.low):
        return f"{times * interval.mean:.{digits}f}"
    low, high = (f"{times * bound:.{digits}f}" for bound in (interval.low, interval.high))
    return f"{times * interval.mean:.{digits}f} <small>{low}–{high}</small>"


def heat(share: Interval | None, fair: float) -> str:
    """A cell coloured by its distance from fair; pale if its interval contains fair."""
    if share is None:
        return '<td aria-label="none">–</td>'
    far = abs(share.mean - fair) / (1 - fair if share.mean > fair else fair)
    strong = round(12 + 48 * far) if not share.low <= fair <= share.high else 0
    side = "above" if share.mean > fair else "below"
    return f'<td class="{side}" style="--heat:{strong}%">{cell(share, 100)}</td>'


# The same as figures ---------------------------------------------------------------------------


def summary(plan: Plan, standing: Standing) -> str:
    """Write plan and standing as JSON; shares are parts of 1, times are in seconds."""
    known = {"format": FORMAT, "plan": plan.described(), "standing": asdict(standing)}
    return json.dumps(plain(known), indent=2, ensure_ascii=False) + "\n"


def plain(value: Any) -> Any:
    """Convert a value to what JSON can hold; NaN becomes null."""
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, float) and math.isnan(value):
        return None
    return value
