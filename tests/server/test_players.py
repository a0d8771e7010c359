import asyncio
import threading
import traceback
from collections.abc import AsyncIterator, Awaitable
from pathlib import Path
from typing import Literal

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import InvalidHashError, VerificationError, VerifyMismatchError

from tests.server.stores import store_for
from tests.server.waits import TIMEOUT
from zashiki.server.accounts import players
from zashiki.server.accounts.players import Accounts, dummy_hash
from zashiki.server.accounts.tokens import Sessions
from zashiki.server.errors import ApiError
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import PlayerRow
from zashiki.server.system import System

KEY = bytes(range(32))
PASSWORD = "correct horse"
ADDRESS = "192.0.2.7"


class Standing(System):
    """A clock that stays fixed until it is moved."""

    def __init__(self) -> None:
        self.at = 1_800_000_000.0

    def now(self) -> float:
        return self.at

    def monotonic(self) -> float:
        return self.now()


class Counting(PasswordHasher):
    """A weak hasher, for quick tests; it records its calls and their threads."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.verified: list[str] = []
        self.may_go_on = threading.Event()
        self.may_go_on.set()
        self.threads: set[int] = set()
        self.lock = threading.Lock()
        self.at_work = 0
        self.most_at_work = 0

    def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:
        self.verified.append(str(hash))
        self.may_go_on.wait(TIMEOUT)
        self.threads.add(threading.get_ident())
        with self.lock:
            self.at_work += 1
            self.most_at_work = max(self.most_at_work, self.at_work)
        try:
            return super().verify(hash, password)
        finally:
            with self.lock:
                self.at_work -= 1


class AccountsHarness:
    """Accounts on a store, with a clock and a hasher that tests control."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.system = Standing()
        self.hasher = Counting()
        self.sessions = Sessions(KEY, self.system)
        self.accounts = Accounts(store, self.system, self.sessions, self.hasher)

    async def account(self, login: str = "hanako") -> tuple[PlayerRow, str]:
        row, token = await self.accounts.create_guest("Hanako")
        account, _ = await self.accounts.register(row, login, PASSWORD)
        return account, token


@pytest.fixture(name="harness")
async def _harness(tmp_path: Path) -> AsyncIterator[AccountsHarness]:
    store = store_for(tmp_path)
    await store.open()
    try:
        yield AccountsHarness(store)
    finally:
        await store.close()


async def refusal(asked: Awaitable[object]) -> ApiError:
    with pytest.raises(ApiError) as refused:
        await asked
    refused.value.text.encode("utf-8")  # it can be sent
    return refused.value


# Guests -----------------------------------------------------------------------------------------


async def test_a_guest_is_known_by_the_token(harness: AccountsHarness) -> None:
    row, token = await harness.accounts.create_guest("座敷 童子")
    assert (row.kind, row.name, row.login, row.password) == ("guest", "座敷 童子", None, None)
    assert row.created == harness.system.at
    assert await harness.accounts.of_token(token) == row
    other, _ = await harness.accounts.create_guest("座敷 童子")
    assert other.id != row.id


@pytest.mark.parametrize("name", ["", " ", " a", "a\n", "a\tb", "x" * 25, "a\u202eb", "\ud800"])
async def test_a_name_is_1_to_24_plain_characters(harness: AccountsHarness, name: str) -> None:
    problem = await refusal(harness.accounts.create_guest(name))
    assert (problem.status, problem.code) == (400, "bad-name")
    row, token = await harness.accounts.create_guest("x" * 24)
    assert (await refusal(harness.accounts.rename(row, name))).code == "bad-name"
    assert await harness.accounts.of_token(token) == row


async def test_no_other_token_is_anybody(harness: AccountsHarness) -> None:
    row, token = await harness.accounts.create_guest("Hanako")
    others = Sessions(bytes(32), harness.system)
    for wrong in ("", token[:-1], others.issue(row.id, 0), harness.sessions.issue("nobody", 0)):
        assert await harness.accounts.of_token(wrong) is None
    assert await harness.accounts.of_token(harness.sessions.issue(row.id, 1)) is None
    harness.system.at += 181 * 24 * 60 * 60
    assert await harness.accounts.of_token(token) is None


# Accounts ---------------------------------------------------------------------------------------


async def test_a_guest_becomes_an_account_and_keeps_id_and_session(
    harness: AccountsHarness,
) -> None:
    guest, token = await harness.accounts.create_guest("Hanako")
    account, _ = await harness.accounts.register(guest, "HanaKo_1-x", PASSWORD)
    assert (account.id, account.name, account.kind) == (guest.id, "Hanako", "account")
    assert account.login == "hanako_1-x"
    assert await harness.accounts.of_token(token) == account
    again, new = await harness.accounts.sign_in("HANAKO_1-X", PASSWORD, ADDRESS)
    assert (again.id, again.login) == (account.id, account.login)
    assert await harness.accounts.of_token(new) == again


async def test_a_hash_has_its_own_salt(harness: AccountsHarness) -> None:
    hashes = {(await harness.account(login))[0].password for login in ("one", "two")}
    assert len(hashes) == 2
    assert all(hashed and hashed.startswith("$argon2id$") for hashed in hashes)


@pytest.mark.parametrize(
    "login", ["", "ab", "x" * 25, "a b", "a.b", "abc\n", "花子花子", "a" * 1000, "\ud800abc"]
)
async def test_a_login_is_3_to_24_simple_characters(harness: AccountsHarness, login: str) -> None:
    guest, _ = await harness.accounts.create_guest("Hanako")
    problem = await refusal(harness.accounts.register(guest, login, PASSWORD))
    assert (problem.status, problem.code) == (400, "bad-login")
    assert await harness.store.player(guest.id) == guest
    assert (await refusal(harness.accounts.sign_in(login, PASSWORD, ADDRESS))).code == "sign-in"


@pytest.mark.parametrize("password", ["", "1234567", "x" * 201, "\ud800" * 10])
async def test_a_password_is_8_to_200_characters(harness: AccountsHarness, password: str) -> None:
    guest, _ = await harness.accounts.create_guest("Hanako")
    problem = await refusal(harness.accounts.register(guest, "hanako", password))
    assert (problem.status, problem.code) == (400, "bad-password")
    assert password == "" or password not in problem.text
    await harness.accounts.register(guest, "hanako", "x" * 200)
    assert (await refusal(harness.accounts.sign_in("hanako", password, ADDRESS))).code == "sign-in"


async def test_keyboards_that_write_an_accent_differently_agree(harness: AccountsHarness) -> None:
    guest, _ = await harness.accounts.create_guest("Hanako")
    await harness.accounts.register(guest, "hanako", "caf\u00e9 \u304c caf\u00e9")
    await harness.accounts.sign_in("hanako", "cafe\u0301 \u304b\u3099 cafe\u0301", ADDRESS)


async def test_a_login_belongs_to_one(harness: AccountsHarness) -> None:
    await harness.account("hanako")
    other, _ = await harness.accounts.create_guest("Taro")
    problem = await refusal(harness.accounts.register(other, "HANAKO", PASSWORD))
    assert (problem.status, problem.code) == (409, "login-taken")
    assert "hanako" in problem.text
    assert await harness.store.player(other.id) == other
    await harness.accounts.register(other, "taro", PASSWORD)


async def test_of_many_who_want_a_login_at_once_one_gets_it(harness: AccountsHarness) -> None:
    guests = [(await harness.accounts.create_guest(f"Guest {number}"))[0] for number in range(8)]
    done = await asyncio.gather(
        *(harness.accounts.register(guest, "hanako", PASSWORD) for guest in guests),
        return_exceptions=True,
    )
    won = [made[0] for made in done if not isinstance(made, BaseException)]
    lost = [problem.code for problem in done if isinstance(problem, ApiError)]
    assert (len(won), lost) == (1, ["login-taken"] * 7)
    assert await harness.store.player_by_login("hanako") == won[0]


async def test_only_a_guest_registers_and_only_once(harness: AccountsHarness) -> None:
    guest, _ = await harness.accounts.create_guest("Hanako")
    account, _ = await harness.accounts.register(guest, "hanako", PASSWORD)
    for row in (account, guest):  # also a request with outdated values
        problem = await refusal(harness.accounts.register(row, "other", PASSWORD))
        assert (problem.status, problem.code) == (409, "not-a-guest")
    assert await harness.store.player(guest.id) == account


# Signing in -------------------------------------------------------------------------------------


async def test_an_unknown_login_takes_the_same_path_as_a_wrong_password(
    harness: AccountsHarness,
) -> None:
    account, _ = await harness.account("hanako")
    told = []
    for login in ("hanako", "nobody", "no such login"):
        problem = await refusal(harness.accounts.sign_in(login, "wrong password", ADDRESS))
        told.append((problem.status, problem.code, problem.text, problem.details))
    assert told[0] == told[1] == told[2]
    assert told[0][:2] == (401, "sign-in")
    known, unknown, malformed = harness.hasher.verified
    assert known == account.password
    assert unknown == malformed != known
    assert unknown.split("$")[:4] == known.split("$")[:4]  # the same work


async def test_who_is_deleted_or_a_bot_or_a_guest_has_no_login(harness: AccountsHarness) -> None:
    account, _ = await harness.account("hanako")
    await harness.accounts.create_guest("Guest")
    await harness.accounts.delete(account)
    for login in ("hanako", "", "None", "guest"):
        problem = await refusal(harness.accounts.sign_in(login, PASSWORD, ADDRESS))
        assert problem.code == "sign-in"


@pytest.mark.parametrize("damaged", ["$argon2id$v=19$m=8,t=1,p=1$mangled", "mangled"])
async def test_a_damaged_hash_is_our_fault_and_not_shown(
    harness: AccountsHarness, damaged: str
) -> None:
    await harness.store.add_player(PlayerRow("x", "account", "Hanako", "hanako", damaged, 0.0))
    with pytest.raises((VerificationError, InvalidHashError)) as fault:
        await harness.accounts.sign_in("hanako", PASSWORD, ADDRESS)
    assert "mangled" not in "".join(traceback.format_exception(fault.value))


async def test_passwords_are_hashed_beside_the_loop_and_few_at_once(
    harness: AccountsHarness,
) -> None:
    tries = [
        refusal(harness.accounts.sign_in("nobody", "wrong", f"192.0.2.{n}")) for n in range(30)
    ]
    assert {problem.code for problem in await asyncio.gather(*tries)} == {"sign-in"}
    assert threading.get_ident() not in harness.hasher.threads
    assert harness.hasher.most_at_work <= 2


async def test_a_crowd_is_sent_away(
    harness: AccountsHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players, "MAX_WAITING", 5)
    harness.hasher.may_go_on.clear()
    tries = [
        asyncio.create_task(refusal(harness.accounts.sign_in(f"no-{n}", "wrong", ADDRESS)))
        for n in range(20)
    ]
    async with asyncio.timeout(TIMEOUT):
        while sum(one.done() for one in tries) < 15:
            await asyncio.sleep(0.01)
    harness.hasher.may_go_on.set()
    busy = [problem for problem in await asyncio.gather(*tries) if problem.code == "busy"]
    assert len(busy) == 15
    assert all(problem.status == 503 for problem in busy)
    assert len(harness.hasher.verified) == 5
    assert (await refusal(harness.accounts.sign_in("no-0", "wrong", ADDRESS))).code == "sign-in"


async def test_tries_are_counted_by_login_and_address(harness: AccountsHarness) -> None:
    await harness.account("hanako")

    async def tried(login: str, address: str = ADDRESS) -> str:
        return (await refusal(harness.accounts.sign_in(login, "wrong password", address))).code

    assert [await tried("hanako") for _ in range(10)] == ["sign-in"] * 10
    assert await tried("HANAKO") == "too-many"
    problem = await refusal(harness.accounts.sign_in("hanako", PASSWORD, ADDRESS))
    assert (problem.status, problem.details) == (429, {"retry_after": 1})
    assert len(harness.hasher.verified) == 10  # a refused attempt costs nothing
    assert await tried("other") == "sign-in"
    await harness.accounts.sign_in("hanako", PASSWORD, "192.0.2.8")  # the player is not locked out
    harness.system.at += 1
    await harness.accounts.sign_in("hanako", PASSWORD, ADDRESS)


async def test_unknown_logins_are_counted_just_so(harness: AccountsHarness) -> None:
    for login in ("nobody", "no such login"):
        codes = [
            (await refusal(harness.accounts.sign_in(login, "wrong", ADDRESS))).code
            for _ in range(11)
        ]
        assert codes == ["sign-in"] * 10 + ["too-many"]


async def test_one_address_cannot_try_all_logins_nor_all_addresses_one(
    harness: AccountsHarness,
) -> None:
    async def tried(login: str, address: str) -> str:
        return (await refusal(harness.accounts.sign_in(login, "wrong", address))).code

    by_address = [await tried(f"login-{n}", f"2001:db8::{n}") for n in range(51)]
    assert by_address == ["sign-in"] * 50 + ["too-many"]  # one network of IPv6
    by_login = [await tried("hanako", f"192.0.2.{n}") for n in range(51)]
    assert by_login == ["sign-in"] * 50 + ["too-many"]


# Changing and leaving ---------------------------------------------------------------------------


async def test_signing_out_ends_all_sessions(harness: AccountsHarness) -> None:
    account, first = await harness.account()
    _, second = await harness.accounts.sign_in("hanako", PASSWORD, ADDRESS)
    await harness.accounts.end_sessions(account)
    for token in (first, second):
        assert await harness.accounts.of_token(token) is None
    assert await harness.accounts.of_epoch(account.id, account.epoch) is None
    row, third = await harness.accounts.sign_in("hanako", PASSWORD, ADDRESS)
    assert row.epoch == account.epoch + 1
    assert await harness.accounts.of_token(third) == row


async def test_an_ended_session_changes_nothing_more(harness: AccountsHarness) -> None:
    guest, _ = await harness.accounts.create_guest("Hanako")
    await harness.accounts.end_sessions(guest)
    kept = await harness.store.player(guest.id)
    for asked in (
        harness.accounts.rename(guest, "Taro"),
        harness.accounts.register(guest, "hanako", PASSWORD),
        harness.accounts.end_sessions(guest),
        harness.accounts.delete(guest),
    ):
        problem = await refusal(asked)
        assert (problem.status, problem.code) == (401, "signed-out")
    assert await harness.store.player(guest.id) == kept


async def test_a_player_is_renamed(harness: AccountsHarness) -> None:
    account, token = await harness.account()
    renamed = await harness.accounts.rename(account, "Taro")
    assert (renamed.name, renamed.login, renamed.id) == ("Taro", "hanako", account.id)
    assert await harness.accounts.of_token(token) == renamed


async def test_who_is_deleted_leaves_an_id_and_no_more(harness: AccountsHarness) -> None:
    account, token = await harness.account()
    await harness.accounts.delete(account)
    row = await harness.store.player(account.id)
    assert row is not None
    assert (row.name, row.login, row.password, row.deleted) == ("—", None, None, True)
    assert row.epoch == account.epoch + 1
    assert await harness.accounts.of_token(token) is None
    assert await harness.accounts.of_token(harness.sessions.issue(row.id, row.epoch)) is None
    assert (await refusal(harness.accounts.rename(row, "Taro"))).code == "signed-out"
    again, _ = await harness.account("hanako")  # the login is free again
    assert again.id != account.id


async def test_changes_at_once_do_not_undo_each_other(harness: AccountsHarness) -> None:
    guest, _ = await harness.accounts.create_guest("Hanako")
    await asyncio.gather(
        harness.accounts.register(guest, "hanako", PASSWORD),
        *(harness.accounts.rename(guest, f"Hanako {number}") for number in range(20)),
    )
    row = await harness.store.player(guest.id)
    assert row is not None
    assert (row.kind, row.login, row.name) == ("account", "hanako", "Hanako 19")
    done = await asyncio.gather(
        harness.accounts.end_sessions(row),
        *(harness.accounts.rename(row, f"Taro {number}") for number in range(20)),
        return_exceptions=True,
    )
    assert [type(late) for late in done[1:]] == [ApiError] * 20
    now = await harness.store.player(guest.id)
    assert now is not None
    assert (now.epoch, now.name) == (row.epoch + 1, "Hanako 19")


# Secrets ----------------------------------------------------------------------------------------


async def test_hashes_and_passwords_are_never_shown(harness: AccountsHarness) -> None:
    account, token = await harness.account()
    other, _ = await harness.accounts.create_guest("Taro")
    shown = [repr(account), str(account), repr([account]), f"{account}", repr(harness.accounts)]
    for asked in (
        harness.accounts.register(other, "hanako", PASSWORD),
        harness.accounts.register(account, "hanako", PASSWORD),
        harness.accounts.register(other, "x", PASSWORD),
        harness.accounts.sign_in("hanako", PASSWORD + "!", ADDRESS),
        harness.accounts.sign_in("nobody", PASSWORD, ADDRESS),
    ):
        problem = await refusal(asked)
        said = [problem.text, repr(problem), str(problem.details)]
        shown += [*said, "".join(traceback.format_exception(problem))]
    for text in shown:
        assert "argon2id$" not in text
        assert PASSWORD not in text
        assert token not in text


def test_an_unknown_login_is_checked_at_the_cost_of_a_known_one() -> None:
    """Its hash is not computed: it names the same parameters, and no password has it."""
    hasher = PasswordHasher()
    dummy = dummy_hash(hasher, System())
    assert extract_parameters(dummy) == extract_parameters(hasher.hash(PASSWORD))
    assert not hasher.check_needs_rehash(dummy)
    assert dummy != dummy_hash(hasher, System())
    with pytest.raises(VerifyMismatchError):
        hasher.verify(dummy, PASSWORD)


async def test_a_real_hash_is_a_strong_one(harness: AccountsHarness) -> None:
    people = Accounts(harness.store, harness.system, harness.sessions)
    guest, _ = await people.create_guest("Hanako")
    account, _ = await people.register(guest, "hanako", PASSWORD)
    assert account.password is not None
    assert account.password.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    row, _ = await people.sign_in("hanako", PASSWORD, ADDRESS)
    assert row.id == account.id
