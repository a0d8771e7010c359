# mypyc: compile
"""The readable forms of a match of Kingdoms: views and the full state."""

from mypy_extensions import i64

from zashiki.core.game import members
from zashiki.core.parts import Seat
from zashiki.games.kingdoms.battle import (
    Reckoning,
    amount_in,
    area_in,
    kind_in,
    seat_in,
    source_in,
)
from zashiki.games.kingdoms.cards import NO_CARDS, kinds_of
from zashiki.games.kingdoms.forces import ACE, AREAS, CLASSES, NORMAL, SIDES, SOURCES, Forces
from zashiki.games.kingdoms.state import (
    LEAVE,
    LETTER,
    NO_AREA,
    PHASES,
    KingdomsOwn,
    KingdomsPublic,
    KingdomsState,
    known_by,
)

SEATS = range(len(SIDES))


def named(forces: Forces, kinds: list[int]) -> list[str]:
    return [forces.names[kind - 1] for kind in kinds]


def name_of(forces: Forces, kind: i64) -> str | None:
    return forces.names[kind - 1] if kind else None


def standing(public: KingdomsPublic) -> dict[str, object]:
    """Return the progress of the match, which is the same in views and in the full state."""
    acting = members(public.acting)
    return {
        "card_set": public.forces.name,
        "phase": PHASES[public.phase],
        "turn": acting[0] if acting else None,
        "number": int(public.number),
        "still": int(public.still),
        "placed": public.placed,
        "areas": {name: area_shown(public, area) for area, name in enumerate(AREAS)},
    }


def area_shown(public: KingdomsPublic, area: int) -> dict[str, object] | None:
    for seat in SEATS:
        if public.areas_of(Seat(seat)) >> area & 1:
            return {"seat": seat, "card": name_of(public.forces, public.card_in(area))}
    return None


def discards(public: KingdomsPublic) -> dict[str, list[str]]:
    return {name: named(public.forces, public.discards[rank]) for rank, name in enumerate(CLASSES)}


def battle(public: KingdomsPublic, attackers: list[str]) -> dict[str, object] | None:
    """Return a battle that is not settled, with its attackers as they are known."""
    if public.area == NO_AREA:
        return None
    return {
        "area": AREAS[public.area],
        "attackers": attackers,
        "defender": name_of(public.forces, public.card_in(public.area)),
        "added": name_of(public.forces, public.added),
        "winner": int(public.winner) if public.phase == LEAVE else None,
    }


# Views -----------------------------------------------------------------------------------------


def show_public(public: KingdomsPublic, reckoning: Reckoning) -> dict[str, object]:
    """Return the public part of a view."""
    return {
        **standing(public),
        "funds": [int(public.funds_of(Seat(seat))) for seat in SEATS],
        "hands": hands_shown(public, None),
        "piles": {name: int(public.left_of(rank)) for rank, name in enumerate(CLASSES)},
        "discards": discards(public),
        "battle": battle_shown(public, None, reckoning),
    }


def hands_shown(public: KingdomsPublic, own: KingdomsOwn | None) -> list[object]:
    return [hand_shown(public, own, Seat(seat)) for seat in SEATS]


def hand_shown(public: KingdomsPublic, own: KingdomsOwn | None, seat: Seat) -> dict[str, object]:
    """Return the backs of a hand, and the cards that are known to be in it."""
    backs = public.backs_of(seat)
    known = known_cards(public, own, seat)
    doubtful = perhaps(public, own) if seat == public.owner else []
    return {
        "normal": int(backs & 255),
        "ace": int(backs >> 8),
        "known": named(public.forces, [kind for kind in known if kind not in doubtful]),
    }


def known_cards(public: KingdomsPublic, own: KingdomsOwn | None, seat: Seat) -> list[int]:
    """Return the cards of a hand, or of its attackers, known to all or to a seat (RB 1.6)."""
    if own is not None and own.seat != seat:
        return kinds_of(known_by(public, own))
    return kinds_of(public.known[seat])


def perhaps(public: KingdomsPublic, own: KingdomsOwn | None) -> list[int]:
    """Return the known cards that may be in hand or among the face-down attackers."""
    classes = public.forces.classes
    known = known_cards(public, own, public.owner)
    return [kind for kind in known if public.down >> 8 * classes[kind] & 255]


def battle_shown(
    public: KingdomsPublic, own: KingdomsOwn | None, reckoning: Reckoning
) -> dict[str, object] | None:
    attackers = public.attackers or (own.attackers if own is not None else NO_CARDS)
    known = named(public.forces, kinds_of(attackers))
    backs = [CLASSES[ACE]] * (public.down >> 8) + [CLASSES[NORMAL]] * (public.down & 255)
    shown = battle(public, known or backs)
    if shown is not None:
        shown["revealed"] = bool(public.attackers)
        shown["perhaps"] = named(public.forces, perhaps(public, own))
        shown |= explained(public, reckoning) if public.attackers else UNEXPLAINED
    return shown


UNEXPLAINED: dict[str, object] = {"lines": None, "totals": None}


def explained(public: KingdomsPublic, reckoning: Reckoning) -> dict[str, object]:
    """Return the arithmetic of a revealed battle, as in its facts."""
    reckoning.reckon_revealed(public)
    lines = [line_shown(public.forces, reckoning.lines[n]) for n in range(int(reckoning.count))]
    if not reckoning.cancelled_by:
        amount = int(public.forces.offset[public.area])
        area = AREAS[public.area]
        lines.append(line(1 - int(public.owner), None, area, "offset", amount))
    totals = {"attack": int(reckoning.attack), "defence": int(reckoning.defence)}
    return {"lines": lines, "totals": totals}


def line_shown(forces: Forces, packed: i64) -> dict[str, object]:
    return line(
        seat_in(packed),
        name_of(forces, kind_in(packed)),
        AREAS[area_in(packed)],
        SOURCES[source_in(packed)],
        amount_in(packed),
    )


def line(seat: int, card: str | None, area: str, source: str, amount: int) -> dict[str, object]:
    return {"seat": seat, "card": card, "area": area, "source": source, "amount": amount}


def show_own(public: KingdomsPublic, own: KingdomsOwn, reckoning: Reckoning) -> dict[str, object]:
    """Return the private part of a seat's view: its cards, and the other's known cards."""
    hand = named(public.forces, kinds_of(own.hand))
    shown: dict[str, object] = {"seat": int(own.seat), "hand": hand}
    knows_more = known_by(public, own) != public.known[1 - own.seat]
    if knows_more:
        shown["hands"] = hands_shown(public, own)
    attacks = own.attackers != NO_CARDS and public.attackers == NO_CARDS
    if public.area != NO_AREA and (knows_more or attacks):
        shown["battle"] = battle_shown(public, own, reckoning)
    return shown


# The full state --------------------------------------------------------------------------------


def full_state(state: KingdomsState) -> dict[str, object]:
    """Return the full state, in the order in which a scenario is written."""
    public, forces = state.public, state.public.forces
    attackers = public.attackers or state.own[public.owner].attackers
    piles = {
        name: [
            forces.names[ord(letter) - LETTER - 1]
            for letter in state.hidden.pile(rank, public.left_of(rank))
        ]
        for rank, name in enumerate(CLASSES)
    }
    return {
        **standing(public),
        "hands": [named(forces, kinds_of(part.hand)) for part in state.own],
        "piles": piles,
        "discards": discards(public),
        "battle": battle(public, named(forces, kinds_of(attackers))),
    }
