"""People who have played together invite each other: who may, who is told, and for how long."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.server.guests import Guest, agree
from tests.server.in_process_server import in_process_server
from tests.server.test_calls import friends
from tests.server.waits import TIMEOUT
from zashiki.games.kingdoms.card_set import built_in
from zashiki.server.tables import invitations


async def play_together(*people: Guest) -> None:
    """Start a match: it counts from its deal on."""
    table = await opened(people[0], len(people), "open")
    for seat, one in enumerate(people[1:], 1):
        await one.post(f"/api/tables/{table}/sit", {"seat": seat})
    async with people[0].socket(table) as first, people[1].socket(table) as second:
        for talk in (first, second):
            await talk.until("welcome")
        await people[0].post(f"/api/tables/{table}/start")
        await agree([first, second])
        await first.until("told")


async def opened(host: Guest, seats: int = 2, kind: str = "link") -> str:
    asked = {"game": "kingdoms", "seats": seats, "chairs": [{"kind": kind}] * seats}
    table: str = (await host.post("/api/tables", {**asked, "public": False}))["table"]["id"]
    return table


async def refused(guest: Guest, path: str, data: Any = None) -> str:
    answer = await guest.client.post(path, json=data)
    assert answer.status_code >= 400, answer.text
    code: str = answer.json()["code"]
    return code


async def test_a_companion_is_invited_and_comes_by_one_press(tmp_path: Path) -> None:
    async with (
        in_process_server(tmp_path) as server,
        friends(server, "Aki", "Ben", "Chie") as (aki, ben, chie),
        asyncio.timeout(TIMEOUT),
    ):
        assert await aki.get("/api/companions") == []
        await play_together(aki, ben)
        assert [one["name"] for one in await aki.get("/api/companions")] == ["Ben"]
        table = await opened(aki)
        path = f"/api/tables/{table}/invite"
        assert await refused(aki, path, {"player": chie.id}) == "no-companion"
        assert await refused(ben, path, {"player": aki.id}) == "not-seated"
        await aki.post(path, {"player": ben.id})
        await aki.post(path, {"player": ben.id})
        (found,) = await ben.get("/api/my-invitations")
        assert (found["table"], found["game"], found["name"]) == (table, "kingdoms", "Aki")
        assert await chie.get("/api/my-invitations") == []
        server.services.registry.drop_idle()
        assert len(await ben.get("/api/my-invitations")) == 1, "from its row"
        await ben.post(f"/api/tables/{table}/sit", {"seat": 1, "key": found["key"]})
        assert await ben.get("/api/my-invitations") == []


async def test_only_those_who_have_the_link_pass_it_on(tmp_path: Path) -> None:
    """At a public table strangers take the free seats. The others are reserved by the link."""
    async with (
        in_process_server(tmp_path) as server,
        friends(server, "Aki", "Ben", "Chie") as (aki, ben, chie),
        asyncio.timeout(TIMEOUT),
    ):
        await play_together(ben, chie)
        chairs = [{"kind": "link"}, {"kind": "open"}, {"kind": "link"}]
        asked = {"game": "red-town", "seats": 3, "chairs": chairs, "public": True}
        made = await aki.post("/api/tables", asked)
        table = made["table"]["id"]
        await ben.post(f"/api/tables/{table}/sit", {"seat": 1})
        await ben.post(f"/api/tables/{table}/invite", {"player": chie.id})
        (found,) = await chie.get("/api/my-invitations")
        assert (found["table"], found["key"]) == (table, "")
        sitting = {"seat": 2, "key": found["key"]}
        assert await refused(chie, f"/api/tables/{table}/sit", sitting) == "link-needed"
        await ben.post(f"/api/tables/{table}/sit", {"seat": 2, "key": made["key"]})
        (found,) = await chie.get("/api/my-invitations")
        assert found["key"] == made["key"], "who sits there has the link"


async def test_who_declines_is_not_asked_again_and_who_muted_is_not_told(tmp_path: Path) -> None:
    async with (
        in_process_server(tmp_path) as server,
        friends(server, "Aki", "Ben") as (aki, ben),
        asyncio.timeout(TIMEOUT),
    ):
        await play_together(aki, ben)
        table = await opened(aki)
        path = f"/api/tables/{table}/invite"
        await aki.post(path, {"player": ben.id})
        await ben.post(f"/api/tables/{table}/decline")
        assert await ben.get("/api/my-invitations") == []
        assert await refused(aki, path, {"player": ben.id}) == "declined"
        await ben.post("/api/mute", {"player": aki.id, "muted": True})
        other = await opened(aki)
        await aki.post(f"/api/tables/{other}/invite", {"player": ben.id})
        assert await ben.get("/api/my-invitations") == []
        await ben.post("/api/mute", {"player": aki.id, "muted": False})
        await aki.post(f"/api/tables/{other}/invite", {"player": ben.id})
        assert len(await ben.get("/api/my-invitations")) == 1
        await aki.post(f"/api/tables/{other}/close")
        assert await ben.get("/api/my-invitations") == []


async def test_the_answer_does_not_tell_who_has_muted_the_inviter(tmp_path: Path) -> None:
    async with (
        in_process_server(tmp_path) as server,
        friends(server, "Aki", "Ben", "Chie") as (aki, ben, chie),
        asyncio.timeout(TIMEOUT),
    ):
        await play_together(aki, ben)
        await play_together(aki, chie)
        await ben.post("/api/mute", {"player": aki.id, "muted": True})
        own_cards = {**built_in("balanced"), "name": "mine"}  # not rated, which its players see
        asked = {"game": "kingdoms", "seats": 2, "options": {"card_set": own_cards}}
        table = (await aki.post("/api/tables", asked))["table"]["id"]
        path = f"/api/tables/{table}/invite"
        answers = [await aki.post(path, {"player": one.id}) for one in (ben, chie)]
        assert answers[0] == answers[1]


async def test_invitations_are_bounded_and_outlast_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invitations, "MAX_INVITED", 1)
    async with (
        in_process_server(tmp_path) as server,
        friends(server, "Aki", "Ben", "Chie") as (aki, ben, chie),
        asyncio.timeout(TIMEOUT),
    ):
        await play_together(aki, ben)
        await play_together(aki, chie)
        table = await opened(aki)
        await aki.post(f"/api/tables/{table}/invite", {"player": ben.id})
        path = f"/api/tables/{table}/invite"
        assert await refused(aki, path, {"player": chie.id}) == "too-many-invited"
        session, id = ben.session, ben.id
    async with in_process_server(tmp_path) as again:
        assert again.services.registry.quotas.invited(id) == [table]
        assert session
