"""WebSocket frames written by hand, and a client that never reads."""

import asyncio
import base64
import json
import socket
from typing import Any

from tests.server.in_process_server import InProcessServer


def masked_frame(opcode: int, raw: bytes, is_last: bool = True) -> bytes:
    """A frame of a client, with a mask of zeros."""
    size = bytes([0x80 | len(raw)]) if len(raw) < 126 else b"\xfe" + len(raw).to_bytes(2)
    return bytes([is_last << 7 | opcode]) + size + bytes(4) + raw


def frame(**command: Any) -> bytes:
    return masked_frame(1, json.dumps(command).encode())


def upgrade_request(server: InProcessServer, path: str) -> bytes:
    """The request for a WebSocket."""
    key = base64.b64encode(bytes(16)).decode()
    head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\n"
    head += f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    return head.encode()


async def unread_socket(server: InProcessServer, path: str) -> socket.socket:
    """A WebSocket whose client never reads."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    made.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(made, ("127.0.0.1", server.port))
    await loop.sock_sendall(made, upgrade_request(server, path))
    while not (await loop.sock_recv(made, 1000)).endswith(b"\r\n\r\n"):
        pass
    return made
