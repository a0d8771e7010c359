"""How many moves a second servers acknowledge in time: ours, and boardgame.io's with the same game.

Each kind of server in turn, with the same clients at the same pace: tables of KAMIZA Second
Generation, four seats, a socket each. The load rises with the number of tables that play. A move's
time runs from when it was due until the mover's own socket has brought the state with the move, so
that a server that falls behind shows it. Ours commits each move to disk before anybody is told.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.crowds import Rung, loaded, measured, play, told
from benchmarks.replayed import Differs, compare
from benchmarks.rounds import compiled_path, counted, machine, machine_load, positive
from benchmarks.servers import SEATS, SERVERS, Unavailable, python
from benchmarks.soaking import SOAKED, soak

REFERENCE = "boardgame.io, memory"
PEERS = (REFERENCE, "boardgame.io, flatfile")
GOAL = 5.0
"""Times the moves a second of a peer, at the same p99."""
WEIGHED = (SOAKED, REFERENCE)
REFINED = 3
"""So often the step between the last load that went well and the first that did not is halved."""
STILL_GROWS = 1.05


@dataclass
class Climb:
    """All loads of a kind of server."""

    name: str
    rungs: list[Rung] = field(default_factory=list)
    is_cut_short: bool = False
    """Went all well with as many tables as there may be?"""

    def best(self, bound: float) -> Rung | None:
        good = [rung for rung in self.rungs if rung.p99 <= bound]
        return max(good, key=lambda rung: rung.moves, default=None)


@dataclass
class Weight:
    """What so many tables cost a server on which nobody plays."""

    name: str
    tables: int
    table: float
    """KiB, its four sockets and all."""
    socket: float
    """KiB for one more."""
    idle: float
    """Microseconds of processor time for a match, a second."""


def climb(name: str, chosen: argparse.Namespace) -> Climb:
    """Twice the load each time until it is too much; then between the last two."""
    found = Climb(name)
    with loaded(name, chosen) as (server, clients):

        def tried(tables: int) -> bool:
            play(clients, tables, chosen)
            for _ in range(chosen.tries):
                rung = measured(server, clients, tables, chosen.pace, chosen.seconds)
                print(told(rung), flush=True)
                if rung.p99 <= chosen.bound:
                    break
            clients.ask("rest")
            best = found.best(chosen.bound)
            found.rungs.append(rung)
            grows = best is None or rung.moves > best.moves * STILL_GROWS
            return rung.p99 <= chosen.bound and grows

        try:
            found.is_cut_short = climbed(tried, max(1, round(chosen.first / chosen.pace)), chosen)
        except Unavailable as why:
            print(f"{name}: {why}; what was measured before stands", file=sys.stderr)
    return found


def climbed(tried: Callable[[int], bool], tables: int, chosen: argparse.Namespace) -> bool:
    """From so many tables on. Went all well with as many as there may be?"""
    while tables <= chosen.most and tried(tables):
        tables *= 2
    if tables > chosen.most:
        return True
    step = tables // 2
    tables -= step
    for _ in range(REFINED):
        step //= 2
        if not step:
            break
        good = tried(tables + step)
        tables += step if good else 0
    return False


def weigh(name: str, tables: int, chosen: argparse.Namespace) -> Weight:
    """Everybody sits and is connected; nobody moves."""
    with loaded(name, chosen) as (server, clients):
        clients.ask("open", clients.shares(len(clients.processes)))  # what is made once, is made
        empty = server.resident()
        clients.ask("open", clients.shares(tables))
        time.sleep(chosen.warm_up)
        full = server.resident()
        spent = server.spent()
        time.sleep(chosen.seconds)
        spent = server.spent() - spent
        before = server.resident()
        clients.ask("extra")
        after = server.resident()
    return Weight(
        name=name,
        tables=tables,
        table=(full - empty) / 1024 / (tables - chosen.clients or 1),
        socket=(after - before) / 1024 / tables,
        idle=1e6 * spent / chosen.seconds / tables,
    )


def chosen_names(words: Sequence[str]) -> list[str]:
    lower = [word.lower() for word in words]
    return [name for name in SERVERS if not lower or any(word in name.lower() for word in lower)]


def all_climbs(chosen: argparse.Namespace) -> list[Climb]:
    found = []
    for name in chosen_names(chosen.only):
        print(f"{name}", flush=True)
        try:
            found.append(climb(name, chosen))
        except Unavailable as why:
            print(f"{name}: {why}", file=sys.stderr)
    return found


def all_weights(chosen: argparse.Namespace) -> list[Weight]:
    found: list[Weight] = []
    names = [name for name in WEIGHED if name in chosen_names(chosen.only)]
    if names and chosen.tables:
        print(f"\nNobody plays, {SEATS} sockets a table")
    for name in names:
        for tables in chosen.tables:
            try:
                weight = weigh(name, tables, chosen)
            except Unavailable as why:
                print(f"{name}: {why}", file=sys.stderr)
                break
            found.append(weight)
            print(
                f"  {name:<24} {tables:>5} tables: {weight.table:6.1f} KiB a table with its "
                f"sockets, {weight.socket:6.1f} KiB a socket more, an idle match takes "
                f"{weight.idle:6.1f} µs of a processor's second; load {machine_load()}",
                flush=True,
            )
    return found


def summary(climbs: Sequence[Climb], bound: float) -> None:
    """The highest of each, beside the reference."""
    best = {found.name: found.best(bound) for found in climbs}
    reference = best.get(REFERENCE)
    print(f"\nHighest with p99 of {bound:.0f} ms or less:")
    for name, rung in best.items():
        if rung is None:
            print(f"  {name:<32} none")
            continue
        ratio = f"{rung.moves / reference.moves:5.2f}" if reference is not None else "    -"
        print(
            f"  {name:<32} {rung.moves:7.0f} moves a second, p99 {rung.p99:6.1f} ms, "
            f"x {ratio}, {rung.cost:5.0f} µs a move"
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
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="servers named so")
    parser.add_argument("--seconds", type=positive, default=20.0, help="a load is measured so long")
    parser.add_argument("--warm-up", type=positive, default=3.0, metavar="SECONDS")
    parser.add_argument("--bound", type=positive, default=100.0, metavar="MS", help="of p99")
    parser.add_argument("--pace", type=positive, default=4.0, help="moves a second at a table")
    parser.add_argument("--first", type=positive, default=100.0, help="the least load, in moves")
    parser.add_argument("--most", type=counted, default=4000, help="tables")
    parser.add_argument("--tries", type=counted, default=2, help="before a load is too much")
    parser.add_argument("--clients", type=counted, default=1, help="processes of them")
    parser.add_argument("--scattered", action="store_true", help="seats of a table at all servers")
    parser.add_argument(
        "--tables", type=int, nargs="*", default=[500, 1000, 2000], help="of the second table"
    )
    parser.add_argument(
        "--no-climb", action="store_true", help="the second table, or a soak, alone"
    )
    parser.add_argument("--soak", type=positive, nargs="?", const=600.0, metavar="SECONDS")
    parser.add_argument("--half", type=counted, help="tables for the soak, if nothing was measured")
    parser.add_argument("--check", type=counted, metavar="MATCHES", help="are the games the same?")
    parser.add_argument("--no-compiled", action="store_true", help="our modules interpreted")
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser.parse_args()


def soaked(climbs: Sequence[Climb], chosen: argparse.Namespace) -> dict[str, Any]:
    best = {found.name: found.best(chosen.bound) for found in climbs}.get(SOAKED)
    half = chosen.half or (best.tables // 2 if best is not None else 0)
    if not half:
        raise SystemExit("bench_cluster.py: --soak needs a load: see --half")
    print(f"\n{SOAKED} for {chosen.soak:.0f} s with {half} tables, {half * chosen.pace:.0f} due")
    return soak(chosen.soak, half, chosen)


def main() -> None:
    chosen = arguments()
    if chosen.check:
        try:
            print(compare(chosen.check))
        except (Differs, Unavailable) as why:
            raise SystemExit(f"bench_cluster.py: {why}") from None
        return
    chosen.compiled = None if chosen.no_compiled else compiled_path(python())
    modules = "interpreted" if chosen.compiled is None else "compiled"
    print(f"{machine()}, {modules}, load {machine_load()}")
    climbs = [] if chosen.no_climb else all_climbs(chosen)
    if climbs:
        summary(climbs, chosen.bound)
    weights = all_weights(chosen)
    soaking = soaked(climbs, chosen) if chosen.soak else None
    if chosen.json:
        result = {
            "machine": machine(),
            "climbs": [asdict(found) for found in climbs],
            "weights": [asdict(weight) for weight in weights],
            "soak": soaking,
        }
        chosen.json.write_text(json.dumps(result, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
