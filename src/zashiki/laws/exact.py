"""Laws judged exactly, with fractions, over all histories of a small form.

Every history from a beginning is followed, through every action and every outcome of chance. The
facts told to a seat then determine the possible worlds and their likelihood. Chance counts by its
probability. A hidden choice is even among those that would have looked the same. A public choice is
not evidence.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Literal, TypeVar

from zashiki.core.dice import Chance, Script
from zashiki.core.game import ActionId, members
from zashiki.core.match import AnyState, Match, folded, scenario
from zashiki.core.parts import Entry, Journal, Seat
from zashiki.core.record import tells
from zashiki.core.rulings import Malformed
from zashiki.core.spec import AnyGame
from zashiki.laws.law import Fault, Moment, Skipped, difference, law
from zashiki.laws.walk import Form, Walk, canonical, plain_sight

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
Prior = Literal["designed", "even"]

MAX_WORLDS = 1200
"""Maximum histories that are followed, and maximum worlds of a sampler."""

MAX_FROM_OPENINGS = 250
"""Maximum histories that are followed from each family of openings."""


class TooMany(Exception):
    """There are more branches than are followed."""


def likelihood(script: Script) -> Fraction:
    return Fraction(1, prod(script.sizes))


def branches(ask: Callable[[Chance], T], most: int = MAX_WORLDS) -> Iterator[tuple[T, Fraction]]:
    """Yield the answer of `ask` and its likelihood for every outcome of chance."""
    answers: list[int] | None = []
    for _ in range(most):
        assert answers is not None
        script = Script(answers)
        result = ask(script)
        yield result, likelihood(script)
        answers = script.next_answers()
        if answers is None:
            return
    raise TooMany(f"more than {most} branches")


def distribution(sample: Callable[[Chance], K], most: int = MAX_WORLDS) -> dict[K, Fraction]:
    """Return the exact likelihood of each result of `sample`."""
    found: dict[K, Fraction] = defaultdict(Fraction)
    for result, likelihood in branches(sample, most):
        found[result] += likelihood
    return dict(found)


# Histories -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class History:
    """A possible course of a match, and its likelihood for each seat by what the seat knows."""

    entries: list[Entry]
    weights: tuple[Fraction, ...]

    def stream(self, seat: int) -> str:
        """Return all facts that a seat was told, as text."""
        return repr([entry[:3] for entry in self.entries if tells(entry[0], seat)])

    def state(self, game: AnyGame) -> AnyState:
        return folded(game, self.entries)


def beginnings(game: AnyGame) -> list[History]:
    """Return the history of every possible set-up."""

    def begin(chance: Chance) -> list[Entry]:
        journal = Journal()
        state = game.empty()
        state.keep_journal(journal)
        game.start(state, chance)
        return list(journal.entries)

    return [History(entries, (likely,) * game.seats) for entries, likely in branches(begin)]


def standing(matches: list[Match]) -> list[History]:
    """Return the histories of some matches as the only beginnings, equally likely."""
    likely = Fraction(1, len(matches))
    return [History(list(match.journal.entries), (likely,) * match.seats) for match in matches]


def next_histories(game: AnyGame, history: History) -> list[History]:
    """Return all histories that are one action longer, for every outcome of chance."""
    state = history.state(game)
    further: list[History] = []
    for seat in members(game.to_act(state.public)):
        told: list[tuple[int, list[Entry], Fraction]] = []
        for action in game.legal(state.views[seat]):
            ways = branches(lambda chance, a=action, s=seat: applied(game, history, s, a, chance))  # type: ignore[misc]
            told += [(int(action), entries, likely) for entries, likely in ways]
        further += weighed(game.seats, history, told)
    return further


def applied(
    game: AnyGame, history: History, seat: int, action: ActionId, chance: Chance
) -> list[Entry]:
    """Return the entries that an action adds to the journal."""
    state = history.state(game)
    journal = Journal()
    state.keep_journal(journal)
    game.apply(state, Seat(seat), action, chance)
    return list(journal.entries)


def weighed(
    seats: int, history: History, told: list[tuple[int, list[Entry], Fraction]]
) -> list[History]:
    """Weigh histories for each seat: a hidden choice is even among actions that look alike."""
    alike: dict[tuple[int, str], set[int]] = defaultdict(set)
    looks = [[History(entries, ()).stream(seat) for seat in range(seats)] for _, entries, _ in told]
    for (action, _, _), look in zip(told, looks, strict=True):
        for seat in range(seats):
            alike[seat, look[seat]].add(action)
    return [
        History(
            history.entries + entries,
            tuple(history.weights[s] * likely / len(alike[s, look[s]]) for s in range(seats)),
        )
        for (_, entries, likely), look in zip(told, looks, strict=True)
    ]


def histories(game: AnyGame, first: list[History], most: int = MAX_WORLDS) -> list[History]:
    """Return all histories up to the greatest depth with at most `most` of them."""
    known, layer = list(first), first
    while layer:
        coming: list[History] = []
        for history in layer:
            try:
                coming += next_histories(game, history)
            except TooMany:
                return known
            if len(known) + len(coming) > most:
                return known
        known += coming
        layer = coming
    return known


# The law ---------------------------------------------------------------------------------------


@law("the facts told to a seat determine its view and its sampled worlds", Moment.FORM)
def sampling_is_exact(walk: Walk) -> None:
    """Judged from the start, if few deals are possible, and from `laws.openings(game)`."""
    form = walk.form
    prior: Prior = getattr(form.stated, "PRIOR", "designed")
    try:
        first = beginnings(walk.game)
    except TooMany:
        first = []
    families = openings(form)
    for family in families:
        known = histories(walk.game, standing(family), MAX_FROM_OPENINGS)
        check_exactly(walk.game, known, prior)
    if first and len(first) * 2 <= MAX_WORLDS:
        check_exactly(walk.game, histories(walk.game, first), prior)
    elif not families:
        raise Skipped(f"more than {MAX_WORLDS} deals are possible, and the game has no openings")


def openings(form: Form) -> list[list[Match]]:
    """Return the families of openings that the game states in its module `laws`."""
    families = form.statement("openings")
    if families is None:
        return []
    given = families(form.game)
    assert isinstance(given, list)
    try:
        return [
            [scenario(form.spec, truth, form.options, 1) for truth in family] for family in given
        ]
    except Malformed as fault:
        raise Fault(f"openings of laws.py: {fault}") from fault


def check_exactly(game: AnyGame, known: list[History], prior: Prior) -> None:
    """Check that equal facts to a seat give equal sights, and exactly the possible worlds."""
    sights: dict[tuple[int, str], str] = {}
    possible: dict[tuple[int, str], dict[str, Fraction]] = {}
    last: dict[tuple[int, str], AnyState] = {}
    for history in known:
        state = history.state(game)
        truth = canonical(game.truth(state))
        for seat in range(game.seats):
            key = (seat, history.stream(seat))
            seen = plain_sight(game, state, seat)
            if sights.setdefault(key, seen) != seen:
                raise Fault(f"seat {seat} was told {key[1]}: {difference(sights[key], seen)}")
            worlds = possible.setdefault(key, defaultdict(Fraction))
            worlds[truth] += history.weights[seat]
            last[key] = state
    for key, worlds in possible.items():
        check_sampler(game, last[key], key, worlds, prior)


def check_sampler(
    game: AnyGame, state: AnyState, key: tuple[int, str], worlds: dict[str, Fraction], prior: Prior
) -> None:
    seat, stream = key
    view = state.views[seat]
    try:
        given = distribution(lambda chance: canonical(game.truth(game.sample(view, chance))))
    except TooMany as many:
        raise Skipped(f"the sampler has {many}") from None
    for world in given.keys() - worlds.keys():
        raise Fault(
            f"seat {seat} was told {stream}, which is impossible in the sampled world {world}"
        )
    for world in worlds.keys() - given.keys():
        raise Fault(
            f"seat {seat} was told {stream}, and the possible world {world} is never sampled"
        )
    total = sum(worlds.values())
    for world, weight in worlds.items():
        expected = Fraction(1, len(worlds)) if prior == "even" else weight / total
        if given[world] != expected:
            raise Fault(
                f"seat {seat} was told {stream}; the world {world} is sampled "
                f"with likelihood {given[world]}, expected {expected}"
            )
