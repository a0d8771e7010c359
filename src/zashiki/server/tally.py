"""What is counted where it happens; `metrics` shows it."""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

REGISTRY: Final = CollectorRegistry()
COMMANDS: Final = Counter(
    "zashiki_commands", "Commands of sockets by what became of them", ["do", "outcome"],
    registry=REGISTRY,
)  # fmt: skip
COMMITS: Final = Histogram(
    "zashiki_commit_seconds", "Until an action is on disk", registry=REGISTRY,
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2),
)  # fmt: skip
TABLES: Final = Gauge("zashiki_tables", "Tables in memory", ["state"], registry=REGISTRY)
SOCKETS: Final = Gauge("zashiki_sockets", "Open sockets of tables", registry=REGISTRY)
WATCHERS: Final = Gauge("zashiki_lobby_watchers", "Open sockets of the lobby", registry=REGISTRY)
WAITING: Final = Gauge("zashiki_store_waiting", "Writes that wait", registry=REGISTRY)
