"""The server as a whole: what it offers over HTTP and WebSocket, and how it starts and stops."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from litestar import Litestar, Response
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import ClientException, HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from zashiki.server import startup
from zashiki.server.bots.pool import Pool
from zashiki.server.bots.watchdog import Watchdog
from zashiki.server.deps import AnyRequest, check, player_of
from zashiki.server.errors import ApiError
from zashiki.server.http import (
    accounts,
    card_sets,
    games,
    health,
    history,
    pages,
    schema,
    status,
    tables,
)
from zashiki.server.ops.logs import log
from zashiki.server.protocol import rest
from zashiki.server.realtime import routes
from zashiki.server.realtime.table_socket import Unwrapped
from zashiki.server.services import Services, services_of
from zashiki.server.settings import Settings
from zashiki.server.store.errors import Busy, Conflict, StoreFault, Unusable, Unwritten
from zashiki.server.store.factory import open_store
from zashiki.server.store.protocol import Store

MAX_BODY_BYTES = 65536
SECURITY = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; object-src 'none'; "
    "frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def refused(_: AnyRequest, problem: ApiError) -> Response[rest.Fault]:
    fault = rest.Fault(problem.code, problem.text, problem.details)
    headers = dict(SECURITY)
    if "retry_after" in problem.details:
        headers["Retry-After"] = str(problem.details["retry_after"])
    return Response(fault, status_code=problem.status, headers=headers)


def too_deep(request: AnyRequest, _: RecursionError) -> Response[rest.Fault]:
    return failed(request, ClientException())


def overtaken(request: AnyRequest, _: Conflict) -> Response[rest.Fault]:
    return refused(request, ApiError(409, "stale", "somebody was first: look again"))


def busy(request: AnyRequest, fault: StoreFault) -> Response[rest.Fault]:
    outage = services_of(request.app.state).registry.context.outage
    return refused(request, outage.problem(fault))


def broken(request: AnyRequest, fault: Exception) -> Response[rest.Fault]:
    """A fault of ours: written down, and nothing of it told."""
    log(logging.ERROR, "broken", fault, status=500)
    return refused(
        request, ApiError(500, "broken", "something went wrong here: it is written down")
    )


def failed(_: AnyRequest, fault: HTTPException) -> Response[rest.Fault]:
    """What the framework refuses, in our words; nothing of what was sent is repeated."""
    codes = {400: "malformed", 404: "not-found", 405: "method", 413: "too-long"}
    code = codes.get(fault.status_code, "refused")
    text = "the request cannot be read as documented" if code == "malformed" else fault.detail
    return Response(rest.Fault(code, text), status_code=fault.status_code, headers=SECURITY)


HANDLERS = (
    *pages.HANDLERS, *games.HANDLERS, *accounts.HANDLERS, *tables.HANDLERS,
    *routes.HANDLERS, *history.HANDLERS, *card_sets.HANDLERS, *schema.HANDLERS,
    *health.HANDLERS, *status.HANDLERS,
)  # fmt: skip

schema.declare(HANDLERS)


def make_app(settings: Settings, store: Store | None = None) -> Litestar:
    """The application, ready for uvicorn."""
    kept = store or open_store(settings.store, settings.folder)
    services = Services(settings, kept)
    workers = settings.bots if settings.address is not None else 0
    pool = Pool(workers, settings.address or "", services.dispatcher.token, settings.compiled)

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        if not services.is_ready:
            await startup.make_ready(services)
        chores = [
            asyncio.create_task(services.registry.tidy()),
            asyncio.create_task(Watchdog(services.dispatcher).watch()),
            asyncio.create_task(services.dispatcher.keep_leases()),
        ]
        if services.cluster is not None:
            chores.append(asyncio.create_task(services.cluster.live()))
        pool.start()
        try:
            yield
        finally:
            await pool.close()
            for chore in chores:
                chore.cancel()
            await asyncio.gather(*chores, return_exceptions=True)
            await services.registry.close()
            if services.cluster is not None:
                await services.cluster.close()
            await kept.close()

    return Litestar(
        HANDLERS,
        before_request=check,
        dependencies={"me": Provide(player_of)},
        exception_handlers={
            ApiError: refused,
            HTTPException: failed,
            RecursionError: too_deep,
            Conflict: overtaken,
            Busy: busy,
            Unwritten: busy,
            Unusable: busy,
            Exception: broken,
        },
        lifespan=[lifespan],
        openapi_config=OpenAPIConfig("Zashiki", "1", render_plugins=[JsonRenderPlugin()]),
        request_max_body_size=MAX_BODY_BYTES,
        response_headers=SECURITY,
        state=State({"server": services}),
        websocket_class=Unwrapped,
        debug=False,
        logging_config=None,
    )
