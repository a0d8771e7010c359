"""The list of public tables: cached until something changes, and paged."""

from typing import Any

import pytest

from tests.server.asgi_server import ApiClient, AsgiServer
from zashiki.server.tables import lobby
from zashiki.server.tables.lobby import MAX_LISTED_TABLES
from zashiki.server.tables.sweep import close_old

GAME = {"game": "kingdoms", "seats": 2}


async def opened(server: AsgiServer, count: int, **more: Any) -> list[str]:
    """Open tables of some hosts; return them with the last one first."""
    made = []
    for number in range(count):
        if number % 10 == 0:
            host = await server.guest(f"Host {number}")
        made.append((await host.post("/api/tables", {**GAME, **more}, 201))["table"]["id"])
    return made[::-1]


def watched(server: AsgiServer, patch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which every read and every rendering of a table is appended."""
    asked: list[str] = []
    lobby, store = server.services.registry.lobby, server.services.store
    glance, table, tables = lobby._glance, store.table, store.tables

    def counted_glance(row: Any) -> Any:
        asked.append(row.id)
        return glance(row)

    async def counted_table(id: str) -> Any:
        asked.append(id)
        return await table(id)

    async def counted_tables(*given: Any) -> Any:
        asked.append("all")
        return await tables(*given)

    patch.setattr(lobby, "_glance", counted_glance)
    patch.setattr(store, "table", counted_table)
    patch.setattr(store, "tables", counted_tables)
    return asked


async def ids(client: ApiClient, query: str = "") -> list[str]:
    return [table["id"] for table in await client.get(f"/api/tables{query}")]


async def test_the_list_is_kept_until_a_table_changes(
    server: AsgiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = await opened(server, 30)
    stranger, guest = server.api_client(), await server.guest("Guest")
    assert await ids(stranger) == tables
    asked = watched(server, monkeypatch)
    for _ in range(3):
        assert await ids(stranger) == tables
    assert asked == []
    await guest.post(f"/api/tables/{tables[7]}/sit", {"seat": 1})
    asked.clear()
    changed = await ids(stranger)
    assert changed == [tables[7], *tables[:7], *tables[8:]], "what changed last is first"
    assert set(asked) == {tables[7]}, "the others are not rendered again"
    listed = await stranger.get("/api/tables")
    assert listed[0]["seats"][1]["player"]["name"] == "Guest"
    private = (await guest.post("/api/tables", {**GAME, "public": False}, 201))["table"]["id"]
    asked.clear()
    assert private not in await ids(stranger)
    assert asked == []


async def test_the_list_comes_in_pages(server: AsgiServer) -> None:
    tables = await opened(server, 12)
    stranger = server.api_client()
    assert await ids(stranger, "?limit=5") == tables[:5]
    assert await ids(stranger, "?limit=5&skip=5") == tables[5:10]
    assert await ids(stranger, "?limit=5&skip=10") == tables[10:]
    assert await ids(stranger, "?skip=100") == []
    assert await ids(stranger, f"?skip={2**64}") == []
    for wrong in ("limit=0", f"limit={MAX_LISTED_TABLES + 1}", "skip=-1", "skip=x"):
        assert (await stranger.client.get(f"/api/tables?{wrong}")).status_code == 400, wrong


async def test_tables_that_have_gone_are_not_listed(server: AsgiServer) -> None:
    (closed,) = await opened(server, 1)
    stranger = server.api_client()
    host = server.api_clients[0]
    assert await ids(stranger) == [closed]
    await host.post(f"/api/tables/{closed}/close")
    assert await ids(stranger) == []
    (expired,) = await opened(server, 1)
    assert await ids(stranger) == [expired]
    server.services.registry.drop_idle()
    server.system.at += 7 * 3600
    await close_old(server.services.registry)
    assert await ids(stranger) == []


async def test_what_is_kept_is_bounded(server: AsgiServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "MAX_ENCODED", 3)
    monkeypatch.setattr(lobby, "MAX_PAGES", 2)
    tables = await opened(server, 8)
    stranger, kept = server.api_client(), server.services.registry.lobby
    for skip in range(8):
        assert await ids(stranger, f"?limit=1&skip={skip}") == [tables[skip]]
        assert len(kept._encoded) <= 3
        assert len(kept._pages) <= 2


async def test_a_change_while_the_list_is_made_is_not_lost(
    server: AsgiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    (table,) = await opened(server, 1)
    registry, stranger = server.services.registry, server.api_client()
    registry.drop_idle()
    read, guest = server.services.store.table, await server.guest("Guest")

    async def read_before(id: str) -> Any:
        row = await read(id)
        monkeypatch.setattr(server.services.store, "table", read)
        await guest.post(f"/api/tables/{id}/sit", {"seat": 1})
        return row

    monkeypatch.setattr(server.services.store, "table", read_before)
    await ids(stranger)
    listed = await stranger.get("/api/tables")
    assert listed[0]["id"] == table
    assert listed[0]["seats"][1]["player"]["name"] == "Guest"
