"""Work of every minute: timers of tables on disk, expiry, memory."""

import asyncio
import gc
import logging
from contextlib import suppress
from itertools import count

from zashiki.server.errors import ApiError
from zashiki.server.ops.logs import log
from zashiki.server.store.errors import StoreFault
from zashiki.server.system import System
from zashiki.server.tables import commands as on
from zashiki.server.tables.handler import handle
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.registry import TableRegistry

SWEEP_SECONDS = 60.0
"""Between two looks for tables to expire or to drop."""
IDLE_SECONDS = 30.0
"""A table that somebody asked for within this time stays in memory: they may connect soon."""
COLLECT_SWEEPS, COLLECT_SWEEPS_BUSY = 10, 30
"""Sweeps between two collections of old garbage: with few sockets, and with many."""
FEW_SOCKETS = 200
JUMP_SECONDS = 5.0
"""A clock that is corrected by less is not worth a line."""
EXPIRY_SECONDS = 6 * 3600.0
"""A table that has not started is closed when nothing changed for this time."""


async def sweep(registry: TableRegistry) -> None:
    """Every minute: run timers, close old tables, drop idle ones, collect old garbage."""
    clock = ClockWatch(registry.system)
    for sweeps in count(1):
        clock.look()
        with suppress(StoreFault):  # it is tried again soon
            await close_old(registry)
        await run_due_timers(registry)
        registry.drop_idle(IDLE_SECONDS)
        registry.count_memory()
        collect(registry, sweeps)
        await asyncio.sleep(SWEEP_SECONDS)


class ClockWatch:
    """Notices that the clock of the machine was set, or stood still while the machine slept.

    Days for a decision go by that clock, so the operator should know. Everything that is measured
    in seconds goes on evenly.
    """

    def __init__(self, system: System) -> None:
        self._system = system
        self._ahead = self._offset()

    def _offset(self) -> float:
        return self._system.now() - self._system.monotonic()

    def look(self) -> float:
        """Log and return by how many seconds the clock has jumped; 0 for less than a few."""
        jump = self._offset() - self._ahead
        if abs(jump) < JUMP_SECONDS:
            return 0.0
        self._ahead += jump
        log(logging.WARNING, "clock", seconds=round(jump))
        return jump


def collect(registry: TableRegistry, sweeps: int) -> bool:
    """Collect garbage among old objects, less often while many sockets are open.

    There should be none: neither a move nor a socket that has ended leaves any.
    """
    sockets = sum(len(table.sockets) for table in registry.tables.values())
    if sweeps % (COLLECT_SWEEPS if sockets <= FEW_SOCKETS else COLLECT_SWEEPS_BUSY):
        return False
    gc.collect()
    return True


async def close_old(registry: TableRegistry) -> None:
    before = registry.system.now() - EXPIRY_SECONDS
    await registry.store.close_idle(before)
    if registry.quotas.expire(before):
        registry.lobby.forget_pages()
    registry.quotas.forget_addresses(registry.system.now())


async def run_due_timers(registry: TableRegistry) -> None:
    """Run timers that are due at tables on disk, or because the machine slept."""
    now = registry.system.now()
    for table in list(registry.tables.values()):
        seconds = table.seconds_until_due()
        if seconds is not None and seconds <= 0:
            table.on_timer()
        await give_up_if_due(table)
    for id in [id for id, due in registry.due.items() if due <= now]:
        del registry.due[id]
        try:
            table = await registry.find(id)
        except (ApiError, StoreFault):
            registry.due[id] = now  # it is tried again soon
            continue
        except Exception as fault:  # one broken table stops no other
            log(logging.ERROR, "broken", fault, table=id)
            continue
        table.on_timer()
        await give_up_if_due(table)


async def give_up_if_due(table: LiveTable) -> None:
    """Count those as gone for whom a match waited too long. If that fails, try again later."""
    if table.has_waited_too_long():
        with suppress(ApiError, StoreFault):
            await handle(table, on.GiveUp())
