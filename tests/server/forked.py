"""Commands of `zashiki` in processes that need not import it: copies of one that has.

An import takes longer than most tests with a server of their own. Tests of the start itself run
the interpreter, as an operator does.
"""

import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from multiprocessing import connection
from multiprocessing.connection import Connection

IMPORTED = [
    "zashiki.cli.commands.serve",
    "zashiki.cli.commands.bots",
    "zashiki.games.kamiza",
    "zashiki.games.kingdoms",
    "zashiki.games.red_town",
    "zashiki.server.serve",
    "anyio._backends._asyncio",
    "litestar.plugins.attrs",
    "uvicorn.lifespan.on",
    "uvicorn.loops.auto",
]
FORKING = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload([*IMPORTED, __name__])
POLLING = threading.Lock()
"""Held while a status may be read. A start reads those of all others too, and each only once."""


class ForkedProcess:
    """A command in a separate process, with what tests use of `subprocess.Popen`."""

    def __init__(
        self, arguments: Sequence[str], environment: Mapping[str, str], stderr: int = 2
    ) -> None:
        reading, output = FORKING.Pipe(duplex=False)
        with reading, output, Connection(os.dup(stderr), readable=False) as errors:
            given = (list(arguments), dict(environment), os.getcwd(), output, errors)
            self.process = FORKING.Process(target=command, args=given)
            with POLLING:
                self.process.start()
            self.stdout = open(os.dup(reading.fileno()), encoding="utf-8")  # noqa: SIM115
        assert self.process.pid is not None
        self.pid = self.process.pid

    def send_signal(self, number: signal.Signals) -> None:
        with POLLING:
            if self.process.is_alive():
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float) -> int:
        """Return the exit status, or a signal's number below zero."""
        connection.wait([self.process.sentinel], timeout)
        with POLLING:
            status = self.process.exitcode
        if status is None:
            raise subprocess.TimeoutExpired(self.process.name, timeout)
        return status


def command(
    arguments: list[str],
    environment: dict[str, str],
    folder: str,
    output: Connection,
    errors: Connection,
) -> None:
    """Run a command of `zashiki` in this process, with these standard streams."""
    from zashiki.cli import main

    gc.freeze()  # a collection need not look through what is imported
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, stream in ((1, output), (2, errors)):
        os.dup2(stream.fileno(), number)
        stream.close()
    # The inherited ones hold what their files were: a pipe has no position.
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", buffering=1, closefd=False)  # noqa: SIM115
    sys.exit(main(arguments))
