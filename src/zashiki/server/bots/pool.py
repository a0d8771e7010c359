"""The server's own workers: processes that begin and end with it."""

import asyncio
import contextlib
import logging
import os
import sys
import time

RUN = "import sys; from zashiki.cli import main; sys.exit(main())"
TOKEN = "ZASHIKI_BOTS_TOKEN"
"""The variable of the environment in which a worker finds its token."""

GRACE = 3.0
"""Seconds in which a worker has to end when it is told to."""
FIRST_WAIT = 0.2
LONGEST_WAIT = 30.0
STEADY = 60.0
"""Who has worked for so many seconds is replaced at once."""

log = logging.getLogger("zashiki.bots")


class Pool:
    """Keeps so many workers running."""

    def __init__(self, count: int, address: str, token: str) -> None:
        self.count = count
        self.address = address
        self.token = token
        self.processes: set[asyncio.subprocess.Process] = set()
        self.keepers: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self.keepers = [asyncio.create_task(self._keep()) for _ in range(self.count)]

    async def close(self) -> None:
        """End all of them; none is left behind."""
        for keeper in self.keepers:
            keeper.cancel()
        await asyncio.gather(*self.keepers, return_exceptions=True)

    async def _keep(self) -> None:
        wait = FIRST_WAIT
        while True:
            began = time.monotonic()
            status = await self._run()
            lasted = time.monotonic() - began
            wait = FIRST_WAIT if lasted > STEADY else min(2 * wait, LONGEST_WAIT)
            log.warning("a bot worker ended with status %d after %.0f s", status, lasted)
            await asyncio.sleep(wait)

    async def _run(self) -> int:
        """One worker from its beginning to its end. It is on a leash: its standard input is ours,
        so that it ends with us even if we are killed."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", RUN, "bots", "--server", self.address, "--leash",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            env={**os.environ, TOKEN: self.token},
            start_new_session=True,
        )  # fmt: skip
        self.processes.add(process)
        try:
            return await process.wait()
        finally:
            self.processes.discard(process)
            await asyncio.shield(ended(process))


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
