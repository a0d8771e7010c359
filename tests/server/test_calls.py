"""Push notifications: real requests to a local push service, and none to private hosts."""

import asyncio
import json
import socket
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tests.server.guests import Guest
from tests.server.in_process_server import InProcessServer, in_process_server
from tests.server.waits import TIMEOUT
from zashiki.core.wording import Wording
from zashiki.games import game_spec
from zashiki.server.calls import caller, outgoing
from zashiki.server.calls.encryption import derived, encrypted_with
from zashiki.server.calls.vapid import VapidKey, base64url, from_base64url, uncompressed
from zashiki.server.errors import ApiError
from zashiki.server.http.calls import MAX_SUBSCRIPTIONS

CURVE = ec.SECP256R1()


class PushService:
    """A real push service with one browser: it checks the signature, and decrypts."""

    def __init__(self) -> None:
        self.browser = ec.generate_private_key(CURVE)
        self.auth = bytes(range(16))
        self.status = 201
        self.requests: list[tuple[str, dict[str, str], bytes]] = []
        self.came = asyncio.Condition()
        self.port = 0

    @property
    def keys(self) -> dict[str, str]:
        public = uncompressed(self.browser.public_key())
        return {"p256dh": base64url(public), "auth": base64url(self.auth)}

    def endpoint(self, name: str = "one") -> str:
        return f"http://127.0.0.1:{self.port}/push/{name}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in head[1:] if line)
        exact = dict(line.split(": ", 1) for line in head[1:] if line)
        body = await reader.readexactly(int(headers["content-length"]))
        writer.write(f"HTTP/1.1 {self.status} X\r\nContent-Length: 0\r\n\r\n".encode())
        await writer.drain()
        writer.close()
        async with self.came:
            self.requests.append((head[0], {k.lower(): v for k, v in exact.items()}, body))
            self.came.notify_all()

    async def heard(self, count: int) -> list[tuple[str, dict[str, str], bytes]]:
        async with self.came:
            await self.came.wait_for(lambda: len(self.requests) >= count)
        return self.requests

    def decrypted(self, body: bytes) -> Any:
        """Decrypt as a browser does, by RFC 8291."""
        salt, length = body[:16], body[20]
        sender, content = body[21 : 21 + length], body[21 + length :]
        public = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender)
        shared = self.browser.exchange(ec.ECDH(), public)
        own = uncompressed(self.browser.public_key())
        secret = derived(shared, self.auth, b"WebPush: info\0" + own + sender, 32)
        key = derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derived(secret, salt, b"Content-Encoding: nonce\0", 12)
        plain = AESGCM(key).decrypt(nonce, content, None)
        assert plain.endswith(b"\x02")
        return json.loads(plain[:-1])


@asynccontextmanager
async def push_service() -> AsyncIterator[PushService]:
    service = PushService()
    server = await asyncio.start_server(service.serve, "127.0.0.1", 0)
    service.port = server.sockets[0].getsockname()[1]
    async with server:
        yield service


@asynccontextmanager
async def friends(server: InProcessServer, *names: str) -> AsyncIterator[list[Guest]]:
    guests = [await Guest(server, name).come() for name in names]
    try:
        yield guests
    finally:
        for guest in guests:
            await guest.client.aclose()


async def slow_match(aki: Guest, ben: Guest, days: int = 1) -> str:
    """A match with days per decision, or without a limit, at which nobody is present."""
    chairs = [{"kind": "open"}] * 2
    pace = {"kind": "days", "days": days} if days else {"kind": "relaxed"}
    asked = {"game": "red-town", "seats": 2, "chairs": chairs, "pace": pace}
    table: str = (await aki.post("/api/tables", asked))["table"]["id"]
    await ben.post(f"/api/tables/{table}/sit", {"seat": 1})
    async with aki.socket(table) as one, ben.socket(table) as other:
        await aki.post(f"/api/tables/{table}/start")
        for talk in (one, other):
            await talk.starting()
            assert (await talk.answered("ready", do="ready"))["ok"]
        await one.until("told")
    return table


async def test_who_is_away_is_called_once_for_their_turn(tmp_path: Path) -> None:
    async with (
        push_service() as push,
        in_process_server(tmp_path, calls_here=True) as server,
        friends(server, "Aki", "Ben") as (aki, ben),
        asyncio.timeout(TIMEOUT),
    ):
        known = await ben.get("/api/calls")
        assert known["browsers"] == 0, "off until asked for"
        wanted = {"endpoint": push.endpoint(), **push.keys, "language": "ja"}
        assert (await ben.post("/api/calls", wanted))["browsers"] == 1
        table = await slow_match(aki, ben)
        async with aki.socket(table) as talk:
            while not push.requests:  # until it is Ben's turn
                told = await talk.until("told")
                if told["decision"] is None:
                    await push.heard(1)
                    break
                number = told["decision"]
                command = {"decision": number, "action": told["legal"][0]}
                assert (await talk.answered(f"k{number}", do="play", **command))["ok"]
        (line, headers, body), *others = await push.heard(1)
        assert others == []
        assert line == "POST /push/one HTTP/1.1"
        assert (headers["content-encoding"], headers["topic"]) == ("aes128gcm", table)
        assert int(headers["ttl"]) == 86400
        title = push.decrypted(body)
        assert title == {
            "title": "あなたの番です",
            "body": game_title("red-town", "ja"),
            "url": f"/table/{table}",
            "tag": table,
        }
        check_signature(headers["authorization"], push.endpoint(), known["key"])


def game_title(game: str, language: str) -> str:
    return Wording(game_spec(game), language).title()


def check_signature(header: str, endpoint: str, key: str) -> None:
    """Check as a push service does, by RFC 8292."""
    scheme, token, named = header.replace(",", "").split(" ")
    assert (scheme, named) == ("vapid", f"k={key}")
    signed, _, signature = token.removeprefix("t=").rpartition(".")
    claims = json.loads(from_base64url(signed.split(".")[1]))
    assert claims["aud"] == endpoint.rpartition("/push/")[0]
    raw = from_base64url(signature)
    der = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    public = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, from_base64url(key))
    public.verify(der, signed.encode(), ec.ECDSA(hashes.SHA256()))


async def test_a_browser_that_is_gone_is_forgotten_and_a_busy_service_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caller, "RETRY_SECONDS", (0.01, 0.01))
    async with (
        push_service() as push,
        in_process_server(tmp_path, calls_here=True) as server,
        friends(server, "Aki") as (aki,),
        asyncio.timeout(TIMEOUT),
    ):
        await aki.post("/api/calls", {"endpoint": push.endpoint(), **push.keys})
        call = caller.Call(aki.id, "invited", "t", "kingdoms", "Ben")
        push.status = 503
        server.services.caller.call(call)
        requests = await push.heard(3)
        assert push.decrypted(requests[2][2])["title"] == "Ben invites you to play"
        assert (await aki.get("/api/calls"))["browsers"] == 1
        push.status = 410
        server.services.caller.call(call)
        await push.heard(4)
        while (await aki.get("/api/calls"))["browsers"]:
            await asyncio.sleep(0.01)
        assert len(push.requests) == 4, "it was not asked again"


async def test_push_services_that_never_answer_delay_no_other_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caller, "SENDERS", 1)
    monkeypatch.setattr(caller, "CALL_SECONDS", 0.1, raising=False)
    is_connected = asyncio.Event()

    async def keep_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        is_connected.set()
        await reader.read()
        writer.close()

    async with (
        push_service() as push,
        in_process_server(tmp_path, calls_here=True) as server,
        friends(server, "Mal", "Aki") as (mal, aki),
        await asyncio.start_server(keep_silent, "127.0.0.1", 0) as silent,
        asyncio.timeout(outgoing.TIMEOUT_SECONDS),
    ):
        port = silent.sockets[0].getsockname()[1]
        for number in range(MAX_SUBSCRIPTIONS):
            endpoint = f"http://127.0.0.1:{port}/{number}"
            await mal.post("/api/calls", {"endpoint": endpoint, **push.keys})
        await aki.post("/api/calls", {"endpoint": push.endpoint(), **push.keys})
        server.services.caller.call(caller.Call(mal.id, "turn", "t", "kingdoms"))
        await is_connected.wait()
        server.services.caller.call(caller.Call(aki.id, "turn", "t", "kingdoms"))
        await push.heard(1)


async def test_invitations_use_up_no_calls_for_ones_turn(tmp_path: Path) -> None:
    async with (
        push_service() as push,
        in_process_server(tmp_path, calls_here=True) as server,
        friends(server, "Aki") as (aki,),
        asyncio.timeout(TIMEOUT),
    ):
        await aki.post("/api/calls", {"endpoint": push.endpoint(), **push.keys})
        for number in range(40):
            invited = caller.Call(aki.id, "invited", f"t{number}", "kingdoms", "Mal")
            server.services.caller.call(invited)
        server.services.caller.call(caller.Call(aki.id, "turn", "mine", "kingdoms"))
        requests = await push.heard(31)
        assert "mine" in {headers["topic"] for _, headers, _ in requests}


async def test_subscriptions_are_bounded_and_belong_to_one_player(tmp_path: Path) -> None:
    async with (
        push_service() as push,
        in_process_server(tmp_path, calls_here=True) as server,
        friends(server, "Aki", "Ben") as (aki, ben),
        asyncio.timeout(TIMEOUT),
    ):
        for number in range(MAX_SUBSCRIPTIONS + 2):
            wanted = {"endpoint": push.endpoint(str(number)), **push.keys}
            found = await aki.post("/api/calls", wanted)
        assert found["browsers"] == MAX_SUBSCRIPTIONS
        rows = await server.services.store.subscriptions(aki.id)
        assert rows[0].endpoint == push.endpoint("2"), "the newest stay"
        assert push.endpoint("2") not in repr(rows[0])
        await ben.post("/api/calls", {"endpoint": push.endpoint("6"), **push.keys})
        assert (await aki.get("/api/calls"))["browsers"] == MAX_SUBSCRIPTIONS - 1
        await aki.post("/api/calls/stop", {"endpoint": push.endpoint("6")})
        assert (await ben.get("/api/calls"))["browsers"] == 1, "of one's own only"
        await aki.post("/api/calls/stop", {})
        assert (await aki.get("/api/calls"))["browsers"] == 0
        await ben.post("/api/delete")
        assert await server.services.store.subscriptions(ben.id) == []


async def test_no_browser_is_called_after_its_session_ended(tmp_path: Path) -> None:
    async with (
        push_service() as push,
        in_process_server(tmp_path, calls_here=True) as server,
        friends(server, "Aki") as (aki,),
        asyncio.timeout(TIMEOUT),
    ):

        async def browsers() -> int:
            return len(await server.services.store.subscriptions(aki.id))

        subscription = {"endpoint": push.endpoint(), **push.keys}
        first, second, third = ("a long password", "another password", "the third password")
        (code, *_) = (await aki.post("/api/register", {"login": "aki", "password": first}))["codes"]
        await aki.post("/api/calls", subscription)
        await aki.post("/api/password", {"present": first, "password": second})
        assert await browsers() == 0, "perhaps that of a thief"
        await aki.post("/api/calls", subscription)
        await aki.post("/api/recover", {"login": "aki", "code": code, "password": third})
        assert await browsers() == 0
        await aki.post("/api/calls", subscription)
        await aki.post("/api/sign-out")
        assert await browsers() == 0, "others may use this browser next"


BAD_ENDPOINTS = [
    "http://push.example/x", "https://127.0.0.1/x", "https://[::1]/x", "https://10.0.0.1/x",
    "https://localhost/x", "https://push.example:8443/x", "https://a@push.example/x", "ftp://x.y/",
    "https://2130706433/x", "https:///x", "https://push.example/é", "x" * 20, "https://x.y/#a",
    "https://[/", "https://push.example/" + "x" * 1000, "https://push.example/a\r\nb",
    "https://push..example/x", f"https://{'x' * 64}.example/x",
]  # fmt: skip


async def test_endpoints_and_keys_of_elsewhere_are_refused(tmp_path: Path) -> None:
    async with (
        push_service() as push,
        in_process_server(tmp_path) as server,
        friends(server, "Aki") as (aki,),
        asyncio.timeout(TIMEOUT),
    ):
        for endpoint in (*BAD_ENDPOINTS, push.endpoint()):
            with pytest.raises(ApiError):
                outgoing.check_url(endpoint)
        good = {"endpoint": "https://push.example/x", **push.keys}
        for wrong in (
            {"endpoint": push.endpoint()}, {"p256dh": "AAAA"}, {"auth": "AAAA"}, {"auth": "é"},
            {"p256dh": base64url(b"\x04" + bytes(64))},
        ):  # fmt: skip
            answer = await aki.client.post("/api/calls", json={**good, **wrong})
            assert (answer.status_code, answer.json()["code"]) == (422, "malformed"), wrong
        for endpoint in (*BAD_ENDPOINTS, "https://push.example/\0"):
            answer = await aki.client.post("/api/calls/stop", json={"endpoint": endpoint})
            assert answer.status_code == 422, "PostgreSQL cannot even look for some of them"
        assert (await aki.post("/api/calls", good))["browsers"] == 1
        async with httpx.AsyncClient(base_url=server.url, timeout=TIMEOUT) as nobody:
            assert (await nobody.get("/api/calls")).status_code == 401


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "fe80::1", "::ffff:10.0.0.1",
                "100.64.0.1", "224.0.0.1", "0.0.0.0", "fd00::1", "64:ff9b::10.0.0.1",
                "2002:a00:1::1", "::10.0.0.1", "fec0::1", "2001::1"],
)  # fmt: skip
async def test_a_name_that_leads_inside_is_not_asked(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if one of several addresses is public: the name may be malicious."""
    found = [(0, 0, 0, "", ("1.1.1.1", 443)), (0, 0, 0, "", (address, 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    assert not outgoing.is_public(address)
    with pytest.raises(outgoing.Unreachable, match="not a public address"):
        await outgoing.send("https://push.example/x", {}, b"")


async def test_names_that_are_never_resolved_delay_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Strangers name them. asyncio has six threads on two cores, for pages and passwords, too."""
    is_over = threading.Event()

    def resolve(*_: object, **__: object) -> Any:
        is_over.wait(TIMEOUT)
        raise socket.gaierror(socket.EAI_AGAIN, "no answer")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    names = (f"https://slow{number}.example/" for number in range(40))
    asked = [asyncio.create_task(outgoing.send(name, {}, b"")) for name in names]
    try:
        await asyncio.sleep(0)  # let all of them ask
        async with asyncio.timeout(TIMEOUT / 2):
            assert await asyncio.to_thread(lambda: "a page") == "a page"
    finally:
        is_over.set()
        answers = await asyncio.gather(*asked, return_exceptions=True)
    assert all(isinstance(one, outgoing.Unreachable) for one in answers)


def test_public_addresses_are_public() -> None:
    assert outgoing.is_public("1.1.1.1")
    assert outgoing.is_public("2606:4700:4700::1111")
    assert outgoing.is_public("64:ff9b::1.1.1.1"), "NAT64, by which networks without IPv4 reach it"


def test_the_example_of_the_standard() -> None:
    """RFC 8291, appendix A."""
    own = ec.derive_private_key(
        int.from_bytes(from_base64url("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")), CURVE
    )
    browser = (
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    )
    made = encrypted_with(
        b"When I grow up, I want to be a watermelon", from_base64url(browser),
        from_base64url("BTBZMqHH6r4Tts7J_aSIgg"), own, from_base64url("DGv6ra1nlYgDCS1FRnbzlw"),
    )  # fmt: skip
    assert base64url(made) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmY"
        "WAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexS"
        "gSxsj_Qulcy4a-fN"
    )


def test_servers_with_one_secret_have_one_key() -> None:
    one, same, other = VapidKey(b"a" * 32), VapidKey(b"a" * 32), VapidKey(b"b" * 32)
    assert one.public == same.public != other.public
    assert len(from_base64url(one.public)) == 65
