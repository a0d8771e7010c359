"""Daily digests: real mail and real webhooks, confirmed, sent once per day, and stopped."""

import asyncio
import json
import logging
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.guests import Guest
from tests.server.in_process_server import FixedSystem, InProcessServer, in_process_server
from tests.server.mail_server import MailServer, certificate, mail_server
from tests.server.test_calls import (
    BAD_ENDPOINTS,
    PushService,
    friends,
    game_title,
    push_service,
    slow_match,
)
from tests.server.waits import TIMEOUT, until
from zashiki.server.calls import digests
from zashiki.server.calls.digest_words import Message
from zashiki.server.calls.mail import MailNotAccepted, MailRefused, compose_mail, dotted, send_mail
from zashiki.server.ops.logs import LOGGER
from zashiki.server.settings import Relay
from zashiki.server.store.rows import DigestRow

ORIGIN = "https://play.example"
HOUR = 3600.0
DAY = 24 * HOUR
ADDRESS = "ben@mail.example"


@asynccontextmanager
async def server_with_mail(
    folder: Path, mails: MailServer, system: FixedSystem, **more: Any
) -> AsyncIterator[InProcessServer]:
    more = {"smtp": Relay("127.0.0.1", mails.port, False), "webhooks": True} | more
    async with in_process_server(
        folder, system, calls_here=True, origins=frozenset({ORIGIN}),
        mail_sender="games@play.example", **more,
    ) as server:  # fmt: skip
        yield server


def wanted(kind: str = "mail", address: str = ADDRESS, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "address": address, "hour": 8, "zone": "Asia/Tokyo"} | more


def link_in(text: str, name: str) -> str:
    found = re.search(rf"{ORIGIN}/digest\?{name}=(\S+)", text)
    assert found is not None, text
    return found[1]


async def confirmed(guest: Guest, mails: MailServer, **more: Any) -> str:
    """Request a digest by mail, open the link, and return the mail."""
    await guest.post("/api/digest", wanted(**more))
    text: str = mails.mails[-1][2].get_content()
    await guest.post("/api/digest/confirm", {"token": link_in(text, "confirm")})
    return text


async def waited_for(
    server: InProcessServer, aki: Guest, ben: Guest, *, days: int = 30
) -> tuple[Guest, Guest, str]:
    """A match with days per decision: the player who is waited for, the other, and the table."""
    table = await slow_match(aki, ben, days)
    live = (await server.services.registry.find(table)).live
    assert live is not None
    return (aki, ben, table) if 0 in live.match.to_act else (ben, aki, table)


def at(system: FixedSystem, hour: int, days: int = 0) -> None:
    """Set the clock to an hour of the day in Tokyo, some days later."""
    midnight = (system.time + 9 * HOUR) // DAY * DAY - 9 * HOUR
    system.time = midnight + days * DAY + hour * HOUR + 1


@asynccontextmanager
async def digest_by_mail(
    folder: Path,
) -> AsyncIterator[tuple[FixedSystem, MailServer, InProcessServer, Guest]]:
    """It is seven in Tokyo. A player whose turn it is has confirmed a digest at eight."""
    system = FixedSystem()
    at(system, 7)
    async with (
        mail_server() as mails,
        server_with_mail(folder, mails, system) as server,
        friends(server, "Aki", "Ben") as both,
        asyncio.timeout(TIMEOUT),
    ):
        me, *_ = await waited_for(server, *both)
        await confirmed(me, mails)
        yield system, mails, server, me


async def test_a_digest_by_mail_is_confirmed_sent_once_a_day_and_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, tls = certificate(tmp_path, "127.0.0.1")
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    system = FixedSystem()
    at(system, 7)
    async with (
        mail_server(tls) as mails,
        server_with_mail(
            tmp_path / "data", mails, system,
            smtp=Relay("127.0.0.1", mails.port, False, "zashiki", "p:w"),
        ) as server,
        friends(server, "Aki", "Ben") as both,
        asyncio.timeout(TIMEOUT),
    ):  # fmt: skip
        me, other, table = await waited_for(server, *both)
        send_due = server.services.digests.send_due
        assert await me.get("/api/digest") == {"kinds": ["mail", "webhook"], "own": None}
        asked = await me.post("/api/digest", wanted(language="ja"))
        own = {"kind": "mail", "address": ADDRESS, "hour": 8, "zone": "Asia/Tokyo"}
        assert asked["own"] == {**own, "confirmed": False}
        assert (await other.get("/api/digest"))["own"] is None, "of no concern to others"
        sender, address, mail = mails.mails[0]
        assert (sender, address) == ("games@play.example", ADDRESS)
        assert (mails.logins, mails.was_encrypted) == (["\0zashiki\0p:w"], [True])
        assert mail["Subject"] == "毎日のお知らせの確認"
        at(system, 8)
        await send_due()
        assert len(mails.mails) == 1, "nothing is sent before it is confirmed"
        await confirm_elsewhere(server, link_in(mail.get_content(), "confirm"))
        assert (await me.get("/api/digest"))["own"]["confirmed"]
        await send_due()
        assert len(mails.mails) == 1, "eight o'clock is over for today"
        at(system, 8, days=1)
        for _ in range(3):
            await send_due()
            system.time += HOUR
        assert len(mails.mails) == 2, "once a day"
        mail = mails.mails[1][2]
        assert mail["Subject"] == "番が来ている対戦が1件あります"
        text = mail.get_content()
        line = f"{game_title('red-town', 'ja')}（{other.name}）　残り28日"
        assert text.splitlines() == [
            "番が来ている対戦が1件あります", "", line, f"{ORIGIN}/table/{table}", "",
            f"配信の停止：{ORIGIN}/digest?stop={link_in(text, 'stop')}",
        ]  # fmt: skip
        check_stop_headers(mail)
        await stop_by_program(server, me, mail)
        at(system, 8, days=1)
        await send_due()
        assert len(mails.mails) == 2


async def confirm_elsewhere(server: InProcessServer, token: str) -> None:
    """Confirm as on a phone without a session."""
    async with httpx.AsyncClient(base_url=server.url, timeout=TIMEOUT) as phone:
        headers = {"X-Zashiki": "1"}
        said = await phone.post("/api/digest/confirm", json={"token": token}, headers=headers)
        assert said.status_code == 200


async def stop_by_program(server: InProcessServer, me: Guest, mail: Any) -> None:
    """Act like mail programs: they fetch links, and post without our cookies and headers."""
    stop = mail["List-Unsubscribe"].strip("<>").removeprefix(ORIGIN)
    async with httpx.AsyncClient(base_url=server.url, timeout=TIMEOUT) as program:
        shown = await program.get(stop)
        assert shown.status_code == 302
        assert shown.headers["location"] == f"/digest?stop={link_in(mail.get_content(), 'stop')}"
        assert (await me.get("/api/digest"))["own"] is not None, "looking at it stops nothing"
        for _ in range(2):
            said = await program.post(stop, data={"List-Unsubscribe": "One-Click"})
            assert said.status_code == 200
    assert (await me.get("/api/digest"))["own"] is None


def check_stop_headers(mail: Any) -> None:
    """Check the headers of RFC 8058."""
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert re.fullmatch(rf"<{ORIGIN}/api/digest/stop\?token=[\w.-]+>", mail["List-Unsubscribe"]), (
        mail["List-Unsubscribe"]
    )
    assert mail["Auto-Submitted"] == "auto-generated"


async def test_a_digest_by_webhook(tmp_path: Path) -> None:
    system = FixedSystem()
    at(system, 7)
    async with (
        mail_server() as mails,
        push_service() as hook,
        server_with_mail(tmp_path, mails, system) as server,
        friends(server, "Aki", "Ben") as both,
        asyncio.timeout(TIMEOUT),
    ):
        me, other, table = await waited_for(server, *both)
        await me.post("/api/digest", wanted("webhook", hook.endpoint()))
        line, headers, body = hook.requests[0]
        assert line == "POST /push/one HTTP/1.1"
        assert headers["content-type"] == "application/json; charset=utf-8"
        asked = json.loads(body)
        assert asked["kind"] == "confirm"
        assert asked["text"] == asked["content"]
        assert asked["url"] == f"{ORIGIN}/digest?confirm={link_in(asked['text'], 'confirm')}"
        await me.post("/api/digest/confirm", {"token": link_in(asked["text"], "confirm")})
        at(system, 8)
        await server.services.digests.send_due()
        digest = json.loads(hook.requests[1][2])
        [named] = digest.pop("tables")
        assert named["table"] == table
        assert named["until"] > system.time
        assert digest["subject"] == "A move is waiting for you"
        expected = f"{game_title('red-town', 'en')} with {other.name}, time left: "
        assert expected in digest["text"], digest["text"]
        assert mails.mails == []
        assert (await me.client.post(digest["stop"].removeprefix(ORIGIN))).status_code == 200
        assert (await me.get("/api/digest"))["own"] is None


async def test_without_a_decision_of_days_nothing_is_sent(tmp_path: Path) -> None:
    system = FixedSystem()
    at(system, 7)
    async with (
        mail_server() as mails,
        server_with_mail(tmp_path, mails, system) as server,
        friends(server, "Aki", "Ben") as both,
        asyncio.timeout(TIMEOUT),
    ):
        me, _, _ = await waited_for(server, *both, days=0)
        await confirmed(me, mails)
        at(system, 8)
        await server.services.digests.send_due()
        assert len(mails.mails) == 1, "only the one with the link"
        row = await server.services.store.digest(me.id)
        assert row is not None
        assert row.due == system.time - 1 + DAY, "tomorrow at eight"
        await waited_for(server, *both)
        at(system, 8, days=1)
        await server.services.digests.send_due()
        assert len(mails.mails) == 2


async def test_of_several_servers_one_sends(tmp_path: Path) -> None:
    async with digest_by_mail(tmp_path) as (system, mails, server, _me):
        services = server.services
        others = [
            digests.Digests(
                services.registry, services.limits, services.sessions, services.settings
            )
            for _ in range(5)
        ]
        at(system, 8)
        await asyncio.gather(*(one.send_due() for one in others))
        assert len(mails.mails) == 2


async def test_a_server_that_dies_while_it_sends_does_not_send_again(tmp_path: Path) -> None:
    async with digest_by_mail(tmp_path) as (system, mails, server, _me):
        mails.asked.clear()
        mails.answers["."] = "hang"
        at(system, 8)
        sending = asyncio.create_task(server.services.digests.send_due())
        await mails.asked.wait()  # the mail server has the mail, but did not confirm it
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
        del mails.answers["."]
        system.time += HOUR
        await server.services.digests.send_due()
        assert len(mails.mails) == 1, "nobody knows whether it was taken: it is not sent again"
        at(system, 8, days=1)
        await server.services.digests.send_due()
        assert len(mails.mails) == 2


@pytest.mark.parametrize(
    ("command", "answer", "is_sent_again"),
    [("MAIL", "451 later", True), ("RCPT", "450 later", True), ("DATA", "hang up", True),
     (".", "452 full", True), (".", "hang up", False), ("RCPT", "550 nobody", False)],
)  # fmt: skip
async def test_what_a_mail_server_did_not_take_is_sent_again_that_day(
    tmp_path: Path, command: str, answer: str, is_sent_again: bool
) -> None:
    async with digest_by_mail(tmp_path) as (system, mails, server, me):
        mails.answers[command] = answer
        at(system, 8)
        await server.services.digests.send_due()
        assert len(mails.mails) == 1
        del mails.answers[command]
        await server.services.digests.send_due()
        assert len(mails.mails) == 1, "not at once"
        for _ in range(3):
            system.time += digests.RETRY_SECONDS + 1
            await server.services.digests.send_due()
        assert len(mails.mails) == 1 + is_sent_again
        row = await server.services.store.digest(me.id)
        assert row is not None
        assert row.failures == (answer == "550 nobody")


async def test_an_address_that_takes_nothing_is_deleted(tmp_path: Path) -> None:
    system = FixedSystem()
    at(system, 7)
    async with (
        mail_server() as mails,
        push_service() as hook,
        server_with_mail(tmp_path, mails, system) as server,
        friends(server, "Aki", "Ben") as both,
        asyncio.timeout(TIMEOUT),
    ):
        me, *_ = await waited_for(server, *both)
        store, send_due = server.services.store, server.services.digests.send_due
        await confirm_hook(me, hook)
        hook.status = 500
        for day in range(digests.MAX_FAILURES - 1):
            at(system, 8, days=int(day > 0))
            await send_due()
        row = await store.digest(me.id)
        assert row is not None
        assert row.failures == digests.MAX_FAILURES - 1
        hook.status = 204
        at(system, 8, days=1)
        await send_due()
        row = await store.digest(me.id)
        assert row is not None
        assert row.failures == 0, "one that was taken counts for all before"
        hook.status = 410
        at(system, 8, days=1)
        await send_due()
        assert await store.digest(me.id) is None
        hook.status = 404
        refused = await me.client.post("/api/digest", json=wanted("webhook", hook.endpoint("two")))
        assert (refused.status_code, refused.json()["code"]) == (422, "not-sent")
        assert await store.digest(me.id) is None


async def confirm_hook(guest: Guest, hook: PushService) -> None:
    await guest.post("/api/digest", wanted("webhook", hook.endpoint()))
    token = link_in(json.loads(hook.requests[-1][2])["text"], "confirm")
    await guest.post("/api/digest/confirm", {"token": token})


async def test_links_are_for_one_address_and_purpose_and_end(tmp_path: Path) -> None:
    system = FixedSystem()
    async with (
        mail_server() as mails,
        server_with_mail(tmp_path, mails, system) as server,
        friends(server, "Aki") as (aki,),
        asyncio.timeout(TIMEOUT),
    ):
        store = server.services.store
        await aki.post("/api/digest", wanted())
        first = mails.mails[0][2].get_content()
        await aki.post("/api/digest", wanted(address="aki@other.example"))
        second = mails.mails[1][2].get_content()
        tokens = {
            "of an earlier address": link_in(first, "confirm"),
            "of another purpose": link_in(second, "stop"),
            "cut off": link_in(second, "confirm")[:-1],
            "no token": "",
        }
        for why, token in tokens.items():
            answer = await aki.client.post("/api/digest/confirm", json={"token": token})
            assert (answer.status_code, answer.json()["code"]) == (404, "no-digest"), why
        answer = await aki.client.post(f"/api/digest/stop?token={link_in(second, 'confirm')}")
        assert answer.status_code == 404
        await aki.post(f"/api/digest/stop?token={link_in(first, 'stop')}")
        assert await store.digest(aki.id) is not None, "a link of an earlier address stops nothing"
        system.time += digests.CONFIRM_DAYS * DAY + 1
        token = link_in(second, "confirm")
        answer = await aki.client.post("/api/digest/confirm", json={"token": token})
        assert answer.status_code == 404, "too late"
        await server.services.digests.send_due()
        assert await store.digest(aki.id) is None, "what nobody confirmed is not kept"


async def test_the_hour_can_be_changed_without_another_link(tmp_path: Path) -> None:
    async with digest_by_mail(tmp_path) as (system, mails, server, me):
        at(system, 8)
        await server.services.digests.send_due()
        changed = await me.post("/api/digest", wanted(hour=20))
        assert (changed["own"]["hour"], changed["own"]["confirmed"]) == (20, True)
        at(system, 20)
        await server.services.digests.send_due()
        assert len(mails.mails) == 2, "one has been sent today"
        at(system, 20, days=1)
        await server.services.digests.send_due()
        assert len(mails.mails) == 3
        await me.post("/api/digest/delete")
        assert (await me.get("/api/digest"))["own"] is None


async def test_an_address_goes_with_its_player_and_never_into_a_log(tmp_path: Path) -> None:
    system = FixedSystem()
    at(system, 7)
    lines: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(str(record.__dict__))  # type: ignore[method-assign]
    async with (
        mail_server() as mails,
        server_with_mail(tmp_path, mails, system) as server,
        friends(server, "Aki", "Ben") as both,
        asyncio.timeout(TIMEOUT),
    ):
        LOGGER.addHandler(handler)
        me, other, _ = await waited_for(server, *both)
        await confirmed(me, mails)
        store, send_due = server.services.store, server.services.digests.send_due
        mails.answers["MAIL"] = "451 later"
        at(system, 8)
        await send_due()
        assert ADDRESS not in repr(await store.digest(me.id))
        assert ADDRESS not in json.dumps(await other.get(f"/api/players/{me.id}"))
        await me.post("/api/delete")
        assert await store.digest(me.id) is None
        then = system.time
        left = DigestRow(me.id, "x", "mail", ADDRESS, "en", 8, "UTC", True, then, then)
        await store.put_digest(left)  # as a server from before digests leaves it
        await send_due()
        assert await store.digest(me.id) is None
        LOGGER.removeHandler(handler)
    assert any("'msg': 'digest'" in line for line in lines)
    assert not [line for line in lines if ADDRESS in line]


async def test_what_cannot_be_sent_to_is_refused(tmp_path: Path) -> None:
    async with (
        mail_server() as mails,
        in_process_server(
            tmp_path, webhooks=True, origins=frozenset({ORIGIN}),
            smtp=Relay("127.0.0.1", mails.port, False), mail_sender="games@play.example",
        ) as server,
        friends(server, "Aki") as (aki,),
        asyncio.timeout(TIMEOUT),
    ):  # fmt: skip
        wrong = [
            *(wanted("webhook", address) for address in BAD_ENDPOINTS),
            *(
                wanted(address=address)
                for address in ("", "ann", "a@b", "a b@c.de", "a@c.de\r\nBcc: x@y.de", "ä@c.de",
                                "a@c.de, b@c.de", "<a@c.de>", f"a@{'x' * 250}.de",
                                "=?utf-8?q?b=40c.de=3E?=@d.de", "=?utf-8?q?=0D=0A?=@c.de")
            ),
            wanted(hour=24), wanted(hour=-1), wanted(zone="../../etc/passwd"), wanted(zone=""),
            wanted(zone="Asia"), wanted(zone="Nowhere/At_all"), wanted(zone="x" * 100),
            wanted(zone="\0"),
        ]  # fmt: skip
        for asked in wrong:
            answer = await aki.client.post("/api/digest", json=asked)
            assert (answer.status_code, answer.json()["code"]) == (422, "malformed"), asked
        assert mails.mails == []


async def test_nobody_is_flooded(tmp_path: Path) -> None:
    async with (
        mail_server() as mails,
        server_with_mail(tmp_path, mails, FixedSystem()) as server,
        friends(server, "Aki", "Ben") as (aki, ben),
        asyncio.timeout(TIMEOUT),
    ):
        for guest in (aki, ben, aki):
            await guest.post("/api/digest", wanted())
            await guest.post("/api/digest/delete")
        answer = await ben.client.post("/api/digest", json=wanted(address=ADDRESS.upper()))
        assert (answer.status_code, answer.json()["code"]) == (429, "too-many")
        assert len(mails.mails) == 3


async def test_few_wait_for_addresses_that_answer_slowly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy would give up on the others, and take the server for broken."""
    answers = asyncio.Event()

    async def slow(*_: object) -> int:
        await answers.wait()
        return 204

    monkeypatch.setattr(digests, "send", slow)
    async with (
        in_process_server(tmp_path, webhooks=True, origins=frozenset({ORIGIN})) as server,
        friends(server, "Aki") as (aki,),
        asyncio.timeout(TIMEOUT),
    ):
        hooks = [wanted("webhook", f"https://{n}.example/") for n in range(digests.MAX_ASKING + 3)]
        tasks = [asyncio.create_task(aki.client.post("/api/digest", json=one)) for one in hooks]
        try:
            await until(lambda: sum(task.done() for task in tasks) == 3)
        finally:
            answers.set()
            found = [answer.status_code for answer in await asyncio.gather(*tasks)]
        assert sorted(found) == [200] * digests.MAX_ASKING + [503] * 3
        last = await aki.client.post("/api/digest", json=wanted("webhook", "https://z.example/"))
        assert last.status_code == 200


async def test_where_nothing_is_set_up_nothing_is_offered(tmp_path: Path) -> None:
    async with (
        in_process_server(tmp_path) as server,
        friends(server, "Aki") as (aki,),
        asyncio.timeout(TIMEOUT),
    ):
        assert await aki.get("/api/digest") == {"kinds": [], "own": None}
        answer = await aki.client.post("/api/digest", json=wanted())
        assert (answer.status_code, answer.json()["code"]) == (422, "malformed")
        async with httpx.AsyncClient(base_url=server.url, timeout=TIMEOUT) as nobody:
            assert (await nobody.get("/api/digest")).status_code == 401


# Mail --------------------------------------------------------------------------------------------


def mail_to(address: str = ADDRESS) -> Any:
    stop = f"{ORIGIN}/api/digest/stop?token={'x' * 200}"
    return compose_mail("games@play.example", address, "件名", ".\n..\n本文\n", "ja", stop, 0.0)


async def test_mail_elsewhere_goes_over_tls_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """127.0.0.2 is not among the local names that may do without TLS."""
    host = "127.0.0.2"
    file, tls = certificate(tmp_path, host)
    async with mail_server(host=host) as plain, mail_server(tls, host) as safe:
        with pytest.raises(MailNotAccepted):
            await asyncio.to_thread(send_mail, Relay(host, plain.port, False), mail_to())
        with pytest.raises(MailNotAccepted):  # its certificate is not trusted
            await asyncio.to_thread(send_mail, Relay(host, safe.port, False), mail_to())
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
        await asyncio.to_thread(send_mail, Relay(host, safe.port, False), mail_to())
        safe.answers["AUTH"] = "535 wrong password"
        with pytest.raises(MailNotAccepted) as caught:
            await asyncio.to_thread(send_mail, Relay(host, safe.port, False, "u", "p"), mail_to())
        assert not isinstance(caught.value, MailRefused), "the operator's fault, not the address's"
    assert plain.mails == []
    [(_, _, mail)] = safe.mails
    assert mail.get_content().replace("\r\n", "\n") == ".\n..\n本文\n"
    assert mail["Subject"] == "件名"
    assert mail["List-Unsubscribe"] == f"<{ORIGIN}/api/digest/stop?token={'x' * 200}>"


def test_dots_are_doubled() -> None:
    assert dotted(b".a\r\nb\r\n.\r\n") == b"..a\r\nb\r\n..\r\n.\r\n"
    assert dotted(b"a") == b"a\r\n.\r\n"


# Time --------------------------------------------------------------------------------------------


def moment(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


@pytest.mark.parametrize(
    ("now", "hour", "zone", "sent", "due"),
    [
        ("2026-11-18T12:00+00:00", 20, "UTC", None, "2026-11-18T20:00+00:00"),
        ("2026-11-18T20:00+00:00", 20, "UTC", None, "2026-11-19T20:00+00:00"),
        ("2026-11-18T12:00+00:00", 8, "Asia/Tokyo", None, "2026-11-18T23:00+00:00"),
        ("2026-11-18T12:00+00:00", 8, "Asia/Kolkata", None, "2026-11-19T02:30+00:00"),
        ("2026-10-24T12:00+00:00", 8, "Europe/Berlin", None, "2026-10-25T07:00+00:00"),
        ("2026-10-23T12:00+00:00", 8, "Europe/Berlin", None, "2026-10-24T06:00+00:00"),
        ("2026-03-28T12:00+00:00", 2, "Europe/Berlin", None, "2026-03-29T01:00+00:00"),
        ("2026-11-18T12:00+00:00", 20, "UTC", "2026-11-18T01:00+00:00", "2026-11-19T20:00+00:00"),
        ("2026-11-18T12:00+00:00", 20, "UTC", "2026-11-17T23:00+00:00", "2026-11-18T20:00+00:00"),
    ],
)
def test_the_hour_is_the_players(
    now: str, hour: int, zone: str, sent: str | None, due: str
) -> None:
    last = None if sent is None else moment(sent)
    assert digests.next_due(moment(now), hour, zone, last) == moment(due)


def test_a_message_has_the_fields_that_are_documented() -> None:
    assert Message.__struct_fields__ == (
        "kind", "subject", "text", "content", "url", "stop", "tables"
    )  # fmt: skip
