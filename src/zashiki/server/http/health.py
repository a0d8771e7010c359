"""Health and metrics: `/health` for everyone, Prometheus `/metrics` for this machine only."""

from collections import Counter

from litestar import MediaType, Response, get, head
from litestar.datastructures import State
from prometheus_client import generate_latest

from zashiki.server.deps import AnyRequest
from zashiki.server.errors import ApiError
from zashiki.server.ops.addresses import is_address, is_loopback
from zashiki.server.ops.metrics import (
    BOT_SEATS,
    DRAINING,
    REGISTRY,
    SOCKETS,
    TABLE_BYTES,
    TABLES,
    TRANSACTIONS,
    WAITING,
    WATCHERS,
    WORKERS,
    WRITES,
)
from zashiki.server.services import Services, services_of
from zashiki.server.store.errors import StoreFault

FORWARDED_HEADERS = ("forwarded", "x-forwarded-for", "x-real-ip")


@get("/health")
async def health(state: State) -> dict[str, str]:
    """Report the health of the server, its database and its bot workers."""
    return await check_health(state)


@head("/health", status_code=200, include_in_schema=False)
async def health_in_brief(state: State) -> None:
    """Report the health of the server by the status code alone."""
    await check_health(state)


async def check_health(state: State) -> dict[str, str]:
    """Return the health of each part. Raise `ApiError` if the server cannot serve."""
    services = services_of(state)
    if services.registry.is_leaving:
        raise ApiError(503, "stopping", "this server is about to stop")
    services.registry.check_stays()
    if not await can_read(services):
        raise ApiError(503, "store", "the database cannot be read")
    if not await services.write_probe.succeeds():
        raise ApiError(503, "store", "the database cannot be written")
    return {"status": "ok", "store": "ok", "bots": "ok" if services.dispatcher.workers else "none"}


@get("/metrics", media_type=MediaType.TEXT)
async def metrics(request: AnyRequest) -> Response[bytes]:
    """Return metrics for Prometheus, to requests from this machine only."""
    services = services_of(request.app.state)
    check_local(request, services)
    update_gauges(services)
    text = generate_latest(REGISTRY)
    return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")


async def can_read(services: Services) -> bool:
    """Return True if the database answers."""
    try:
        await services.store.player("")
    except StoreFault:
        return False
    return True


def check_local(request: AnyRequest, services: Services) -> None:
    """Refuse requests that do not come from this machine itself, or come through a proxy."""
    peer = request.client.host if request.client else ""
    is_forwarded = any(name in request.headers for name in FORWARDED_HEADERS)
    is_own = is_own_host(request.headers.get("host", ""), services)
    if not is_loopback(peer) or is_forwarded or not is_own:
        raise ApiError(403, "not-here", "only requests from this machine itself are answered")


def is_own_host(host: str, services: Services) -> bool:
    """Return True for a host name of this server. Any web page can point other names here."""
    origins = {f"http://{host}", f"https://{host}"}
    return is_loopback(host) or is_address(host) or bool(origins & services.settings.origins)


def update_gauges(services: Services) -> None:
    """Set the metrics that are not updated where they change."""
    tables = list(services.registry.tables.values())
    states = Counter(table.state for table in tables)
    TABLES.clear()
    for state, count in states.items():
        TABLES.labels(state).set(count)
    TABLE_BYTES.set(services.registry.memory.total)
    SOCKETS.set(sum(len(table.subscribers) for table in tables))
    WATCHERS.set(len(services.registry.lobby.watchers))
    WAITING.set(services.store.waiting)
    WRITES.set(services.store.writes)
    TRANSACTIONS.set(services.store.commits)
    WORKERS.set(len(services.dispatcher.workers))
    BOT_SEATS.labels("played").set(len(services.dispatcher.assignments))
    BOT_SEATS.labels("waiting").set(len(services.dispatcher.unassigned))
    DRAINING.set(services.registry.is_leaving or services.registry.is_draining)


HANDLERS = (health, health_in_brief, metrics)
