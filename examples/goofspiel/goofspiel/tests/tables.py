"""Short ways to set up positions for the tests."""

from collections.abc import Mapping, Sequence
from typing import Any

from goofspiel.options import GOOFSPIEL, make
from goofspiel.play import Goofspiel
from zashiki.core import match as matches
from zashiki.core.match import Match


def rules(seats: int = 2, **options: object) -> Goofspiel:
    return make(seats, GOOFSPIEL.check_options(options, seats))


def started(seats: int = 2, seed: int = 7, **options: object) -> Match:
    return matches.start(GOOFSPIEL, seats, options, seed)


def position(
    hands: Sequence[Sequence[int]],
    prize: int | None,
    to_come: Sequence[int] = (),
    cards: int = 5,
    **others: object,
) -> dict[str, Any]:
    """Return a full state. A card in no hand is spent, unless it is in `bids`."""
    seats = len(hands)
    bids = others.pop("bids", [None] * seats)
    assert isinstance(bids, list)
    held = [{*hand, bid} for hand, bid in zip(hands, bids, strict=True)]
    return {
        "seats": seats,
        "round": cards - len(to_come),
        "prize": prize,
        "to_come": list(to_come),
        "scores": [0] * seats,
        "hands": [list(hand) for hand in hands],
        "bids": bids,
        "spent": [[card for card in range(1, cards + 1) if card not in kept] for kept in held],
        **others,
    }


def standing(truth: Mapping[str, object], cards: int = 5, order: str = "descending") -> Match:
    return matches.scenario(GOOFSPIEL, truth, {"cards": cards, "order": order}, seed=7)


def bid(match: Match, *cards: int) -> list[str]:
    """Let every seat bid, seat 0 first. Return the names of the facts of the last bid."""
    told = [match.play(seat, f"bid:{card}") for seat, card in enumerate(cards)]
    return [fact.name for fact in told[-1]]
