"""Who sits where: the bots at a person's table, who now and then say something."""

from collections.abc import Mapping

from zashiki.bots import Bot, derived_seed, make_bot
from zashiki.core.dice import Quick
from zashiki.core.match import Match
from zashiki.core.offer import Offer

TALKATIVE = 2
"""A bot speaks with one action in so many, on average."""


class Sitting:
    """The bots of a table by seat; None where a person sits."""

    def __init__(self, offer: Offer, bots: list[str | None]) -> None:
        self.offer = offer
        self.bots = bots
        self.seated: dict[int, Bot] = {}
        self.phrases: list[str] = []
        self.mood = Quick(0)

    def sit_down(self, match: Match, phrases: Mapping[str, str], seed: int) -> None:
        for seat, name in enumerate(self.bots):
            if name is not None:
                own = derived_seed(seed, seat)
                self.seated[seat] = make_bot(name, self.offer, match.game, own)
        self.phrases = list(phrases) if self.offer.speech else []
        self.mood = Quick(derived_seed(seed, "mood"))

    def play_next(self, match: Match) -> bool:
        """Let the first bot that is to act do so; False if only people are awaited."""
        for seat in sorted(match.to_act):
            if seat in self.seated:
                view = match.state.views[seat]
                action = self.seated[seat].choose(view, match.game.legal(view))
                match.play(seat, match.game.actions[action].text, self.words())
                return True
        return False

    def words(self) -> str | None:
        """A phrase at random, so that it tells nothing about the cards."""
        if not self.phrases or self.mood.below(TALKATIVE, "whether") > 0:
            return None
        return self.phrases[self.mood.below(len(self.phrases), "phrase")]
