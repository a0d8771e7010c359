"""Clients at a server, as many tables of them as wanted, and what came of the load."""

import argparse
import json
import statistics
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from benchmarks.rounds import machine_load
from benchmarks.servers import MOVES, Process, Server, Unavailable, python, running

MILLI = 1000.0


@dataclass
class Rung:
    """What came of one offered load."""

    offered: float
    tables: int
    moves: float
    """Acknowledged, a second."""
    p50: float
    """Milliseconds, as the next."""
    p99: float
    usual: float
    """The p99 of a usual second: the middle one of them."""
    refused: int
    matches: float
    """Ended, and begun, a second."""
    server: float
    """Processors."""
    clients: float
    load: str
    """Of the machine."""

    @property
    def cost(self) -> float:
        """Microseconds of the server's processor time a move, with its share of a new match."""
        return 1e6 * self.server / self.moves if self.moves else 0.0


class Clients:
    """The load, in one process or several."""

    def __init__(self, server: Server, count: int, scattered: bool) -> None:
        self.most = 0
        """So many tables have played."""
        how = "scattered" if scattered else "together"
        ports = [str(port) for port in server.ports]
        self.processes = [
            Process(
                [python(), "-m", "benchmarks.load", server.kind, how, str(seed), *ports],
                stdin=subprocess.PIPE,
            )
            for seed in range(count)
        ]

    def ask(self, what: str, *arguments: Sequence[float] | float) -> list[Any]:
        """Each is asked; a list has the share of each."""
        for place, process in enumerate(self.processes):
            own = [given[place] if isinstance(given, list) else given for given in arguments]
            assert process.started.stdin is not None
            print(json.dumps([what, *own]), file=process.started.stdin, flush=True)
        lines = [process.line() for process in self.processes]
        if not all(lines):
            raise Unavailable("the clients failed, see above: perhaps the server has ended")
        return [json.loads(line) for line in lines]

    def shares(self, tables: int) -> list[float]:
        count = len(self.processes)
        return [tables // count + (place < tables % count) for place in range(count)]

    def stop(self) -> None:
        for process in self.processes:
            process.stop()


@contextmanager
def loaded(name: str, chosen: argparse.Namespace) -> Iterator[tuple[Server, Clients]]:
    with running(name, chosen.compiled) as server:
        clients = Clients(server, chosen.clients, chosen.scattered)
        try:
            yield server, clients
        finally:
            clients.stop()


def play(clients: Clients, tables: int, chosen: argparse.Namespace) -> None:
    """Until new tables are spread over their matches, and all has settled."""
    clients.ask("open", clients.shares(tables))
    clients.ask("play", clients.shares(tables), 1 / chosen.pace)
    has_new = tables > clients.most
    clients.most = max(clients.most, tables)
    time.sleep(chosen.warm_up + (MOVES / chosen.pace if has_new else 0))


def measured(server: Server, clients: Clients, tables: int, pace: float, seconds: float) -> Rung:
    spent, start = server.spent(), time.monotonic()
    answers = clients.ask("measure", seconds)
    passed = time.monotonic() - start
    spent = server.spent() - spent
    parts = [part for answer in answers for part in split(answer["times"], seconds)]
    times = sorted(each for part in parts for each in part)
    return Rung(
        offered=tables * pace,
        tables=tables,
        moves=len(times) / passed,
        p50=percentile(times, 50),
        p99=percentile(times, 99),
        usual=statistics.median(percentile(sorted(part), 99) for part in parts),
        refused=sum(answer["refused"] for answer in answers),
        matches=sum(answer["ended"] for answer in answers) / passed,
        server=spent / passed,
        clients=sum(answer["spent"] for answer in answers) / passed,
        load=machine_load(),
    )


def split(times: list[int], seconds: float) -> list[list[int]]:
    """Times in the order in which they came, in as many parts as there were seconds."""
    size = max(1, round(len(times) / max(1, seconds)))
    return [times[start : start + size] for start in range(0, len(times), size)] or [[]]


def percentile(times: list[int], percent: int) -> float:
    """Of sorted microseconds, in milliseconds."""
    return times[len(times) * percent // 100] / MILLI if times else float("inf")


def told(rung: Rung) -> str:
    return (
        f"  {rung.offered:6.0f} due a second, {rung.tables:>5} tables: {rung.moves:7.0f} moves, "
        f"p50 {rung.p50:7.1f} ms, p99 {rung.p99:8.1f} ms, {rung.matches:5.1f} new matches, "
        f"{rung.cost:5.0f} µs a move; processors: server {rung.server:.2f}, "
        f"clients {rung.clients:.2f}; refused {rung.refused}; load {rung.load}"
    )
