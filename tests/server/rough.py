"""A client that does not keep to what is usual: single frames, and nobody who reads."""

import asyncio
import base64
import json
import socket
from typing import Any

from tests.server.inside import Inside


def masked(opcode: int, raw: bytes, is_last: bool = True) -> bytes:
    """As a client sends it, masked with nothing."""
    size = bytes([0x80 | len(raw)]) if len(raw) < 126 else b"\xfe" + len(raw).to_bytes(2)
    return bytes([is_last << 7 | opcode]) + size + bytes(4) + raw


def frame(**command: Any) -> bytes:
    return masked(1, json.dumps(command).encode())


def upgrade(home: Inside, path: str) -> bytes:
    """The request for a WebSocket."""
    key = base64.b64encode(bytes(16)).decode()
    head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{home.port}\r\nUpgrade: websocket\r\n"
    head += f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    return head.encode()


async def deaf(home: Inside, path: str) -> socket.socket:
    """A WebSocket whose client never reads."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    made.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(made, ("127.0.0.1", home.port))
    await loop.sock_sendall(made, upgrade(home, path))
    while not (await loop.sock_recv(made, 1000)).endswith(b"\r\n\r\n"):
        pass
    return made
