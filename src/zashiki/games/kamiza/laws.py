"""KAMIZA's own statements for the laws."""

from collections.abc import Mapping
from typing import Any

from zashiki.games.kamiza.play import Kamiza

PRIOR = "even"
"""For other seats, a face-down card is any unspent card of its owner, all equally likely."""


def conserved(truth: Mapping[str, Any]) -> list[list[str]]:
    """Return each seat's four cards: in its hand, on the table, or spent."""
    return [
        sorted(
            truth["hands"][seat]
            + truth["spent"][seat]
            + [lay["card"] for lay in truth["placed"] if lay["seat"] == seat]
        )
        for seat in range(truth["seats"])
    ]


def openings(game: Kamiza) -> list[list[dict[str, object]]]:
    """Return the last round with two cards per hand, small enough to follow all histories."""
    seats = range(game.seats)
    truth: dict[str, object] = {
        "seats": game.seats,
        "game": 3,
        "round": 3,
        "starter": 1,
        "turn": 1,
        "scores": [7 + seat for seat in seats],
    }
    if game.judging.second:
        truth |= {"wanted": [2 if seat == 0 else 0 for seat in seats], "dropped": []}
    spent = [sorted({seat % 4, (seat + 1 + seat // 2) % 4}) for seat in seats]
    truth["hands"] = [[c for n, c in enumerate(game.cards) if n not in spent[s]] for s in seats]
    truth["placed"] = []
    truth["spent"] = [[game.cards[n] for n in spent[seat]] for seat in seats]
    return [[truth]]
