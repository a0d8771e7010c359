"""Who sits where: the bots at a person's table, who now and then say something."""

from collections.abc import Mapping

from zashiki.bots import Bot, derived_seed, make_bot, words_of
from zashiki.core.match import Match
from zashiki.core.offer import Offer

LONGEST = 2.0
"""Seconds that a bot may think, where somebody waits for it."""


class Sitting:
    """The bots of a table by seat; None where a person sits."""

    def __init__(self, offer: Offer, bots: list[str | None]) -> None:
        self.offer = offer
        self.bots = bots
        self.seated: dict[int, Bot] = {}
        self.phrases: list[str] = []
        self.seed = 0

    def sit_down(self, match: Match, phrases: Mapping[str, str], seed: int) -> None:
        waited_for = LONGEST if None in self.bots else None
        for seat, name in enumerate(self.bots):
            if name is not None:
                own = derived_seed(seed, seat)
                self.seated[seat] = make_bot(name, self.offer, match.game, own, waited_for)
        self.phrases = list(phrases) if self.offer.speech else []
        self.seed = seed

    def play_next(self, match: Match) -> bool:
        """Let the first bot that is to act do so; False if only people are awaited."""
        for seat in sorted(match.to_act):
            if seat in self.seated:
                view = match.state.views[seat]
                action = self.seated[seat].choose(view, match.game.legal(view))
                words = words_of(match.game, view, self.seed, self.phrases)
                match.play(seat, match.game.actions[action].text, words)
                return True
        return False
