"""Reports reach the operator, who mutes, bans and closes tables; all is stored and logged."""

import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.asgi_server import ApiClient, AsgiServer, asgi_server, play, seated
from tests.server.guests import Guest
from tests.server.in_process_server import in_process_server
from zashiki.server.accounts.secret_key import operator_key
from zashiki.server.accounts.tokens import DAY_SECONDS
from zashiki.server.protocol import frames
from zashiki.server.tables import commands as on
from zashiki.server.tables.connection import Connection
from zashiki.server.tables.handler import handle

OWN = {"login": "aki", "password": "correct horse"}
HOUR = 3600
PROXY = "127.0.0.1"
"""The address of the clients in these tests: trusted as a proxy, so a header can name others."""


@pytest.fixture(name="house")
async def _house(tmp_path: Path) -> AsyncIterator[AsgiServer]:
    async with asgi_server(tmp_path, operators=frozenset({"okami"}), proxies=(PROXY,)) as made:
        yield made


async def operator_of(house: AsgiServer) -> ApiClient:
    """Register the operator on the machine of the server: elsewhere it would be refused."""
    okami = await house.guest("okami", PROXY)
    await okami.post("/api/register", {"login": "okami", "password": "correct horse"})
    return okami


async def guest_at(house: AsgiServer, address: str, name: str = "Ben") -> ApiClient:
    client = house.api_client(**{"X-Zashiki": "1", "X-Forwarded-For": address})
    client.id = (await client.post("/api/guest", {"name": name}, 201))["id"]
    return client


async def reported(house: AsgiServer) -> tuple[ApiClient, ApiClient, str, str]:
    """Aki, Ben whom Aki has reported for a line of chat, their table, and the report."""
    aki, ben = await house.guest("Aki"), await house.guest("Ben")
    table_id = await seated(house, "kingdoms", [aki, ben])
    table = await house.services.registry.find(table_id)
    for number in range(15):
        await handle(table, on.Say(aki.id, 0, f"line {number}"))
    await handle(table, on.Say(ben.id, 1, "you fool"))
    for number in range(15):
        await handle(table, on.Say(aki.id, 0, f"later {number}"))
    await aki.post(f"/api/tables/{table_id}/report", {"text": "rude", "line": 16}, 201)
    (row,) = await house.services.store.reports()
    return aki, ben, table_id, row.id


def act(kind: str, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "why": "said what nobody should", **more}


ACTS = "/api/operator/acts"

# Operators --------------------------------------------------------------------------------------


async def test_strangers_cannot_register_the_login_of_an_operator(house: AsgiServer) -> None:
    """Not before the operator did, and not after the operator deleted the account."""
    own = {"login": "Okami", "password": OWN["password"]}
    stranger = await guest_at(house, "203.0.113.5")
    assert await stranger.refused("/api/register", own, 409) == "login-taken"
    okami = await operator_of(house)
    assert (await okami.get("/api/operator"))["name"] == "okami"
    await okami.post("/api/delete", None)
    assert await stranger.refused("/api/register", own, 409) == "login-taken"
    await stranger.post("/api/register", {**own, "login": "ben"})


async def test_only_an_operator_reads_reports(house: AsgiServer) -> None:
    okami, other, guest = await operator_of(house), await house.account("aki"), await house.guest()
    assert (await okami.get("/api/operator"))["name"] == "okami"
    assert (await okami.get("/api/me"))["operator"] is True
    assert (await other.get("/api/me"))["operator"] is False
    for client in (other, guest, house.api_client()):
        for path in ("", "/reports", "/reports/x", "/acts", "/players/x"):
            assert await client.refused(f"/api/operator{path}", None, 403, "GET") == "operator"
        assert await client.refused(ACTS, act("mute", player=guest.id, hours=1), 403) == "operator"
    bot = await okami.post("/api/bot-tokens", {"name": "R2"}, 201)
    program = house.program(bot["token"])
    assert await program.refused("/api/operator/reports", None, 403, "GET") == "operator"


async def test_the_key_is_taken_on_this_machine_only(tmp_path: Path) -> None:
    key = bytes(range(32))
    async with asgi_server(tmp_path, key=key) as house:
        right = {"X-Zashiki": "1", "X-Zashiki-Operator": operator_key(key)}
        here = house.api_client(**right)
        assert await here.get("/api/operator") == {"name": "key", "account": None}
        guest = await house.guest("Ben")
        made = await here.post(ACTS, act("mute", player=guest.id, hours=1), 201)
        assert made["operator"] == "key"
        wrong = house.api_client(**{**right, "X-Zashiki-Operator": operator_key(bytes(32))})
        assert await wrong.refused("/api/operator", None, 403, "GET") == "operator-key"
        passed_on = house.api_client(**right, **{"X-Forwarded-For": "192.0.2.1"})
        assert await passed_on.refused("/api/operator", None, 403, "GET") == "not-here"
        rebound = house.api_client(**right, Host="evil.example")
        assert await rebound.refused("/api/operator", None, 403, "GET") == "not-here"


# Reports ----------------------------------------------------------------------------------------


async def test_a_report_comes_with_its_context(house: AsgiServer) -> None:
    okami = await operator_of(house)
    aki, ben, table_id, report = await reported(house)
    (listed,) = await okami.get("/api/operator/reports")
    assert (listed["id"], listed["by"]["id"], listed["about"]["id"]) == (report, aki.id, ben.id)
    case = await okami.get(f"/api/operator/reports/{report}")
    assert case["report"] == listed
    assert (listed["line"], listed["table"]) == (16, table_id)
    table = await house.services.registry.find(table_id)
    assert listed["match"] == table.row.match is not None
    assert (case["game"], case["state"]) == ("kingdoms", "playing")
    assert [line["n"] for line in case["lines"]] == list(range(6, 27))
    assert [line["text"] for line in case["lines"] if line["n"] == 16] == ["you fool"]
    assert case["standing"]["player"]["name"] == "Ben"
    assert case["others"] == case["acts"] == []
    assert await okami.refused("/api/operator/reports/x", None, 404, "GET") == "no-report"


async def test_a_report_without_a_line_shows_the_last_lines_before_it(house: AsgiServer) -> None:
    okami = await operator_of(house)
    aki, ben, table_id, first = await reported(house)
    house.system.at += 5
    asked = {"text": "again", "about": ben.id}
    await aki.post(f"/api/tables/{table_id}/report", asked, 201)
    house.system.at += 5
    table = await house.services.registry.find(table_id)
    await handle(table, on.Say(aki.id, 0, "after it"))
    newest, older = await okami.get("/api/operator/reports")
    assert older["id"] == first
    case = await okami.get(f"/api/operator/reports/{newest['id']}")
    assert [line["n"] for line in case["lines"]] == list(range(2, 32))
    assert [other["id"] for other in case["others"]] == [first]


async def test_a_report_that_is_done_leaves_the_list(house: AsgiServer) -> None:
    okami = await operator_of(house)
    *_, report = await reported(house)
    await okami.post(ACTS, act("done", report=report), 201)
    assert await okami.get("/api/operator/reports") == []
    (done,) = await okami.get("/api/operator/reports?which=done")
    assert (done["id"], done["done"]) == (report, house.system.at)
    assert len(await okami.get("/api/operator/reports?which=all")) == 1
    case = await okami.get(f"/api/operator/reports/{report}")
    assert [(one["kind"], one["operator"]) for one in case["acts"]] == [("done", "okami")]


# Acts -------------------------------------------------------------------------------------------


async def test_every_act_is_kept_and_logged(
    house: AsgiServer, caplog: pytest.LogCaptureFixture
) -> None:
    okami = await operator_of(house)
    _, ben, table_id, report = await reported(house)
    with caplog.at_level(logging.WARNING, "zashiki"):
        for kind, more in (
            ("mute", {"player": ben.id, "hours": 24, "report": report}),
            ("close", {"table": table_id}),
            ("unmute", {"player": ben.id}),
        ):
            await okami.post(ACTS, act(kind, **more), 201)
            house.system.at += 1
    logged = [record for record in caplog.records if record.msg == "operator"]
    me = (await okami.get("/api/me"))["id"]
    assert [(one.kind, one.operator) for one in logged] == [  # type: ignore[attr-defined]
        ("mute", me), ("close", me), ("unmute", me),
    ]  # fmt: skip
    assert not any("nobody should" in str(vars(one)) for one in logged)  # reasons are not logged
    newest, middle, oldest = await okami.get(ACTS)
    assert [one["kind"] for one in (newest, middle, oldest)] == ["unmute", "close", "mute"]
    assert (oldest["player"]["id"], oldest["report"], oldest["operator"]) == (
        ben.id, report, "okami",
    )  # fmt: skip
    assert oldest["why"] == "said what nobody should"
    assert oldest["until"] == oldest["at"] + 24 * HOUR


@pytest.mark.parametrize(
    ("wanted", "status"),
    [
        ({"kind": "mute", "why": "x", "player": "nobody", "hours": 1}, 404),
        ({"kind": "mute", "why": "x", "hours": 1}, 404),
        ({"kind": "ban", "why": "x", "player": "bot:master", "hours": 1}, 404),
        ({"kind": "close", "why": "x", "table": "nowhere"}, 404),
        ({"kind": "done", "why": "x", "report": "none"}, 404),
        ({"kind": "expel", "why": "x"}, 400),
    ],
)
async def test_an_act_that_makes_no_sense_is_refused(
    house: AsgiServer, wanted: dict[str, Any], status: int
) -> None:
    okami = await operator_of(house)
    await okami.refused(ACTS, wanted, status)
    assert await okami.get(ACTS) == []


async def test_an_act_needs_a_reason_and_a_ban_an_end(house: AsgiServer) -> None:
    okami, ben = await operator_of(house), await house.guest("Ben")
    for wrong in ({"why": ""}, {"why": "x" * 501}, {"hours": None}, {"hours": 0}, {"hours": 1e9}):
        wanted = {**act("ban", player=ben.id, hours=1), **wrong}
        assert await okami.refused(ACTS, wanted, 422) == "malformed"
    assert (await ben.get("/api/me"))["id"] == ben.id


# Muting -----------------------------------------------------------------------------------------


async def test_a_muted_person_is_told_so_and_until_when(tmp_path: Path) -> None:
    async with in_process_server(tmp_path, operators=frozenset({"okami"})) as running:
        ben, okami = await Guest(running, "Ben").come(), await Guest(running, "Okami").come()
        del okami.client.headers["X-Forwarded-For"]  # at the machine of the server
        await okami.post("/api/register", {"login": "okami", "password": "correct horse"})
        wanted = {"game": "kamiza-second", "seats": 3}
        table = (await ben.post("/api/tables", wanted))["table"]["id"]
        async with ben.socket(table) as talk:
            assert (await talk.answered("1", do="say", text="hello"))["ok"]
            made = await okami.post(ACTS, act("mute", player=ben.id, hours=2))
            refused = await talk.answered("2", do="say", text="you fool")
            assert refused["fault"]["code"] == "muted"
            assert refused["fault"]["details"] == {"until": made["until"]}
        assert (await ben.get("/api/me"))["muted_until"] == made["until"]
        async with ben.socket(table) as talk:  # a new connection is muted as well
            refused = await talk.answered("3", do="say", text="you fool")
            assert refused["fault"]["code"] == "muted"
            said = await talk.answered("4", do="play", decision=1, action="x", says="you fool")
            assert said["fault"]["code"] == "muted"
            await okami.post(ACTS, act("unmute", player=ben.id))
            assert (await talk.answered("5", do="say", text="sorry"))["ok"]
        await ben.client.aclose()
        await okami.client.aclose()


async def test_a_muted_person_does_not_talk_through_a_bot(house: AsgiServer) -> None:
    okami, aki = await operator_of(house), await house.account("aki")
    bot = house.program((await aki.post("/api/bot-tokens", {"name": "R2"}, 201))["token"])
    id = (await bot.get("/api/me"))["id"]
    wanted = {"game": "kamiza-second", "seats": 3}
    table_id = (await aki.post("/api/tables", wanted, 201))["table"]["id"]
    table = await house.services.registry.find(table_id)

    async def arrived() -> Connection:
        line = Connection(id, None)
        await handle(table, on.Arrive(line, frames.Hello()))
        return line

    before = await arrived()
    until = (await okami.post(ACTS, act("mute", player=aki.id, hours=2), 201))["until"]
    assert [before.silenced_until, (await arrived()).silenced_until] == [until, until]
    longer = (await okami.post(ACTS, act("mute", player=id, hours=3), 201))["until"]
    await okami.post(ACTS, act("unmute", player=aki.id), 201)
    assert [before.silenced_until, (await arrived()).silenced_until] == [longer, longer]
    await okami.post(ACTS, act("unmute", player=id), 201)
    assert [before.silenced_until, (await arrived()).silenced_until] == [None, None]


# Bans -------------------------------------------------------------------------------------------


async def test_a_banned_account_is_shut_out_until_the_end(house: AsgiServer) -> None:
    okami, aki = await operator_of(house), await house.account("aki")
    bot = house.program((await aki.post("/api/bot-tokens", {"name": "R2"}, 201))["token"])
    wanted = {"game": "kamiza-second", "seats": 3}
    table_id = (await aki.post("/api/tables", wanted, 201))["table"]["id"]
    table = await house.services.registry.find(table_id)
    line = Connection(aki.id, None)
    await handle(table, on.Arrive(line, frames.Hello()))
    made = await okami.post(ACTS, act("ban", player=aki.id, hours=24), 201)
    assert not line.is_open
    assert b'"code":"banned"' in line.waiting[-1]
    table.leave(line)
    for client in (aki, bot):
        assert await client.refused("/api/me", None, 403, "GET") == "banned"
    answer = await aki.client.get("/api/session")
    assert answer.json()["details"] == {"until": made["until"]}
    assert await house.api_client().refused("/api/sign-in", OWN, 403) == "banned"
    house.system.at += 24 * HOUR + 1
    assert (await aki.get("/api/me"))["login"] == "aki"  # the session was not lost


async def test_a_ban_can_be_lifted(house: AsgiServer) -> None:
    okami, ben = await operator_of(house), await house.guest("Ben")
    await okami.post(ACTS, act("ban", player=ben.id, hours=24), 201)
    assert await ben.refused("/api/me", None, 403, "GET") == "banned"
    await okami.post(ACTS, act("unban", player=ben.id), 201)
    assert (await ben.get("/api/me"))["id"] == ben.id


async def test_guests_from_a_banned_address_are_refused(house: AsgiServer) -> None:
    okami = await operator_of(house)
    ben = await guest_at(house, "203.0.113.5")
    twin = await guest_at(house, "203.0.113.5", "Twin")
    other = await guest_at(house, "203.0.113.6", "Other")
    member = await guest_at(house, "203.0.113.5", "Member")
    await member.post("/api/register", OWN)
    table_id = (await twin.post("/api/tables", {"game": "kingdoms", "seats": 2}, 201))["table"][
        "id"
    ]
    table = await house.services.registry.find(table_id)
    line = Connection(twin.id, None)
    await handle(table, on.Arrive(line, frames.Hello()))
    await okami.post(ACTS, act("ban-address", player=ben.id, hours=24), 201)
    assert not line.is_open
    table.leave(line)
    for client in (ben, twin):
        assert await client.refused("/api/me", None, 403, "GET") == "banned"
    fresh = house.api_client(**{"X-Zashiki": "1", "X-Forwarded-For": "203.0.113.5"})
    assert await fresh.refused("/api/guest", {"name": "Again"}, 403) == "banned"
    assert (await other.get("/api/me"))["id"] == other.id
    assert (await member.get("/api/me"))["login"] == "aki"  # accounts are banned by themselves
    house.system.at += 24 * HOUR + 1
    await fresh.post("/api/guest", {"name": "Again"}, 201)


async def test_the_ban_of_an_address_can_be_lifted(house: AsgiServer) -> None:
    okami, ben = await operator_of(house), await guest_at(house, "203.0.113.5")
    await okami.post(ACTS, act("ban-address", player=ben.id, hours=24), 201)
    standing = await okami.get(f"/api/operator/players/{ben.id}")
    assert standing["address_banned_until"] == house.system.at + 24 * HOUR
    await okami.post(ACTS, act("unban-address", player=ben.id), 201)
    assert (await ben.get("/api/me"))["id"] == ben.id


async def test_addresses_are_kept_as_hashes_and_for_thirty_days(house: AsgiServer) -> None:
    okami, ben = await operator_of(house), await guest_at(house, "203.0.113.5")
    store, accounts = house.services.store, house.services.accounts
    row = await store.player(ben.id)
    assert row is not None
    assert row.address is not None
    assert "203" not in row.address
    assert row.address == accounts.address_hash("203.0.113.5")
    local = await house.guest("Local", PROXY)  # from this machine itself
    here = await store.player(local.id)
    assert here is not None
    assert here.address is None
    wanted = act("ban-address", player=local.id, hours=1)
    assert await okami.refused(ACTS, wanted, 409) == "no-address"
    house.system.at += 30 * DAY_SECONDS + 1
    await accounts.forget_addresses()
    row = await store.player(ben.id)
    assert row is not None
    assert (row.address, row.address_at) == (None, None)


async def test_a_player_who_is_deleted_leaves_no_address(house: AsgiServer) -> None:
    ben = await guest_at(house, "203.0.113.5")
    await ben.post("/api/delete")
    row = await house.services.store.player(ben.id)
    assert row is not None
    assert (row.address, row.recovery) == (None, None)


# Closing a table --------------------------------------------------------------------------------


async def test_a_closed_table_plays_and_talks_no_more(house: AsgiServer) -> None:
    okami = await operator_of(house)
    aki, ben, table_id, _ = await reported(house)
    await play(house, table_id, 3)
    await okami.post(ACTS, act("close", table=table_id), 201)
    assert (await aki.get(f"/api/tables/{table_id}"))["state"] == "closed"
    assert await aki.get("/api/my-tables") == []
    table = await house.services.registry.find(table_id)
    assert not table.is_playing()
    assert table.bot_seats() == {}
    assert table.seconds_until_due() is None
    with pytest.raises(Exception, match="closed"):
        await handle(table, on.Say(ben.id, 1, "still here"))
    with pytest.raises(Exception, match="no match is being played"):
        await play(house, table_id, 1)
    house.system.at += 3600
    house.services.registry.drop_idle()
    again = await house.services.registry.find(table_id)  # also when it is read again
    assert not again.is_playing()
    assert again.seconds_until_due() is None


async def test_a_table_that_has_not_started_is_closed(house: AsgiServer) -> None:
    okami, aki = await operator_of(house), await house.guest("Aki")
    table_id = (await aki.post("/api/tables", {"game": "kingdoms", "seats": 2}, 201))["table"]["id"]
    await okami.post(ACTS, act("close", table=table_id), 201)
    assert (await aki.get(f"/api/tables/{table_id}"))["state"] == "closed"
    assert await aki.refused(f"/api/tables/{table_id}/sit", {"seat": 1}, 409) == "table-started"
