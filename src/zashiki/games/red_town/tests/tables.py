"""Short ways to set up a table for tests: hands, phases and the board."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from zashiki import Match
from zashiki.core.text import LANGUAGES

GAME = "red-town"
BLACK = {3: 2, 4: 2, 5: 3, 6: 3, 7: 4, 8: 4, 9: 5, 10: 5, 11: 6}
RED = {3: 1, 4: 2, 5: 2, 6: 3, 7: 3, 8: 4, 9: 4, 10: 5, 11: 5}
FULL = {"standard": "RRBB", "short": "RB", "two": "RB"}


def deck(seats: int) -> list[str]:
    """Return the playing cards in use (RT 1.2), in notation order."""
    highest = 11 if seats == 5 else 10
    return [
        f"{letter}{number}"
        for letter, copies in (("R", RED), ("B", BLACK))
        for number in range(3, highest + 1)
        for _ in range(copies[number])
    ]


def in_order(cards: Sequence[str]) -> list[str]:
    """Sort cards in notation order: red before black, numbers ascending, then Hitmen."""
    order = [f"{letter}{n}" for letter in "RB" for n in (*range(3, 12), "H")]
    return sorted(cards, key=order.index)


def cards(text: str) -> list[str]:
    """Read cards separated by spaces, and sort them in notation order."""
    return in_order(text.split())


def rest_of_deck(seats: int, *used: Sequence[str]) -> list[str]:
    """Return the playing cards that are in none of these places."""
    left = Counter(deck(seats))
    left.subtract(card for place in used for card in place if card not in ("RH", "BH"))
    assert min(left.values()) >= 0, f"too many of {[c for c, n in left.items() if n < 0]}"
    return in_order(list(left.elements()))


def standing(hands: Sequence[str], form: str | None = None, **changes: Any) -> dict[str, Any]:
    """Return a full state in which seat 0 begins a turf war; cards not named are discarded."""
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
    """Return a match in that position, by default at the beginning of a turf war of seat 0."""
    from zashiki.core.match import scenario
    from zashiki.games import game_spec

    return scenario(game_spec(GAME), standing(hands, form, **changes), options, seed)


def plays(match: Match, *actions: str) -> Match:
    """Play each action with the one seat that is to act."""
    for action in actions:
        (seat,) = match.to_act
        match.play(seat, action)
    return match


def told(match: Match, name: str) -> list[dict[str, Any]]:
    """Return the arguments of the facts of this name."""
    return [dict(fact.arguments) for fact in match.facts() if fact.name == name]


def refusal(match: Match, seat: int, action: str) -> str:
    """Return the id of the rule against an action; "" if it is legal."""
    why = match.why_not(seat, action)
    return "" if why is None else str(why.ruling)


def in_words(card: str) -> str:
    """Return a card as an English sentence names it."""
    from zashiki.games import game_spec

    return game_spec(GAME).texts("en").word(card)


def explained(match: Match, seat: int, action: str) -> str:
    """Return the whole explanation, in English."""
    why = match.why_not(seat, action)
    assert why is not None
    for language in LANGUAGES:
        said = match.spec.texts(language).refusal(why)
        assert not re.search(r"(?<![A-Za-z])[RB](\d|H)", said), f"notation in a sentence: {said}"
    return match.spec.texts("en").refusal(why)
