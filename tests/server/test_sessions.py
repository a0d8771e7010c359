import base64
import os
import stat
from pathlib import Path

import msgspec
import pytest

from zashiki.server.accounts.secret_key import BadKey, secret_key
from zashiki.server.accounts.tickets import Tickets
from zashiki.server.accounts.tokens import DAY_SECONDS, Sessions, expired_cookie, session_cookie
from zashiki.server.errors import ApiError
from zashiki.server.ops.addresses import is_address, is_loopback
from zashiki.server.ops.origins import check_origin, check_request
from zashiki.server.system import System

KEY = bytes(range(32))
HOME = frozenset({"https://cards.example"})


class Standing(System):
    """A clock that stays fixed until it is moved."""

    def __init__(self) -> None:
        self.at = 1_800_000_000.0

    def now(self) -> float:
        return self.at


def sessions(system: Standing | None = None, key: bytes = KEY) -> Sessions:
    return Sessions(key, system or Standing())


def payload(*said: object) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode(said)).rstrip(b"=").decode()


# Tokens -----------------------------------------------------------------------------------------


def test_a_token_says_who_and_when() -> None:
    token = sessions().issue("abcdefghij", 3)
    assert token.startswith("v1.")
    assert token.count(".") == 2
    session = sessions().read(token)
    assert session is not None
    assert (session.player, session.epoch, session.issued) == ("abcdefghij", 3, 1_800_000_000)


def test_every_changed_character_is_noticed() -> None:
    token = sessions().issue("abcdefghij", 3)
    for place, character in enumerate(token):
        for other in "Aa0_-.=é\n":
            if other != character:
                assert sessions().read(token[:place] + other + token[place + 1 :]) is None


def test_a_truncated_or_longer_token_is_refused() -> None:
    token = sessions().issue("abcdefghij", 3)
    for length in range(len(token)):
        assert sessions().read(token[:length]) is None
        assert sessions().read(token[length + 1 :]) is None
    for more in ("=", "A", ".", " ", "\n", "\0"):
        assert sessions().read(token + more) is None
        assert sessions().read(more + token) is None


@pytest.mark.parametrize(
    "token", ["", ".", "..", "v1..", "v1.e30.", "\ud800", "é.é.é", "v1." * 40_000, "x" * 100_000]
)
def test_nonsense_is_refused(token: str) -> None:
    assert sessions().read(token) is None


def test_the_parts_of_two_tokens_make_none() -> None:
    mine = sessions().issue("mine", 0).split(".")
    other = sessions().issue("other", 0).split(".")
    assert sessions().read(".".join([other[0], other[1], mine[2]])) is None
    assert sessions().read(".".join(["v2", *mine[1:]])) is None
    assert sessions().read(".".join(["v1", payload("other", 0, 1_800_000_000), mine[2]])) is None


def test_a_token_of_a_later_version_is_not_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as later:
        later.setattr("zashiki.server.accounts.tokens.VERSION", "v2")
        token = sessions().issue("abcdefghij", 0)
        assert sessions().read(token) is not None
    assert sessions().read(token) is None


def test_another_key_makes_other_tokens() -> None:
    assert sessions().read(sessions(key=bytes(32)).issue("abcdefghij", 3)) is None


@pytest.mark.parametrize("key", [b"", b"short", bytes(31)])
def test_a_short_key_is_refused(key: bytes) -> None:
    with pytest.raises(BadKey):
        Sessions(key, Standing())


def test_a_session_ends_after_180_days() -> None:
    system = Standing()
    token = sessions(system).issue("abcdefghij", 0)
    system.at += 180 * DAY_SECONDS
    assert sessions(system).read(token) is not None
    system.at += 1
    assert sessions(system).read(token) is None
    assert sessions(system).renewal(token) is None


def test_a_session_is_renewed_after_a_week() -> None:
    system = Standing()
    keeper = sessions(system)
    token = keeper.issue("abcdefghij", 5)
    system.at += 7 * DAY_SECONDS
    assert keeper.renewal(token) is None
    system.at += 1
    new = keeper.renewal(token)
    assert new is not None
    session = keeper.read(new)
    assert session is not None
    assert (session.player, session.epoch, session.issued) == ("abcdefghij", 5, int(system.at))
    assert keeper.renewal(new) is None


def test_a_clock_that_is_set_back_ends_no_session_but_a_far_future_does() -> None:
    system = Standing()
    token = sessions(system).issue("abcdefghij", 0)
    system.at -= 3600
    assert sessions(system).read(token) is not None
    assert sessions(system).renewal(token) is not None
    system.at -= DAY_SECONDS
    assert sessions(system).read(token) is None


def test_the_key_is_not_shown() -> None:
    shown = repr(sessions())
    assert KEY.hex() not in shown
    assert repr(KEY) not in shown


# The cookie, and requests from elsewhere --------------------------------------------------------


def attributes(header: str) -> set[str]:
    return {part.strip().lower() for part in header.split(";")}


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites() -> None:
    token = sessions().issue("abcdefghij", 0)
    header = session_cookie(token, secure=True).to_header(header="")
    assert header.split(";")[0].strip() == f"zashiki={token}"
    said = attributes(header)
    assert {"httponly", "samesite=lax", "path=/", "secure", f"max-age={180 * DAY_SECONDS}"} <= said
    assert not any(part.startswith("domain") for part in said)
    assert "secure" not in attributes(session_cookie(token, secure=False).to_header(header=""))


def test_the_cookie_can_be_taken_away() -> None:
    said = attributes(expired_cookie(secure=True).to_header(header=""))
    assert {"max-age=0", "path=/", "httponly", "secure", "samesite=lax"} <= said


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("localhost", True),
        ("LocalHost:8000", True),
        ("table.localhost:8000", True),
        ("127.0.0.1", True),
        ("127.3.2.1:80", True),
        ("[::1]:8000", True),
        ("::1", True),
        ("cards.example", False),
        ("localhost.example", False),
        ("127.0.0.1.example", False),
        ("192.168.0.1:8000", False),
        ("0.0.0.0", False),
        ("[2001:db8::1]:8000", False),
        ("[::1]", True),
        ("[::1].evil.example", False),
        ("[::1]:80.evil.example", False),
        ("localhost:80.evil.example", False),
        ("127.0.0.1:evil", False),
        ("", False),
    ],
)
def test_what_is_loopback(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected


def refusal(method: str, marker: str | None, origin: str | None) -> tuple[int, str] | None:
    try:
        check_request(method, marker, origin, HOME)
    except ApiError as problem:
        return (problem.status, problem.code)
    return None


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "get"])
def test_reading_needs_no_header(method: str) -> None:
    assert refusal(method, None, "https://evil.example") is None


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "post", "ODD"])
def test_changing_needs_the_header_and_an_allowed_origin(method: str) -> None:
    assert refusal(method, "1", None) is None
    assert refusal(method, "1", "https://cards.example") is None
    for marker in (None, "", "0", "1 ", "true"):
        assert refusal(method, marker, "https://cards.example") == (403, "header")
    for origin in (
        "https://evil.example",
        "http://cards.example",
        "https://cards.example:444",
        "https://cards.example.evil.example",
        "https://cards.exampl",
        "null",
        "",
    ):
        assert refusal(method, "1", origin) == (403, "origin")


def test_a_socket_is_asked_for_its_origin_too() -> None:
    check_origin(None, HOME)
    check_origin("https://cards.example", HOME)
    with pytest.raises(ApiError):
        check_origin("null", HOME)


# Tickets ----------------------------------------------------------------------------------------


def test_a_ticket_is_used_once() -> None:
    tickets = Tickets(Standing())
    token = tickets.issue("abcdefghij", 2, "t")
    ticket = tickets.redeem_local(token)
    assert ticket is not None
    assert (ticket.player, ticket.epoch, ticket.table) == ("abcdefghij", 2, "t")
    assert tickets.redeem_local(token) is None
    assert len(tickets) == 0


def test_an_unknown_ticket_opens_nothing() -> None:
    tickets = Tickets(Standing())
    token = tickets.issue("abcdefghij", 0, "t")
    for other in ("", token[:-1], token + "A", token.swapcase(), "\ud800"):
        assert tickets.redeem_local(other) is None
    assert tickets.redeem_local(token) is not None


def test_a_ticket_expires_after_30_seconds() -> None:
    system = Standing()
    tickets = Tickets(system)
    early, late = tickets.issue("a", 0, "t"), tickets.issue("b", 0, "t")
    system.at += 30
    assert tickets.redeem_local(early) is not None
    system.at += 0.1
    assert tickets.redeem_local(late) is None
    assert tickets.redeem_local(late) is None


def test_expired_tickets_are_dropped() -> None:
    system = Standing()
    tickets = Tickets(system)
    for _ in range(10):
        tickets.issue("a", 0, "t")
    system.at += 31
    tickets.issue("a", 0, "t")
    assert len(tickets) == 1


def test_tickets_are_bounded_and_the_oldest_goes() -> None:
    tickets = Tickets(Standing(), max_tickets=3)
    tokens = [tickets.issue("a", 0, str(number)) for number in range(5)]
    assert len(tickets) == 3
    used = [tickets.redeem_local(token) for token in tokens]
    assert [ticket and ticket.table for ticket in used] == [None, None, "2", "3", "4"]


# The key ----------------------------------------------------------------------------------------


def test_the_key_is_made_once_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    folder = tmp_path / "made" / "too"
    before = os.umask(0)
    try:
        key = secret_key(folder, Standing())
    finally:
        os.umask(before)
    assert len(key) == 32
    file = folder / "secret.key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert secret_key(folder, Standing()) == key
    assert [path.name for path in folder.iterdir()] == ["secret.key"]
    assert secret_key(tmp_path, Standing()) != key


def test_who_comes_second_takes_the_first_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = secret_key(tmp_path, Standing())
    monkeypatch.setattr(Path, "exists", lambda _: False)
    assert secret_key(tmp_path, Standing()) == first
    assert [path.name for path in tmp_path.iterdir()] == ["secret.key"]


@pytest.mark.parametrize("written", ["", "short", "g" * 64, "ab" * 33, "é" * 64, "１" * 64])
def test_a_bad_key_is_refused_and_not_shown(tmp_path: Path, written: str) -> None:
    file = tmp_path / "secret.key"
    file.write_text(written, "utf-8")
    file.chmod(0o600)
    with pytest.raises(BadKey, match="64 hexadecimal digits") as kept:
        secret_key(tmp_path, Standing())
    assert not written or written not in str(kept.value)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620])
def test_a_key_that_others_can_reach_is_refused(tmp_path: Path, mode: int) -> None:
    key = secret_key(tmp_path, Standing())
    (tmp_path / "secret.key").chmod(mode)
    with pytest.raises(BadKey, match=f"expected mode 600, found {mode:o}") as refused:
        secret_key(tmp_path, Standing())
    assert key.hex() not in str(refused.value)


@pytest.mark.parametrize("host", ["10.0.0.7:8620", "[fe80::1]:8620", "127.0.0.1", "[::1]", "::1"])
def test_a_number_is_an_address(host: str) -> None:
    assert is_address(host)


@pytest.mark.parametrize("host", ["play.example", "localhost:8620", "127.0.0.1.example", ""])
def test_a_name_is_none(host: str) -> None:
    assert not is_address(host)
