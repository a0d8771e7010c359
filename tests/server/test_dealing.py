"""The deal in two phases: hashes of nonces first, then the nonces, and the record of it.

A test moves the time: `Clock` takes the place of `asyncio.sleep` in the deal's timer.
"""

import asyncio
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from tests.server.asgi_server import ApiClient, AsgiServer, asgi_server, play
from tests.server.waits import until
from zashiki.core.match import start
from zashiki.core.record import nonce_hash
from zashiki.core.verify import Verdict, verify
from zashiki.games import catalogue, game_spec
from zashiki.server.errors import ApiError
from zashiki.server.protocol import frames
from zashiki.server.realtime.table_socket import decoded
from zashiki.server.store.errors import Busy, Conflict
from zashiki.server.store.rows import TableRow
from zashiki.server.tables import commands as on
from zashiki.server.tables import dealing
from zashiki.server.tables.connection import Connection
from zashiki.server.tables.handler import handle
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.model import TableDoc
from zashiki.server.tables.views import table_seen

NAMES = ("Aki", "Ben", "Chie", "Eve")
NONCES = [f"{seat + 10:032x}" for seat in range(4)]


class Clock:
    """Time that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.sleepers: list[tuple[float, asyncio.Future[None]]] = []

    async def sleep(self, seconds: float) -> None:
        awake = asyncio.get_running_loop().create_future()
        self.sleepers.append((self.now + seconds, awake))
        await awake

    def move(self, seconds: float) -> None:
        self.now += seconds
        for end, awake in self.sleepers:
            if end <= self.now and not awake.done():
                awake.set_result(None)


async def started(
    server: AsgiServer, people: int, seats: int = 0, guests: Sequence[ApiClient] = ()
) -> tuple[LiveTable, Sequence[ApiClient]]:
    """A table that waits for hashes, with bots on the seats without a person."""
    guests = guests or [await server.guest(name) for name in NAMES[:people]]
    seats = seats or people
    chairs = [{"kind": "open"}] * people + [{"kind": "bot", "bot": "random"}] * (seats - people)
    made = await guests[0].post(
        "/api/tables", {"game": "red-town", "seats": seats, "chairs": chairs}, 201
    )
    id = made["table"]["id"]
    for seat, guest in enumerate(guests[1:], 1):
        await guest.post(f"/api/tables/{id}/sit", {"seat": seat})
    await guests[0].post(f"/api/tables/{id}/start")
    return await server.services.registry.find(id), guests


def commitment_of(table: LiveTable) -> str:
    found = table_seen(table).commitment
    assert found is not None
    return found


def hash_of(table: LiveTable, seat: int, nonce: str | None = None) -> str:
    return nonce_hash(commitment_of(table), seat, NONCES[seat] if nonce is None else nonce)


async def give_hashes(table: LiveTable, *seats: int) -> None:
    for seat in seats:
        await handle(table, on.Ready(seat, hash_of(table, seat)))


async def reveal(table: LiveTable, *seats: int) -> None:
    for seat in seats:
        await handle(table, on.Reveal(seat, NONCES[seat]))


async def refused(table: LiveTable, command: on.Command) -> str:
    with pytest.raises(ApiError) as fault:
        await handle(table, command)
    return fault.value.code


def header_of(table: LiveTable) -> dict[str, Any]:
    assert table.match_row is not None
    return table.match_row.header


# The two phases --------------------------------------------------------------------------------


async def test_no_nonce_is_asked_for_before_all_hashes_are_on_disk(server: AsgiServer) -> None:
    table, guests = await started(server, 2)
    line = Connection(guests[0].id, 0)

    def shown() -> list[Any]:
        """Return the lists of hashes that were sent to the connection."""
        return [json.loads(frame).get("table", {}).get("hashes") for frame in line.waiting]

    await handle(table, on.Arrive(line, frames.Hello()))
    written: list[TableRow] = []
    change_table = table.store.change_table

    async def noted(row: TableRow) -> None:
        assert not any(shown())
        await change_table(row)
        written.append(row)

    table.store.change_table = noted  # type: ignore[method-assign]
    await give_hashes(table, 0)
    assert await refused(table, on.Reveal(0, NONCES[0])) == "too-early"
    assert table_seen(table).hashes is None
    await give_hashes(table, 1)
    fixed = [hash_of(table, seat) for seat in range(2)]
    kept = msgspec.convert(written[-1].doc, TableDoc).dealing
    assert kept is not None
    assert (kept.is_fixed, kept.hashes_of(table.doc.chairs)) == (True, fixed)
    assert shown()[-1] == fixed
    assert table.live is None
    table.store.change_table = change_table  # type: ignore[method-assign]
    await reveal(table, 0, 1)
    assert header_of(table)["hashes"] == fixed
    assert header_of(table)["nonces"] == NONCES[:2]
    table.leave(line)


async def test_answers_that_wait_for_another_are_one_write(server: AsgiServer) -> None:
    """Each is answered by itself: a wrong one harms nobody."""
    table, _ = await started(server, 3)
    before = table.row.version
    answers = [on.Ready(seat, hash_of(table, seat)) for seat in range(3)]
    answers.insert(2, on.Ready(0, "ab" * 32))
    done = await asyncio.gather(
        *(handle(table, answer) for answer in answers), return_exceptions=True
    )
    refused = done.pop(2)
    assert isinstance(refused, ApiError)
    assert (refused.code, done) == ("hash-given", [None] * 3)
    assert table.doc.dealing is not None
    assert table.doc.dealing.is_fixed
    assert table.row.version - before == (2 if table.context.is_shared else 1)


async def test_a_conflict_while_dealing_loses_no_nonce(
    server: AsgiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another server may change the row, and not deal."""
    table, _ = await started(server, 2)
    await give_hashes(table, 0, 1)
    begin_match, tries = table.store.begin_match, 0

    async def conflicts_once(*given: Any) -> None:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise Conflict
        await begin_match(*given)

    monkeypatch.setattr(table.store, "begin_match", conflicts_once)
    await reveal(table, 0, 1)
    assert tries == 2
    assert header_of(table)["nonces"] == NONCES[:2]


async def test_answers_in_memory_outlive_the_failed_write_of_their_list(
    server: AsgiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Clients give them once. Servers that share a store keep none in memory."""
    table, _ = await started(server, 3)
    if table.context.is_shared:
        pytest.skip("servers that share a store write each answer")
    change_table, tries = table.store.change_table, 0

    async def fails_once(row: TableRow) -> None:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise Busy
        await change_table(row)

    monkeypatch.setattr(table.store, "change_table", fails_once)
    answers = [on.Ready(seat, hash_of(table, seat)) for seat in range(3)]
    done = await asyncio.gather(*(handle(table, one) for one in answers), return_exceptions=True)
    assert [type(one) for one in done[1:]] == [Busy, Busy]
    await handle(table, on.NonceTimeout(is_fixed=False))
    assert table.doc.dealing is not None
    assert table.doc.dealing.hashes_of(table.doc.chairs) == [one.hash for one in answers]


async def test_only_the_nonce_that_was_hashed_for_this_seat_and_deal_is_taken(
    server: AsgiServer,
) -> None:
    table, _ = await started(server, 2)
    await handle(table, on.Ready(0, hash_of(table, 0)))
    assert await refused(table, on.Ready(0, "ab" * 32)) == "hash-given"
    await handle(table, on.Ready(0, hash_of(table, 0)))
    await handle(table, on.Ready(0))  # a second page without a nonce takes nothing back
    assert await refused(table, on.Ready(1, "ABC")) == "malformed"
    await handle(table, on.Ready(1, nonce_hash(commitment_of(table), 0, NONCES[0])))
    assert await refused(table, on.Reveal(1, NONCES[0])) == "other-nonce", "a copied hash"
    assert await refused(table, on.Ready(1, hash_of(table, 1))) == "too-late"
    assert await refused(table, on.Reveal(0, "00")) == "malformed"
    assert await refused(table, on.Reveal(0, NONCES[1])) == "other-nonce"
    await handle(table, on.Ready(0, hash_of(table, 0)))
    await reveal(table, 0, 0)
    assert table.live is None
    await handle(table, on.NonceTimeout(is_fixed=False))
    assert table.live is None, "the time of the first phase ends no second one"
    await handle(table, on.NonceTimeout(is_fixed=True))
    assert header_of(table)["gave"] == ["nonce", "withheld"]
    assert await refused(table, on.Reveal(1, NONCES[1])) == "not-starting"


async def test_each_phase_has_its_time(server: AsgiServer, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(dealing, "sleep", clock.sleep)
    table, _ = await started(server, 3)
    await asyncio.sleep(0)
    await give_hashes(table, 0, 1)
    clock.move(9.9)
    await asyncio.sleep(0.01)
    assert table_seen(table).hashes is None
    clock.move(0.2)
    await until(lambda: table_seen(table).hashes is not None)
    assert [seat.ready for seat in table_seen(table).seats] == [False, False, True]
    await reveal(table, 0)
    clock.move(9.9)
    await asyncio.sleep(0.01)
    assert table.live is None
    clock.move(0.2)
    await until(lambda: table.live is not None)
    header = header_of(table)
    assert header["gave"] == ["nonce", "withheld", "none"]
    assert header["nonces"] == [NONCES[0], "", ""]
    hashes = [nonce_hash(header["commitment"], seat, NONCES[seat]) for seat in range(2)]
    assert header["hashes"] == [*hashes, ""]


async def test_who_withholds_or_gives_none_is_named_for_ever(server: AsgiServer) -> None:
    table, guests = await started(server, 3)
    await give_hashes(table, 0, 1)
    await handle(table, on.Ready(2))
    await reveal(table, 0)
    await handle(table, on.NonceTimeout(is_fixed=True))
    await play(server, table.row.id)
    record = (await guests[0].client.get(f"/api/tables/{table.row.id}/record")).text
    report = verify(record, catalogue())
    assert report.nonces.message.key == "nonce-withheld"
    assert report.nonces.verdict is Verdict.NOT_JUDGED
    assert "withheld the nonce: 2;" in report.nonces.text  # people count seats from 1
    assert json.loads(record.splitlines()[0])["gave"] == ["nonce", "withheld", "none"]


async def test_a_client_of_one_phase_counts_as_giving_none_and_delays_nobody(
    server: AsgiServer,
) -> None:
    table, _ = await started(server, 2)
    old = decoded('{"do":"ready","key":"r","nonce":"00ff"}')
    assert isinstance(old, frames.Ready)
    await handle(table, on.Ready(0, old.hash))
    await give_hashes(table, 1)
    await reveal(table, 1)
    assert header_of(table)["gave"] == ["none", "nonce"]


async def test_bots_have_no_nonces(server: AsgiServer) -> None:
    table, _ = await started(server, 1, seats=3)
    await give_hashes(table, 0)
    assert table_seen(table).hashes == [hash_of(table, 0), None, None]
    assert not table_seen(table).seats[0].ready
    await reveal(table, 0)
    assert header_of(table)["gave"] == ["nonce", "bot", "bot"]
    guest = await server.guest("Dan")
    chairs = [{"kind": "bot", "bot": "random"}] * 3
    wanted = {"game": "red-town", "seats": 3, "chairs": chairs}
    id = (await guest.post("/api/tables", wanted, 201))["table"]["id"]
    await guest.post(f"/api/tables/{id}/start")
    alone = header_of(await server.services.registry.find(id))
    assert (alone["zashiki"], "hashes" in alone) == (1, False), "nobody could take part"


# One commitment per table ----------------------------------------------------------------------


async def test_a_table_has_one_commitment_whatever_its_host_does(server: AsgiServer) -> None:
    table, (aki, ben, *_) = await started(server, 2)
    path, first = f"/api/tables/{table.row.id}", commitment_of(table)
    for phase in (give_hashes, reveal):
        assert await aki.refused(f"{path}/start", None, 409) == "table-started"
        assert await aki.refused(f"{path}/close", None, 409) == "table-started"
        assert await ben.refused(f"{path}/stand", None, 409) == "table-started"
        assert await aki.refused(f"{path}/remove", {"seat": 1}, 409) == "table-started"
        assert commitment_of(table) == first
        await phase(table, 0, 1)
    assert await aki.refused(f"{path}/start", None, 409) == "table-started"
    assert header_of(table)["commitment"] == first


async def test_a_restart_in_each_phase_changes_nothing(tmp_path: Path) -> None:
    async with asgi_server(tmp_path) as server:
        table, _ = await started(server, 2)
        id, first = table.row.id, commitment_of(table)
        await give_hashes(table, 0)
    async with asgi_server(tmp_path) as server:
        table = await server.services.registry.find(id)
        assert (commitment_of(table), table_seen(table).hashes) == (first, None)
        await give_hashes(table, 0, 1)  # a client that comes back sends the same
        fixed = table_seen(table).hashes
        await reveal(table, 0)
    async with asgi_server(tmp_path) as server:
        table = await server.services.registry.find(id)
        assert (commitment_of(table), table_seen(table).hashes) == (first, fixed)
        assert await refused(table, on.Ready(0, "ab" * 32)) == "too-late"
        await reveal(table, 0, 1)
        assert header_of(table)["gave"] == ["nonce", "nonce"]
        assert (header_of(table)["commitment"], header_of(table)["hashes"]) == (first, fixed)
    async with asgi_server(tmp_path) as server:
        table = await server.services.registry.find(id)
        assert table.live is not None
        assert table.live.match.header.hashes == tuple(fixed or ())


# A player who reads the database ---------------------------------------------------------------


def tens(table: Sequence[bytes], nonces: list[str], seat: int = 3) -> int:
    """Return how many tens a seat is dealt from this seed and these nonces."""
    seed, salt = table
    match = start(game_spec("red-town"), 4, {}, seed, (), nonces, salt)
    (dealt,) = [fact for fact in match.facts(seat) if fact.name == "dealt"]
    return sum(card in ("R10", "B10") for card in cast("list[str]", dealt.arguments["cards"]))


async def test_a_player_who_reads_the_store_and_sends_last_has_only_the_usual_cards(
    server: AsgiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hand gets 2.5 of 10 tens on average. In one phase, the best of 40 nonces gets 5."""
    count = iter(range(10_000))

    def secret(_: object) -> bytes:
        return hashlib.sha256(f"secret {next(count)}".encode()).digest()

    monkeypatch.setattr(type(server.system), "secret", secret)
    choices = [hashlib.sha256(f"choice {one}".encode()).hexdigest()[:32] for one in range(40)]
    wished, usual, withheld = [], [], []
    guests: Sequence[ApiClient] = ()
    for number in range(16):
        table, guests = await started(server, 4, guests=guests)
        others = [secret(None).hex()[:32] for _ in range(3)]
        for seat, nonce in enumerate(others):
            await handle(table, on.Ready(seat, hash_of(table, seat, nonce)))
        read = await table.store.table(table.row.id)  # Eve reads it before she has to send anything
        assert read is not None
        known = msgspec.convert(read.doc, TableDoc).dealing
        assert known is not None
        mine = max(choices, key=lambda one: tens(known.secrets, ["", "", "", one]))
        await handle(table, on.Ready(3, hash_of(table, 3, mine)))
        for seat, nonce in enumerate(others):
            await handle(table, on.Reveal(seat, nonce))
        best = max(choices, key=lambda one: tens(known.secrets, [*others, one]))
        wished.append(tens(known.secrets, [*others, best]))
        if best != mine:
            assert await refused(table, on.Reveal(3, best)) == "other-nonce"
            assert await refused(table, on.Ready(3, hash_of(table, 3, best))) == "too-late"
        if number % 2:
            await handle(table, on.NonceTimeout(is_fixed=True))
            withheld.append(header_of(table)["gave"][3])
        else:
            await handle(table, on.Reveal(3, mine))
            assert header_of(table)["gave"] == ["nonce"] * 4
            usual.append(tens(known.secrets, header_of(table)["nonces"]))
    assert sum(wished) / len(wished) > 4.5, "what she would have been dealt in one phase"
    assert 1.5 < sum(usual) / len(usual) < 3.5
    assert withheld == ["withheld"] * 8
