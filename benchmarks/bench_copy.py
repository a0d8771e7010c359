"""Time the copy of a match in every game, beside the clone of OpenSpiel's states.

    .venv-bench/bin/python benchmarks/bench_copy.py

A match is played at random to its middle. Then it is copied many times, in turns with all other
games, in processor time. A copy of ours has the whole journal; a state of OpenSpiel has its history
of actions. The goal is 5 µs for each of our games, compiled.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # run as a script or from tests

import zashiki
from benchmarks.rounds import compiled_path
from zashiki.core import dice

ROUNDS = 9
COPIES = 2000
GOAL = 5.0
"""Microseconds of a copy."""
OURS: tuple[tuple[str, int, dict[str, object]], ...] = (
    ("kamiza-second", 4, {}),
    ("kingdoms", 2, {}),
    ("red-town", 2, {}),
    ("red-town", 4, {"form": "short"}),
    ("red-town", 4, {}),
    ("red-town", 5, {}),
    ("goofspiel", 2, {}),
)
THEIRS = ("leduc_poker", "euchre", "hearts", "dou_dizhu")


def main() -> None:
    """Measure all in turns, print a table."""
    if dice.__file__.endswith(".py"):
        sys.exit(run_compiled())
    rows = {**ours(), **theirs()}
    times: dict[str, list[float]] = {name: [] for name in rows}
    for _ in range(ROUNDS):
        for name, copy in rows.items():
            times[name].append(microseconds(copy))
    print(f"{'copy of a match in its middle, compiled':44}  µs  [least-most of {ROUNDS} rounds]")
    for name, found in times.items():
        print(f"{name:40} {median(found):6.2f}  [{min(found):.2f}-{max(found):.2f}]")
    slowest = max(median(times[name]) for name in ours())
    met = "met" if slowest <= GOAL else "missed"
    print(f"goal: at most {GOAL:g} µs for each of our games: {met} ({slowest:.2f})")


def run_compiled() -> int:
    """Run this file again with the compiled modules."""
    path = compiled_path()
    if path is None:
        return 1
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run([sys.executable, __file__], env=environment, check=False).returncode


def microseconds(copy: Callable[[], object]) -> float:
    start = process_time()
    for _ in range(COPIES):
        copy()
    return (process_time() - start) / COPIES * 1e6


def ours() -> dict[str, Callable[[], object]]:
    rows: dict[str, Callable[[], object]] = {}
    for game, seats, options in OURS:
        match = zashiki.start(game, seats, options=options, seed=5)
        random, moves = Random(5), 0
        while not match.over:
            seat = min(match.to_act)
            match.play(seat, random.choice(match.legal(seat)))
            moves += 1
        for _ in range(moves // 2):
            match.undo()
        chosen = "".join(f" {name}={value}" for name, value in options.items())
        rows[f"zashiki {game} {seats}{chosen}, {len(match.facts())} facts"] = match.copy
    return rows


def theirs() -> dict[str, Callable[[], object]]:
    """Return a clone of each game of OpenSpiel, if it is installed."""
    try:
        import pyspiel
    except ImportError:
        print("OpenSpiel is not installed: its rows are left out")
        return {}
    return {f"open_spiel {game}, clone": middle(pyspiel, game).clone for game in THEIRS}


def middle(pyspiel: Any, name: str) -> Any:
    """Return a state of this game after half of a random match."""
    random, game = Random(5), pyspiel.load_game(name)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))
    half = game.new_initial_state()
    for action in state.history()[: len(state.history()) // 2]:
        half.apply_action(action)
    return half


if __name__ == "__main__":
    main()
