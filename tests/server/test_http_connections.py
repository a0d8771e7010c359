"""HTTP connections of an attacker: partial requests, long headers, odd versions."""

import asyncio
import base64
from contextlib import suppress
from pathlib import Path
from unittest.mock import patch

import httpx
import pytest

from tests.server.guests import HEADERS
from tests.server.in_process_server import FixedSystem, InProcessServer, in_process_server
from tests.server.waits import TIMEOUT, until
from zashiki.server import services
from zashiki.server.ops.rate_limits import NewestFew
from zashiki.server.realtime.http_connection import HttpConnection
from zashiki.server.serve import MAX_HEADER_BYTES

HALF_HEAD = b"GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: "
HALF_BODY = (
    b"POST /api/guest HTTP/1.1\r\nHost: x\r\nX-Zashiki: 1\r\nContent-Type: application/json\r\n"
    b'Content-Length: 60000\r\n\r\n{"name": "'
)
Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def opened(server: InProcessServer, address: str, sends: bytes = b"") -> Stream:
    made = await asyncio.open_connection("127.0.0.1", server.port, local_addr=(address, 0))
    made[1].write(sends)
    return made


def shut(*made: Stream) -> None:
    for _, writer in made:
        writer.close()


async def health(server: InProcessServer, address: str) -> int:
    transport = httpx.AsyncHTTPTransport(local_address=address)
    async with httpx.AsyncClient(transport=transport, timeout=TIMEOUT) as client:
        return (await client.get(f"{server.url}/health")).status_code


# Half requests ---------------------------------------------------------------------------------


@pytest.mark.parametrize("half", [b"", b"GET", HALF_HEAD, HALF_BODY])
async def test_half_requests_of_few_addresses_leave_room_for_others(
    tmp_path: Path, half: bytes
) -> None:
    """Six addresses open as many of them as they may. Without a separate limit, they would
    hold every connection of the server."""
    full = patch("zashiki.server.serve.MAX_CONNECTIONS", 60)
    few = patch.object(services, "MAX_UNFINISHED_REQUESTS", 4, create=True)
    with full, few:
        async with in_process_server(tmp_path, connections=10) as server, asyncio.timeout(TIMEOUT):
            made = [
                await opened(server, f"127.0.0.{2 + address}", half)
                for _ in range(10)
                for address in range(6)
            ]
            assert await health(server, "127.0.0.20") == 200
            await until(lambda: len(server.services.unfinished) <= 6 * 4)
            assert await health(server, "127.0.0.2") == 200, "the oldest half requests give way"
            shut(*made)


async def test_a_request_that_arrives_counts_no_more(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        unfinished = server.services.unfinished
        reader, writer = await opened(server, "127.0.0.1", HALF_HEAD)
        await until(lambda: len(unfinished) == 1)
        for rest in (b"1\r\n\r\n", b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"):
            writer.write(rest)
            assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
            assert len(unfinished) == 0
            await reader.readuntil(b"}")
        two = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n" + HALF_HEAD
        writer.write(two)
        assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
        await until(lambda: len(unfinished) == 1)
        writer.close()
        await until(lambda: len(unfinished) == 0)


@pytest.mark.parametrize("half", [HALF_HEAD, HALF_BODY])
async def test_a_request_that_grows_byte_by_byte_ends_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, half: bytes
) -> None:
    monkeypatch.setattr(HttpConnection, "request_timeout", 0.2)
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        _, writer = await opened(server, "127.0.0.1", half)

        async def grow() -> None:
            while True:
                writer.write(b"x")
                await writer.drain()
                await asyncio.sleep(0.02)

        with pytest.raises(ConnectionError):
            await grow()
        writer.close()


def test_the_oldest_gives_way() -> None:
    few: NewestFew[str] = NewestFew(2)
    assert [few.add("a", one) for one in "123"] == [None, None, "1"]
    assert few.add("a", "3") is None, "it is held already"
    assert few.add("b", "1") is None
    few.discard("a", "2")
    assert few.add("a", "4") is None
    for key, one in (("a", "3"), ("a", "4"), ("b", "1"), ("b", "1")):
        few.discard(key, one)
    assert len(few) == 0


async def test_refusals_keep_no_connection_open(tmp_path: Path) -> None:
    async with (
        in_process_server(tmp_path, FixedSystem(), requests=2) as server,
        httpx.AsyncClient(base_url=server.url, timeout=TIMEOUT) as client,
    ):
        answers = [await client.get("/health") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert [answer.headers.get("connection") for answer in answers] == [None, None, "close"]


# Answers before the end of a request -----------------------------------------------------------

CLOSING = b"Host: x\r\nContent-Type: application/json\r\nConnection: close\r\n"
LONG = b"Content-Length: 120000\r\n\r\n"
UPGRADE = (
    b"POST /api/lobby/socket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
)


@pytest.mark.parametrize(
    ("head", "answer"),
    [
        (b"POST /api/guest HTTP/1.1\r\n" + CLOSING + LONG, 403),
        (b"POST /api/guest HTTP/1.1\r\nX-Zashiki: 1\r\n" + CLOSING + LONG, 413),
        (b"POST /api/guest HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" + CLOSING + LONG, 400),
        (UPGRADE + LONG, 405),
    ],
)
async def test_an_early_answer_does_not_reset_the_connection(
    tmp_path: Path, head: bytes, answer: int
) -> None:
    """A proxy would lose the answer, and send nobody to this server for a while."""
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        reader, writer = await opened(server, "127.0.0.1", head)
        assert int((await reader.read()).split()[1]) == answer
        for _ in range(12):
            writer.write(b"x" * 10_000)
            await writer.drain()
            await asyncio.sleep(0.01)
        writer.close()
        await writer.wait_closed()


@pytest.mark.parametrize(("limit", "most"), [("drop_timeout", 0.1), ("max_dropped_bytes", 100)])
async def test_what_follows_an_early_answer_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: float
) -> None:
    monkeypatch.setattr(HttpConnection, limit, most)
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        head = b"POST /api/guest HTTP/1.1\r\n" + CLOSING + LONG
        reader, writer = await opened(server, "127.0.0.1", head)
        assert b" 403 " in await reader.read()

        async def go_on() -> None:
            while True:
                writer.write(b"x" * 20)
                await writer.drain()
                await asyncio.sleep(0.01)

        with pytest.raises(ConnectionError):
            await go_on()
        writer.close()


# Heads and bodies ------------------------------------------------------------------------------


async def status(server: InProcessServer, request: bytes) -> int:
    reader, writer = await opened(server, "127.0.0.1", request)
    line = await reader.readline()
    writer.close()
    return int(line.split()[1])


async def test_a_head_is_bounded_however_it_arrives(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        for size, answer in ((MAX_HEADER_BYTES - 100, 200), (MAX_HEADER_BYTES + 1, 400)):
            for head in (
                b"GET /health?" + b"x" * size + b" HTTP/1.1\r\nHost: x\r\n\r\n",
                b"GET /health HTTP/1.1\r\nHost: x\r\nX-Long: " + b"x" * size + b"\r\n\r\n",
            ):
                assert await status(server, head) == answer


async def test_a_request_with_two_lengths_is_refused(tmp_path: Path) -> None:
    """A proxy that trusts the other length would treat the rest as another client's request."""
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        reader, writer = await opened(
            server,
            "127.0.0.1",
            b"POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n",
        )
        answered = await reader.read()
        assert answered.startswith(b"HTTP/1.1 400 ")
        assert answered.count(b"HTTP/1.1 ") == 1
        writer.close()


async def test_garbage_is_not_written_to_the_log(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Neither a line nor a traceback: anyone could fill the disk with them."""
    chunked = b"POST /api/guest HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"
    upgrade = b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        capfd.readouterr()
        assert await status(server, b"\x16\x03\x01 garbage\r\n\r\n") == 400
        assert await status(server, upgrade) == 200
        reader, writer = await opened(server, "127.0.0.1", chunked)
        assert b" 403 " in await reader.readuntil(b"\r\n\r\n")
        writer.write(b"ZZ\r\nmore\r\n")
        with suppress(ConnectionError):
            await reader.read()
        writer.close()
        assert capfd.readouterr().err == ""


async def test_a_body_that_is_not_utf_8_is_malformed(tmp_path: Path) -> None:
    bodies = [b'{"name": "\xff"}', b"\xff", b"\xff\xfe{\x00}\x00", b'{"na\xffme": "x"}']
    async with (
        in_process_server(tmp_path) as server,
        httpx.AsyncClient(base_url=server.url, headers=HEADERS, timeout=TIMEOUT) as client,
    ):
        for body in bodies:
            kind = {"Content-Type": "application/json"}
            answer = await client.post("/api/guest", content=body, headers=kind)
            assert (answer.status_code, answer.json()["code"]) == (400, "malformed"), body


async def test_http_1_0_gets_no_socket(tmp_path: Path) -> None:
    key = base64.b64encode(bytes(16))
    asks = (
        b"GET /api/lobby/socket HTTP/1.%d\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
        b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n\r\n"
    )
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        assert await status(server, asks % (1, key)) == 101
        assert await status(server, asks % (0, key)) == 404
