"""Measure in turns: the processes that measure, and the options of every comparison."""

import json
import os
import platform
import subprocess
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
NO_COMPILER = 3  # exit status of tools/compiled.py


class Worker:
    """A process that measures. Interpreted and compiled modules need separate processes."""

    def __init__(self, module: str, kind: str, path: str | None = None) -> None:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        if path is not None:
            environment["PYTHONPATH"] = path
        command = [sys.executable, "-m", module, kind]
        pipe = subprocess.PIPE
        self.kind = kind
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, text=True
        )

    @property
    def modules(self) -> str:
        """Return the kind of our modules that it measures; empty for other libraries."""
        return "" if self.kind == "peers" else self.kind

    def ask(self, *request: float) -> Any:
        assert self.process.stdin is not None
        print(json.dumps(request), file=self.process.stdin, flush=True)
        return self.answer()

    def answer(self) -> Any:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{Path(sys.argv[0]).name}: the worker ({self.kind}) failed")
        return json.loads(line)

    def stop(self) -> None:
        self.process.kill()
        self.process.communicate()


def compiled_path(python: str = sys.executable) -> str | None:
    """Return the folder of the modules compiled for a Python; None without a compiler."""
    command = [python, str(ROOT / "tools" / "compiled.py")]
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
    if done.returncode == NO_COMPILER:
        print("Nothing is measured compiled: see the line above.", file=sys.stderr)
        return None
    if done.returncode:
        raise SystemExit(f"{Path(sys.argv[0]).name}: compiling failed, see above")
    return done.stdout.strip()


def machine_load() -> str:
    """Return the load average of the machine: the mean number of runnable processes."""
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


def machine() -> str:
    return f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} processors"


def positive(text: str) -> float:
    number = float(text)
    if not 0 < number < float("inf"):
        raise ValueError(text)
    return number


def counted(text: str) -> int:
    """Read a whole number of at least 1."""
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"expected 1 or more, found {text!r}")
    return int(text)


def comparison_parser(description: str) -> ArgumentParser:
    """Return a parser with the arguments that every comparison with other libraries has."""
    parser = ArgumentParser(description=description)
    add = parser.add_argument
    add("--rounds", type=counted, default=21, help="rounds (default: 21)")
    add("--only", nargs="+", default=[], metavar="WORD", help="words in the names of rows")
    add("--no-peers", action="store_true", help="leave the other libraries out")
    add("--json", type=Path, metavar="FILE", help="write every round to FILE")
    return parser


@contextmanager
def stopped_at_end(workers: list[Worker]) -> Iterator[list[Worker]]:
    try:
        yield workers
    finally:
        for worker in workers:
            worker.stop()


def write_json(arguments: Namespace, found: object) -> None:
    """Write all figures to the file of `--json`, if it was given."""
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
