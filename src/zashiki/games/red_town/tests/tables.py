"""A table in a few words, for tests: who holds what, and where the match stands."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from zashiki import Match

GAME = "red-town"
BLACK = {3: 2, 4: 2, 5: 3, 6: 3, 7: 4, 8: 4, 9: 5, 10: 5, 11: 6}
RED = {3: 1, 4: 2, 5: 2, 6: 3, 7: 3, 8: 4, 9: 4, 10: 5, 11: 5}
FULL = {"standard": "RRBB", "short": "RB", "two": "RB"}


def deck(seats: int) -> list[str]:
    """The playing cards in use (RT 1.2), in notation order."""
    highest = 11 if seats == 5 else 10
    return [
        f"{letter}{number}"
        for letter, copies in (("R", RED), ("B", BLACK))
        for number in range(3, highest + 1)
        for _ in range(copies[number])
    ]


def in_order(cards: Sequence[str]) -> list[str]:
    """Cards in notation order: red before black, numbers rising, then Hitmen."""
    order = [f"{letter}{n}" for letter in "RB" for n in (*range(3, 12), "H")]
    return sorted(cards, key=order.index)


def cards(text: str) -> list[str]:
    """Cards named with spaces between, in notation order."""
    return in_order(text.split())


def rest_of_deck(seats: int, *used: Sequence[str]) -> list[str]:
    """The playing cards that are in none of these places."""
    left = Counter(deck(seats))
    left.subtract(card for place in used for card in place if card not in ("RH", "BH"))
    assert min(left.values()) >= 0, f"too many of {[c for c, n in left.items() if n < 0]}"
    return in_order(list(left.elements()))


def standing(hands: Sequence[str], form: str | None = None, **changes: Any) -> dict[str, Any]:
    """A truth in which seat 0 begins a turf war, with changes; cards not named are discarded."""
    seats = len(hands)
    form = form or ("two" if seats == 2 else "standard")
    truth: dict[str, Any] = {
        "form": form,
        "seats": seats,
        "round": 1,
        "phase": "turn",
        "bosses": None if form == "short" else [2] * seats,
        "supply": [FULL[form][1:] if form == "short" else ""] * seats,
        "confirmed": [],
        "chosen": {},
        "hands": [cards(hand) for hand in hands],
        "sets": None,
        "waiting": [[] for _ in hands] if form == "two" else None,
        "aside": [],
        "discard": [],
        "board": {},
        "declared": None,
        "last": None,
        "passed": [],
        "turn": 0,
        "out": [],
    }
    truth |= changes
    if "discard" not in changes:
        sets = [each for pair in truth["sets"] or [] for each in pair[:2]]
        waiting = truth["waiting"] or []
        places = [*truth["hands"], *sets, *waiting, truth["aside"], *truth["board"].values()]
        truth["discard"] = rest_of_deck(seats, *places)
    return truth


def war(
    hands: Sequence[str],
    form: str | None = None,
    options: dict[str, Any] | None = None,
    seed: int = 1,
    **changes: Any,
) -> Match:
    """A match standing there, by default at the beginning of a turf war of seat 0."""
    from zashiki.core.match import scenario
    from zashiki.games import game_spec

    return scenario(game_spec(GAME), standing(hands, form, **changes), options, seed)


def plays(match: Match, *actions: str) -> Match:
    """Each action by the one seat that is to act."""
    for action in actions:
        (seat,) = match.to_act
        match.play(seat, action)
    return match


def told(match: Match, name: str) -> list[dict[str, Any]]:
    """What the facts of this name said."""
    return [dict(fact.arguments) for fact in match.facts() if fact.name == name]


def refusal(match: Match, seat: int, action: str) -> str:
    """The id of the rule against an action; "" where it is legal."""
    why = match.why_not(seat, action)
    return "" if why is None else str(why.ruling)


def explained(match: Match, seat: int, action: str) -> str:
    """The whole explanation, in English."""
    why = match.why_not(seat, action)
    assert why is not None
    return match.spec.texts("en").refusal(why)
