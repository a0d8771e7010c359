"""What bots say with a card: threats, as often a bluff as not."""

from collections.abc import Sequence

from zashiki.core.bot import chance_at
from zashiki.core.spec import AnyGame, AnyView

TALKATIVE = 2
"""A bot speaks with one action in so many, on average."""


def words_of(game: AnyGame, view: AnyView, seed: int, phrases: Sequence[str]) -> str | None:
    """A phrase, or nothing: by view and seed, but never by the card, so that it tells nothing."""
    chance = chance_at(game, view, f"{seed} words")
    if not phrases or chance.below(TALKATIVE, "whether"):
        return None
    return phrases[chance.below(len(phrases), "phrase")]
