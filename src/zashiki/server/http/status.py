"""The status page for operators: the main figures of this server as plain HTML."""

from bisect import bisect_left
from collections import Counter
from html import escape
from importlib.metadata import version
from itertools import accumulate

from litestar import MediaType, Response, get

from zashiki.server.deps import AnyRequest
from zashiki.server.http.health import can_read, check_local
from zashiki.server.ops.metrics import (
    BUCKETS_SECONDS,
    COMMITS,
    DECISIONS,
    FAULTS,
    REGISTRY,
    RETRIES,
    Histogram,
)
from zashiki.server.ops.metrics import Counter as MetricCounter
from zashiki.server.services import Services, services_of

Rows = list[tuple[str, object]]

STYLE = """\
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100%; margin-bottom: 1.5rem }
th, td { text-align: left; padding: .3rem .5rem; border-bottom: 1px solid #8886 }
td { text-align: right; font-variant-numeric: tabular-nums }
"""


@get("/status", media_type=MediaType.HTML, include_in_schema=False)
async def status(request: AnyRequest) -> Response[str]:
    """Return the status page, to requests from this machine only."""
    services = services_of(request.app.state)
    check_local(request, services)
    parts = [
        ("This server", await about(services)),
        ("Tables in memory", tables(services)),
        ("Store", store(services)),
        ("Bots", bots(services)),
    ]
    return Response(page(parts), media_type="text/html; charset=utf-8")


@get("/status.css", include_in_schema=False)
async def style() -> Response[str]:
    return Response(STYLE, media_type="text/css; charset=utf-8")


async def about(services: Services) -> Rows:
    return [
        ("name", services.name),
        ("version", version("zashiki")),
        ("state", "stopping" if services.registry.is_draining else "serving"),
        ("database", "readable" if await can_read(services) else "not readable"),
        ("uptime (min)", round((services.settings.system.now() - services.started) / 60, 1)),
        ("memory (MB)", round(sample("process_resident_memory_bytes") / 1e6)),
        ("database can be shared", "yes" if services.store.coordination else "no"),
    ]


def tables(services: Services) -> Rows:
    tables = list(services.registry.tables.values())
    states = Counter(table.state for table in tables)
    return [
        *((state, states[state]) for state in ("open", "starting", "playing", "over", "closed")),
        ("estimated memory (MB)", round(services.registry.memory.total / 1e6)),
        ("open sockets of tables", sum(len(table.subscribers) for table in tables)),
        ("open sockets of the lobby", len(services.registry.lobby.watchers)),
        ("decisions of people since the start", total(DECISIONS, "person")),
        ("decisions of bots since the start", total(DECISIONS, "bot")),
    ]


def store(services: Services) -> Rows:
    return [
        ("writes in the queue", services.store.waiting),
        ("writes since the start", services.store.writes),
        ("transactions since the start", services.store.commits),
        ("time to disk, median (ms)", quantile(COMMITS, 0.5)),
        ("time to disk, 99th percentile (ms)", quantile(COMMITS, 0.99)),
        ("actions retried because another server wrote first", total(RETRIES)),
        ("failures", total(FAULTS)),
    ]


def bots(services: Services) -> Rows:
    dispatcher = services.dispatcher
    return [
        ("connected workers", len(dispatcher.workers)),
        ("seats that they can play", sum(worker.capacity for worker in dispatcher.workers)),
        ("seats that they play", len(dispatcher.assignments)),
        ("seats without a worker", len(dispatcher.unassigned)),
    ]


# Reading metrics ---------------------------------------------------------------------------------


def sample(name: str) -> float:
    return REGISTRY.get_sample_value(name) or 0.0


def total(counter: MetricCounter, label: str = "") -> int:
    """Return the sum of a counter over all labels, or over those that end with this one."""
    cells = counter.cells.items()
    return int(sum(count for labels, (count,) in cells if not label or labels[-1] == label))


def quantile(histogram: Histogram, share: float) -> str:
    """Return a quantile in milliseconds: the upper bound of its bucket."""
    counts = list(accumulate(histogram.cells[()][1:]))
    if not counts[-1]:
        return "–"
    bucket = bisect_left(counts, share * counts[-1])
    return (
        f"{1000 * BUCKETS_SECONDS[bucket]:g}" if bucket < len(BUCKETS_SECONDS) else "more than 5000"
    )


def page(parts: list[tuple[str, Rows]]) -> str:
    tables = "".join(
        f"<h2>{escape(title)}</h2><table>"
        + "".join(
            f"<tr><th scope=row>{escape(name)}</th><td>{escape(str(value))}</td></tr>"
            for name, value in rows
        )
        + "</table>"
        for title, rows in parts
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<title>Status · Zashiki</title><link rel="stylesheet" href="/status.css"></head>'
        f"<body><h1>Zashiki</h1>{tables}</body></html>"
    )


HANDLERS = (status, style)
