"""The socket of those who play for bots."""

from typing import Any

from litestar import websocket
from litestar.connection import WebSocket
from litestar.datastructures import State
from litestar.exceptions import NotAuthorizedException

from zashiki.server.asking import server_of
from zashiki.server.bots.frames import SOCKET


@websocket(SOCKET)
async def worker_socket(socket: WebSocket[Any, Any, State]) -> None:
    """A worker with its token; a browser has no business here."""
    desk = server_of(socket.app.state).desk
    if socket.headers.get("origin") or not desk.knows(socket.headers.get("authorization")):
        raise NotAuthorizedException
    await socket.accept()
    await desk.employ(socket)


HANDLERS = (worker_socket,)
