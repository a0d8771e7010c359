"""Preparation of a server before it accepts requests: opens the store, resumes tables."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

from zashiki.bots import bot_names
from zashiki.games import catalogue
from zashiki.server.accounts.secret_key import fingerprint_of
from zashiki.server.ops.logs import log
from zashiki.server.services import Services
from zashiki.server.settings import KEY_VARIABLE
from zashiki.server.store.coordination import NODE_TIMEOUT_SECONDS
from zashiki.server.store.errors import Busy, Conflict, Unusable
from zashiki.server.store.rows import PlayerRow
from zashiki.server.tables.model import bot_id

STORE_TIMEOUT_SECONDS = 30.0
"""Time for which a start waits for the database."""
SILENT_SECONDS = 1.0
"""Time after which it logs that it waits."""
DEATH_SECONDS = NODE_TIMEOUT_SECONDS + 1.0
"""Time after which servers that were killed no longer count as alive."""
RETRY_SECONDS = 0.2


async def prepare(services: Services) -> None:
    """Prepare all services. If that fails, close the store and raise `StoreFault`."""
    warning = asyncio.get_running_loop().call_later(SILENT_SECONDS, log_waiting)
    try:
        await services.store.open()
        await retry_while_busy(lambda: check_shared_key(services))
        await retry_while_busy(lambda: add_server_bots(services))
        await retry_while_busy(services.accounts.read_address_bans)
        await retry_while_busy(services.registry.resume)
        await retry_while_busy(services.dispatcher.resume)
        if services.cluster is not None:
            await retry_while_busy(services.cluster.heartbeat)
    except BaseException:
        await services.store.close()
        raise
    finally:
        warning.cancel()
    services.is_ready = True
    log(logging.INFO, "serving", server=services.name, store=str(services.store.where))


def log_waiting() -> None:
    log(logging.WARNING, "store", code="waiting")


async def retry_while_busy(work: Callable[[], Awaitable[object]]) -> None:
    """Repeat work while the database is busy or away, up to a time limit."""
    end = time.monotonic() + STORE_TIMEOUT_SECONDS
    while True:
        try:
            await work()
        except Busy:
            if time.monotonic() > end:
                raise
            await asyncio.sleep(RETRY_SECONDS)
        else:
            return


async def check_shared_key(services: Services) -> None:
    """Refuse to start beside servers with another key: each would reject the other's sessions."""
    own, end = fingerprint_of(services.name), time.monotonic() + DEATH_SECONDS
    coordination = services.store.coordination
    if coordination is None:
        return
    while {fingerprint_of(name) for name in await coordination.live_nodes()} - {own, ""}:
        if time.monotonic() > end:
            raise Unusable(
                f"{KEY_VARIABLE}: other servers that share this store have another key (without "
                "this setting, a server takes the one in its folder): give all of them the same "
                "one, or stop the others first"
            )
        await asyncio.sleep(RETRY_SECONDS)


async def add_server_bots(services: Services) -> None:
    """Add the server's bots as players."""
    names = {name for spec in catalogue().values() for name in bot_names(spec)}
    for name in sorted(names):
        if await services.store.player(bot_id(name)) is None:
            now = services.settings.system.now()
            row = PlayerRow(bot_id(name), "bot", name.capitalize(), None, None, now)
            with suppress(Conflict):  # another server was first
                await services.store.add_player(row)
