"""Malicious requests, and their clear refusals."""

import asyncio
import base64
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, ConnectionClosedOK, InvalidStatus

from tests.server.guests import Guest, Talk
from tests.server.in_process_server import FixedSystem, InProcessServer, in_process_server
from tests.server.stores import is_postgres
from tests.server.waits import TIMEOUT, connect
from zashiki.server.accounts.tokens import COOKIE, DAY_SECONDS, LIFETIME_SECONDS, Sessions
from zashiki.server.realtime.http_connection import HttpConnection

EVIL = "https://evil.example"
SCRIPT = "<script>x</script>"
GAME = {"game": "kingdoms", "seats": 2}


def refused(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """Check that a refusal has a code and a sentence, and is declared as JSON."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    fault: dict[str, Any] = answer.json()
    assert fault["code"] == code
    assert fault["text"]
    return fault


async def shut(*guests: Guest) -> None:
    for guest in guests:
        await guest.client.aclose()


def socket_url(server: InProcessServer, table: str, ticket: str | None = None) -> str:
    asked = "" if ticket is None else f"?ticket={ticket}"
    return f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket{asked}"


async def no_entry(url: str, **how: Any) -> None:
    """Check that a socket is refused before it is accepted."""
    with pytest.raises(InvalidStatus) as refusal:
        async with connect(url, **how):
            pass
    assert refusal.value.response.status_code in {401, 403, 404}


async def two_at_a_table(server: InProcessServer, **more: Any) -> tuple[str, Guest, Guest]:
    host, other = await Guest(server, "Host").come(), await Guest(server, "Other").come()
    table: str = (await host.post("/api/tables", {**GAME, **more}))["table"]["id"]
    await other.post(f"/api/tables/{table}/sit", {"seat": 1})
    return table, host, other


async def dealt(table: str, host: Guest, *guests: Guest) -> None:
    await host.post(f"/api/tables/{table}/start")
    for guest in (host, *guests):
        async with guest.socket(table) as talk:
            assert (await talk.answered("r", do="ready"))["ok"]


async def test_a_page_of_another_origin_is_refused(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        table, host, other = await two_at_a_table(server)
        path = f"/api/tables/{table}/start"
        for origin in (EVIL, "null", "", f"{server.url}.evil.example", "file://"):
            refused(await host.client.post(path, headers={"Origin": origin}), 403, "origin")
        refused(await host.client.post(path, headers={"X-Zashiki": "0"}), 403, "header")
        form = {"Content-Type": "text/plain", "Origin": EVIL, "X-Zashiki": ""}
        refused(await host.client.post("/api/guest", content=b"{}", headers=form), 403, "header")
        answer = await host.client.get("/api/me", headers={"Origin": EVIL})
        assert not [name for name in answer.headers if name.startswith("access-control")]
        asked = {"Origin": EVIL, "Access-Control-Request-Method": "POST"}
        answer = await host.client.options("/api/tables", headers=asked)
        assert not [name for name in answer.headers if name.startswith("access-control")]
        assert (await host.get(f"/api/tables/{table}"))["state"] == "open"
        for origin in (EVIL, "null"):
            ticket = (await host.post(f"/api/tables/{table}/ticket"))["ticket"]
            for url in (socket_url(server, table, ticket), socket_url(server, table)):
                await no_entry(url, additional_headers={"Origin": origin, **host.session})
        await shut(host, other)


async def test_a_ticket_opens_one_socket_of_one_table_soon(tmp_path: Path) -> None:
    system = FixedSystem()
    async with in_process_server(tmp_path, system) as server, asyncio.timeout(TIMEOUT):
        table, host, other = await two_at_a_table(server)
        elsewhere = (await other.post("/api/tables", GAME))["table"]["id"]

        async def ticket() -> str:
            written: str = (await host.post(f"/api/tables/{table}/ticket"))["ticket"]
            return written

        await no_entry(socket_url(server, elsewhere, await ticket()))
        used = await ticket()
        async with connect(socket_url(server, table, used)):
            await no_entry(socket_url(server, table, used))
        await no_entry(socket_url(server, table, used))
        late = await ticket()
        system.time += 31
        if not is_postgres():  # its clock stays as it is
            await no_entry(socket_url(server, table, late))
        for invented in ("", "x", late[:-1], "0" * 43, "%00", "é" * 43):
            await no_entry(socket_url(server, table, invented))
        await no_entry(socket_url(server, "nowhere", await ticket()))
        await shut(host, other)


async def test_a_session_opens_a_socket_and_who_is_turned_away_is_told_why(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        table, host, other = await two_at_a_table(server, watch="off")
        third = await Guest(server, "Third").come()
        token = host.session["Cookie"].partition("=")[2]
        for headers in (host.session, {"Authorization": f"Bearer {token}"}):
            async with connect(socket_url(server, table), additional_headers=headers) as opened:
                talk = Talk(opened)
                await talk.send(do="hello")
                assert (await talk.until("welcome"))["seat"] == 0
        turned_away = [
            (table, {"Cookie": f"{COOKIE}=v1.x.y"}, "no-session"),
            (table, {"Authorization": f"Bearer {token[:-2]}"}, "no-session"),
            ("nowhere", host.session, "no-table"),
        ]
        for where, headers, code in turned_away:
            async with connect(socket_url(server, where), additional_headers=headers) as refused:
                bye = await Talk(refused).read()
                assert (bye["is"], bye["code"], bye["again"]) == ("bye", code, False)
                with pytest.raises(ConnectionClosedOK):
                    await refused.recv()
        async with third.socket(table) as talk:
            assert (await talk.read())["code"] == "not-watched"
        async with connect(socket_url(server, table)) as opened:  # without a session: to watch
            talk = Talk(opened)
            await talk.send(do="hello")
            assert (await talk.read())["code"] == "not-watched"
        await shut(host, other, third)


async def test_a_session_cannot_be_forged_nor_kept_for_ever(tmp_path: Path) -> None:
    system = FixedSystem()
    async with in_process_server(tmp_path, system) as server, asyncio.timeout(TIMEOUT):
        host, other = await Guest(server, "Host").come(), await Guest(server, "Other").come()
        own = host.client.cookies[COOKIE]
        version, payload, signature = own.split(".")
        read = json.loads(base64.urlsafe_b64decode(payload + "=="))
        stolen = base64.urlsafe_b64encode(json.dumps([other.id, *read[1:]]).encode()).decode()
        foreign = Sessions(b"k" * 32, system)
        forged = [
            f"{version}.{stolen.rstrip('=')}.{signature}",
            foreign.issue(other.id, 0),
            f"{version}.{payload}.",
            f"{version}.{payload}",
            own[:-1],
            own.swapcase(),
            "v1..",
            "." * 200,
            "x" * 5000,
        ]
        async with httpx.AsyncClient(base_url=server.url, timeout=TIMEOUT) as nobody:
            for token in forged:
                answer = await nobody.get("/api/me", headers={"Cookie": f"{COOKIE}={token}"})
                refused(answer, 401, "no-session")
            assert (await host.get("/api/me"))["id"] == host.id
            system.time += LIFETIME_SECONDS + DAY_SECONDS
            answer = await nobody.get("/api/me", headers={"Cookie": f"{COOKIE}={own}"})
            refused(answer, 401, "no-session")
        await shut(host, other)


async def test_nobody_plays_for_another_seat(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        table, host, other = await two_at_a_table(server)
        watcher = await Guest(server, "Watcher").come()
        await dealt(table, host, other)
        async with host.socket(table) as mine, other.socket(table) as theirs:
            told = await mine.until("told")
            assert told["decision"] == 1
            play = {"do": "play", "decision": 1, "action": told["legal"][0]}
            answer = await theirs.answered("k", **play)
            assert (answer["ok"], answer["fault"]["code"]) == (False, "stale")
            for more in ({"seat": 0}, {"player": host.id}):
                await theirs.send(key="k2", **play, **more)
                answer = await theirs.until("answer")
                assert answer["fault"]["code"] == "malformed"
            async with watcher.socket(table) as third:
                for do in (play, {"do": "ready"}, {"do": "why_not", "action": "x"}):
                    answer = await third.answered("k", **do)
                    assert answer["fault"]["code"] == "not-seated"
            assert (await mine.answered("k", **play))["ok"]
        for path in ("start", "close"):
            refused(await other.client.post(f"/api/tables/{table}/{path}"), 403, "not-host")
        await shut(host, other, watcher)


async def test_who_gave_up_a_seat_is_told_nothing_of_it(tmp_path: Path) -> None:
    """Also through a socket that was opened before."""
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        table, host, before = await two_at_a_table(server)
        after = await Guest(server, "After").come()
        early = (await before.post(f"/api/tables/{table}/ticket"))["ticket"]
        async with (
            before.socket(table) as kept,
            connect(socket_url(server, table, early)) as silent,
        ):
            await kept.until("welcome")
            await before.post(f"/api/tables/{table}/stand")
            await after.post(f"/api/tables/{table}/sit", {"seat": 1})
            await dealt(table, host, after)
            late = Talk(silent)
            await late.send(do="hello")
            for talk in (kept, late):
                told = await talk.until("told")
                assert not [fact for fact in told["facts"] if fact["own"]]
                assert told["decision"] is None
                answer = await talk.answered("k", do="why_not", action="x")
                assert answer["fault"]["code"] == "not-seated"
        await shut(host, before, after)


async def test_a_table_that_is_not_to_be_watched(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        table, host, other = await two_at_a_table(server, watch="off")
        third, gone = await Guest(server, "Third").come(), await Guest(server, "Gone").come()
        path = f"/api/tables/{table}"
        refused(await third.client.post(f"{path}/ticket"), 403, "not-watched")
        await other.post(f"{path}/stand")
        await gone.post(f"{path}/sit", {"seat": 1})
        early = (await gone.post(f"{path}/ticket"))["ticket"]
        async with gone.socket(table) as kept, connect(socket_url(server, table, early)) as silent:
            await kept.until("welcome")
            await gone.post(f"{path}/stand")
            assert (await kept.until("bye"))["code"] == "not-watched"
            late = Talk(silent)
            await late.send(do="hello")
            assert (await late.read())["code"] == "not-watched"
        await other.post(f"{path}/sit", {"seat": 1})
        await dealt(table, host, other)
        refused(await third.client.get(f"{path}/record"), 403, "not-watched")
        async with httpx.AsyncClient(base_url=server.url, timeout=TIMEOUT) as nobody:
            refused(await nobody.get(f"{path}/record"), 403, "not-watched")
        await shut(host, other, third, gone)


async def test_a_record_tells_before_the_end_what_the_asker_was_told(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        table, host, other = await two_at_a_table(server)
        path = f"/api/tables/{table}/record"
        refused(await host.client.get(path), 404, "no-match")
        await dealt(table, host, other)
        async with httpx.AsyncClient(base_url=server.url, timeout=TIMEOUT) as nobody:
            asked = [(0, host.client), (1, other.client), (None, nobody)]
            for seat, client in asked:
                for more in ("", "?seat=0", "?seat=1", "?player=" + host.id):
                    answer = await client.get(path + more)
                    assert answer.headers["content-type"].startswith("application/x-ndjson")
                    lines = [json.loads(line) for line in answer.text.splitlines()]
                    assert "seed" not in answer.text
                    assert "salt" not in answer.text
                    audiences = {line["to"] for line in lines if "to" in line}
                    assert audiences <= ({"all"} if seat is None else {"all", seat})
        await shut(host, other)


async def test_a_card_set_is_never_a_path(tmp_path: Path) -> None:
    secret = tmp_path / "mine.toml"
    secret.write_text("name = 'do not read me'\n")
    async with in_process_server(tmp_path / "data") as server, asyncio.timeout(TIMEOUT):
        host = await Guest(server, "Host").come()
        paths = [str(secret), "../../../etc/passwd", "file:///etc/passwd", "~/x.toml", "mine.toml"]
        for path in paths:
            for value in (path, {"path": path}, {"name": path}, {"saved": path}, [path]):
                options = {"card_set": value}
                answer = await host.client.post("/api/tables", json={**GAME, "options": options})
                assert answer.status_code in {404, 422}, answer.text
                assert answer.json()["code"]
                assert "do not read me" not in answer.text
                assert "root:" not in answer.text
        await shut(host)


async def test_markup_stays_text(tmp_path: Path) -> None:

    async def threaten(host: Guest, table: str) -> None:
        """Send a threat with an action; it is text like any other."""
        async with host.socket(table) as talk:
            told = await talk.until("told")
            if told["decision"] is None:
                return
            play = {"do": "play", "decision": told["decision"], "action": told["legal"][0]}
            for bad in ("a\nb", "x" * 1000):
                answer = await talk.answered("t", **play, says=bad)
                assert answer["fault"]["code"] == "malformed"
            assert (await talk.answered("t", **play, says=SCRIPT))["ok"]

    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        host = await Guest(server, SCRIPT).come()
        other = await Guest(server, "<img src=x onerror=y>").come()
        third = await Guest(server, '"><svg/onload=z>').come()
        opened = await host.post("/api/tables", {"game": "kamiza-second", "seats": 3})
        table = opened["table"]["id"]
        for seat, guest in ((1, other), (2, third)):
            await guest.post(f"/api/tables/{table}/sit", {"seat": seat})
        pages = ("/api/me", "/api/tables", f"/api/tables/{table}", f"/api/tables/{SCRIPT}")
        for path in pages:
            answer = await host.client.get(path)
            assert answer.headers["content-type"] == "application/json"
            assert answer.headers["x-content-type-options"] == "nosniff"
            policy = answer.headers["content-security-policy"]
            assert "default-src 'self'" in policy
            assert "unsafe" not in policy
        shown = await host.get(f"/api/tables/{table}")
        assert shown["seats"][0]["player"]["name"] == SCRIPT
        await dealt(table, host, other, third)
        async with host.socket(table) as talk, other.socket(table) as there:
            await there.until("welcome")
            assert (await talk.answered("c", do="say", text=SCRIPT))["ok"]
            assert (await there.until("chatted"))["text"] == SCRIPT
            for bad in ("a\nb", "a\x00b", "\u202etxt", "x" * 301, "", " x"):
                said = await talk.answered("bad", do="say", text=bad)
                assert said["fault"]["code"] == "malformed"
            for guest in (host, other, third):
                await threaten(guest, table)
        for bad in ("", "a\nb", "\x1b[31m", "x" * 25, "\u200b", "\ud800"):
            body = json.dumps({"name": bad})
            answer = await host.client.post("/api/guest", content=body)
            assert answer.status_code in {400, 422}, answer.text
            assert answer.json()["code"] in {"malformed", "bad-name"}
        await shut(host, other, third)


async def test_a_flood_is_held_back_and_others_are_not(tmp_path: Path) -> None:
    async with in_process_server(tmp_path, FixedSystem()) as server, asyncio.timeout(TIMEOUT):
        elsewhere = httpx.AsyncHTTPTransport(local_address="127.0.0.2")
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"GET /api/me HTTP/1.1\r\nHost: x\r\n\r\n" * 601)
        seen = b""
        while seen.count(b"HTTP/1.1 ") < 601:
            seen += await reader.read(65536)
        writer.close()
        assert seen.count(b"HTTP/1.1 401 ") == 600
        async with (
            httpx.AsyncClient(base_url=server.url, timeout=TIMEOUT) as flood,
            httpx.AsyncClient(base_url=server.url, transport=elsewhere, timeout=TIMEOUT) as other,
        ):
            answer = await flood.get("/api/me")
            fault = refused(answer, 429, "too-many")
            assert fault["details"]["retry_after"] >= 1
            assert answer.headers["retry-after"] == str(fault["details"]["retry_after"])
            assert (await other.get("/api/games")).status_code == 200


async def test_a_flood_of_frames_is_held_back_and_others_are_not(tmp_path: Path) -> None:
    async with in_process_server(tmp_path, FixedSystem()) as server, asyncio.timeout(TIMEOUT):
        table, host, other = await two_at_a_table(server)
        async with host.socket(table) as flood, other.socket(table) as calm:
            await calm.until("welcome")
            codes = []
            for first in range(1, 1201, 100):
                for number in range(first, first + 100):
                    await flood.send(do="why_not", key=f"k{number}", action="x")
                for number in range(first, first + 100):
                    answer = await flood.until("answer")
                    assert answer["key"] == f"k{number}"
                    codes.append(answer["fault"]["code"])
            assert codes.count("too-many") == 1
            assert codes[-1] == "too-many", "after a hello"
            assert answer["fault"]["details"]["retry_after"] >= 1
            assert (await calm.answered("c", do="say", text="calm"))["ok"]
            assert (await flood.until("chatted"))["text"] == "calm"
        await shut(host, other)


async def test_a_body_or_a_frame_that_is_too_long(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        table, host, other = await two_at_a_table(server)
        huge = b'{"name": "' + b"x" * 70_000 + b'"}'
        refused(await host.client.post("/api/guest", content=huge), 413, "too-long")

        async def parts() -> Any:
            for _ in range(20):
                yield b" " * 10_000

        refused(await host.client.post("/api/guest", content=parts()), 413, "too-long")
        deep = b'{"name": ' + b"[" * 30_000 + b"]" * 30_000 + b"}"
        assert (await host.client.post("/api/guest", content=deep)).status_code == 400
        refused(await host.client.post("/api/mute", json={"player": 1}), 400, "malformed")
        options = b'{"game":"kingdoms","seats":2,"options":{"card_set":' + b'{"a":' * 9_000
        options += b"1" + b"}" * 9_000 + b"}}"
        assert (await host.client.post("/api/tables", content=options)).status_code in {400, 422}
        async with host.socket(table) as talk:
            await talk.connection.send("x" * 5_000)
            assert (await talk.until("answer"))["fault"]["code"] == "too-long"
            await talk.connection.send("x" * 70_000)
            with pytest.raises(ConnectionClosed):
                await talk.until("nothing more")
        assert (await host.get("/health"))["status"] == "ok"
        await shut(host, other)


@pytest.mark.parametrize(
    "half",
    [
        b"",
        b"GET /health HT",
        b"GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: ",
        b"POST /api/guest HTTP/1.1\r\nHost: x\r\nX-Zashiki: 1\r\nContent-Length: 50\r\n\r\n{",
    ],
)
async def test_half_a_request_does_not_hold_a_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, half: bytes
) -> None:
    monkeypatch.setattr(HttpConnection, "request_timeout", 0.5)
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(half)
        await writer.drain()
        async with asyncio.timeout(TIMEOUT):
            assert b" 200 " not in await reader.read()
        writer.close()
        async with httpx.AsyncClient(base_url=server.url, timeout=TIMEOUT) as other:
            assert (await other.get("/health")).status_code == 200
            await asyncio.sleep(0.75)  # a connection may be idle between two requests
            assert (await other.get("/health")).status_code == 200


async def test_a_head_without_end_is_refused(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X-Long: y\r\n" * 10_000)
        try:
            await writer.drain()
            assert b" 400 " in await reader.readline()
        except ConnectionError:
            pass  # it did not even listen to the end
        writer.close()


async def test_a_name_that_somebody_points_here_is_no_origin(tmp_path: Path) -> None:
    """DNS rebinding: a page of evil.example whose name resolves to this machine."""
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        guest = await Guest(server, "Guest").come()
        lured = {"Host": "evil.example", "Origin": "http://evil.example"}
        refused(await guest.client.post("/api/tables", json=GAME, headers=lured), 403, "origin")
        await shut(guest)
