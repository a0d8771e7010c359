"""Expensive requests are counted, limited, and run off the event loop."""

import asyncio
import gc
import json
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import zashiki
from tests.server.asgi_server import AsgiServer, asgi_server, play, seated
from tests.server.guests import Guest
from tests.server.in_process_server import in_process_server
from tests.server.test_card_sets import TEXT, written
from tests.server.waits import TIMEOUT, connect
from zashiki.core.rulings import Malformed
from zashiki.games.kingdoms.card_set import LONGEST_TEXT, read_toml
from zashiki.server.accounts import players
from zashiki.server.errors import ApiError
from zashiki.server.http import pages
from zashiki.server.ops import verification
from zashiki.server.ops.verification import (
    MAX_CPU_SECONDS,
    MAX_MEMORY_BYTES,
    VerificationPool,
)
from zashiki.server.tables.match import LiveMatch
from zashiki.server.tables.replay import PIECE

LONG = ".".join(["a"] * 16_340)
GAME = "kamiza-second"


async def longest_wait(work: Awaitable[Any]) -> float:
    """Return the longest time in seconds for which this work blocked the event loop."""
    worst, done = 0.0, asyncio.ensure_future(work)
    gc.disable()  # a collection takes as long as all tests before have left objects
    try:
        while not done.done():
            before = time.thread_time()  # other processes are not our fault
            await asyncio.sleep(0)
            worst = max(worst, time.thread_time() - before)
    finally:
        gc.enable()
    await done
    return worst


# Card sets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        f"x = {{{LONG} = 1}}\n",
        f"x = [\n{{ {LONG[:-100]} = 1}}]\n",
        f"[{LONG}]\n",
        f'x = {{y = """a"""", {LONG[:-100]} = 1}}\n',
        f"x = {{y = '''a'''', {LONG[:-100]} = 1}}\n",
        f'x = {{y = "#", {LONG[:-100]} = 1}}\n',
        f'\'x\' . "\\"" . {LONG[:-100]} = 1\n',
    ],
)
def test_a_key_of_many_parts_is_refused_wherever_it_stands(text: str) -> None:
    with pytest.raises(Malformed, match="the key has too many parts"):
        read_toml(text)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 32_000,
        '"' + '\\"' * 16_000,
        '"""' + '\\"""' * 8_000,
        "'''" + "''a" * 10_000,
        "a. " * 10_000,
        "a.a.a.a.a.a.a.a " * 2_000,
        ("a" * 4_000 + " " * 4_000) * 4,
        "[ " * 16_000,
        "." * 32_000,
    ],
)
def test_no_text_takes_long_to_refuse(text: str) -> None:
    before = time.thread_time()
    with pytest.raises(Malformed):
        read_toml(f"{text}\n"[:LONGEST_TEXT])
    assert time.thread_time() - before < 0.1


def test_many_dots_in_texts_and_comments_are_no_key() -> None:
    dots = "# " + "a.b." * 20 + "\n"
    assert read_toml(dots + TEXT.replace("[[areas]]", f"[[areas]] {dots}", 1))["name"] == "mine"


async def test_content_is_read_beside_the_loop_and_not_too_often(server: AsgiServer) -> None:
    aki = await server.guest()
    table = {"game": "kingdoms", "seats": 2}
    for _ in range(58):
        await aki.post("/api/card-sets/check", written("reconstructed"))
    await aki.post("/api/card-sets", written(TEXT), 201)
    own = {**table, "options": {"card_set": TEXT}}
    await aki.post("/api/tables", own, 201)
    for path, data in (
        ("/api/card-sets/check", written(TEXT)),
        ("/api/card-sets", written(TEXT)),
        ("/api/tables", own),
    ):
        assert await aki.refused(path, data, 429) == "too-many"
    for value in ({}, {"card_set": "reconstructed"}):
        await aki.post("/api/tables", {**table, "options": value}, 201)
    server.system.at += 2
    await aki.post("/api/card-sets/check", written(TEXT))


# Replays -----------------------------------------------------------------------------------------


async def long_match(server: AsgiServer, seats: int = 3) -> str:
    people = [await server.guest(f"Guest {number}") for number in range(seats)]
    return await play(server, await seated(server, "red-town", people))


def count_folds(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that grows by one for every stored entry that is folded from now on."""
    folded: list[int] = []
    follow = LiveMatch.follow

    def counted(live: LiveMatch, *entry: Any) -> None:
        folded.append(1)
        follow(live, *entry)

    monkeypatch.setattr(LiveMatch, "follow", counted)
    return folded


async def test_looking_back_and_forth_folds_nothing_again(
    server: AsgiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = await long_match(server)
    path = f"/api/matches/{id}"
    steps = (await server.api_client().get(path))["steps"]
    folded = count_folds(monkeypatch)
    for first in range(0, steps + 1, PIECE):  # onward, each entry once
        await server.api_client().get(f"{path}/sights?seat=0&first={first}")
    assert len(folded) == steps + 1
    one, other = server.api_client(), server.api_client()
    for step in range(40):
        forth = (await one.get(f"{path}?seat=0&step={step}"))["sight"]
        back = (await other.get(f"{path}?seat=0&step={steps - step}"))["sight"]
        assert (forth["step"], back["step"]) == (step, steps - step)
    await one.get(f"{path}/sights?seat=0&first=3&language=ja")
    assert len(folded) == steps + 1


async def test_from_the_end_to_the_beginning_each_piece_is_made_once(
    server: AsgiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = await long_match(server)
    stranger, path = server.api_client(), f"/api/matches/{id}"
    steps = (await stranger.get(path))["steps"]
    folded = count_folds(monkeypatch)
    pieces = steps // PIECE + 1
    sights = [
        (await stranger.get(f"{path}?seat=1&step={step}"))["sight"]
        for step in reversed(range(steps + 1))
    ]
    assert len(folded) <= pieces * (steps + 1)
    onward = [
        sight
        for first in range(0, steps + 1, PIECE)
        for sight in await stranger.get(f"{path}/sights?seat=1&first={first}")
    ]
    assert onward == sights[::-1]


async def test_every_piece_and_every_record_is_counted(server: AsgiServer) -> None:
    id = await long_match(server)
    stranger, path = server.api_client(), f"/api/matches/{id}"
    steps = (await stranger.get(path))["steps"]
    await stranger.get(f"{path}/sights?seat=0&first=0")
    for _ in range(200):
        try:
            server.services.limits.take(replays="127.0.0.1")
        except ApiError:
            break
    await stranger.get(f"{path}/sights?seat=0&first=0")
    for more in (f"?seat=0&step={steps}", f"/sights?seat=0&first={PIECE}", "/record"):
        assert await stranger.refused(path + more, None, 429, "GET") == "too-many"


async def test_a_long_match_is_folded_in_slices(server: AsgiServer) -> None:
    id = await long_match(server, 5)
    stranger, path = server.api_client(), f"/api/matches/{id}"
    asked = [f"{path}?seat=0", f"{path}/sights?seat=0", f"{path}/record"]
    for one in asked:
        assert await longest_wait(stranger.client.get(one)) < 0.2, one


async def test_many_may_ask_for_the_same_at_once(server: AsgiServer) -> None:
    id = await long_match(server)
    path = f"/api/matches/{id}"
    steps = [90, 3, 50, 0, 91, 12]
    asked = [server.api_client().get(f"{path}?seat=0&step={step}") for step in steps]
    sights = [told["sight"] for told in await asyncio.gather(*asked)]
    again = [(await server.api_client().get(f"{path}?seat=0&step={s}"))["sight"] for s in steps]
    assert sights == again
    assert [sight["step"] for sight in sights] == steps


# Lists -------------------------------------------------------------------------------------------


async def test_lists_and_the_lobby_call_a_card_set_by_its_name(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        host = await Guest(server, "Host").come()
        async with connect(f"ws://127.0.0.1:{server.port}/api/lobby/socket") as lobby:
            wanted = {"game": "kingdoms", "seats": 2, "options": {"card_set": TEXT}}
            made = (await host.post("/api/tables", wanted))["table"]
            changed = json.loads(await asyncio.wait_for(lobby.recv(), TIMEOUT))["table"]
        (listed,) = await host.get("/api/tables")
        (mine,) = await host.get("/api/my-tables")
        for table in (changed, listed, mine):
            assert table["options"] == {**made["options"], "card_set": "mine"}
        path = f"/api/tables/{made['id']}"
        async with host.socket(made["id"]) as talk:
            welcome = (await talk.until("welcome"))["table"]
        for table in (made, welcome, await host.get(path)):
            assert len(table["options"]["card_set"]["cards"]) > 1
        await host.client.aclose()


# Accounts ----------------------------------------------------------------------------------------


async def test_a_login_that_is_taken_costs_no_hash(server: AsgiServer) -> None:
    await server.account("hanako")
    other = await server.guest("Other")
    never = AssertionError("nothing is to be hashed")
    with patch.object(server.services.accounts, "_hash", side_effect=never):
        data = {"login": "Hanako", "password": "correct horse"}
        for _ in range(10):
            assert await other.refused("/api/register", data, 409) == "login-taken"
        assert await other.refused("/api/register", data, 429) == "too-many"
    await other.post("/api/register", {"login": "other", "password": "correct horse"})


async def test_many_registrations_keep_nobody_from_signing_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players, "MAX_WAITING", 3)
    go_on = threading.Event()
    async with asgi_server(tmp_path) as server:
        await server.account("hanako")
        guests = [await server.guest(f"Guest {number}") for number in range(4)]
        made = server.services.accounts._hash
        slow = patch.object(
            server.services.accounts, "_hash", lambda text: go_on.wait(TIMEOUT) and made(text)
        )
        slow.start()
        data = [{"login": f"login-{n}", "password": "correct horse"} for n in range(4)]
        asked = [
            asyncio.create_task(guest.client.post("/api/register", json=one))
            for guest, one in zip(guests, data, strict=True)
        ]
        while not any(one.done() for one in asked):
            await asyncio.sleep(0.01)
        who = {"login": "hanako", "password": "correct horse"}
        await server.api_client().post("/api/sign-in", who)
        go_on.set()
        statuses = [answer.status_code for answer in await asyncio.gather(*asked)]
        assert sorted(statuses) == [200, 200, 200, 503]
        slow.stop()


# Records of strangers ----------------------------------------------------------------------------


async def test_a_record_without_its_closing_line_costs_no_process() -> None:
    judges = VerificationPool(max_waiting=0)  # a request that needs a process is told to retry
    record = zashiki.start(GAME, 3).record()
    lines = record.splitlines(keepends=True)
    for cut in (lines[0], "".join(lines[:-1]), lines[0] + "[]", record + "{}\n"):
        found = await judges.verify(cut)
        assert (found.ok, found.chain.verdict) == (False, "failed")
        assert found.chain.line == cut.removesuffix("\n").count("\n") + 1
    for whole in (record, record.strip()):  # as the page sends it
        with pytest.raises(ApiError, match="too many records"):
            await judges.verify(whole)
        assert (await VerificationPool().verify(whole)).chain.verdict == "ok"


async def test_an_address_has_so_many_records_verified(server: AsgiServer) -> None:
    for _ in range(10):
        await server.api_client().post("/api/verify", {"record": "no record"})
    data = {"record": "no record"}
    assert await server.api_client().refused("/api/verify", data, 429) == "too-many"
    server.system.at += 6
    await server.api_client().post("/api/verify", data)


def test_a_judge_stands_back() -> None:
    pytest.importorskip("resource")
    ask = (
        "import os, resource; from zashiki.server.ops.verification import limit_resources;"
        "limit_resources();"
        "print(os.nice(0), *(resource.getrlimit(one)[0] for one in (resource.RLIMIT_CPU,"
        " resource.RLIMIT_AS)))"
    )
    said = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    nice, seconds, memory = map(int, said.stdout.split())
    assert nice >= 10
    assert seconds == MAX_CPU_SECONDS
    assert memory == MAX_MEMORY_BYTES or sys.platform == "darwin"  # which has no such limit


async def test_a_record_may_take_so_much_processor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("resource")
    endless = (
        "from zashiki.server.ops import verification as used; used.MAX_CPU_SECONDS = 1;"
        "used.limit_resources()\nwhile True: pass"
    )
    monkeypatch.setattr(verification, "CHILD_CODE", endless)
    with pytest.raises(ApiError, match="takes too long"):
        await VerificationPool().verify(zashiki.start(GAME, 3).record())


# Small things ------------------------------------------------------------------------------------


async def test_a_seat_has_no_line_end(server: AsgiServer) -> None:
    people = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    id = await play(server, await seated(server, GAME, people))
    for seat in ("all%0a", "0%0a", "%0aall", "0%0d", "1%0a2"):
        for path in (f"/api/matches/{id}?seat={seat}", f"/api/matches/{id}/sights?seat={seat}"):
            assert (await server.api_client().client.get(path)).status_code == 400, path


BLANK_NAMES = [
    "\u3164",
    "\u2800",
    "\u115f \u1160",
    "\uffa0",
    "—",
    "!?",
    "\u0301",
    "a" + "\u0301" * 3,
]


async def test_a_name_can_be_seen(server: AsgiServer) -> None:
    aki, hana = await server.guest(), await server.account("hana")
    for name in BLANK_NAMES:
        assert await server.api_client().refused("/api/guest", {"name": name}, 400) == "bad-name"
        assert await aki.refused("/api/rename", {"name": name}, 400) == "bad-name"
        assert await hana.refused("/api/bot-tokens", {"name": name}, 400) == "bad-name"
    for name in (
        "花子",
        "Zoë",
        "e\u0302\u0301",
        "7",
        "🦊",
        "1\ufe0f\u20e3",
        "Jean-Luc",
        "—Aki—",
    ):
        assert (await aki.post("/api/rename", {"name": name}))["name"] == name


def test_only_what_lies_in_assets_is_kept_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("page")
    (tmp_path / "assets" / "a-1.js").write_text("script")
    monkeypatch.setattr(pages, "FOLDER", tmp_path)
    for name, kept in (
        ("assets/a-1.js", True),
        ("assets/../assets/a-1.js", True),
        ("assets/../index.html", False),
        ("index.html", False),
        ("tables/x", False),
    ):
        file = pages.find_file(name)
        assert file is not None
        header = pages.answer_file(file, {}).headers["Cache-Control"]
        assert ("immutable" in header) is kept, name


async def test_metrics_are_told_to_who_asks_this_machine(server: AsgiServer) -> None:
    api_client = server.api_client()
    for host, status in (
        ("localhost:8000", 200),
        ("127.0.0.1", 200),
        ("[::1]:8000", 200),
        ("evil.example", 403),
        ("[::1].evil.example", 403),
        ("", 403),
    ):
        answer = await api_client.client.get("/metrics", headers={"Host": host})
        assert answer.status_code == status, host


@pytest.mark.parametrize("watch", ["off", "live", "delayed"])
async def test_a_delay_is_bounded_however_one_watches(server: AsgiServer, watch: str) -> None:
    aki = await server.guest()
    wanted = {"game": "kingdoms", "seats": 2, "watch": watch}
    for delay in (-1, 101, 10**15):
        data = {**wanted, "delay": delay}
        assert await aki.refused("/api/tables", data, 422) == "malformed"
    await aki.post("/api/tables", {**wanted, "delay": 100}, 201)


# Bots of one's own -------------------------------------------------------------------------------


async def test_ones_own_bots_are_listed_and_can_be_revoked(server: AsgiServer) -> None:
    aki, ben = await server.account("aki"), await server.account("ben")
    made = []
    for name in ("R2", "C3"):
        made.append(await aki.post("/api/bot-tokens", {"name": name}, 201))
        server.system.at += 1
    first, second = (server.program(one["token"]) for one in made)
    listed = await aki.get("/api/bot-tokens")
    assert len(listed) == len(made)
    for one, bot in zip(listed, made, strict=True):
        assert one.items() >= bot["player"].items()
    assert await ben.get("/api/bot-tokens") == []
    id = made[0]["player"]["id"]
    table = (await aki.post("/api/tables", {"game": "kingdoms", "seats": 2}, 201))["table"]
    await first.post(f"/api/tables/{table['id']}/sit", {"seat": 1})
    assert await ben.refused(f"/api/bot-tokens/{id}/revoke", None, 404) == "no-bot"
    assert await second.refused(f"/api/bot-tokens/{id}/revoke", None, 403) == "scope"
    await aki.post(f"/api/bot-tokens/{id}/revoke")
    assert await aki.refused(f"/api/bot-tokens/{id}/revoke", None, 404) == "no-bot"
    assert await first.refused("/api/me", None, 401, "GET") == "no-session"
    assert (await second.get("/api/me"))["name"] == "C3"
    assert [one["name"] for one in await aki.get("/api/bot-tokens")] == ["C3"]
    seats = (await aki.get(f"/api/tables/{table['id']}"))["seats"]
    assert seats[1]["player"] is None


async def test_bots_go_with_their_owner(server: AsgiServer) -> None:
    aki, ben = await server.account("aki"), await server.account("ben")
    gone = server.program((await aki.post("/api/bot-tokens", {"name": "R2"}, 201))["token"])
    stays = server.program((await ben.post("/api/bot-tokens", {"name": "C3"}, 201))["token"])
    id = (await gone.get("/api/me"))["id"]
    await aki.post("/api/delete")
    assert await gone.refused("/api/me", None, 401, "GET") == "no-session"
    assert (await ben.get(f"/api/players/{id}"))["player"]["name"] == "—"
    assert (await stays.get("/api/me"))["name"] == "C3"


async def test_a_bot_without_an_owner_has_no_session_even_if_it_was_missed(
    server: AsgiServer,
) -> None:
    aki = await server.account("aki")
    bot = server.program((await aki.post("/api/bot-tokens", {"name": "R2"}, 201))["token"])
    row = await server.services.store.player(aki.id)
    assert row is not None
    await server.services.accounts.delete(row)  # and the server stops before it is done
    assert await bot.refused("/api/me", None, 401, "GET") == "no-session"


async def test_a_player_has_so_many_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "MAX_OWN_BOTS", 3)
    async with asgi_server(tmp_path) as server:
        aki = await server.account("aki")
        asked = [aki.client.post("/api/bot-tokens", json={"name": "R2"}) for _ in range(5)]
        statuses = [answer.status_code for answer in await asyncio.gather(*asked)]
        assert sorted(statuses) == [201, 201, 201, 409, 409]
