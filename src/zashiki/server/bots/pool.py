"""The server's own bot workers: child processes that start and stop with the server."""

import asyncio
import contextlib
import logging
import os
import sys
import time
from pathlib import Path

from zashiki.server.ops.logs import log as log_event
from zashiki.server.settings import TOKEN_VARIABLE

WORKER_CODE = "import sys; from zashiki.cli import main; sys.exit(main())"

STOP_TIMEOUT_SECONDS = 3.0
"""Time from SIGTERM to SIGKILL."""
MIN_RESTART_SECONDS = 0.2
MAX_RESTART_SECONDS = 30.0
STABLE_SECONDS = 60.0
"""A worker that ran for longer is restarted after the shortest delay."""
COMPILED_POLL_SECONDS = 0.5
"""Interval at which the pool looks for the compiled modules."""

log = logging.getLogger("zashiki.bots")


class WorkerPool:
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
        """Start the workers, and restart each one whenever it exits."""
        self.keepers = [asyncio.create_task(self._keep_running()) for _ in range(self.count)]
        if self.compiled is not None and self.count:
            self.keepers.append(asyncio.create_task(self._wait_for_compiled(self.compiled)))

    async def close(self) -> None:
        """Stop all workers, and wait until they have exited."""
        for keeper in self.keepers:
            keeper.cancel()
        await asyncio.gather(*self.keepers, return_exceptions=True)

    async def _wait_for_compiled(self, compiled: Path) -> None:
        """Have the workers replaced once the folder exists. A rename makes it appear complete."""
        while not compiled.is_dir():
            await asyncio.sleep(COMPILED_POLL_SECONDS)
        self.is_compiled.set()
        log_event(logging.INFO, "compiled")

    async def _keep_running(self) -> None:
        delay = MIN_RESTART_SECONDS
        while True:
            started = time.monotonic()
            status = await self._run()
            if status is None:
                continue
            lasted = time.monotonic() - started
            if lasted > STABLE_SECONDS:
                delay = MIN_RESTART_SECONDS
            log.warning("a bot worker ended with status %d after %.0f s", status, lasted)
            await asyncio.sleep(delay)
            delay = min(2 * delay, MAX_RESTART_SECONDS)

    async def _run(self) -> int | None:
        """Run one worker until it exits. Return its exit status, or None if it was stopped here
        because the compiled modules are ready.

        Its standard input is a pipe from this process. The worker therefore ends with the server,
        even if the server is killed.
        """
        outdated = None if self.is_compiled.is_set() else self.is_compiled
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", WORKER_CODE, "bots", "--server", self.address, "--leash",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            env=self._environment(),
            start_new_session=True,
        )  # fmt: skip
        self.processes.add(process)
        try:
            return await exit_status(process, outdated)
        finally:
            self.processes.discard(process)
            await asyncio.shield(stop(process))

    def _environment(self) -> dict[str, str]:
        environment = {**os.environ, TOKEN_VARIABLE: self.token}
        if self.is_compiled.is_set():
            path = [str(self.compiled), os.environ.get("PYTHONPATH", "")]
            environment["PYTHONPATH"] = os.pathsep.join(filter(None, path))
        return environment


async def exit_status(
    process: asyncio.subprocess.Process, event: asyncio.Event | None
) -> int | None:
    """Wait until a process exits or an event is set. Return None if the event came first."""
    if event is None:
        return await process.wait()
    exited, is_set = asyncio.create_task(process.wait()), asyncio.create_task(event.wait())
    try:
        await asyncio.wait((exited, is_set), return_when=asyncio.FIRST_COMPLETED)
        return exited.result() if exited.done() else None
    finally:
        exited.cancel()
        is_set.cancel()


async def stop(process: asyncio.subprocess.Process) -> None:
    """Terminate a process; kill it if it does not exit in time."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        try:
            await asyncio.wait_for(process.wait(), STOP_TIMEOUT_SECONDS)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if process.stdin is not None:
        process.stdin.close()
        with contextlib.suppress(OSError):
            await process.stdin.wait_closed()
