"""What one client, one player or one address can hold, and that all of it is let go."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
import pytest
from websockets.exceptions import ConnectionClosedOK, InvalidHandshake, InvalidStatus

from tests.server.house import HEADERS, Guest, Talk
from tests.server.indoors import Indoors, indoors, play, seated
from tests.server.inside import Fixed, Inside, inside
from tests.server.rough import deaf, frame
from tests.server.waiting import PATIENCE, connect, until
from zashiki.server.accounts.tokens import COOKIE
from zashiki.server.realtime.http_connection import HttpConnection
from zashiki.server.realtime.transport import SlowReaderGuard, WebSocketConnection
from zashiki.server.serve import raise_file_limit
from zashiki.server.system import System
from zashiki.server.tables import quotas
from zashiki.server.tables.views import table_seen

GAME = {"game": "kingdoms", "seats": 2}
CLOCK = {"kind": "clock", "seconds": 60, "bank": 0}


def at(
    folder: Path,
    attack: Callable[[Inside], Awaitable[None]],
    system: System | None = None,
    **settings: Any,
) -> None:
    async def scenario() -> None:
        async with inside(folder, system, **settings) as home, asyncio.timeout(PATIENCE):
            await attack(home)

    asyncio.run(scenario())


def within(folder: Path, scenario: Callable[[Indoors], Awaitable[None]]) -> None:
    async def run() -> None:
        async with indoors(folder) as home:
            await scenario(home)

    asyncio.run(run())


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
def test_a_socket_that_said_nothing_ends_with_its_session(tmp_path: Path, end: str) -> None:
    async def attack(home: Inside) -> None:
        host, other = await Guest(home, "Host").come(), await Guest(home, "Other").come()
        table = await opened(host, other)
        url = f"ws://127.0.0.1:{home.port}{await path_of(other, table)}"
        async with connect(url) as silent:
            await other.post(f"/api/{end}")
            assert (await Talk(silent).read())["code"] == "signed-out"
            with pytest.raises(ConnectionClosedOK):
                await silent.recv()
        await shut(host, other)

    at(tmp_path, attack)


def test_a_ticket_that_is_used_while_its_session_ends_opens_nothing(tmp_path: Path) -> None:
    """The line is not known yet when the session ends: its hello is."""

    async def attack(home: Inside) -> None:
        host = await Guest(home, "Host").come()
        table = await opened(host)
        url = f"ws://127.0.0.1:{home.port}{await path_of(host, table)}"
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("zashiki.server.tables.registry.TableRegistry.sign_out", lambda *_: None)
            async with connect(url) as late:
                await host.post("/api/sign-out")
                talk = Talk(late)
                await talk.send(do="hello")
                assert (await talk.read())["code"] == "signed-out"
        await shut(host)

    at(tmp_path, attack)


# Clients that do not read ----------------------------------------------------------------------


async def talk_on(made: socket.socket, frames: int) -> None:
    """Make the server answer more than fits anywhere; it is no flood that is tried here."""
    big = frame(do="why_not", key="k" * 3900, action="x")
    with patch.object(WebSocketConnection, "bytes_per_turn", 1 << 20):
        for _ in range(frames):
            await asyncio.get_running_loop().sock_sendall(made, big)


def test_who_does_not_read_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SlowReaderGuard, "read_timeout", 0.5)

    async def attack(home: Inside) -> None:
        host, other = await Guest(home, "Host").come(), await Guest(home, "Other").come()
        table = await opened(host, other)
        made = await deaf(home, await path_of(other, table))
        await asyncio.get_running_loop().sock_sendall(made, frame(do="hello"))
        while not await is_here(host, table, 1):
            await asyncio.sleep(0.02)
        with pytest.raises(ConnectionError):
            await talk_on(made, 100_000)
        made.close()
        while await is_here(host, table, 1):
            await asyncio.sleep(0.02)
        await shut(host, other)

    at(tmp_path, attack)


def test_who_was_let_go_is_not_here_and_says_nothing_more(tmp_path: Path) -> None:
    """Though the socket is stuck, and stays so for a while."""

    async def attack(home: Inside) -> None:
        host, other = await Guest(home, "Host").come(), await Guest(home, "Other").come()
        table = await opened(host, other)
        made = await deaf(home, await path_of(other, table))
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(made, frame(do="hello"))
        while not await is_here(host, table, 1):
            await asyncio.sleep(0.05)
        await talk_on(made, 1100)
        await other.post("/api/sign-out")
        assert not await is_here(host, table, 1)
        with suppress(ConnectionError):  # perhaps it was cut off already
            await loop.sock_sendall(made, frame(do="say", key="x", text="still here"))
        async with host.socket(table) as talk:
            assert (await talk.answered("y", do="say", text="alone"))["ok"]
            assert (await talk.until("chatted"))["text"] == "alone"
            assert not (await talk.until("welcome"))["chat"]
        made.close()
        await shut(host, other)

    at(tmp_path, attack)


def test_who_reads_slowly_is_not_let_go() -> None:
    class Slow(asyncio.Transport):
        """A client that reads 5,000 bytes at a look, and after a while no more."""

        waits, aborted = 50_000, False

        def get_write_buffer_size(self) -> int:
            self.waits = max(20_000, self.waits - 5_000)
            return self.waits

        def abort(self) -> None:
            self.aborted = True

    async def scenario() -> None:
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

    asyncio.run(scenario())


# Addresses -------------------------------------------------------------------------------------


Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def is_cut(made: Stream) -> bool:
    """Or does the server answer a request on this connection?"""
    reader, writer = made
    writer.write(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
    try:
        return b" 200 " not in await reader.readline()
    except ConnectionError:
        return True


def held(home: Inside) -> int:
    """How many connections the server counts for an address."""
    return sum(home.server.connections._open.values())


def test_one_address_does_not_take_all_connections(tmp_path: Path) -> None:
    async def attack(home: Inside) -> None:
        made = [await asyncio.open_connection("127.0.0.1", home.port) for _ in range(12)]
        assert [await is_cut(one) for one in made] == [False] * 8 + [True] * 4
        elsewhere = httpx.AsyncHTTPTransport(local_address="127.0.0.2")
        async with httpx.AsyncClient(
            base_url=home.url, transport=elsewhere, timeout=PATIENCE
        ) as other:
            assert (await other.get("/health")).status_code == 200
        for _, writer in made:
            writer.close()
        await until(lambda: held(home) == 0)
        async with httpx.AsyncClient(base_url=home.url, timeout=PATIENCE) as again:
            assert (await again.get("/health")).status_code == 200

    at(tmp_path, attack, connections=8)


def test_sockets_are_counted_by_their_address_too(tmp_path: Path) -> None:
    async def attack(home: Inside) -> None:
        url = f"ws://127.0.0.1:{home.port}/api/lobby/socket"
        guests = [await Guest(home, "Guest").come() for _ in range(3)]
        cookies = [f"{COOKIE}={guest.client.cookies[COOKIE]}" for guest in guests]
        await shut(*guests)
        await until(lambda: held(home) == 0)
        async with AsyncExitStack() as stack:
            for number in range(8):
                cookie = {"Cookie": cookies[number % 3]}
                await stack.enter_async_context(connect(url, additional_headers=cookie))
            with pytest.raises(InvalidHandshake):
                async with connect(url):
                    pass
        async with connect(url) as after:
            await after.ping()

    at(tmp_path, attack, connections=8)


def test_a_connection_that_says_nothing_ends_soon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HttpConnection, "first_byte_timeout", 0.5)

    async def attack(home: Inside) -> None:
        slow, writer = await asyncio.open_connection("127.0.0.1", home.port)
        writer.write(b"GET /health HT")
        silent, unused = await asyncio.open_connection("127.0.0.1", home.port)
        with suppress(ConnectionError):
            assert await silent.read() == b"", "it is cut, and later than the other would be"
        writer.write(b"TP/1.1\r\nHost: x\r\n\r\n")
        assert b" 200 " in await slow.readline()
        writer.close()
        unused.close()

    at(tmp_path, attack)


def test_guests_of_one_address_come_at_a_rate(tmp_path: Path) -> None:
    async def scenario(home: Indoors) -> None:
        for _ in range(60):
            await home.guest()
        again = home.asker()
        assert await again.refused("/api/guest", {"name": "Aki"}, 429) == "too-many"
        await again.get("/api/session")
        home.system.at += 60
        await home.guest()

    within(tmp_path, scenario)


def test_a_socket_is_a_request_like_any_other(tmp_path: Path) -> None:
    async def attack(home: Inside) -> None:
        async with httpx.AsyncClient(base_url=home.url, headers=HEADERS, timeout=PATIENCE) as flood:
            while (await flood.get("/api/session")).status_code == 200:
                pass
        with pytest.raises(InvalidStatus):
            async with connect(f"ws://127.0.0.1:{home.port}/api/lobby/socket"):
                pass

    at(tmp_path, attack, Fixed())


def test_as_many_files_as_connections() -> None:
    raise_file_limit()
    raise_file_limit()


# What is counted while it is written ------------------------------------------------------------


def test_tables_that_are_opened_at_once_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "MAX_HOSTED_TABLES", 3)

    async def scenario(home: Indoors) -> None:
        aki = await home.guest("Aki")
        asked = [aki.client.post("/api/tables", json=GAME) for _ in range(10)]
        codes = [answer.status_code for answer in await asyncio.gather(*asked)]
        assert sorted(codes) == [201] * 3 + [429] * 7
        assert len(await aki.get("/api/my-tables")) == 3

    within(tmp_path, scenario)


def test_seats_that_are_taken_at_once_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "MAX_SEATS", 3)

    async def scenario(home: Indoors) -> None:
        hosts = [await home.guest(f"Host {number}") for number in range(6)]
        made = [await host.post("/api/tables", GAME, 201) for host in hosts]
        paths = [f"/api/tables/{one['table']['id']}/sit" for one in made]
        aki = await home.guest("Aki")
        asked = [aki.client.post(path, json={"seat": 1}) for path in paths]
        codes = [answer.status_code for answer in await asyncio.gather(*asked)]
        assert sorted(codes) == [200] * 3 + [429] * 3
        moved = paths[codes.index(200)].removesuffix("/sit")
        await aki.post(f"{moved}/stand")
        await aki.post(f"{moved}/sit", {"seat": 1})

    within(tmp_path, scenario)


# What is told late ------------------------------------------------------------------------------


@pytest.mark.parametrize("watch", ["live", "delayed", "off"])
def test_a_clock_tells_those_who_watch_late_nothing(tmp_path: Path, watch: str) -> None:
    async def attack(home: Inside) -> None:
        guests = [await Guest(home, name).come() for name in ("Host", "Other")]
        late = await Guest(home, "Late").come()
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

    at(tmp_path, attack)


def test_the_way_to_a_private_rematch_is_for_those_who_sat_there(tmp_path: Path) -> None:
    async def scenario(home: Indoors) -> None:
        aki, ben = await home.guest("Aki"), await home.guest("Ben")
        for public in (True, False):
            table_id = await seated(home, "kingdoms", [aki, ben], public=public)
            await play(home, table_id)
            made = (await aki.post(f"/api/tables/{table_id}/rematch"))["id"]
            table = await home.server.registry.find(table_id)
            assert table_seen(table, seated=True).next == made
            shown = (await ben.get(f"/api/tables/{table_id}"))["next"]
            assert shown == (made if public else None)

    within(tmp_path, scenario)


# What is said ----------------------------------------------------------------------------------


def test_a_frame_that_is_too_long_counts_as_one(tmp_path: Path) -> None:
    async def attack(home: Inside) -> None:
        host = await Guest(home, "Host").come()
        table = await opened(host)
        no_flood = patch.object(WebSocketConnection, "bytes_per_turn", 1 << 20)
        async with host.socket(table) as talk:
            codes = []
            for _ in range(13):
                with no_flood:
                    for _ in range(100):
                        await talk.connection.send("x" * 5000)
                    for _ in range(100):
                        codes.append((await talk.until("answer"))["fault"]["code"])
            assert codes == ["too-long"] * 1199 + ["too-many"] * 101, "after a hello"
        await shut(host)

    at(tmp_path, attack, Fixed())


def test_chat_has_a_rate_of_its_own(tmp_path: Path) -> None:
    system = Fixed()

    async def attack(home: Inside) -> None:
        host, other = await Guest(home, "Host").come(), await Guest(home, "Other").come()
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

    at(tmp_path, attack, system)


def test_a_line_that_is_sent_twice_is_said_once(tmp_path: Path) -> None:
    async def attack(home: Inside) -> None:
        host, other = await Guest(home, "Host").come(), await Guest(home, "Other").come()
        table = await opened(host, other)
        for guest in (host, host, other):
            async with guest.socket(table) as talk:
                assert (await talk.answered("same", do="say", text=guest.name))["ok"]
        async with host.socket(table) as talk:
            chat = (await talk.until("welcome"))["chat"]
            assert [said["text"] for said in chat] == ["Host", "Other"]
            assert not (await talk.answered("", do="say", text="x"))["ok"]
        await shut(host, other)

    at(tmp_path, attack)


# Who is deleted --------------------------------------------------------------------------------


def test_a_rematch_has_no_seat_for_who_is_deleted_and_todays_names(tmp_path: Path) -> None:
    async def scenario(home: Indoors) -> None:
        askers = [await home.guest(name) for name in ("Aki", "Ben", "Chie")]
        table = await seated(home, "kamiza-second", askers)
        await play(home, table)
        await askers[1].post("/api/delete")
        await askers[2].post("/api/rename", {"name": "Chieko"})
        made = await askers[0].post(f"/api/tables/{table}/rematch")
        assert [seat["kind"] for seat in made["seats"]] == ["player", "open", "player"]
        assert made["seats"][2]["player"]["name"] == "Chieko"

    within(tmp_path, scenario)


def slow(of: object, patch: pytest.MonkeyPatch, name: str) -> tuple[asyncio.Event, asyncio.Event]:
    """A method of the store that waits: what is set when it was called, and what it waits for."""
    called, go_on, method = asyncio.Event(), asyncio.Event(), getattr(of, name)

    async def waits(*given: Any) -> Any:
        called.set()
        await go_on.wait()
        return await method(*given)

    patch.setattr(of, name, waits)
    return called, go_on


def test_a_table_that_is_opened_while_its_host_is_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(home: Indoors) -> None:
        aki = await home.guest("Aki")
        called, go_on = slow(home.server.store, monkeypatch, "add_table")
        asked = asyncio.create_task(aki.refused("/api/tables", GAME, 401))
        await called.wait()
        await aki.post("/api/delete")
        go_on.set()
        assert await asked == "signed-out"
        assert not await home.server.registry.lobby()

    within(tmp_path, scenario)


def test_who_is_deleted_while_sitting_down_does_not_sit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(home: Indoors) -> None:
        aki, ben = await home.guest("Aki"), await home.guest("Ben")
        table_id = (await aki.post("/api/tables", GAME, 201))["table"]["id"]
        table = await home.server.registry.find(table_id)
        async with table.lock:
            asked = asyncio.create_task(
                ben.refused(f"/api/tables/{table_id}/sit", {"seat": 1}, 401)
            )
            await until(lambda: bool(table.lock._waiters))
            gone = await home.server.store.player(ben.id)
            assert gone is not None
            await home.server.accounts.delete(gone)
        assert await asked == "signed-out"
        assert table.doc.seat_of(ben.id) is None

    within(tmp_path, scenario)
