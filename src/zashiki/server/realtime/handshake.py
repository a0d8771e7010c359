"""The opening handshake of a WebSocket (RFC 6455, section 4): the request, and our responses."""

import base64
import binascii
import hashlib
from collections.abc import Iterable
from email.utils import formatdate
from http import HTTPStatus
from urllib.parse import parse_qsl

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""The constant of RFC 6455 that is hashed with the client's key."""

NO_BODY = (None, "0")
"""Values of the header Content-Length in a request without a body."""


class HandshakeError(Exception):
    """A request that gets an HTTP response instead of a WebSocket."""

    def __init__(self, status: int = 403, text: str = "") -> None:
        super().__init__(text)
        self.status = status
        self.text = text


class UpgradeRequest:
    """An HTTP request that asks for a WebSocket, as its handler needs it."""

    def __init__(
        self,
        method: str,
        path: str,
        query: bytes,
        headers: Iterable[tuple[bytes, bytes]],
        peer: str,
    ) -> None:
        self.method = method
        self.path = path
        self.peer = peer
        """IP address of the TCP connection's other end."""
        self._query = query
        self._headers: dict[bytes, list[str]] = {}
        for name, value in headers:
            self._headers.setdefault(name, []).append(value.decode("latin-1"))

    def header(self, name: bytes) -> str | None:
        """Return the first value of a header, whose name is in lower case."""
        values = self._headers.get(name)
        return values[0] if values else None

    def header_values(self, name: bytes) -> list[str]:
        return self._headers.get(name, [])

    def parameter(self, name: str) -> str | None:
        """Return the last value of a parameter in the query."""
        asked = parse_qsl(self._query.decode("latin-1"), keep_blank_values=True)
        return dict(asked).get(name)


def accept_response(request: UpgradeRequest) -> bytes:
    """Check a request by the RFC, and return the response that opens the WebSocket."""
    if request.method != "GET":
        raise HandshakeError(405, f"expected the method GET, found {request.method}")
    if len(request.header_values(b"upgrade")) != 1:
        raise HandshakeError(426, "expected one Upgrade header")
    has_body = request.header(b"content-length") not in NO_BODY
    if has_body or request.header(b"transfer-encoding") is not None:
        raise HandshakeError(400, "expected no body")
    key = single_header(request, b"sec-websocket-key")
    if not is_nonce(key):
        raise HandshakeError(400, "Sec-WebSocket-Key: expected 16 bytes in Base64")
    if single_header(request, b"sec-websocket-version") != "13":
        raise HandshakeError(400, "Sec-WebSocket-Version: expected 13")
    if len(request.header_values(b"origin")) > 1:
        raise HandshakeError(400, "expected one Origin header at most")
    digest = hashlib.sha1(key.encode("ascii") + GUID, usedforsecurity=False).digest()
    return (
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Accept: " + base64.b64encode(digest) + b"\r\n\r\n"
    )


def single_header(request: UpgradeRequest, name: bytes) -> str:
    values = request.header_values(name)
    if len(values) != 1:
        raise HandshakeError(400, f"expected one {name.decode()} header, found {len(values)}")
    return values[0]


def is_nonce(key: str) -> bool:
    try:
        return len(base64.b64decode(key, validate=True)) == 16
    except (binascii.Error, ValueError):
        return False


def refusal_response(refusal: HandshakeError) -> bytes:
    """Return an HTTP response after which the connection is closed."""
    body = refusal.text.encode("ascii", "replace")
    allow = {405: "Allow: GET\r\n", 426: "Upgrade: websocket\r\n"}.get(refusal.status, "")
    head = (
        f"HTTP/1.1 {refusal.status} {HTTPStatus(refusal.status).phrase}\r\n"
        f"Date: {formatdate(usegmt=True)}\r\n{allow}Connection: close\r\n"
        f"Content-Length: {len(body)}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
    )
    return head.encode() + body
