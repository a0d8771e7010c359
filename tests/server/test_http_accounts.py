"""Guests, accounts and bots over HTTP; a muted player is not heard."""

from typing import Any
from unittest.mock import patch

from tests.server.asgi_server import AsgiServer, play, seated
from zashiki.server.accounts.tokens import COOKIE, DAY_SECONDS
from zashiki.server.protocol import frames
from zashiki.server.store.rows import ChatRow
from zashiki.server.tables import commands as on
from zashiki.server.tables.connection import Connection
from zashiki.server.tables.handler import handle
from zashiki.server.tables.state import CHAT_LINES

GOOD = {"login": "aki", "password": "correct horse"}


async def test_a_guest_becomes_an_account_and_comes_back(server: AsgiServer) -> None:
    aki = await server.guest("Aki")
    me = await aki.post("/api/register", GOOD)
    assert len(me.pop("codes")) == me["codes_left"] == 8
    assert me == {
        "id": aki.id, "name": "Aki", "kind": "account", "login": "aki", "token": None,
        "codes_left": 8, "muted_until": None, "operator": False,
    }  # fmt: skip
    assert await aki.refused("/api/register", GOOD, 409) == "not-a-guest"
    again = server.api_client()
    assert await again.refused("/api/me", None, 401, "GET") == "no-session"
    assert await again.refused("/api/sign-in", {**GOOD, "password": "no"}, 401) == "sign-in"
    assert (await again.post("/api/sign-in", GOOD))["id"] == aki.id
    assert (await again.get("/api/me"))["login"] == "aki"
    ben = await server.guest("Ben")
    assert await ben.refused("/api/register", GOOD, 409) == "login-taken"


async def test_a_page_asks_who_it_is_for(server: AsgiServer) -> None:
    """Without a session this is not an error, unlike everywhere else."""
    stranger = server.api_client()
    assert await stranger.get("/api/session") == {"player": None}
    assert not stranger.client.cookies
    aki = await server.guest("Aki")
    assert await aki.get("/api/session") == {"player": await aki.get("/api/me")}
    forged = server.program("not a token")
    assert await forged.get("/api/session") == {"player": None}
    account = await server.account("ben")
    assert (await account.get("/api/session"))["player"]["login"] == "ben"
    await aki.post("/api/delete")
    assert await aki.get("/api/session") == {"player": None}


async def test_where_one_sits(server: AsgiServer) -> None:
    aki, ben = await server.guest("Aki"), await server.guest("Ben")
    path = "/api/my-tables"
    assert await server.api_client().refused(path, None, 401, "GET") == "no-session"
    assert await aki.get(path) == []
    hidden = {"game": "kingdoms", "seats": 2, "public": False}
    first = (await aki.post("/api/tables", hidden, 201))["table"]["id"]
    second = await seated(server, "kingdoms", [ben, aki])
    mine = {table["id"]: table for table in await aki.get(path)}
    assert {id: table["state"] for id, table in mine.items()} == {
        first: "open", second: "playing",
    }  # fmt: skip
    whole = await aki.get(f"/api/tables/{second}")
    assert mine[second]["to_act"] == [0], "who is to act"
    other: dict[str, Any] = {"options": None, "to_act": []}
    assert mine[second] | other == whole | other
    assert [table["id"] for table in await ben.get(path)] == [second], "no hidden one"
    server.services.registry.drop_idle()
    assert {table["id"] for table in await aki.get(path)} == {first, second}
    await aki.post(f"/api/tables/{first}/stand")
    assert [table["id"] for table in await aki.get(path)] == [second], "a host need not sit"
    await play(server, second)
    assert await aki.get(path) == await ben.get(path) == []


async def test_to_sign_out_is_to_sign_out_everywhere(server: AsgiServer) -> None:
    aki = await server.account("aki")
    again = server.api_client()
    await again.post("/api/sign-in", GOOD)
    wanted = {"game": "kamiza-second", "seats": 3}
    table_id = (await aki.post("/api/tables", wanted, 201))["table"]["id"]
    table, line = await server.services.registry.find(table_id), Connection(aki.id, 0)
    await handle(table, on.Arrive(line, frames.Hello()))
    await aki.post("/api/sign-out")
    assert not line.is_open
    table.leave(line)
    assert COOKIE not in aki.client.cookies
    assert await again.refused("/api/me", None, 401, "GET") == "no-session"
    assert (await again.post("/api/sign-in", GOOD))["id"] == aki.id


async def test_who_is_deleted_is_a_dash(server: AsgiServer) -> None:
    aki = await server.account("aki")
    assert (await aki.post("/api/rename", {"name": "Akiko"}))["name"] == "Akiko"
    assert await aki.refused("/api/rename", {"name": "\u202e"}, 400) == "bad-name"
    await aki.post("/api/delete")
    assert await aki.refused("/api/me", None, 401, "GET") == "no-session"
    assert await aki.refused("/api/sign-in", GOOD, 401) == "sign-in"
    row = await server.services.store.player(aki.id)
    assert row is not None
    assert (row.name, row.login, row.password) == ("—", None, None)


async def test_who_is_deleted_gets_up_and_is_named_at_no_table(server: AsgiServer) -> None:
    people = [await server.guest(name) for name in ("Aki", "Benjamin", "Chie")]
    aki, ben = people[:2]
    wanted = {"game": "kamiza-second", "seats": 3}
    tables = [
        (await aki.post("/api/tables", wanted, 201))["table"]["id"],
        *[await seated(server, "kamiza-second", people) for _ in range(2)],
    ]
    await ben.post(f"/api/tables/{tables[0]}/sit", {"seat": 1})
    table = await server.services.registry.find(tables[1])
    line = Connection(ben.id, None)
    await handle(table, on.Arrive(line, frames.Hello()))
    await handle(table, on.Say(ben.id, None, "hello"))
    del server.services.registry.tables[tables[2]]  # as if nobody had been there for long
    await ben.post("/api/delete")
    assert not line.is_open
    table.leave(line)
    assert "Benjamin" not in str(table.chat_lines)
    seen = [await aki.get(f"/api/tables/{table_id}") for table_id in tables]
    assert "Benjamin" not in str(seen)
    assert [one["seats"][1]["kind"] for one in seen] == ["open", "player", "player"]


async def test_a_session_is_renewed(server: AsgiServer) -> None:
    aki = await server.guest()
    first = aki.client.cookies[COOKIE]
    await aki.get("/api/me")
    assert aki.client.cookies[COOKIE] == first
    server.system.at += 8 * DAY_SECONDS
    assert (await aki.get("/api/me"))["token"] is None
    assert aki.client.cookies[COOKIE] != first
    program = server.program(first)
    told = (await program.get("/api/me"))["token"]
    assert told == aki.client.cookies[COOKIE]
    assert not program.client.cookies


async def test_a_bot_of_ones_own_sits_down_with_its_token(server: AsgiServer) -> None:
    aki, ben = await server.account("aki"), await server.guest("Ben")
    assert await ben.refused("/api/bot-tokens", {"name": "R2"}, 403) == "accounts-only"
    made = await aki.post("/api/bot-tokens", {"name": "R2"}, 201)
    assert (made["player"]["name"], made["player"]["kind"]) == ("R2", "bot")
    bot = server.program(made["token"])
    assert (await bot.get("/api/me"))["id"] == made["player"]["id"]
    wanted = {"game": "kamiza-second", "seats": 3}
    table = (await aki.post("/api/tables", wanted, 201))["table"]["id"]
    seats = (await bot.post(f"/api/tables/{table}/sit", {"seat": 1}))["seats"]
    assert [seat["player"]["kind"] for seat in seats[:2]] == ["account", "bot"]
    assert await bot.refused("/api/bot-tokens", {"name": "R3"}, 403) == "scope"
    assert await bot.refused("/api/register", {**GOOD, "login": "r2d2"}, 403) == "scope"


async def test_bots_are_made_rarely(server: AsgiServer) -> None:
    aki = await server.account("aki")
    for number in range(20):
        await aki.post("/api/bot-tokens", {"name": f"R{number}"}, 201)
    assert await aki.refused("/api/bot-tokens", {"name": "R20"}, 429) == "too-many"


async def test_a_token_speaks_for_itself_and_a_cookie_needs_the_header(server: AsgiServer) -> None:
    aki = await server.guest()
    token = aki.client.cookies[COOKIE]
    page = server.api_client(Cookie=f"{COOKIE}={token}")
    assert await page.refused("/api/rename", {"name": "Bad"}, 403) == "header"
    forged = server.api_client(Cookie=f"{COOKIE}={token}", Authorization="Bearer x")
    assert await forged.refused("/api/rename", {"name": "Bad"}, 401) == "no-session"
    foreign = server.api_client(Authorization=f"Bearer {token}", Origin="https://elsewhere.example")
    assert await foreign.refused("/api/rename", {"name": "Bad"}, 403) == "origin"
    assert (await server.program(token).post("/api/rename", {"name": "Good"}))["name"] == "Good"


def heard(line: Connection) -> list[bytes]:
    return [frame for frame in line.waiting if b'"is":"chatted"' in frame]


async def test_who_is_muted_is_not_heard(server: AsgiServer) -> None:
    aki, ben = await server.guest("Aki"), await server.guest("Ben")
    assert await aki.refused("/api/mute", {"player": "nobody"}, 404) == "no-player"
    await aki.post("/api/mute", {"player": ben.id})
    assert await aki.get("/api/muted") == [ben.id]
    wanted = {"game": "kamiza-second", "seats": 3}
    table_id = (await aki.post("/api/tables", wanted, 201))["table"]["id"]
    table = await server.services.registry.find(table_id)
    lines = {api_client.id: Connection(api_client.id, None) for api_client in (aki, ben)}
    for line in lines.values():
        await handle(table, on.Arrive(line, frames.Hello()))
    await handle(table, on.Say(ben.id, None, "first"))
    await handle(table, on.Say(aki.id, None, "second"))
    await aki.post("/api/mute", {"player": ben.id, "muted": False})
    await handle(table, on.Say(ben.id, None, "third"))
    assert [b"first" in one for one in heard(lines[ben.id])] == [True, False, False]
    assert [b"third" in one for one in heard(lines[aki.id])] == [False, True]
    for line in lines.values():
        table.leave(line)


async def test_the_last_lines_of_a_long_talk_are_read_at_once(server: AsgiServer) -> None:
    aki, ben = await server.guest("Aki"), await server.guest("Ben")
    store, registry = server.services.store, server.services.registry
    wanted = {"game": "kamiza-second", "seats": 3}
    table_id = (await aki.post("/api/tables", wanted, 201))["table"]["id"]
    for n in range(1, 3 * CHAT_LINES):
        await store.add_chat(ChatRow(table_id, n, (aki, ben)[n % 2].id, None, f"{n}", 5.0))
    assert registry.drop_idle() == 1
    with patch.object(store, "names", wraps=store.names) as names:
        table = await registry.find(table_id)
        assert names.call_count == 1
    shown = [(said.n, said.name) for said in table.chat_lines]
    assert shown == [(n, ("Aki", "Ben")[n % 2]) for n in range(2 * CHAT_LINES, 3 * CHAT_LINES)]
    line = Connection(aki.id, None)
    await handle(table, on.Arrive(line, frames.Hello()))
    await handle(table, on.Say(ben.id, None, "next"))
    assert (table.chat_number, table.chat_lines[-1].name) == (3 * CHAT_LINES, "Ben")
    table.leave(line)


async def test_a_report_is_kept(server: AsgiServer) -> None:
    aki, ben = await server.guest("Aki"), await server.guest("Ben")
    wanted = {"game": "kamiza-second", "seats": 3}
    table = (await aki.post("/api/tables", wanted, 201))["table"]["id"]
    path = f"/api/tables/{table}/report"
    await aki.post(path, {"about": ben.id, "text": "<b>rude</b>"}, 201)
    assert await aki.refused(path, {"text": ""}, 422) == "malformed"
    assert await aki.refused(path, {"text": "x" * 1001}, 422) == "malformed"
    assert await aki.refused(path, {"about": "x", "text": "who?"}, 404) == "no-player"
    lost = "/api/tables/nowhere/report"
    assert await aki.refused(lost, {"text": "where?"}, 404) == "no-table"
    (kept,) = await server.services.store.reports()
    assert (kept.by, kept.about, kept.text) == (aki.id, ben.id, "<b>rude</b>")


async def test_who_reports_too_often_is_told_so_before_anything_is_read(server: AsgiServer) -> None:
    aki = await server.guest("Aki")
    lost = "/api/tables/nowhere/report"
    for _ in range(20):
        assert await aki.refused(lost, {"text": "where?"}, 404) == "no-table"
    with patch.object(server.services.registry, "find", side_effect=AssertionError):
        assert await aki.refused(lost, {"text": "where?"}, 429) == "too-many"


async def test_a_line_of_chat_is_reported_as_it_was_said(server: AsgiServer) -> None:
    """While the table waits or plays, by any reader; with or without a comment."""
    aki, ben = await server.guest("Aki"), await server.guest("Ben")
    wanted = {"game": "kamiza-second", "seats": 3}
    table_id = (await aki.post("/api/tables", wanted, 201))["table"]["id"]
    table = await server.services.registry.find(table_id)
    await handle(table, on.Say(aki.id, 0, "hello"))
    await handle(table, on.Say(ben.id, None, "<b>bad</b> | words"))
    path = f"/api/tables/{table_id}/report"
    await aki.post(path, {"line": 2, "text": ""}, 201)
    await aki.post(path, {"line": 2, "about": ben.id, "text": "that is rude"}, 201)
    assert await aki.refused(path, {"line": 2, "about": aki.id, "text": "?"}, 422)
    for line in (-(2**70), -1, 0, 3, 2**40, 2**63, 2**70):
        assert await aki.refused(path, {"line": line, "text": "?"}, 422) == "malformed"
    assert await aki.refused(path, {"line": 2, "text": " "}, 422) == "malformed"
    kept = [one for one in await server.services.store.reports() if one.about == ben.id]
    assert {(one.by, one.table) for one in kept} == {(aki.id, table_id)}
    said = "Chat 2: <b>bad</b> | words"
    assert {one.text for one in kept} == {said, f"{said} | that is rude"}
