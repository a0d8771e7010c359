"""A real server in a separate process, for tests."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.server.forked import ForkedProcess
from tests.server.guests import RunningServer
from tests.server.stores import environment
from tests.server.waits import TIMEOUT

RUN = "import sys; from zashiki.cli import main; sys.exit(main())"


class ServerProcess(RunningServer):
    """A server that can be stopped, killed and restarted on the same folder."""

    def __init__(
        self, folder: Path, *options: str, settings: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(folder)
        self.options = options or ("--bots", "0")
        self.settings = settings
        """Environment variables; None for those of the store that the tests use."""
        self.run = RUN
        """The code of a new interpreter, or RUN, for which a copy of another process will do."""
        self.process: subprocess.Popen[str] | ForkedProcess | None = None

    def start(self) -> None:
        """Start it and wait for its address; it keeps that port."""
        arguments = ["serve", "--data", str(self.folder), "--port", str(self.port), *self.options]
        environment = {**os.environ, **self._settings()}
        if self.run == RUN:
            self.process = ForkedProcess(arguments, environment)
        else:
            self.process = subprocess.Popen(
                [sys.executable, "-c", self.run, *arguments], env=environment,
                stdout=subprocess.PIPE, text=True,
            )  # fmt: skip
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("Zashiki listens on http://127.0.0.1:"), line
        self.port = int(line.rpartition(":")[2])

    def _settings(self) -> Mapping[str, str]:
        return environment(self.folder) if self.settings is None else self.settings

    def kill(self) -> None:
        self.end(signal.SIGKILL)

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Stop it; return its exit status."""
        process = self.process
        assert process is not None
        process.send_signal(number)
        status = process.wait(TIMEOUT)
        if process.stdout is not None:
            process.stdout.close()
        self.process = None
        return status


@contextmanager
def server_process(folder: Path, *options: str) -> Iterator[ServerProcess]:
    made = ServerProcess(folder, *options)
    made.start()
    try:
        yield made
    finally:
        if made.process is not None:
            made.kill()
