"""The server as a process: a folder, an address, and a line that says where it listens."""

import socket
import sys
from pathlib import Path

import uvicorn

from zashiki.core.rulings import Malformed
from zashiki.server.app import make_app
from zashiki.server.asking import Settings

LONGEST_MESSAGE = 65536
GRACE = 5
"""Seconds that a stop waits for connections to end."""


class Announced(uvicorn.Server):
    """Says where it listens, once it does: whoever started it may wait for that line."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and sockets:
            host, port = sockets[0].getsockname()[:2]
            name = f"[{host}]" if ":" in host else host
            sys.stdout.write(f"Zashiki listens on http://{name}:{port}\n")
            sys.stdout.flush()


def serve(host: str, port: int, folder: Path, origins: frozenset[str]) -> int:
    """Serve until told to stop."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    listening = listener(host, port)
    app = make_app(Settings(folder, origins))
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=LONGEST_MESSAGE,
        timeout_graceful_shutdown=GRACE,
        proxy_headers=False,
    )
    with listening:
        Announced(config).run(sockets=[listening])
    return 0


def listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError as fault:
        made.close()
        raise Malformed(f"{host}:{port}: {fault.strerror or fault}") from None
    return made
