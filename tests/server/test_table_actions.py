"""Actions of people at tables, on a real server: sit, start, watch, resign, leave and return."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.server.guests import Guest, Talk
from tests.server.server_process import ServerProcess, server_process
from tests.server.waits import TIMEOUT, connect, until
from zashiki.core.record import commit, nonce_hash


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with server_process(Path(tmp_path_factory.mktemp("server"))) as made:
        yield made


@asynccontextmanager
async def guests_at(server: ServerProcess, count: int) -> AsyncIterator[list[Guest]]:
    """This many guests, whose clients are closed at the end."""
    people = [Guest(server, f"Guest {number}") for number in range(count)]
    try:
        for person in people:
            await person.come()
        yield people
    finally:
        for person in people:
            await person.client.aclose()


async def refused(guest: Guest, path: str, data: Any = None) -> tuple[int, str]:
    answer = await guest.client.post(path, json=data)
    return answer.status_code, answer.json()["code"]


async def playing(server: ServerProcess, people: list[Guest], **wanted: Any) -> str:
    """A Kingdoms table that was dealt to two."""
    spec = {"game": "kingdoms", "seats": 2, **wanted}
    table: str = (await people[0].post("/api/tables", spec))["table"]["id"]
    await people[1].post(f"/api/tables/{table}/sit", {"seat": 1})
    async with people[0].socket(table) as one, people[1].socket(table) as other:
        await people[0].post(f"/api/tables/{table}/start")
        await one.answered("r", do="ready")
        await other.answered("r", do="ready")
        await one.until("told")
    return table


async def test_sitting_down_and_getting_up(server: ServerProcess) -> None:
    async with guests_at(server, 3) as people:
        aki, ben, chie = people
        made = await aki.post("/api/tables", {"game": "kamiza-second", "seats": 3})
        path = f"/api/tables/{made['table']['id']}"
        assert [seat["kind"] for seat in made["table"]["seats"]] == ["player", "open", "open"]
        await ben.post(f"{path}/sit", {"seat": 2})
        assert await refused(chie, f"{path}/sit", {"seat": 2}) == (409, "seat-taken")
        assert await refused(aki, f"{path}/start") == (409, "seats-empty")
        assert await refused(ben, f"{path}/remove", {"seat": 0}) == (403, "not-host")
        await aki.post(f"{path}/remove", {"seat": 2})
        assert await refused(ben, f"{path}/stand") == (409, "not-seated")
        await aki.post(f"{path}/close")
        assert await refused(ben, f"{path}/sit", {"seat": 1}) == (409, "table-started")
        assert made["table"]["id"] not in {one["id"] for one in await ben.get("/api/tables")}


async def test_the_deal_waits_for_hashes_then_nonces_and_keeps_its_promise(
    server: ServerProcess,
) -> None:
    async with guests_at(server, 2) as people:
        aki, ben = people
        spec = {"game": "kingdoms", "seats": 2}
        table = (await aki.post("/api/tables", spec))["table"]["id"]
        await ben.post(f"/api/tables/{table}/sit", {"seat": 1})
        started = await aki.post(f"/api/tables/{table}/start")
        assert started["state"] == "starting"
        commitment = started["commitment"]
        async with aki.socket(table) as one, ben.socket(table) as other:
            nonces = ["a1" * 16, "b2" * 32]
            hashes = [nonce_hash(commitment, seat, nonce) for seat, nonce in enumerate(nonces)]
            assert (await one.answered("1", do="ready", hash=hashes[0]))["ok"]
            assert not (await one.answered("2", do="ready", hash="x"))["ok"]
            early = await one.answered("3", do="reveal", nonce=nonces[0])
            assert early["fault"]["code"] == "too-early"
            assert (await aki.get(f"/api/tables/{table}"))["hashes"] is None
            assert (await other.answered("1", do="ready", hash=hashes[1]))["ok"]
            assert (await other.starting(is_fixed=True))["hashes"] == hashes
            assert (await other.answered("2", do="reveal", nonce=nonces[1]))["ok"]
            assert (await aki.get(f"/api/tables/{table}"))["state"] == "starting"
            assert (await one.answered("4", do="reveal", nonce=nonces[0]))["ok"]
            told = await other.until("told")
            assert told["view"]["seat"] == 1
            await asyncio.gather(finish(one), finish(other, told))
        record = (await aki.client.get(f"/api/tables/{table}/record")).text.splitlines()
        header, last = json.loads(record[0]), json.loads(record[-1])
        assert (header["zashiki"], header["nonces"], header["hashes"]) == (2, nonces, hashes)
        assert header["gave"] == ["nonce", "nonce"]
        assert header["commitment"] == commitment
        assert commit(bytes.fromhex(last["seed"]), bytes.fromhex(last["salt"])) == commitment


async def finish(talk: Talk, told: dict[str, Any] | None = None) -> None:
    """Attack whenever possible, to the end of the match."""
    told = told or await talk.until("told")
    while not told["over"]:
        if told["decision"] is not None:
            number = told["decision"]
            action = max(told["legal"], key=lambda action: action.startswith("attack"))
            await talk.send(do="play", key=str(number), decision=number, action=action)
        told = await talk.until("told")


async def test_a_second_tab_is_nothing_special(server: ServerProcess) -> None:
    async with guests_at(server, 2) as people:
        table = await playing(server, people)
        async with people[0].socket(table) as one, people[0].socket(table) as two:
            first, second = await one.until("told"), await two.until("told")
            assert first == second
            await one.answered("k", do="play", decision=1, action="draft:0")
            told = await two.until("told")
            assert told["first"] == len(first["facts"]) + 1
            assert told["decision"] == 2
            answer = await two.answered("k2", do="play", decision=1, action="draft:0")
            assert answer["fault"]["code"] == "stale"
            assert answer["fault"]["details"] == {"decision": 2}
            again = await two.answered("k", do="play", decision=1, action="draft:0")
            assert again["ok"], "the same key is the same command"
        async with people[0].socket(table, have=len(first["facts"])) as three:
            told_again = await three.until("told")
            assert told_again["facts"] == told["facts"]


async def test_why_not_and_what_is_refused(server: ServerProcess) -> None:
    async with guests_at(server, 2) as people:
        table = await playing(server, people)
        async with people[0].socket(table) as talk:
            why = await talk.answered("1", do="why_not", action="draft:N1")
            assert why["ok"]
            assert why["fault"]["details"]["ruling"] == "RB 2.2"
            assert (await talk.answered("2", do="why_not", action="draft:0"))["fault"] is None
            refusal = await talk.answered("3", do="play", decision=1, action="draft:N1")
            assert not refusal["ok"]
            assert refusal["fault"]["code"] == "refused"
            wrong = await talk.answered("4", do="play", decision=1, action="dance")
            assert wrong["fault"]["code"] == "malformed"
            assert (await talk.answered("5", do="play", decision=1, action="draft:0"))["ok"]


async def test_who_watches_is_told_what_is_public_and_late_if_that_is_wanted(
    server: ServerProcess,
) -> None:
    async with guests_at(server, 3) as people:
        watcher = people[2]
        table = await playing(server, people, watch="delayed", delay=2)
        async with people[0].socket(table) as talk, watcher.socket(table) as seen:
            told = await seen.until("told")
            assert "hand" not in told["view"]
            assert told["legal"] == []
            before = len(told["facts"])
            assert told["view"]["phase"] == "draft"
            await talk.answered("1", do="play", decision=1, action="draft:0")
            await talk.answered("2", do="play", decision=2, action="done")
            await talk.answered("3", do="say", text="Well?")
            await seen.until("chatted")
            assert not [frame for frame in seen.kept if frame["is"] == "told"], "nothing yet"
        async with people[1].socket(table) as talk, watcher.socket(table, have=before) as seen:
            assert (await seen.until("told"))["facts"] == []
            await talk.answered("1", do="play", decision=1, action="draft:0")
            late = await seen.until("told")
            assert [fact["fact"] for fact in late["facts"]] == ["drafted"]
            assert late["view"]["phase"] == "deploy"
        record = (await watcher.client.get(f"/api/tables/{table}/record")).text
        assert "turn_ended" not in record


async def test_a_table_that_is_not_to_be_watched_is_not(server: ServerProcess) -> None:
    async with guests_at(server, 3) as people:
        table = await playing(server, people, watch="off")
        assert await refused(people[2], f"/api/tables/{table}/ticket") == (403, "not-watched")
        assert (await people[2].client.get(f"/api/tables/{table}/record")).status_code == 403


async def test_chat_is_text(server: ServerProcess) -> None:
    async with guests_at(server, 2) as people:
        table = await playing(server, people)
        async with people[0].socket(table) as one, people[1].socket(table) as other:
            await other.until("welcome")
            await one.answered("1", do="say", text="<b>hello</b>")
            line = await other.until("chatted")
            assert (line["text"], line["seat"], line["name"]) == ("<b>hello</b>", 0, "Guest 0")
            for text in ("", " x", "a\nb", "\u202e", "x" * 301):
                answer = await one.answered("2", do="say", text=text)
                assert answer["fault"]["code"] == "malformed"
        async with people[1].socket(table) as later:
            (kept,) = (await later.until("welcome"))["chat"]
            assert kept == line


async def test_who_resigns_hands_the_seat_over(server: ServerProcess) -> None:
    async with guests_at(server, 2) as people:
        table = await playing(server, people)
        async with people[0].socket(table) as talk:
            assert (await talk.answered("1", do="resign"))["ok"]
            seat = (await people[0].get(f"/api/tables/{table}"))["seats"][0]
            assert (seat["resigned"], seat["stand_in"]) == (True, "regular")


async def is_watched(guest: Guest) -> bool:
    """Return whether a socket of the lobby is registered."""
    numbers = (await guest.client.get("/metrics")).text.splitlines()
    return "zashiki_lobby_watchers 0.0" not in numbers


async def test_the_lobby_is_live(server: ServerProcess) -> None:
    async with guests_at(server, 1) as people:
        (aki,) = people
        async with connect(f"ws://127.0.0.1:{server.port}/api/lobby/socket") as lobby:
            await until(lambda: is_watched(aki))
            table = (await aki.post("/api/tables", {"game": "kamiza-2014", "seats": 3}))["table"]
            while True:
                news = json.loads(await asyncio.wait_for(lobby.recv(), TIMEOUT))
                if news["table"]["id"] == table["id"]:
                    break
            hidden = {"game": "kamiza-2014", "seats": 3, "public": False}
            secret = (await aki.post("/api/tables", hidden))["table"]
            await aki.post(f"/api/tables/{table['id']}/close")
            closed = json.loads(await asyncio.wait_for(lobby.recv(), TIMEOUT))
            assert closed["table"]["state"] == "closed"
            assert secret["id"] not in {one["id"] for one in await aki.get("/api/tables")}
