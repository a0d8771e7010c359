"""Limits per player: open tables, seats, connections."""

import asyncio
from pathlib import Path

import pytest

from tests.server.asgi_server import ApiClient, asgi_server, play, seated
from tests.server.guests import Guest, Talk
from tests.server.in_process_server import in_process_server
from tests.server.waits import TIMEOUT, connect
from zashiki.server import services
from zashiki.server.errors import ApiError
from zashiki.server.ops.rate_limits import ConcurrencyLimit
from zashiki.server.tables import handover, quotas
from zashiki.server.tables.sweep import EXPIRY_SECONDS, close_old

GAME = "kamiza-second"
WANTED = {"game": GAME, "seats": 3}


async def opened(api_client: ApiClient) -> str:
    made = await api_client.post("/api/tables", WANTED, 201)
    return f"/api/tables/{made['table']['id']}"


async def full(api_client: ApiClient) -> bool:
    return await api_client.refused("/api/tables", WANTED, 429) == "too-many-tables"


async def test_a_host_has_so_many_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotas, "MAX_HOSTED_TABLES", 2)
    async with asgi_server(tmp_path) as server:
        aki, ben, chie = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
        first = await opened(aki)
        table = await seated(server, GAME, [aki, ben, chie])
        assert await full(aki)
        await aki.post(f"{first}/close")
        await opened(aki)
        assert await full(aki)
        server.services.registry.drop_idle()
        assert await full(aki), "in memory or not"
        await play(server, table)
        assert (await ben.post(f"/api/tables/{table}/rematch"))["host"] == ben.id
        await opened(aki)
        assert await full(aki)
        server.system.at += EXPIRY_SECONDS + 1
        await close_old(server.services.registry)
        await opened(aki)


async def test_what_is_counted_is_counted_after_a_restart_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "MAX_HOSTED_TABLES", 1)
    async with asgi_server(tmp_path) as server:
        aki = await server.guest("Aki")
        await opened(aki)
        server.services.registry.quotas = quotas.PlayerTableIndex()
        await server.services.registry.resume()
        assert await full(aki)


async def test_who_resigned_may_sit_down_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "MAX_SEATS", 2)
    async with asgi_server(tmp_path) as server:
        aki, ben, chie = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
        table = await seated(server, GAME, [aki, ben, chie])
        path, other = await opened(aki), await opened(ben)
        await ben.post(f"{other}/sit", {"seat": 1})
        assert await ben.refused(f"{path}/sit", {"seat": 1}, 429) == "too-many-seats"
        assert await ben.refused("/api/tables", WANTED, 429) == "too-many-seats"
        await handover.resign(await server.services.registry.find(table), 1)
        await ben.post(f"{path}/sit", {"seat": 1})
        assert await ben.refused("/api/tables", WANTED, 429) == "too-many-seats"
        await ben.post(f"{path}/stand")
        await opened(ben)


def test_what_is_let_go_can_be_held_again() -> None:
    held = ConcurrencyLimit(2)
    for who in ("aki", "ben", "aki"):
        held.check(who)
        held.acquire(who)
    with pytest.raises(ApiError) as refused:
        held.check("aki")
    assert (refused.value.status, refused.value.code) == (429, "too-many-sockets")
    held.release("aki")
    held.check("aki")
    held.release("aki")
    held.release("ben")
    assert not held._open


async def test_a_player_has_so_many_sockets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MAX_SOCKETS_PER_PLAYER", 2)
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        aki, ben = await Guest(server, "Aki").come(), await Guest(server, "Ben").come()
        table = (await aki.post("/api/tables", WANTED))["table"]["id"]
        url = f"ws://127.0.0.1:{server.port}"
        late = (await aki.post(f"/api/tables/{table}/ticket"))["ticket"]
        cookie = "; ".join(f"{name}={value}" for name, value in aki.client.cookies.items())
        lobby = connect(f"{url}/api/lobby/socket", additional_headers={"Cookie": cookie})
        async with aki.socket(table) as one, lobby:
            await one.until("welcome")
            refused = await aki.client.post(f"/api/tables/{table}/ticket")
            assert (refused.status_code, refused.json()["code"]) == (429, "too-many-sockets")
            async with connect(f"{url}/api/tables/{table}/socket?ticket={late}") as socket:
                assert (await Talk(socket).until("bye"))["code"] == "too-many-sockets"
            async with ben.socket(table) as other:
                await other.until("welcome")
        async with aki.socket(table) as again:
            await again.until("welcome")
        lobbies = [connect(f"{url}/api/lobby/socket") for _ in range(3)]
        async with lobbies[0], lobbies[1], lobbies[2] as stranger:
            assert (await Talk(stranger).until("bye"))["code"] == "too-many-sockets"
        for guest in (aki, ben):
            await guest.client.aclose()
