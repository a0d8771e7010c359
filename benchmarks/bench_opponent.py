"""Play our best bots against OpenSpiel's Python ISMCTS, in our games.

    .venv-bench/bin/python benchmarks/bench_opponent.py
    .venv-bench/bin/python benchmarks/bench_opponent.py --matches 200 --only kingdoms --worlds 500

Both have the same number of worlds per decision, then the same time. Ours is the level `master`
otherwise. Every deal is played once per seat, and the bots move on by one seat each time. A win
alone counts 1, a shared first rank counts in part. `opponents.py` turns our games into OpenSpiel's.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.rounds import Worker, compiled_path, counted, machine, machine_load, positive
from zashiki.lab.simulate import wilson

MODULE = "benchmarks.opponents"


@dataclass(frozen=True)
class Row:
    """A pairing and the results of its matches."""

    worker: Worker
    place: int
    name: str
    note: str
    by: str
    ours: int
    seats: int
    played: list[dict[str, float]] = field(default_factory=list)

    @property
    def label(self) -> str:
        against = f"{self.ours} of ours against {self.seats - self.ours}"
        return f"{self.name} ({self.note}), {against}" if self.note else f"{self.name}, {against}"

    def is_named(self, words: Sequence[str]) -> bool:
        """Return whether its label contains one of these words. Without words it is True."""
        return not words or any(word.lower() in self.label.lower() for word in words)

    def sum(self, what: str) -> float:
        return sum(match[what] for match in self.played)

    def verdict(self) -> str:
        """Return a winner only if the whole interval is on one side of the share among equals."""
        won, fair = wilson(self.sum("won"), len(self.played)), self.ours / self.seats
        if won.low > fair:
            return "ours wins clearly"
        return "theirs wins clearly" if won.high < fair else "not clear"


def main() -> None:
    """Play all pairings, and print their results."""
    arguments = read_arguments()
    load = machine_load()
    print(f"{machine()}, load {load} at the start; {arguments.matches} matches of each")
    path = None if arguments.no_compiled else compiled_path()
    worker = Worker(MODULE, "interpreted" if path is None else "compiled", path)
    budgets = {"worlds": arguments.worlds, "seconds": arguments.seconds}
    rows = []
    with ExitStack() as stack:
        stack.callback(worker.stop)
        for place, said in enumerate(worker.answer()):
            row = Row(worker, place, *said)
            if row.is_named(arguments.only) and row.by in arguments.by:
                rows.append(row)
                play(row, budgets[row.by], arguments.matches)
                print_row(row, budgets[row.by])
    if arguments.json:
        arguments.json.write_text(
            json.dumps(as_json(rows, load, budgets), indent=1) + "\n", "utf-8"
        )


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Play our best bots against OpenSpiel's ISMCTS.")
    add = parser.add_argument
    add("--matches", type=counted, default=40, help="matches per pairing (default: 40)")
    add("--worlds", type=counted, default=200, help="worlds per decision, for both (default: 200)")
    add(
        "--seconds",
        type=positive,
        default=0.1,
        help="seconds per decision, for both (default: 0.1)",
    )
    add("--by", nargs="+", default=["worlds", "seconds"], choices=["worlds", "seconds"])
    add("--only", nargs="+", default=[], metavar="WORD", help="words in the names of pairings")
    add("--no-compiled", action="store_true", help="run our modules interpreted")
    add("--json", type=Path, metavar="FILE", help="write every match to FILE")
    return parser.parse_args()


def play(row: Row, budget: float, matches: int) -> None:
    for match in range(matches):
        row.played.append(row.worker.ask(row.place, budget, match))
        if sys.stderr.isatty():
            print(f"match {match + 1} of {matches}", end="\r", file=sys.stderr, flush=True)


def print_row(row: Row, budget: float) -> None:
    won = wilson(row.sum("won"), len(row.played))
    print(f"\n{row.label}, {budget:g} {row.by} per decision for both: {row.verdict()}")
    print(
        f"  ours won {won.mean:.1%} of {len(row.played)} ({won.low:.1%} to {won.high:.1%}), "
        f"among equals {row.ours / row.seats:.0%}; "
        f"left {row.sum('share') / len(row.played):.1%} of the others behind, among equals 50%"
    )
    times = []
    for side in ("our", "their"):
        decisions = max(1.0, row.sum(f"{side}_decisions"))
        times.append(f"{side}s {row.sum(f'{side}_seconds') / decisions * 1000:.1f}")
    print(f"  ms per decision: {', '.join(times)}", flush=True)


def as_json(rows: Sequence[Row], load: str, budgets: dict[str, float]) -> dict[str, object]:
    """Return all matches for `--json`."""
    return {
        "load": load,
        "rows": [
            {
                "name": row.name,
                "note": row.note,
                "by": row.by,
                "budget": budgets[row.by],
                "ours": row.ours,
                "seats": row.seats,
                "verdict": row.verdict(),
                "matches": row.played,
            }
            for row in rows
        ],
    }


if __name__ == "__main__":
    main()
