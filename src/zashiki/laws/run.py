"""Checks of the laws over a match or all forms of a game, with counts."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from zashiki.core.spec import GameSpec
from zashiki.laws.law import LAWS, BrokenLaw, Law, Moment, Skipped, raised
from zashiki.laws.playing import play_ends
from zashiki.laws.walk import Form, Walk, forms

WHOLE = 8
"""Steps from the first at which laws are always judged."""


@dataclass
class Count:
    """The number of times that a law was judged, the time, and the reasons for skipping it."""

    asked: int = 0
    seconds: float = 0.0
    skipped: set[str] = field(default_factory=set)


@dataclass
class Tally:
    """The counts of all laws for one game."""

    forms: int = 0
    matches: int = 0
    steps: int = 0
    laws: dict[str, Count] = field(default_factory=dict)

    def ask(self, law: Law, walk: Walk) -> None:
        count = self.laws.setdefault(law.name, Count())
        began = time.perf_counter()
        try:
            law.check(walk)
            count.asked += 1
        except Skipped as reason:
            count.skipped.add(str(reason))
        finally:
            count.seconds += time.perf_counter() - began


def check_form(form: Form, laws: Iterable[Law] = LAWS, tally: Tally | None = None) -> None:
    """Judge the laws that concern a form and not a match of it."""
    tally = tally or Tally()
    tally.forms += 1
    asked = [law for law in laws if law.moment is Moment.FORM]
    if asked:
        walk = begin(form, 0)
        for law in asked:
            tally.ask(law, walk)


def check_match(
    form: Form,
    seed: int,
    laws: Iterable[Law] = LAWS,
    tally: Tally | None = None,
    picks: Sequence[int] = (),
    whole: int = WHOLE,
) -> Walk:
    """Play a random match to its end and judge it; raise `BrokenLaw` if a law does not hold.

    The laws are judged at the first `whole` steps, then at every second, third ... one.
    """
    tally = tally or Tally()
    laws = list(laws)
    at_step = [law for law in laws if law.moment is Moment.STEP]
    walk = begin(form, seed, picks)
    while True:
        if is_asked_at(walk, whole):
            for law in at_step:
                tally.ask(law, walk)
        play_ends.check(walk)
        if walk.match.over:
            break
        advance(walk)
    for law in laws:
        if law.moment is Moment.MATCH:
            tally.ask(law, walk)
    tally.matches += 1
    tally.steps += walk.step
    return walk


def is_asked_at(walk: Walk, whole: int = WHOLE) -> bool:
    """Return True for all steps of a short match and ever fewer of a long one, and the end."""
    gap = 1 + walk.step // whole
    return walk.match.over or (walk.step + walk.seed) % gap == 0


def begin(form: Form, seed: int, picks: Sequence[int] = ()) -> Walk:
    """Return a walk before its first step."""
    try:
        return Walk(form, seed, picks)
    except Exception as error:
        fault = str(raised(error, form.spec))
        raise BrokenLaw(play_ends.name, form, seed, picks, 0, fault) from error


def advance(walk: Walk) -> None:
    try:
        walk.advance()
    except Exception as error:
        raise play_ends.broken(walk, raised(error, walk.form.spec)) from error


def check_game(spec: GameSpec, matches: int, seed: int = 1, seats: int | None = None) -> Tally:
    """Judge every law in every form of a game, with `matches` matches per form."""
    tally = Tally()
    for form in forms(spec, seats):
        check_form(form, LAWS, tally)
        for number in range(matches):
            check_match(form, seed + number, LAWS, tally)
    return tally
