"""Incoming and outgoing frames: in order, in few steps, and never too many."""

import asyncio
import gc
import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from time import process_time
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import Mock, patch

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode

from tests.server.asgi_server import AsgiServer
from tests.server.guests import Guest
from tests.server.in_process_server import FixedSystem, InProcessServer, in_process_server
from tests.server.raw_websocket import masked_frame, unread_socket, upgrade_request
from tests.server.waits import TIMEOUT, connect, until
from zashiki.server.accounts.tickets import Tickets
from zashiki.server.ops.rate_limits import RateLimits
from zashiki.server.protocol.frames import Bye
from zashiki.server.realtime import table_socket
from zashiki.server.realtime.flood_guard import FloodGuard
from zashiki.server.realtime.framing import MessageParser
from zashiki.server.realtime.handshake import UpgradeRequest
from zashiki.server.realtime.person_socket import PersonSession
from zashiki.server.realtime.table_socket import MAX_UNANSWERED, SocketSession, decoded
from zashiki.server.realtime.transport import SlowReaderGuard, WebSocketConnection
from zashiki.server.store.rows import PlayerRow
from zashiki.server.tables import commands as on
from zashiki.server.tables import handler
from zashiki.server.tables.connection import MAX_WAITING, Connection
from zashiki.server.tables.handler import handle
from zashiki.server.tables.live import LiveTable


class Fake:
    """A fake socket: supplies frames, and keeps what is written."""

    def __init__(self, *frames: dict[str, Any]) -> None:
        self.frames = [json.dumps(frame) for frame in frames]
        self.written: list[list[bytes]] = []
        self.is_writable = True
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def listen(self, receive: Callable[[str], None], flush: Callable[[], None]) -> None:
        for frame in self.frames:
            receive(frame)

    def write(self, frames: Iterable[bytes]) -> None:
        self.written.append(list(frames))

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...

    def hang_up(self) -> None:
        if not self.over.done():
            self.over.set_result(None)


async def test_who_is_cut_off_has_said_what_they_said(server: AsgiServer) -> None:
    aki = await server.guest("Aki")
    wanted = {"game": "kamiza-second", "seats": 3}
    table_id = (await aki.post("/api/tables", wanted, 201))["table"]["id"]
    table, store = await server.services.registry.find(table_id), server.services.store
    player = await store.player(aki.id)
    assert player is not None
    saying, write = asyncio.Event(), store.add_chat

    async def slowly(row: Any) -> None:
        saying.set()
        await asyncio.sleep(0.05)
        await write(row)

    hello, say = {"do": "hello"}, {"do": "say", "key": "1", "text": "hello"}
    socket = cast(WebSocketConnection, Fake(hello, say, {**say, "key": "2"}))
    talk = SocketSession(socket, table, player, 0, server.services.limits)
    with patch.object(store, "add_chat", slowly):
        holding = asyncio.create_task(talk.run())
        await saying.wait()
        server.services.registry.close_connections(aki.id)
        await holding
    assert not table.subscribers
    assert [said.text for said in table.chat_lines] == ["hello"], "and nothing after that"
    await handle(table, on.Say(aki.id, None, "again"))


async def test_an_open_socket_keeps_nothing_of_its_opening(tmp_path: Path) -> None:
    """It may be open for days: neither its request nor the timer of its hello stays in memory."""
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        guest = await Guest(server, "Aki").come()
        wanted = {"game": "kingdoms", "seats": 2}
        table = (await guest.post("/api/tables", wanted))["table"]["id"]
        others = in_memory(SocketSession, UpgradeRequest)
        async with guest.socket(table) as talk:
            await talk.answered("1", do="why_not", action="x")
            gc.collect()
            new = in_memory(SocketSession, UpgradeRequest).items() - others.items()
        assert [type(one) for _, one in new] == [PersonSession]
        assert all(session._hello_timer.cancelled() for _, session in new)
        await guest.client.aclose()


async def test_what_is_sent_in_one_turn_is_written_at_once(tmp_path: Path) -> None:
    line, plug = Connection("aki", 0), Fake()
    line.send(b"0")
    line.attach(plug)
    line.send(b"1")
    await asyncio.sleep(0)
    line.send(b"2")
    await asyncio.sleep(0)
    assert plug.written == [[b"0", b"1"], [b"2"]]
    plug.is_writable = False
    line.send(b"3")
    await asyncio.sleep(0)
    line.close(Bye("slow", "", True))
    await asyncio.sleep(0)
    assert len(plug.written) == 2
    assert not plug.over.done()
    plug.is_writable = True
    line.flush()
    assert plug.written[2][0] == b"3"
    assert json.loads(plug.written[2][1])["code"] == "slow"
    assert plug.over.done()
    line.send(b"4")
    line.flush()
    assert len(plug.written) == 3


async def test_who_does_not_read_has_so_many_frames_and_a_last_one() -> None:
    line, plug = Connection("aki", 0), Fake()
    plug.is_writable = False
    line.attach(plug)
    for number in range(2 * MAX_WAITING):
        line.send(str(number).encode())
        await asyncio.sleep(0)
    assert not line.is_open
    assert len(line.waiting) == MAX_WAITING + 1
    assert json.loads(line.waiting[-1])["code"] == "slow"


async def test_many_frames_at_once_are_answered_in_order(tmp_path: Path) -> None:
    """Also in pieces, with others in between; and a client that is too fast is not read."""
    pause, resume = WebSocketConnection.pause_reading, WebSocketConnection.resume_reading
    calls: list[str] = []

    def pause_reading(socket: WebSocketConnection) -> None:
        calls.append("pause")
        pause(socket)

    def resume_reading(socket: WebSocketConnection) -> None:
        calls.append("resume")
        resume(socket)

    watched: dict[str, Any] = {"pause_reading": pause_reading, "resume_reading": resume_reading}

    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        guest = await Guest(server, "Aki").come()
        wanted = {"game": "kingdoms", "seats": 2}
        table = (await guest.post("/api/tables", wanted))["table"]["id"]
        with patch.multiple(WebSocketConnection, **watched, bytes_per_turn=1 << 20):
            async with guest.socket(table) as talk:
                await talk.until("welcome")
                sent = b""
                for number in range(10 * MAX_UNANSWERED):
                    raw = json.dumps({"do": "why_not", "key": f"k{number}", "action": "x"})
                    half = raw[:9].encode(), raw[9:].encode()
                    sent += masked_frame(1, half[0], is_last=False) + masked_frame(
                        9, b"are you there"
                    )
                    sent += masked_frame(0, half[1])
                talk.connection.transport.write(sent)
                for number in range(10 * MAX_UNANSWERED):
                    assert (await talk.until("answer"))["key"] == f"k{number}"
                assert (await talk.answered("last", do="say", text="calm"))["ok"]
        assert "pause" in calls
        assert calls[-1] == "resume"
        await guest.client.aclose()


async def test_a_socket_that_has_ended_leaves_no_garbage(tmp_path: Path) -> None:
    """Reference cycles stay until a garbage collection, which blocks everyone else."""
    try:
        async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
            guest = await Guest(server, "Aki").come()
            wanted = {"game": "kingdoms", "seats": 2}
            table = (await guest.post("/api/tables", wanted))["table"]["id"]
            async with guest.socket(table) as talk:
                await talk.until("welcome")
            gc.collect()
            gc.disable()
            others = in_memory(*PARTS)  # of tests before this one, which pytest may hold
            for _ in range(3):
                async with guest.socket(table) as talk:
                    await talk.answered("1", do="why_not", action="x")
            await guest.client.aclose()
            await until(lambda: in_memory(*PARTS).keys() <= others.keys())
    finally:
        gc.enable()


PARTS = (WebSocketConnection, SocketSession, MessageParser, Connection)


def in_memory(*kinds: type) -> dict[int, Any]:
    """All objects of these kinds, by their identity."""
    return {id(each): each for each in gc.get_objects() if issubclass(type(each), kinds)}


async def lobby_of(server: InProcessServer) -> ClientConnection:
    """Connect to the lobby, as anyone may."""
    return await connect(f"ws://127.0.0.1:{server.port}/api/lobby/socket")


@pytest.mark.parametrize("raw", [masked_frame(9, b""), masked_frame(10, b""), masked_frame(1, b"")])
async def test_who_floods_is_cut_off_and_others_do_not_wait(
    tmp_path: Path, raw: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        guest = await Guest(server, "Aki").come()
        flood = await lobby_of(server)
        longest = 0.0
        heap = raw * 10_000
        # On a busy machine turns take longer, and at the real rate all of them would be forgiven.
        monkeypatch.setattr(WebSocketConnection, "turns_forgiven_per_second", 1.0)
        while not flood.transport.is_closing():
            if flood.transport.get_write_buffer_size() < len(heap):
                flood.transport.write(heap)
            before = process_time()  # of this process, however busy the machine is
            await guest.get("/api/me")
            longest = max(longest, process_time() - before)
            await asyncio.sleep(0.05)  # a person may not ask more often
        assert longest < 1.0
        await guest.client.aclose()


@pytest.mark.parametrize("size", [6, 1000])
async def test_small_packets_are_counted_like_large_ones(tmp_path: Path, size: int) -> None:
    """Each is read by itself, and none of them fills a turn."""
    read: list[int] = []
    feed = MessageParser.feed
    # A turn is long enough for a busy machine to fill it, and then none is forgiven.
    turns: dict[str, Any] = {"max_turns": 20, "turn_seconds": 0.1, "turns_forgiven_per_second": 0}

    def fed(parser: MessageParser, data: bytes) -> None:
        read.append(len(data))
        feed(parser, data)

    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        flood, packet = await lobby_of(server), masked_frame(10, b"") * (size // 6)
        sent = 0
        with (
            patch.object(MessageParser, "feed", fed),
            patch.multiple(WebSocketConnection, **turns),
        ):
            while not flood.transport.is_closing():
                flood.transport.write(packet)
                sent += len(packet)
                while sum(read) < sent and not flood.transport.is_closing():
                    await asyncio.sleep(0.001)
    limit = WebSocketConnection.bytes_per_turn
    assert read
    assert max(read) <= limit
    assert sum(max(one, 64) for one in read) > turns["max_turns"] * limit, "not cut off at once"


async def test_frames_beyond_the_rate_are_not_answered_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The work for the flooder counts, not how long others wait on this machine."""
    monkeypatch.setattr(FloodGuard, "max_pauses", 2)
    judged: list[str] = []

    def counted(raw: str) -> Any:
        judged.append(raw)
        return decoded(raw)

    async with (
        in_process_server(tmp_path, FixedSystem(), requests=60) as server,
        asyncio.timeout(TIMEOUT),
    ):
        flooder, other = await Guest(server, "Aki").come(), await Guest(server, "Ren").come()
        table = (await flooder.post("/api/tables", {"game": "kingdoms", "seats": 2}))["table"]["id"]
        monkeypatch.setattr(table_socket, "decoded", counted)
        monkeypatch.setattr(WebSocketConnection, "bytes_per_turn", 1 << 20)
        async with other.socket(table) as calm:
            async with flooder.socket(table) as flood:
                await flood.connection.send(
                    json.dumps({"do": "why_not", "key": "0", "action": "x"})
                )
                heap = masked_frame(1, b'{"do":"why_not","key":"1","action":"x"}') * 5000
                flood.connection.transport.write(heap)
                bye = await flood.until("bye")
                assert (bye["code"], bye["again"]) == ("too-many", True)
                await flood.connection.wait_closed()
                assert flood.connection.close_code == CloseCode.POLICY_VIOLATION
                refused = [
                    one for one in flood.kept if one.get("fault", {}).get("code") == "too-many"
                ]
            assert len(refused) == 2, "one at each pause; then comes the bye"
            assert len(judged) < 130, "120 frames are allowed at once"
            assert (await calm.answered("c", do="why_not", action="x"))["fault"]["code"]
        await flooder.client.aclose()
        await other.client.aclose()


async def test_who_stops_when_told_to_goes_on_after_the_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing that was sent meanwhile is lost."""
    system = FixedSystem()
    async with (
        in_process_server(tmp_path, system, requests=5) as server,
        asyncio.timeout(TIMEOUT),
    ):
        host = await Guest(server, "Aki").come()
        table = (await host.post("/api/tables", {"game": "kingdoms", "seats": 2}))["table"]["id"]
        async with host.socket(table) as talk:
            for number in range(12):
                await talk.send(do="why_not", key=str(number), action="x")
            codes = [(await talk.until("answer"))["fault"]["code"] for _ in range(10)]
            assert (codes[8], codes[9]) == (codes[0], "too-many")
            system.time += 60
            later = [await talk.until("answer") for _ in range(2)]
            assert [one["key"] for one in later] == ["10", "11"]
            assert [one["fault"]["code"] for one in later] == [codes[0]] * 2
        await host.client.aclose()


async def test_who_waits_for_answers_is_no_flood(tmp_path: Path) -> None:
    """However slowly they come."""
    dispatch = handler.dispatch

    async def slowly(table: LiveTable, command: on.Command) -> Any:
        if isinstance(command, on.WhyNot):
            await asyncio.sleep(0.03)
        return await dispatch(table, command)

    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        host, other = await Guest(server, "Aki").come(), await Guest(server, "Ren").come()
        table = (await host.post("/api/tables", {"game": "kingdoms", "seats": 2}))["table"]
        async with host.socket(table["id"]) as talk:
            with (
                patch.object(WebSocketConnection, "max_turns", 20),
                patch.object(handler, "dispatch", slowly),
            ):
                for number in range(100):
                    await talk.send(do="why_not", key=f"{number:050}", action="x" * 200)
                for number in range(100):
                    assert (await talk.until("answer"))["key"] == f"{number:050}"
        await host.client.aclose()
        await other.client.aclose()


async def test_nobody_is_read_before_they_are_let_in(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[bytes] = []
    feed = MessageParser.feed

    def fed(parser: MessageParser, data: bytes) -> None:
        heard.append(data)
        feed(parser, data)

    asked, sent = asyncio.Event(), asyncio.Event()

    async def redeem(*_: object) -> None:
        asked.set()
        await sent.wait()

    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        path = "/api/tables/x/socket?ticket=y"
        with (
            patch.object(Tickets, "redeem", redeem),
            patch.object(MessageParser, "feed", fed),
        ):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(upgrade_request(server, path))
            await asked.wait()
            writer.write(masked_frame(9, b"") * 40_000)
            await asyncio.sleep(0.1)  # it could be read by now
            sent.set()
            assert b" 403 " in await reader.readline()
            writer.transport.abort()
        assert not heard
    assert not [each for each in caplog.records if each.name == "uvicorn.error" and each.exc_info]


async def test_who_is_to_end_does_not_put_it_off_by_reading_a_little() -> None:
    one = SlowReaderGuard()
    one.loop, one.read_timeout = asyncio.get_running_loop(), 0.05
    one.transport = transport = Mock(asyncio.Transport)
    one.end_soon()
    one.pause_writing()
    one.resume_writing()
    await until(lambda: transport.abort.called)
    transport.abort.assert_called_once_with()


async def test_a_message_has_so_many_pieces(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        talk = await lobby_of(server)
        talk.transport.write(
            masked_frame(1, b"", is_last=False) + masked_frame(0, b"", is_last=False) * 99
        )
        with pytest.raises(ConnectionClosed) as fault:
            await talk.recv()
        assert fault.value.rcvd is not None
        assert fault.value.rcvd.code == CloseCode.MESSAGE_TOO_BIG


async def test_who_has_said_goodbye_and_reads_nothing_does_not_stop_the_stop(
    tmp_path: Path,
) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        made = await unread_socket(server, "/api/lobby/socket")
        loop = asyncio.get_running_loop()
        with suppress(TimeoutError):
            async with asyncio.timeout(0.5):
                await loop.sock_sendall(made, masked_frame(9, b"x" * 100) * 100_000)
        calm = await lobby_of(server)
        made.close()
    with pytest.raises(ConnectionClosed) as fault:
        await calm.recv()
    assert fault.value.rcvd is not None
    assert fault.value.rcvd.code == CloseCode.SERVICE_RESTART


async def test_who_was_let_go_is_not_listened_to() -> None:
    fake = cast(WebSocketConnection, Fake())
    table = cast(LiveTable, SimpleNamespace())
    player = PlayerRow("aki", "guest", "Aki", None, None, 0.0)
    talk = SocketSession(fake, table, player, 0, RateLimits(lambda: 0.0, {}))
    talk.connection.close()
    for _ in range(1000):
        talk._receive("x" * 1000)
    assert not talk._unanswered
