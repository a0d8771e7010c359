"""A table in a few words, for tests: who holds which area, who has which cards, whose turn it is.

Cards are named with spaces between: `"knight priest"`. A card on an area is a side and a card:
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
    """Cards named with spaces between, in alphabetical order."""
    return sorted(text.split())


def class_of(card: str) -> str:
    """What the back of a card shows (RB 1.3): a monarch looks like a normal card."""
    return "ace" if card in ACES else "normal"


def held(text: str | None) -> dict[str, Any] | None:
    """`"red archer"` as a truth says it."""
    if text is None:
        return None
    side, card = text.split()
    return {"seat": SIDES.index(side), "card": card}


def in_play(truth: Mapping[str, Any]) -> Counter[str]:
    """The cards in hands, on areas and in a battle, each of them once."""
    found = Counter(card for hand in truth["hands"] for card in hand)
    found.update(area["card"] for area in truth["areas"].values() if area is not None)
    if truth["battle"] is not None:
        found.update(truth["battle"]["attackers"])
        if truth["battle"]["added"] is not None:
            found[truth["battle"]["added"]] += 1
    return found


def all_cards(truth: Mapping[str, Any]) -> Counter[str]:
    """Every card of a truth; `EVERY_CARD` in each truth of a match."""
    found = in_play(truth)
    for places in (truth["piles"], truth["discards"]):
        for pile in places.values():
            found.update(pile)
    return found


EVERY_CARD = Counter({**NORMAL, **ACES, "prince": 1, "princess": 1})
"""RB 1.3: 30 normal cards, 20 aces and two monarchs."""


def standing(
    *,
    hands: Hands = ("", ""),
    areas: Areas | None = None,
    top: str = "",
    piles: Mapping[str, str] | None = None,
    discards: str = "",
    **changes: Any,
) -> dict[str, Any]:
    """A truth in which Red is to draft, with changes.

    A monarch that is named nowhere is in its capital. `top` lies on the piles, the first card
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
    """Whose turn it is."""
    if truth["phase"] == "defend":
        return 1 - int(truth["turn"])
    if truth["phase"] == "leave":
        holder = truth["areas"][truth["battle"]["area"]]
        return 1 - int(holder["seat"])
    return int(truth["turn"] or 0)


def stand(truth: Mapping[str, Any], seed: int = 1) -> Match:
    """A match standing there."""
    return zashiki.scenario(GAME, truth, seed=seed)


def draft(
    hands: Hands = ("", ""), areas: Areas | None = None, turn: int = 0, **changes: Any
) -> Match:
    """A seat is to draft."""
    return stand(standing(hands=hands, areas=areas, turn=turn, **changes))


def deploy(
    hands: Hands = ("", ""), areas: Areas | None = None, turn: int = 0, **changes: Any
) -> Match:
    """A seat is to deploy, and has placed nothing yet in this turn."""
    return stand(standing(hands=hands, areas=areas, turn=turn, phase="deploy", **changes))


def attacked(
    area: str,
    attackers: str,
    holder: str,
    hands: Hands = ("", ""),
    areas: Areas | None = None,
    **changes: Any,
) -> dict[str, Any]:
    """A truth in which the one who holds the area, as in `"blue soldier"`, is to defend it."""
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
    """`attacked`, as a match: the defender is asked."""
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
    """The same, after the defender has added this card, beside those in `hands`, or none."""
    seat = SIDES.index(holder.split(maxsplit=1)[0])
    both = list(hands)
    if added is not None:
        both[seat] += f" {added}"
    match = battle(area, attackers, holder, both, areas, **changes)
    match.play(seat, f"defend:{added or 'none'}")
    return match


def plays(match: Match, *actions: str) -> Match:
    """Each action by the one seat that is to act."""
    for action in actions:
        (seat,) = match.to_act
        match.play(seat, action)
    return match


def look(match: Match) -> Any:
    """The truth, to look into."""
    return match.truth()


def hand(match: Match, seat: int) -> list[str]:
    """The cards in a hand."""
    return list(look(match)["hands"][seat])


def on(match: Match, area: str) -> str | None:
    """The side and the card on an area: `"red archer"`; None where it is empty."""
    lies = look(match)["areas"][area]
    return None if lies is None else f"{SIDES[lies['seat']]} {lies['card']}"


def told(match: Match, name: str, reader: str | int = "everything") -> list[dict[str, Any]]:
    """What the facts of this name said."""
    return [dict(fact.arguments) for fact in match.facts(reader) if fact.name == name]


def refusal(match: Match, seat: int, action: str) -> str:
    """The id of the rule against an action; "" where it is legal."""
    why = match.why_not(seat, action)
    return "" if why is None else str(why.ruling)


def explained(match: Match, seat: int, action: str) -> str:
    """The whole explanation, in English."""
    why = match.why_not(seat, action)
    assert why is not None
    return match.spec.texts("en").refusal(why)


def totals(match: Match) -> tuple[int, int]:
    """Attack and defence of the last battle."""
    last = told(match, "totalled")[-1]
    return last["attack"], last["defence"]


def thrown(match: Match, kind: str = "normal") -> list[str]:
    """The discards of a class, the oldest first."""
    return list(look(match)["discards"][kind])


def asked(match: Match) -> tuple[str, int | None]:
    """The phase, and the seat that owes the decision."""
    truth = look(match)
    return truth["phase"], truth["turn"]
