"""Commands for tests: `run_cli` runs one in this process, `run_process` starts a real one.

A test starts a process only if the process itself is tested: signals, a terminal, the streams of a
shell, the exit status. All others call `main` here, because an interpreter takes longer to start
than most commands take to run.
"""

import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO, TextIOWrapper
from pathlib import Path
from signal import SIGKILL
from subprocess import DEVNULL, CompletedProcess, Popen, run
from typing import TextIO

import pytest

import zashiki
from zashiki.cli import main

RUN = [sys.executable, "-m", "zashiki"]
SOURCES = str(Path(zashiki.__file__).parent.parent)
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
HANG = 600.0
"""Seconds after which a process counts as hanging; a busy machine does not reach it."""

Done = CompletedProcess[str]


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": SOURCES, "PYTHONUTF8": "1", **more}


def run_process(*arguments: str, given: str = "", **more: str) -> Done:
    """Run a command as a process, with piped streams."""
    return run(
        [*RUN, *arguments],
        input=given, capture_output=True, text=True, encoding="utf-8", timeout=HANG,
        env=environment(**more), check=False,
    )  # fmt: skip


def run_cli(*arguments: str, given: str = "") -> Done:
    """Run a command in this process, with streams as a shell pipes them."""
    stdin, stdout, stderr = piped(given), piped(), piped()
    status = run_main(*arguments, stdin=stdin, stdout=stdout, stderr=stderr)
    return CompletedProcess(arguments, status, written(stdout), written(stderr))


def run_main(
    *arguments: str, stdin: TextIO | None, stdout: TextIO | None, stderr: TextIO | None
) -> int:
    """Return the status of `main` with these streams; None is one that the shell has closed."""
    with streams(stdin, stdout, stderr):
        try:
            return main(arguments)
        except SystemExit as ended:  # how argparse ends after --help
            return int(ended.code or 0)


@contextmanager
def streams(stdin: TextIO | None, stdout: TextIO | None, stderr: TextIO | None) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", stdin)
        patch.setattr(sys, "stdout", stdout)
        patch.setattr(sys, "stderr", stderr)
        yield


def piped(given: str = "") -> TextIOWrapper:
    return TextIOWrapper(BytesIO(given.encode()), encoding="utf-8")


def written(stream: TextIOWrapper) -> str:
    stream.flush()
    assert isinstance(stream.buffer, BytesIO)
    return stream.buffer.getvalue().decode()


def output(*arguments: str, status: int = 0) -> str:
    """Return the output of a command; piped, it has no control codes."""
    done = run_cli(*arguments)
    assert done.stderr == ""
    assert done.returncode == status
    assert not CONTROL.search(done.stdout)
    return done.stdout


def error(*arguments: str, given: str = "") -> str:
    """Return the one line that a command prints about wrong input."""
    done = run_cli(*arguments, given=given)
    assert done.returncode == 2
    assert done.stderr.startswith("zashiki: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


def was_killed(arguments: Sequence[str], journal: Path, lines: int) -> bool:
    """Start a command and kill it as soon as its journal has this many lines.

    Returns False if the command ended before: on a busy machine this process may be late.
    """
    process = Popen([*RUN, *arguments], env=environment(), stdout=DEVNULL)
    while process.poll() is None and lines_in(journal) < lines:
        time.sleep(0.001)
    process.kill()
    assert process.wait() in (0, -SIGKILL)
    return process.returncode == -SIGKILL


def lines_in(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def save_match(folder: Path) -> Path:
    """Return the record of a match between bots."""
    path = folder / "evening.jsonl"
    output("play", "kamiza-second", "--bots", "random", "--seed", "7", "--save", str(path))
    return path
