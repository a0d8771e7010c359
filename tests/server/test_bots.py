"""Bots at real tables: with people, among themselves, and when their workers die."""

import asyncio
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

import zashiki
from tests.server.guests import Guest, RunningServer, Talk
from tests.server.server_process import ServerProcess, server_process
from tests.server.streams import stream
from tests.server.waits import TIMEOUT, connect, until
from zashiki.core import verify
from zashiki.core.rulings import Malformed
from zashiki.games import catalogue
from zashiki.server.bots.pool import WorkerPool
from zashiki.server.bots.seat_client import BotView
from zashiki.server.bots.worker import Worker, socket_url
from zashiki.server.protocol import frames
from zashiki.server.tables.match import create_match

GAMES = [("kamiza-second", 3), ("kamiza-2014", 3), ("kingdoms", 2), ("red-town", 3)]
QUICK = ("--bots", "1", "--bot-pace", "0")
RUN = "import sys; from zashiki.cli import main; sys.exit(main())"
EXAMPLE = Path(__file__).parents[2] / "examples" / "own_bot.py"


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with its own worker, for all tests that need only one."""
    with server_process(tmp_path_factory.mktemp("quick"), *QUICK) as made:
        yield made


async def opened(guest: Guest, game: str, chairs: list[str]) -> str:
    """Open a table with these bots; "" is a seat for a person."""
    seats = [{"kind": "bot", "bot": bot} if bot else {"kind": "open"} for bot in chairs]
    table = {"game": game, "seats": len(chairs), "chairs": seats}
    made = await guest.post("/api/tables", table)
    return str(made["table"]["id"])


async def played_by_guest(guest: Guest, table: str) -> None:
    """Take any legal action until the match is over."""
    async with guest.socket(table) as talk:
        await talk.send(do="ready", key="ready")
        asked = 0
        while True:
            told = await talk.until("told")
            if told["over"]:
                return
            if told["decision"] is not None and told["decision"] != asked:
                asked = told["decision"]
                action = random.Random(asked).choice(told["legal"])
                await talk.send(do="play", key=str(asked), decision=asked, action=action)


async def state(guest: Guest, table: str) -> str:
    return str((await guest.get(f"/api/tables/{table}"))["state"])


async def over(guest: Guest, table: str) -> None:
    while await state(guest, table) != "over":
        await asyncio.sleep(0.05)


async def is_deserted(guest: Guest) -> bool:
    """Return whether no worker has joined."""
    return bool((await guest.get("/health"))["bots"] == "none")


async def staffed(guest: Guest) -> None:
    """Wait until a worker has joined."""
    while await is_deserted(guest):
        await asyncio.sleep(0.05)


async def honest(guest: Guest, table: str) -> zashiki.Match:
    """Return the verified match of a finished table."""
    text = (await guest.client.get(f"/api/tables/{table}/record")).text
    report = verify.verify(text, catalogue())
    assert report.ok
    assert report.not_judged == 0
    return zashiki.replay(text)


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_a_seat_sees_what_its_view_says(game: str, seats: int) -> None:
    """Folding the facts of a seat gives exactly its view and its legal actions."""
    spec = catalogue()[game]
    options = spec.check_options(None, seats)
    live, _ = create_match(spec, seats, options, bytes(32), bytes(32), (), ())
    seen = [BotView(game, seats, options, seat, "random") for seat in range(seats)]
    while not live.match.over:
        for seat, one in enumerate(seen):
            known = max(0, one.count - 2)
            one.apply(known + 1, stream(live, seat, known))
            assert one.game.show(one.state.views[seat]) == live.match.game.show(
                live.match.state.views[seat]
            )
            assert one.legal() == list(live.match.legal(seat))
        seat = min(live.match.to_act)
        decision = live.decision(seat)
        assert decision is not None
        live.play(seat, decision, seen[seat].choose(1.0)[0], None)


def test_a_gap_is_noticed() -> None:
    seen = BotView(
        "kamiza-second", 3, catalogue()["kamiza-second"].check_options(None, 3), 0, "greedy"
    )
    with pytest.raises(Malformed, match="one is missing"):
        seen.apply(2, [frames.Fact("all", "said", {})])


def test_addresses_of_servers() -> None:
    assert socket_url("http://127.0.0.1:8620/") == "ws://127.0.0.1:8620"
    assert socket_url("https://play.example/zashiki") == "wss://play.example/zashiki"
    for wrong in ("", "127.0.0.1:8620", "ftp://play.example", "http://"):
        with pytest.raises(Malformed, match="expected an address like"):
            socket_url(wrong)


async def test_every_game_with_bots(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """One person and bots, and bots alone, at all tables at once."""
    with server_process(tmp_path, *QUICK) as server:
        guest = await Guest(server, "Guest").come()
        bots = ["random", "greedy", "sensible"]
        alone = [await opened(guest, game, bots[:seats]) for game, seats in GAMES]
        mixed = [await opened(guest, game, ["", *bots[1:seats]]) for game, seats in GAMES]
        for table in alone + mixed:
            await guest.post(f"/api/tables/{table}/start")
        async with asyncio.timeout(TIMEOUT):
            await asyncio.gather(*(played_by_guest(guest, table) for table in mixed))
            await asyncio.gather(*(over(guest, table) for table in alone))
        for table in alone + mixed:
            assert (await honest(guest, table)).over
        await guest.client.aclose()
        server.end()
    assert "a bot" not in capfd.readouterr().err, "no bot was at a loss"


@contextlib.contextmanager
def worker(
    server: ServerProcess, *options: str, token: str = ""
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a worker outside the server."""
    given = token or (server.folder / "worker.token").read_text().strip()
    command = [sys.executable, "-c", RUN, "bots", "--server", server.url, *options]
    environment = {**os.environ, "ZASHIKI_BOTS_TOKEN": given}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


async def entries(guest: Guest, tables: list[str]) -> int:
    """Return the total length of these matches' records."""
    records = [await guest.client.get(f"/api/tables/{table}/record") for table in tables]
    return sum(len(record.text) for record in records)


async def grown(guest: Guest, tables: list[str], than: int) -> int:
    while (length := await entries(guest, tables)) <= than:
        await asyncio.sleep(0.02)
    return length


async def among_bots(guest: Guest) -> str:
    """Start a match among bots; return its table."""
    table = await opened(guest, "red-town", ["greedy"] * 3)
    await guest.post(f"/api/tables/{table}/start")
    return table


async def test_a_dead_worker_is_replaced_and_a_dead_server_resumed(tmp_path: Path) -> None:
    """Workers are killed one after the other, then the server; the match among bots continues."""
    with server_process(tmp_path) as server:
        guest, other = await Guest(server, "Guest").come(), await Guest(server, "Other").come()
        tables = []
        async with asyncio.timeout(TIMEOUT):
            with worker(server) as first:
                await staffed(guest)
                tables += [await among_bots(one) for one in (guest, other, guest, other)]
                await grown(guest, tables, await entries(guest, tables))
                first.kill()
                await until(lambda: is_deserted(guest))
                with worker(server) as second:
                    await staffed(guest)
                    length = await entries(guest, tables)
                    tables.append(await among_bots(guest))  # the others may be over by now
                    await grown(guest, tables, length)
                    second.send_signal(signal.SIGSTOP)  # so that not all end
                    tables.append(await among_bots(guest))
                    server.kill()
                    server.start()
                    assert "playing" in [await state(guest, table) for table in tables]
                    second.send_signal(signal.SIGCONT)
                    for table in tables:
                        await over(guest, table)
                        assert (await honest(guest, table)).over
                    second.send_signal(signal.SIGTERM)
                    assert second.wait(TIMEOUT) == 0
        await guest.client.aclose()
        await other.client.aclose()


async def test_a_bot_stands_in_and_leaves_when_its_person_is_back(quick: ServerProcess) -> None:
    """A bot plays for a player who resigns, and a bot that has left a seat is told nothing more."""
    guest = await Guest(quick, "Guest").come()
    table = await opened(guest, "kamiza-second", ["", "greedy", "random"])
    await guest.post(f"/api/tables/{table}/start")
    async with asyncio.timeout(TIMEOUT), guest.socket(table) as talk:
        await talk.send(do="ready", key="ready")
        await talk.until("told")
        await talk.send(do="resign", key="resign")
        while not (await talk.until("told"))["over"]:
            pass
    match = await honest(guest, table)
    assert match.over
    await guest.client.aclose()


@contextlib.asynccontextmanager
async def employed(server: RunningServer) -> AsyncIterator[Talk]:
    """A worker controlled by the test."""
    token = (server.folder / "worker.token").read_text().strip()
    headers = {"Authorization": f"Bearer {token}"}
    url = server.url.replace("http", "ws", 1)
    async with connect(f"{url}/api/bots/socket", additional_headers=headers) as connection:
        talk = Talk(connection)
        await talk.send(do="offer", seats=9)
        yield talk


def seat_url(server: RunningServer, serve: dict[str, Any]) -> str:
    url = server.url.replace("http", "ws", 1)
    return f"{url}/api/tables/{serve['table']}/socket?ticket={serve['ticket']}"


async def test_a_bot_may_play_and_no_more(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        guest = await Guest(server, "Guest").come()
        table = await opened(guest, "kamiza-second", ["", "greedy", "greedy"])
        async with guest.socket(table) as talk, employed(server) as dispatcher:
            await staffed(guest)
            await guest.post(f"/api/tables/{table}/start")
            await talk.send(do="ready", key="ready")
            serve = await dispatcher.until("serve")
            assert (serve["seat"], serve["bot"]) == (1, "greedy")
            async with connect(seat_url(server, serve)) as connection:
                bot = Talk(connection)
                await bot.send(do="hello", have=0, views=False, version=2)
                assert (await bot.until("welcome"))["seat"] == 1
                for refused in ({"do": "say", "text": "x"}, {"do": "ready"}, {"do": "resign"}):
                    answer = await bot.answered("a", **refused)
                    assert answer["fault"]["code"] == "not-for-bots"
                with pytest.raises(InvalidStatus):
                    await connect(seat_url(server, serve))
                await dispatcher.send(do="again", table=table, seat=0)
                assert (await dispatcher.until("release"))["seat"] == 0
                await dispatcher.connection.close()
                assert (await bot.until("bye"))["code"] == "released"
        await guest.client.aclose()


@pytest.mark.long
async def test_a_seat_is_lent_for_one_decision(tmp_path: Path) -> None:
    """After a timeout a bot is asked. The person decides first, and the bot is told no more."""
    with server_process(tmp_path) as server:
        guest = await Guest(server, "Guest").come()
        chairs = [{"kind": "open"}] + [{"kind": "bot", "bot": "random"}] * 2
        clock = {"kind": "clock", "seconds": 5}
        made = await guest.post(
            "/api/tables", {"game": "kamiza-second", "seats": 3, "chairs": chairs, "pace": clock}
        )
        table = made["table"]["id"]
        async with guest.socket(table) as talk:
            with worker(server, "--seats", "2"):
                await staffed(guest)
                await guest.post(f"/api/tables/{table}/start")
                await talk.send(do="ready", key="ready")
                while (told := await talk.until("told"))["decision"] is None:
                    pass
                async with employed(server) as dispatcher:
                    serve = await dispatcher.until("serve")
                    assert serve["seat"] == 0
                    async with connect(seat_url(server, serve)) as connection:
                        bot = Talk(connection)
                        await bot.send(do="hello", have=0, views=False, version=2)
                        assert (await bot.until("told"))["decision"] == told["decision"]
                        play = {"decision": told["decision"], "action": told["legal"][0]}
                        assert (await talk.answered("late", do="play", **play))["ok"]
                        assert (await bot.until("bye"))["code"] == "released"
                    assert (await dispatcher.until("release"))["seat"] == 0
        await guest.client.aclose()


async def test_own_bot_plays_to_the_end(quick: ServerProcess) -> None:
    """The example, run as its documentation says."""
    guest = await Guest(quick, "Guest").come()
    await guest.post("/api/register", {"login": "maker", "password": "of many bots"})
    token = (await guest.post("/api/bot-tokens", {"name": "Tokened"}))["token"]
    for name, more in (("Own bot", {}), ("Tokened", {"ZASHIKI_TOKEN": token})):
        await played_with_own_bot(quick, guest, name, {**os.environ, **more})
    await guest.client.aclose()


async def played_with_own_bot(
    server: ServerProcess, guest: Guest, name: str, env: dict[str, str]
) -> None:
    made = await guest.post(
        "/api/tables",
        {"game": "kamiza-second", "seats": 3, "chairs": [
            {"kind": "open"}, {"kind": "link"}, {"kind": "bot", "bot": "sensible"},
        ]},
    )  # fmt: skip
    table = made["table"]["id"]
    own = await asyncio.create_subprocess_exec(
        sys.executable, str(EXAMPLE), server.url, table, "1", made["key"],
        stdout=asyncio.subprocess.PIPE, env=env,
    )  # fmt: skip
    async with asyncio.timeout(TIMEOUT):
        while not (await guest.get(f"/api/tables/{table}"))["seats"][1]["here"]:
            await asyncio.sleep(0.05)
        await guest.post(f"/api/tables/{table}/start")
        await played_by_guest(guest, table)
        said, _ = await own.communicate()
    assert own.returncode == 0
    assert b"options" in said
    assert (await honest(guest, table)).header.names[1] == name


def test_the_example_is_short() -> None:
    code = EXAMPLE.read_text().partition("def main")[2].splitlines()
    assert len(code) <= 30


def test_nobody_works_without_the_token(tmp_path: Path) -> None:
    with server_process(tmp_path) as server, worker(server, token="v1.not.it") as process:
        _, said = process.communicate(timeout=TIMEOUT)
        assert process.returncode == 2
        assert f"{server.url} does not accept this token".encode() in said
        assert b"not.it" not in said
        mode = (server.folder / "worker.token").stat().st_mode & 0o777
        assert os.name != "posix" or mode == 0o600


def test_a_worker_ends_without_its_server_or_on_its_leash(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    server.port = 9  # nothing listens there
    with (
        worker(server, "--patience", "0.5", token="t") as alone,
        worker(server, "--leash", token="t") as held,
    ):
        _, said = alone.communicate(timeout=TIMEOUT)
        assert alone.returncode == 2
        first, *rest = said.decode().splitlines()
        assert json.loads(first)["event"] == "unreachable"
        assert json.loads(first)["server"] == server.url
        assert rest == [f"zashiki: {server.url} cannot be reached"]
        assert held.poll() is None
        assert held.stdin is not None
        held.stdin.close()
        assert held.wait(TIMEOUT) == 0
        assert held.stderr is not None
        assert held.stderr.read() == b""


def test_a_worker_says_where_it_comes_and_goes(tmp_path: Path) -> None:
    with server_process(tmp_path) as server, worker(server) as process:
        assert process.stderr is not None
        line = json.loads(process.stderr.readline())
        assert (line["event"], line["server"]) == ("connected", server.url)
        server.kill()
        lines = [json.loads(process.stderr.readline()) for _ in range(2)]
        assert [line["event"] for line in lines] == ["disconnected", "unreachable"]


async def test_a_worker_says_what_answers_in_place_of_a_server() -> None:
    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as other:
        address = f"http://127.0.0.1:{other.sockets[0].getsockname()[1]}"
        with pytest.raises(Malformed, match=f"^{address} answers with status 404"):
            await Worker(address.replace("//", "//me:word@"), "t", patience=0.2).run()


async def test_the_pool_replaces_who_dies_and_leaves_nobody() -> None:
    pool = WorkerPool(1, "http://127.0.0.1:9", "token")
    pool.start()
    async with asyncio.timeout(TIMEOUT):
        first = await one_of(pool)
        first.kill()
        await first.wait()
        second = await one_of(pool)
        assert second.pid != first.pid
    await pool.close()
    assert second.returncode is not None
    assert not pool.processes


async def one_of(pool: WorkerPool) -> asyncio.subprocess.Process:
    while not (running := [one for one in pool.processes if one.returncode is None]):
        await asyncio.sleep(0.02)
    return running[0]
