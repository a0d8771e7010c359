"""A process that measures searches: ours (interpreted or compiled) or OpenSpiel's.

    python -m benchmarks.searches compiled

A search is made at the first decision of a deal that leaves a choice, with a new deal for each
seed. Both sample a world in every iteration. Beyond the tree OpenSpiel plays at random to the end.
Ours uses the game's playout policy, as the best level that searches does. The clock counts
processor time: making and freeing the search is inside it, dealing is not.

It speaks the protocol of `worker.py`. A request is an index, iterations and a seed. An answer is
iterations, steps and seconds. A step is one seat's decision applied.
"""

import sys
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from random import Random
from time import process_time
from typing import Any, NamedTuple

import zashiki
from benchmarks.peers import deal
from benchmarks.worker import check_module, serve
from zashiki.bots.thinking import levels_of, playout_policy_of
from zashiki.core.dice import Chance, Quick
from zashiki.core.game import members
from zashiki.core.parts import Seat
from zashiki.core.spec import AnyGame, AnyView, GameSpec, OptionValue
from zashiki.search.tree import Search

Searched = tuple[int, float, float]
"""Iterations, steps, and the seconds of processor time that they took."""

OURS: list[tuple[str, int, Mapping[str, OptionValue]]] = [
    ("kamiza-second", 3, {}),
    ("kamiza-second", 4, {}),
    ("kamiza-2014", 4, {}),
    ("red-town", 4, {"form": "short"}),
    ("red-town", 4, {"form": "standard"}),
    ("red-town", 2, {"form": "two"}),
    ("kingdoms", 2, {}),
    ("goofspiel", 4, {}),
]
PEERS = [("OpenSpiel euchre", "euchre"), ("OpenSpiel oh hell", "oh_hell(players=4)")]
"""OpenSpiel's games to search. Its goofspiel is left out, since it cannot sample its worlds."""
EXPLORATION = 0.7
"""The UCT constant of OpenSpiel's search. It does not change the speed."""
PLAYOUTS_FOR_THE_MEAN = 200


class Measure(NamedTuple):
    """A search that can be measured for a number of iterations with a seed."""

    name: str
    note: str
    run: Callable[[int, int], Searched]


def run_ours(spec: GameSpec, game: AnyGame, iterations: int, seed: int) -> Searched:
    """Run our search with the settings of the best level that searches."""
    chance = Quick(seed)
    view = first_decision(game, chance)
    level = [level for level in levels_of(spec).values() if not level.bot][-1]
    policy = playout_policy_of(spec, game, level.looks)
    start = process_time()
    search = Search(game, view, policy, chance, level.exploration)
    search.run(iterations)
    steps = float(search.steps)
    del search
    return iterations, steps, process_time() - start


def first_decision(game: AnyGame, chance: Chance) -> AnyView:
    """Deal, and play to the first decision with a choice. Return the view of its seat."""
    state = game.empty()
    game.start(state, chance)
    while True:
        for seat in members(game.to_act(state.public)):
            view = state.views[seat]
            actions = game.legal(view)
            if len(actions) > 1:
                return view
            game.apply(state, Seat(seat), actions[0], chance)


def run_open_spiel(game_name: str, iterations: int, seed: int) -> Searched:
    """Run OpenSpiel's search in C++. Its steps are estimated by random play, as it counts none."""
    pyspiel = import_module("pyspiel")
    random = Random(seed)
    state = pyspiel.load_game(game_name).new_initial_state()
    deal(state, random.getrandbits)
    start = process_time()
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed)
    limits = {"uct_c": EXPLORATION, "max_simulations": iterations, "max_world_samples": -1}
    bot = pyspiel.ISMCTSBot(seed=seed, evaluator=evaluator, **limits)
    bot.step(state)
    del bot
    elapsed = process_time() - start
    return iterations, iterations * mean_decisions(state, random), elapsed


def mean_decisions(state: Any, random: Random) -> float:
    """Return the number of decisions of one random playout from here to the end."""
    decisions = 0
    for _ in range(PLAYOUTS_FOR_THE_MEAN):
        world = state.clone()
        while actions := world.legal_actions():
            decisions += not world.is_chance_node()
            world.apply_action(random.choice(actions))
    return decisions / PLAYOUTS_FOR_THE_MEAN


def measures(kind: str) -> list[Measure]:
    """Return the searches that a worker of this kind can measure."""
    if kind == "peers":
        return peer_measures()
    return [our_measure(name, seats, options, kind) for name, seats, options in OURS]


def our_measure(name: str, seats: int, options: Mapping[str, OptionValue], kind: str) -> Measure:
    spec = zashiki.games()[name]
    game = spec.make(seats, spec.check_options(options, seats))
    for part in (Search, Quick, type(game), type(game.empty().public)):
        check_module(part.__module__, kind)
    return Measure(name, note_of(seats, options), partial(run_ours, spec, game))


def peer_measures() -> list[Measure]:
    if find_spec("pyspiel") is None:
        print("OpenSpiel is not installed: its rows are left out.", file=sys.stderr)
        return []
    return [Measure(name, "4 seats", partial(run_open_spiel, game)) for name, game in PEERS]


def note_of(seats: int, options: Mapping[str, OptionValue]) -> str:
    return ", ".join([f"{seats} seats", *(f"{name}={value}" for name, value in options.items())])


if __name__ == "__main__":
    serve(measures, sys.argv[1])
