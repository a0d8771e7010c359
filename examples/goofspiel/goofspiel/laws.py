"""Goofspiel's own statements for the laws."""

from collections.abc import Mapping
from typing import Any

from goofspiel.play import Goofspiel

PRIOR = "even"
"""For other seats, a bid face down is any unspent card of its owner, all equally likely."""


def conserved(truth: Mapping[str, Any]) -> list[list[int]]:
    """Return each seat's cards: in its hand, chosen, or spent."""
    places = zip(truth["hands"], truth["bids"], truth["spent"], strict=True)
    return [sorted(hand + spent + ([bid] if bid else [])) for hand, bid, spent in places]


def openings(game: Goofspiel) -> list[list[dict[str, object]]]:
    """Return positions with two cards per hand, small enough to follow all histories."""
    cards = range(1, game.cards + 1)
    seats = range(game.seats)
    hands = [sorted({1 + seat % game.cards, 1 + (seat + 1) % game.cards}) for seat in seats]
    position: dict[str, object] = {
        "seats": game.seats,
        "round": game.cards - 1,
        "prize": 2,
        "to_come": [1],
        "scores": [3 * seat for seat in seats],
        "hands": hands,
        "bids": [None for _ in seats],
        "spent": [[card for card in cards if card not in hand] for hand in hands],
    }
    return [[position]]
