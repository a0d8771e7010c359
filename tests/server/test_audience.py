"""The host's power over spectators, and the limits of the lobby."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.server.asgi_server import ApiClient, AsgiServer, asgi_server, play, seated
from tests.server.guests import Guest, Talk
from tests.server.in_process_server import in_process_server
from tests.server.server_process import server_process
from tests.server.waits import TIMEOUT
from zashiki.server.store import rows
from zashiki.server.tables import audience, quotas
from zashiki.server.tables.lobby import MAX_LISTED_TABLES

GAME = {"game": "kingdoms", "seats": 2}
ADDRESS = "203.0.113.7"


@pytest.fixture
async def three(server: AsgiServer) -> list[ApiClient]:
    return [await server.guest(name) for name in ("Host", "Ben", "Chie")]


async def bye(talk: Talk) -> str:
    return str((await talk.until("bye"))["code"])


# Removal ---------------------------------------------------------------------------------------


async def test_a_player_who_was_removed_sits_down_when_the_host_allows_it(
    server: AsgiServer, three: list[ApiClient]
) -> None:
    host, ben, chie = three
    made = await host.post("/api/tables", {**GAME, "chairs": [{"kind": "link"}] * 2}, 201)
    path, key = f"/api/tables/{made['table']['id']}", made["key"]
    sits = {"seat": 1, "key": key}
    await ben.post(f"{path}/sit", sits)
    await host.post(f"{path}/remove", {"seat": 1})
    assert await ben.refused(f"{path}/sit", sits, 403) == "removed"
    server.services.registry.drop_idle()
    assert await ben.refused(f"{path}/sit", sits, 403) == "removed", "after it was loaded again"
    assert [one["name"] for one in (await host.get(f"{path}/audience"))["removed"]] == ["Ben"]
    await chie.post(f"{path}/sit", sits)
    await chie.post(f"{path}/stand")
    for refused in (ben, chie):
        assert await refused.refused(f"{path}/allow", {"player": ben.id}, 403) == "not-host"
    await host.post(f"{path}/allow", {"player": ben.id})
    assert (await host.get(f"{path}/audience"))["removed"] == []
    await ben.post(f"{path}/sit", sits)


async def test_a_removal_outlasts_a_restart(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        host, ben = await Guest(server, "Host").come(), await Guest(server, "Ben").come()
        path = f"/api/tables/{(await host.post('/api/tables', GAME))['table']['id']}"
        await ben.post(f"{path}/sit", {"seat": 1})
        await host.post(f"{path}/remove", {"seat": 1})
        server.kill()
        server.start()
        refused = await ben.client.post(f"{path}/sit", json={"seat": 1})
        assert (refused.status_code, refused.json()["code"]) == (403, "removed")
        await host.client.aclose()
        await ben.client.aclose()


async def test_a_host_who_leaves_the_own_seat_may_sit_down_again(three: list[ApiClient]) -> None:
    host = three[0]
    path = f"/api/tables/{(await host.post('/api/tables', GAME, 201))['table']['id']}"
    await host.post(f"{path}/remove", {"seat": 0})
    await host.post(f"{path}/sit", {"seat": 1})


# Spectators ------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_started", [False, True])
async def test_a_spectator_is_sent_away_and_allowed_again(tmp_path: Path, is_started: bool) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        host, ben, chie = [await Guest(server, name).come() for name in ("Host", "Ben", "Chie")]
        table = (await host.post("/api/tables", GAME))["table"]["id"]
        path = f"/api/tables/{table}"
        await ben.post(f"{path}/sit", {"seat": 1})
        if is_started:
            await host.post(f"{path}/start")
        async with ben.socket(table) as seated, chie.socket(table) as watching:
            for talk in (seated, watching):
                await talk.until("welcome")
            shown = (await host.get(f"{path}/audience"))["spectators"]
            assert shown == [{"id": chie.id, "name": "Chie"}]
            await host.post(f"{path}/send-away", {"player": chie.id})
            assert await bye(watching) == "sent-away"
            assert (await seated.answered("1", do="say", text="still here"))["ok"]
        async with chie.socket(table) as again:
            assert await bye(again) == "sent-away"
        for ask, data in (("ticket", None), ("sit", {"seat": 0})):
            refused = await chie.client.post(f"{path}/{ask}", json=data)
            assert refused.status_code in {403, 409}
        audience = await host.get(f"{path}/audience")
        assert audience == {
            "spectators": [], "removed": [{"id": chie.id, "name": "Chie"}], "closed": False
        }  # fmt: skip
        await host.post(f"{path}/allow", {"player": chie.id})
        async with chie.socket(table) as watching:
            await watching.until("welcome")
        for guest in (host, ben, chie):
            await guest.client.aclose()


async def test_a_host_closes_watching_and_opens_it_again(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        host, chie = await Guest(server, "Host").come(), await Guest(server, "Chie").come()
        wanted = {**GAME, "watch": "delayed", "delay": 3}
        table = (await host.post("/api/tables", wanted))["table"]["id"]
        path = f"/api/tables/{table}"
        async with host.socket(table) as mine, chie.socket(table) as watching:
            await watching.until("welcome")
            closed = await host.post(f"{path}/spectators", {"watch": False})
            assert closed["watch"] == "off"
            assert await bye(watching) == "not-watched"
            assert (await mine.answered("1", do="say", text="alone"))["ok"]
        async with chie.socket(table) as again:
            assert await bye(again) == "not-watched"
        assert (await host.get(f"{path}/audience"))["closed"]
        assert (await host.post(f"{path}/spectators", {"watch": True}))["watch"] == "delayed"
        async with chie.socket(table) as watching:
            await watching.until("welcome")
        for guest in (host, chie):
            await guest.client.aclose()


async def test_visitors_without_a_name_hide_no_spectator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audience, "MAX_SPECTATORS_SHOWN", 1)
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        host, chie = await Guest(server, "Host").come(), await Guest(server, "Chie").come()
        table = (await host.post("/api/tables", GAME))["table"]["id"]
        live = await server.services.registry.find(table)
        monkeypatch.setattr(rows, "VISITOR", "-visitor:")  # sorted before all ids
        monkeypatch.setattr(live, "watchers", lambda: {"-visitor:a", chie.id})
        seen = await host.get(f"/api/tables/{table}/audience")
        assert [one["name"] for one in seen["spectators"]] == ["Chie"]
        for guest in (host, chie):
            await guest.client.aclose()


async def test_a_host_mutes_spectators(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        host, chie = await Guest(server, "Host").come(), await Guest(server, "Chie").come()
        table = (await host.post("/api/tables", GAME))["table"]["id"]
        path = f"/api/tables/{table}"
        async with host.socket(table) as mine, chie.socket(table) as watching:
            assert (await watching.answered("1", do="say", text="hello"))["ok"]
            assert (await host.post(f"{path}/spectators", {"chat": False}))["spectators_muted"]
            refused = await watching.answered("2", do="say", text="hello")
            assert refused["fault"]["code"] == "spectators-muted"
            assert (await mine.answered("3", do="say", text="silence"))["ok"]
            assert not (await host.post(f"{path}/spectators", {"chat": True}))["spectators_muted"]
            assert (await watching.answered("4", do="say", text="hello again"))["ok"]
        for guest in (host, chie):
            await guest.client.aclose()


async def test_only_the_host_has_power_over_spectators_and_none_over_players(
    server: AsgiServer, three: list[ApiClient]
) -> None:
    host, ben, chie = three
    table = await seated(server, "kingdoms", [host, ben])
    path = f"/api/tables/{table}"
    asks: list[tuple[str, Any]] = [
        ("send-away", {"player": chie.id}), ("allow", {"player": chie.id}),
        ("spectators", {"watch": False}),
    ]  # fmt: skip
    for ask, data in asks:
        assert await ben.refused(f"{path}/{ask}", data, 403) == "not-host"
    assert await ben.refused(f"{path}/audience", None, 403, "GET") == "not-host"
    for player in (host.id, ben.id):
        assert await host.refused(f"{path}/send-away", {"player": player}, 409) == "seated"
    assert await host.refused(f"{path}/send-away", {"player": "nobody"}, 404) == "no-player"
    await host.post(f"{path}/send-away", {"player": chie.id})
    await play(server, table)
    assert (await host.get(f"{path}/audience"))["removed"] == [{"id": chie.id, "name": "Chie"}]
    unwatched = (await host.post("/api/tables", {**GAME, "watch": "off"}, 201))["table"]["id"]
    asked = f"/api/tables/{unwatched}/spectators"
    assert await host.refused(asked, {"watch": True}, 409) == "not-watched"


# The lobby -------------------------------------------------------------------------------------


async def test_one_address_does_not_push_all_others_out_of_the_lobby(server: AsgiServer) -> None:
    """With as many guests as needed: each of them may host twenty tables."""
    victim = await server.guest("Victim")
    own = (await victim.post("/api/tables", GAME, 201))["table"]["id"]
    codes = []
    for _ in range(11):
        guest = await server.guest("Flood", ADDRESS)
        for _ in range(20):
            answer = await guest.client.post("/api/tables", json=GAME)
            codes.append(answer.status_code)
    assert set(codes) == {201, 429}
    listed = await victim.get("/api/tables")
    assert len(listed) < MAX_LISTED_TABLES / 2
    assert own in [table["id"] for table in listed]


async def test_public_tables_of_an_address_are_counted_at_once_and_later(
    tmp_path: Path,
) -> None:
    async with asgi_server(tmp_path) as server:
        server.services.registry.quotas.max_listed = 3
        aki, ben = [await server.guest(name, ADDRESS) for name in ("Aki", "Ben")]
        asked = [guest.client.post("/api/tables", json=GAME) for guest in (aki, ben) * 4]
        answers = await asyncio.gather(*asked)
        assert sorted(answer.status_code for answer in answers) == [201] * 3 + [429] * 5
        private = {**GAME, "public": False}
        await aki.post("/api/tables", private, 201)
        assert await aki.refused("/api/tables", GAME, 429) == "too-many-tables"
        mine = next(answer for answer in answers if answer.status_code == 201).json()["table"]
        owner = aki if mine["host"] == aki.id else ben
        await owner.post(f"/api/tables/{mine['id']}/close")
        await aki.post("/api/tables", GAME, 201)
        assert await ben.refused("/api/tables", GAME, 429) == "too-many-tables"
        server.system.at += quotas.LISTED_SECONDS
        await ben.post("/api/tables", GAME, 201)
        index = server.services.registry.quotas
        index.forget_addresses(server.system.at)
        assert len(index._listed) == 1
        index.forget_addresses(server.system.at + quotas.LISTED_SECONDS)
        assert len(index._listed) == 0
