"""The actions that a person can choose from, and what they may type for each."""

import re
from unicodedata import normalize

from zashiki.core.match import Match
from zashiki.core.rulings import Malformed
from zashiki.core.spec import AnyGame

NUMBER = re.compile(r"\b\d+\b")


class Choices:
    """The legal actions of a seat, each with a label that a person may type for it."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.card_numbers = card_numbers(game)
        self.labels: dict[str, str] = {}
        """From a label to the notation of a legal action."""

    def update(self, match: Match, seat: int) -> None:
        """Label the actions that are legal now.

        If the notation itself has numbers, those are the labels, since they name the cards.
        """
        legal = [self.game.actions[id].text for id in self.game.legal(match.state.views[seat])]
        named = {text: number for number, text in self.card_numbers.items()}
        if any(text.isdecimal() or text in named for text in legal):
            self.labels = {named.get(text, text): text for text in legal}
        else:
            self.labels = {str(number): text for number, text in enumerate(legal, 1)}

    @property
    def example(self) -> str:
        """The notation of a legal action."""
        return next(iter(self.labels.values()))

    @property
    def numbers(self) -> str:
        """The first and the last number of the list, `1–8`, or the only one."""
        numbers = [label for label in self.labels if label.isdecimal()]
        return "–".join(dict.fromkeys([numbers[0], numbers[-1]]))

    def notation_for(self, typed: str) -> str:
        """Return the notation for what was typed, be it in wide or in capital letters."""
        word = normalize("NFKC", typed)
        if word in self.labels or word in self.card_numbers:
            return self.labels.get(word) or self.card_numbers[word]
        lower = word.lower()
        return lower if self.fault(word) and not self.fault(lower) else word

    def fault(self, action: str) -> Malformed | None:
        """Return what is wrong with a notation; None if it can be read."""
        try:
            self.game.read(action)
        except Malformed as fault:
            return fault
        return None


def card_numbers(game: AnyGame) -> dict[str, str]:
    """Map the number in each action of a game (`bid:7`) to the action; empty if two share one.

    It covers all actions, not only the legal ones: a number means the same during a whole match.
    """
    found = [(NUMBER.findall(action.text), action.text) for action in game.actions]
    pairs = [(numbers[0], text) for numbers, text in found if len(numbers) == 1]
    numbers = dict(pairs)
    return numbers if 1 < len(numbers) == len(pairs) else {}
