"""Iterations per second of a search: ours in each game, and OpenSpiel's in C++.

    make bench
    .venv-bench/bin/python benchmarks/bench_search.py --rounds 51 --json search.json
    .venv-bench/bin/python benchmarks/bench_search.py --only red-town euchre

Every round makes one search of each kind, all with the same number of iterations, at the first
decision of a deal: `searches.py` says how. The clock counts processor time. A ratio is taken within
a round, and the table shows the median of the rounds. So the load of the machine, which changes
more slowly, cancels out.
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
    counted,
    machine,
    machine_load,
    stopped_at_end,
    write_json,
)

MODULE = "benchmarks.searches"
WARM_UP = 100  # iterations of each measure before the first round
REFERENCE = "OpenSpiel euchre (4 seats)"


@dataclass(frozen=True)
class Goal:
    """A required ratio of our iterations per second to those of the reference."""

    label: str
    times: float


GOALS = [
    Goal("kamiza-second (3 seats)", 1),
    Goal("kamiza-second (4 seats)", 1),
    Goal("kamiza-2014 (4 seats)", 1),
    Goal("red-town (4 seats, form=short)", 1),
]


@dataclass(frozen=True)
class Row:
    """A search that is measured, and its iterations and steps per second in each round."""

    worker: Worker
    place: int
    name: str
    note: str
    rates: list[float] = field(default_factory=list)
    steps: list[float] = field(default_factory=list)

    @property
    def label(self) -> str:
        return f"{self.name} ({self.note})"

    def is_named(self, words: Sequence[str]) -> bool:
        """Return whether its label contains one of these words. Without words it is True."""
        return not words or any(word.lower() in self.label.lower() for word in words)

    def measure(self, iterations: int, seed: int) -> tuple[float, float]:
        """Run one search, and return its iterations and steps per second."""
        made, steps, elapsed = self.worker.ask(self.place, iterations, seed)
        return made / elapsed, steps / elapsed

    def times(self, other: "Row") -> float:
        """Return the ratio of its speed to the other's: the median of the rounds."""
        return median(mine / its for mine, its in zip(self.rates, other.rates, strict=True))


# Measuring -------------------------------------------------------------------------------------


def main() -> None:
    """Measure, and print the table and the goals."""
    arguments = read_arguments()
    load = machine_load()
    amount = f"{arguments.rounds} rounds of {arguments.iterations:,} iterations"
    print(f"{machine()}, load {load} at the start; {amount}")
    with stopped_at_end(start_workers(arguments)) as workers:
        rows = [row for worker in workers for row in rows_of(worker)]
        rows = [row for row in rows if row.is_named(arguments.only)]
        measure(rows, arguments.iterations, arguments.rounds)
    print_table(rows)
    print_goals(rows)
    write_json(arguments, as_json(rows, load, arguments.iterations))


def read_arguments() -> argparse.Namespace:
    parser = comparison_parser("Iterations per second of a search.")
    add = parser.add_argument
    add("--iterations", type=counted, default=5000, help="iterations per search (default: 5000)")
    add("--no-compiled", action="store_true", help="measure our modules interpreted instead")
    return parser.parse_args()


def start_workers(arguments: argparse.Namespace) -> list[Worker]:
    path = None if arguments.no_compiled else compiled_path()
    workers = [Worker(MODULE, "interpreted" if path is None else "compiled", path)]
    if not arguments.no_peers:
        workers.append(Worker(MODULE, "peers"))
    return workers


def rows_of(worker: Worker) -> list[Row]:
    """Read what the worker can measure. It sends that once, as its first line."""
    return [Row(worker, place, *said) for place, said in enumerate(worker.answer())]


def measure(rows: Sequence[Row], iterations: int, rounds: int) -> None:
    """Run one search of each row per round, in alternating order so that drift favours none."""
    for row in rows:
        row.measure(min(WARM_UP, iterations), 0)
    for number in range(rounds):
        for row in rows if number % 2 == 0 else reversed(rows):
            rate, steps = row.measure(iterations, number + 1)
            row.rates.append(rate)
            row.steps.append(steps)
        if sys.stderr.isatty():
            print(f"round {number + 1} of {rounds}", end="\r", file=sys.stderr, flush=True)


# Telling ---------------------------------------------------------------------------------------


def find(rows: Sequence[Row], label: str, modules: str) -> Row | None:
    wanted = (label, modules)
    return next((row for row in rows if (row.label, row.worker.modules) == wanted), None)


def print_table(rows: Sequence[Row]) -> None:
    """Print the rows. The last column is the ratio of the iterations to the reference's."""
    reference = find(rows, REFERENCE, "")
    print(
        f"\n{'from the first decision':<48}{'iterations/s':>14}{'lowest':>10}{'highest':>10}",
        end="",
    )
    print(f"{'steps/s':>12}{'ratio':>8}")
    for row in rows:
        ratio = "" if reference is None else f"{row.times(reference):.2f}"
        print(line_of(row, "= 1" if row is reference else ratio))


def line_of(row: Row, ratio: str) -> str:
    rates = f"{median(row.rates):>14,.0f}{min(row.rates):>10,.0f}{max(row.rates):>10,.0f}"
    return f"  {row.label:<34}{row.worker.modules:<12}{rates}{median(row.steps):>12,.0f}{ratio:>8}"


def print_goals(rows: Sequence[Row]) -> None:
    print("\nGoals")
    for goal in GOALS:
        result = result_of(goal, rows)
        verdict = "not measured"
        if result is not None:
            verdict = f"{'met' if result >= goal.times else 'MISSED'}: {result:.2f}"
        aim = f"{goal.label}, compiled, at least {goal.times:g} x {REFERENCE}"
        print(f"  {aim:<84}{verdict}")


def result_of(goal: Goal, rows: Sequence[Row]) -> float | None:
    row, reference = find(rows, goal.label, "compiled"), find(rows, REFERENCE, "")
    return None if row is None or reference is None else row.times(reference)


def as_json(rows: Sequence[Row], load: str, iterations: int) -> dict[str, object]:
    """Return all figures for `--json`."""
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "load": load,
        "iterations": iterations,
        "rows": [
            {
                "name": row.name,
                "note": row.note,
                "modules": row.worker.modules,
                "rates": row.rates,
                "steps": row.steps,
            }
            for row in rows
        ],
        "goals": [
            {
                "game": goal.label,
                "reference": REFERENCE,
                "times": goal.times,
                "result": result_of(goal, rows),
            }
            for goal in GOALS
        ],
    }


if __name__ == "__main__":
    main()
