"""Texts with fallbacks, for a game that lacks a language or a text."""

from collections.abc import Mapping, Sequence
from typing import Any

from zashiki.core.facts import Fact, Vocabulary
from zashiki.core.game import Attempt
from zashiki.core.rulings import Refusal
from zashiki.core.spec import AnyGame, GameSpec
from zashiki.core.text import Texts

Options = Mapping[str, Any]


def game_texts(
    spec: GameSpec, language: str, names: Sequence[str], options: Options | None
) -> Texts:
    """Return the texts of a game in this language, or in English if it has none."""
    try:
        return spec.texts(language, names, options)
    except FileNotFoundError:
        return spec.texts("en", names, options)


class Wording:
    """Puts a game into words. Anything without a text is shown in notation."""

    def __init__(
        self,
        spec: GameSpec,
        language: str,
        names: Sequence[str] = (),
        options: Options | None = None,
    ) -> None:
        self.spec = spec
        self.language = language
        self.texts = game_texts(spec, language, names, options)

    def title(self) -> str:
        return self.entry("titles", self.spec.id, self.spec.id)

    def summary(self) -> str:
        return self.entry("summaries", self.spec.id, "")

    def goal(self) -> str:
        return self.entry("goals", self.spec.id, "")

    def credits(self) -> list[str]:
        """The people behind the printed game, one role per line; empty if it has none."""
        credits = self.spec.credits
        return [
            self.texts.form(
                "credit", role=self.texts.get("credits", role), names=self.texts.listed([*names])
            )
            for role, names in (credits.people if credits else ())
        ]

    def entry(self, section: str, key: str, otherwise: str) -> str:
        return str(self.texts.get(section, key)) if self.texts.has(section, key) else otherwise

    def seat(self, seat: int) -> str:
        return self.texts.seat(seat)

    def word(self, word: object) -> str:
        return self.texts.word(str(word))

    def phase(self, public: Mapping[str, object]) -> str:
        """Return the request to the seats to act. A game that shows no phase has only one."""
        phases = self.texts.game.get("phases", {})
        return str(phases.get(public.get("phase", next(iter(phases), None)), ""))

    def action(self, attempt: Attempt) -> str:
        try:
            return self.texts.action(attempt)
        except LookupError:
            return attempt.text

    def refusal(self, refusal: Refusal) -> str:
        try:
            return self.texts.refusal(refusal)
        except LookupError:
            return ", ".join(f"{name}: {value}" for name, value in refusal.details.items())

    def fact(self, fact: Fact, vocabulary: Vocabulary) -> str:
        try:
            return self.texts.fact(fact, vocabulary)
        except LookupError:
            signature = vocabulary.sayable(fact)
            said = [kind.say(fact.arguments[name], self.texts) for name, kind in signature.items()]
            return " ".join([fact.name.replace("_", " "), *filter(None, said)])

    def phrases(self, game: AnyGame) -> dict[str, str]:
        """Return the phrases for an action, by key, without those of roles that this game lacks."""
        roles = {str(word) for action in game.actions for word in action.words.values()}
        offered = self.texts.game.get("phrases", {})
        return {
            key: str(phrase)
            for key, phrase in offered.items()
            if (role := key.rpartition("-")[0]) in roles or not self.texts.has("words", role)
        }
