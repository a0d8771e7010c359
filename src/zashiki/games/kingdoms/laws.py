"""Kingdoms' own statements for the laws."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations, product
from typing import Any

from zashiki.games.kingdoms.forces import AREAS, CLASSES
from zashiki.games.kingdoms.play import Kingdoms
from zashiki.games.kingdoms.state import MOST_TURNS
from zashiki.games.kingdoms.views import named

Truth = dict[str, Any]


def conserved(truth: Mapping[str, Any]) -> list[str]:
    """Return every card of the match. The garrison of an attacked area is counted there."""
    places = [*truth["hands"], *truth["piles"].values(), *truth["discards"].values()]
    found = [card for place in places for card in place]
    found += [area["card"] for area in truth["areas"].values() if area is not None]
    battle = truth["battle"]
    if battle is not None:
        found += battle["attackers"]
        found += [] if battle["added"] is None else [battle["added"]]
    return sorted(found)


def openings(game: Kingdoms) -> list[list[Truth]]:
    """Return positions with few unseen cards, each with all worlds that are possible for a seat.

    The cards are of different kinds, and the turn is the last, so that no draft follows.
    """
    red, blue = (game.forces.names[kind - 1] for kind in game.forces.monarchs)
    first, second, third, fourth = named(game.forces, distinct(game, "normal"))[:4]
    ace, other_ace = named(game.forces, distinct(game, "ace"))[:2]
    return [
        family(game, [first, second, third, fourth], [], (2, 0), (1, 0)),
        family(game, [first, second], [ace, other_ace], (1, 1), (0, 0)),
        family(game, [first, second], [], (1, 0), (0, 0), in_hand=[red]),
        [counted_out(game, [first, second], third, [red, blue])],
    ]


def distinct(game: Kingdoms, wanted: str) -> list[int]:
    """Return the kinds of a class, those with a skill first."""
    forces = game.forces
    kinds = sorted(set(forces.piles[CLASSES.index(wanted)]))
    return sorted(kinds, key=lambda kind: not forces.sources[kind])


def family(
    game: Kingdoms,
    normal: Sequence[str],
    aces: Sequence[str],
    red: tuple[int, int],
    blue: tuple[int, int],
    in_hand: Sequence[str] = (),
) -> list[Truth]:
    """Return every deal of these cards to hands of these sizes, and to the piles."""
    truths: dict[str, Truth] = {}
    for dealt in product(permutations(normal), permutations(aces)):
        cards = [list(pool) for pool in dealt]
        hands = [
            sorted(cards[rank].pop() for rank in range(2) for _ in range(size[rank]))
            for size in (red, blue)
        ]
        hands[0] = sorted([*hands[0], *in_hand])
        made = truth(game, hands, dict(zip(CLASSES, cards, strict=True)))
        truths[repr(made)] = made
    return list(truths.values())


def truth(game: Kingdoms, hands: list[list[str]], piles: dict[str, list[str]]) -> Truth:
    """Return a position in which Red deploys for the last time; other cards are discarded."""
    monarchs = [game.forces.names[kind - 1] for kind in game.forces.monarchs]
    left = [Counter(named(game.forces, game.forces.piles[rank])) for rank in range(2)]
    for rank in range(2):
        left[rank].subtract(card for hand in hands for card in hand if card in left[rank])
        left[rank].subtract(piles[CLASSES[rank]])
    holders = [list(left[0].elements())[-1 - place] for place in range(4)]
    left[0].subtract(holders)
    areas: list[dict[str, Any]] = [{"seat": 0, "card": card} for card in holders[:3]]
    if monarchs[0] not in hands[0]:
        left[0].update([areas[0]["card"]])
        areas[0]["card"] = monarchs[0]
    areas += [{"seat": 1, "card": holders[3]}, {"seat": 1, "card": monarchs[1]}]
    return {
        "card_set": game.forces.name, "phase": "deploy", "turn": 0, "number": MOST_TURNS,
        "still": 0, "placed": False, "areas": dict(zip(AREAS, areas, strict=True)), "hands": hands,
        "piles": piles,
        "discards": {name: list(left[rank].elements()) for rank, name in enumerate(CLASSES)},
        "battle": None,
    }  # fmt: skip


def counted_out(game: Kingdoms, discards: list[str], held: str, monarchs: Sequence[str]) -> Truth:
    """Return a position before a draft that needs a new pile. Blue holds all cards not named."""
    made = truth(game, [[held], []], {name: [] for name in CLASSES})
    rest = [Counter(cards) for cards in made["discards"].values()]
    rest[0].subtract(discards)
    areas = [{"seat": 0, "card": monarchs[0]}, None, None, None, {"seat": 1, "card": monarchs[1]}]
    rest[0].update(area["card"] for area in made["areas"].values())
    rest[0].subtract(monarchs)
    return made | {
        "phase": "draft",
        "areas": dict(zip(AREAS, areas, strict=True)),
        "hands": [[held], sorted([*rest[0].elements(), *rest[1].elements()])],
        "discards": dict(zip(CLASSES, (discards, []), strict=True)),
    }
