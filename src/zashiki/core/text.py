"""The texts of a game in one language: everything that a person reads, from its `text/*.toml`."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from zashiki.core.facts import Fact, Vocabulary
from zashiki.core.game import Attempt
from zashiki.core.rulings import Malformed, Refusal, quoted

LANGUAGES = ("en", "ja")


def load(folder: Traversable, language: str) -> Mapping[str, Any]:
    if language not in LANGUAGES:
        raise Malformed(f"language {quoted(language)}: one of {', '.join(LANGUAGES)} is expected")
    return parsed((folder / "text" / f"{language}.toml").read_text("utf-8"))


@cache
def parsed(text: str) -> Mapping[str, Any]:
    return tomllib.loads(text)


class Texts:
    """Puts ids, facts and refusals into words, by the texts of the match, the game and the core."""

    def __init__(
        self,
        folder: Traversable,
        language: str,
        names: Sequence[str] = (),
        words: Mapping[str, str] | None = None,
    ) -> None:
        self.chosen: Mapping[str, Any] = {"words": words or {}}
        """The words that the options of a match bring."""
        self.game = load(folder, language)
        self.core = load(files("zashiki.core"), language)
        self.names = names

    def get(self, section: str, key: str) -> Any:
        """An entry of the match, the game or the core; `KeyError` where none has one."""
        for texts in (self.chosen, self.game, self.core):
            if key in texts.get(section, {}):
                return texts[section][key]
        raise KeyError(f"{section}.{key}")

    def has(self, section: str, key: str) -> bool:
        return any(key in texts.get(section, {}) for texts in (self.chosen, self.game, self.core))

    # A Speaker ---------------------------------------------------------------------------------

    def seat(self, seat: int) -> str:
        if seat < len(self.names):
            return str(self.names[seat])
        return str(self.get("forms", "seat")).format(number=seat)

    def word(self, word: str) -> str:
        return str(self.get("words", word)) if self.has("words", word) else word

    def phrase(self, words: str) -> str:
        """A phrase by its key in this language, or the words as typed."""
        return str(self.get("phrases", words)) if self.has("phrases", words) else words

    def listed(self, items: list[str]) -> str:
        return str(self.get("forms", "comma")).join(items)

    # What is said ------------------------------------------------------------------------------

    def action(self, attempt: Attempt) -> str:
        return str(self.get("actions", attempt.kind)).format(**self._said(attempt.words))

    def refusal(self, refusal: Refusal) -> str:
        return str(self.get("refusals", refusal.ruling)).format(**self._said(refusal.details))

    def fact(self, fact: Fact, vocabulary: Vocabulary) -> str:
        """A sentence. A fact with a table of templates says those whose argument is not empty."""
        signature = vocabulary.signature(fact.audience, fact.name)
        said = {name: kind.say(fact.arguments[name], self) for name, kind in signature.items()}
        template = self.get("facts", fact.name)
        if isinstance(template, str):
            return template.format(**said)
        spoken = [text for name, text in template.items() if name == "text" or said[name]]
        return str(self.get("forms", "gap")).join(text.format(**said) for text in spoken)

    def value(self, option: str, value: object) -> str:
        """A value of an option; a number is its own word. Title and help are plain entries."""
        values = self.get("options", option).get("values", {})
        key = str(value).lower()
        return key if type(value) is int and key not in values else str(values[key])

    def hints(self, game: str) -> dict[str, dict[str, str]]:
        """By the phase they fit; under no name those for any time, with this game's own."""
        hints = self.game.get("hints", {})
        shared = {key: text for key, text in hints.items() if isinstance(text, str)}
        phases = {phase: dict(hints[phase]) for phase in self.game["phases"] if phase in hints}
        return phases | {"": shared | dict(hints.get(game, {}))}

    def _said(self, words: Mapping[str, object]) -> dict[str, str]:
        return {name: self._one(word) for name, word in words.items()}

    def _one(self, word: object) -> str:
        if isinstance(word, list):
            return self.listed(
                [self.seat(one) if isinstance(one, int) else self.word(one) for one in word]
            )
        return self.word(str(word))
