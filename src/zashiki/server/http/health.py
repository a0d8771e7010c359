"""Numbers for operators: Prometheus at `/metrics`, for this machine only, and `/health` for all."""

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
    TABLES,
    TRANSACTIONS,
    WAITING,
    WATCHERS,
    WORKERS,
    WRITES,
)
from zashiki.server.services import Services, services_of
from zashiki.server.store.errors import StoreFault

PROXIES = ("forwarded", "x-forwarded-for", "x-real-ip")


@get("/health")
async def health(state: State) -> dict[str, str]:
    """Is anybody there, can they read what is kept, and does somebody play for bots?"""
    return await found_well(state)


@head("/health", status_code=200, include_in_schema=False)
async def health_in_brief(state: State) -> None:
    """For those who look at the status alone."""
    await found_well(state)


async def found_well(state: State) -> dict[str, str]:
    services = services_of(state)
    if services.registry.is_leaving:
        raise ApiError(503, "stopping", "this server is about to stop")
    services.registry.check_stays()
    if not await can_read(services):
        raise ApiError(503, "store", "what is kept cannot be read")
    return {
        "status": "ok",
        "store": "ok",
        "bots": "ok" if services.dispatcher.is_staffed() else "none",
    }


@get("/metrics", media_type=MediaType.TEXT)
async def metrics(request: AnyRequest) -> Response[bytes]:
    """Numbers about the server; they count what everybody does, so they are not for everybody."""
    services = services_of(request.app.state)
    check_operator(request, services)
    look(services)
    text = generate_latest(REGISTRY)
    return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")


async def can_read(services: Services) -> bool:
    """Can what is kept be read?"""
    try:
        await services.store.player("")
    except StoreFault:
        return False
    return True


def check_operator(request: AnyRequest, services: Services) -> None:
    """Who asks from this machine itself, and not through a proxy, may know the numbers."""
    asker = request.client.host if request.client else ""
    is_forwarded = any(name in request.headers for name in PROXIES)
    if (
        not is_loopback(asker)
        or is_forwarded
        or not is_ours(request.headers.get("host", ""), services)
    ):
        raise ApiError(403, "not-here", "this is for this machine only")


def is_ours(host: str, services: Services) -> bool:
    """Was this machine asked by a name of its own? Any page can point another name here."""
    named = {f"http://{host}", f"https://{host}"}
    return is_loopback(host) or is_address(host) or bool(named & services.settings.origins)


def look(services: Services) -> None:
    """Read what is not counted where it happens."""
    tables = list(services.registry.tables.values())
    states = Counter(table.state for table in tables)
    TABLES.clear()
    for state, count in states.items():
        TABLES.labels(state).set(count)
    SOCKETS.set(sum(len(table.subscribers) for table in tables))
    WATCHERS.set(len(services.registry.watchers))
    WAITING.set(services.store.waiting)
    WRITES.set(services.store.writes)
    TRANSACTIONS.set(services.store.commits)
    WORKERS.set(len(services.dispatcher.workers))
    BOT_SEATS.labels("played").set(len(services.dispatcher.assignments))
    BOT_SEATS.labels("waiting").set(len(services.dispatcher.unassigned))
    DRAINING.set(services.registry.is_leaving or services.registry.is_draining)


HANDLERS = (health, health_in_brief, metrics)
