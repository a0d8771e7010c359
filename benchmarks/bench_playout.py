"""Steps per second of random play: our games, interpreted and compiled, and other libraries.

    make bench
    .venv-bench/bin/python benchmarks/bench_playout.py --rounds 51 --json playout.json
    .venv-bench/bin/python benchmarks/bench_playout.py --only kingdoms euchre

A step is one seat's decision applied. The legal list and the pick are inside the clock, which
counts processor time. Everything is measured in turns, a short slice of each per round. A ratio is
taken within a round, and the table shows the median of the rounds. So the load of the machine,
which changes more slowly, cancels out.
"""

import argparse
import platform
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.rounds import (
    Worker,
    comparison_parser,
    compiled_path,
    machine,
    machine_load,
    positive,
    stopped_at_end,
    write_json,
)

MODULE = "benchmarks.worker"
WARM_UP = 0.05  # seconds of each measure before the first round

FRONT_DOOR = "front door"
DRIVEN = "driven from Python"
INSIDE = "whole games inside"
HEADINGS = {
    FRONT_DOOR: "(a) the front door: ours by start, to_act, legal, play, with a journal",
    DRIVEN: "(b) driven from Python: ours by to_act, legal, apply, without a journal",
    INSIDE: "(c) whole games inside the library: ours by play_outs",
}
UNO = "RLCard UNO, environment"
GOOFSPIEL = "OpenSpiel goofspiel"
BOTS = "OpenSpiel goofspiel, evaluate_bots"
REFERENCES = {FRONT_DOOR: UNO, DRIVEN: GOOFSPIEL, INSIDE: BOTS}  # of each section's ratios


@dataclass(frozen=True)
class Goal:
    """A required ratio of our speed to that of a peer that does the same."""

    way: str
    modules: str
    game: str
    times: float
    reference: str


GOALS = [
    Goal(FRONT_DOOR, "interpreted", "goofspiel", 1, UNO),
    Goal(FRONT_DOOR, "interpreted", "kamiza-2014", 1, UNO),
    Goal(FRONT_DOOR, "interpreted", "kamiza-second", 1, UNO),
    Goal(FRONT_DOOR, "interpreted", "red-town", 10, "RLCard dou dizhu, environment"),
    Goal(DRIVEN, "interpreted", "red-town", 10, "RLCard dou dizhu, game object"),
    Goal(DRIVEN, "compiled", "goofspiel", 3, GOOFSPIEL),
    Goal(DRIVEN, "compiled", "kamiza-2014", 2.5, GOOFSPIEL),
    Goal(DRIVEN, "compiled", "kamiza-second", 2.5, GOOFSPIEL),
    Goal(DRIVEN, "compiled", "kingdoms", 1, "OpenSpiel euchre"),
    Goal(DRIVEN, "compiled", "red-town", 4, "OpenSpiel dou dizhu"),
    Goal(INSIDE, "compiled", "goofspiel", 5, BOTS),
    Goal(INSIDE, "compiled", "kamiza-2014", 4, BOTS),
    Goal(INSIDE, "compiled", "kamiza-second", 4, BOTS),
    Goal(INSIDE, "compiled", "red-town", 1.5, "OpenSpiel dou dizhu, evaluate_bots"),
    Goal(INSIDE, "compiled", "red-town", 1.5, "OpenSpiel dou dizhu, evaluator, deal given"),
]


@dataclass(frozen=True)
class Row:
    """Something that is measured, and its steps per second in each round."""

    worker: Worker
    place: int
    way: str
    name: str
    note: str
    rates: list[float] = field(default_factory=list)

    @property
    def modules(self) -> str:
        return self.worker.modules

    def is_named(self, words: Sequence[str]) -> bool:
        """Return whether its name contains one of these words. Without words it is True."""
        return not words or any(word.lower() in self.name.lower() for word in words)

    def measure(self, seconds: float, seed: int) -> float:
        steps, elapsed = self.worker.ask(self.place, seconds, seed)
        return float(steps / elapsed)

    def times(self, other: "Row") -> float:
        """Return the ratio of its speed to the other's: the median of the rounds."""
        return median(mine / its for mine, its in zip(self.rates, other.rates, strict=True))


# Measuring -------------------------------------------------------------------------------------


def main() -> None:
    """Measure, and print the table and the goals."""
    arguments = read_arguments()
    load = machine_load()
    print(
        f"{machine()}, load {load} at the start; {arguments.rounds} rounds of {arguments.seconds} s"
    )
    with stopped_at_end(start_workers(arguments)) as workers:
        rows = [
            row for worker in workers for row in rows_of(worker) if row.is_named(arguments.only)
        ]
        rows.sort(key=lambda row: list(HEADINGS).index(row.way))
        measure(rows, arguments.seconds, arguments.rounds)
    print_table(rows)
    print_goals(rows)
    write_json(arguments, as_json(rows, load))


def read_arguments() -> argparse.Namespace:
    parser = comparison_parser("Steps per second of random play.")
    add = parser.add_argument
    add(
        "--seconds", type=positive, default=0.1, help="seconds per measure and round (default: 0.1)"
    )
    add("--no-compiled", action="store_true", help="leave the compiled modules out")
    return parser.parse_args()


def start_workers(arguments: argparse.Namespace) -> list[Worker]:
    path = None if arguments.no_compiled else compiled_path()
    workers = [Worker(MODULE, "interpreted")]
    if path is not None:
        workers.append(Worker(MODULE, "compiled", path))
    if not arguments.no_peers:
        workers.append(Worker(MODULE, "peers"))
    return workers


def rows_of(worker: Worker) -> list[Row]:
    """Read what the worker can measure. It sends that once, as its first line."""
    known = enumerate(worker.answer())
    return [Row(worker, place, way, name, note) for place, (name, note, way) in known]


def measure(rows: Sequence[Row], seconds: float, rounds: int) -> None:
    """Measure a slice of each row per round, in alternating order so that drift favours none."""
    for row in rows:
        row.measure(min(WARM_UP, seconds), 0)
    for number in range(rounds):
        for row in rows if number % 2 == 0 else reversed(rows):
            row.rates.append(row.measure(seconds, number + 1))
        if sys.stderr.isatty():
            print(f"round {number + 1} of {rounds}", end="\r", file=sys.stderr, flush=True)


# Telling ---------------------------------------------------------------------------------------


def find(rows: Sequence[Row], way: str, name: str, modules: str = "") -> Row | None:
    wanted = (way, name, modules)
    return next((row for row in rows if (row.way, row.name, row.modules) == wanted), None)


def first_peer(rows: Sequence[Row], way: str) -> Row | None:
    return next((row for row in rows if row.way == way and not row.modules), None)


def print_table(rows: Sequence[Row]) -> None:
    """Print a section per way to play. The last column is the ratio to the section's reference."""
    for way, heading in HEADINGS.items():
        reference = find(rows, way, REFERENCES[way]) or first_peer(rows, way)
        print(f"\n{heading:<76}{'steps/s':>11}{'lowest':>12}{'highest':>12}{'ratio':>8}")
        for row in rows:
            if row.way == way:
                print(line_of(row, reference))


def line_of(row: Row, reference: Row | None) -> str:
    figures = "".join(
        f"{rate:>12,.0f}" for rate in (median(row.rates), min(row.rates), max(row.rates))
    )
    ratio = "" if reference is None else f"{row.times(reference):.2f}"
    label = f"{row.name} ({row.note})" if row.note else row.name
    return f"  {label:<61}{row.modules:<12}{figures}{'= 1' if row is reference else ratio:>8}"


def print_goals(rows: Sequence[Row]) -> None:
    print("\nGoals")
    for goal in GOALS:
        result = result_of(goal, rows)
        verdict = "not measured"
        if result is not None:
            verdict = f"{'met' if result >= goal.times else 'MISSED'}: {result:.2f}"
        letter = HEADINGS[goal.way][:3]
        aim = f"{goal.game}, {goal.modules}, at least {goal.times:g} x {goal.reference}"
        print(f"  {letter} {aim:<81}{verdict}")


def result_of(goal: Goal, rows: Sequence[Row]) -> float | None:
    row = find(rows, goal.way, goal.game, goal.modules)
    reference = find(rows, goal.way, goal.reference)
    return None if row is None or reference is None else row.times(reference)


def as_json(rows: Sequence[Row], load: str) -> dict[str, object]:
    """Return all figures for `--json`."""
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "load": load,
        "rows": [
            {
                "way": row.way,
                "name": row.name,
                "note": row.note,
                "modules": row.modules,
                "rates": row.rates,
            }
            for row in rows
        ],
        "goals": [
            {
                "way": goal.way,
                "game": goal.game,
                "modules": goal.modules,
                "reference": goal.reference,
                "times": goal.times,
                "result": result_of(goal, rows),
            }
            for goal in GOALS
        ],
    }


if __name__ == "__main__":
    main()
