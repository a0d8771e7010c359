"""What only KAMIZA can state of itself, for the laws."""

from collections.abc import Mapping
from typing import Any

from zashiki.games.kamiza.play import Kamiza

PRIOR = "even"
"""Every face-down card is, for the others, evenly one of those its owner has not spent."""


def conserved(truth: Mapping[str, Any]) -> list[list[str]]:
    """Each seat's four cards: in its hand, on the table, or spent."""
    return [
        sorted(
            truth["hands"][seat]
            + truth["spent"][seat]
            + [lay["card"] for lay in truth["placed"] if lay["seat"] == seat]
        )
        for seat in range(truth["seats"])
    ]


def openings(game: Kamiza) -> list[list[dict[str, object]]]:
    """The last round, two cards in every hand: from here all histories can be followed."""
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
