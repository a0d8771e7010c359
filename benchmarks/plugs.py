"""The least that a load needs of HTTP and WebSocket, so that the clients are not what is measured.

A library's client costs more than the server does for each frame. This one can do what both kinds
of servers ask for, and takes nothing from others that is longer or stranger than theirs.
"""

import asyncio
import base64
import json
import os
from collections.abc import Callable, Mapping
from typing import Any, cast

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
FINAL = 0x80
MASKED = 0x80
NO_MASK = b"\0\0\0\0"
"""Frames of a client are masked; with zeros, that costs neither side anything."""
LONGEST_HEAD = 65536
LOCAL = "127.0.0.1"


class Failed(Exception):
    """A server did not answer as expected."""


class Requests:
    """Requests to one server, over connections that are kept."""

    def __init__(self, port: int, headers: Mapping[str, str] | None = None) -> None:
        self.port = port
        self.headers = dict(headers or {})
        self._free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def post(
        self, path: str, data: object = None, headers: Mapping[str, str] | None = None
    ) -> tuple[Any, dict[str, str]]:
        """The body and the head of an answer."""
        raw = self._request(path, json.dumps({} if data is None else data).encode(), headers or {})
        while self._free:
            try:
                return await self._ask(*self._free.pop(), raw)
            except (asyncio.IncompleteReadError, ConnectionError):
                continue  # it had been idle for too long
        return await self._ask(*await asyncio.open_connection(LOCAL, self.port), raw)

    def _request(self, path: str, body: bytes, headers: Mapping[str, str]) -> bytes:
        fields = {
            "Host": f"{LOCAL}:{self.port}",
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            **self.headers,
            **headers,
        }
        lines = [f"POST {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
        return "\r\n".join([*lines, "", ""]).encode() + body

    async def _ask(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, raw: bytes
    ) -> tuple[Any, dict[str, str]]:
        writer.write(raw)
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        head = {}
        for line in lines:
            name, _, value = line.partition(":")
            head[name.lower()] = value.strip()
        body = await reader.readexactly(int(head.get("content-length", "0")))
        if head.get("connection", "").lower() == "close":
            writer.close()
        else:
            self._free.append((reader, writer))
        status = int(first.split()[1])
        if status >= 300:
            what = raw.split(b" ", 2)[1].decode()
            raise Failed(f"{what}: {status} {body.decode(errors='replace')[:300]}")
        return (json.loads(body) if body else None), head

    def close(self) -> None:
        for _, writer in self._free:
            writer.close()
        self._free.clear()


class Plug(asyncio.Protocol):
    """A WebSocket: texts to it, and texts from it to whoever hears."""

    def __init__(
        self, port: int, path: str, hear: Callable[[bytes], None], headers: Mapping[str, str]
    ) -> None:
        more = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.request = (
            f"GET {path} HTTP/1.1\r\nHost: {LOCAL}:{port}\r\n{more}Upgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n"
        )
        self.hear = hear
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.lost: Callable[[], None] | None = None
        """What is done where the other side ends it."""
        self.is_open = False
        self.transport: asyncio.Transport | None = None
        self._kept = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's is none by its class
        self.transport.write(self.request.encode())

    def connection_lost(self, exc: Exception | None) -> None:
        was_open, self.is_open = self.is_open, False
        if not self.opened.done():
            self.opened.set_exception(Failed("the connection ended before it was a socket"))
        elif was_open and self.lost is not None:
            self.lost()

    def data_received(self, data: bytes) -> None:
        kept = self._kept
        kept += data
        if not self.opened.done():
            end = kept.find(b"\r\n\r\n")
            if end < 0:
                return
            first = bytes(kept[: kept.find(b"\r\n")])
            if b" 101 " not in first:
                self.opened.set_exception(Failed(f"no socket: {first.decode(errors='replace')}"))
                self.close()
                return
            del kept[: end + 4]
            self.is_open = True
            self.opened.set_result(None)
        self._read_frames()

    def _read_frames(self) -> None:
        kept = self._kept
        at, size = 0, len(kept)
        while size - at >= 2:
            length, start = kept[at + 1], at + 2
            if length >= 126:
                start += 2 if length == 126 else 8
                if size < start:
                    break
                length = int.from_bytes(kept[at + 2 : start], "big")
            if size < start + length:
                break
            kind, text = kept[at], bytes(kept[start : start + length])
            at = start + length
            self._take(kind, text)
        del kept[:at]

    def _take(self, kind: int, text: bytes) -> None:
        if kind == FINAL | TEXT:
            if self.is_open:
                self.hear(text)
        elif kind == FINAL | PING:
            self._write(PONG, text)
        elif kind == FINAL | CLOSE:
            assert self.transport is not None
            self.transport.close()
        elif kind != FINAL | PONG:
            raise Failed(f"a frame of the kind {kind:#x} was not expected")

    def send(self, text: bytes) -> None:
        self._write(TEXT, text)

    def _write(self, kind: int, text: bytes) -> None:
        assert self.transport is not None
        if self.transport.is_closing():
            return  # which `lost` says
        size = len(text)
        length = bytes((MASKED | size,)) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
        self.transport.write(bytes((FINAL | kind,)) + length + NO_MASK + text)

    def close(self) -> None:
        """Politely, and nothing is heard from then on."""
        was_open, self.is_open = self.is_open, False
        if self.transport is not None and not self.transport.is_closing():
            if was_open:
                self._write(CLOSE, b"\x03\xe8")
            self.transport.close()


async def plugged(
    port: int, path: str, hear: Callable[[bytes], None], headers: Mapping[str, str] | None = None
) -> Plug:
    """A socket that is open."""
    loop = asyncio.get_running_loop()
    _, plug = await loop.create_connection(
        lambda: Plug(port, path, hear, headers or {}), LOCAL, port
    )
    await plug.opened
    return plug
