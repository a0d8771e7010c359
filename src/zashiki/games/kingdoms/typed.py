"""The types of Kingdoms' views, for type checkers: cast `match.view(seat)` to one of them."""

from typing import TypedDict


class HeldArea(TypedDict):
    """An area with a card in it."""

    seat: int
    card: str


class HandBacks(TypedDict):
    """A hand as a reader knows it: the number of cards by class, and cards that were seen."""

    normal: int
    ace: int
    known: list[str]


class BattleLine(TypedDict):
    """One line of a battle's arithmetic."""

    seat: int
    card: str | None
    area: str
    source: str
    amount: int


class BattleTotals(TypedDict):
    """The two sums of a battle."""

    attack: int
    defence: int


class Battle(TypedDict):
    """A battle that is being fought."""

    area: str
    attackers: list[str]
    defender: str
    added: str | None
    winner: int | None
    revealed: bool
    perhaps: list[str]
    lines: list[BattleLine] | None
    totals: BattleTotals | None


class CountsByClass(TypedDict):
    """A number for each class of cards."""

    normal: int
    ace: int


class CardsByClass(TypedDict):
    """The cards of each class, the oldest first."""

    normal: list[str]
    ace: list[str]


class KingdomsPublicView(TypedDict):
    """The view of spectators, `match.view(None)`."""

    options: dict[str, str]
    card_set: str
    phase: str
    turn: int | None
    number: int
    still: int
    placed: bool
    areas: dict[str, HeldArea | None]
    """By the name of the area, from red to blue."""
    funds: list[int]
    hands: list[HandBacks]
    piles: CountsByClass
    discards: CardsByClass
    battle: Battle | None


class KingdomsSeatView(KingdomsPublicView):
    """The view of a seat."""

    seat: int
    hand: list[str]
