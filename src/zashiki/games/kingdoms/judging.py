# mypyc: compile
"""Refuse an attempt by the first rule that it breaks, with the numbers of the refusal."""

from mypy_extensions import i64

from zashiki.core.parts import Seat
from zashiki.core.rulings import Z_3, Refusal
from zashiki.games.kingdoms.actions import (
    TO_DEFEND,
    TO_DRAFT,
    TO_END,
    TO_LEAVE,
    TO_OCCUPY,
    TO_SWAP,
    Meaning,
)
from zashiki.games.kingdoms.cards import (
    CARD,
    NO_CARD,
    NO_CARDS,
    Hand,
    Kind,
    holds,
    minus,
    plus,
)
from zashiki.games.kingdoms.forces import ACE, AREAS, CLASSES, NORMAL, Forces
from zashiki.games.kingdoms.rulings import (
    RB_2_1,
    RB_2_2,
    RB_2_3,
    RB_2_4,
    RB_2_5,
    RB_3_1,
    RB_3_4,
    RB_5_1,
    RB_2_4a,
    RB_2_4b,
)
from zashiki.games.kingdoms.state import DEFEND, DEPLOY, DRAFT, LEAVE, KingdomsOwn, KingdomsPublic


def objection(public: KingdomsPublic, own: KingdomsOwn, meaning: Meaning) -> Refusal | None:
    """Return the refusal by the first rule that an attempt breaks: Z 3 comes before all others."""
    if meaning.move == TO_LEAVE:
        return against_leaving(public, meaning.kinds[0])
    missing = not_in_hand(public.forces, own.hand, meaning.kinds)
    if missing is not None:
        return missing
    if meaning.move == TO_DEFEND:
        is_asked = public.phase == DEFEND and len(meaning.kinds) <= 1
        return None if is_asked else Refusal(RB_3_1)
    if public.phase != (DRAFT if meaning.move == TO_DRAFT else DEPLOY):
        return Refusal(RB_2_4)
    if meaning.move == TO_DRAFT:
        return against_draft(public, own.seat, meaning.normal, meaning.ace)
    return None if meaning.move == TO_END else against_placing(public, own.seat, meaning)


def not_in_hand(forces: Forces, hand: Hand, kinds: list[int]) -> Refusal | None:
    for kind in kinds:
        if not holds(hand, Kind(kind)):
            name = forces.names[kind - 1]
            return Refusal(Z_3, (name,), {"card": name})
        hand = minus(hand, Kind(kind))
    return None


def against_draft(public: KingdomsPublic, seat: Seat, normal: int, ace: int) -> Refusal | None:
    funds, cost = public.funds_of(seat), normal + 2 * ace
    if cost > funds:
        return Refusal(RB_2_1, details={"funds": int(funds), "cost": cost})
    room = public.room_of(seat)
    if normal + ace > room:
        return Refusal(RB_2_2, details={"room": int(room), "wanted": normal + ace})
    for rank, wanted in ((NORMAL, normal), (ACE, ace)):
        left = int(public.left_of(rank)) + len(public.discards[rank])
        if wanted > left:
            details = {"left": left, "wanted": wanted, "class": CLASSES[rank]}
            return Refusal(RB_2_3, details=details)
    return None


def against_placing(public: KingdomsPublic, seat: Seat, meaning: Meaning) -> Refusal | None:
    """Return the refusal of placing cards on an area, or None."""
    area: i64 = meaning.area
    name = AREAS[meaning.area]
    is_own, is_empty = public.areas_of(seat) >> area & 1, public.card_in(area) == NO_CARD
    if meaning.move == TO_SWAP:
        if is_own and may_swap(public, Kind(meaning.kinds[0]), area):
            return None
        return Refusal(RB_5_1, (name,), {"area": name})
    if is_own:
        return Refusal(RB_2_5, (name,), {"area": name})
    if meaning.move == TO_OCCUPY:
        return None if is_empty else Refusal(RB_2_4a, (name,), {"area": name})
    if is_empty or len(meaning.kinds) > 2:
        return Refusal(RB_2_4b, (name,), {"area": name})
    return None


def may_swap(public: KingdomsPublic, kind: Kind, area: i64) -> bool:
    """Return whether this card can be swapped in: a Liaison, but not for another (RB 5.1)."""
    takes_place = public.forces.takes_place
    return bool(takes_place[kind] and not takes_place[public.card_in(area)])


def against_leaving(public: KingdomsPublic, kind: int) -> Refusal | None:
    name = public.forces.names[kind - 1]
    if public.phase == LEAVE and holds(may_be_left(public), Kind(kind)):
        return None
    return Refusal(RB_3_4, (name,), {"card": name})


def may_be_left(public: KingdomsPublic) -> Hand:
    """Return the cards that the winner may leave: the monarch if there is one (RB 3.4)."""
    cards = side_of(public, Seat(public.winner))
    left: int = cards
    while left:
        if public.forces.is_monarch(left & 63):
            return Hand(left & 63)
        left >>= CARD
    return cards


def side_of(public: KingdomsPublic, seat: Seat) -> Hand:
    """Return the cards of a seat in a revealed battle."""
    if seat == public.owner:
        return public.attackers
    holder = plus(NO_CARDS, public.card_in(public.area))
    return plus(holder, public.added) if public.added else holder
