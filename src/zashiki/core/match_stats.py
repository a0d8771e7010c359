"""Statistics of a finished match: how long it was, and the use of cards."""

from typing import NamedTuple


class CardUse(NamedTuple):
    """The use that one seat made of the copies of one card, in one match."""

    seat: int
    card: str
    drafted: int
    """Copies that came to the hand from where all cards come from."""
    played: int
    """Copies placed from the hand; one that came back and is placed again counts again."""
    kept: int
    """Copies in the hand at the end."""


class MatchStats(NamedTuple):
    """The statistics of one match."""

    turns: int
    uses: tuple[CardUse, ...]
    """Of every card of the game, also where a seat made none of it, in the order of the game."""
