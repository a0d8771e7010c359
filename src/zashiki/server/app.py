"""The ASGI application: routes, error handling, start and stop."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from litestar import Litestar, Response
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import ClientException, HTTPException

from zashiki.server import startup
from zashiki.server.bots.pool import Pool
from zashiki.server.bots.watchdog import Watchdog
from zashiki.server.deps import AnyRequest, check_limits_and_origin, provide_player
from zashiki.server.errors import ApiError
from zashiki.server.http import schema
from zashiki.server.http.operator import provide_operator
from zashiki.server.http.routes import HANDLERS
from zashiki.server.ops.logs import log
from zashiki.server.protocol import rest
from zashiki.server.realtime.keepalive import KeepAlive
from zashiki.server.services import Services, services_of
from zashiki.server.settings import Settings
from zashiki.server.store.errors import Busy, Conflict, StoreFault, Unusable, Unwritten
from zashiki.server.store.factory import open_store
from zashiki.server.store.protocol import Store
from zashiki.server.tables.sweep import sweep

MAX_BODY_BYTES = 65536
SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; object-src 'none'; "
    "frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def answer_refusal(_: AnyRequest, error: ApiError) -> Response[rest.Fault]:
    fault = rest.Fault(error.code, error.text, error.details)
    headers = dict(SECURITY_HEADERS)
    if "retry_after" in error.details:
        headers["Retry-After"] = str(error.details["retry_after"])
    if error.status == 429:
        headers["Connection"] = "close"  # otherwise refusals would keep connections open
    return Response(fault, status_code=error.status, headers=headers)


def answer_unreadable(
    request: AnyRequest, _: RecursionError | UnicodeDecodeError
) -> Response[rest.Fault]:
    """Answer JSON that is nested too deep, or is not UTF-8."""
    return answer_http_error(request, ClientException())


def answer_conflict(request: AnyRequest, _: Conflict) -> Response[rest.Fault]:
    text = "another request changed this first: load it again"
    return answer_refusal(request, ApiError(409, "stale", text))


def answer_store_fault(request: AnyRequest, fault: StoreFault) -> Response[rest.Fault]:
    outage = services_of(request.app.state).registry.context.outage
    return answer_refusal(request, outage.error_for(fault))


def answer_bug(request: AnyRequest, fault: Exception) -> Response[rest.Fault]:
    """Log an unexpected exception, and answer without its details."""
    log(logging.ERROR, "broken", fault, status=500)
    return answer_refusal(request, ApiError(500, "broken", "internal error (logged)"))


def answer_http_error(_: AnyRequest, fault: HTTPException) -> Response[rest.Fault]:
    """Answer a refusal of the framework, without quoting the request."""
    codes = {400: "malformed", 404: "not-found", 405: "method", 413: "too-long"}
    code = codes.get(fault.status_code, "refused")
    text = "malformed request: see /schema/openapi.json" if code == "malformed" else fault.detail
    body = rest.Fault(code, text)
    return Response(body, status_code=fault.status_code, headers=SECURITY_HEADERS)


def make_app(settings: Settings, store: Store | None = None) -> Litestar:
    """Return the application, ready for uvicorn."""
    services = Services(settings, store or open_store(settings.store, settings.folder))
    workers = settings.bots if settings.address is not None else 0
    pool = Pool(workers, settings.address or "", services.dispatcher.token, settings.compiled)

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        if not services.is_ready:
            await startup.prepare(services)
        tasks = [
            asyncio.create_task(sweep(services.registry)),
            asyncio.create_task(services.accounts.sweep()),
            asyncio.create_task(Watchdog(services.dispatcher).watch()),
            asyncio.create_task(services.dispatcher.keep_leases()),
        ]
        if services.cluster is not None:
            tasks.append(asyncio.create_task(services.cluster.run()))
        pool.start()
        try:
            yield
        finally:
            await pool.close()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await services.registry.close()
            if services.cluster is not None:
                await services.cluster.close()
            await services.store.close()

    return Litestar(
        HANDLERS,
        before_request=check_limits_and_origin,
        dependencies={"me": Provide(provide_player), "operator": Provide(provide_operator)},
        exception_handlers={
            ApiError: answer_refusal,
            HTTPException: answer_http_error,
            RecursionError: answer_unreadable,
            UnicodeDecodeError: answer_unreadable,
            Conflict: answer_conflict,
            Busy: answer_store_fault,
            Unwritten: answer_store_fault,
            Unusable: answer_store_fault,
            Exception: answer_bug,
        },
        lifespan=[lifespan],
        openapi_config=schema.openapi_config(),
        request_max_body_size=MAX_BODY_BYTES,
        response_headers=SECURITY_HEADERS,
        state=State({"server": services, "keepalive": KeepAlive()}),
        debug=False,
        logging_config=None,
    )
