"""Prometheus metrics of the server, shown by `/metrics` and `/status`."""

from functools import cache
from typing import Final, TypeVar

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
)
from prometheus_client.metrics import MetricWrapperBase

Metric = TypeVar("Metric", bound=MetricWrapperBase)
REGISTRY: Final = CollectorRegistry()
BUCKETS_SECONDS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
ProcessCollector(registry=REGISTRY)
PlatformCollector(registry=REGISTRY)
GCCollector(registry=REGISTRY)

# Commands, decisions and the store --------------------------------------------------------------

COMMANDS: Final = Counter(
    "zashiki_commands", "Commands received by sockets, by kind and outcome", ["do", "outcome"],
    registry=REGISTRY,
)  # fmt: skip
ANSWERS: Final = Histogram(
    "zashiki_command_seconds", "Seconds from a command to its answer", ["do"], registry=REGISTRY,
    buckets=BUCKETS_SECONDS,
)  # fmt: skip
DECISIONS: Final = Counter(
    "zashiki_decisions", "Decisions made, by game and by person or bot", ["game", "by"],
    registry=REGISTRY,
)  # fmt: skip
COMMITS: Final = Histogram(
    "zashiki_commit_seconds", "Seconds until an action is on disk", registry=REGISTRY,
    buckets=BUCKETS_SECONDS,
)  # fmt: skip
RETRIES: Final = Counter(
    "zashiki_conflicts", "Actions retried because another server wrote first", registry=REGISTRY
)
FAULTS: Final = Counter(
    "zashiki_store_faults", "Database failures other than being busy", registry=REGISTRY
)
CAUGHT_UP: Final = Counter(
    "zashiki_caught_up", "Tables that read what another server wrote", registry=REGISTRY
)


# Current state ----------------------------------------------------------------------------------

TABLES: Final = Gauge("zashiki_tables", "Tables in memory", ["state"], registry=REGISTRY)
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


@cache
def labelled(metric: Metric, *labels: str) -> Metric:
    """Return the child of a metric for these labels. Cached, because the lookup is slow."""
    return metric.labels(*labels)
