"""A page for operators: how this server is, in a few numbers, as HTML without any script."""

from collections import Counter
from html import escape
from importlib.metadata import version

from litestar import MediaType, Response, get
from prometheus_client import Counter as Tally
from prometheus_client import Histogram

from zashiki.server.deps import AnyRequest
from zashiki.server.http.health import can_read, check_operator
from zashiki.server.ops.metrics import COMMITS, DECISIONS, FAULTS, REGISTRY, RETRIES
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
    """How this server is. It counts what everybody does, so it is not for everybody."""
    services = services_of(request.app.state)
    check_operator(request, services)
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
        ("is", "stopping" if services.registry.is_draining else "serving"),
        ("what is kept", "can be read" if await can_read(services) else "cannot be read"),
        ("up, in minutes", round((services.settings.system.now() - services.started) / 60, 1)),
        ("memory, in MB", round(sample("process_resident_memory_bytes") / 1e6)),
        ("shares its store with others", "yes" if services.store.coordination.is_shared else "no"),
    ]


def tables(services: Services) -> Rows:
    tables = list(services.registry.tables.values())
    states = Counter(table.state for table in tables)
    by = {whom: total(DECISIONS, "by", whom) for whom in ("person", "bot")}
    return [
        *((state, states[state]) for state in ("open", "starting", "playing", "over", "closed")),
        ("sockets", sum(len(table.subscribers) for table in tables)),
        ("people in the lobby", len(services.registry.watchers)),
        ("decisions of people since the start", int(by["person"])),
        ("decisions of bots since the start", int(by["bot"])),
    ]


def store(services: Services) -> Rows:
    return [
        ("writes that wait", services.store.waiting),
        ("writes since the start", services.store.writes),
        ("transactions since the start", services.store.commits),
        ("half of the actions are on disk within, in ms", quantile(COMMITS, 0.5)),
        ("99 % of them within, in ms", quantile(COMMITS, 0.99)),
        ("actions judged again, as another server was first", int(total(RETRIES))),
        ("times that it could not be reached", int(total(FAULTS))),
    ]


def bots(services: Services) -> Rows:
    dispatcher = services.dispatcher
    return [
        ("workers", len(dispatcher.workers)),
        ("seats that they could play for", sum(worker.capacity for worker in dispatcher.workers)),
        ("seats that are played", len(dispatcher.assignments)),
        ("seats that wait for a worker", len(dispatcher.unassigned)),
    ]


# Reading what was counted ------------------------------------------------------------------------


def sample(name: str) -> float:
    return REGISTRY.get_sample_value(name) or 0.0


def total(counter: Tally, label: str = "", value: str = "") -> float:
    """The sum of a counter over all labels but one."""
    found = 0.0
    for metric in counter.collect():
        for one in metric.samples:
            if one.name.endswith("_total") and (not label or one.labels[label] == value):
                found += one.value
    return found


def quantile(histogram: Histogram, part: float) -> str:
    """In milliseconds, as exactly as the classes tell."""
    (metric,) = histogram.collect()
    classes = [
        (float(one.labels["le"]), one.value)
        for one in metric.samples
        if one.name.endswith("_bucket")
    ]
    most = classes[-1][1]
    for upper, count in classes:
        if most and count >= part * most:
            return f"{upper * 1000:g}" if upper != float("inf") else "more than 5000"
    return "–"


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
