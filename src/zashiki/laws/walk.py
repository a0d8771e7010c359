"""A match in random play, with all that a law needs to judge and to reproduce it."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from types import ModuleType
from typing import NamedTuple, TypeVar

from mypy_extensions import i64

from zashiki.core.dice import Chance, Quick
from zashiki.core.facts import Fact
from zashiki.core.match import AnyState, Match, follow, happen, start
from zashiki.core.record import tells
from zashiki.core.spec import AnyGame, GameSpec, Option, OptionValue

T = TypeVar("T")

SALT = bytes(32)
"""The salt of every walk, so that equal seeds give equal records."""

SAYINGS = ("Ha!", "上座はもらった", "quotes: ' \" \\")
FEW = 4
"""Maximum values of an option that are all tried; of more, extremes and default are tried."""


@dataclass(frozen=True)
class Form:
    """A game with a number of seats and options, as one table plays it."""

    spec: GameSpec
    seats: int
    options: Mapping[str, OptionValue]
    stated: ModuleType | None = None
    """The game's module `laws`, if any: see `stated_by`."""

    @cached_property
    def game(self) -> AnyGame:
        return self.spec.rules(self.seats, self.options).game

    def __str__(self) -> str:
        chosen = [f"{name}={value}" for name, value in self.options.items()]
        return " ".join([self.spec.id, str(self.seats), *chosen])

    def statement(self, name: str) -> Callable[..., object] | None:
        """Return a function of the game's module `laws`, if it has one of that name."""
        found: Callable[..., object] | None = getattr(self.stated, name, None)
        return found


def forms(spec: GameSpec, seats: int | None = None) -> Iterator[Form]:
    """Yield every combination of seats and options, or those for one number of seats."""
    stated = stated_by(spec)
    counts = spec.seats if seats is None else (spec.check_seats(seats),)
    for count in counts:
        values = [tried(option, count) for option in spec.options.values()]
        for chosen in product(*values):
            yield Form(spec, count, dict(zip(spec.options, chosen, strict=True)), stated)


def tried(option: Option, seats: int) -> list[OptionValue]:
    """Return all values of an option, or its extremes and its default if there are many."""
    values = option.values_for(seats)
    if len(values) <= FEW:
        return list(values)
    extremes = [values[0], option.default_for(seats), values[-1]]
    return list(dict.fromkeys(extremes))


def stated_by(spec: GameSpec) -> ModuleType | None:
    """Return the module `laws` beside the rules, if any. Its contents: see `zashiki.laws`."""
    make = getattr(spec.make, "func", spec.make)  # a partial has no module
    package = str(make.__module__)
    if not hasattr(import_module(package), "__path__"):
        package = package.rpartition(".")[0]
    name = f"{package}.laws"
    if not package or find_spec(name) is None:
        return None
    return import_module(name)


class Move(NamedTuple):
    """An action of a seat, with the words that it said."""

    seat: int
    action: str
    says: str | None


class Picks(Chance):
    """Chance that gives listed picks first, then random ones by a seed."""

    def __init__(self, picks: Sequence[int], seed: int) -> None:
        self._picks = list(picks)
        self._then = Quick(seed)

    def below(self, count: i64, stream: str) -> i64:
        return self._picks.pop(0) % count if self._picks else self._then.below(count, stream)


class Walk:
    """A match of a form, played at random by a seed. Laws do not influence it.

    The first picks may be given, so that a test can search for a walk that breaks a law.
    """

    def __init__(self, form: Form, seed: int, picks: Sequence[int] = ()) -> None:
        self.form = form
        self.seed = seed
        self.picks = tuple(picks)
        self.match = begun(form, seed)
        self.facts: list[Fact] = self.match.facts()
        self.moves: list[Move] = []
        self.told: list[int] = [len(self.facts)]
        """The number of facts at each step."""
        self.truths = [self.match.truth()]
        self._chance = Picks(picks, seed)
        self._folds: dict[str | int, tuple[AnyState, int]] = {}

    @property
    def step(self) -> int:
        return len(self.moves)

    @property
    def game(self) -> AnyGame:
        return self.match.game

    def chance(self, purpose: str) -> Quick:
        """Return chance for a law, which depends on the step and does not influence the walk."""
        return Quick(int.from_bytes(f"{purpose}/{self.seed}/{self.step}".encode(), "big"))

    def advance(self) -> None:
        """Take a random legal action of a seat that is to act."""
        move = random_move(self.match, self._chance)
        self.facts.extend(self.match.play(*move))
        self.moves.append(move)
        self.told.append(len(self.facts))
        self.truths.append(self.match.truth())

    def folded(self, reader: str | int) -> AnyState:
        """Return an empty state with the facts that this reader was told."""
        state, known = self._folds.get(reader) or (self.game.empty(), 0)
        for fact in self.facts[known:]:
            if tells(fact.audience, reader):
                happen(state, self.match.vocabulary, fact)
        self._folds[reader] = (state, len(self.facts))
        return state


def begun(form: Form, seed: int) -> Match:
    return start(form.spec, form.seats, form.options, seed, salt=SALT)


def random_move(match: Match, chance: Chance) -> Move:
    seat = pick(sorted(match.to_act), chance)
    action = pick(match.legal(seat), chance)
    says = None
    if match.spec.speech and chance.below(4, "says") == 0:
        says = pick(SAYINGS, chance)[: match.spec.speech].strip()
    return Move(seat, action, says)


def pick(items: Sequence[T], chance: Chance) -> T:
    return items[int(chance.below(len(items), "pick"))]


def fork(match: Match) -> Match:
    """Return a second match in the same position, with rules of its own."""
    rules = match.spec.unshared_rules(
        match.seats, match.header.options
    )  # shared ones might keep something
    twin = Match(match.spec, match.header, match.seed, match.salt, rules)
    for fact in match.facts():
        follow(twin, fact)
    return twin


# Texts for comparison --------------------------------------------------------------------------


def canonical(thing: object) -> str:
    return json.dumps(thing, ensure_ascii=False)


def sight(game: AnyGame, state: AnyState, seat: int) -> str:
    """Return all that a seat can see: its view, its legal actions and all refusals."""
    view = state.views[seat]
    refusals = [repr(game.refuse(view, action)) for action in game.actions]
    return canonical([plain_sight(game, state, seat), refusals])


def plain_sight(game: AnyGame, state: AnyState, seat: int) -> str:
    """Return the view and the legal actions of a seat."""
    view = state.views[seat]
    legal = [int(action) for action in game.legal(view)]
    return canonical([game.show(view), game.view_key(view), legal, *common_sight(game, state)])


def common_sight(game: AnyGame, state: AnyState) -> list[object]:
    """Return all that a spectator can see."""
    public = state.public
    return [game.show_public(public), int(game.to_act(public)), repr(game.outcome(public))]


def fingerprint(match: Match) -> str:
    """Return the full state, all views and counts: all that only an action may change."""
    views = [match.view(seat) for seat in (None, *range(match.seats))]
    journal = match.journal
    return canonical([match.truth(), views, len(journal.entries), len(journal.actions)])
