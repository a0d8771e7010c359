"""A game in a person's words, and what the terminal itself has to say."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from zashiki.core import wording
from zashiki.core.offer import Offer
from zashiki.core.text import load
from zashiki.core.wording import Options


class Wording(wording.Wording):
    """Says what happens in a game and what the terminal itself has to say."""

    def __init__(
        self,
        offer: Offer,
        language: str,
        names: Sequence[str] = (),
        options: Options | None = None,
    ) -> None:
        super().__init__(offer, language, names, options)
        self.own: Mapping[str, Any] = load(files("zashiki.cli.terminal"), language)

    def say(self, key: str, **details: object) -> str:
        """A sentence of the terminal's own."""
        return str(self.own["terminal"][key]).format(**details)

    def key(self, key: str) -> str:
        """The name of a thing in a view."""
        if self.texts.has("words", key):
            return self.texts.word(key)
        return str(self.own["keys"].get(key, key.replace("_", " ")))

    def said(self, words: object) -> str:
        """What somebody said, with marks of quotation; a phrase offered stands by its key."""
        return self.say("quote", words=self.texts.phrase(str(words)))

    def option(self, name: str, value: object) -> str:
        try:
            title = self.texts.get("options", name)["title"]
            return f"{title}: {self.texts.value(name, value)}"
        except LookupError:
            return f"{self.key(name)}: {self.word(value)}"
