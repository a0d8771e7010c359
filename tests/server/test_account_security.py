"""Accounts against attackers: passwords, recovery codes, lock-outs, tokens of bots."""

import subprocess
import sys

import pytest

from tests.server.asgi_server import ApiClient, AsgiServer
from tests.server.test_players import (
    ADDRESS,
    PASSWORD,
    AccountsHarness,
    _harness,  # noqa: F401 (a fixture)
    refusal,
)
from zashiki.bots.names import house_names
from zashiki.server.accounts.passwords import is_common
from zashiki.server.accounts.tokens import COOKIE, DAY_SECONDS, DEVICE_COOKIE, SIGN_IN_PATH
from zashiki.server.protocol import frames
from zashiki.server.tables import commands as on
from zashiki.server.tables.connection import Connection
from zashiki.server.tables.handler import handle

NEW = "tanuki drinks tea"
OWN = {"login": "aki", "password": "correct horse"}


async def bot_of(client: ApiClient, name: str = "R2", **more: object) -> dict[str, object]:
    made: dict[str, object] = await client.post("/api/bot-tokens", {"name": name, **more}, 201)
    return made


# Changing the password --------------------------------------------------------------------------


async def test_a_new_password_ends_every_other_session_and_the_tokens_of_bots(
    server: AsgiServer,
) -> None:
    aki = await server.account("aki")
    other = server.api_client()
    await other.post("/api/sign-in", OWN)
    bot = server.program(str((await bot_of(aki))["token"]))
    await bot.get("/api/me")
    wrong = {"present": "not this one", "password": NEW}
    assert await aki.refused("/api/password", wrong, 403) == "wrong-password"
    await other.get("/api/me")
    await aki.post("/api/password", {"present": OWN["password"], "password": NEW})
    assert (await aki.get("/api/me"))["login"] == "aki"  # this session continues
    assert await other.refused("/api/me", None, 401, "GET") == "no-session"
    assert await bot.refused("/api/me", None, 401, "GET") == "no-session"
    fresh = server.api_client()
    assert await fresh.refused("/api/sign-in", OWN, 401) == "sign-in"
    await fresh.post("/api/sign-in", {**OWN, "password": NEW})


async def test_tokens_of_bots_are_kept_if_their_owner_says_so(server: AsgiServer) -> None:
    aki = await server.account("aki")
    bot = server.program(str((await bot_of(aki))["token"]))
    change = {"present": OWN["password"], "password": NEW, "keep_bots": True}
    await aki.post("/api/password", change)
    assert (await bot.get("/api/me"))["name"] == "R2"


async def test_a_guest_and_a_bot_have_no_password_to_change(server: AsgiServer) -> None:
    guest, aki = await server.guest("Ben"), await server.account("aki")
    bot = server.program(str((await bot_of(aki))["token"]))
    change = {"present": OWN["password"], "password": NEW}
    assert await guest.refused("/api/password", change, 403) == "accounts-only"
    assert await bot.refused("/api/password", change, 403) == "scope"


async def test_sockets_of_the_old_sessions_are_closed(server: AsgiServer) -> None:
    aki = await server.account("aki")
    made = await bot_of(aki)
    wanted = {"game": "kamiza-second", "seats": 3}
    table_id = (await aki.post("/api/tables", wanted, 201))["table"]["id"]
    table = await server.services.registry.find(table_id)
    player = made["player"]
    assert isinstance(player, dict)
    lines = [Connection(aki.id, None), Connection(player["id"], None)]
    for line in lines:
        await handle(table, on.Arrive(line, frames.Hello()))
    await aki.post("/api/password", {"present": OWN["password"], "password": NEW})
    assert [line.is_open for line in lines] == [False, False]
    assert b'"again":true' in lines[0].waiting[-1]  # other tabs have the new session already
    for line in lines:
        table.leave(line)


# Common passwords -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "password",
    ["password", "12345678", "PASSWORD1", "P@ssw0rd!", "!!sunshine99", "qwertyuiop", "hanako123",
     "Hanako2026!", "iloveyou2"],
)  # fmt: skip
async def test_a_common_password_is_refused_wherever_one_is_set(
    harness: AccountsHarness, password: str
) -> None:
    guest, _ = await harness.accounts.create_guest("Hanako")
    refused = await refusal(harness.accounts.register(guest, "hanako", password))
    assert (refused.status, refused.code) == (400, "common-password")
    account, codes = await harness.accounts.register(guest, "hanako", PASSWORD)
    for asked in (
        harness.accounts.change_password(account, PASSWORD, password),
        harness.accounts.recover("hanako", codes[0], password, ADDRESS),
    ):
        assert (await refusal(asked)).code == "common-password"
    await harness.accounts.recover("hanako", codes[0], NEW, ADDRESS)  # the code was not used up


@pytest.mark.parametrize("password", [PASSWORD, NEW, "ふるいけや蛙飛び", "x" * 200, "kq7-w2m-93x"])
def test_other_passwords_are_not_common(password: str) -> None:
    assert not is_common(password, "hanako", "Hanako")


def test_the_list_of_passwords_is_not_loaded_before_it_is_needed() -> None:
    code = "import sys, zashiki.server.app; print('zxcvbn' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


# Recovery codes ---------------------------------------------------------------------------------


async def test_a_recovery_code_opens_the_account_once(server: AsgiServer) -> None:
    aki = await server.guest("Aki")
    codes = (await aki.post("/api/register", OWN))["codes"]
    assert len(set(codes)) == 8
    bot = server.program(str((await bot_of(aki))["token"]))
    lost = server.api_client()
    first = {"login": "AKI", "code": codes[0].lower().replace("-", " "), "password": NEW}
    me = await lost.post("/api/recover", first)
    assert (me["id"], me["codes_left"], me["codes"]) == (aki.id, 7, [])
    assert (await lost.get("/api/me"))["login"] == "aki"
    assert await aki.refused("/api/me", None, 401, "GET") == "no-session"  # all sessions ended
    assert await bot.refused("/api/me", None, 401, "GET") == "no-session"
    assert await lost.refused("/api/recover", first, 401) == "recovery"
    wrong = {**first, "code": "AAAAA-BBBBB-CCCCC-DDDDD"}
    assert await lost.refused("/api/recover", wrong, 401) == "recovery"
    assert await lost.refused("/api/recover", {**first, "login": "ben"}, 401) == "recovery"


async def test_codes_are_kept_as_hashes_and_shown_once(server: AsgiServer) -> None:
    aki = await server.guest("Aki")
    codes = (await aki.post("/api/register", OWN))["codes"]
    row = await server.services.store.player(aki.id)
    assert row is not None
    assert row.recovery is not None
    assert not any(code in str(row.recovery) or code in repr(row) for code in codes)
    assert (await aki.get("/api/me"))["codes"] == []
    assert (await aki.get("/api/me"))["codes_left"] == 8


async def test_new_codes_need_the_password_and_end_the_old_ones(server: AsgiServer) -> None:
    aki = await server.guest("Aki")
    old = (await aki.post("/api/register", OWN))["codes"]
    path = "/api/recovery-codes"
    assert await aki.refused(path, {"password": "not this one"}, 403) == "wrong-password"
    new = (await aki.post(path, {"password": OWN["password"]}))["codes"]
    assert not set(new) & set(old)
    lost = server.api_client()
    asked = {"login": "aki", "password": NEW}
    assert await lost.refused("/api/recover", {**asked, "code": old[0]}, 401) == "recovery"
    await lost.post("/api/recover", {**asked, "code": new[0]})


# Lock-outs that cannot be aimed -----------------------------------------------------------------


async def failures(harness: AccountsHarness, count: int, first: int = 0) -> list[str]:
    """Attack a login from this many addresses."""
    return [
        (await refusal(harness.accounts.sign_in("hanako", "wrong", f"198.51.{n // 250}.{n % 250}")))
        .code
        for n in range(first, first + count)
    ]  # fmt: skip


async def test_failures_of_others_do_not_lock_a_known_browser_out(
    harness: AccountsHarness,
) -> None:
    account, session = await harness.account()
    device = harness.accounts.device_token(account)
    assert "too-many" in await failures(harness, 60)
    stranger = await refusal(harness.accounts.sign_in("hanako", PASSWORD, "192.0.2.8"))
    assert stranger.code == "too-many"  # the attack is slowed down
    await harness.accounts.sign_in("hanako", PASSWORD, "192.0.2.8", device)
    assert await harness.accounts.of_token(session) is not None  # nor is a session touched
    changed, _, _ = await harness.accounts.change_password(account, PASSWORD, NEW)
    assert changed.epoch == account.epoch + 1


async def test_a_recovery_code_is_a_way_in_while_the_login_is_attacked(
    harness: AccountsHarness,
) -> None:
    guest, _ = await harness.accounts.create_guest("Hanako")
    _, codes = await harness.accounts.register(guest, "hanako", PASSWORD)
    assert "too-many" in await failures(harness, 60)
    row, _ = await harness.accounts.recover("hanako", codes[0], NEW, "192.0.2.8")
    assert row.id == guest.id


async def test_delays_grow_and_end(harness: AccountsHarness) -> None:
    await harness.account()
    waits = []
    for _ in range(16):
        refused = await refusal(harness.accounts.sign_in("hanako", "wrong", ADDRESS))
        if refused.code == "too-many":
            waits.append(refused.details["retry_after"])
            harness.system.at += float(str(refused.details["retry_after"]))
    assert waits == [1, 2, 4]  # refused attempts do not count, those after the wait do
    for _ in range(40):
        refused = await refusal(harness.accounts.sign_in("hanako", "wrong", ADDRESS))
        if refused.code == "too-many":
            harness.system.at += float(str(refused.details["retry_after"]))
            waits.append(refused.details["retry_after"])
    assert max(waits, key=lambda wait: float(str(wait))) == 900
    harness.system.at += 1801
    await harness.accounts.sign_in("hanako", PASSWORD, ADDRESS)


async def test_a_known_browser_is_delayed_for_its_own_failures_only(
    harness: AccountsHarness,
) -> None:
    account, _ = await harness.account()
    other, _ = await harness.account("taro")
    device = harness.accounts.device_token(account)
    for _ in range(10):
        await refusal(harness.accounts.sign_in("hanako", "wrong", ADDRESS, device))
    locked = await refusal(harness.accounts.sign_in("hanako", PASSWORD, ADDRESS, device))
    assert locked.code == "too-many"
    await harness.accounts.sign_in("hanako", PASSWORD, ADDRESS)  # the address was not counted
    stolen = harness.accounts.device_token(other)  # says nothing about another login
    assert await failures(harness, 60)
    refused = await refusal(harness.accounts.sign_in("hanako", PASSWORD, "192.0.2.9", stolen))
    assert refused.code == "too-many"


async def test_a_session_is_no_device_and_a_device_no_session(harness: AccountsHarness) -> None:
    account, session = await harness.account()
    device = harness.accounts.device_token(account)
    assert harness.sessions.read_device(session) is None
    assert await harness.accounts.of_token(device) is None
    harness.system.at += 366 * DAY_SECONDS
    assert harness.sessions.read_device(device) is None


async def test_a_browser_is_known_after_it_signed_in(server: AsgiServer) -> None:
    aki = await server.account("aki")
    kept = [cookie for cookie in aki.client.cookies.jar if cookie.name == DEVICE_COOKIE]
    assert [(cookie.path, cookie.has_nonstandard_attr("HttpOnly")) for cookie in kept] == [
        (SIGN_IN_PATH, True)
    ]


# Bots of players --------------------------------------------------------------------------------


async def test_a_token_does_what_its_scopes_say(server: AsgiServer) -> None:
    aki = await server.account("aki")
    wanted = {"game": "kamiza-second", "seats": 3}
    table = (await aki.post("/api/tables", wanted, 201))["table"]["id"]
    reader = server.program(str((await bot_of(aki, "R1", scopes=["read"]))["token"]))
    player = server.program(str((await bot_of(aki, "R2", scopes=["play"]))["token"]))
    sitter = server.program(str((await bot_of(aki, "R3", scopes=["sit"]))["token"]))
    assert (await reader.get("/api/me"))["name"] == "R1"
    await reader.post(f"/api/tables/{table}/ticket", None, 201)
    assert await reader.refused(f"/api/tables/{table}/sit", {"seat": 1}, 403) == "scope"
    assert await player.refused("/api/me", None, 403, "GET") == "scope"
    assert await player.refused("/api/tables", wanted, 403) == "scope"
    await sitter.post(f"/api/tables/{table}/sit", {"seat": 1})
    assert await sitter.refused(f"/api/tables/{table}/ticket", None, 403) == "scope"
    for path, body in (("rename", {"name": "X"}), ("delete", None), ("sign-out", None)):
        assert await sitter.refused(f"/api/{path}", body, 403) == "scope"
    assert await aki.refused("/api/bot-tokens", {"name": "R4", "scopes": []}, 422) == "malformed"
    assert await aki.refused("/api/bot-tokens", {"name": "R4", "scopes": ["all"]}, 400)


async def test_the_token_of_a_bot_lives_as_long_as_is_said(server: AsgiServer) -> None:
    aki = await server.account("aki")
    made = await bot_of(aki)
    assert made["expires"] == server.system.now() + 30 * DAY_SECONDS
    (listed,) = await aki.get("/api/bot-tokens")
    assert (listed["expires"], listed["scopes"]) == (made["expires"], ["sit", "play", "read"])
    bot = server.program(str(made["token"]))
    server.system.at += 29 * DAY_SECONDS
    assert (await bot.get("/api/me"))["token"] is None  # it does not renew itself
    server.system.at += 2 * DAY_SECONDS
    assert await bot.refused("/api/me", None, 401, "GET") == "no-session"
    player = made["player"]
    assert isinstance(player, dict)
    renewed = await aki.post(f"/api/bot-tokens/{player['id']}/renew", {"scopes": ["read"]})
    assert renewed["player"] == player
    assert (await server.program(renewed["token"]).get("/api/me"))["id"] == player["id"]
    again = await aki.post(f"/api/bot-tokens/{player['id']}/renew", {})
    old = server.program(renewed["token"])
    assert await old.refused("/api/me", None, 401, "GET") == "no-session"
    assert again["scopes"] == ["sit", "play", "read"]
    ben = await server.account("ben")
    assert await ben.refused(f"/api/bot-tokens/{player['id']}/renew", {}, 404) == "no-bot"


async def test_signing_out_ends_the_tokens_of_bots(server: AsgiServer) -> None:
    aki = await server.account("aki")
    bot = server.program(str((await bot_of(aki))["token"]))
    await aki.post("/api/sign-out")
    assert await bot.refused("/api/me", None, 401, "GET") == "no-session"
    await aki.post("/api/sign-in", OWN)
    (listed,) = await aki.get("/api/bot-tokens")  # the bot stays, and can get a new token
    assert listed["expires"] is None


@pytest.mark.parametrize(
    "name",
    ["Haru", "haru", "ＨＡＲＵ", "Haru B", "ハル", "ﾊﾙ", "ハル B", "Master", "master", "Master C",
     "名人ボット", "名人ボットC", "Sensible"],
)  # fmt: skip
async def test_no_bot_of_a_player_is_called_like_one_of_the_house(
    server: AsgiServer, name: str
) -> None:
    aki = await server.account("aki")
    assert await aki.refused("/api/bot-tokens", {"name": name}, 400) == "house-name"
    await server.guest(name)  # a person may


def test_every_name_of_the_house_is_known() -> None:
    assert len(house_names("en")) == len(house_names("ja")) > 10


async def test_the_cookie_of_a_session_is_renewed_by_a_change(server: AsgiServer) -> None:
    aki = await server.account("aki")
    before = aki.client.cookies[COOKIE]
    await aki.post("/api/password", {"present": OWN["password"], "password": NEW})
    assert aki.client.cookies[COOKIE] != before
