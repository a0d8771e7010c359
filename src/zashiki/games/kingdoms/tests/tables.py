"""Short ways to set up a table for tests: areas, hands, piles and the seat to act.

Cards are separated by spaces: `"knight priest"`. A card on an area is a side and a card:
`{"border": "red archer"}`. Cards not named anywhere are in the piles, sorted.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import zashiki
from zashiki import Match

GAME = "kingdoms"
AREAS = ("red-capital", "red-city", "border", "blue-city", "blue-capital")
NORMAL = {
    "soldier": 6,
    "lancer": 5,
    "shieldman": 5,
    "liaison": 3,
    "rearguard": 3,
    "capital-guard": 2,
    "city-guard": 2,
    "archer": 2,
    "priest": 2,
}
ACES = {
    "knight": 5,
    "cavalry": 4,
    "heavy-guard": 3,
    "capital-guardian": 2,
    "city-guardian": 2,
    "bird-soldier": 2,
    "bishop": 2,
}
CLASSES = {"normal": NORMAL, "ace": ACES}
MONARCHS = ("prince", "princess")
SIDES = ("red", "blue")

Hands = Sequence[str]
Areas = Mapping[str, str | None]


def cards(text: str) -> list[str]:
    """Read cards separated by spaces, and sort them by name."""
    return sorted(text.split())


def class_of(card: str) -> str:
    """Return the class that the back of a card shows (RB 1.3). A monarch's is normal."""
    return "ace" if card in ACES else "normal"


def held(text: str | None) -> dict[str, Any] | None:
    """Return `"red archer"` in the form of a full state."""
    if text is None:
        return None
    side, card = text.split()
    return {"seat": SIDES.index(side), "card": card}


def in_play(truth: Mapping[str, Any]) -> Counter[str]:
    """Return the cards in hands, on areas and in a battle, each of them once."""
    found = Counter(card for hand in truth["hands"] for card in hand)
    found.update(area["card"] for area in truth["areas"].values() if area is not None)
    if truth["battle"] is not None:
        found.update(truth["battle"]["attackers"])
        if truth["battle"]["added"] is not None:
            found[truth["battle"]["added"]] += 1
    return found


def all_cards(truth: Mapping[str, Any]) -> Counter[str]:
    """Return every card of a full state; in a match always `EVERY_CARD`."""
    found = in_play(truth)
    for places in (truth["piles"], truth["discards"]):
        for pile in places.values():
            found.update(pile)
    return found


EVERY_CARD = Counter({**NORMAL, **ACES, "prince": 1, "princess": 1})
"""30 normal cards, 20 aces and two monarchs (RB 1.3)."""


def standing(
    *,
    hands: Hands = ("", ""),
    areas: Areas | None = None,
    top: str = "",
    piles: Mapping[str, str] | None = None,
    discards: str = "",
    **changes: Any,
) -> dict[str, Any]:
    """Return a full state in which Red is to draft, with changes.

    The card set is `reconstructed`, whose values these tests count with: it never changes, while
    the default set may be balanced again. Tests of the rulebook pass the default (`card_set=…`).

    A monarch that is not named is in its capital. `top` is on top of the piles, the first card
    uppermost. A pile named in `piles`, as in `{"normal": "soldier"}`, has these cards and no
    others: what is left of its class is at the bottom of its discards.
    """
    truth: dict[str, Any] = {
        "card_set": "reconstructed",
        "phase": "draft",
        "turn": 0,
        "number": None,
        "still": 0,
        "placed": False,
        "areas": {name: held((areas or {}).get(name)) for name in AREAS},
        "hands": [cards(hand) for hand in hands],
        "piles": {},
        "discards": {},
        "battle": None,
    }
    truth |= changes
    if truth["number"] is None:
        truth["number"] = 7 if mover(truth) == 0 else 8
    for seat, monarch in enumerate(MONARCHS):
        if monarch not in in_play(truth):
            home = AREAS[-seat]
            assert truth["areas"][home] is None, f"where is the {monarch}?"
            truth["areas"][home] = {"seat": seat, "card": monarch}
    for name, copies in CLASSES.items():
        upper = [card for card in top.split() if card in copies]
        thrown = [card for card in discards.split() if card in copies]
        pile = (piles or {}).get(name)
        lower = [] if pile is None else pile.split()
        left = Counter(copies)
        placed = in_play(truth) + Counter(upper) + Counter(thrown) + Counter(lower)
        left.subtract({card: count for card, count in placed.items() if card in copies})
        assert min(left.values()) >= 0, f"too many of {[c for c, n in left.items() if n < 0]}"
        rest = sorted(left.elements())
        truth["piles"][name] = upper + (rest if pile is None else lower)
        truth["discards"][name] = thrown if pile is None else rest + thrown
    assert all_cards(truth) == EVERY_CARD
    return truth


def mover(truth: Mapping[str, Any]) -> int:
    """Return the seat whose turn it is."""
    if truth["phase"] == "defend":
        return 1 - int(truth["turn"])
    if truth["phase"] == "leave":
        holder = truth["areas"][truth["battle"]["area"]]
        return 1 - int(holder["seat"])
    return int(truth["turn"] or 0)


def stand(truth: Mapping[str, Any], seed: int = 1) -> Match:
    """Return a match in that position."""
    return zashiki.scenario(GAME, truth, seed=seed)


def draft(
    hands: Hands = ("", ""), areas: Areas | None = None, turn: int = 0, **changes: Any
) -> Match:
    """Return a match in which a seat is to draft."""
    return stand(standing(hands=hands, areas=areas, turn=turn, **changes))


def deploy(
    hands: Hands = ("", ""), areas: Areas | None = None, turn: int = 0, **changes: Any
) -> Match:
    """Return a match in which a seat is to deploy and has not placed a card in this turn."""
    return stand(standing(hands=hands, areas=areas, turn=turn, phase="deploy", **changes))


def attacked(
    area: str,
    attackers: str,
    holder: str,
    hands: Hands = ("", ""),
    areas: Areas | None = None,
    **changes: Any,
) -> dict[str, Any]:
    """Return a full state in which the holder of the area (`"blue soldier"`) is to defend it."""
    seat, card = SIDES.index(holder.split(maxsplit=1)[0]), holder.split()[1]
    lies = {
        "area": area,
        "attackers": cards(attackers),
        "defender": card,
        "added": None,
        "winner": None,
    }
    held_areas = {**(areas or {}), area: holder}
    fixed: dict[str, Any] = {"phase": "defend", "turn": seat, "placed": True, "battle": lies}
    return standing(hands=hands, areas=held_areas, **{**fixed, **changes})


def battle(
    area: str,
    attackers: str,
    holder: str,
    hands: Hands = ("", ""),
    areas: Areas | None = None,
    **changes: Any,
) -> Match:
    """Return `attacked` as a match: the defender is to act."""
    return stand(attacked(area, attackers, holder, hands, areas, **changes))


def fought(
    area: str,
    attackers: str,
    holder: str,
    added: str | None = None,
    hands: Hands = ("", ""),
    areas: Areas | None = None,
    **changes: Any,
) -> Match:
    """Return that match after the defender has added this card (not one of `hands`), or none."""
    seat = SIDES.index(holder.split(maxsplit=1)[0])
    both = list(hands)
    if added is not None:
        both[seat] += f" {added}"
    match = battle(area, attackers, holder, both, areas, **changes)
    match.play(seat, f"defend:{added or 'none'}")
    return match


def plays(match: Match, *actions: str) -> Match:
    """Play each action with the one seat that is to act."""
    for action in actions:
        (seat,) = match.to_act
        match.play(seat, action)
    return match


def look(match: Match) -> Any:
    """Return the full state as `Any`."""
    return match.truth()


def hand(match: Match, seat: int) -> list[str]:
    """Return the cards in a hand."""
    return list(look(match)["hands"][seat])


def on(match: Match, area: str) -> str | None:
    """Return the side and the card on an area: `"red archer"`; None if it is empty."""
    lies = look(match)["areas"][area]
    return None if lies is None else f"{SIDES[lies['seat']]} {lies['card']}"


def told(match: Match, name: str, reader: str | int = "everything") -> list[dict[str, Any]]:
    """Return the arguments of the facts of this name."""
    return [dict(fact.arguments) for fact in match.facts(reader) if fact.name == name]


def refusal(match: Match, seat: int, action: str) -> str:
    """Return the id of the rule against an action; "" if it is legal."""
    why = match.why_not(seat, action)
    return "" if why is None else str(why.ruling)


def explained(match: Match, seat: int, action: str) -> str:
    """Return the whole explanation, in English."""
    why = match.why_not(seat, action)
    assert why is not None
    return match.spec.texts("en").refusal(why)


def totals(match: Match) -> tuple[int, int]:
    """Return the totals of attack and defence of the last battle."""
    last = told(match, "totalled")[-1]
    return last["attack"], last["defence"]


def thrown(match: Match, kind: str = "normal") -> list[str]:
    """Return the discards of a class, the oldest first."""
    return list(look(match)["discards"][kind])


def asked(match: Match) -> tuple[str, int | None]:
    """Return the phase, and the seat that owes the decision."""
    truth = look(match)
    return truth["phase"], truth["turn"]
