"""What one player may have at once: tables, seats, connections."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.server.house import Guest, Talk
from tests.server.indoors import Asker, Indoors, indoors, play, seated
from tests.server.inside import Inside, inside
from tests.server.waiting import PATIENCE, connect
from zashiki.server import services
from zashiki.server.errors import ApiError
from zashiki.server.ops.rate_limits import ConcurrencyLimit
from zashiki.server.tables import gameplay, quotas
from zashiki.server.tables.registry import EXPIRY_SECONDS

GAME = "kamiza-second"
WANTED = {"game": GAME, "seats": 3}


def at(folder: Path, scenario: Callable[[Indoors], Awaitable[None]]) -> None:
    async def run() -> None:
        async with indoors(folder) as home:
            await scenario(home)

    asyncio.run(run())


async def opened(asker: Asker) -> str:
    made = await asker.post("/api/tables", WANTED, 201)
    return f"/api/tables/{made['table']['id']}"


async def full(asker: Asker) -> bool:
    return await asker.refused("/api/tables", WANTED, 429) == "too-many-tables"


def test_a_host_has_so_many_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotas, "MAX_HOSTED_TABLES", 2)

    async def scenario(home: Indoors) -> None:
        aki, ben, chie = [await home.guest(name) for name in ("Aki", "Ben", "Chie")]
        first = await opened(aki)
        table = await seated(home, GAME, [aki, ben, chie])
        assert await full(aki)
        await aki.post(f"{first}/close")
        await opened(aki)
        assert await full(aki)
        home.server.registry.drop_idle()
        assert await full(aki), "in memory or not"
        await play(home, table)
        assert (await ben.post(f"/api/tables/{table}/rematch"))["host"] == ben.id
        await opened(aki)
        assert await full(aki)
        home.system.at += EXPIRY_SECONDS + 1
        await home.server.registry.close_old()
        await opened(aki)

    at(tmp_path, scenario)


def test_what_is_counted_is_counted_after_a_restart_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "MAX_HOSTED_TABLES", 1)

    async def scenario(home: Indoors) -> None:
        aki = await home.guest("Aki")
        await opened(aki)
        home.server.registry.quotas = quotas.PlayerTableIndex()
        await home.server.registry.resume()
        assert await full(aki)

    at(tmp_path, scenario)


def test_who_resigned_may_sit_down_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "MAX_SEATS", 2)

    async def scenario(home: Indoors) -> None:
        aki, ben, chie = [await home.guest(name) for name in ("Aki", "Ben", "Chie")]
        table = await seated(home, GAME, [aki, ben, chie])
        path, other = await opened(aki), await opened(ben)
        await ben.post(f"{other}/sit", {"seat": 1})
        assert await ben.refused(f"{path}/sit", {"seat": 1}, 429) == "too-many-seats"
        assert await ben.refused("/api/tables", WANTED, 429) == "too-many-seats"
        await gameplay.resign(await home.server.registry.find(table), 1)
        await ben.post(f"{path}/sit", {"seat": 1})
        assert await ben.refused("/api/tables", WANTED, 429) == "too-many-seats"
        await ben.post(f"{path}/stand")
        await opened(ben)

    at(tmp_path, scenario)


def test_what_is_let_go_can_be_held_again() -> None:
    held = ConcurrencyLimit(2)
    with held.hold("aki"), held.hold("ben"):
        with held.hold("aki"):
            with pytest.raises(ApiError) as refused, held.hold("aki"):
                pass
            assert (refused.value.status, refused.value.code) == (429, "too-many-sockets")
        held.check("aki")
    assert not held._open


def test_a_player_has_so_many_sockets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MAX_SOCKETS_PER_PLAYER", 2)

    async def evening(home: Inside) -> None:
        aki, ben = await Guest(home, "Aki").come(), await Guest(home, "Ben").come()
        table = (await aki.post("/api/tables", WANTED))["table"]["id"]
        url = f"ws://127.0.0.1:{home.port}"
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

    async def scenario() -> None:
        async with inside(tmp_path) as home, asyncio.timeout(PATIENCE):
            await evening(home)

    asyncio.run(scenario())
