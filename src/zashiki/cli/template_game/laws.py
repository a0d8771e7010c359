"""Statements that only Template Game can make of itself, for `python -m zashiki.laws`."""

from collections.abc import Mapping
from itertools import permutations
from typing import Any

from .game import CARDS, HAND, TemplateGame

PRIOR = "even"
"""For a seat, all deals of the cards that it has not seen are equally likely."""


def conserved(truth: Mapping[str, Any]) -> list[int]:
    """Return how many cards each seat was dealt: the same at every step and in every world."""
    places = zip(truth["hands"], truth["played"], strict=True)
    return [len(hand) + len(played) for hand, played in places]


def openings(game: TemplateGame) -> list[list[dict[str, object]]]:
    """Return all deals of the last round: from here the laws follow every history."""
    seats = range(game.seats)
    played = [[1 + seat * (HAND - 1) + place for place in range(HAND - 1)] for seat in seats]
    left = [card for card in range(1, CARDS + 1) if not any(card in cards for cards in played)]
    return [
        [
            {
                "seats": game.seats,
                "round": HAND,
                "starter": 0,
                "points": [HAND - 1] + [0] * (game.seats - 1),
                "played": played,
                "hands": [[card] for card in cards],
            }
            for cards in permutations(left, game.seats)
        ]
    ]
