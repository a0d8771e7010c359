"""What a game offers to the world: seats, options, texts, bots, and how to make its rules."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from importlib.resources.abc import Traversable
from typing import Any

from zashiki.core.bot import Bot, Level
from zashiki.core.facts import Vocabulary
from zashiki.core.game import ActionId, Game
from zashiki.core.match_stats import MatchStats
from zashiki.core.parts import Entry, View
from zashiki.core.playout_policy import PlayoutPolicy
from zashiki.core.rulings import Malformed, quoted
from zashiki.core.shared import Shared
from zashiki.core.text import Texts

OptionValue = bool | int | str | dict[str, Any]
"""What a table chose; a mapping where an option takes content."""
AnyGame = Game[Any, Any, Any]
AnyView = View[Any, Any]


@dataclass(frozen=True)
class Content:
    """How an option takes values that somebody wrote: not only those that are listed.

    A value is *settled* when it is all there, as a mapping that JSON can write: so the record of a
    match has all of it, and needs no file to be replayed.
    """

    settle: Callable[[object], dict[str, Any]]
    """A listed value's name, or content from anywhere, to the settled value; else `Malformed`
    (`Faulty` where it can be said in every language)."""
    remarks: Callable[[dict[str, Any], str], list[str]]
    """What is unusual about a settled value, a sentence each, by language."""
    words: Callable[[dict[str, Any], str], Mapping[str, str]]
    """The words that a settled value brings to the game's texts, by language."""
    suffix: str
    """How the name of a file with such a value ends."""


@dataclass(frozen=True)
class Option:
    """Something a table may choose, its values, and the rule that tells about it."""

    name: str
    values: tuple[OptionValue, ...]
    default: OptionValue
    ruling: str
    fitting: Callable[[int], tuple[OptionValue, ...]] | None = None
    """The values for so many seats, the default first, where they do not all fit."""
    content: Content | None = None
    """Where a value is content: `values` are then the names of those that come with the game."""
    is_form: bool = False
    """True for the one option, if there is one, that makes another form of the game. Strength in
    one form says little about another."""

    def values_for(self, seats: int) -> tuple[OptionValue, ...]:
        return self.values if self.fitting is None else self.fitting(seats)

    def default_for(self, seats: int) -> OptionValue:
        return self.default if self.fitting is None else self.fitting(seats)[0]

    def check(self, value: object, seats: int) -> OptionValue:
        if self.content is not None:
            return self.content.settle(value)
        values = self.values_for(seats)
        for known in values:
            if type(known) is type(value) and known == value:
                return known
        expected = ", ".join(repr(known) for known in values)
        where = f" with {seats} seats" if self.fitting else ""
        raise Malformed(
            f"option {self.name} = {quoted(value)}: one of {expected} is expected{where}"
        )

    def settled(self, value: OptionValue) -> OptionValue:
        """All of a value, where it is content."""
        return value if self.content is None else self.content.settle(value)

    def name_of(self, value: OptionValue) -> OptionValue:
        """What a settled value is called, in a truth or a line: itself, or the name in it."""
        if self.content is None or not isinstance(value, dict):
            return value
        return str(value["name"])

    def is_listed(self, value: OptionValue) -> bool:
        """Return False for content that somebody wrote."""
        name = self.name_of(value)
        return self.content is None or (name in self.values and self.settled(name) == value)

    def parse(self, text: str) -> OptionValue:
        """A value as typed on a command line."""
        for known in self.values:
            if str(known).lower() == text.lower():
                return known
        expected = ", ".join(repr(known) for known in self.values)
        raise Malformed(f"option {self.name} = {quoted(text)}: one of {expected} is expected")


@dataclass(frozen=True, eq=False)
class Rules:
    """The rules for given seats and options, and the vocabulary of their facts."""

    game: AnyGame
    vocabulary: Vocabulary


MOST_ACTIONS = 20_000
"""Actions of rules that are kept though no match uses them: those of all built-in content."""
SHARED_RULES: Shared[Rules] = Shared(MOST_ACTIONS, lambda rules: len(rules.game.actions))
"""The rules of all games that are in use, and of those that were in use last."""


@dataclass(frozen=True)
class GameSpec:
    """One game of the catalogue."""

    id: str
    folder: Traversable
    """Where `text/` and the rules for players are."""
    seats: tuple[int, ...]
    rules_version: int
    make: Callable[[int, Mapping[str, Any]], AnyGame]
    vocabulary: Callable[[int, Mapping[str, Any]], Vocabulary]
    immediate_value: Callable[[AnyGame, AnyView, ActionId], float]
    """The immediate value of an action: all that a greedy player looks at."""
    options: Mapping[str, Option] = field(default_factory=dict)
    bots: Mapping[str, Callable[[AnyGame, int], Bot]] = field(default_factory=dict)
    """The bots that know this game, made for given rules and seed."""
    playout_policy: Callable[[AnyGame, int], PlayoutPolicy] | None = None
    """The playout policy of a search, weighing so many actions; None: by `immediate_value`."""
    levels: Mapping[str, Level] | None = None
    """How well each level plays; None: as in any game."""
    speech: int = 0
    """How long words said with an action may be; 0 where the game has no such thing."""
    sides: tuple[str, ...] = ()
    """What each seat plays, as words of the game's texts; none where all seats are alike."""
    match_stats: Callable[[AnyGame, Sequence[Entry]], MatchStats] | None = None
    """The statistics of a finished match, from its facts; None: the game has none."""

    @property
    def title(self) -> str:
        return str(self.texts("en").get("titles", self.id))

    def texts(
        self,
        language: str,
        names: Sequence[str] = (),
        options: Mapping[str, Any] | None = None,
    ) -> Texts:
        """What is said in a match of these names and settled options (or the usual ones)."""
        words: dict[str, str] = {}
        for option in self.options.values():
            if option.content is not None:
                content = option.content
                chosen = options[option.name] if options else content.settle(option.default)
                words |= content.words(chosen, language)
        return Texts(self.folder, language, names, words)

    def rules(self, seats: int, options: Mapping[str, Any]) -> Rules:
        """The rules for these settled options: equal options share one object."""
        return SHARED_RULES.get(
            self._key(seats, options), lambda: self.unshared_rules(seats, options)
        )

    def unshared_rules(self, seats: int, options: Mapping[str, Any]) -> Rules:
        return Rules(self.make(seats, options), self.vocabulary(seats, options))

    def has_rules(self, seats: int, options: Mapping[str, Any]) -> bool:
        """Whether `rules` builds nothing: rules of content that somebody wrote take a while."""
        return self._key(seats, options) in SHARED_RULES

    def _key(self, seats: int, options: Mapping[str, Any]) -> tuple[object, ...]:
        written = json.dumps([seats, dict(options)], sort_keys=True).encode()
        return self.make, self.vocabulary, blake2b(written, digest_size=16).digest()

    def check_seats(self, seats: object) -> int:
        if type(seats) is not int or seats not in self.seats:
            expected = " or ".join(str(count) for count in self.seats)
            raise Malformed(f"seats {quoted(seats)}: {self.id} expects {expected}")
        return seats

    @property
    def form_option(self) -> Option | None:
        """The option that makes another form of the game; None if there is only one form."""
        return next((option for option in self.options.values() if option.is_form), None)

    def form_of(self, options: Mapping[str, OptionValue]) -> str:
        """Return the name of the form that these options choose; empty if there is only one."""
        option = self.form_option
        return "" if option is None else str(option.name_of(options[option.name]))

    def forms_for(self, seats: int) -> tuple[str, ...]:
        """Return the names of the forms for a number of seats, the default first."""
        option = self.form_option
        if option is None:
            return ("",)
        return tuple(str(option.name_of(value)) for value in option.values_for(seats))

    def is_listed(self, options: Mapping[str, OptionValue]) -> bool:
        """Return True if no option has content that somebody wrote."""
        return all(option.is_listed(options[name]) for name, option in self.options.items())

    def seats_of(self, truth: Mapping[str, object]) -> object:
        """How many seats a truth speaks of: what it says, or the only number there is."""
        return truth.get("seats", self.seats[0] if len(self.seats) == 1 else None)

    def options_in(self, truth: Mapping[str, object], options: object) -> object:
        """The options chosen, with those that a truth states itself; they may not contradict it."""
        stated = {name: truth[name] for name in self.options if name in truth}
        if not stated or not (options is None or isinstance(options, Mapping)):
            return options
        chosen = dict(options or {})
        for name, value in stated.items():
            option = self.options[name]
            named = option.name_of(option.settled(chosen.setdefault(name, value)))
            if named != value:
                raise Malformed(f"option {name} = {quoted(named)}: the truth says {quoted(value)}")
        return chosen

    def check_options(self, options: object, seats: int) -> dict[str, OptionValue]:
        """All options with their values, the default where none was chosen."""
        chosen = {} if options is None else options
        if not isinstance(chosen, Mapping):
            raise Malformed(
                f"options: a mapping from names to values is expected, not {quoted(options)}"
            )
        unknown = [name for name in chosen if name not in self.options]
        if unknown:
            expected = ", ".join(self.options) or "none"
            raise Malformed(f"option {quoted(unknown[0])}: {self.id} knows {expected}")
        return {
            name: option.check(chosen.get(name, option.default_for(seats)), seats)
            for name, option in self.options.items()
        }
