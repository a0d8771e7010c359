"""A process of clients: tables at a server, played at a pace, and how long each move took.

`python -m benchmarks.load KIND together|scattered SEED PORT…` reads requests from its input and
answers each, both as lines of JSON. Tables are spread over the ports: all seats of one together at
the same, or scattered over all of them.
"""

import asyncio
import gc
import json
import resource
import sys
import time
from collections.abc import Callable, Coroutine
from typing import Any

from benchmarks.plugs import Requests
from benchmarks.servers import SEATS
from benchmarks.tables import Pace, Table
from benchmarks.tables_ours import Zashiki
from benchmarks.tables_theirs import Boardgame

KINDS: dict[str, type[Table]] = {"zashiki": Zashiki, "boardgame.io": Boardgame}
AT_ONCE = 24
"""So many tables are set up side by side."""
TICK = 0.05
DRAIN = 30.0
"""Seconds at most for what is on its way to come."""
MICROSECONDS = 1_000_000


class Load:
    """The tables of this process."""

    def __init__(self, kind: str, seed: int, ports: list[int], scattered: bool) -> None:
        self.kind = KINDS[kind]
        self.pace = Pace(seed)
        self.scattered = scattered
        headers = {"X-Zashiki": "1"} if kind == "zashiki" else {}
        self.asked = [Requests(port, headers) for port in ports]
        self.tables: list[Table] = []

    async def open(self, tables: int) -> dict[str, Any]:
        """So many tables, with those that are open."""
        room = asyncio.Semaphore(AT_ONCE)

        async def one(table: Table) -> None:
            async with room:
                await table.open()

        start = time.monotonic()
        new = [self._table(number) for number in range(len(self.tables), tables)]
        await asyncio.gather(*(one(table) for table in new))
        self.tables += new
        await self._until(lambda: all(table.owing is not None for table in new), DRAIN)
        return {"tables": len(self.tables), "seconds": time.monotonic() - start}

    def _table(self, number: int) -> Table:
        apart = range(SEATS) if self.scattered else [0] * SEATS
        return self.kind(self.pace, [self.asked[(number + n) % len(self.asked)] for n in apart])

    async def extra(self) -> dict[str, Any]:
        """One socket more at every table."""
        for table in self.tables:
            await table.open_extra()
        await asyncio.sleep(1)
        return {"sockets": len(self.tables)}

    async def rest(self) -> dict[str, Any]:
        """Nobody moves; what was on its way has come."""
        for table in self.tables:
            table.play(False)
        came = await self._until(
            lambda: all(table.moving is None and table.owing is not None for table in self.tables),
            DRAIN,
        )
        return {"came": came}

    async def play(self, tables: int, interval: float) -> dict[str, Any]:
        """The first so many tables play, a decision falling due about every `interval` seconds."""
        self.pace.interval = interval
        for number, table in enumerate(self.tables):
            table.play(number < tables)
        return {}

    async def measure(self, seconds: float) -> dict[str, Any]:
        """What comes from now on, for so long; times in microseconds, in the order they came."""
        pace = self.pace
        pace.times, pace.refused, pace.ended = [], 0, 0
        start, spent = time.monotonic(), time.process_time()
        await self._until(lambda: False, seconds)
        times = [round(seconds * MICROSECONDS) for seconds in pace.times]
        return {
            "times": times,
            "refused": pace.refused,
            "ended": pace.ended,
            "seconds": time.monotonic() - start,
            "spent": time.process_time() - spent,
        }

    async def _until(self, is_so: Callable[[], bool], seconds: float) -> bool:
        """Wait, but not for ever; a fault of any table is one of the load."""
        end = time.monotonic() + seconds
        while True:
            if self.pace.broken:
                raise self.pace.broken[0]
            if is_so():
                return True
            left = end - time.monotonic()
            if left <= 0:
                return False
            await asyncio.sleep(min(TICK, left))


async def serve(load: Load) -> None:
    """Answer requests until there are no more."""
    doing: dict[str, Callable[..., Coroutine[Any, Any, dict[str, Any]]]] = {
        "open": load.open,
        "extra": load.extra,
        "rest": load.rest,
        "play": load.play,
        "measure": load.measure,
    }
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        what, *arguments = json.loads(line)
        print(json.dumps(await doing[what](*arguments)), flush=True)
    for table in load.tables:
        table.close()


def main() -> None:
    kind, scattered, seed, *ports = sys.argv[1:]
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    gc.disable()  # pauses of the load are not the server's
    load_of = (kind, int(seed), [int(port) for port in ports], scattered == "scattered")

    async def run() -> None:
        await serve(Load(*load_of))

    if sys.platform == "win32":
        asyncio.run(run())
    else:
        import uvloop

        uvloop.run(run())


if __name__ == "__main__":
    main()
