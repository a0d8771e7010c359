"""Reviews of finished matches: who sees them, who makes them, and when."""

import asyncio
import random
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from msgspec.structs import replace

import zashiki
from tests.server.asgi_server import AsgiServer, asgi_server, play, seated
from tests.server.guests import Guest
from tests.server.in_process_server import InProcessServer, in_process_server
from tests.server.waits import TIMEOUT
from zashiki.analysis import reviewing
from zashiki.analysis.result import FORMAT, REVIEWER, Account, Review, SeatReview
from zashiki.analysis.reviewing import FACTOR, MAX_PLAYOUTS, MIN_PLAYOUTS, review_match
from zashiki.games import game_spec
from zashiki.server.bots import review_process
from zashiki.server.bots import reviews as queued
from zashiki.server.bots.review_process import ReviewJob, reviews
from zashiki.server.bots.reviews import (
    LOOK_SECONDS,
    MAX_FAILURES,
    MAX_WANTED_PER_READER,
    ReviewQueue,
)
from zashiki.server.bots.worker import Worker
from zashiki.server.bots.worker_link import WorkerLink
from zashiki.server.protocol.workers import REVIEWS, ReviewMatch, StopReview
from zashiki.server.store.rows import ReviewRow
from zashiki.server.tables import commands as on
from zashiki.server.tables.handler import handle

GAME = "kamiza-second"
SEATS = 3
FIRST = 1
"""Number of reviews at once that a worker of these tests offers."""


async def finished(server: AsgiServer, **settings: Any) -> tuple[str, list[Any]]:
    """Play a match to its end. Return its id and its players."""
    people = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    return await play(server, await seated(server, GAME, people, **settings)), people


async def record_of(server: AsgiServer, match: str) -> str:
    return (await server.api_client().client.get(f"/api/matches/{match}/record")).text


async def reviewed(server: AsgiServer, match: str) -> Review:
    """Return a short review of a match."""
    return review_match(zashiki.replay(await record_of(server, match)), playouts=MIN_PLAYOUTS)


NOTHING = Account(*[0.0] * 12)
EMPTY = Review(
    FORMAT, REVIEWER, GAME, 1, game_spec(GAME).check_options(None, SEATS),
    ("Aki", "Ben", "Chie"), "", True, MIN_PLAYOUTS, 0,
    tuple(SeatReview(seat, (), (), NOTHING) for seat in range(SEATS)),
)  # fmt: skip
"""A review without decisions, for tests of where it goes."""


def told(worker: WorkerLink) -> list[Any]:
    """Return the orders that wait to be sent to a worker."""
    return [worker.orders.get_nowait() for _ in range(worker.orders.qsize())]


def joined(queue: ReviewQueue) -> WorkerLink:
    worker = WorkerLink(0, FIRST)
    queue.add_worker(worker)
    return worker


# Readers -----------------------------------------------------------------------------------------


async def test_nothing_of_a_review_is_told_or_made_before_the_end(server: AsgiServer) -> None:
    people = [await server.guest(name) for name in ("Aki", "Ben", "Chie")]
    id = await play(server, await seated(server, GAME, people), actions=4)
    for client in (*people, server.api_client()):
        assert await client.refused(f"/api/matches/{id}/review", None, 409, "GET") == "not-over"
    token = server.program(server.services.dispatcher.token)
    assert await token.refused(f"{REVIEWS}/{id}", None, 409, "GET") == "not-over"
    assert server.services.reviews.wanted == {}


@pytest.mark.parametrize("is_public", [True, False])
async def test_who_played_sees_a_review_and_others_only_of_a_public_table(
    server: AsgiServer, is_public: bool
) -> None:
    id, people = await finished(server, public=is_public)
    await server.services.reviews.keep(id, EMPTY, False)
    for client in people:
        assert (await client.get(f"/api/matches/{id}/review"))["playouts"] == MIN_PLAYOUTS
    for other in (server.api_client(), await server.guest("Dai")):
        if is_public:
            assert (await other.get(f"/api/matches/{id}/review"))["seats"]
        else:
            code = await other.refused(f"/api/matches/{id}/review", None, 403, "GET")
            assert code == "not-shown"


async def test_the_answer_says_in_words_what_the_review_says(server: AsgiServer) -> None:
    id, (aki, *_) = await finished(server)
    review = await reviewed(server, id)
    await server.services.reviews.keep(id, review, False)
    known = await aki.get(f"/api/matches/{id}/review?known={MIN_PLAYOUTS}")
    assert known == {"is_finished": False, "playouts": MIN_PLAYOUTS, "seats": None}
    for language, word in (("en", "the"), ("ja", "出す")):
        answer = await aki.get(f"/api/matches/{id}/review?language={language}")
        assert answer["playouts"] == MIN_PLAYOUTS
        for seat, expected in zip(answer["seats"], review.seats, strict=True):
            account, whole = seat["account"], expected.account
            assert whole is not None
            parts = ("start", "own", "cards", "others", "unseen")
            total = sum(account[part]["value"] for part in parts) + account["remainder"]
            assert total == pytest.approx(account["result"]) == whole.result
            assert [one["act"] for one in seat["decisions"]] == [
                one.act for one in expected.decisions
            ]
            worst = [seat["decisions"][place]["act"] for place in seat["moments"]]
            assert worst == [one.act for one in expected.worst]
            assert seat["curve"] == list(expected.curve)
        texts = [one["played_text"] for seat in answer["seats"] for one in seat["decisions"]]
        assert any(word in text.lower() for text in texts), texts


async def test_a_match_of_older_rules_is_not_reviewed(
    server: AsgiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    id, (aki, *_) = await finished(server)
    found = await server.services.store.match(id)
    assert found is not None
    found.header["rules_version"] -= 1

    async def older(_: str) -> Any:
        return found

    monkeypatch.setattr(server.services.store, "match", older)
    assert await aki.refused(f"/api/matches/{id}/review", None, 409, "GET") == "old-rules"
    assert server.services.reviews.wanted == {}


async def test_only_a_worker_reads_and_sends(server: AsgiServer) -> None:
    id, (aki, *_) = await finished(server)
    path = f"{REVIEWS}/{id}"
    for client in (aki, server.api_client(), server.program("forged")):
        assert await client.refused(path, None, 403, "GET") == "not-a-worker"
        assert await client.refused(path, {}, 403) == "not-a-worker"
    worker = server.program(server.services.dispatcher.token)
    assert (await worker.client.get(path)).text == await record_of(server, id)
    bad_ones: list[Any] = [{}, [], {"format": 1}]
    for bad in bad_ones:
        assert await worker.refused(path, bad, 422) == "malformed"
    review = EMPTY
    one_seat = await worker.client.post(path, content=review_of_one_seat(review))
    assert one_seat.status_code == 422
    assert await server.services.store.review(id, REVIEWER) is None
    answer = await worker.client.post(path, content=review.to_json().encode())
    assert answer.json() is False, "nobody looks"
    kept = await server.services.store.review(id, REVIEWER)
    assert kept == ReviewRow(id, REVIEWER, MIN_PLAYOUTS, False, review.to_json())


def review_of_one_seat(review: Review) -> bytes:
    return replace(review, seats=review.seats[:1]).to_json().encode()


# The queue ---------------------------------------------------------------------------------------


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[AsgiServer]:
    async with asgi_server(tmp_path, bots=0) as made:
        yield made


async def test_what_is_looked_at_is_reviewed_and_nothing_else(server: AsgiServer) -> None:
    queue, worker = server.services.reviews, joined(server.services.reviews)
    id, (aki, *_) = await finished(server)
    assert told(worker) == [], "nobody has looked"
    await aki.get(f"/api/matches/{id}/review")
    assert told(worker) == [ReviewMatch(id, MIN_PLAYOUTS)]
    await aki.get(f"/api/matches/{id}/review")
    assert told(worker) == [], "it has been told"
    server.system.at += LOOK_SECONDS + 1
    queue.sweep()
    assert told(worker) == [StopReview(id)], "nobody looks any more"
    queue.end(worker, id)
    assert queue.wanted == {}
    assert worker.reviewing == set()


async def test_a_review_goes_on_from_where_it_was(server: AsgiServer) -> None:
    queue = server.services.reviews
    id, (aki, *_) = await finished(server)
    await queue.keep(id, EMPTY, False)
    worker = joined(queue)
    await aki.get(f"/api/matches/{id}/review")
    assert told(worker) == [ReviewMatch(id, MIN_PLAYOUTS * FACTOR)]
    queue.remove_worker(worker)
    other = joined(queue)
    assert told(other) == [ReviewMatch(id, MIN_PLAYOUTS * FACTOR)], "another worker takes it"


async def test_the_one_with_fewer_playouts_comes_first(server: AsgiServer) -> None:
    queue, worker = server.services.reviews, joined(server.services.reviews)
    first, (aki, *_) = await finished(server)
    await aki.get(f"/api/matches/{first}/review")
    assert told(worker) == [ReviewMatch(first, MIN_PLAYOUTS)]
    review = EMPTY
    assert await queue.keep(first, review, False), "nothing else waits"
    second, (ben, *_) = await finished(server)
    await ben.get(f"/api/matches/{second}/review")
    assert told(worker) == [], "the worker is busy"
    assert not await queue.keep(first, review, False), "another match waits"
    queue.end(worker, first)
    assert told(worker) == [ReviewMatch(second, MIN_PLAYOUTS)]
    assert not await queue.keep(second, review, True), "it is finished"
    queue.end(worker, second)
    assert told(worker) == [ReviewMatch(first, MIN_PLAYOUTS * FACTOR)]
    answer = await ben.get(f"/api/matches/{second}/review")
    assert answer["is_finished"]
    assert list(queue.wanted) == [first]


async def test_a_match_that_fails_again_and_again_is_given_up(server: AsgiServer) -> None:
    queue, worker = server.services.reviews, joined(server.services.reviews)
    id, (aki, *_) = await finished(server)
    await aki.get(f"/api/matches/{id}/review")
    for _ in range(MAX_FAILURES):
        assert told(worker) == [ReviewMatch(id, MIN_PLAYOUTS)]
        queue.end(worker, id)
    assert told(worker) == []
    assert queue.wanted == {}


async def test_a_reader_has_a_few_matches_in_the_queue(server: AsgiServer) -> None:
    queue = server.services.reviews
    ids = [(await finished(server))[0] for _ in range(MAX_WANTED_PER_READER + 1)]
    for id in ids:
        server.system.at += 1
        await queue.look(id, "aki", "192.0.2.1")
    assert list(queue.wanted) == ids[1:], "the one that was looked at first made room"
    for place, reader in ((2, "ben"), (1, "aki"), (3, "aki"), (0, "aki")):
        server.system.at += 1
        await queue.look(ids[place], reader)
    assert ids[2] in queue.wanted, "somebody else looks at it"
    assert queue.wanted[ids[2]].readers == {"ben", "192.0.2.1"}


# Whole -------------------------------------------------------------------------------------------


@asynccontextmanager
async def working(url: str, token: str) -> AsyncIterator[Worker]:
    worker = Worker(url, token, seats=0)
    task = asyncio.create_task(worker.run())
    try:
        yield worker
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def looked_at(guest: Guest, match: str, known: int = 0) -> dict[str, Any]:
    """Return the first review with more playouts than are known."""
    async with asyncio.timeout(TIMEOUT):
        while True:
            found: dict[str, Any] = await guest.get(f"/api/matches/{match}/review?known={known}")
            if found["seats"] is not None:
                return found
            await asyncio.sleep(0.5)


SHORT = 16
"""Playouts of the first review in these tests."""


@pytest.fixture
def short_reviews(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have short reviews made, and by processes whose priority is not lower than that of others."""
    for module in (reviewing, queued):
        monkeypatch.setattr(module, "MIN_PLAYOUTS", SHORT)
    code = (
        f"from zashiki.analysis import reviewing; reviewing.MIN_PLAYOUTS = {SHORT};"
        "from zashiki.server.bots import review_process; review_process.NICENESS = 0;"
        "review_process.main()"
    )
    monkeypatch.setattr(review_process, "CHILD_CODE", code)


@pytest.mark.usefixtures("short_reviews")
async def test_a_worker_reviews_better_and_better_and_goes_on_after_a_kill(tmp_path: Path) -> None:
    async with in_process_server(tmp_path, bots=0) as server:
        guests = [await Guest(server, name).come() for name in ("Aki", "Ben", "Chie")]
        id, token = await played(server, guests), server.services.dispatcher.token
        async with working(server.url, token):
            first = await looked_at(guests[0], id)
        wanted = server.services.reviews.wanted
        assert all(one.worker is None for one in wanted.values()), "it has stopped"
        async with working(server.url, token):
            second = await looked_at(guests[1], id, first["playouts"])
        assert SHORT <= first["playouts"] < second["playouts"]
        row = await server.services.store.review(id, REVIEWER)
        assert row is not None
        match = zashiki.replay((await guests[0].client.get(f"/api/matches/{id}/record")).text)
        expected = review_match(match, playouts=row.playouts)
        assert Review.from_json(row.review) == expected, "a function of record and playouts"
        for guest in guests:
            await guest.client.aclose()


async def played(server: InProcessServer, guests: list[Guest]) -> str:
    """Play a match of these guests to its end, and return its id."""
    wanted = {"game": GAME, "seats": SEATS}
    table: str = (await guests[0].post("/api/tables", wanted))["table"]["id"]
    for seat, guest in enumerate(guests[1:], 1):
        await guest.post(f"/api/tables/{table}/sit", {"seat": seat})
    await guests[0].post(f"/api/tables/{table}/start")
    live = await server.services.registry.find(table)
    for seat in range(SEATS):
        await handle(live, on.Ready(seat, ""))
    return await play(cast(AsgiServer, server), table)


@pytest.mark.usefixtures("short_reviews")
async def test_a_review_process_ends_with_its_worker(tmp_path: Path) -> None:
    """A worker that is killed leaves no process behind."""
    async with in_process_server(tmp_path, bots=0) as server:
        guests = [await Guest(server, name).come() for name in ("Aki", "Ben", "Chie")]
        id = await played(server, guests)
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-c", review_process.CHILD_CODE, stdin=asyncio.subprocess.PIPE
        )
        assert child.stdin is not None
        job = ReviewJob(server.url, server.services.dispatcher.token, id, MAX_PLAYOUTS)
        child.stdin.write(msgspec.json.encode(job) + b"\n")
        await child.stdin.drain()
        child.stdin.close()
        async with asyncio.timeout(TIMEOUT):
            assert await child.wait() == 1
        assert await server.services.store.review(id, REVIEWER) is None
        for guest in guests:
            await guest.client.aclose()


@pytest.mark.usefixtures("short_reviews")
def test_the_last_review_is_the_one_after_which_another_takes_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match, choice = zashiki.start(GAME, SEATS, seed=1), random.Random(1)
    while not match.over:
        seat = choice.choice(sorted(match.to_act))
        match.play(seat, choice.choice(match.legal(seat)))
    record = match.record()
    assert not next(reviews(record, SHORT))[1]
    with monkeypatch.context() as patch:
        patch.setattr(reviewing, "MAX_PLAYOUTS", SHORT)
        assert [last for _, last in reviews(record, SHORT)] == [True]
    monkeypatch.setattr(review_process, "MAX_PASS_SECONDS", 0.0)
    assert [last for _, last in reviews(record, SHORT)] == [True]
