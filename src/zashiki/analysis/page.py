"""A review as a self-contained HTML page: no script, and nothing from another host."""

from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from zashiki.analysis.result import Account, Decision, Review, SeatReview
from zashiki.bots import kind_name
from zashiki.core.match import MAX_ACTION_LENGTH
from zashiki.core.rulings import Malformed
from zashiki.core.text import Texts, load
from zashiki.games import game_spec

WIDTH, HEIGHT, MARGIN = 720, 220, 30
SIGNS = {"blunder": "??", "mistake": "?", "inaccuracy": "?!", "found": "!"}
"""The sign of a mark on the curve, so that colour is never its only carrier."""


def page(review: Review, language: str = "en") -> str:
    """Return a whole page."""
    said = Words(review, language)
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(said.title)}</title>\n</head>\n<body>\n"
        f"{body(review, language)}\n</body>\n</html>\n"
    )


def body(review: Review, language: str = "en") -> str:
    """Return the review as a part of a page, with its own style."""
    said = Words(review, language)
    style = files("zashiki.analysis").joinpath("page.css").read_text("utf-8")
    how = said.page("how", playouts=f"{review.playouts:,}", seed=review.seed)
    parts = [
        f'<div class="zashiki-review" lang="{language}">\n<style>\n{style}</style>',
        f"<h1>{escape(said.title)}</h1>",
        f'<p class="pale">{escape(how)}</p>',
        *(section(said, one) for one in review.seats),
        "</div>",
    ]
    return "\n".join(parts)


class Words:
    """The texts of a review: those of its game, and its own."""

    def __init__(self, review: Review, language: str = "en") -> None:
        spec = game_spec(review.game)
        self.own: Mapping[str, Any] = load(files("zashiki.analysis"), language)
        self.game = spec.rules(len(review.names), review.options).game
        names = [kind_name(name, language) for name in review.names]
        self.texts: Texts = spec.texts(language, names, review.options)
        self.title = self.page("title", game=self.texts.get("titles", spec.id))

    def page(self, key: str, **details: object) -> str:
        return str(self.own["page"][key]).format(**details)

    def mark(self, decision: Decision) -> str:
        return str(self.own["marks"][decision.mark])

    def column(self, key: str) -> str:
        return str(self.own["columns"][key])

    def action(self, notation: str) -> str:
        """Return an action in words; its notation if the game does not know it."""
        try:
            return self.texts.action(self.game.read(notation[:MAX_ACTION_LENGTH]))
        except Malformed:
            return notation

    def moment(self, decision: Decision) -> str:
        """Return a decision that cost something, as a sentence."""
        return self.page(
            "moment",
            act=decision.act,
            played=self.action(decision.played),
            rival=self.action(decision.rival),
            loss=points(decision.loss),
            error=points(decision.error),
        )


def points(value: float, sign: bool = False) -> str:
    """Write a share as points with one digit."""
    rounded = round(100 * value, 1) + 0.0  # never -0.0
    return f"{rounded:+.1f}" if sign else f"{rounded:.1f}"


# Sections --------------------------------------------------------------------------------------


def section(said: Words, review: SeatReview) -> str:
    moments = [f"<li>{escape(said.moment(one))}</li>" for one in review.worst]
    account = "" if review.account is None else account_table(said, review.account)
    parts = [
        f"<section>\n<h2>{escape(said.texts.seat(review.seat))}</h2>",
        heading(said.page("worst")),
        f"<ol>{''.join(moments)}</ol>" if moments else f"<p>{escape(said.page('none'))}</p>",
        heading(said.page("curve")),
        drawn_curve(said, review),
        heading(said.page("account")),
        account or f"<p>{escape(said.page('unfinished'))}</p>",
        heading(said.page("decisions")),
        decision_table(said, review.decisions),
        "</section>",
    ]
    return "\n".join(parts)


def heading(text: str) -> str:
    return f"<h3>{escape(text)}</h3>"


def account_rows(said: Words, account: Account) -> list[tuple[str, str, str]]:
    """Return the lines of an account: name, value and standard error."""
    names = said.own["account"]
    return [
        (names["start"], points(account.start), points(account.start_error)),
        (names["losses"], points(-account.losses, True), points(account.losses_error)),
        (names["cards"], points(account.cards, True), points(account.cards_error)),
        (names["others"], points(account.others, True), points(account.others_error)),
        (names["unseen"], points(account.unseen, True), points(account.unseen_error)),
        (names["remainder"], points(account.remainder, True), ""),
        (names["result"], points(account.result), ""),
        (names["adjusted"], points(account.adjusted), points(account.cards_error)),
    ]


def account_table(said: Words, account: Account) -> str:
    rows = [
        [escape(name), number(value), number(f"± {error}" if error else "")]
        for name, value, error in account_rows(said, account)
    ]
    return table([], rows)


def decision_table(said: Words, decisions: Sequence[Decision]) -> str:
    if not decisions:
        return f"<p>{escape(said.page('no_decisions'))}</p>"
    keys = ("act", "mark", "played", "rival", "loss", "error", "open", "worlds")
    rows = [
        [
            number(str(one.act)),
            f'<span class="{one.mark}">{escape(said.mark(one))}</span>',
            named(said, one.played) + all_actions(said, one),
            named(said, one.rival),
            number(points(max(0.0, one.loss))),
            number(points(one.error)),
            number(f"{points(one.open_gain, True)} ± {points(one.open_error)}"),
            number(f"{one.worlds:,}"),
        ]
        for one in decisions
    ]
    return table([said.column(key) for key in keys], rows)


def all_actions(said: Words, decision: Decision) -> str:
    """Return the values of all actions, folded up."""
    keys = ["played", "value", "error", "worlds"]
    is_solved = any(one.frequency is not None for one in decision.actions)
    rows = []
    for one in decision.actions:
        row = [named(said, one.action), number(points(one.value)), number(points(one.error))]
        row.append(number(f"{one.worlds:,}"))
        if is_solved:
            row.append(number("" if one.frequency is None else f"{100 * one.frequency:.0f} %"))
        rows.append(row)
    columns = [said.column(key) for key in (*keys, *["frequency"] * is_solved)]
    summary = escape(said.page("actions"))
    return f"<details><summary>{summary}</summary>{table(columns, rows)}</details>"


def named(said: Words, notation: str) -> str:
    return f"{escape(said.action(notation))} <code>{escape(notation)}</code>"


def number(text: str) -> str:
    return f'<span class="number">{escape(text)}</span>'


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of columns (texts) and rows (HTML)."""
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    top = f"<thead><tr>{head}</tr></thead>" if columns else ""
    return f'<div class="scroll"><table>{top}<tbody>{body}</tbody></table></div>'


def drawn_curve(said: Words, review: SeatReview) -> str:
    """Return the curve with a sign at each marked decision."""
    curve = review.curve
    places = [
        (
            MARGIN + (WIDTH - 2 * MARGIN) * place / max(1, len(curve) - 1),
            MARGIN + (HEIGHT - 2 * MARGIN) * (1 - value),
        )
        for place, value in enumerate(curve)
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    grid = "".join(
        f'<line class="grid" x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{y:g}" y2="{y:g}"/>'
        f'<text x="2" y="{y + 4:g}">{label}</text>'
        for label, y in ((100, MARGIN), (50, HEIGHT / 2), (0, HEIGHT - MARGIN))
    )
    signs = "".join(
        f'<text class="{one.mark}" x="{places[one.act][0]:.1f}" y="{places[one.act][1] - 8:.1f}" '
        f'text-anchor="middle">{SIGNS[one.mark]}<title>{escape(tooltip(said, one))}</title></text>'
        for one in review.decisions
        if one.mark in SIGNS and one.act < len(places)
    )
    label = escape(said.page("curve"), quote=True)
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">{grid}'
        f'<polyline class="curve" points="{line}"/>{signs}</svg>'
    )


def tooltip(said: Words, decision: Decision) -> str:
    return f"{said.mark(decision)}: {said.action(decision.played)}"
