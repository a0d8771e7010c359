"""The description of a game: seats, options, texts, bots, and how to make its rules."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from importlib import import_module
from importlib.resources.abc import Traversable
from typing import Any

from zashiki.core.bot import Bot, Level
from zashiki.core.facts import Vocabulary
from zashiki.core.game import ActionId, Game
from zashiki.core.match_stats import MatchStats
from zashiki.core.parts import Entry, View
from zashiki.core.playout_policy import PlayoutPolicy
from zashiki.core.rulings import Malformed, as_int, quoted
from zashiki.core.shared import Shared
from zashiki.core.text import Texts

OptionValue = bool | int | str | dict[str, Any]
"""The value of an option; a mapping if the option takes content."""
AnyGame = Game[Any, Any, Any]
AnyView = View[Any, Any]


@dataclass(frozen=True)
class Content:
    """The functions of an option that also takes values that people write.

    A *settled* value is complete: a mapping that JSON can write. So the record of a match contains
    it, and a replay needs no other file.
    """

    settle: Callable[[object], dict[str, Any]]
    """Returns the settled value of a listed name or of given content. Raises `Malformed`, or
    `Faulty` if the error has words in every language."""
    remarks: Callable[[dict[str, Any], str], list[str]]
    """Returns one sentence in a language per unusual trait of a settled value."""
    words: Callable[[dict[str, Any], str], Mapping[str, str]]
    """Returns the words that a settled value adds to the game's texts in a language."""
    suffix: str
    """The suffix of files with such a value."""


@dataclass(frozen=True)
class Option:
    """A choice of the table: its values, and the id of the rule that describes it."""

    name: str
    values: tuple[OptionValue, ...]
    default: OptionValue
    ruling: str
    fitting: Callable[[int], tuple[OptionValue, ...]] | None = None
    """Returns the values for a number of seats, the default first; None: all values fit."""
    content: Content | None = None
    """For an option that takes content. `values` are then the names of the built-in content."""
    is_form: bool = False
    """True for the option that chooses the form of the game; at most one option does. Ratings are
    kept per form, because strength in one form says little about another."""

    def values_for(self, seats: int) -> tuple[OptionValue, ...]:
        return self.values if self.fitting is None else self.fitting(seats)

    def default_for(self, seats: int) -> OptionValue:
        return self.default if self.fitting is None else self.fitting(seats)[0]

    def check(self, value: object, seats: int) -> OptionValue:
        if self.content is not None:
            return self.content.settle(value)
        values = self.values_for(seats)
        number = as_int(value)
        given = value if number is None else number
        for known in values:
            if type(known) is type(given) and known == given:
                return known
        expected = ", ".join(repr(known) for known in values)
        where = f" with {seats} seats" if self.fitting else ""
        raise Malformed(
            f"option {self.name}: expected one of {expected}{where}, found {quoted(value)}"
        )

    def settled(self, value: OptionValue) -> OptionValue:
        """Return the settled form of a value."""
        return value if self.content is None else self.content.settle(value)

    def name_of(self, value: OptionValue) -> OptionValue:
        """Return the name of a settled value: the value itself, or the name in its content."""
        if self.content is None or not isinstance(value, dict):
            return value
        return str(value["name"])

    def is_listed(self, value: OptionValue) -> bool:
        """Return False for content that is not built in."""
        name = self.name_of(value)
        return self.content is None or (name in self.values and self.settled(name) == value)

    def parse(self, text: str) -> OptionValue:
        """Return the value that a text on a command line means."""
        for known in self.values:
            if str(known).lower() == text.lower():
                return known
        expected = ", ".join(str(known).lower() for known in self.values)
        raise Malformed(f"option {self.name}: expected one of {expected}, found {quoted(text)}")


@dataclass(frozen=True, eq=False)
class Rules:
    """The rules for given seats and options, and the kinds of their facts' arguments."""

    game: AnyGame
    vocabulary: Vocabulary


MAX_UNUSED_ACTIONS = 20_000
"""Maximum actions of unused rules that are kept. The rules of all built-in content fit."""
SHARED_RULES: Shared[Rules] = Shared(MAX_UNUSED_ACTIONS, lambda rules: len(rules.game.actions))
"""The rules of all games that are in use, and of those most recently used."""


@dataclass(frozen=True)
class Credits:
    """The people behind the printed game, as its rulebook names them."""

    people: tuple[tuple[str, tuple[str, ...]], ...]
    """Names by role, in the order of the rulebook. Roles are keys of the core texts."""
    website: str = ""
    """The address of the publisher; empty if the rulebook names none."""


@dataclass(frozen=True)
class GameSpec:
    """One game of the catalogue."""

    id: str
    folder: Traversable
    """The folder of `text/` and of the rules for players."""
    seats: tuple[int, ...]
    rules_version: int
    make: Callable[[int, Mapping[str, Any]], AnyGame]
    vocabulary: Callable[[int, Mapping[str, Any]], Vocabulary]
    immediate_value: Callable[[AnyGame, AnyView, ActionId], float]
    """Returns the immediate value of an action, by which a greedy player chooses."""
    options: Mapping[str, Option] = field(default_factory=dict)
    bots: Mapping[str, Callable[[AnyGame, int], Bot]] = field(default_factory=dict)
    """Makers of the bots that know this game, for given rules and a seed."""
    playout_policy: Callable[[AnyGame, int], PlayoutPolicy] | None = None
    """Makes the playout policy for a number of compared actions; None: by `immediate_value`."""
    levels: Mapping[str, Level] | None = None
    """The strength of each level; None: the defaults of all games."""
    solution: Callable[[AnyGame, AnyView, list[ActionId]], list[int]] | None = None
    """Returns the weights of the legal actions in a stored equilibrium, empty if none applies to
    the view; None: the game has none."""
    speech: int = 0
    """Maximum characters of words said with an action; 0: the game has no speech."""
    sides: tuple[str, ...] = ()
    """The side of each seat, as a word of the game's texts; empty if all seats are alike."""
    match_stats: Callable[[AnyGame, Sequence[Entry]], MatchStats] | None = None
    """Returns the statistics of a finished match from its facts; None: the game has none."""
    minutes: int = 0
    """Usual duration of a match among people, in minutes; 0: unknown."""
    difficulty: int = 0
    """Amount of rules to learn: 1 (little) to 3 (much); 0: unknown."""
    credits: Credits | None = None
    """The people behind the printed game; None for a game without a publisher."""

    def __reduce__(self) -> tuple[Callable[[str], "GameSpec"], tuple[str]]:
        """Pickle the id alone: a process that has the game installed has its functions."""
        return installed, (self.id,)

    @property
    def title(self) -> str:
        return str(self.texts("en").get("titles", self.id))

    def texts(
        self,
        language: str,
        names: Sequence[str] = (),
        options: Mapping[str, Any] | None = None,
    ) -> Texts:
        """Return the texts of a match with these names and settled options (or the defaults)."""
        words: dict[str, str] = {}
        for option in self.options.values():
            if option.content is not None:
                content = option.content
                chosen = options[option.name] if options else content.settle(option.default)
                words |= content.words(chosen, language)
        return Texts(self.folder, language, names, words)

    def rules(self, seats: int, options: Mapping[str, Any]) -> Rules:
        """Return the rules for settled options. Equal options share one object."""
        return SHARED_RULES.get(
            self._key(seats, options), lambda: self.unshared_rules(seats, options)
        )

    def unshared_rules(self, seats: int, options: Mapping[str, Any]) -> Rules:
        return Rules(self.make(seats, options), self.vocabulary(seats, options))

    def has_rules(self, seats: int, options: Mapping[str, Any]) -> bool:
        """Return True if `rules` builds nothing. Rules of new content take time to build."""
        return self._key(seats, options) in SHARED_RULES

    def _key(self, seats: int, options: Mapping[str, Any]) -> tuple[object, ...]:
        written = json.dumps([seats, dict(options)], sort_keys=True).encode()
        return self.make, self.vocabulary, blake2b(written, digest_size=16).digest()

    def check_seats(self, seats: object) -> int:
        """Return the number of seats; for None, the only one that the game has."""
        count = self.seats[0] if seats is None and len(self.seats) == 1 else as_int(seats)
        if count not in self.seats:
            expected = " or ".join(str(count) for count in self.seats)
            raise Malformed(f"seats of {self.id}: expected {expected}, found {quoted(seats)}")
        return count

    @property
    def form_option(self) -> Option | None:
        """The option that chooses the form of the game; None if there is only one form."""
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
        """Return True if every option has a built-in value."""
        return all(option.is_listed(options[name]) for name, option in self.options.items())

    def seats_of(self, truth: Mapping[str, object]) -> object:
        """Return the number of seats in a position: the one it states, or the game's only one."""
        return truth.get("seats", self.seats[0] if len(self.seats) == 1 else None)

    def options_in(self, truth: Mapping[str, object], options: object) -> object:
        """Return the chosen options with those that a position states; both must agree."""
        stated = {name: truth[name] for name in self.options if name in truth}
        if not stated or not (options is None or isinstance(options, Mapping)):
            return options
        chosen = dict(options or {})
        for name, value in stated.items():
            option = self.options[name]
            named = option.name_of(option.settled(chosen.setdefault(name, value)))
            if named != value:
                raise Malformed(
                    f"option {name}: expected {quoted(value)} of the truth, found {quoted(named)}"
                )
        return chosen

    def check_options(self, options: object, seats: int) -> dict[str, OptionValue]:
        """Return the settled values of all options, with defaults for those not chosen."""
        chosen = {} if options is None else options
        if not isinstance(chosen, Mapping):
            raise Malformed(
                f"options: expected a mapping from names to values, found {quoted(options)}"
            )
        unknown = [name for name in chosen if name not in self.options]
        if unknown:
            expected = ", ".join(self.options) or "none"
            raise Malformed(
                f"options of {self.id}: expected {expected}, found {quoted(unknown[0])}"
            )
        return {
            name: option.check(chosen.get(name, option.default_for(seats)), seats)
            for name, option in self.options.items()
        }


def installed(game: str) -> GameSpec:
    """Return the spec of an installed game, for a match that was pickled."""
    spec: GameSpec = import_module("zashiki.games").game_spec(game)
    return spec
