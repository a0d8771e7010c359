"""Laws judged exactly, over all histories of a small form, with fractions instead of luck.

Every history from a beginning is followed, through every action and every answer of chance. What
a seat was told then decides which worlds are possible, and how likely: chance as it is, hidden
choices evenly among those that would have looked the same, public choices no evidence.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Literal, TypeVar

from zashiki.core.dice import Chance, Script
from zashiki.core.game import ActionId, members
from zashiki.core.match import AnyState, Match, part_of, scenario
from zashiki.core.parts import Entry, Journal, Seat
from zashiki.core.record import tells
from zashiki.core.spec import AnyGame
from zashiki.laws.law import Fault, Moment, Skipped, difference, law
from zashiki.laws.walk import Form, Walk, canonical, plain_sight

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
Prior = Literal["designed", "even"]

MOST_WORLDS = 1200
"""So many histories are followed at most, and a sampler asked to tell at most so many worlds."""

MOST_FROM_OPENINGS = 250
"""So many histories are followed from each family of openings."""


class TooMany(Exception):
    """More branches than were to be followed."""


def likelihood(script: Script) -> Fraction:
    return Fraction(1, prod(script.sizes))


def branches(ask: Callable[[Chance], T], most: int = MOST_WORLDS) -> Iterator[tuple[T, Fraction]]:
    """All that `ask` can answer, by every way chance can go, and how likely each way is."""
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


def distribution(sample: Callable[[Chance], K], most: int = MOST_WORLDS) -> dict[K, Fraction]:
    """What `sample` gives, and how likely each is, exactly."""
    found: dict[K, Fraction] = defaultdict(Fraction)
    for result, likelihood in branches(sample, most):
        found[result] += likelihood
    return dict(found)


# Histories -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class History:
    """One way a match can have gone, and how likely it is for each seat that does not know it."""

    entries: list[Entry]
    weights: tuple[Fraction, ...]

    def stream(self, seat: int) -> str:
        """All that a seat was told."""
        return repr([entry[:3] for entry in self.entries if tells(entry[0], seat)])

    def state(self, game: AnyGame) -> AnyState:
        state: AnyState = game.empty()
        for audience, fact, values, _ in self.entries:
            getattr(part_of(state, audience), fact)(*values)
        return state


def beginnings(game: AnyGame) -> list[History]:
    """Every way to set up."""

    def begin(chance: Chance) -> list[Entry]:
        journal = Journal()
        state = game.empty()
        state.keep_journal(journal)
        game.start(state, chance)
        return list(journal.entries)

    return [History(entries, (likely,) * game.seats) for entries, likely in branches(begin)]


def standing(matches: list[Match]) -> list[History]:
    """Matches as the only beginnings there are, all equally likely."""
    likely = Fraction(1, len(matches))
    return [History(list(match.journal.entries), (likely,) * match.seats) for match in matches]


def next_histories(game: AnyGame, history: History) -> list[History]:
    """Every action of every seat that is to act, every way chance can go."""
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
    """What an action adds to the journal."""
    state = history.state(game)
    journal = Journal()
    state.keep_journal(journal)
    game.apply(state, Seat(seat), action, chance)
    return list(journal.entries)


def weighed(
    seats: int, history: History, told: list[tuple[int, list[Entry], Fraction]]
) -> list[History]:
    """A hidden choice is even among the actions that could have looked like it, seat by seat."""
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


def histories(game: AnyGame, first: list[History], most: int = MOST_WORLDS) -> list[History]:
    """All histories up to the depth at which they are at most so many."""
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


@law("what a seat was told decides what it sees, and what is sampled, exactly", Moment.FORM)
def sampling_is_exact(walk: Walk) -> None:
    """From the start, if it has few ways, and from the game's `laws.openings(game)`."""
    form = walk.form
    prior: Prior = getattr(form.stated, "PRIOR", "designed")
    try:
        first = beginnings(walk.game)
    except TooMany:
        first = []
    families = openings(form)
    for family in families:
        known = histories(walk.game, standing(family), MOST_FROM_OPENINGS)
        check_exactly(walk.game, known, prior)
    if first and len(first) * 2 <= MOST_WORLDS:
        check_exactly(walk.game, histories(walk.game, first), prior)
    elif not families:
        raise Skipped(f"there are more than {MOST_WORLDS} ways to begin, and no openings")


def openings(form: Form) -> list[list[Match]]:
    """The families of openings that the game states: all that a seat may think possible there."""
    families = form.statement("openings")
    if families is None:
        return []
    given = families(form.game)
    assert isinstance(given, list)
    return [[scenario(form.spec, truth, form.options, 1) for truth in truths] for truths in given]


def check_exactly(game: AnyGame, known: list[History], prior: Prior) -> None:
    """Each stream of a seat: one sight, and the worlds sampled are those possible, as likely."""
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
            f"seat {seat} was told {stream}, which could not be in the sampled world {world}"
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
                f"with likelihood {given[world]}, not {expected}"
            )
