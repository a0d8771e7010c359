"""Run the tests of every kind, and print a summary by kind.

    python -m tools.run_tests              what `make test` runs
    python -m tools.run_tests --all        the long versions too, with coverage: `make test-all`
    python -m tools.run_tests rules laws   only the runs of these names

A run is one command. Lanes of runs work at the same time: one for runs that compute, and two for
runs that mostly wait (servers and databases; the client and its browsers) and have more workers.
Runs that must be alone come last.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Collection, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from tools.compiled import ROOT, CannotCompile, compiled, destination

LOGS = ROOT / "build" / "tests"
CORES = os.cpu_count() or 1
SERVER, BROWSER = "tests/server", "tests/browser"
LIGHTHOUSE = "tests/browser/test_lighthouse.py"
"""Measures how fast pages load, so nothing else may run at the same time."""
ELSEWHERE = [f"--ignore={folder}" for folder in (SERVER, BROWSER)]
COVERAGE = ["--cov"]
WITHOUT_PLUGINS = ["-p", "no:schemathesis", "-p", "no:faker"]
"""Leaves out plugins that only tests of the server need. Loading them takes a process a second."""
RULES = [*WITHOUT_PLUGINS, *ELSEWHERE]
FOR_COMPILED = "compiled or both"
"""Marks of the tests that run on compiled modules."""
LONG_COMPILED = "compiled and long"
"""Marks of the tests that take too long with coverage where nothing can be compiled."""
STATUS_SECONDS = 20
NICE = 5
"""The niceness of runs that compute, so that runs that wait for events come first."""

KINDS = {
    "tests.test_laws": "laws",
    "tests.test_goldens": "golden records",
    "tests.test_strength": "strength of bots",
    "tests.test_cli": "command line",
    "tests.test_docs": "documentation",
    "tests.server.test_store": "databases",
    "tests.server": "server",
    "tests.browser": "browser",
    "tests": "engine, bots, lab, tools",
    "src.zashiki.games": "rules of the games",
    "examples": "rules of the games",
}
"""Maps the beginning of a test module's name to the kind of its tests. Any other is `client`."""


@dataclass
class Run:
    """One command that tests, and its results by kind."""

    name: str
    command: Sequence[str]
    is_compiled: bool = False
    status: int | None = None
    seconds: float = 0.0
    passed: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)

    @property
    def log(self) -> Path:
        return LOGS / f"{self.name}.log"

    @property
    def report(self) -> Path:
        return LOGS / f"{self.name}.xml"

    def progress(self) -> str:
        """Return the last percentage that the command printed."""
        found = re.findall(rb"\[ *(\d+%)\]", self.log.read_bytes()) if self.log.exists() else []
        return f"{self.name} {found[-1].decode() if found else 'starts'}"

    def read_report(self) -> None:
        """Count the results by kind."""
        if not self.report.exists():
            return
        for case in ElementTree.parse(self.report).iter("testcase"):
            module = case.get("classname", "")
            kind = next((KINDS[name] for name in KINDS if module.startswith(name)), "client")
            outcomes = {child.tag for child in case}
            if outcomes & {"failure", "error"}:
                self.failed[kind] += 1
            elif "skipped" in outcomes:
                self.skipped[kind] += 1
            else:
                self.passed[kind] += 1


def pytest(name: str, workers: int, *arguments: str, is_compiled: bool = False) -> Run:
    """Return a run of pytest."""
    command = [sys.executable, "-m", "pytest", "-n", str(workers), "--dist", "worksteal"]
    command += ["--junitxml", str(LOGS / f"{name}.xml"), *arguments]
    return Run(name, command, is_compiled)


def vitest() -> Run:
    """Return the run of the client's unit tests."""
    report = f"--outputFile.junit={LOGS / 'client.xml'}"
    options = ["--reporter=default", "--reporter=junit", report]
    return Run("client", ["npm", "run", "--silent", "test", "--", *options])


@dataclass
class Lanes:
    """The runs of one call. The lanes work at the same time, each run after run."""

    computing: list[Run]
    serving: list[Run]
    browsing: list[Run]
    alone: list[Run]
    """Runs that come last, one after the other."""

    @property
    def runs(self) -> list[Run]:
        return [*self.computing, *self.serving, *self.browsing, *self.alone]

    def only(self, names: Collection[str]) -> "Lanes":
        """Return the lanes with only the runs of these names."""
        lanes = (self.computing, self.serving, self.browsing, self.alone)
        return Lanes(*([run for run in lane if run.name in names] for lane in lanes))


def usual_runs(can_compile: bool) -> Lanes:
    """Return the runs of `make test`."""
    computing = [pytest("rules", CORES, *RULES, *without_compiled(can_compile))]
    if can_compile:
        marked = [*WITHOUT_PLUGINS, "-m", FOR_COMPILED, *marked_files()]
        computing.append(pytest("compiled", CORES, *marked, is_compiled=True))
    serving = [pytest("server", 2 * CORES, SERVER)]
    browsing = [vitest(), pytest("browser", 2 * CORES, BROWSER)]
    return Lanes(computing, serving, browsing, [])


def all_runs(can_compile: bool) -> Lanes:
    """Return the runs of `make test-all`."""
    first = without_compiled(can_compile) or ["-m", f"not ({LONG_COMPILED})"]
    computing = [pytest("rules", CORES, *COVERAGE, "--long", *RULES, *first)]
    marked = ["-m", FOR_COMPILED if can_compile else LONG_COMPILED, *marked_files()]
    options = [*WITHOUT_PLUGINS, "--long", *marked]
    computing.append(pytest("compiled", CORES, *options, is_compiled=can_compile))
    serving = [
        pytest("server", 3 * CORES, "--long", SERVER, is_compiled=can_compile),
        pytest("postgres", 3 * CORES, "--store", "postgres", SERVER),
    ]
    browsing = [
        vitest(),
        pytest("browser", 2 * CORES, "--long", BROWSER, f"--ignore={LIGHTHOUSE}"),
    ]
    alone = [pytest("lighthouse", 1, "--long", LIGHTHOUSE)]
    return Lanes(computing, serving, browsing, alone)


def marked_files() -> list[str]:
    """Return the files with tests for compiled modules. No other file has to be collected."""
    marks = re.compile(rf"\bmark\.({FOR_COMPILED.replace(' or ', '|')})\b")
    found = (
        path for top in ("tests", "src", "examples") for path in ROOT.glob(f"{top}/**/test_*.py")
    )
    names = (
        path.relative_to(ROOT).as_posix() for path in found if marks.search(path.read_text("utf-8"))
    )
    return sorted(name for name in names if not name.startswith((SERVER, BROWSER)))


def without_compiled(can_compile: bool) -> list[str]:
    """Return pytest's options that leave out tests for compiled modules, if these can be built.

    Without a compiler the same tests run interpreted.
    """
    return ["-m", "not compiled"] if can_compile else []


class Session:
    """All runs of one call."""

    def __init__(self, lanes: Lanes) -> None:
        self.lanes = lanes
        self.builder = ThreadPoolExecutor(1)
        self.compiled: Future[Path] | None = None
        """The folder of compiled modules, built during the first runs if a run needs it."""
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.starting = threading.Lock()
        self.is_over = False
        """True once no further run may be started."""

    def go(self) -> None:
        """Run all lanes and print the progress. An interrupt ends all started runs."""
        lanes = self.lanes
        if any(run.is_compiled for run in lanes.runs):
            self.compiled = self.builder.submit(compiled)
        threads = [
            threading.Thread(target=self._go_through, args=(runs, nice), daemon=True)
            for runs, nice in ((lanes.computing, NICE), (lanes.serving, 0), (lanes.browsing, 0))
        ]
        try:
            for thread in threads:
                thread.start()
            while going := [thread for thread in threads if thread.is_alive()]:
                going[0].join(STATUS_SECONDS)
                self._tell_progress()
            self._go_through(lanes.alone, 0)
        finally:
            with self.starting:
                self.is_over = True
            for process in list(self.processes.values()):
                with suppress(ProcessLookupError):
                    os.killpg(
                        process.pid, signal.SIGINT
                    )  # pytest ends the processes that its tests started
                process.wait()

    def _go_through(self, runs: Sequence[Run], nice: int) -> None:
        for run in runs:
            began = time.monotonic()
            try:
                run.status = self._run(run, self._environment(run), nice)
                run.read_report()
            except subprocess.CalledProcessError as failure:  # of compiling
                run.log.write_bytes(failure.stdout)
                run.status = failure.returncode
            except Exception as fault:
                run.log.write_text(f"{type(fault).__name__}: {fault}\n")
                run.status = 1
            if self.is_over:
                return
            run.seconds = time.monotonic() - began
            tell(run)

    def _run(self, run: Run, environment: dict[str, str], nice: int) -> int:
        with run.log.open("wb") as log, self.starting:
            if self.is_over:
                raise InterruptedError("interrupted before it was started")
            process = subprocess.Popen(
                run.command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
                stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
            self.processes[run.name] = process
        if nice:
            with suppress(OSError):  # this process may already have a lower priority
                os.setpriority(os.PRIO_PGRP, process.pid, nice)
        status = process.wait()
        del self.processes[run.name]
        return status

    def _environment(self, run: Run) -> dict[str, str]:
        if not run.is_compiled or self.compiled is None:
            return dict(os.environ)
        path = str(self.compiled.result())
        return {**os.environ, "PYTHONPATH": path, "ZASHIKI_EXPECT_COMPILED": "1"}

    def _tell_progress(self) -> None:
        active = [run.progress() for run in self.lanes.runs if run.name in self.processes]
        if active:
            print(f"… {', '.join(active)}", flush=True)


def tell(run: Run) -> None:
    """Print how a run ended. Its output is shown only if it failed."""
    counts = (
        f"{run.passed.total()} passed, {run.failed.total()} failed, {run.skipped.total()} skipped"
    )
    print(f"{run.name}: {counts} in {run.seconds:.0f} s", flush=True)
    if run.status:
        sys.stdout.buffer.write(run.log.read_bytes())
        print(f"{run.name} failed with status {run.status}", flush=True)


def tell_summary(runs: Sequence[Run], seconds: float) -> int:
    """Print the results by kind. Return the exit status."""
    passed, failed, skipped = (
        sum((getattr(run, name) for run in runs), Counter[str]())
        for name in ("passed", "failed", "skipped")
    )
    print(f"\nProved in {seconds:.0f} s:")
    for kind in sorted(passed + failed + skipped):
        print(
            f"  {kind:26}{passed[kind]:6} passed {failed[kind]:4} failed {skipped[kind]:4} skipped"
        )
    broken = [run.name for run in runs if run.status != 0 or run.failed or not run.passed]
    if broken:
        print(f"Failed: {', '.join(broken)}. The output is above and in {LOGS.relative_to(ROOT)}.")
    print(f"{passed.total()} passed, {failed.total()} failed, {skipped.total()} skipped")
    return 1 if broken else 0


def main() -> int:
    """Run the named runs, or all. Return the exit status."""
    parser = argparse.ArgumentParser(description="Run the tests of every kind.")
    parser.add_argument("--all", action="store_true", help="the long versions too, with coverage")
    parser.add_argument("names", nargs="*", help="names of runs (default: all of them)")
    arguments = parser.parse_args()
    try:
        destination()
        can_compile = True
    except CannotCompile as reason:
        can_compile = False
        print(f"Nothing is tested compiled: {reason}.", flush=True)
    lanes = (all_runs if arguments.all else usual_runs)(can_compile)
    known = {run.name for run in lanes.runs}
    if unknown := set(arguments.names) - known:
        parser.error(f"expected names of {', '.join(sorted(known))}, found {', '.join(unknown)}")
    LOGS.mkdir(parents=True, exist_ok=True)
    for old in (*LOGS.glob("*.xml"), *LOGS.glob("*.log")):
        old.unlink()
    began = time.monotonic()
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, lambda number, _: sys.exit(128 + number))
    chosen = lanes.only(arguments.names or known)
    Session(chosen).go()
    return tell_summary(chosen.runs, time.monotonic() - began)


if __name__ == "__main__":
    sys.exit(main())
