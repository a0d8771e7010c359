"""The server process: listens, starts, drains and stops."""

import asyncio
import errno
import gc
import logging
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType

import uvicorn
from litestar import Litestar

from zashiki.core.rulings import Malformed
from zashiki.server.accounts.secret_key import BadKey
from zashiki.server.app import make_app
from zashiki.server.ops.logs import config, log
from zashiki.server.realtime.http_connection import HttpConnection
from zashiki.server.realtime.transport import WebSocketConnection
from zashiki.server.services import Services, services_of
from zashiki.server.settings import SHARED_DRAIN_SECONDS, Settings
from zashiki.server.startup import prepare
from zashiki.server.store.errors import StoreFault
from zashiki.server.store.factory import open_store
from zashiki.server.store.sqlite.lock import sole_server
from zashiki.server.store.sqlite.store import SqliteStore

WORKER_TOKEN = "worker.token"
MAX_HEADER_BYTES = 16384
MAX_CONNECTIONS = 5000
STOP_TIMEOUT_SECONDS = 5
"""Time that a stop waits for open connections to close."""


class DrainingServer(uvicorn.Server):
    """A uvicorn server that prints its address, prepares before the start and drains on stop."""

    opens_browser = False
    prepare: Callable[[], Coroutine[None, None, None]] | None = None
    """Runs before the start. In the application's lifespan uvicorn would log its errors."""
    announce: Callable[[], Awaitable[None]] | None = None
    """Runs first on a stop, while new connections are still accepted."""
    drain: Callable[[], Awaitable[None]] | None = None
    """Runs next, when new connections are refused. Without it, a stop is immediate."""
    _preparing: asyncio.Task[None] | None = None
    _draining: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Prepare, listen, and print the address, for which a parent process may wait."""
        if not await self._prepare():
            return
        await super().startup(sockets)
        if self.started and sockets:
            sys.stdout.write(f"Zashiki listens on {address(*sockets[0].getsockname()[:2])}\n")
            sys.stdout.flush()
            if self.opens_browser and not open_browser(own_address(sockets[0])):
                sys.stdout.write("No browser could be opened here: open that address in one.\n")
                sys.stdout.flush()

    async def _prepare(self) -> bool:
        """Run `prepare`. Return False if a signal stopped the server meanwhile."""
        if self.prepare is not None:
            self._preparing = asyncio.create_task(self.prepare())
            try:
                await self._preparing
            except asyncio.CancelledError:
                if not self.should_exit:
                    raise
        return not self.should_exit

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Drain on the first signal, and stop at once on the second.

        Unlike uvicorn's, it does not raise the signal again after the stop.
        """
        self.force_exit = self.should_exit and sig == signal.SIGINT
        if self.started and self.drain is not None and self._draining is None:
            self._draining = asyncio.get_running_loop().create_task(self._drain(self.drain))
        else:
            self.should_exit = True
            if self._preparing is not None:
                self._preparing.cancel()

    async def _drain(self, drain: Callable[[], Awaitable[None]]) -> None:
        try:
            if self.announce is not None:
                await self.announce()
            for server in self.servers:
                server.close()
            await drain()
        finally:
            self.should_exit = True


def serve(settings: Settings) -> int:
    """Serve until a signal stops the process. Return the exit status."""
    with one_line_errors(), ExitStack() as stack:
        settings.check_folder()
        settings.check_digests()
        settings.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        opened = open_store(settings.store, settings.folder)
        if isinstance(opened, SqliteStore):
            stack.enter_context(sole_server(opened.path))
        listening = stack.enter_context(listen(settings.host, settings.port))
        app = make_app(replace(settings, address=own_address(listening)), opened)
        services = services_of(app.state)
        write_token(settings.folder, services.dispatcher.token)
        raise_file_limit()
        collect_young_garbage_only()
        server = DrainingServer(uvicorn_config(app, settings.quiet))
        server.opens_browser = settings.opens
        server.prepare = lambda: prepare(services)
        default = SHARED_DRAIN_SECONDS if opened.coordination else 0.0
        # Proxies notice the stop in the first half, people leave in the second.
        half = (default if settings.drain is None else settings.drain) / 2
        if half:
            server.announce = lambda: announce_stop(services, half)
            server.drain = lambda: move_clients(services, half)
        server.run(sockets=[listening])
        log(logging.INFO, "stopped", server=services.name)
    return 0


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Report errors of the store or the key in one line, without a traceback."""
    try:
        yield
    except (StoreFault, BadKey) as fault:
        raise Malformed(str(fault)) from None


async def announce_stop(services: Services, seconds: float) -> None:
    """Report by `/health` that the server will stop, and serve on while proxies notice."""
    services.registry.is_leaving = True
    log(logging.INFO, "draining", server=services.name)
    await asyncio.sleep(seconds)


async def move_clients(services: Services, seconds: float) -> None:
    """Hand bots over to other servers at once, and clients one after the other."""
    services.registry.is_draining = True
    await services.dispatcher.retire()
    await services.registry.see_off(seconds)


def open_browser(address: str) -> bool:
    """Open a browser window. Return False if there is no screen: a text browser would take over
    the terminal."""
    has_screen = sys.platform in {"darwin", "win32"} or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    return has_screen and webbrowser.open(address)


def raise_file_limit() -> None:
    """Raise the limit of open files to twice the number of connections, as far as allowed."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = 2 * MAX_CONNECTIONS
        if hard != resource.RLIM_INFINITY:
            wanted = min(wanted, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def collect_young_garbage_only() -> None:
    """Stop automatic garbage collection of old objects.

    With a few thousand sockets it takes a third of a second. `sweep.collect` does it now and then.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 1_000_000)


def own_address(listening: socket.socket) -> str:
    """Return the address under which processes of this machine reach the server."""
    host, port = listening.getsockname()[:2]
    return address({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), port)


def address(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def write_token(folder: Path, token: str) -> None:
    """Write the token of bot workers to a file that only the operator can read."""
    file = folder / WORKER_TOKEN
    opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(opened, "w") as out:
        if os.name == "posix":
            os.fchmod(out.fileno(), 0o600)
        out.write(f"{token}\n")


def uvicorn_config(app: Litestar, quiet: bool = False) -> uvicorn.Config:
    """Return uvicorn's settings, with limits on everything that a client could make large."""
    return uvicorn.Config(
        app,
        http=HttpConnection,
        log_config=config(quiet),
        access_log=False,
        server_header=False,
        ws=WebSocketConnection,  # HttpConnection makes it; uvicorn only asks whether there is one
        limit_concurrency=MAX_CONNECTIONS,
        h11_max_incomplete_event_size=MAX_HEADER_BYTES,
        timeout_graceful_shutdown=STOP_TIMEOUT_SECONDS,
        proxy_headers=False,
    )


def listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sets TCP_NODELAY only if the protocol is named. Without it an answer takes 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except (OSError, TypeError, UnicodeError) as fault:  # the last two: not the name of a host
        listening.close()
        text = f"{host}:{port}: {getattr(fault, 'strerror', None) or fault}"
        if getattr(fault, "errno", None) == errno.EADDRINUSE:
            text += f"; open http://{host}:{port} if Zashiki runs there, or take another --port"
        elif getattr(fault, "errno", None) == errno.EADDRNOTAVAIL:
            text += "; choose an address of this machine with --host, or 0.0.0.0 for all"
        raise Malformed(text) from None
    return listening
