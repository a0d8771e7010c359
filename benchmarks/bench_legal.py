"""Report the size of Red Town's legal lists, and the time that they take.

    .venv-bench/bin/python benchmarks/bench_legal.py --seconds 20

Random matches are played in every form, with two to five seats. At each decision one call of
`game.legal(view)` is timed, in processor time. Random play rarely holds many Hitmen, so the largest
possible hands are searched as well: starting from a random one, cards are exchanged as long as that
adds legal actions.
"""

import argparse
import gc
import os
import platform
import sys
from collections.abc import Sequence
from random import Random
from time import perf_counter, process_time_ns
from typing import NamedTuple

import zashiki
from zashiki.core.dice import Quick
from zashiki.core.game import ActionId, members
from zashiki.core.parts import Seat
from zashiki.games.red_town.cards import Cards, collected, hitmen, kinds_in, named, plus, size
from zashiki.games.red_town.packing import hand_size
from zashiki.games.red_town.play import RedTown, RedTownView
from zashiki.laws import Form, forms

GAME = "red-town"
ALL = "all of them"
MOST_HITMEN = 4  # RT 2.5, RT 2.6: one each time that hands are passed, then the rest of a supply
CLIMBING = 0.2  # share of the time for the search for large legal lists
REPEATS = 1001  # calls per median


class Decision(NamedTuple):
    """A decision of a played match: its hand, its number of options, and the time of the call."""

    form: str
    hand: Cards
    cards: int
    options: int
    nanoseconds: int


def main() -> None:
    """Play, search for the largest hands, print."""
    seconds = read_seconds()
    gc.disable()  # a collection during a call would count as time of that call
    kind = "interpreted" if is_interpreted() else "compiled"
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    place = f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} processors"
    print(f"{place}, load {load} at the start; {GAME}, {kind}, about {seconds:g} s\n")
    print_decisions(played(seconds * (1 - CLIMBING)))
    print("\nThe largest hands there can be, with the most to do, nothing declared")
    for seats in (4, 5):
        print_largest(seats, seconds * CLIMBING / 2)


def read_seconds() -> float:
    parser = argparse.ArgumentParser(description="Time Red Town's legal lists.")
    parser.add_argument("--seconds", type=float, default=20, help="total seconds (default: 20)")
    seconds = float(parser.parse_args().seconds)
    if not 0 < seconds < float("inf"):
        parser.error(f"--seconds: expected more than 0, found {seconds:g}")
    return seconds


def is_interpreted() -> bool:
    return str(sys.modules[RedTown.__module__].__file__).endswith(".py")


# Playing ---------------------------------------------------------------------------------------


def played(seconds: float) -> list[Decision]:
    """Return the decisions of random matches: forms in turns, at least one match per form."""
    decisions: list[Decision] = []
    every = list(forms(zashiki.games()[GAME]))
    end, seed = perf_counter() + seconds, 0
    while seed < len(every) or perf_counter() < end:
        play(every[seed % len(every)], seed, decisions)
        seed += 1
    return decisions


def play(form: Form, seed: int, decisions: list[Decision]) -> None:
    """Return the decisions of one random match."""
    game, chance, name = form.game, Quick(seed), str(form).removeprefix(f"{GAME} ")
    assert isinstance(game, RedTown)
    state = game.empty()
    game.start(state, chance)
    while acting := members(game.to_act(state.public)):
        for seat in acting:
            view = state.views[seat]
            actions, nanoseconds = timed(game, view)
            hand = view.own.hand
            met = Decision(name, hand, int(size(hand)), len(actions), nanoseconds)
            decisions.append(met)
            action = actions[int(chance.below(len(actions), "pick"))]
            game.apply(state, Seat(seat), action, chance)


def timed(game: RedTown, view: RedTownView) -> tuple[list[ActionId], int]:
    """Return the legal actions, and the nanoseconds that the call took."""
    begin = process_time_ns()
    actions = game.legal(view)
    return actions, process_time_ns() - begin


def print_decisions(decisions: Sequence[Decision]) -> None:
    names = list(dict.fromkeys(decision.form for decision in decisions))
    print(f"{'seats and options':<44}{'decisions':>10}{'options':>9}{'us: 50 %':>10}", end="")
    print(f"{'99 %':>8}{'most':>10}")
    for name in names:
        print_line(name, [decision for decision in decisions if decision.form == name])
    print_line(ALL, decisions)
    by_size = sorted(decisions, key=lambda decision: decision.cards, reverse=True)
    large = by_size[: max(1, len(by_size) // 100)]
    print_line(f"the 1 % largest hands ({large[-1].cards} cards and more)", large)
    met = max(decisions, key=lambda decision: decision.options)
    print(f"\nThe most options met: {met.options}, at {met.form}\n  {shown(met.hand)}")


def print_line(name: str, decisions: Sequence[Decision]) -> None:
    times = sorted(decision.nanoseconds / 1000 for decision in decisions)
    middle, high = times[len(times) // 2], times[len(times) * 99 // 100]
    most = max(decision.options for decision in decisions)
    print(f"{name:<44}{len(times):>10,}{most:>9}{middle:>10.1f}{high:>8.1f}{times[-1]:>10.1f}")


def shown(hand: Cards) -> str:
    return f"{size(hand)} cards: {','.join(named(hand))}"


# The largest hands -----------------------------------------------------------------------------


def print_largest(seats: int, seconds: float) -> None:
    """Print the largest legal list found for a full hand with as many Hitmen as possible."""
    game = zashiki.games()[GAME].make(seats, {"form": "standard", "hitmen": "open"})
    assert isinstance(game, RedTown)
    view = about_to_start(game)
    options, hand = climbed(game, view, seconds)
    hold(view, hand)
    times = sorted(timed(game, view)[1] / 1000 for _ in range(REPEATS))
    print(f"{seats} seats: {options} options in {times[REPEATS // 2]:.1f} us\n  {shown(hand)}")


def about_to_start(game: RedTown) -> RedTownView:
    """Return the view of the first turf war's starter, after all have confirmed."""
    state, chance = game.empty(), Quick(0)
    game.start(state, chance)
    for seat in range(game.seats):
        game.apply(state, Seat(seat), game.by_text["confirm"].id, chance)
    return state.views[members(game.to_act(state.public))[0]]


def hold(view: RedTownView, hand: Cards) -> None:
    """Give a seat this hand, as a scenario would."""
    view.own.scene_held(1, hand, 0, 0)


def climbed(game: RedTown, view: RedTownView, seconds: float) -> tuple[int, Cards]:
    """Return the most options found and their hand. Climb from at least one random hand."""
    random = Random(0)
    deck = kinds_in(game.deck)
    best = climb(game, view, random, deck)
    end = perf_counter() + seconds
    while perf_counter() < end:
        best = max(best, climb(game, view, random, deck))
    return best


def climb(game: RedTown, view: RedTownView, random: Random, deck: list[int]) -> tuple[int, Cards]:
    """Exchange cards of a random hand as long as that does not reduce the options."""
    random.shuffle(deck)
    held = int(hand_size(game.seats))
    red = random.randrange(MOST_HITMEN + 1)
    wild = hitmen(red, MOST_HITMEN - red)
    best = options_of(game, view, deck[:held], wild)
    idle = 0
    while idle < len(deck):
        mine, other = random.randrange(held), random.randrange(held, len(deck))
        deck[mine], deck[other] = deck[other], deck[mine]
        found = options_of(game, view, deck[:held], wild)
        idle = 0 if found > best else idle + 1
        if found < best:
            deck[mine], deck[other] = deck[other], deck[mine]
        best = max(best, found)
    return best, plus(collected(deck[:held]), wild)


def options_of(game: RedTown, view: RedTownView, kinds: list[int], wild: Cards) -> int:
    hold(view, plus(collected(kinds), wild))
    return len(game.legal(view))


if __name__ == "__main__":
    main()
