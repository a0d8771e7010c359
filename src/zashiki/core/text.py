"""The texts of a game in one language: all that people read, from its `text/*.toml`."""

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
        raise Malformed(
            f"language: expected one of {', '.join(LANGUAGES)}, found {quoted(language)}"
        )
    file = folder / "text" / f"{language}.toml"
    try:
        return parsed(file.read_text("utf-8"))
    except tomllib.TOMLDecodeError as fault:
        raise ValueError(f"{file}: {fault}") from fault


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
        """The words that the options of a match add."""
        self.game = load(folder, language)
        self.core = load(files("zashiki.core"), language)
        self.names = names

    def get(self, section: str, key: str) -> Any:
        """Return an entry of the match, else of the game, else of the core; or raise `KeyError`."""
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
        return str(self.get("forms", "seat")).format(number=seat + 1)

    def word(self, word: str) -> str:
        return str(self.get("words", word)) if self.has("words", word) else word

    def phrase(self, words: str) -> str:
        """Return the phrase of a key in this language, or the words as typed."""
        return str(self.get("phrases", words)) if self.has("phrases", words) else words

    def listed(self, items: list[str]) -> str:
        return str(self.get("forms", "comma")).join(items)

    def joined(self, items: list[str]) -> str:
        """Return a list as part of a sentence: `a and b`, `a, b and c`."""
        if len(items) < 3:
            return str(self.get("forms", "and")).join(items)
        *before, last = items
        return str(self.get("forms", "and-last")).join([self.listed(before), last])

    def counted(self, words: list[str]) -> str:
        """Words within a sentence, equal ones together."""
        return self.joined(self.tallied(words))

    def tallied(self, words: list[str]) -> list[str]:
        """Say words, equal ones together if they have a plural (`R7s` for `R7`)."""
        said: list[str] = []
        for word in dict.fromkeys(words):
            count, plural = words.count(word), f"{word}s"
            if count > 1 and self.has("words", plural):
                said.append(self.form("several", count=count, things=self.word(plural)))
            else:
                said += [self.word(word)] * count
        return said

    def form(self, key: str, **said: object) -> str:
        """Return a part of a sentence by its template."""
        return str(self.get("forms", key)).format(**said)

    # Sentences ---------------------------------------------------------------------------------

    def action(self, attempt: Attempt) -> str:
        return str(self.get("actions", attempt.kind)).format(**self._said(attempt.words))

    def refusal(self, refusal: Refusal) -> str:
        return str(self.get("refusals", refusal.ruling)).format(**self._said(refusal.details))

    def fact(self, fact: Fact, vocabulary: Vocabulary) -> str:
        """Return a fact as one or more sentences.

        Of a table of templates, those are used whose argument is not empty. Of a table with a
        template `otherwise`, one is used: the first whose arguments (`normal+ace`) are all not
        empty.
        """
        signature = vocabulary.sayable(fact)
        said = {name: kind.say(fact.arguments[name], self) for name, kind in signature.items()}
        template = self.get("story" if fact.name in vocabulary.retold else "facts", fact.name)
        if isinstance(template, str):
            return template.format(**said)
        if "otherwise" in template:
            fitting = (
                key for key in template if key != "otherwise" and all(map(said.get, key.split("+")))
            )
            return str(template[next(fitting, "otherwise")]).format(**said)
        spoken = [text for name, text in template.items() if name == "text" or said[name]]
        return str(self.get("forms", "gap")).join(text.format(**said) for text in spoken)

    def value(self, option: str, value: object) -> str:
        """Return a value of an option in words. A number without a word is shown as itself."""
        values = self.get("options", option).get("values", {})
        key = str(value).lower()
        return key if type(value) is int and key not in values else str(values[key])

    def hints(self, game: str) -> dict[str, dict[str, str]]:
        """Return the hints by phase; those for any phase are under the empty name."""
        hints = self.game.get("hints", {})
        shared = {key: text for key, text in hints.items() if isinstance(text, str)}
        phases = {phase: dict(hints[phase]) for phase in self.game["phases"] if phase in hints}
        return phases | {"": shared | dict(hints.get(game, {}))}

    def _said(self, words: Mapping[str, object]) -> dict[str, str]:
        return {name: self._one(word) for name, word in words.items()}

    def _one(self, word: object) -> str:
        if isinstance(word, list):
            if all(isinstance(one, str) for one in word):
                return self.counted(word)
            return self.joined([self.seat(one) for one in word])
        return self.word(str(word))
