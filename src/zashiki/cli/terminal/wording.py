"""A game in words, together with the terminal's own texts."""

import re
from collections.abc import Mapping
from copy import copy
from functools import cached_property
from importlib.resources import files
from typing import Any

from zashiki.core.facts import Fact, Vocabulary
from zashiki.core.rulings import MAX_QUOTED
from zashiki.core.spec import GameSpec, OptionValue
from zashiki.core.text import load
from zashiki.core.wording import Wording

BYTE_ORDER_MARK = "\ufeff"
READER = "\ue000"
"""A letter that stands for the reader in a sentence; nobody can type it into a record."""
WITHIN = re.compile(rf"(?:(?<=[a-z,:] )|(?<=\()){READER}(’s)?")
"""The reader within a sentence, as owner or not."""


def terminal_texts(language: str) -> Mapping[str, Any]:
    """Load the terminal's own texts, by section."""
    return load(files("zashiki.cli.terminal"), language)


class TerminalWording(Wording):
    """Puts a game into words, and adds what the terminal says around it."""

    @cached_property
    def own(self) -> Mapping[str, Any]:
        """The terminal's own texts, by section."""
        return terminal_texts(self.language)

    def fact_to(self, reader: int | None, fact: Fact, vocabulary: Vocabulary) -> str:
        """Put a fact into words for the person on a seat, who is "You" in it."""
        if reader is None or reader >= len(self.texts.names):
            return self.fact(fact, vocabulary)
        you = self.own["reader"]
        addressing = copy(self)
        addressing.texts = copy(self.texts)
        names = enumerate(self.texts.names)
        addressing.texts.names = [READER if seat == reader else name for seat, name in names]
        said = WITHIN.sub(
            lambda found: str(you["owner_within" if found[1] else "within"]),
            addressing.fact(fact, vocabulary),
        )
        return said.replace(f"{READER}’s", str(you["owner"])).replace(READER, str(you["first"]))

    def say(self, key: str, **details: object) -> str:
        """Return one of the terminal's own sentences, filled with details."""
        return str(self.own["terminal"][key]).format(**details)

    def label(self, key: str) -> str:
        """Name a key of a view. A word of the game comes first."""
        if self.texts.has("words", key):
            return self.texts.word(key)
        return str(self.own["keys"].get(key, key.replace("_", " ")))

    def tally(self, letters: str) -> str:
        """Count a text such as `RRB` by its letters in words; empty if the game has no words."""
        kinds = list(dict.fromkeys(letters))
        if not kinds or not all(self.texts.has("forms", f"tally-{kind}") for kind in kinds):
            return ""
        counts = [self.texts.form(f"tally-{kind}", count=letters.count(kind)) for kind in kinds]
        return self.texts.listed(counts)

    def quote(self, words: object) -> str:
        """Quote what a player said. A key of a ready phrase becomes the phrase."""
        return self.say("quote", words=self.texts.phrase(str(words)))

    def pair(self, name: str, value: str) -> str:
        """Write a name and its value: `Score: 3`."""
        return f"{name}{self.say('colon')}{value}"

    def number(self, name: str, value: str) -> str:
        """Write a name and its number: `Round 3`."""
        return self.say("number", name=name, value=value)

    def typed(self, words: str) -> str:
        """Quote what a person typed: short, and its control characters escaped."""
        shown = repr(words)[1:-1]
        if len(shown) > MAX_QUOTED:
            shown = f"{shown[:MAX_QUOTED]}…"
        return self.say("typed", words=shown)

    def option(self, name: str, value: object) -> str:
        """Name an option and its value."""
        try:
            title = str(self.texts.get("options", name)["title"])
            return self.pair(title, self.texts.value(name, value))
        except LookupError:
            return self.pair(self.label(name), self.word(value))


def spell_options(spec: GameSpec, options: Mapping[str, OptionValue]) -> str:
    """Write options as they are typed after --options."""
    names = {name: spec.options[name].name_of(value) for name, value in options.items()}
    return ", ".join(f"{name}={str(value).lower()}" for name, value in names.items())


def damage_hint(record: str, language: str = "en") -> str:
    """Say what an editor or a transfer may have done to a record; empty if it shows no sign."""
    texts = terminal_texts(language)["damage"]
    signs = {"bom": record.startswith(BYTE_ORDER_MARK), "crlf": "\r\n" in record}
    found = [str(texts[key]) for key, is_found in signs.items() if is_found]
    return str(texts["hint"]).format(found=str(texts["and"]).join(found)) if found else ""
