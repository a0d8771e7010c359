"""The types of KAMIZA's views, for type checkers: cast `match.view(seat)` to one of them."""

from typing import TypedDict


class PlacedCard(TypedDict):
    """A card on the table, in the order in which cards were placed."""

    seat: int
    card: str | None
    """None if this reader does not know it."""
    area: str
    open: bool


class JudgedRound(TypedDict):
    """A round of the history."""

    game: int
    round: int
    starter: int
    cards: list[str]
    """By seat: a card with its area; empty for a seat that had dropped out."""
    threats: dict[str, str]


class Kamiza2014PublicView(TypedDict):
    """The view of spectators, `match.view(None)`, of `kamiza-2014`."""

    options: dict[str, bool | str]
    seats: int
    game: int
    round: int
    starter: int
    turn: int | None
    scores: list[int]
    left: list[int]
    placed: list[PlacedCard]
    spent: list[list[str]]
    threats: dict[str, str]
    history: list[JudgedRound]


class Kamiza2014SeatView(Kamiza2014PublicView):
    """The view of a seat of `kamiza-2014`."""

    seat: int
    hand: list[str]


class KamizaSecondPublicView(Kamiza2014PublicView):
    """The view of spectators, `match.view(None)`, of `kamiza-second`."""

    wanted: list[int]
    dropped: list[int]


class KamizaSecondSeatView(KamizaSecondPublicView):
    """The view of a seat of `kamiza-second`."""

    seat: int
    hand: list[str]
