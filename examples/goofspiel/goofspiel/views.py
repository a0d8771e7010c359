# mypyc: compile
"""The readable forms of a Goofspiel match: views and the full state."""

from goofspiel.state import (
    BID,
    BID_MASK,
    HAND,
    LANE,
    LANE_MASK,
    NO_PRIZE,
    Cards,
    GoofspielOwn,
    GoofspielPublic,
    GoofspielState,
    all_cards,
    hand,
)
from zashiki.core.parts import Seat


def numbers(cards: Cards) -> list[int]:
    """Return a set of cards as an ascending list."""
    return [number for number in range(HAND) if cards >> number & 1]


def show_public(public: GoofspielPublic) -> dict[str, object]:
    """Return the public part of a view."""
    seats = range(public.seats)
    return {
        **standing(public),
        "chosen": [seat for seat in seats if public.has_bid(Seat(seat))],
        "spent": spent(public),
        "history": history(public),
    }


def standing(public: GoofspielPublic) -> dict[str, object]:
    """Return the round, the prizes and the scores."""
    return {
        "seats": int(public.seats),
        "round": int(public.round),
        "prize": None if public.prize == NO_PRIZE else int(public.prize),
        "to_come": numbers(public.to_come),
        "scores": [int(public.scores >> seat * LANE & LANE_MASK) for seat in range(public.seats)],
    }


def spent(public: GoofspielPublic) -> list[list[int]]:
    """Return the cards that each seat bid in the rounds before this one."""
    everything = all_cards(public.cards)
    seats = range(public.seats)
    return [numbers(Cards(everything & ~public.unspent_by(Seat(seat)))) for seat in seats]


def history(public: GoofspielPublic) -> list[dict[str, object]]:
    """Return the revealed rounds, as far as they are known."""
    rounds: list[dict[str, object]] = []
    for number in range(public.round):
        told = public.history[number]
        if told:
            bids = [told >> (seat + 1) * BID & BID_MASK for seat in range(public.seats)]
            rounds.append({"round": number + 1, "prize": told & BID_MASK, "bids": bids})
    return rounds


def show_own(public: GoofspielPublic, own: GoofspielOwn) -> dict[str, object]:
    """Return the private part of a seat's view: its hand and its bid."""
    return {"seat": int(own.seat), "hand": numbers(hand(public, own)), "bid": bid(public, own)}


def bid(public: GoofspielPublic, own: GoofspielOwn) -> int | None:
    """Return the bid of a seat in this round; None if it has not chosen."""
    return int(own.bid) if public.has_bid(own.seat) else None


def full_state(state: GoofspielState) -> dict[str, object]:
    """Return the full state, hidden bids included."""
    public = state.public
    return {
        **standing(public),
        "hands": [numbers(hand(public, own)) for own in state.own],
        "bids": [bid(public, own) for own in state.own],
        "spent": spent(public),
    }
