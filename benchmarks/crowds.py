"""Load at a pace: a number of moves per second at each table, and the times of these moves."""

import argparse
import asyncio
import statistics
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from benchmarks.load import Load, loaded
from benchmarks.rounds import machine_load
from benchmarks.servers import Server, running

MICRO, MILLI = 1e6, 1e3


@dataclass(frozen=True)
class Game:
    """A game of this project, and how much of a match is measured."""

    title: str
    seats: int
    length: int
    """Mean number of moves in a match at random."""
    window: int
    """Moves per table while moves are measured, few enough that hardly a match ends."""
    is_short: bool
    """True if all tables end their matches in a round. Otherwise some of them do."""


KAMIZA = "kamiza-second"
"""The game that boardgame.io's servers play too."""
GAMES = {
    KAMIZA: Game("KAMIZA", seats=4, length=36, window=28, is_short=True),
    "red-town": Game("Red Town", seats=4, length=280, window=24, is_short=False),
    "kingdoms": Game("Kingdoms", seats=2, length=70, window=12, is_short=False),
}


@dataclass
class Rung:
    """The result of one offered load."""

    offered: float
    tables: int
    moves: float
    """Acknowledged per second."""
    p50: float
    """Milliseconds, as the next."""
    p99: float
    usual: float
    """The median of the p99 of each second."""
    matches: float
    """Ended per second, and as many begun."""
    server: float
    """Processors."""
    clients: float
    load: str
    """The load average of the machine."""

    @property
    def cost(self) -> float:
        """Microseconds of the server's processor time per move, with its share of new matches."""
        return MICRO * self.server / self.moves if self.moves else 0.0


@asynccontextmanager
async def crowded(name: str, chosen: argparse.Namespace) -> AsyncIterator[tuple[Server, Load]]:
    """Start a server and its clients, and end them."""
    with running(name, chosen.compiled) as server:
        async with loaded(server, KAMIZA, GAMES[KAMIZA].seats) as load:
            load.lobby.is_scattered = chosen.scattered
            yield server, load


async def play(load: Load, tables: int, pace: float, warm_up: float) -> None:
    """Play at the first `tables` tables, `pace` moves per second at each, and warm up."""
    new = range(len(load.tables), tables)
    await load.open(tables)
    await load.spread(GAMES[KAMIZA].length, new)
    load.is_endless = True
    load.play(interval=1 / pace, tables=range(tables))
    await asyncio.sleep(warm_up)


async def measured(server: Server, load: Load, tables: int, pace: float, seconds: float) -> Rung:
    """Measure the load for some seconds."""
    before = await load.report()
    clock = asyncio.get_running_loop().time
    spent, start = server.spent(), clock()
    await asyncio.sleep(seconds)
    done = await load.report()
    spent, passed = server.spent() - spent, clock() - start
    times = sorted(done.times)
    parts = split(done.times, seconds)
    return Rung(
        offered=tables * pace,
        tables=tables,
        moves=len(times) / passed,
        p50=percentile(times, 50),
        p99=percentile(times, 99),
        usual=statistics.median(percentile(sorted(part), 99) for part in parts),
        matches=done.ended / passed,
        server=spent / passed,
        clients=(done.spent - before.spent) / passed,
        load=machine_load(),
    )


def split(times: list[int], seconds: float) -> list[list[int]]:
    """Split times into parts of about a second each."""
    size = max(1, round(len(times) / max(1, seconds)))
    return [times[start : start + size] for start in range(0, len(times), size)] or [[]]


def percentile(times: list[int], percent: int) -> float:
    """Return a percentile of sorted microseconds, in milliseconds."""
    return times[len(times) * percent // 100] / MILLI if times else float("inf")


def told(rung: Rung) -> str:
    """Return a line about a load."""
    return (
        f"{rung.offered:6.0f} due per second, {rung.tables:>5} tables: {rung.moves:7.0f} moves, "
        f"p50 {rung.p50:7.1f} ms, p99 {rung.p99:8.1f} ms, {rung.matches:5.1f} new matches, "
        f"{rung.cost:5.0f} µs per move; processors: server {rung.server:.2f}, "
        f"clients {rung.clients:.2f}; load {rung.load}"
    )
