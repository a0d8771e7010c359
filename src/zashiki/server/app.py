"""The ASGI application: its parts, start and stop."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar
from litestar.datastructures import State
from litestar.di import Provide

from zashiki.server import startup
from zashiki.server.bots.pool import WorkerPool
from zashiki.server.bots.watchdog import Watchdog
from zashiki.server.deps import check_limits_and_origin, provide_player
from zashiki.server.http.error_answers import EXCEPTION_HANDLERS, SECURITY_HEADERS
from zashiki.server.http.openapi import openapi_config
from zashiki.server.http.operator import provide_operator
from zashiki.server.http.routes import HANDLERS
from zashiki.server.realtime.keepalive import KeepAlive
from zashiki.server.services import Services
from zashiki.server.settings import Settings
from zashiki.server.store.factory import open_store
from zashiki.server.store.protocol import Store
from zashiki.server.tables.sweep import sweep

MAX_BODY_BYTES = 65536
DEPENDENCIES = {"me": Provide(provide_player), "operator": Provide(provide_operator)}


def make_app(settings: Settings, store: Store | None = None) -> Litestar:
    """Return the application, ready for uvicorn."""
    services = Services(settings, store or open_store(settings.store, settings.folder))
    workers = settings.bots if settings.address is not None else 0
    pool = WorkerPool(workers, settings.address or "", services.dispatcher.token, settings.compiled)

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        if not services.is_ready:
            await startup.prepare(services)
        tasks = [
            asyncio.create_task(sweep(services.registry)),
            asyncio.create_task(services.accounts.sweep()),
            asyncio.create_task(Watchdog(services.dispatcher).watch()),
            asyncio.create_task(services.dispatcher.keep_leases()),
            asyncio.create_task(services.reviews.run()),
            asyncio.create_task(services.caller.run()),
            asyncio.create_task(services.digests.run()),
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
        dependencies=DEPENDENCIES,
        exception_handlers=EXCEPTION_HANDLERS,
        lifespan=[lifespan],
        openapi_config=openapi_config(),
        request_max_body_size=MAX_BODY_BYTES,
        response_headers=SECURITY_HEADERS,
        state=State({"server": services, "keepalive": KeepAlive()}),
        debug=False,
        logging_config=None,
    )


def described_api() -> dict[str, Any]:
    """Return the OpenAPI description, as `/schema/openapi.json` serves it, without a server."""
    from zashiki.server.http.api_words import finished

    app = Litestar(HANDLERS, dependencies=DEPENDENCIES, openapi_config=openapi_config())
    return finished(app.openapi_schema.to_schema())
