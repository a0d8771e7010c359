"""The server as a process: a folder, an address, and a line that says where it listens."""

import asyncio
import errno
import gc
import logging
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType

import uvicorn
from litestar import Litestar

from zashiki.core.rulings import Malformed
from zashiki.server.accounts.secret_key import BadKey
from zashiki.server.app import make_app
from zashiki.server.bots.dispatcher import BotDispatcher
from zashiki.server.ops.logs import config, log
from zashiki.server.realtime.transport import Impatient, Socket
from zashiki.server.services import Services, services_of
from zashiki.server.settings import CONNECTIONS, REQUESTS, Settings
from zashiki.server.startup import make_ready
from zashiki.server.store.errors import StoreFault
from zashiki.server.store.factory import open_store
from zashiki.server.store.sqlite.lock import sole_server
from zashiki.server.store.sqlite.store import SqliteStore
from zashiki.server.tables.registry import TableRegistry

WORKER_TOKEN = "worker.token"
MAX_MESSAGE_BYTES = 65536
MAX_HEADER_BYTES = 16384
MAX_CONNECTIONS = 5000
GRACE = 5
"""Seconds that a stop waits for connections to end."""
DRAIN = 5.0
"""Seconds that a stop takes where there may be other servers: in the first half proxies learn of
it, in the second people are sent away, one after the other."""


class Announced(uvicorn.Server):
    """Says where it listens, once it does: whoever started it may wait for that line."""

    opens = False
    """Shall a browser be opened there?"""
    ready: Callable[[], Coroutine[None, None, None]] | None = None
    """What comes before a start. It is not the application's business, of whose faults uvicorn
    would tell in its own way."""
    announce: Callable[[], Awaitable[None]] | None = None
    """What comes before a stop, while others are still let in."""
    drain: Callable[[], Awaitable[None]] | None = None
    """What comes then."""
    _starting: asyncio.Task[None] | None = None
    _draining: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        if not await self._is_ready():
            return
        await super().startup(sockets)
        if self.started and sockets:
            sys.stdout.write(f"Zashiki listens on {address(*sockets[0].getsockname()[:2])}\n")
            sys.stdout.flush()
            if self.opens and not (has_screen() and webbrowser.open(own_address(sockets[0]))):
                sys.stdout.write("No browser could be opened here: open that address in one.\n")
                sys.stdout.flush()

    async def _is_ready(self) -> bool:
        """Or was it told to stop before it was?"""
        if self.ready is not None:
            self._starting = asyncio.create_task(self.ready())
            try:
                await self._starting
            except asyncio.CancelledError:
                if not self.should_exit:
                    raise
        return not self.should_exit

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """To be told to stop is no failure: nothing is raised once it has stopped. Told twice, it
        stops at once."""
        self.force_exit = self.should_exit and sig == signal.SIGINT
        if self.started and self.drain is not None and self._draining is None:
            self._draining = asyncio.get_running_loop().create_task(self._leave(self.drain))
        else:
            self.should_exit = True
            if self._starting is not None:
                self._starting.cancel()

    async def _leave(self, drain: Callable[[], Awaitable[None]]) -> None:
        """Say so, then let nobody in any more, and those who are here go elsewhere."""
        try:
            if self.announce is not None:
                await self.announce()
            for listening in self.servers:
                listening.close()
            await drain()
        finally:
            self.should_exit = True


def serve(
    host: str,
    port: int,
    folder: Path,
    origins: frozenset[str],
    bots: int = 1,
    bot_pace: float = 1.0,
    requests: int = REQUESTS,
    connections: int = CONNECTIONS,
    quiet: bool = False,
    opens: bool = False,
    store: str | None = None,
    key: str | None = None,
    drain: float | None = None,
    proxies: Sequence[str] = (),
    compiled: Path | None = None,
) -> int:
    """Serve until told to stop."""
    with faults_told(), ExitStack() as held:
        make_folder(folder)
        kept = open_store(store, folder)
        if isinstance(kept, SqliteStore):
            held.enter_context(sole_server(kept.path))
        listening = held.enter_context(listener(host, port))
        settings = Settings(
            folder, origins, key=key, address=own_address(listening), bots=bots,
            bot_pace=bot_pace, requests=requests, connections=connections, proxies=proxies,
            compiled=compiled,
        )  # fmt: skip
        app = make_app(settings, kept)
        parts = services_of(app.state)
        keep_token(folder, parts.dispatcher.token)
        open_many()
        collect_seldom()
        services = Announced(configured(app, quiet))
        services.opens = opens
        services.ready = lambda: make_ready(parts)
        usual = DRAIN if kept.coordination.is_shared else 0.0
        seconds = usual if drain is None else drain
        if seconds:
            services.announce = lambda: announce(parts, seconds / 2)
            services.drain = lambda: leave(parts.registry, parts.dispatcher, seconds / 2)
        services.run(sockets=[listening])
        log(logging.INFO, "stopped", server=parts.name)
    return 0


@contextmanager
def faults_told() -> Iterator[None]:
    """What a store or a key has against it, in one line."""
    try:
        yield
    except (StoreFault, BadKey) as fault:
        raise Malformed(str(fault)) from None


def make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise Malformed(f"--data {folder}: a folder is expected, not a file") from None


async def announce(parts: Services, seconds: float) -> None:
    """For so long proxies may learn that this server will stop, and are served meanwhile."""
    parts.registry.is_leaving = True
    log(logging.INFO, "draining", server=parts.name)
    await asyncio.sleep(seconds)


async def leave(registry: TableRegistry, dispatcher: BotDispatcher, seconds: float) -> None:
    """Other servers take over: bots at once, people one after the other."""
    registry.is_draining = True
    await dispatcher.retire()
    await registry.see_off(seconds)


def has_screen() -> bool:
    """Is there a browser that opens a window, and not one that takes over this terminal?"""
    return sys.platform in {"darwin", "win32"} or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )


def open_many() -> None:
    """Ask for as many files as there may be connections, and some for what is kept."""
    if sys.platform != "win32":
        import resource

        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = 2 * MAX_CONNECTIONS
        if most != resource.RLIM_INFINITY:
            wanted = min(wanted, most)
        if now != resource.RLIM_INFINITY and now < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def collect_seldom() -> None:
    """Look for garbage among young objects only. What lives long here is most of it, and to go
    through it takes a third of a second with a few thousand sockets: `Hall.tidy` does that."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(1_000, 10, 1_000_000)


def own_address(listening: socket.socket) -> str:
    """Where processes of this machine find the server."""
    host, port = listening.getsockname()[:2]
    return address({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), port)


def address(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def keep_token(folder: Path, token: str) -> None:
    """Write down what bot workers from elsewhere have to bring, for the operator alone."""
    file = folder / WORKER_TOKEN
    opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(opened, "w") as out:
        if os.name == "posix":
            os.fchmod(out.fileno(), 0o600)
        out.write(f"{token}\n")


def configured(app: Litestar, quiet: bool = False) -> uvicorn.Config:
    """How it is served: everything that a client could make large or long is bounded."""
    return uvicorn.Config(
        app,
        http=Impatient,
        log_config=config(quiet),
        access_log=False,
        server_header=False,
        ws=Socket,
        ws_per_message_deflate=False,
        ws_max_size=MAX_MESSAGE_BYTES,
        limit_concurrency=MAX_CONNECTIONS,
        h11_max_incomplete_event_size=MAX_HEADER_BYTES,
        timeout_graceful_shutdown=GRACE,
        proxy_headers=False,
    )


def listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends without delay only where the protocol is named: 40 ms an answer otherwise.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError as fault:
        made.close()
        said = f"{host}:{port}: {fault.strerror or fault}"
        if fault.errno == errno.EADDRINUSE:
            said += f"; open http://{host}:{port} if Zashiki runs there, or take another --port"
        raise Malformed(said) from None
    return made
