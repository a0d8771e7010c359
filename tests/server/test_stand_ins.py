"""People who are away, late or gone for good: bots stand in for as long as needed."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

from tests.server import in_process_server as served
from tests.server.asgi_server import AsgiServer
from tests.server.guests import Guest, RunningServer, Talk
from tests.server.server_process import server_process
from tests.server.simulated_players import check_record
from tests.server.test_bots import QUICK, employed, over, seat_url
from tests.server.waits import TIMEOUT, connect
from zashiki.bots import USUAL
from zashiki.core.match import Match
from zashiki.server.accounts.secret_key import secret_key
from zashiki.server.bots import seat_client
from zashiki.server.bots.pauses import Pause
from zashiki.server.bots.worker import Worker
from zashiki.server.bots.worker_link import worker_token
from zashiki.server.protocol import frames
from zashiki.server.settings import Settings
from zashiki.server.system import System
from zashiki.server.tables import commands as on
from zashiki.server.tables.handler import handle
from zashiki.server.tables.model import bot_id

GRACE = 30.0
LOCAL = "127.0.0.1"
LEVEL = USUAL
"""The default stand-in."""
OPEN, BOT = {"kind": "open"}, {"kind": "bot", "bot": "random"}
Told = dict[str, Any]


class Skipping(System):
    """A fixed clock that is set forward now and then."""

    def __init__(self) -> None:
        self.at = 1_800_000_000.0

    def now(self) -> float:
        return self.at

    def monotonic(self) -> float:
        return self.now()


class Evening:
    """A server whose clock can skip, its guests, and a worker if there is one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.system = Skipping()
        self.server = RunningServer(folder)
        self.guests: list[Guest] = []
        token = worker_token(secret_key(folder, self.system))
        (folder / "worker.token").write_text(token)
        self.token = token

    @asynccontextmanager
    async def serving(self, worker: bool = True, pace: float = 0.0) -> AsyncIterator[None]:
        """Serve again, on the same folder."""
        quick = partial(Settings, bot_pace=pace, proxies=(LOCAL,))
        with patch.object(served, "Settings", quick):
            async with served.in_process_server(self.folder, self.system) as self.server:
                for guest in self.guests:
                    guest.server = self.server
                    guest.client.base_url = self.server.url
                task = asyncio.create_task(self.work(worker))
                try:
                    yield
                finally:
                    task.cancel()
                    await asyncio.gather(task, return_exceptions=True)

    async def work(self, worker: bool) -> None:
        if worker:
            await Worker(self.server.url, self.token).run()

    async def come(self, name: str) -> Guest:
        self.guests.append(await Guest(self.server, name).come())
        return self.guests[-1]

    async def skip(self, seconds: float, table: str) -> None:
        """Let time pass; a visit makes due timers run."""
        self.system.at += seconds
        async with self.guests[-1].socket(table) as talk:
            await talk.until("welcome")


@asynccontextmanager
async def new_evening(folder: Path) -> AsyncIterator[Evening]:
    evening = Evening(folder)
    try:
        async with asyncio.timeout(TIMEOUT):
            yield evening
    finally:
        for guest in evening.guests:
            await guest.client.aclose()


async def opened(guests: list[Guest], game: str, chairs: list[dict[str, str]], **more: Any) -> str:
    """Open a table at which everyone sits."""
    wanted = {"game": game, "seats": len(chairs), "chairs": chairs, **more}
    table: str = (await guests[0].post("/api/tables", wanted))["table"]["id"]
    for seat, guest in enumerate(guests[1:], 1):
        await guest.post(f"/api/tables/{table}/sit", {"seat": seat})
    return table


async def dealt(guests: list[Guest], talks: list[Talk], table: str) -> None:
    await guests[0].post(f"/api/tables/{table}/start")
    for talk in talks:
        assert (await talk.answered("ready", do="ready"))["ok"]


async def shown(talk: Talk, seat: int, until: bool = False, **wanted: Any) -> dict[str, Any]:
    """Return the seat as soon as it is shown like that; with or without a deadline."""
    while True:
        seen: dict[str, Any] = (await talk.until("changed"))["table"]["seats"][seat]
        fits = all(seen[name] == value for name, value in wanted.items())
        if fits and (seen["until"] is not None) == until:
            return seen


async def play(talk: Talk, enough: Callable[[Told], bool]) -> Told:
    """Take the first legal action whenever one is owed, until a condition holds."""
    while True:
        told = await talk.until("told")
        if enough(told):
            return told
        if told["decision"] is not None:
            number, action = told["decision"], told["legal"][0]
            await talk.send(do="play", key=f"own {number}", decision=number, action=action)


def to_the_end(told: Told) -> bool:
    return bool(told["over"])


async def listen(talk: Talk) -> None:
    """Only read, to the end of the match."""
    while not (await talk.until("told"))["over"]:
        pass


async def result(guest: Guest, table: str) -> tuple[Match, dict[str, Any]]:
    """Return the verified match, and its public data."""
    match = check_record((await guest.client.get(f"/api/tables/{table}/record")).text)
    seen = await guest.get(f"/api/tables/{table}")
    return match, (await guest.get(f"/api/matches/{seen['match']}"))["match"]


async def mean(guest: Guest) -> float:
    (rating,) = (await guest.get(f"/api/players/{guest.id}"))["ratings"]
    assert rating["matches"] == 1
    return float(rating["mean"])


# Away ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("restart", [False, True], ids=["", "restarted"])
async def test_a_bot_plays_for_who_is_away_until_they_are_back(
    tmp_path: Path, restart: bool
) -> None:
    async with new_evening(tmp_path) as evening:
        async with evening.serving():
            aki, ben = await evening.come("Aki"), await evening.come("Ben")
            await evening.come("Chie")
            table = await opened([aki, ben], "kamiza-second", [OPEN, OPEN, BOT])
            async with aki.socket(table) as one:
                async with ben.socket(table) as two:
                    await dealt([aki, ben], [one, two], table)
                taken = await stood_in_for(evening, one, table)
            if not restart:
                await back(aki, ben, table, taken)
        if restart:
            async with evening.serving():
                async with aki.socket(table) as one:
                    taken = await stood_in_for(evening, one, table)
                await back(aki, ben, table, taken)


async def stood_in_for(evening: Evening, talk: Talk, table: str) -> int:
    """Ben is away, and his bot acts; return the number of facts after that."""
    gone = await shown(talk, 1, until=True, here=False, stand_in=None)
    assert gone["until"] == evening.system.now() + GRACE
    await evening.skip(GRACE - 5, table)
    seen = await evening.guests[0].get(f"/api/tables/{table}")
    assert seen["seats"][1] == gone, "not yet"
    await evening.skip(5, table)
    await shown(talk, 1, here=False, stand_in=LEVEL)
    await play(talk, lambda told: told["to_act"] == [1])
    told = await play(talk, lambda told: told["to_act"] != [1])
    return int(told["first"]) + len(told["facts"]) - 1


async def back(aki: Guest, ben: Guest, table: str, taken: int) -> None:
    """Ben has his seat back at once, and plays to the end. The match counts."""
    async with aki.socket(table, taken) as one, ben.socket(table) as two:
        await shown(one, 1, here=True, stand_in=None)
        for talk, stood_in in ((two, True), (one, False)):
            told = await talk.until("told")
            assert ("stood_in" in told) == stood_in, (
                "Ben learns that a bot has played, and he alone"
            )
            talk.kept.append(told)  # it may be their turn
        await asyncio.gather(play(one, to_the_end), play(two, to_the_end))
    match, played = await result(aki, table)
    assert match.over
    assert played["rated"]


async def test_who_is_back_decides_and_not_the_bot(tmp_path: Path) -> None:
    """The bot has seen the question; its answer comes after its person's."""
    async with new_evening(tmp_path) as evening, evening.serving(worker=False):
        aki, ben = await evening.come("Aki"), await evening.come("Ben")
        await evening.come("Chie")
        table = await opened([aki, ben], "kingdoms", [OPEN, OPEN])
        async with aki.socket(table) as one, employed(evening.server) as dispatcher:
            async with ben.socket(table) as two:
                await dealt([aki, ben], [one, two], table)
            await shown(one, 1, until=True, here=False)
            await evening.skip(GRACE + 1, table)
            serve = await dispatcher.until("serve")
            assert (serve["seat"], serve["bot"]) == (1, LEVEL)
            first = asyncio.create_task(play(one, to_the_end))
            async with connect(seat_url(evening.server, serve)) as connection:
                bot = Talk(connection)
                await bot.send(do="hello", have=0, views=False, version=2)
                asked = await asked_for(bot)
                number, legal = asked["decision"], asked["legal"]
                async with ben.socket(table) as two:
                    assert (await two.until("told"))["decision"] == number
                    with suppress(ConnectionClosed):
                        await bot.send(do="play", key="b", decision=number, action=legal[-1])
                    assert (await bot.until("bye"))["code"] == "released"
                    assert not [frame for frame in bot.kept if frame["is"] == "answer"]
                    assert (await dispatcher.until("release"))["seat"] == 1
                    own = {"decision": number, "action": legal[0]}
                    assert (await two.answered("own", do="play", **own))["ok"]
                    await play(two, to_the_end)
            await first
        _, played = await result(aki, table)
        assert played["rated"], "no bot has decided anything for anybody"


async def asked_for(talk: Talk) -> Told:
    while (told := await talk.until("told"))["decision"] is None:
        pass
    return told


@pytest.mark.parametrize("restart", [False, True], ids=["", "restarted"])
async def test_without_people_everything_waits(tmp_path: Path, restart: bool) -> None:
    """Even bots whose turn it is; and the first who is back restarts the others' clocks."""
    pace = 0.2
    async with new_evening(tmp_path) as evening:
        async with evening.serving(pace=pace):
            aki, ben = await evening.come("Aki"), await evening.come("Ben")
            chie = await evening.come("Chie")
            table = await opened([aki, ben], "kamiza-second", [OPEN, OPEN, BOT])
            async with aki.socket(table) as one, ben.socket(table) as two:
                await dealt([aki, ben], [one, two], table)
                other = asyncio.create_task(play(two, lambda told: told["to_act"] == [2]))
                await play(one, lambda told: told["to_act"] == [2])
                await other
            stands = await waiting(evening, chie, table, 2 * pace)
            if not restart:
                await woken(evening, aki, table, stands)
        if restart:
            async with evening.serving(pace=pace):
                assert await waiting(evening, chie, table, 2 * pace) == stands
                await woken(evening, aki, table, stands)


async def waiting(evening: Evening, watcher: Guest, table: str, awhile: float) -> int:
    """Check that nothing moves for a while; return how many facts everyone was told."""
    stands = -1
    for _ in range(2):
        async with watcher.socket(table) as talk:
            welcome, told = await talk.until("welcome"), await talk.until("told")
        assert welcome["table"]["paused"]
        assert [seat["until"] for seat in welcome["table"]["seats"]] == [None] * 3
        assert told["to_act"] == [2]
        assert stands in {-1, len(told["facts"])}
        stands = len(told["facts"])
        await evening.skip(86400, table)
        await asyncio.sleep(awhile)  # a bot would have acted by now
    return stands


async def woken(evening: Evening, guest: Guest, table: str, stands: int) -> None:
    async with guest.socket(table) as talk:
        told = await talk.until("told")
        assert told["to_act"] == [2]
        seen = await shown(talk, 1, until=True, here=False)
        assert seen["until"] == evening.system.now() + GRACE
        assert (await talk.until("told"))["facts"], "the bot acts"


async def test_a_bot_says_nothing_in_the_name_of_a_person(server: AsgiServer) -> None:
    """Neither to the table nor to the record; a bot on its own seat may threaten."""
    person = await server.guest("Aki")
    chairs = [OPEN, {"kind": "bot", "bot": "random"}, {"kind": "bot", "bot": "random"}]
    wanted = {"game": "kamiza-second", "seats": 3, "chairs": chairs}
    table_id = (await person.post("/api/tables", wanted, 201))["table"]["id"]
    table = await server.services.registry.find(table_id)
    await handle(table, on.Start(person.id, True))
    await handle(table, on.Ready(0, ""))
    live, presence = table.live, table.presence
    assert live is not None
    assert presence is not None
    presence.here([0])
    presence.late.add(0)
    for _ in range(3):
        (seat,) = live.match.to_act
        decision = live.decision(seat)
        assert decision is not None
        actor = bot_id(table.doc.level if seat == 0 else "random")
        said = frames.Play(f"k{seat}", decision, live.match.legal(seat)[0], "boss-1")
        await handle(table, on.Play(actor, seat, said))
    match = table.match_row
    assert match is not None
    entries = await table.store.entries(match.id)
    assert {entry.seat: entry.says for entry in entries[1:4]} == {0: None, 1: "boss-1", 2: "boss-1"}
    speakers = [msgspec.json.decode(fact)[2]["seat"] for fact in live.public if b'"said"' in fact]
    assert sorted(speakers) == [1, 2]


# Late ------------------------------------------------------------------------------------------


async def test_a_bot_takes_the_decision_that_is_late_and_no_other(tmp_path: Path) -> None:
    """With the shortest possible time, on a real server."""
    with server_process(tmp_path, *QUICK) as server:
        guest = await Guest(server, "Guest").come()
        clock = {"kind": "clock", "seconds": 5}
        table = await opened([guest], "kamiza-second", [OPEN, BOT, BOT], pace=clock)
        async with asyncio.timeout(TIMEOUT), guest.socket(table) as talk:
            began = time.time()
            await dealt([guest], [talk], table)
            asked = await asked_for(talk)
            assert asked["decision"] == 1
            await shown(talk, 0, stand_in=LEVEL)
            assert time.time() >= began + 5
            told = await talk.until("told")
            assert told["decision"] != 1, "it is taken"
            assert told["stood_in"] == 1
            late = {"decision": 1, "action": asked["legal"][0]}
            answer = await talk.answered("late", do="play", **late)
            assert answer["fault"]["code"] == "stale"
            await play(talk, to_the_end)
        match, played = await result(guest, table)
        assert [seat for seat, _ in match.journal.actions].count(0) == 9
        assert played["rated"], "one late decision is forgiven"
        assert played["rated_ranks"] == played["ranks"]
        await guest.client.aclose()


# Idle -----------------------------------------------------------------------------------------


async def test_all_see_from_when_on_an_idle_player_can_be_claimed(tmp_path: Path) -> None:
    """By sockets: the countdown, the claim, the bot, and the return."""
    async with new_evening(tmp_path) as evening, evening.serving():
        aki, ben = await evening.come("Aki"), await evening.come("Ben")
        await evening.come("Chie")
        table = await opened([aki, ben], "kamiza-second", [OPEN, OPEN, BOT])
        async with aki.socket(table) as one, ben.socket(table) as two:
            await dealt([aki, ben], [one, two], table)
            await play(one, lambda told: told["to_act"] == [1])
            began = evening.system.now()
            await evening.skip(61, table)
            for talk in (one, two):
                while (seat := await shown(talk, 1, here=True))["claim"] is None:
                    pass
                assert (seat["since"], seat["claim"]) == (began, began + 300)
            early = await one.answered("early", do="claim")
            assert early["fault"]["code"] == "not-idle"
            await evening.skip(240, table)
            assert (await one.answered("claim", do="claim"))["ok"]
            await shown(two, 1, stand_in=LEVEL, here=True)
            told = await play(one, lambda told: told["to_act"] != [1])
            assert not told["over"]
            assert (await two.answered("back", do="take_back"))["ok"]
            await shown(one, 1, stand_in=None, here=True, claim=None)


# Gone ------------------------------------------------------------------------------------------


async def test_who_resigns_is_played_for_to_the_end_and_counts_as_last(tmp_path: Path) -> None:
    async with new_evening(tmp_path) as evening:
        async with evening.serving():
            aki, ben = await evening.come("Aki"), await evening.come("Ben")
            table = await opened([aki, ben], "kamiza-second", [OPEN, OPEN, BOT])
            async with aki.socket(table) as one, ben.socket(table) as two:
                await dealt([aki, ben], [one, two], table)
                assert (await two.answered("gone", do="resign"))["ok"]
                assert (await two.answered("gone", do="resign"))["ok"]
                await shown(one, 1, resigned=True, stand_in=LEVEL)
                await play(one, lambda told: told["to_act"] == [1])
        async with evening.serving():  # also after a restart, and if they come back
            async with aki.socket(table) as one, ben.socket(table) as two:
                await shown(one, 1, resigned=True, stand_in=LEVEL, here=True)
                await asyncio.gather(play(one, to_the_end), listen(two))
            _, played = await result(aki, table)
            assert played["rated"], "whoever plays on for them"
            assert await mean(ben) < await mean(aki)


async def test_when_all_have_resigned_bots_take_no_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of twenty-seven actions only those that a bot has begun to think about take a pause."""
    paces: list[float] = []

    class Paced(Pause):
        def __init__(self, begin: float, pace: float, *others: Any) -> None:
            paces.append(pace)
            super().__init__(begin, pace, *others)

    monkeypatch.setattr(seat_client, "Pause", Paced)
    async with new_evening(tmp_path) as evening, evening.serving(pace=0.5):
        aki, ben = await evening.come("Aki"), await evening.come("Ben")
        table = await opened([aki, ben], "kamiza-second", [OPEN, OPEN, BOT])
        async with aki.socket(table) as one, ben.socket(table) as two:
            await dealt([aki, ben], [one, two], table)
            assert (await one.answered("gone", do="resign"))["ok"]
            assert (await two.answered("gone", do="resign"))["ok"]
            await asyncio.gather(listen(one), listen(two))
    assert len(paces) >= 27
    assert set(paces) <= {0, 0.5}
    assert paces.count(0.5) <= 3
    assert paces[-1] == 0


# Long ------------------------------------------------------------------------------------------


@pytest.mark.long
async def test_half_a_minute_on_a_real_server_that_is_killed(tmp_path: Path) -> None:
    """The whole grace period in real time, and a match whose people have all resigned."""
    with server_process(tmp_path, *QUICK, "--proxy", LOCAL) as server:
        aki, ben = await Guest(server, "Aki").come(), await Guest(server, "Ben").come()
        table = await opened([aki, ben], "kamiza-second", [OPEN, OPEN, BOT])
        async with aki.socket(table) as one, ben.socket(table) as two:
            await dealt([aki, ben], [one, two], table)
        server.kill()
        began = time.time()
        server.start()
        async with aki.socket(table) as one:
            seen = await shown(one, 1, until=True, here=False)
            assert began + GRACE <= seen["until"] <= time.time() + GRACE
            await play(one, lambda told: told["to_act"] == [1])
            await stands_in(aki, table)
            await play(one, lambda told: told["to_act"] != [1])
        await back(aki, ben, table, 0)
        again = await opened([aki, ben], "red-town", [OPEN, OPEN, BOT])
        async with aki.socket(again) as one, ben.socket(again) as two:
            await dealt([aki, ben], [one, two], again)
            await one.answered("gone", do="resign")
            await two.answered("gone", do="resign")
        server.kill()
        server.start()
        async with asyncio.timeout(TIMEOUT):
            await over(aki, again)
        _, played = await result(aki, again)
        assert played["rated"]
        for guest in (aki, ben):
            await guest.client.aclose()


async def stands_in(guest: Guest, table: str) -> None:
    async with asyncio.timeout(GRACE + TIMEOUT):
        while (await guest.get(f"/api/tables/{table}"))["seats"][1]["stand_in"] is None:
            await asyncio.sleep(0.5)
