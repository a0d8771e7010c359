"""Two worlds that differ only in what a reader cannot know give it the same bytes.

The public part of the news is the same bytes for all seats and spectators too, in both worlds.

Only two things are normalised: the commitment (a hash of seed and salt, the same constant in both
worlds) and the header `date` (the clock of the machine, which the server does not read). Ids,
tokens and the clock come from the same source in both worlds. The handshake of a WebSocket is not
compared, because it depends on randomness that the client sends.
"""

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

import zashiki
from tests.server.guests import Guest, Talk, agree
from tests.server.in_process_server import FixedSystem, InProcessServer, in_process_server
from tests.server.match_pairs import (
    SALT,
    MatchPair,
    Reader,
    Script,
    as_seen_by_mover,
    pair_by_choice,
    pair_by_deal,
)
from tests.server.waits import TIMEOUT, connect
from zashiki.core import record

LONG = pytest.mark.long
CHOICES = [
    ("kamiza-second", 3, "all"),
    ("kingdoms", 2, 0),
    pytest.param("kamiza-second", 4, 0, marks=LONG),
    pytest.param("kamiza-2014", 4, 1, marks=LONG),
    pytest.param("red-town", 3, 0, marks=LONG),
    pytest.param("kingdoms", 2, "all", marks=LONG),
]
DEALS = [
    ("red-town", 3, 1),
    pytest.param("kingdoms", 2, 0, marks=LONG),
    pytest.param("red-town", 5, "all", marks=LONG),
]
POLLED = 12
"""Actions between two rounds of requests for everything over HTTP."""

EARLY = ("/sights?seat=0", "/sights?seat=1&language=ja", "/sights?seat=all")
"""Requests that are refused until the end, for everyone."""

Seen = list[tuple[str, bytes]]


class Parts(msgspec.Struct):
    """News in their two parts, each as raw bytes."""

    public: msgspec.Raw
    own: msgspec.Raw


class World(FixedSystem):
    """Deals from a given seed; everything else is as in the other world."""

    def __init__(self, seed: bytes) -> None:
        super().__init__()
        self.secrets = iter((seed, SALT))
        self.is_dealing = False

    def secret(self) -> bytes:
        return next(self.secrets) if self.is_dealing else super().secret()


@pytest.fixture(autouse=True)
def _one_commitment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "commit", lambda *_: "c" * 64)


@pytest.mark.parametrize(("game", "seats", "reader"), CHOICES)
async def test_a_choice_that_is_not_shown(
    tmp_path: Path, game: str, seats: int, reader: Reader
) -> None:
    pair = pair_by_choice(game, seats, reader)
    assert pair is not None
    assert pair.scripts[0] != pair.scripts[1]
    await compare(tmp_path, pair)


@pytest.mark.parametrize(("game", "seats", "reader"), DEALS)
async def test_a_deal_that_is_not_shown(
    tmp_path: Path, game: str, seats: int, reader: Reader
) -> None:
    pair = pair_by_deal(game, seats, reader)
    assert pair is not None
    assert pair.seeds[0] != pair.seeds[1]
    await compare(tmp_path, pair)


async def test_the_comparison_would_notice(tmp_path: Path) -> None:
    """The seat that makes the choice sees it, and its bytes differ."""
    pair = pair_by_choice("kamiza-second", 3, 0)
    assert pair is not None
    with pytest.raises(AssertionError, match="differ"):
        await compare(tmp_path, as_seen_by_mover(pair))


async def compare(folder: Path, pair: MatchPair) -> None:
    one, other = [
        await lived(folder / str(number), pair, seed, script)
        for number, (seed, script) in enumerate(zip(pair.seeds, pair.scripts, strict=True))
    ]
    for place, (left, right) in enumerate(zip(one, other, strict=False)):
        assert left == right, f"item {place} differs"
    assert len(one) == len(other), "the numbers of items differ"
    assert len(one) > 10


async def lived(folder: Path, pair: MatchPair, seed: bytes, script: Script) -> Seen:
    """Return everything that the reader and a stranger get while a script is played."""
    system = World(seed)
    async with in_process_server(folder, system) as server, asyncio.timeout(TIMEOUT):
        guests = [await Guest(server, f"Guest {seat}").come() for seat in range(pair.seats)]
        watcher = await Guest(server, "Watcher").come()
        wanted = {"game": pair.game, "seats": pair.seats}
        table = (await guests[0].post("/api/tables", wanted))["table"]["id"]
        for seat, guest in enumerate(guests[1:], 1):
            await guest.post(f"/api/tables/{table}/sit", {"seat": seat})
        system.is_dealing = True
        await guests[0].post(f"/api/tables/{table}/start")
        system.is_dealing = False
        readers = [watcher]
        if isinstance(pair.reader, int):
            readers.append(guests[pair.reader])
        seen = await played(server, table, guests, readers, script, pair.game)
        for guest in (*guests, watcher):
            await guest.client.aclose()
        return seen


class Ear:
    """A reader's socket that keeps every frame as raw bytes."""

    def __init__(self, name: str, talk: Talk, seen: Seen, questions: list[str]) -> None:
        self.name = name
        self.talk = talk
        self.seen = seen
        self.questions = questions
        """Actions of the game, one of which it asks about each time."""
        self.asked = 0

    async def listen(self) -> None:
        """Read all frames until the answer to its own question, which shows that none is left."""
        action = self.questions[self.asked % len(self.questions)]
        self.asked += 1
        key = f"heard {self.asked}"
        await self.talk.send(do="why_not", key=f"why {self.asked}", action=action)
        await self.talk.send(do="why_not", key=key, action="nothing like an action")
        while True:
            frame = await asyncio.wait_for(self.talk.connection.recv(decode=False), TIMEOUT)
            assert isinstance(frame, bytes)
            self.seen.append((self.name, frame))
            if b'"is":"answer"' in frame and f'"{key}"'.encode() in frame:
                return


async def played(
    server: InProcessServer,
    table: str,
    guests: list[Guest],
    readers: list[Guest],
    script: Script,
    game: str,
) -> Seen:
    """Each reader listens in one language, and also in the other one and without views."""
    seen: Seen = []
    others: Seen = []
    talks = [await opened(server, table, guest) for guest in guests]
    questions = some_actions(game, len(guests))

    async def ear(name: str, guest: Guest, seen: Seen = seen, **hello: Any) -> Ear:
        return Ear(name, await opened(server, table, guest, **hello), seen, questions)

    english: dict[str, Any] = {"language": "en", "version": 2}
    ears = [await ear(guest.name, guest, **english) for guest in readers]
    ears += [await ear(f"{guest.name} ja", guest, language="ja", views=False) for guest in readers]
    ears += [
        await ear(guest.name, guest, others, **english) for guest in guests if guest not in readers
    ]
    try:
        await agree(talks)
        taken = [0] * len(guests)
        for number, (seat, action) in enumerate(script):
            if number % POLLED == 0:
                seen += await polled(server, table, guests, readers)
            taken[seat] += 1
            play = {"do": "play", "decision": taken[seat], "action": action}
            assert (await talks[seat].answered(f"k{number}", **play))["ok"]
            for one in ears:
                await one.listen()
        seen += await polled(server, table, guests, readers)
        late = [await ear(f"{guest.name} again", guest, language="ja") for guest in readers]
        late += [
            await ear(f"{guest.name} {have}", guest, have=have, **english)
            for guest in readers
            for have in (0, 3)
        ]
        ears += late
        for one in late:
            await one.listen()
        seen += shared([*seen, *others], [guest.name for guest in {*guests, *readers}])
    finally:
        for talk in (*talks, *(one.talk for one in ears)):
            await talk.connection.close()
    return seen


def shared(seen: Seen, names: list[str]) -> Seen:
    """Return the public parts, after checking that all seats and spectators got the same."""
    parts = {name: publics(frame for who, frame in seen if who == name) for name in names}
    first, *rest = parts.values()
    assert len(first) >= 3
    assert len(rest) > 1
    for name, public in parts.items():
        assert public == first, f"the public part for {name} differs"
    return [("everybody", public) for public in first]


def publics(frames: Iterable[bytes]) -> list[bytes]:
    """Return the public parts of the news among some frames, as raw bytes."""
    told = (frame for frame in frames if b'"is":"told"' in frame)
    return [bytes(msgspec.json.decode(frame, type=Parts).public) for frame in told]


def some_actions(game: str, seats: int) -> list[str]:
    actions = sorted(zashiki.start(game, seats=seats).game.by_text)
    return actions[:: max(1, len(actions) // 20)]


async def opened(server: InProcessServer, table: str, guest: Guest, **hello: Any) -> Talk:
    """Connect one after the other, so that everyone is welcomed in the same order."""
    url = f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket"
    talk = Talk(await connect(url, max_queue=None, additional_headers=guest.session))
    await talk.send(do="hello", **hello)
    await talk.until("welcome")
    return talk


async def polled(
    server: InProcessServer, table: str, guests: list[Guest], readers: list[Guest]
) -> Seen:
    """Return everything available over HTTP, to each reader and to a stranger."""
    match = (await readers[0].get(f"/api/tables/{table}"))["match"]
    paths = ["/api/tables", "/api/me", "/health", "/api/session", "/api/my-tables", "/api/my-turns"]
    paths += [
        f"/api/tables/{table}{rest}" for rest in ("", "/record", "/record?seat=0", "/nothing")
    ]
    paths += [
        f"/api/matches/{match}{rest}"
        for rest in ("", "/record", "?seat=0", "?seat=all&step=1", *EARLY)
    ]
    paths += [f"/api/players/{guest.id}{rest}" for guest in guests[:2] for rest in ("", "/matches")]
    paths.append("/api/leaderboard?game=kingdoms&seats=2")
    seen: Seen = []
    async with httpx.AsyncClient(base_url=server.url, timeout=TIMEOUT) as stranger:
        clients = [("stranger", stranger), *((guest.name, guest.client) for guest in readers)]
        for name, client in clients:
            for path in paths:
                answer = await client.get(path)
                head = sorted(pair for pair in answer.headers.raw if pair[0].lower() != b"date")
                assert answer.status_code < 429
                assert answer.status_code == 409 or "/sights" not in path
                seen.append((f"{name} {path}", repr((answer.status_code, head)).encode()))
                seen.append((f"{name} {path}", answer.content))
    return seen
