"""What a server does before it serves: the store is opened, and looked through for what goes on."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

from zashiki.server.accounts.secret_key import KEY_SETTING, fingerprint_of
from zashiki.server.ops.logs import log
from zashiki.server.services import Services
from zashiki.server.store.coordination import NODE_TIMEOUT_SECONDS
from zashiki.server.store.errors import Busy, Unusable

PATIENCE = 30.0
"""Seconds for which a start waits for what is kept."""
SILENT = 1.0
"""Seconds for which it does so without a word."""
DYING = NODE_TIMEOUT_SECONDS + 1.0
"""Seconds after which servers that were killed are not taken for living ones any more."""


async def make_ready(services: Services) -> None:
    """`StoreFault` if that cannot be; then nothing is left open."""
    waiting = asyncio.get_running_loop().call_later(SILENT, say_that_it_waits)
    try:
        await services.store.open()
        await patiently(lambda: check_key(services))
        await patiently(services.registry.welcome_bots)
        await patiently(services.registry.resume)
        await patiently(services.dispatcher.resume)
        if services.cluster is not None:
            await patiently(services.cluster.beat)
    except BaseException:
        await services.store.close()
        raise
    finally:
        waiting.cancel()
    services.is_ready = True
    log(logging.INFO, "serving", server=services.name, store=str(services.store.where))


def say_that_it_waits() -> None:
    log(logging.WARNING, "store", code="waiting")


async def patiently(work: Callable[[], Awaitable[object]]) -> None:
    """A database may be gone for a moment, also while a server starts."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            await work()
        except Busy:
            if time.monotonic() > end:
                raise
            await asyncio.sleep(0.2)
        else:
            return


async def check_key(services: Services) -> None:
    """Sessions of servers with another key would be refused here, and ours there."""
    own, end = fingerprint_of(services.name), time.monotonic() + DYING
    nodes = services.store.coordination.live_nodes
    while {fingerprint_of(name) for name in await nodes()} - {own, ""}:
        if time.monotonic() > end:
            raise Unusable(
                f"{KEY_SETTING}: other servers that share this store have another key (without "
                "this setting, a server takes the one in its folder): give all of them the same "
                "one, or stop the others first"
            )
        await asyncio.sleep(0.2)
