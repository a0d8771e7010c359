"""The servers that are compared, each in separate processes, and their processor time."""

import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PEER = Path(__file__).resolve().parent / "boardgame"
NEEDED = ("litestar", "uvloop", "msgspec")
PATIENCE = 10.0
CONNECTIONS = 20_000
FREELY = ("--bots", "0", "--requests", "1000000000", "--connections", "1000000", "--quiet")
SERVE = f"""
import sys
import zashiki.server.serve as serve
serve.MAX_CONNECTIONS = {CONNECTIONS}  # as many sockets as 2,000 tables have
from zashiki.cli import main
sys.exit(main())
"""
DATABASE = """
import sys
from tests.server.postgres import Nowhere, cluster
try:
    started = cluster()
    print(started.new(), started.process.pid, flush=True)
except Nowhere as why:
    sys.exit(str(why))
sys.stdin.read()
"""


class Unavailable(Exception):
    """A server cannot be measured, or no longer. The text says why."""


def python() -> str:
    """Return a Python with the server's packages: this one, or that of the tests."""
    if all(find_spec(name) is not None for name in NEEDED):
        return sys.executable
    other = ROOT / ".venv" / "bin" / "python"
    if not other.exists():
        raise Unavailable("expected a Python with the server's packages, found none: run make test")
    return str(other)


def node(name: str) -> str:
    """Return the path of Node or npm, on this machine or in the environment of the tests."""
    beside = ROOT / ".venv" / "bin" / name
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        raise Unavailable(f"{name} is not installed: boardgame.io is left out")
    return found


class Process:
    """A started process with its children. They are ended together."""

    def __init__(self, command: list[str], **settings: Any) -> None:
        pipe = subprocess.PIPE
        self.started = subprocess.Popen(
            command, cwd=ROOT, stdout=pipe, text=True, start_new_session=True, **settings
        )

    def members(self) -> dict[int, list[str]]:
        """Return the processes of the group, and the fields of each."""
        return {
            process: fields
            for process, fields in processes()
            if int(fields[GROUP]) == self.started.pid
        }

    def spent(self) -> float:
        """Return the processor time so far, in seconds."""
        return sum(seconds_of(fields[USER:CHILDREN]) for fields in self.members().values())

    def resident(self) -> int:
        """Memory, in bytes."""
        pages = 0
        for process in self.members():
            pages += int(Path(f"/proc/{process}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def line(self) -> str:
        assert self.started.stdout is not None
        return str(self.started.stdout.readline())

    def stop(self) -> None:
        if self.started.poll() is None or self.members():
            os.killpg(self.started.pid, signal.SIGKILL)
        self.started.communicate()


PARENT, GROUP, USER, CHILDREN, AFTER_TIMES = 1, 2, 11, 13, 15
"""Places in the fields of a process: user and system time, and the same of children that ended."""


def processes() -> Iterator[tuple[int, list[str]]]:
    """List all processes, each with the fields after its name in /proc/PID/stat."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue  # it has ended meanwhile
            yield int(entry.name), stat.rpartition(")")[2].split()


def seconds_of(ticks: list[str]) -> float:
    """Add up processor times."""
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def spent_by_family(process: int) -> float:
    """Return the processor time of a process and its children, also ended ones, in seconds."""
    spent = 0.0
    for number, fields in processes():
        if number == process:
            spent += seconds_of(fields[USER:AFTER_TIMES])
        elif int(fields[PARENT]) == process:
            spent += seconds_of(fields[USER:CHILDREN])
    return spent


@dataclass
class Server:
    """One kind of server, running: perhaps as several processes at several ports."""

    kind: str
    ports: list[int]
    processes: list[Process]
    database: int | None = None
    """The first process of its PostgreSQL, if it has one."""

    def spent(self) -> float:
        """Return the processor time so far, in seconds, without the database's."""
        return sum(process.spent() for process in self.processes)

    def database_spent(self) -> float:
        """Return the processor time of the database, in seconds."""
        return 0.0 if self.database is None else spent_by_family(self.database)

    def resident(self) -> int:
        """Memory, in bytes."""
        return sum(process.resident() for process in self.processes)


Kind = Callable[[Path, str | None], AbstractContextManager[Server]]
"""A function that starts a server in a folder; ours takes the folder of compiled modules."""


def end_with_servers() -> None:
    """Let SIGTERM end this process as an error does, so that it ends the servers it started."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))


@contextmanager
def listening(command: list[str], **settings: Any) -> Iterator[tuple[Process, int]]:
    """Start a process, and yield it once it has printed its address."""
    process = Process(command, **settings)
    try:
        while " listens on " not in (line := process.line()):
            if not line:
                raise Unavailable("a server ended before it listened")
        yield process, int(line.rpartition(":")[2])
    finally:
        process.stop()


def zashiki(
    folder: Path, compiled: str | None, store: str | None = None, key: str = ""
) -> AbstractContextManager[tuple[Process, int]]:
    """Start a server of this project, with compiled modules if there are any."""
    settings = {**os.environ, "PYTHONUNBUFFERED": "1"}
    if compiled is not None:
        settings["PYTHONPATH"] = compiled
    if store is not None:
        settings |= {"ZASHIKI_STORE": store, "ZASHIKI_KEY": key}
    command = [python(), "-c", SERVE, "serve", "--data", str(folder), "--port", "0", *FREELY]
    return listening(command, env=settings)


@contextmanager
def sqlite(folder: Path, compiled: str | None) -> Iterator[Server]:
    with zashiki(folder, compiled) as (process, port):
        yield Server("zashiki", [port], [process])


@contextmanager
def database() -> Iterator[tuple[str, int]]:
    """Start a PostgreSQL. Yield the address of an empty database and its first process."""
    if find_spec("zashiki.server.store.postgres.store") is None:
        raise Unavailable("this server has no PostgreSQL: its rows are left out")
    process = Process([python(), "-c", DATABASE], stdin=subprocess.PIPE)
    try:
        line = process.line().split()
        if not line:
            raise Unavailable("no PostgreSQL could be started: its rows are left out")
        yield line[0], int(line[1])
    finally:
        assert process.started.stdin is not None
        process.started.stdin.close()  # then it cleans up
        try:
            process.started.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.started.pid, signal.SIGKILL)
            process.started.wait()


def postgres(count: int) -> Kind:
    """Return a function that starts some servers over one PostgreSQL."""

    @contextmanager
    def started(folder: Path, compiled: str | None) -> Iterator[Server]:
        key = secrets.token_hex(32)
        with ExitStack() as stack:
            address, first = stack.enter_context(database())
            made = [
                stack.enter_context(zashiki(folder / str(number), compiled, address, key))
                for number in range(count)
            ]
            ports = [port for _, port in made]
            yield Server("zashiki", ports, [process for process, _ in made], first)

    return started


def boardgame(storage: str) -> Kind:
    @contextmanager
    def started(folder: Path, _: str | None) -> Iterator[Server]:
        install()
        command = [node("node"), str(PEER / "server.js"), storage, str(folder)]
        with listening(command, env={**os.environ, "NODE_ENV": "production"}) as (process, port):
            yield Server("boardgame.io", [port], [process])

    return started


def install() -> None:
    """Install boardgame.io by its lock file, once."""
    stamp = PEER / "node_modules" / ".installed"
    lock = PEER / "package-lock.json"
    if stamp.exists() and stamp.stat().st_mtime >= lock.stat().st_mtime:
        return
    done = subprocess.run([node("npm"), "ci", "--silent"], check=False, cwd=PEER)
    if done.returncode:
        raise Unavailable("boardgame.io could not be installed: its rows are left out")
    stamp.touch()


SERVERS: dict[str, Kind] = {
    "zashiki, SQLite": sqlite,
    "zashiki, PostgreSQL, 1 server": postgres(1),
    "zashiki, PostgreSQL, 2 servers": postgres(2),
    "zashiki, PostgreSQL, 3 servers": postgres(3),
    "boardgame.io, memory": boardgame("memory"),
    "boardgame.io, flatfile": boardgame("flatfile"),
}


@contextmanager
def running(name: str, compiled: str | None) -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder, SERVERS[name](Path(folder), compiled) as server:
        yield server


def named(words: Iterable[str], names: Iterable[str]) -> list[str]:
    """Return the names that contain one of these words, or all if there are no words."""
    lower = [word.lower() for word in words]
    return [name for name in names if not lower or any(word in name.lower() for word in lower)]
