"""Short ways to set up a table, let seats place cards, and read the results."""

from typing import Any

import zashiki
from zashiki import Match

SECOND = "kamiza-second"
FIRST = "kamiza-2014"
CARDS = {
    SECOND: ["boss", "underboss", "hitman", "police"],
    FIRST: ["boss", "underboss", "hitman", "raid"],
}


def standing(edition: str, seats: int = 4, **changes: object) -> dict[str, Any]:
    """Return the full state at the beginning of a match, with changes."""
    truth: dict[str, Any] = {
        "seats": seats,
        "game": 1,
        "round": 1,
        "starter": 0,
        "turn": 0,
        "scores": [0] * seats,
        "hands": [list(CARDS[edition]) for _ in range(seats)],
        "placed": [],
        "spent": [[] for _ in range(seats)],
    }
    if edition == SECOND:
        truth |= {"wanted": [0] * seats, "dropped": []}
    return truth | changes


def stand(
    edition: str, seats: int = 4, options: dict[str, Any] | None = None, **changes: Any
) -> Match:
    """Return a match in that position. Cards in `spent` are taken from the hands."""
    truth = standing(edition, seats, **changes)
    if "hands" not in changes:
        spent = truth["spent"]
        truth["hands"] = [
            [card for card in CARDS[edition] if card not in spent[seat]] for seat in range(seats)
        ]
    return zashiki.scenario(edition, truth, options)


def lay(match: Match, *actions: str) -> Match:
    """Let each seat place, clockwise from the starter. The first action is seat 0's."""
    for _ in range(len(actions)):
        (seat,) = match.to_act
        match.play(seat, actions[seat])
    return match


def judged(edition: str, *actions: str, **options: Any) -> list[int]:
    """Return the points of a first round. The first action is seat 0's."""
    match = lay(stand(edition, len(actions), options or None), *actions)
    points: Any = match.truth()["scores"]
    return list(points)


def told(match: Match, name: str) -> list[dict[str, Any]]:
    """Return the arguments of the facts of this name."""
    return [dict(fact.arguments) for fact in match.facts() if fact.name == name]
