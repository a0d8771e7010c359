"""Processor time and memory that moves, matches, sockets and tables cost a server.

Servers of this project and of boardgame.io run at once and are measured in turns, each with more
moves due than it can do. Moves and new matches are measured apart, with and without the words that
browsers are sent. Figures are medians of the rounds. Ratios are taken within a round.
"""

import argparse
import asyncio
import json
import statistics
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.costs import (
    Costs,
    Paced,
    Subject,
    Table,
    check,
    costs_of,
    idle_costs,
    paced,
    set_up,
)
from benchmarks.crowds import GAMES, KAMIZA, told
from benchmarks.load import built, loaded
from benchmarks.rounds import compiled_path, counted, machine, machine_load, positive
from benchmarks.servers import Unavailable, end_with_servers, named, python, running

REFERENCE = "boardgame.io, memory"
SERVERS = ("zashiki, SQLite", "zashiki, PostgreSQL, 1 server", REFERENCE, "boardgame.io, flatfile")
WORDS = {"off": False, "on": True}
EMPTY = 5
"""The idle time of servers without tables is shorter by this factor."""


@dataclass
class Results:
    """All figures of a run."""

    machine: str
    costs: list[Costs] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    paced: list[Paced] = field(default_factory=list)


class Bench:
    """The servers of one game, while they are measured."""

    def __init__(self, game: str, results: Results, chosen: argparse.Namespace) -> None:
        self.game = game
        self.results = results
        self.chosen = chosen
        self.subjects: list[Subject] = []

    async def run(self) -> None:
        """Start the servers, measure them, and end them."""
        async with AsyncExitStack() as stack:
            for name in named(self.chosen.only, SERVERS):
                if self.game != KAMIZA and not name.startswith("zashiki"):
                    continue
                try:
                    subject = await stack.enter_async_context(started(name, self.game, self.chosen))
                except Unavailable as why:
                    print(f"{name}: {why}", file=sys.stderr)
                else:
                    self.subjects.append(subject)
            await self.open_tables()
            await self.in_turns(self.measure_costs, self.chosen.rounds)
            if self.game == KAMIZA:
                await self.in_turns(self.measure_pace, self.chosen.paced_rounds)
            await self.in_turns(self.check_counts)

    async def open_tables(self) -> None:
        """Open the tables. Measure them while nobody moves."""
        idle = self.chosen.idle if self.game == KAMIZA else 0.0
        empty = dict(zip(self.names(), await idle_costs(self.subjects, idle / EMPTY), strict=True))
        opened: dict[str, Table] = {}

        async def open_here(subject: Subject, _: int) -> None:
            opened[subject.name] = await set_up(subject, self.chosen.tables)

        await self.in_turns(open_here)
        full = await idle_costs(self.subjects, idle)
        for name, cost in zip(self.names(), full, strict=True):
            if idle:
                opened[name].idle = (cost - empty[name]) / self.chosen.tables
        self.results.tables += opened.values()

    def names(self) -> list[str]:
        """Return the servers that have not failed."""
        return [subject.name for subject in self.subjects]

    async def in_turns(
        self, do: Callable[[Subject, int], Awaitable[None]], rounds: int = 1
    ) -> None:
        """Measure each server once per round. If one fails, print why and leave it out."""
        for number in range(1, rounds + 1):
            for subject in list(self.subjects):
                try:
                    await do(subject, number)
                except Unavailable as why:
                    print(f"{subject.name}: {why}; the earlier figures are kept", file=sys.stderr)
                    self.subjects.remove(subject)

    def words_of(self, subject: Subject) -> list[bool]:
        """Return False for rounds without words, and True for those with them."""
        words = self.chosen.words if subject.server.kind == "zashiki" else ["off"]
        return [WORDS[word] for word in words]

    async def measure_costs(self, subject: Subject, number: int) -> None:
        """Measure sockets, moves and matches."""
        for has_words in self.words_of(subject):
            costs = await costs_of(
                subject, has_words, number, self.chosen.seconds, self.chosen.matches
            )
            self.results.costs.append(costs)
            print(
                f"  {number}: {costs.row:<36} {costs.move:6.0f} µs per move, {costs.match:6.2f} ms "
                f"per new match, {costs.socket:6.0f} µs per socket; {costs.processors:.2f} "
                f"processors, {costs.moves} moves, {costs.matches} matches, load {costs.load}",
                flush=True,
            )

    async def measure_pace(self, subject: Subject, number: int) -> None:
        """Measure one decision per second at each table."""
        for has_words in self.words_of(subject):
            pace = await paced(subject, has_words, number, self.chosen.paced_seconds)
            self.results.paced.append(pace)
            print(f"  {number}: {pace.row:<36} {told(pace.found)}", flush=True)

    async def check_counts(self, subject: Subject, _: int) -> None:
        """Check that each move was acknowledged."""
        print(f"  {subject.name}: {await check(subject)}", flush=True)


@asynccontextmanager
async def started(name: str, game: str, chosen: argparse.Namespace) -> AsyncIterator[Subject]:
    """Start a server and its load, and end them."""
    with running(name, chosen.compiled) as server:
        async with loaded(server, game, GAMES[game].seats) as load:
            yield Subject(name, GAMES[game], server, load)


# Tables ----------------------------------------------------------------------------------------


def middle(values: Sequence[float]) -> float:
    """Return the median, or 0 if there are no values."""
    return statistics.median(values) if values else 0.0


def show_costs(all_costs: Sequence[Costs]) -> None:
    """Print the medians of a game, one row for each server."""
    rows: dict[str, list[Costs]] = {}
    for costs in all_costs:
        rows.setdefault(costs.row, []).append(costs)
    reference = {
        costs.round: costs.move for costs in rows.get(REFERENCE) or next(iter(rows.values()))
    }
    print(
        f"\n{all_costs[0].game:<36} µs/move  lowest-highest  ratio  +database  ms/match  +database"
        "  ms/end  µs/socket  bytes/move  µs/move of the load"
    )
    for row, found in rows.items():
        moves = [costs.move for costs in found]
        ratios = [
            costs.move / reference[costs.round] for costs in found if costs.round in reference
        ]
        ends = [costs.end for costs in found if costs.end is not None]
        print(
            f"{row:<36} {middle(moves):7.0f}  {min(moves):6.0f}-{max(moves):<7.0f}"
            f"  {middle(ratios):5.2f}  {middle([costs.database_move for costs in found]):9.0f}"
            f"  {middle([costs.match for costs in found]):8.2f}"
            f"  {middle([costs.database_match for costs in found]):9.2f}"
            f"  {format(middle(ends), '6.2f') if ends else '     -'}"
            f"  {middle([costs.socket for costs in found]):9.0f}"
            f"  {middle([costs.bytes for costs in found]):10.0f}"
            f"  {middle([costs.client for costs in found]):8.1f}"
        )


def show_tables(tables: Sequence[Table]) -> None:
    """Print the costs of tables at which nobody moves."""
    print("\nNobody moves; a socket for each seat")
    for table in tables:
        idle = "" if table.idle is None else f", {table.idle:5.1f} µs per second when idle"
        print(
            f"{table.server:<36} {table.game:<9} {table.tables:>5} tables: {table.memory:6.1f} KiB "
            f"each, {table.opening:5.2f} ms to open{idle}"
        )


def show_paced(all_paced: Sequence[Paced]) -> None:
    """Print the medians of the times of moves."""
    print("\nA decision per second at each table")
    for row in dict.fromkeys(each.row for each in all_paced):
        rungs = [each.found for each in all_paced if each.row == row]
        print(
            f"{row:<36} {rungs[0].tables:>5} tables: {middle([rung.moves for rung in rungs]):5.0f} "
            f"moves per second, p50 {middle([rung.p50 for rung in rungs]):6.1f} ms, p99 "
            f"{middle([rung.p99 for rung in rungs]):6.1f} ms, "
            f"{middle([rung.cost for rung in rungs]):5.0f} µs per move with new matches"
        )


def show(results: Results) -> None:
    """Print all tables."""
    for game in dict.fromkeys(costs.game for costs in results.costs):
        show_costs([costs for costs in results.costs if costs.game == game])
    if results.tables:
        show_tables(results.tables)
    if results.paced:
        show_paced(results.paced)


# The command -----------------------------------------------------------------------------------


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--only", nargs="+", default=[], metavar="WORD", help="words in the names of servers")
    add("--games", nargs="+", choices=GAMES, default=list(GAMES), help="games (default: all)")
    add("--words", nargs="+", choices=WORDS, default=list(WORDS), help="default: off and on")
    add("--tables", type=counted, default=500, help="tables per server (default: 500)")
    add("--rounds", type=counted, default=5, help="rounds of moves and matches (default: 5)")
    add("--seconds", type=positive, default=5.0, help="max seconds of moves (default: 5)")
    add("--matches", type=counted, default=40, help="matches that end, of long games (default: 40)")
    add("--idle", type=float, default=100.0, help="seconds without moves, 0: none (default: 100)")
    add("--paced-rounds", type=int, default=3, help="rounds of one move per second (default: 3)")
    add("--paced-seconds", type=positive, default=10.0, help="seconds of each (default: 10)")
    add("--no-compiled", action="store_true", help="our modules interpreted")
    add("--json", type=Path, metavar="FILE", help="a file for all rounds")
    return parser.parse_args()


async def measure(chosen: argparse.Namespace) -> Results:
    """Measure one game after the other."""
    modules = "interpreted" if chosen.compiled is None else "compiled"
    results = Results(f"{machine()}, {modules}")
    print(f"{results.machine}, load {machine_load()}")
    for game in chosen.games:
        print(f"{GAMES[game].title}, {GAMES[game].seats} seats", flush=True)
        await Bench(game, results, chosen).run()
    return results


def main() -> None:
    chosen = arguments()
    end_with_servers()
    try:
        built()
        chosen.compiled = None if chosen.no_compiled else compiled_path(python())
    except Unavailable as why:
        print(f"{why}. Nothing is measured.", file=sys.stderr)
        return
    results = asyncio.run(measure(chosen))
    show(results)
    if chosen.json:
        chosen.json.write_text(json.dumps(asdict(results), indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
