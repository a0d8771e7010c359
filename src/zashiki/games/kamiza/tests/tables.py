"""A table in a few words, for tests: what each seat lays, and what comes of it."""

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
    """The truth at the beginning of a match, with changes."""
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
    """A match standing there. Cards named in `spent` leave the hands by themselves."""
    truth = standing(edition, seats, **changes)
    if "hands" not in changes:
        spent = truth["spent"]
        truth["hands"] = [
            [card for card in CARDS[edition] if card not in spent[seat]] for seat in range(seats)
        ]
    return zashiki.scenario(edition, truth, options)


def lay(match: Match, *actions: str) -> Match:
    """From the starter clockwise, each seat lays what is named, seat 0's first."""
    for _ in range(len(actions)):
        (seat,) = match.to_act
        match.play(seat, actions[seat])
    return match


def judged(edition: str, *actions: str, **options: Any) -> list[int]:
    """The points of a first round in which seat 0 lays the first of these, and so on."""
    match = lay(stand(edition, len(actions), options or None), *actions)
    points: Any = match.truth()["scores"]
    return list(points)


def told(match: Match, name: str) -> list[dict[str, Any]]:
    """What the facts of this name said."""
    return [dict(fact.arguments) for fact in match.facts() if fact.name == name]
