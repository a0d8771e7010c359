"""The server as a process: a folder, an address, and a line that says where it listens."""

import asyncio
import errno
import gc
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from types import FrameType

import uvicorn
from litestar import Litestar

from zashiki.core.rulings import Malformed
from zashiki.server.app import make_app
from zashiki.server.asking import CONNECTIONS, REQUESTS, Settings, server_of
from zashiki.server.bots.desk import Desk
from zashiki.server.connections import Impatient, Socket
from zashiki.server.hall import Hall
from zashiki.server.logs import config
from zashiki.server.sessions import BadKey
from zashiki.server.store.opening import open_store
from zashiki.server.store.protocol import Store, Unusable

WORKER_TOKEN = "worker.token"
LONGEST_MESSAGE = 65536
LONGEST_HEAD = 16384
MOST_CONNECTIONS = 5000
GRACE = 5
"""Seconds that a stop waits for connections to end."""
DRAIN = 5.0
"""Seconds in which people are sent to other servers, one after the other, where there are any."""


class Announced(uvicorn.Server):
    """Says where it listens, once it does: whoever started it may wait for that line."""

    opens = False
    """Shall a browser be opened there?"""
    drain: Callable[[], Awaitable[None]] | None = None
    """What comes before a stop."""
    _draining: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and sockets:
            sys.stdout.write(f"Zashiki listens on {address(*sockets[0].getsockname()[:2])}\n")
            sys.stdout.flush()
            if self.opens and has_screen():
                webbrowser.open(own_address(sockets[0]))

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """To be told to stop is no failure: nothing is raised once it has stopped. Told twice, it
        stops at once."""
        self.force_exit = self.should_exit and sig == signal.SIGINT
        if self.started and self.drain is not None and self._draining is None:
            self._draining = asyncio.get_running_loop().create_task(self._leave(self.drain))
        else:
            self.should_exit = True

    async def _leave(self, drain: Callable[[], Awaitable[None]]) -> None:
        """Let nobody in any more, and those who are here go elsewhere."""
        for listening in self.servers:
            listening.close()
        try:
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
) -> int:
    """Serve until told to stop."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    kept = chosen_store(store, folder)
    listening = listener(host, port)
    settings = Settings(
        folder, origins, key=key, address=own_address(listening), bots=bots, bot_pace=bot_pace,
        requests=requests, connections=connections, proxies=proxies,
    )  # fmt: skip
    app = made_app(settings, kept)
    hall = server_of(app.state).hall
    desk = server_of(app.state).desk
    usual = DRAIN if kept.site.is_shared else 0.0
    seconds = usual if drain is None else drain
    keep_token(folder, desk.token)
    open_many()
    collect_seldom()
    with listening:
        server = Announced(configured(app, quiet))
        server.opens = opens
        if seconds:
            server.drain = lambda: leave(hall, desk, seconds)
        server.run(sockets=[listening])
    return 0


def chosen_store(setting: str | None, folder: Path) -> Store:
    try:
        return open_store(setting, folder)
    except Unusable as fault:
        raise Malformed(str(fault)) from None


def made_app(settings: Settings, store: Store) -> Litestar:
    try:
        return make_app(settings, store)
    except BadKey as fault:
        raise Malformed(str(fault)) from None


async def leave(hall: Hall, desk: Desk, seconds: float) -> None:
    """Other servers take over: bots at once, people one after the other."""
    hall.is_draining = True
    await desk.retire()
    await hall.see_off(seconds)


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
        wanted = 2 * MOST_CONNECTIONS
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
        ws_max_size=LONGEST_MESSAGE,
        limit_concurrency=MOST_CONNECTIONS,
        h11_max_incomplete_event_size=LONGEST_HEAD,
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
