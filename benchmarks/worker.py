"""A process that measures: our games (interpreted or compiled) or the peers.

    python -m benchmarks.worker interpreted

First it writes what it can measure as a line of JSON (name, note, way). Then it reads requests, one
per line (the index of the measure in that list, seconds, a seed), and answers each with steps and
seconds.
"""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

import zashiki
from benchmarks.peers import PEERS, Measured, Way, play_until
from zashiki.core.dice import Quick
from zashiki.core.parts import Seat
from zashiki.core.spec import AnyGame, GameSpec, OptionValue
from zashiki.search.playout import play_outs

SEATS = 4
OPTIONS: dict[str, Mapping[str, OptionValue]] = {"red-town": {"form": "short"}}
"""The options with which a game is measured, if they are not its defaults."""
MATCHES_A_CALL = 50  # few enough that a slice ends in time, even interpreted


class Measure(NamedTuple):
    """Something that can be measured for a number of seconds with a seed."""

    name: str
    note: str
    """The options of the game that are not its defaults."""
    way: Way
    run: Callable[[float, int], Measured]


def run_front_door(
    game: str, seats: int, options: Mapping[str, OptionValue], seconds: float, seed: int
) -> Measured:
    """Play by `start`, `to_act`, `legal` and `play`, as README does: notation and a journal."""
    random_bits = Random(seed).getrandbits

    def play() -> int:
        match = zashiki.start(game, seats, options=options, seed=random_bits(31))
        while not match.over:
            for seat in sorted(match.to_act):
                actions = match.legal(seat)
                match.play(seat, actions[random_bits(24) * len(actions) >> 24])
        return len(match.journal.actions)

    return play_until(seconds, play)


def run_driven(game: AnyGame, seconds: float, seed: int) -> Measured:
    """Play by `to_act`, `legal` and `apply` of the rules themselves: ids, and no journal."""
    random_bits, chance = Random(seed).getrandbits, Quick(seed)
    to_act, legal, apply = game.to_act, game.legal, game.apply
    sets_of_seats = [
        [Seat(seat) for seat in range(game.seats) if bits >> seat & 1]
        for bits in range(1 << game.seats)
    ]
    alone = [seats[0] if len(seats) == 1 else None for seats in sets_of_seats]

    def play() -> int:
        steps = 0
        state = game.empty()
        game.start(state, chance)
        public, views = state.public, state.views
        while acting := to_act(public):
            seat = alone[acting]
            if seat is not None:
                actions = legal(views[seat])
                apply(state, seat, actions[random_bits(24) * len(actions) >> 24], chance)
                steps += 1
                continue
            for each in sets_of_seats[acting]:
                actions = legal(views[each])
                apply(state, each, actions[random_bits(24) * len(actions) >> 24], chance)
            steps += len(sets_of_seats[acting])
        return steps

    return play_until(seconds, play)


def run_inside(game: AnyGame, seconds: float, seed: int) -> Measured:
    """Play whole matches inside the search's own loop."""
    chance = Quick(seed)
    return play_until(seconds, lambda: play_outs(game, MATCHES_A_CALL, chance))


def measures(kind: str) -> list[Measure]:
    """Return everything that a worker of this kind can measure."""
    if kind == "peers":
        for library in sorted({peer.library for peer in PEERS if not peer.is_installed}):
            print(f"{library} is not installed: its rows are left out.", file=sys.stderr)
        return [Measure(peer.name, "", peer.way, peer.run) for peer in PEERS if peer.is_installed]
    return [measure for spec in zashiki.games().values() for measure in ways(spec, kind)]


def ways(spec: GameSpec, kind: str) -> list[Measure]:
    """Return the three ways to play a game of the catalogue, with four seats if possible."""
    seats = SEATS if SEATS in spec.seats else max(spec.seats)
    options = OPTIONS.get(spec.id, {})
    note = ", ".join(f"{name}={value}" for name, value in options.items())
    game = spec.make(seats, spec.check_options(options, seats))
    for part in (play_outs, Quick, type(game), type(game.empty().public)):
        check_module(part.__module__, kind)
    front_door = partial(run_front_door, spec.id, seats, options)
    return [
        Measure(spec.id, note, Way.FRONT_DOOR, front_door),
        Measure(spec.id, note, Way.DRIVEN, partial(run_driven, game)),
        Measure(spec.id, note, Way.INSIDE, partial(run_inside, game)),
    ]


def check_module(name: str, kind: str) -> None:
    """Check that a module is of the kind that is measured."""
    file = str(sys.modules[name].__file__)
    assert file.endswith(".py") == (kind == "interpreted"), f"{kind}: {name} is {file}"


def serve(measures: Callable[[str], Sequence[Any]], kind: str) -> None:
    """Write what can be measured, then answer requests until the input ends.

    A measure is a tuple: its description, and last the function that runs it.
    """
    answers, sys.stdout = sys.stdout, sys.stderr  # a peer's own output is not an answer
    known = measures(kind)
    print(json.dumps([measure[:-1] for measure in known]), file=answers, flush=True)
    for request in sys.stdin:
        place, amount, seed = json.loads(request)
        print(json.dumps(known[place].run(amount, seed)), file=answers, flush=True)


if __name__ == "__main__":
    serve(measures, sys.argv[1])
