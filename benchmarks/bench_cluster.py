"""Moves per second that servers acknowledge in time: ours, and boardgame.io's with the same game.

Each kind of server is measured in turn, with the same clients at the same pace. Each table plays
KAMIZA Second Generation with four seats and a socket per seat. More tables make more load. A move's
time runs from when it was due until the mover's own socket has received the state with the move, so
that a server that falls behind shows it. Ours commits each move to disk before it tells any seat.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.crowds import Rung, crowded, measured, play, told
from benchmarks.load import built
from benchmarks.replayed import Differs, compare
from benchmarks.rounds import compiled_path, counted, machine, machine_load, positive
from benchmarks.servers import SERVERS, Unavailable, end_with_servers, named, python
from benchmarks.soaking import SOAKED, soak

REFERENCE = "boardgame.io, memory"
PEERS = (REFERENCE, "boardgame.io, flatfile")
GOAL = 5.0
"""The goal: our moves per second divided by those of a peer, at the same p99."""
REFINED = 3
"""The number of bisections between the last good load and the first bad one."""
STILL_GROWS = 1.05


@dataclass
class Climb:
    """All measured loads of one kind of server."""

    name: str
    rungs: list[Rung] = field(default_factory=list)
    is_cut_short: bool = False
    """True if the largest allowed load was still good, so that the server could do more."""

    def best(self, bound: float) -> Rung | None:
        good = [rung for rung in self.rungs if rung.p99 <= bound]
        return max(good, key=lambda rung: rung.moves, default=None)


async def climb(name: str, chosen: argparse.Namespace) -> Climb:
    """Double the load until it is too much, then bisect between the last two."""
    found = Climb(name)
    async with crowded(name, chosen) as (server, load):

        async def tried(tables: int) -> bool:
            await play(load, tables, chosen.pace, chosen.warm_up)
            for _ in range(chosen.tries):
                rung = await measured(server, load, tables, chosen.pace, chosen.seconds)
                print(f"  {told(rung)}", flush=True)
                if rung.p99 <= chosen.bound:
                    break
            await load.rest()
            await load.again()
            best = found.best(chosen.bound)
            found.rungs.append(rung)
            grows = best is None or rung.moves > best.moves * STILL_GROWS
            return rung.p99 <= chosen.bound and grows

        try:
            first = max(1, round(chosen.first / chosen.pace))
            found.is_cut_short = await climbed(tried, first, chosen)
        except Unavailable as why:
            print(f"{name}: {why}; the earlier figures are kept", file=sys.stderr)
    return found


async def climbed(
    tried: Callable[[int], Awaitable[bool]], tables: int, chosen: argparse.Namespace
) -> bool:
    """Climb from `first` tables on. Return whether the largest allowed load was still good."""
    while tables <= chosen.most and await tried(tables):
        tables *= 2
    if tables > chosen.most:
        return True
    step = tables // 2
    tables -= step
    for _ in range(REFINED):
        step //= 2
        if not step:
            break
        good = await tried(tables + step)
        tables += step if good else 0
    return False


async def all_climbs(chosen: argparse.Namespace) -> list[Climb]:
    """Climb with each kind of server in turn."""
    found = []
    for name in named(chosen.only, SERVERS):
        print(f"{name}", flush=True)
        try:
            found.append(await climb(name, chosen))
        except Unavailable as why:
            print(f"{name}: {why}", file=sys.stderr)
    return found


def summary(climbs: Sequence[Climb], bound: float) -> None:
    """Print the highest good load of each server, and its ratio to the reference."""
    best = {found.name: found.best(bound) for found in climbs}
    reference = best.get(REFERENCE)
    print(f"\nHighest with p99 of {bound:.0f} ms or less:")
    for name, rung in best.items():
        if rung is None:
            print(f"  {name:<32} none")
            continue
        ratio = f"{rung.moves / reference.moves:5.2f}" if reference is not None else "    -"
        print(
            f"  {name:<32} {rung.moves:7.0f} moves per second, p99 {rung.p99:6.1f} ms, "
            f"x {ratio}, {rung.cost:5.0f} µs per move"
        )
    cut_short = [found.name for found in climbs if found.is_cut_short]
    for name in cut_short:
        print(f"  {name}: it can do more, see --most")
    for other in PEERS:
        ours, theirs = best.get(SOAKED), best.get(other)
        aim = f"goal: {SOAKED} {GOAL:g} x {other}"
        if ours is None or theirs is None or {SOAKED, other} & {*cut_short}:
            print(f"{aim}: not measured")
        else:
            times = ours.moves / theirs.moves
            print(f"{aim}: {'met' if times >= GOAL else 'MISSED'}, {times:.2f} x")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="WORD", help="words in the names of servers"
    )
    parser.add_argument(
        "--seconds", type=positive, default=20.0, help="seconds per load (default: 20)"
    )
    parser.add_argument("--warm-up", type=positive, default=3.0, metavar="SECONDS")
    parser.add_argument(
        "--bound", type=positive, default=100.0, metavar="MS", help="max p99 (default: 100)"
    )
    parser.add_argument(
        "--pace", type=positive, default=4.0, help="moves per second and table (default: 4)"
    )
    parser.add_argument(
        "--first", type=positive, default=100.0, help="moves per second of the first load"
    )
    parser.add_argument("--most", type=counted, default=4000, help="max tables (default: 4000)")
    parser.add_argument("--tries", type=counted, default=2, help="failures that end the climb")
    parser.add_argument(
        "--scattered", action="store_true", help="seats of a table on several servers"
    )
    parser.add_argument("--no-climb", action="store_true", help="only soak")
    parser.add_argument("--soak", type=positive, nargs="?", const=600.0, metavar="SECONDS")
    parser.add_argument("--half", type=counted, help="tables for the soak, if there was no climb")
    parser.add_argument(
        "--check", type=counted, metavar="MATCHES", help="compare the rules with ours"
    )
    parser.add_argument("--no-compiled", action="store_true", help="run our modules interpreted")
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser.parse_args()


async def soaked(climbs: Sequence[Climb], chosen: argparse.Namespace) -> dict[str, Any]:
    best = {found.name: found.best(chosen.bound) for found in climbs}.get(SOAKED)
    half = chosen.half or (best.tables // 2 if best is not None else 0)
    if not half:
        raise SystemExit("bench_cluster.py: --soak: expected a load, found none. Set --half.")
    print(f"\n{SOAKED} for {chosen.soak:.0f} s with {half} tables, {half * chosen.pace:.0f} due")
    return await soak(chosen.soak, half, chosen)


async def measure(chosen: argparse.Namespace) -> dict[str, Any]:
    """Climb, then soak. Return the figures for `--json`."""
    climbs = [] if chosen.no_climb else await all_climbs(chosen)
    if climbs:
        summary(climbs, chosen.bound)
    soaking = await soaked(climbs, chosen) if chosen.soak else None
    return {
        "machine": machine(),
        "climbs": [asdict(found) for found in climbs],
        "soak": soaking,
    }


def main() -> None:
    chosen = arguments()
    end_with_servers()
    try:
        if chosen.check:
            print(compare(chosen.check))
            return
    except (Differs, Unavailable) as why:
        raise SystemExit(f"bench_cluster.py: {why}") from None
    try:
        built()
        chosen.compiled = None if chosen.no_compiled else compiled_path(python())
    except Unavailable as why:
        print(f"{why}. Nothing is measured.", file=sys.stderr)
        return
    modules = "interpreted" if chosen.compiled is None else "compiled"
    print(f"{machine()}, {modules}, load {machine_load()}")
    result = asyncio.run(measure(chosen))
    if chosen.json:
        chosen.json.write_text(json.dumps(result, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
