"""WebSockets as RFC 6455 requires: the handshake, each violation, and the keepalive."""

import asyncio
import base64
import re
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from socket import IPPROTO_TCP, SO_KEEPALIVE, SOL_SOCKET
from unittest.mock import Mock

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Close

from tests.server.guests import Guest, Talk
from tests.server.in_process_server import InProcessServer, in_process_server
from tests.server.raw_websocket import frame, masked_frame, upgrade_request
from tests.server.waits import TIMEOUT, connect, until
from zashiki.server.realtime.http_connection import HttpConnection
from zashiki.server.realtime.keepalive import TCP_OPTIONS, KeepAlive, watch_peer
from zashiki.server.realtime.transport import SlowReaderGuard, WebSocketConnection
from zashiki.server.store.errors import Busy

NGINX = Path(__file__).resolve().parents[2] / "deploy" / "nginx.conf"
LOBBY = "/api/lobby/socket"
KEY = base64.b64encode(bytes(16)).decode()
GOOD = {
    "Upgrade": ["websocket"],
    "Connection": ["Upgrade"],
    "Sec-WebSocket-Key": [KEY],
    "Sec-WebSocket-Version": ["13"],
}


# Handshakes ------------------------------------------------------------------------------------


async def asked(
    server: InProcessServer, method: str, path: str, headers: dict[str, list[str]]
) -> bytes:
    """Return the first line of the response."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    lines = [f"{name}: {value}" for name, values in headers.items() for value in values]
    head = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{server.port}", *lines]
    writer.write("\r\n".join([*head, "", ""]).encode())
    line = await reader.readline()
    writer.close()
    return line.strip()


HANDSHAKES: list[tuple[dict[str, list[str]], str]] = [
    ({}, "101 Switching Protocols"),
    ({"Upgrade": ["WebSocket"], "Connection": ["keep-alive, Upgrade"]}, "101"),
    ({"Content-Length": ["0"]}, "101"),
    ({"Sec-WebSocket-Extensions": ["permessage-deflate"]}, "101"),
    ({"Upgrade": ["websocket", "websocket"]}, "426 Upgrade Required"),
    ({"Sec-WebSocket-Key": []}, "400 Bad Request"),
    ({"Sec-WebSocket-Key": [KEY, KEY]}, "400"),
    ({"Sec-WebSocket-Key": ["x"]}, "400"),
    ({"Sec-WebSocket-Key": [base64.b64encode(b"short").decode()]}, "400"),
    ({"Sec-WebSocket-Version": []}, "400"),
    ({"Sec-WebSocket-Version": ["8"]}, "400"),
    ({"Content-Length": ["3"]}, "400"),
    ({"Transfer-Encoding": ["chunked"]}, "400"),
    ({"Origin": ["http://evil.example", "http://evil.example"]}, "400"),
    ({"Origin": ["http://evil.example"]}, "403 Forbidden"),
    ({"Upgrade": ["h2c"]}, "404"),
    ({"Connection": []}, "404"),
]
"""Headers that differ from good ones, and the response."""


async def test_a_request_opens_a_socket_or_is_refused(tmp_path: Path) -> None:
    async with in_process_server(tmp_path, requests=100_000) as server, asyncio.timeout(TIMEOUT):
        for changed, answer in HANDSHAKES:
            line = await asked(server, "GET", LOBBY, GOOD | changed)
            assert line.startswith(f"HTTP/1.1 {answer}".encode()), (changed, line)


async def test_only_the_three_paths_are_sockets(tmp_path: Path) -> None:
    async with in_process_server(tmp_path, requests=100_000) as server, asyncio.timeout(TIMEOUT):
        for path in ("/", "/api", "/api/me", "/api/lobby", "/api/tables//socket", "/lobby/socket"):
            assert b" 403 " in await asked(server, "GET", path, GOOD), path
        for path in (f"{LOBBY}/", "//api/lobby/%73ocket", "/api/tables/x/socket?ticket"):
            line = await asked(server, "GET", path, GOOD)
            assert (b" 403 " if "ticket" in path else b" 101 ") in line, path
        assert b" 405 " in await asked(server, "POST", LOBBY, GOOD)


async def test_the_answer_proves_that_the_key_was_read(tmp_path: Path) -> None:
    """The example of RFC 6455, section 1.3."""
    async with in_process_server(tmp_path, requests=100_000) as server, asyncio.timeout(TIMEOUT):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        request = upgrade_request(server, LOBBY).replace(KEY.encode(), b"dGhlIHNhbXBsZSBub25jZQ==")
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        assert b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n" in head
        writer.close()


async def test_what_is_sent_with_the_request_is_read_after_it(tmp_path: Path) -> None:
    async with in_process_server(tmp_path, requests=100_000) as server, asyncio.timeout(TIMEOUT):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(upgrade_request(server, LOBBY) + masked_frame(9, b"early"))
        await reader.readuntil(b"\r\n\r\n")
        assert await reader.readexactly(7) == b"\x8a\x05early"
        writer.close()


async def test_who_did_not_read_before_the_handshake_is_watched_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The transport does not report again that its buffer is full."""
    monkeypatch.setattr(SlowReaderGuard, "read_timeout", 0.3)
    made = HttpConnection.connection_made

    def paused(connection: HttpConnection, transport: asyncio.Transport) -> None:
        made(connection, transport)
        connection.pause_writing()

    monkeypatch.setattr(HttpConnection, "connection_made", paused)
    async with in_process_server(tmp_path, requests=100_000) as server, asyncio.timeout(TIMEOUT):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(upgrade_request(server, LOBBY))
        assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
        with suppress(ConnectionError):
            assert await reader.read() == b""
        writer.close()


async def test_a_fault_of_ours_refuses_the_socket_and_is_written_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async with in_process_server(tmp_path, requests=100_000) as server, asyncio.timeout(TIMEOUT):

        async def broken(_: str) -> None:
            raise RuntimeError

        monkeypatch.setattr(server.services.registry, "find", broken)
        guest = await Guest(server, "Aki").come()
        session = {"Cookie": [guest.session["Cookie"]]}
        line = await asked(server, "GET", "/api/tables/x/socket", GOOD | session)
        assert b" 403 " in line
        await guest.client.aclose()
    assert '"event":"broken","fault":"RuntimeError"' in capsys.readouterr().err


# Violations ------------------------------------------------------------------------------------


def close(code: int, reason: bytes = b"") -> bytes:
    return masked_frame(8, code.to_bytes(2, "big") + reason)


VIOLATIONS = {
    "not masked": (b"\x81\x02hi", 1002),
    "reserved bit 1": (b"\xc1\x80" + bytes(4), 1002),
    "reserved bit 2": (b"\xa1\x80" + bytes(4), 1002),
    "reserved bit 3": (b"\x91\x80" + bytes(4), 1002),
    "unknown opcode": (b"\x83\x80" + bytes(4), 1002),
    "unknown control opcode": (b"\x8b\x80" + bytes(4), 1002),
    "long control frame": (masked_frame(9, b"x" * 126), 1002),
    "long control frame, before it has come": (b"\x89\xfe\x00\x7e", 1002),
    "fragmented control frame": (masked_frame(9, b"", is_last=False), 1002),
    "continuation of nothing": (masked_frame(0, b"x"), 1002),
    "text within a message": (masked_frame(1, b"a", is_last=False) + masked_frame(1, b"b"), 1002),
    "end within a message": (masked_frame(1, b"a", is_last=False) + close(1000), 1002),
    "text that is not UTF-8": (masked_frame(1, b"\xff"), 1007),
    "fragments that are not UTF-8": (
        masked_frame(1, b"\xc3", is_last=False) + masked_frame(0, b"("),
        1007,
    ),
    "frame too long": (b"\x81\xff" + (65537).to_bytes(8, "big"), 1009),
    "control frame much too long": (b"\x89\xff" + (1 << 63).to_bytes(8, "big"), 1009),
    "close code in one byte": (masked_frame(8, b"\x03"), 1002),
    "close code of nobody": (close(999), 1002),
    "close code that is never sent": (close(1005), 1002),
    "close code that is not registered": (close(1016), 1002),
    "close code beyond all": (close(5000), 1002),
    "reason that is not UTF-8": (close(1000, b"\xff"), 1007),
}


async def test_a_violation_ends_the_socket_with_its_code(tmp_path: Path) -> None:
    async with in_process_server(tmp_path, requests=100_000) as server, asyncio.timeout(TIMEOUT):
        for name, (raw, code) in VIOLATIONS.items():
            async with connect(f"ws://127.0.0.1:{server.port}{LOBBY}") as socket:
                socket.transport.write(raw)
                with pytest.raises(ConnectionClosed) as fault:
                    await socket.recv()
                assert fault.value.rcvd is not None, name
                assert fault.value.rcvd.code == code, name
                assert fault.value.rcvd.reason, name


@pytest.mark.parametrize("payload", [b"", b"\x03\xe8bye", (3000).to_bytes(2, "big")])
async def test_a_close_frame_is_echoed_and_nothing_after_it_is_read(
    tmp_path: Path, payload: bytes
) -> None:
    async with in_process_server(tmp_path, requests=100_000) as server, asyncio.timeout(TIMEOUT):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(upgrade_request(server, LOBBY))
        await reader.readuntil(b"\r\n\r\n")
        writer.write(
            masked_frame(9, b"before") + masked_frame(8, payload) + masked_frame(9, b"after")
        )
        assert await reader.read() == b"\x8a\x06before\x88" + bytes([len(payload)]) + payload
        writer.close()


async def test_who_is_told_to_go_is_waited_for_but_not_heard(tmp_path: Path) -> None:
    """The server's close frame comes first; the client's ends the connection."""
    async with in_process_server(tmp_path, requests=100_000) as server, asyncio.timeout(TIMEOUT):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(upgrade_request(server, "/api/tables/nowhere/socket"))
        await reader.readuntil(b"\r\n\r\n")
        head = await reader.readexactly(2)
        assert b"no-table" in await reader.readexactly(head[1])
        assert await reader.readexactly(4) == b"\x88\x02\x03\xe8"
        writer.write(frame(do="hello") + masked_frame(9, b"still here"))
        assert await reader.readexactly(12) == b"\x8a\x0astill here"
        writer.write(close(1000))
        assert await reader.read() == b""
        writer.close()


# Keepalive -------------------------------------------------------------------------------------


async def test_who_answers_no_ping_is_dropped_and_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sockets: list[WebSocketConnection] = []
    monkeypatch.setattr(KeepAlive, "add", lambda _, socket: sockets.append(socket))
    async with (
        in_process_server(tmp_path, requests=100_000) as server,
        asyncio.timeout(TIMEOUT),
        connect(f"ws://127.0.0.1:{server.port}{LOBBY}", ping_interval=None) as other,
    ):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(upgrade_request(server, LOBBY))
        await reader.readuntil(b"\r\n\r\n")
        answers, silent = sockets
        for socket in sockets:
            socket.ping()
        ping = await reader.readexactly(6)
        assert ping[:2] == b"\x89\x04"
        writer.write(masked_frame(10, b"no answer") + masked_frame(9, b""))
        assert await reader.readexactly(2) == b"\x8a\x00", "by now it was read"
        await until(lambda: answers._pending_ping is None)
        for socket in sockets:
            socket.check_pong()
        assert await reader.read() == b"\x88\x18\x03\xf3keepalive ping timeout"
        assert silent.over.done()
        await (await other.ping())
        writer.close()


class Clock:
    """A fake event loop whose time a test moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.timers: list[tuple[float, Callable[[], None]]] = []

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, call: Callable[[], None]) -> Mock:
        self.timers.append((self.now + delay, call))
        return Mock()

    def move(self, seconds: float) -> None:
        end = self.now + seconds
        while self.timers and self.timers[0][0] <= end:
            self.now, call = self.timers.pop(0)
            call()
        self.now = end


async def test_the_system_asks_whether_the_other_end_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It notices dead direct connections, without a ping."""
    sockets: list[WebSocketConnection] = []
    monkeypatch.setattr(KeepAlive, "add", lambda _, socket: sockets.append(socket))
    async with (
        in_process_server(tmp_path) as server,
        asyncio.timeout(TIMEOUT),
        connect(f"ws://127.0.0.1:{server.port}{LOBBY}"),
    ):
        (one,) = sockets
        found = one.transport.get_extra_info("socket")
        assert found.getsockopt(SOL_SOCKET, SO_KEEPALIVE)
        for name, value in TCP_OPTIONS.items():
            assert found.getsockopt(IPPROTO_TCP, getattr(socket, name)) == value
    silent, tries = TCP_OPTIONS["TCP_KEEPIDLE"], TCP_OPTIONS["TCP_KEEPCNT"]
    assert silent + tries * TCP_OPTIONS["TCP_KEEPINTVL"] <= 40
    watch_peer(Mock(get_extra_info=lambda _: None))
    with socket.socket(socket.AF_UNIX) as other:
        watch_peer(Mock(get_extra_info=lambda _: other))
        assert not other.getsockopt(SOL_SOCKET, SO_KEEPALIVE)


def test_a_ping_comes_before_a_proxy_hangs_up() -> None:
    timeouts = re.findall(r"proxy_read_timeout (\d+)s;", NGINX.read_text("utf-8"))
    assert KeepAlive.interval + KeepAlive.sweep_seconds < max(map(float, timeouts))


def test_one_timer_pings_all_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, keepalive = Clock(), KeepAlive()
    monkeypatch.setattr("zashiki.server.realtime.keepalive.asyncio.get_running_loop", lambda: clock)
    monkeypatch.setattr(KeepAlive, "max_pings_per_sweep", 10)
    early, late, gone, leaves = [Mock() for _ in range(25)], Mock(), Mock(), Mock()
    for one in (*early, gone, leaves):
        keepalive.add(one)
    clock.move(20)
    keepalive.add(late)
    keepalive.discard(gone)
    clock.move(29.5)
    assert not any(one.ping.called for one in early)
    clock.move(1)
    assert [one.ping.call_count for one in early] == [1] * 25, "ten at a time"
    assert not late.ping.called
    keepalive.discard(leaves)
    clock.move(19)
    assert not any(one.check_pong.called for one in early)
    clock.move(6)
    assert late.ping.call_count == 1
    assert [one.check_pong.call_count for one in early] == [1] * 25
    clock.move(31)
    assert [one.ping.call_count for one in early] == [2] * 25
    assert (late.ping.call_count, late.check_pong.call_count) == (1, 1)
    assert not gone.ping.called
    assert not leaves.check_pong.called
    assert len(clock.timers) == 1
    for one in (*early, late):
        keepalive.discard(one)
    clock.move(5)
    assert not clock.timers
    keepalive.add(late)
    assert len(clock.timers) == 1


@pytest.mark.parametrize("path", [LOBBY, "/api/tables/x/socket"])
async def test_a_socket_that_a_busy_database_does_not_open_is_told_to_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """A page learns nothing about a refused socket."""
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        guest = await Guest(server, "Aki").come()

        async def busy(*_: object) -> None:
            raise Busy("2000 reads are waiting already")

        monkeypatch.setattr(server.services.store, "player", busy)
        url = f"ws://127.0.0.1:{server.port}{path}"
        async with connect(url, additional_headers=guest.session) as opened:
            bye = await Talk(opened).read()
            assert (bye["is"], bye["code"], bye["again"]) == ("bye", "busy", True)
            with pytest.raises(ConnectionClosed):
                await opened.recv()
        await guest.client.aclose()


async def test_a_stop_ends_sockets_that_are_open_or_being_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, answered = asyncio.Event(), asyncio.Event()

    async def slowly(*_: str) -> None:
        asked.set()
        await answered.wait()

    async def answer(reader: asyncio.StreamReader) -> bytes:
        line = await reader.readline()
        answered.set()
        return line

    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        monkeypatch.setattr(server.services.accounts, "of_token", slowly)
        opened = await connect(f"ws://127.0.0.1:{server.port}{LOBBY}")
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        head = upgrade_request(server, LOBBY).removesuffix(b"\r\n")
        writer.write(head + b"Authorization: Bearer x\r\n\r\n")
        await asked.wait()
        reading = asyncio.create_task(answer(reader))
    assert b" 500 " in await reading
    writer.close()
    with pytest.raises(ConnectionClosed) as fault:
        await opened.recv()
    assert fault.value.rcvd == Close(1012, "")
