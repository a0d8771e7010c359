"""The types of Red Town's views, for type checkers: cast `match.view(seat)` to one of them."""

from typing import NotRequired, TypedDict


class LaidCards(TypedDict):
    """A play or a discard of this round."""

    seat: int
    location: str | None
    """None for a discard."""
    cards: list[str]


class CardSetDown(TypedDict):
    """A set of the form for two players."""

    cards: list[str] | None
    """None if this reader does not know them."""
    size: int
    hitman: str | None
    looked: bool


class PassedHand(TypedDict):
    """A hand that this seat passed on."""

    round: int
    to: int
    cards: list[str]


class RedTownPublicView(TypedDict):
    """The view of spectators, `match.view(None)`."""

    options: dict[str, str]
    form: str
    seats: int
    round: int
    phase: str
    turn: int | None
    bosses: list[int] | None
    confirmed: list[int]
    board: dict[str, list[str]]
    """The cards beside each location that has some."""
    declared: int | None
    last: int | None
    passed: list[int]
    out: list[int]
    discard: list[str]
    sizes: list[int]
    supply: list[int | str]
    """By seat: the Hitmen, or their number if this reader does not know their colours."""
    hitmen_held: list[int | str]
    chosen: dict[str, str | None]
    """By seat that has chosen in secret: the choice, or None if this reader does not know it."""
    red_three: int | None
    plays: list[LaidCards]
    sets: NotRequired[list[list[CardSetDown]] | None]
    """By seat, in the form for two players alone."""
    waiting: NotRequired[list[CardSetDown | None] | None]
    """By seat, in the form for two players alone."""


class RedTownSeatView(RedTownPublicView):
    """The view of a seat."""

    seat: int
    hand: list[str]
    passed_on: list[PassedHand]
    known: dict[str, list[str]]
    """Cards that another seat is known to hold, by seat."""
    unseen: dict[str, int]
    """The number of cards of each kind that this seat has not seen."""
