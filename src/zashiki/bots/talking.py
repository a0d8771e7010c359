"""The words that bots say with an action, which tell nothing about their cards."""

from collections.abc import Sequence

from zashiki.core.bot import chance_at
from zashiki.core.spec import AnyGame, AnyView

TALKATIVE = 2
"""Actions per spoken phrase, on average."""


def words_of(game: AnyGame, view: AnyView, seed: int, phrases: Sequence[str]) -> str | None:
    """Return a phrase or None, by view and seed, never by the card that is played."""
    chance = chance_at(game, view, f"{seed} words")
    if not phrases or chance.below(TALKATIVE, "whether"):
        return None
    return phrases[chance.below(len(phrases), "phrase")]
