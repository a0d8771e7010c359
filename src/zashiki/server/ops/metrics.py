"""Prometheus metrics of the server, shown by `/metrics` and `/status`.

Counters of every move are plain ints and lists of ints. Prometheus reads them when it asks.
"""

import time
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Gauge,
    GCCollector,
    Metric,
    PlatformCollector,
    ProcessCollector,
)
from prometheus_client.registry import Collector

REGISTRY: Final = CollectorRegistry()
BUCKETS_SECONDS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
BOUNDS: Final = [*(str(float(upper)) for upper in BUCKETS_SECONDS), "+Inf"]
ProcessCollector(registry=REGISTRY)
PlatformCollector(registry=REGISTRY)
GCCollector(registry=REGISTRY)


class Tally(Collector):
    """Numbers for each combination of labels. The first one is their sum, or their count."""

    kind = "counter"
    size = 1

    def __init__(
        self,
        name: str,
        text: str,
        labels: Sequence[str] = (),
        registry: CollectorRegistry = REGISTRY,
    ) -> None:
        self.name = name
        self.text = text
        self.labels = labels
        self.cells: dict[tuple[str, ...], list[float]] = {}
        self.created: dict[tuple[str, ...], float] = {}
        if not labels:
            self._add_cell(())
        registry.register(self)

    def _add_cell(self, labels: tuple[str, ...]) -> list[float]:
        self.created[labels] = time.time()
        self.cells[labels] = [0] * self.size
        return self.cells[labels]

    def collect(self) -> list[Metric]:
        metric = Metric(self.name, self.text, self.kind)
        for values, cell in self.cells.items():
            labels = dict(zip(self.labels, values, strict=True))
            self.add_samples(metric, labels, cell)
            metric.add_sample(f"{self.name}_created", labels, self.created[values])
        return [metric]

    def add_samples(self, metric: Metric, labels: dict[str, str], cell: Sequence[float]) -> None:
        metric.add_sample(f"{self.name}_total", labels, cell[0])


class Counter(Tally):
    """A number that grows."""

    def add(self, *labels: str) -> None:
        """Count one."""
        cell = self.cells.get(labels) or self._add_cell(labels)
        cell[0] += 1


class Histogram(Tally):
    """Durations: their sum, then how many of them are in each bucket."""

    kind = "histogram"
    size = 1 + len(BOUNDS)

    def observe(self, seconds: float, *labels: str) -> None:
        """Count a duration."""
        cell = self.cells.get(labels) or self._add_cell(labels)
        cell[0] += seconds
        cell[1 + bisect_left(BUCKETS_SECONDS, seconds)] += 1

    @contextmanager
    def time(self) -> Iterator[None]:
        """Count how long a block takes, whatever becomes of it."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.observe(time.perf_counter() - began)

    def add_samples(self, metric: Metric, labels: dict[str, str], cell: Sequence[float]) -> None:
        counts = list(accumulate(cell[1:]))
        for upper, count in zip(BOUNDS, counts, strict=True):
            metric.add_sample(f"{self.name}_bucket", {**labels, "le": upper}, count)
        metric.add_sample(f"{self.name}_count", labels, counts[-1])
        metric.add_sample(f"{self.name}_sum", labels, cell[0])


# Commands, decisions and the store --------------------------------------------------------------

COMMANDS: Final = Counter(
    "zashiki_commands", "Commands received by sockets, by kind and outcome", ["do", "outcome"]
)
ANSWERS: Final = Histogram(
    "zashiki_command_seconds", "Seconds from a command to its answer", ["do"]
)
DECISIONS: Final = Counter(
    "zashiki_decisions", "Decisions made, by game and by person or bot", ["game", "by"]
)
COMMITS: Final = Histogram("zashiki_commit_seconds", "Seconds until an action is on disk")
RETRIES: Final = Counter("zashiki_conflicts", "Actions retried because another server wrote first")
FAULTS: Final = Counter("zashiki_store_faults", "Database failures other than being busy")
CAUGHT_UP: Final = Counter("zashiki_caught_up", "Tables that read what another server wrote")


# Current state ----------------------------------------------------------------------------------

TABLES: Final = Gauge("zashiki_tables", "Tables in memory", ["state"], registry=REGISTRY)
TABLE_BYTES: Final = Gauge(
    "zashiki_table_bytes", "Estimated bytes of tables, matches and their rules in memory",
    registry=REGISTRY,
)  # fmt: skip
EVICTED: Final = Counter(
    "zashiki_tables_evicted", "Tables dropped from memory to stay within --match-memory"
)
SOCKETS: Final = Gauge("zashiki_sockets", "Open sockets of tables", registry=REGISTRY)
WATCHERS: Final = Gauge("zashiki_lobby_watchers", "Open sockets of the lobby", registry=REGISTRY)
WAITING: Final = Gauge("zashiki_store_waiting", "Writes in the queue", registry=REGISTRY)
WRITES: Final = Gauge("zashiki_store_writes", "Writes since the start", registry=REGISTRY)
TRANSACTIONS: Final = Gauge(
    "zashiki_store_commits", "Transactions since the start, each of one or more writes",
    registry=REGISTRY,
)  # fmt: skip
WORKERS: Final = Gauge("zashiki_bot_workers", "Connected bot workers", registry=REGISTRY)
BOT_SEATS: Final = Gauge(
    "zashiki_bot_seats", "Seats that need a bot, by whether a worker plays them", ["state"],
    registry=REGISTRY,
)  # fmt: skip
DRAINING: Final = Gauge("zashiki_draining", "1 while this server is stopping", registry=REGISTRY)
