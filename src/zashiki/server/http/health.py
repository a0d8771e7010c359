"""Numbers for operators: Prometheus at `/metrics`, for this machine only, and `/health` for all."""

from collections import Counter

from litestar import MediaType, Response, get, head
from litestar.datastructures import State
from prometheus_client import generate_latest

from zashiki.server.deps import AnyRequest
from zashiki.server.errors import Problem
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
from zashiki.server.services import Server, server_of
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
    server = server_of(state)
    if server.hall.is_leaving:
        raise Problem(503, "stopping", "this server is about to stop")
    server.hall.check_stays()
    if not await can_read(server):
        raise Problem(503, "store", "what is kept cannot be read")
    return {"status": "ok", "store": "ok", "bots": "ok" if server.desk.is_staffed() else "none"}


@get("/metrics", media_type=MediaType.TEXT)
async def metrics(request: AnyRequest) -> Response[bytes]:
    """Numbers about the server; they count what everybody does, so they are not for everybody."""
    server = server_of(request.app.state)
    check_operator(request, server)
    look(server)
    text = generate_latest(REGISTRY)
    return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")


async def can_read(server: Server) -> bool:
    """Can what is kept be read?"""
    try:
        await server.store.player("")
    except StoreFault:
        return False
    return True


def check_operator(request: AnyRequest, server: Server) -> None:
    """Who asks from this machine itself, and not through a proxy, may know the numbers."""
    asker = request.client.host if request.client else ""
    is_forwarded = any(name in request.headers for name in PROXIES)
    if (
        not is_loopback(asker)
        or is_forwarded
        or not is_ours(request.headers.get("host", ""), server)
    ):
        raise Problem(403, "not-here", "this is for this machine only")


def is_ours(host: str, server: Server) -> bool:
    """Was this machine asked by a name of its own? Any page can point another name here."""
    named = {f"http://{host}", f"https://{host}"}
    return is_loopback(host) or is_address(host) or bool(named & server.settings.origins)


def look(server: Server) -> None:
    """Read what is not counted where it happens."""
    rooms = list(server.hall.rooms.values())
    states = Counter(room.state for room in rooms)
    TABLES.clear()
    for state, count in states.items():
        TABLES.labels(state).set(count)
    SOCKETS.set(sum(len(room.lines) for room in rooms))
    WATCHERS.set(len(server.hall.watchers))
    WAITING.set(server.store.waiting)
    WRITES.set(server.store.writes)
    TRANSACTIONS.set(server.store.commits)
    WORKERS.set(len(server.desk.workers))
    BOT_SEATS.labels("played").set(len(server.desk.given))
    BOT_SEATS.labels("waiting").set(len(server.desk.waiting))
    DRAINING.set(server.hall.is_leaving or server.hall.is_draining)


HANDLERS = (health, health_in_brief, metrics)
