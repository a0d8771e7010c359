"""The server's own workers: processes that begin and end with it."""

import asyncio
import contextlib
import logging
import os
import sys
import time
from pathlib import Path

from zashiki.server.ops.logs import log as log_event
from zashiki.server.settings import TOKEN_VARIABLE

RUN = "import sys; from zashiki.cli import main; sys.exit(main())"

GRACE = 3.0
"""Seconds in which a worker has to end when it is told to."""
FIRST_WAIT = 0.2
LONGEST_WAIT = 30.0
STEADY = 60.0
"""Who has worked for so many seconds is replaced at once."""
LOOK_EVERY_SECONDS = 0.5
"""Interval at which the pool looks for the compiled modules."""

log = logging.getLogger("zashiki.bots")


class Pool:
    """Keeps `count` workers running, on compiled modules as soon as these exist."""

    def __init__(self, count: int, address: str, token: str, compiled: Path | None = None) -> None:
        self.count = count
        self.address = address
        self.token = token
        self.compiled = compiled
        """Folder of compiled modules for the workers. It may appear while they run."""
        self.is_compiled = asyncio.Event()
        self.processes: set[asyncio.subprocess.Process] = set()
        self.keepers: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self.keepers = [asyncio.create_task(self._keep()) for _ in range(self.count)]
        if self.compiled is not None and self.count:
            self.keepers.append(asyncio.create_task(self._look_for(self.compiled)))

    async def close(self) -> None:
        """End all of them; none is left behind."""
        for keeper in self.keepers:
            keeper.cancel()
        await asyncio.gather(*self.keepers, return_exceptions=True)

    async def _look_for(self, compiled: Path) -> None:
        """Replace the workers once the folder is there. It appears complete, by a rename."""
        while not compiled.is_dir():
            await asyncio.sleep(LOOK_EVERY_SECONDS)
        self.is_compiled.set()
        log_event(logging.INFO, "compiled")

    async def _keep(self) -> None:
        wait = FIRST_WAIT
        while True:
            began = time.monotonic()
            status = await self._run()
            if status is None:
                continue
            lasted = time.monotonic() - began
            wait = FIRST_WAIT if lasted > STEADY else min(2 * wait, LONGEST_WAIT)
            log.warning("a bot worker ended with status %d after %.0f s", status, lasted)
            await asyncio.sleep(wait)

    async def _run(self) -> int | None:
        """One worker from its beginning to its end. Returns its exit status, or None if it was
        ended here because the compiled modules are ready. Its standard input is a pipe from this
        process, so that it ends with the server even if the server is killed."""
        outdated = None if self.is_compiled.is_set() else self.is_compiled
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", RUN, "bots", "--server", self.address, "--leash",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            env=self._environment(),
            start_new_session=True,
        )  # fmt: skip
        self.processes.add(process)
        try:
            return await ended_or(process, outdated)
        finally:
            self.processes.discard(process)
            await asyncio.shield(ended(process))

    def _environment(self) -> dict[str, str]:
        environment = {**os.environ, TOKEN_VARIABLE: self.token}
        if self.is_compiled.is_set():
            path = [str(self.compiled), os.environ.get("PYTHONPATH", "")]
            environment["PYTHONPATH"] = os.pathsep.join(filter(None, path))
        return environment


async def ended_or(process: asyncio.subprocess.Process, event: asyncio.Event | None) -> int | None:
    """Wait for the end of a process, or for an event. Returns the status if the process ended."""
    if event is None:
        return await process.wait()
    ends, happens = asyncio.create_task(process.wait()), asyncio.create_task(event.wait())
    try:
        await asyncio.wait((ends, happens), return_when=asyncio.FIRST_COMPLETED)
        return ends.result() if ends.done() else None
    finally:
        ends.cancel()
        happens.cancel()


async def ended(process: asyncio.subprocess.Process) -> None:
    """End a process, kindly first."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        try:
            await asyncio.wait_for(process.wait(), GRACE)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if process.stdin is not None:
        process.stdin.close()
        with contextlib.suppress(OSError):
            await process.stdin.wait_closed()
