"""What is counted where it happens; `metrics` and `status` show it."""

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
SECONDS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
ProcessCollector(registry=REGISTRY)
PlatformCollector(registry=REGISTRY)
GCCollector(registry=REGISTRY)

# Commands, decisions and the store --------------------------------------------------------------

COMMANDS: Final = Counter(
    "zashiki_commands", "Commands of sockets by what became of them", ["do", "outcome"],
    registry=REGISTRY,
)  # fmt: skip
ANSWERS: Final = Histogram(
    "zashiki_command_seconds", "From a command to its answer", ["do"], registry=REGISTRY,
    buckets=SECONDS,
)  # fmt: skip
DECISIONS: Final = Counter(
    "zashiki_decisions", "Decisions that were taken, by game and by whom", ["game", "by"],
    registry=REGISTRY,
)  # fmt: skip
COMMITS: Final = Histogram(
    "zashiki_commit_seconds", "Until an action is on disk", registry=REGISTRY, buckets=SECONDS
)
RETRIES: Final = Counter(
    "zashiki_conflicts", "Actions judged again because another server was first", registry=REGISTRY
)
FAULTS: Final = Counter(
    "zashiki_store_faults", "Times that the store could not be reached", registry=REGISTRY
)
CAUGHT_UP: Final = Counter(
    "zashiki_caught_up", "Rooms that took over what another server wrote", registry=REGISTRY
)


# What there is now -------------------------------------------------------------------------------

TABLES: Final = Gauge("zashiki_tables", "Tables in memory", ["state"], registry=REGISTRY)
SOCKETS: Final = Gauge("zashiki_sockets", "Open sockets of tables", registry=REGISTRY)
WATCHERS: Final = Gauge("zashiki_lobby_watchers", "Open sockets of the lobby", registry=REGISTRY)
WAITING: Final = Gauge("zashiki_store_waiting", "Writes that wait", registry=REGISTRY)
WRITES: Final = Gauge("zashiki_store_writes", "Writes since the start", registry=REGISTRY)
TRANSACTIONS: Final = Gauge(
    "zashiki_store_commits", "Transactions since the start, each of one or more writes",
    registry=REGISTRY,
)  # fmt: skip
WORKERS: Final = Gauge("zashiki_bot_workers", "Processes that play for bots", registry=REGISTRY)
BOT_SEATS: Final = Gauge(
    "zashiki_bot_seats", "Seats that want a bot, by whether they have one", ["state"],
    registry=REGISTRY,
)  # fmt: skip
DRAINING: Final = Gauge("zashiki_draining", "1 while this server is stopping", registry=REGISTRY)


@cache
def labelled(metric: Metric, *labels: str) -> Metric:
    """One of a kind, looked up once: there are few, and they are counted often."""
    return metric.labels(*labels)
