"""The types of Goofspiel's views, for type checkers: cast `match.view(seat)` to one of them."""

from typing import TypedDict


class BidRound(TypedDict):
    """A finished round."""

    round: int
    prize: int
    bids: list[int]


class GoofspielPublicView(TypedDict):
    """The view of spectators, `match.view(None)`."""

    options: dict[str, int | str]
    seats: int
    round: int
    prize: int | None
    to_come: list[int]
    scores: list[int]
    chosen: list[int]
    spent: list[list[int]]
    history: list[BidRound]


class GoofspielSeatView(GoofspielPublicView):
    """The view of a seat."""

    seat: int
    hand: list[int]
    bid: int | None
