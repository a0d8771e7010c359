# mypyc: compile
"""Sample a world that agrees with a seat's view: unseen cards dealt evenly, by their backs.

A seat knows its own cards, the open cards, the number of cards of each class in each place, the
cards that it has seen going to the other's hand, and what follows when a pile is made again. The
other's plays are not evidence about the rest of the hand. There is no rejection.
"""

from zashiki.core.dice import Chance
from zashiki.core.parts import Seat, State
from zashiki.games.kingdoms.cards import (
    CARD,
    Hand,
    Kind,
    kinds_of,
    plus,
    without,
)
from zashiki.games.kingdoms.forces import ACE, NORMAL, Forces
from zashiki.games.kingdoms.state import (
    Backs,
    KingdomsHidden,
    KingdomsOwn,
    KingdomsPublic,
    KingdomsState,
    known_by,
    spelled,
)


def sampled(public: KingdomsPublic, own: KingdomsOwn, chance: Chance) -> KingdomsState:
    other = KingdomsOwn(Seat(1 - own.seat))
    other.theirs, other.mine = list(own.mine), list(own.theirs)
    hidden = KingdomsHidden()
    cards = known_by(public, own)
    unseen = unseen_cards(public, own, cards)
    for rank in (NORMAL, ACE):
        row = unseen[rank]
        left = int(public.left_of(rank))
        held = len(row) - left
        for place in range(held if left else 0):  # without a pile, all are in the other's hand
            other_place = place + int(chance.below(len(row) - place, "unseen"))
            row[place], row[other_place] = row[other_place], row[place]
        for kind in row[:held]:
            cards = plus(cards, Kind(kind))
        pile = row[held:]
        chance.shuffle(pile, "pile")
        hidden.shuffled(rank, spelled(pile))
    if public.down and public.owner != own.seat:
        possible = alike(public.forces, cards, public.down)
        other.attackers = possible[int(chance.below(len(possible), "attackers"))]
    other.hand = without(cards, other.attackers)
    parts = [own.copy(), other] if own.seat == 0 else [other, own.copy()]
    return State(public.copy(), parts, hidden)


def unseen_cards(public: KingdomsPublic, own: KingdomsOwn, known: Hand) -> list[list[int]]:
    """Return the cards whose place this seat does not know, by class."""
    forces = public.forces
    seen = [0] * (forces.count + 1)
    for cards in (own.hand, own.attackers, known, public.attackers, int(public.added)):
        for kind in kinds_of(cards):
            seen[kind] += 1
    for area in range(5):
        seen[int(public.card_in(area))] += 1
    unseen: list[list[int]] = []
    for rank in (NORMAL, ACE):
        for kind in public.discards[rank]:
            seen[kind] += 1
        row: list[int] = []
        for kind in forces.piles[rank]:
            if seen[kind]:
                seen[kind] -= 1
            else:
                row.append(kind)
        unseen.append(row)
    return unseen


def alike(forces: Forces, hand: Hand, backs: Backs) -> list[Hand]:
    """Return the attacks with these backs that a hand allows, each once."""
    found: list[Hand] = []
    kinds = kinds_of(hand)
    for place, kind in enumerate(kinds):
        for partner in [0, *kinds[place + 1 :]]:
            aces = forces.classes[kind] + forces.classes[partner]
            count = 2 if partner else 1
            cards = Hand(kind | partner << CARD)
            if count - aces | aces << 8 == backs and cards not in found:
                found.append(cards)
    return found
