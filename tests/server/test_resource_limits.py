"""The resources that one client, player or address can hold, and that all are released."""

import asyncio
import socket
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
import pytest
from websockets.exceptions import ConnectionClosedOK, InvalidHandshake, InvalidStatus

from tests.server.asgi_server import AsgiServer, asgi_server, busy, play, seated
from tests.server.guests import HEADERS, Guest, Talk
from tests.server.in_process_server import FixedSystem, InProcessServer, in_process_server
from tests.server.raw_websocket import frame, unread_socket
from tests.server.waits import TIMEOUT, connect, until
from zashiki.server.accounts.tokens import COOKIE
from zashiki.server.realtime.flood_guard import FloodGuard
from zashiki.server.realtime.http_connection import HttpConnection
from zashiki.server.realtime.transport import SlowReaderGuard, WebSocketConnection
from zashiki.server.serve import raise_file_limit
from zashiki.server.tables import quotas
from zashiki.server.tables.views import table_seen

GAME = {"game": "kingdoms", "seats": 2}
CLOCK = {"kind": "clock", "seconds": 60, "bank": 0}


async def opened(host: Guest, *others: Guest, **more: Any) -> str:
    table: str = (await host.post("/api/tables", {**GAME, **more}))["table"]["id"]
    for seat, other in enumerate(others, 1):
        await other.post(f"/api/tables/{table}/sit", {"seat": seat})
    return table


async def path_of(guest: Guest, table: str) -> str:
    ticket = (await guest.post(f"/api/tables/{table}/ticket"))["ticket"]
    return f"/api/tables/{table}/socket?ticket={ticket}"


async def is_here(guest: Guest, table: str, seat: int) -> bool:
    here: bool = (await guest.get(f"/api/tables/{table}"))["seats"][seat]["here"]
    return here


async def shut(*guests: Guest) -> None:
    for guest in guests:
        await guest.client.aclose()


# Sessions that have ended ----------------------------------------------------------------------


@pytest.mark.parametrize("end", ["sign-out", "delete"])
async def test_a_socket_that_said_nothing_ends_with_its_session(tmp_path: Path, end: str) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        host, other = await Guest(server, "Host").come(), await Guest(server, "Other").come()
        table = await opened(host, other)
        url = f"ws://127.0.0.1:{server.port}{await path_of(other, table)}"
        async with connect(url) as silent:
            await other.post(f"/api/{end}")
            assert (await Talk(silent).read())["code"] == "signed-out"
            with pytest.raises(ConnectionClosedOK):
                await silent.recv()
        await shut(host, other)


@pytest.mark.parametrize("end", ["sign-out", "delete"])
async def test_a_socket_of_the_lobby_ends_with_its_session(tmp_path: Path, end: str) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        other = await Guest(server, "Other").come()
        url = f"ws://127.0.0.1:{server.port}/api/lobby/socket"
        cookie = "; ".join(f"{name}={value}" for name, value in other.client.cookies.items())
        async with connect(url, additional_headers={"Cookie": cookie}) as own, connect(url) as free:
            await other.post(f"/api/{end}")
            bye = await Talk(own).read()
            assert (bye["code"], bye["again"]) == ("signed-out", True), "anybody may watch it"
            with pytest.raises(ConnectionClosedOK):
                await own.recv()
            await (await free.ping())
        await shut(other)


async def test_a_ticket_that_is_used_while_its_session_ends_opens_nothing(tmp_path: Path) -> None:
    """The session ends before the connection is registered, so its hello is refused."""
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        host = await Guest(server, "Host").come()
        table = await opened(host)
        url = f"ws://127.0.0.1:{server.port}{await path_of(host, table)}"
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                "zashiki.server.tables.registry.TableRegistry.close_connections", lambda *_: None
            )
            async with connect(url) as late:
                await host.post("/api/sign-out")
                talk = Talk(late)
                await talk.send(do="hello")
                assert (await talk.read())["code"] == "signed-out"
        await shut(host)


# Clients that do not read ----------------------------------------------------------------------


async def talk_on(made: socket.socket, frames: int) -> None:
    """Make the server answer more than any buffer holds; this is not a test of floods."""
    big = frame(do="why_not", key="k" * 3900, action="x")
    with patch.object(WebSocketConnection, "bytes_per_turn", 1 << 20):
        for _ in range(frames):
            await asyncio.get_running_loop().sock_sendall(made, big)


async def test_who_does_not_read_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SlowReaderGuard, "read_timeout", 0.5)
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        host, other = await Guest(server, "Host").come(), await Guest(server, "Other").come()
        table = await opened(host, other)
        made = await unread_socket(server, await path_of(other, table))
        await asyncio.get_running_loop().sock_sendall(made, frame(do="hello"))
        while not await is_here(host, table, 1):
            await asyncio.sleep(0.02)
        with pytest.raises(ConnectionError):
            await talk_on(made, 100_000)
        made.close()
        while await is_here(host, table, 1):
            await asyncio.sleep(0.02)
        await shut(host, other)


async def test_who_was_let_go_is_not_here_and_says_nothing_more(tmp_path: Path) -> None:
    """Although the socket is stuck, and stays so for a while."""
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        host, other = await Guest(server, "Host").come(), await Guest(server, "Other").come()
        table = await opened(host, other)
        made = await unread_socket(server, await path_of(other, table))
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(made, frame(do="hello"))
        while not await is_here(host, table, 1):
            await asyncio.sleep(0.05)
        await talk_on(made, 1100)
        await other.post("/api/sign-out")
        assert not await is_here(host, table, 1)
        with suppress(ConnectionError):  # it may have been cut off already
            await loop.sock_sendall(made, frame(do="say", key="x", text="still here"))
        async with host.socket(table) as talk:
            assert (await talk.answered("y", do="say", text="alone"))["ok"]
            assert (await talk.until("chatted"))["text"] == "alone"
            assert not (await talk.until("welcome"))["chat"]
        made.close()
        await shut(host, other)


async def test_who_reads_slowly_is_not_let_go() -> None:
    class Slow(asyncio.Transport):
        """A client that reads 5,000 bytes at a time, and after a while no more."""

        waits, aborted = 50_000, False

        def get_write_buffer_size(self) -> int:
            self.waits = max(20_000, self.waits - 5_000)
            return self.waits

        def abort(self) -> None:
            self.aborted = True

    protocol, transport = SlowReaderGuard(), Slow()
    protocol.transport, protocol.loop = transport, asyncio.get_running_loop()
    protocol.read_timeout = 0.01
    protocol.pause_writing()
    while not transport.aborted:
        await asyncio.sleep(0.005)
    assert transport.waits == 20_000
    transport.aborted = False
    protocol.pause_writing()
    protocol.resume_writing()
    await asyncio.sleep(0.03)
    assert not transport.aborted


# Addresses -------------------------------------------------------------------------------------


Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def is_cut(made: Stream) -> bool:
    """Return whether the connection is cut: the server does not answer a request on it."""
    reader, writer = made
    writer.write(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
    try:
        return b" 200 " not in await reader.readline()
    except ConnectionError:
        return True


def held(server: InProcessServer) -> int:
    """Return how many connections the server counts."""
    return sum(server.services.connections._open.values())


async def test_one_address_does_not_take_all_connections(tmp_path: Path) -> None:
    async with in_process_server(tmp_path, connections=8) as server, asyncio.timeout(TIMEOUT):
        made = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(12)]
        assert [await is_cut(one) for one in made] == [False] * 8 + [True] * 4
        elsewhere = httpx.AsyncHTTPTransport(local_address="127.0.0.2")
        async with httpx.AsyncClient(
            base_url=server.url, transport=elsewhere, timeout=TIMEOUT
        ) as other:
            assert (await other.get("/health")).status_code == 200
        for _, writer in made:
            writer.close()
        await until(lambda: held(server) == 0)
        async with httpx.AsyncClient(base_url=server.url, timeout=TIMEOUT) as again:
            assert (await again.get("/health")).status_code == 200


async def test_sockets_are_counted_by_their_address_too(tmp_path: Path) -> None:
    async with in_process_server(tmp_path, connections=8) as server, asyncio.timeout(TIMEOUT):
        url = f"ws://127.0.0.1:{server.port}/api/lobby/socket"
        guests = [await Guest(server, "Guest").come() for _ in range(3)]
        cookies = [f"{COOKIE}={guest.client.cookies[COOKIE]}" for guest in guests]
        await shut(*guests)
        await until(lambda: held(server) == 0)
        async with AsyncExitStack() as stack:
            for number in range(8):
                cookie = {"Cookie": cookies[number % 3]}
                await stack.enter_async_context(connect(url, additional_headers=cookie))
            with pytest.raises(InvalidHandshake):
                async with connect(url):
                    pass
        async with connect(url) as after:
            await after.ping()


async def test_a_connection_that_says_nothing_ends_soon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HttpConnection, "first_byte_timeout", 0.5)
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        slow, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"GET /health HT")
        silent, unused = await asyncio.open_connection("127.0.0.1", server.port)
        with suppress(ConnectionError):
            assert await silent.read() == b"", "it is cut, and later than the other would be"
        writer.write(b"TP/1.1\r\nHost: x\r\n\r\n")
        assert b" 200 " in await slow.readline()
        writer.close()
        unused.close()


async def test_guests_of_one_address_come_at_a_rate(server: AsgiServer) -> None:
    for _ in range(60):
        await server.guest(address="203.0.113.7")
    again = server.api_client("203.0.113.7")
    assert await again.refused("/api/guest", {"name": "Aki"}, 429) == "too-many"
    await again.get("/api/session")
    server.system.at += 60
    await server.guest(address="203.0.113.7")


async def test_a_socket_is_a_request_like_any_other(tmp_path: Path) -> None:
    async with in_process_server(tmp_path, FixedSystem()) as server, asyncio.timeout(TIMEOUT):
        async with httpx.AsyncClient(
            base_url=server.url, headers=HEADERS, timeout=TIMEOUT
        ) as flood:
            while (await flood.get("/api/session")).status_code == 200:
                pass
        with pytest.raises(InvalidStatus):
            async with connect(f"ws://127.0.0.1:{server.port}/api/lobby/socket"):
                pass


def test_as_many_files_as_connections() -> None:
    raise_file_limit()
    raise_file_limit()


# Counts during a write --------------------------------------------------------------------------


async def test_tables_that_are_opened_at_once_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "MAX_HOSTED_TABLES", 3)
    async with asgi_server(tmp_path) as server:
        aki = await server.guest("Aki")
        asked = [aki.client.post("/api/tables", json=GAME) for _ in range(10)]
        codes = [answer.status_code for answer in await asyncio.gather(*asked)]
        assert sorted(codes) == [201] * 3 + [429] * 7
        assert len(await aki.get("/api/my-tables")) == 3


async def test_seats_that_are_taken_at_once_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "MAX_SEATS", 3)
    async with asgi_server(tmp_path) as server:
        hosts = [await server.guest(f"Host {number}") for number in range(6)]
        made = [await host.post("/api/tables", GAME, 201) for host in hosts]
        paths = [f"/api/tables/{one['table']['id']}/sit" for one in made]
        aki = await server.guest("Aki")
        asked = [aki.client.post(path, json={"seat": 1}) for path in paths]
        codes = [answer.status_code for answer in await asyncio.gather(*asked)]
        assert sorted(codes) == [200] * 3 + [429] * 3
        moved = paths[codes.index(200)].removesuffix("/sit")
        await aki.post(f"{moved}/stand")
        await aki.post(f"{moved}/sit", {"seat": 1})


# Late notifications -----------------------------------------------------------------------------


@pytest.mark.parametrize("watch", ["live", "delayed", "off"])
async def test_a_clock_tells_those_who_watch_late_nothing(tmp_path: Path, watch: str) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        guests = [await Guest(server, name).come() for name in ("Host", "Other")]
        late = await Guest(server, "Late").come()
        table = await opened(*guests, watch=watch, delay=3, pace=CLOCK)
        async with guests[0].socket(table) as one, guests[1].socket(table) as two:
            await guests[0].post(f"/api/tables/{table}/start")
            for talk in (one, two):
                assert (await talk.answered("r", do="ready"))["ok"]
            async with guests[0].socket(table) as again:
                shown = (await again.until("welcome"))["table"]
                assert any(seat["until"] for seat in shown["seats"])
            mine = (await guests[0].get("/api/my-tables"))[0]
            assert any(seat["until"] for seat in mine["seats"])
            public = [await late.get(f"/api/tables/{table}"), *await late.get("/api/tables")]
            if watch != "off":
                async with late.socket(table) as watching:
                    public.append((await watching.until("welcome"))["table"])
                    public.append((await watching.until("changed"))["table"])
            for shown in public:
                assert any(seat["until"] for seat in shown["seats"]) == (watch == "live")
        await shut(*guests, late)


async def test_the_way_to_a_private_rematch_is_for_those_who_sat_there(server: AsgiServer) -> None:
    aki, ben = await server.guest("Aki"), await server.guest("Ben")
    for public in (True, False):
        table_id = await seated(server, "kingdoms", [aki, ben], public=public)
        await play(server, table_id)
        made = (await aki.post(f"/api/tables/{table_id}/rematch"))["id"]
        table = await server.services.registry.find(table_id)
        assert table_seen(table, seated=True).next == made
        shown = (await ben.get(f"/api/tables/{table_id}"))["next"]
        assert shown == (made if public else None)


# Chat ------------------------------------------------------------------------------------------


async def test_a_frame_that_is_too_long_counts_as_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FloodGuard, "max_pauses", 1)
    async with in_process_server(tmp_path, FixedSystem()) as server, asyncio.timeout(TIMEOUT):
        host = await Guest(server, "Host").come()
        table = await opened(host)
        no_flood = patch.object(WebSocketConnection, "bytes_per_turn", 1 << 20)
        async with host.socket(table) as talk:
            codes = []
            for _ in range(12):
                with no_flood:
                    for _ in range(100):
                        await talk.connection.send("x" * 5000)
                    for _ in range(100):
                        codes.append((await talk.until("answer"))["fault"]["code"])
            assert codes == ["too-long"] * 1199 + ["too-many"], "after a hello"
        await shut(host)


async def test_chat_has_a_rate_of_its_own(tmp_path: Path) -> None:
    system = FixedSystem()
    async with in_process_server(tmp_path, system) as server, asyncio.timeout(TIMEOUT):
        host, other = await Guest(server, "Host").come(), await Guest(server, "Other").come()
        table = await opened(host, other)
        async with host.socket(table) as flood, other.socket(table) as calm:
            said = [await flood.answered(f"k{n}", do="say", text="x") for n in range(12)]
            assert [answer["ok"] for answer in said] == [True] * 10 + [False] * 2
            assert said[-1]["fault"]["code"] == "too-many"
            assert (await flood.answered("why", do="why_not", action="x"))["fault"]
            assert (await calm.answered("c", do="say", text="calm"))["ok"]
            system.time += 3
            assert (await flood.answered("later", do="say", text="x"))["ok"]
        await shut(host, other)


async def test_a_line_of_chat_has_no_towers_of_accents(tmp_path: Path) -> None:
    """They would cover the lines above."""
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        host = await Guest(server, "Host").come()
        table = await opened(host)
        async with host.socket(table) as talk:
            answer = await talk.answered("1", do="say", text="a" + "\u0301" * 3)
            assert answer["fault"]["code"] == "malformed"
            play = {"do": "play", "decision": 1, "action": "x", "says": "a" + "\u0301" * 3}
            assert (await talk.answered("3", **play))["fault"]["code"] == "malformed"
            for number, text in enumerate(["Việt Nam", "e\u0302\u0301", "がんばれ", "が\u3099"]):
                assert (await talk.answered(f"2{number}", do="say", text=text))["ok"]
        await shut(host)


async def test_a_line_that_is_sent_twice_is_said_once(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        host, other = await Guest(server, "Host").come(), await Guest(server, "Other").come()
        table = await opened(host, other)
        for guest in (host, host, other):
            async with guest.socket(table) as talk:
                assert (await talk.answered("same", do="say", text=guest.name))["ok"]
        async with host.socket(table) as talk:
            chat = (await talk.until("welcome"))["chat"]
            assert [said["text"] for said in chat] == ["Host", "Other"]
            assert not (await talk.answered("", do="say", text="x"))["ok"]
        await shut(host, other)


# Deleted players -------------------------------------------------------------------------------


async def test_a_rematch_has_no_seat_for_who_is_deleted_and_todays_names(
    server: AsgiServer,
) -> None:
    api_clients = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    table = await seated(server, "kamiza-second", api_clients)
    await play(server, table)
    await api_clients[1].post("/api/delete")
    await api_clients[2].post("/api/rename", {"name": "Chieko"})
    made = await api_clients[0].post(f"/api/tables/{table}/rematch")
    assert sorted(seat["kind"] for seat in made["seats"]) == ["open", "player", "player"]
    names = {seat["player"]["name"] for seat in made["seats"] if seat["player"]}
    assert names == {"Aki", "Chieko"}


def slow(of: object, patch: pytest.MonkeyPatch, name: str) -> tuple[asyncio.Event, asyncio.Event]:
    """Let a method of the store wait; return events for its call and its release."""
    called, go_on, method = asyncio.Event(), asyncio.Event(), getattr(of, name)

    async def waits(*given: Any) -> Any:
        called.set()
        await go_on.wait()
        return await method(*given)

    patch.setattr(of, name, waits)
    return called, go_on


async def test_a_table_that_is_opened_while_its_host_is_deleted(
    server: AsgiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    aki = await server.guest("Aki")
    called, go_on = slow(server.services.store, monkeypatch, "add_table")
    asked = asyncio.create_task(aki.refused("/api/tables", GAME, 401))
    await called.wait()
    await aki.post("/api/delete")
    go_on.set()
    assert await asked == "signed-out"
    assert await server.services.registry.lobby.page() == b"[]"


async def test_who_is_deleted_while_sitting_down_does_not_sit(
    server: AsgiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    aki, ben = await server.guest("Aki"), await server.guest("Ben")
    table_id = (await aki.post("/api/tables", GAME, 201))["table"]["id"]
    table = await server.services.registry.find(table_id)
    with busy(table):
        asked = asyncio.create_task(ben.refused(f"/api/tables/{table_id}/sit", {"seat": 1}, 401))
        await until(lambda: len(table.queue) == 2)
        gone = await server.services.store.player(ben.id)
        assert gone is not None
        await server.services.accounts.delete(gone)
    assert await asked == "signed-out"
    assert table.doc.seat_of(ben.id) is None
