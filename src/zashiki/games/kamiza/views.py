# mypyc: compile
"""The readable forms of a KAMIZA match: views and the full state."""

from collections.abc import Mapping

from mypy_extensions import i64

from zashiki.core.game import members
from zashiki.core.parts import Seat
from zashiki.games.kamiza.actions import AREAS
from zashiki.games.kamiza.state import (
    ALL_CARDS,
    GAMES,
    LANE,
    LANE_MASK,
    ROUNDS,
    STARTER,
    KamizaOwn,
    KamizaPublic,
    KamizaState,
    hand,
)


def named(cards: tuple[str, ...], held: i64) -> list[str]:
    """Return the names of a set of cards, in the order boss, underboss, hitman, police or raid."""
    return [card for number, card in enumerate(cards) if held >> number & 1]


def lanes(public: KamizaPublic, packed: i64) -> list[int]:
    return [packed >> seat * LANE & LANE_MASK for seat in range(public.seats)]


def show_public(public: KamizaPublic, cards: tuple[str, ...], second: bool) -> dict[str, object]:
    """Return the public part of a view."""
    seats = range(public.seats)
    spent = [public.spent_by(Seat(seat)) for seat in seats]
    left = [
        len(named(cards, ALL_CARDS & ~spent[seat])) - (public.placed_by >> seat & 1)
        for seat in seats
    ]
    return {
        **standing(public, second),
        "left": left,
        "placed": placed(public, cards),
        "spent": [named(cards, held) for held in spent],
        "threats": by_seat(public.threats),
        "history": history(public, cards),
    }


def standing(public: KamizaPublic, second: bool) -> dict[str, object]:
    """Return the round, the seat to act, the scores and the chips."""
    acting = members(public.acting)
    shown: dict[str, object] = {
        "seats": public.seats,
        "game": public.game,
        "round": public.round,
        "starter": public.starter,
        "turn": acting[0] if acting else None,
        "scores": lanes(public, public.scores),
    }
    if second:
        shown |= {"wanted": lanes(public, public.wanted), "dropped": members(public.dropped)}
    return shown


def placed(public: KamizaPublic, cards: tuple[str, ...]) -> list[dict[str, object]]:
    """Return the cards on the table in the order of placing. Only an open card is named."""
    lying: list[dict[str, object]] = []
    for place in range(public.count):
        seat = public.order >> place * 4 & 15
        opened = public.opened >> seat * 4 & 15
        card = cards[opened & 3] if opened else None
        area = AREAS[public.at_bottom >> seat & 1]
        lying.append({"seat": seat, "card": card, "area": area, "open": opened != 0})
    return lying


def history(public: KamizaPublic, cards: tuple[str, ...]) -> list[dict[str, object]]:
    """Return the judged rounds, as far as they are known: starter, cards and threats."""
    rounds: list[dict[str, object]] = []
    for number in range(GAMES * ROUNDS):
        past = public.history[number]
        if past:
            entry: dict[str, object] = {"game": number // ROUNDS + 1, "round": number % ROUNDS + 1}
            entry["starter"] = past >> STARTER
            entry["cards"] = [lying(cards, past >> seat * 4 & 15) for seat in range(public.seats)]
            entry["threats"] = by_seat(public.said_before.get(number, {}))
            rounds.append(entry)
    return rounds


def by_seat(threats: Mapping[int, str]) -> dict[str, str]:
    return {str(seat): words for seat, words in sorted(threats.items())}


def lying(cards: tuple[str, ...], nibble: int) -> str | None:
    """Return a card face up in an area, in notation; None if there is none."""
    return f"{cards[nibble & 3]}@{AREAS[nibble >> 2 & 1]}" if nibble else None


def show_own(public: KamizaPublic, own: KamizaOwn, cards: tuple[str, ...]) -> dict[str, object]:
    """Return the private part of a seat's view: its hand, and its card face down."""
    shown: dict[str, object] = {"seat": own.seat, "hand": named(cards, hand(public, own))}
    if public.placed_by >> own.seat & 1 and not public.opened >> own.seat * 4 & 15:
        lay = placed(public, cards)
        for entry in lay:
            if entry["seat"] == own.seat:
                entry["card"] = cards[own.card]
        shown["placed"] = lay
    return shown


def full_state(state: KamizaState, cards: tuple[str, ...], second: bool) -> dict[str, object]:
    """Return the full state, hidden cards included."""
    public = state.public
    shown = standing(public, second)
    lay = placed(public, cards)
    for entry in lay:
        entry["card"] = cards[state.own[int(str(entry["seat"]))].card]
    shown["hands"] = [named(cards, hand(public, own)) for own in state.own]
    shown["placed"] = lay
    shown["spent"] = [named(cards, public.spent_by(own.seat)) for own in state.own]
    return shown
