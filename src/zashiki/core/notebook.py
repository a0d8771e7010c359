"""A position drawn as an HTML table, for notebooks."""

import json
from collections.abc import Mapping, Sequence
from html import escape


def drawn(caption: str, truth: Mapping[str, object], names: Sequence[str], seats: int) -> str:
    """Return a table of a full state: values per seat first, then what the seats share."""
    by_seat = {
        key: value
        for key, value in truth.items()
        if isinstance(value, list) and len(value) == seats
    }
    shared = {key: value for key, value in truth.items() if key not in by_seat}
    players = [*names, *(f"Seat {seat + 1}" for seat in range(len(names), seats))]
    rows = [row("th", "", players)]
    rows += [row("td", key, values) for key, values in by_seat.items()]
    rows += [row("td", key, [value], span=seats) for key, value in shared.items()]
    return f"<table><caption>{escape(caption)}</caption>{''.join(rows)}</table>"


def row(cell: str, key: str, values: Sequence[object], span: int = 1) -> str:
    wide = f' colspan="{span}"' if span > 1 else ""
    cells = "".join(f"<{cell}{wide}>{escape(said(value))}</{cell}>" for value in values)
    return f'<tr><th scope="row">{escape(key)}</th>{cells}</tr>'


def said(value: object) -> str:
    """Return a value of a position as short text."""
    if isinstance(value, list):
        return " ".join(said(item) for item in value) or "–"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {said(item)}" for key, item in value.items()) or "–"
    return value if isinstance(value, str) else json.dumps(value)
