"""Statistics of a finished match: its length, and the use of cards."""

from typing import NamedTuple


class CardUse(NamedTuple):
    """The use that one seat made of the copies of one card, in one match."""

    seat: int
    card: str
    drafted: int
    """Copies that came to the hand from the common supply."""
    played: int
    """Copies placed from the hand; one that came back and is placed again counts again."""
    kept: int
    """Copies in the hand at the end."""


class MatchStats(NamedTuple):
    """The statistics of one match."""

    turns: int
    uses: tuple[CardUse, ...]
    """One entry per seat and card, unused cards included, in the order of the game."""
