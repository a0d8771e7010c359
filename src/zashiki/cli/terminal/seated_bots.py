"""The bots of a match in the terminal: they play their seats and sometimes speak."""

from collections.abc import Iterable, Sequence

from zashiki.bots import derived_seed, make_bot, words_of
from zashiki.core.match import Match

MAX_THINKING_SECONDS = 2.0
"""Thinking time of a bot if a person waits for it."""


class SeatedBots:
    """The bots of one match by seat."""

    def __init__(
        self, match: Match, bots: Sequence[str | None], phrases: Iterable[str], seed: int
    ) -> None:
        """Seat the bots by their names; None is the seat of a person."""
        seconds = MAX_THINKING_SECONDS if None in bots else None
        spec = match.spec
        self.by_seat = {
            seat: make_bot(name, spec, match.game, derived_seed(seed, seat), seconds)
            for seat, name in enumerate(bots)
            if name is not None
        }
        self.phrases = list(phrases) if spec.speech else []
        self.seed = seed

    def play_next(self, match: Match) -> bool:
        """Let the first bot that is to act do so. Return False if the match waits for people."""
        for seat in sorted(match.to_act):
            if seat in self.by_seat:
                view = match.state.views[seat]
                action = self.by_seat[seat].choose(view, match.game.legal(view))
                words = words_of(match.game, view, self.seed, self.phrases)
                match.play(seat, match.game.actions[action].text, words)
                return True
        return False
