"""Hints for newcomers that fit the phase of a match."""

from collections import Counter

from zashiki.core.dice import Quick
from zashiki.core.match import Match
from zashiki.core.wording import Wording


class Hints:
    """The hints of a game, in an order that depends on the seed of the match."""

    def __init__(self, match: Match, wording: Wording) -> None:
        self.by_phase = {
            phase: shuffled(list(hints.values()), match.seed)
            for phase, hints in wording.texts.hints(match.spec.id).items()
        }
        self.times: Counter[str] = Counter()
        """How often each hint was given."""

    def next(self, phase: str) -> str | None:
        """Return the hint that was given least: those of the phase first, then the general ones."""
        hints = [*self.by_phase.get(phase, ()), *self.by_phase[""]]
        if not hints:
            return None
        hint: str = min(hints, key=lambda hint: self.times[hint])
        self.times[hint] += 1
        return hint


def shuffled(hints: list[str], seed: bytes | None) -> list[str]:
    order = list(range(len(hints)))
    Quick(int.from_bytes(seed or b"", "big")).shuffle(order, "tips")
    return [hints[place] for place in order]
