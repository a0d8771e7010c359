# mypyc: compile
"""Refuse an attempt by the most helpful rule, always checked in the same order.

After Z 2 and Z 1: a card that is not in the hand (Z 3); another decision is open; and for a play
the location (taken), the number of cards, their colours, equal or in sequence, the number.
"""

from typing import Final

from zashiki.core.rulings import Z_3, Refusal
from zashiki.games.red_town import rulings
from zashiki.games.red_town.actions import Request, Wish
from zashiki.games.red_town.cards import (
    LOWEST,
    NAMES,
    NUMBERS,
    Cards,
    Kind,
    black_hitmen,
    contains,
    count,
    kinds_in,
    named,
    red_hitmen,
    size,
)
from zashiki.games.red_town.own import RedTownOwn
from zashiki.games.red_town.packing import (
    CHOOSE,
    DECIDE,
    DISCARD,
    END_WAR,
    GIVE,
    LOOK,
    PICK,
    PICK_MANY,
    SHORT,
    TURN,
    TWO,
)
from zashiki.games.red_town.plays import ALL_LOCATIONS, LOCATIONS, TILES, Tile, fits
from zashiki.games.red_town.state import RedTownPublic

ASKED_IN: Final = {
    "confirm": DECIDE,
    "add": DECIDE,
    "hitman": PICK,
    "hitmen": PICK_MANY,
    "look": LOOK,
    "give": GIVE,
    "hand-kept": CHOOSE,
    "hand-received": CHOOSE,
    "play": TURN,
    "pass": TURN,
    "discard": DISCARD,
    "keep": DISCARD,
    "end": END_WAR,
    "stay": END_WAR,
}
"""The phase in which each kind of action is asked for."""


def objection(public: RedTownPublic, own: RedTownOwn, attempt: Request | Wish) -> Refusal | None:
    """Return the refusal of an attempt by a seat that is to act; None if it is legal."""
    kind = attempt.kind
    if kind in ("play", "discard"):
        missing = missing_from(own.hand, attempt.cards)
        if missing:
            return Refusal(Z_3, tuple(missing), {"card": missing[0]})
    if ASKED_IN[kind] != public.phase:
        return asked_otherwise(public, kind)
    if kind == "play":
        return against_play(public, attempt)
    if kind == "pass" and must_play(public):
        return Refusal(rulings.RT_3_4)
    if kind == "add" and own.supply == 0:
        return Refusal(rulings.RT_2_4)
    if kind == "discard" and size(attempt.cards) > 1:
        return Refusal(rulings.RT_4_5, tuple(named(attempt.cards)))
    if kind in ("hitman", "hitmen"):
        return against_hitmen(own, kind, attempt.cards)
    return None


def must_play(public: RedTownPublic) -> bool:
    """Return whether nothing was played yet, so that passing is not allowed (RT 3.4)."""
    return public.free == ALL_LOCATIONS and public.declared == 0


def missing_from(hand: Cards, cards: Cards) -> list[str]:
    """Return the kinds of which more are named than held."""
    if contains(hand, cards):
        return []
    kinds = sorted(set(kinds_in(cards)), key=kinds_in(cards).index)
    return [NAMES[kind] for kind in kinds if count(cards, Kind(kind)) > count(hand, Kind(kind))]


def asked_otherwise(public: RedTownPublic, kind: str) -> Refusal:
    """Return the refusal of an answer to a decision that is not open, by that decision's rule."""
    if kind in ("play", "pass"):
        effect = public.phase in (DISCARD, END_WAR)
        return Refusal(rulings.RT_4_7 if effect else rulings.RT_3_3)
    if public.form == SHORT and kind in ("confirm", "add", "hitman", "hitmen"):
        return Refusal(rulings.RT_8_1)
    two = public.form == TWO
    if kind in ("confirm", "add"):
        return Refusal(rulings.RT_7_1 if two else rulings.RT_2_2)
    if kind == "hitman":
        return Refusal(rulings.RT_7_2 if two else rulings.RT_2_5)
    if kind == "hitmen":
        return Refusal(rulings.RT_7_2 if two else rulings.RT_2_6)
    if kind in ("discard", "keep"):
        return Refusal(rulings.RT_4_5)
    if kind in ("end", "stay"):
        return Refusal(rulings.RT_4_6)
    if kind == "look":
        return Refusal(rulings.RT_7_2)
    return Refusal(rulings.RT_7_3 if kind == "give" else rulings.RT_7_4)


def against_hitmen(own: RedTownOwn, kind: str, cards: Cards) -> Refusal | None:
    """Return the refusal of more Hitmen of a colour than the supply has; None if it has them."""
    lacks_red = red_hitmen(cards) > red_hitmen(own.supply)
    if lacks_red or black_hitmen(cards) > black_hitmen(own.supply):
        blame = ("RH",) if lacks_red else ("BH",)
        return Refusal(rulings.RT_2_5 if kind == "hitman" else rulings.RT_2_6, blame)
    return None


# Plays -----------------------------------------------------------------------------------------


def against_play(public: RedTownPublic, attempt: Request | Wish) -> Refusal | None:
    location = str(attempt.words["location"])
    place = LOCATIONS.index(location)
    if not public.free >> place & 1:
        return Refusal(rulings.RT_4_1, (location,), {"location": location})
    if isinstance(attempt, Wish):  # plays in the table fit their tile
        return against_cards(TILES[place], attempt.cards)
    cards = attempt.cards
    number = public.plays.lows[attempt.id]
    if number and number < public.declared:
        details: dict[str, object] = {
            "cards": named(cards),
            "number": number,
            "declared": int(public.declared),
        }
        lowest = [name for name in named(cards) if name[1:] == str(number)]
        return Refusal(rulings.RT_3_5, tuple(lowest), details)
    return None


def against_cards(tile: Tile, cards: Cards) -> Refusal | None:
    """Return the refusal of cards that do not fit the tile (RT 4.4, then RT 4.2 or RT 4.3)."""
    broken = breaking_colours(tile, cards)
    if broken:
        return Refusal(rulings.RT_4_4, tuple(broken), wanted(tile, broken))
    return against_order(tile, cards)


def breaking_colours(tile: Tile, cards: Cards) -> list[str]:
    """Return the cards that are too many or of a wrong colour; all of them if there are too few."""
    names = named(cards)
    reds = len([name for name in names if name[0] == "R"])
    if (reds, len(names) - reds) in tile.colours:
        return []
    if len(names) != tile.size:
        return names
    main = "R" if tile.colours[0][0] else "B"
    return [name for name in names if name[0] != main]


def against_order(tile: Tile, cards: Cards) -> Refusal | None:
    """Return the refusal by RT 4.2, RT 4.3 or, if the tile takes equal cards, RT 4.4."""
    reds, blacks = numbers(cards, 0), numbers(cards, NUMBERS)
    wild = int(red_hitmen(cards) + black_hitmen(cards))
    if fits(tile, reds, blacks, wild):
        return None
    names = [name for name in named(cards) if name not in ("RH", "BH")]
    if not tile.in_sequence:
        return Refusal(rulings.RT_4_4, tuple(names), wanted(tile, names))
    both = bool(red_hitmen(cards) or reds) and bool(black_hitmen(cards) or blacks)
    return Refusal(rulings.RT_4_3 if both else rulings.RT_4_2, tuple(names), wanted(tile, names))


def wanted(tile: Tile, cards: list[str]) -> dict[str, object]:
    """Return the values of a refusal: the location's demand, and the cards that break it."""
    return {"location": tile.name, "wanted": f"wanted-{tile.name}", "cards": cards}


def numbers(cards: Cards, first: int) -> list[int]:
    """Return the numbers of the red playing cards (from kind 0) or of the black ones (from 9)."""
    return [kind % NUMBERS + LOWEST for kind in kinds_in(cards) if first <= kind < first + NUMBERS]
