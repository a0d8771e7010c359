"""The time that a bot takes reveals nothing of its hand.

The clock is the test's own. Bots think in no time, or for as long as a test says.
"""

import math
import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, cast

import pytest

import zashiki
from zashiki.server.bots import pauses
from zashiki.server.bots.pauses import Pause
from zashiki.server.bots.seat_client import BotView, SeatClient
from zashiki.server.bots.thread import BotThread
from zashiki.server.protocol import frames
from zashiki.server.tables.match import LiveMatch, create_match

PACE = 1.0
GAME, SEATS = "red-town", 4
SPEC = zashiki.games()[GAME]
OPTIONS = SPEC.check_options(None, SEATS)
PASS = "pass"
LEAST, MOST = PACE * pauses.LEAST - 1e-6, PACE * pauses.MOST + 1e-6


class ManualClock:
    """Time that passes when a bot sleeps or thinks."""

    def __init__(self) -> None:
        self.now = 1000.0

    def time(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += max(0.0, seconds)


class Socket:
    """Records when an answer was sent."""

    def __init__(self, clock: ManualClock) -> None:
        self.clock = clock
        self.left: float | None = None

    async def send(self, _: str) -> None:
        self.left = self.clock.now


class Decision(NamedTuple):
    """A decision of a bot, and its duration."""

    legal: int
    action: str
    seconds: float
    planned: float
    """By the pace, the level, the seed and the number of the decision."""


Thinking = Callable[[list[str]], float]
"""How long a bot thinks about these actions."""


class Player:
    """The real client of a seat. Only its socket and its clock are the test's."""

    def __init__(self, live: LiveMatch, seat: int, bot: str, thread: BotThread, thinks: Thinking):
        self.live = live
        self.seat = seat
        self.clock = ManualClock()

        async def ticket() -> str:
            raise AssertionError("no connection is needed")

        lane = thread.lane()
        self.client = SeatClient("", seat, bot, ticket, lane, PACE, clock=self.clock)
        self.client.seed = seat
        view = BotView(GAME, SEATS, OPTIONS, seat, bot)
        view.seed = seat
        choose = view.choose

        def slowly(*given: Any) -> tuple[str, str | None]:
            self.clock.now += thinks(view.legal())
            return choose(*given)

        cast(Any, view).choose = slowly
        self.client.view = lane.submit(lambda: view)
        self.view = view

    async def decide(self) -> Decision:
        facts = [
            frames.Fact(cast(Any, fact.audience), fact.name, dict(fact.arguments))
            for fact in self.live.match.facts(self.seat)
        ]
        self.view.apply(1, facts)
        decision = self.live.decision(self.seat)
        legal = list(self.live.match.legal(self.seat))
        socket, began = Socket(self.clock), self.clock.now
        own = frames.OwnNews([], [], decision, legal)
        await self.client._answer(own, cast(Any, socket), 0.0)
        assert socket.left is not None
        assert self.client.chosen is not None
        pause = Pause(began, PACE, self.client.bot, self.seat, self.client.chosen.decision)
        planned, action = pause.first - began, self.client.chosen.action
        return Decision(len(legal), action, socket.left - began, planned)


async def decisions(seed: int, bot: str, thinks: Thinking, most: int = 10**6) -> list[Decision]:
    """Return all decisions of a match among bots."""
    live, _ = create_match(SPEC, SEATS, OPTIONS, bytes([seed]) * 32, bytes(32), (), ())
    found: list[Decision] = []
    with BotThread() as thread:
        players = [Player(live, seat, bot, thread, thinks) for seat in range(SEATS)]
        while not live.match.over and len(found) < most:
            seat = min(live.match.to_act)
            found.append(await players[seat].decide())
            decision = live.decision(seat)
            assert decision is not None
            live.play(seat, decision, found[-1].action, None)
    return found


def by_hand(legal: list[str]) -> float:
    """Like a search: longer with more choices, and no time if there is only one."""
    return 0.0 if len(legal) == 1 else min(0.5, 0.04 * len(legal))


def auc(ones: list[float], others: list[float]) -> float:
    """The probability that one of the first is longer than one of the second; 0.5 if alike."""
    wins = sum((one > other) + 0.5 * (one == other) for one in ones for other in others)
    return wins / (len(ones) * len(others))


def old_pause(legal: int, chance: random.Random) -> float:
    """How bots paused before: longer with more choices."""
    return PACE * chance.uniform(0.6, 1.4) * min(2.0, 0.5 + math.log2(legal) / 6)


def passes(found: list[Decision]) -> tuple[list[Decision], list[Decision]]:
    """Return forced and chosen passes."""
    all_of_them = [one for one in found if one.action == PASS]
    return [one for one in all_of_them if one.legal == 1], [
        one for one in all_of_them if one.legal > 1
    ]


# Two worlds --------------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", ["greedy", "sensible"])
async def test_hidden_cards_change_no_pause(bot: str) -> None:
    """Two worlds that differ only in the hands: each decision takes the same time in both."""
    worlds = [await decisions(seed, bot, by_hand, 40) for seed in (1, 2)]
    hands = [[one.legal for one in world] for world in worlds]
    assert hands[0] != hands[1], "the worlds differ"
    for world in worlds:
        assert [one.seconds for one in world] == pytest.approx([one.planned for one in world])
        assert all(LEAST <= one.seconds <= MOST for one in world)
    assert 0.4 < auc(*([one.seconds for one in world] for world in worlds)) < 0.6


async def test_the_time_does_not_follow_the_number_of_actions() -> None:
    found = [one for seed in range(1, 5) for one in await decisions(seed, "greedy", by_hand)]
    few = [one for one in found if one.legal <= 2]
    many = [one for one in found if one.legal > 4]
    assert min(len(few), len(many)) > 100
    assert abs(auc([one.seconds for one in few], [one.seconds for one in many]) - 0.5) < 0.08
    chance = random.Random(1)
    old = [[old_pause(one.legal, chance) for one in group] for group in (many, few)]
    assert auc(*old) > 0.8, "this measure does notice"


@pytest.mark.parametrize(
    ("bot", "matches"), [("random", 3), pytest.param("sensible", 12, marks=pytest.mark.long)]
)
async def test_forced_and_chosen_passes_cannot_be_told_apart(bot: str, matches: int) -> None:
    """One that plays at random chooses to pass more often."""
    found = [one for seed in range(matches) for one in await decisions(seed + 1, bot, by_hand)]
    forced, chosen = passes(found)
    assert min(len(forced), len(chosen)) > 40, (len(forced), len(chosen))
    times = [[one.seconds for one in group] for group in (chosen, forced)]
    assert abs(auc(*times) - 0.5) < 0.12
    chance = random.Random(1)
    old = [[old_pause(one.legal, chance) for one in group] for group in (chosen, forced)]
    assert auc(*old) > 0.75, "this measure does notice"


# The moments -------------------------------------------------------------------------------------


async def test_an_answer_that_is_late_leaves_at_a_moment_of_the_grid() -> None:
    """Whatever the bot thought about: only whole steps can be seen."""

    def long(legal: list[str]) -> float:
        return 1.5 + 0.1 * len(legal)

    for one in await decisions(1, "greedy", long, 40):
        steps = (one.seconds - one.planned) / PACE
        assert steps == pytest.approx(round(steps), abs=1e-6)
        assert round(steps) >= 1


def moments() -> Iterator[Pause]:
    for decision in range(200):
        yield Pause(10.0, PACE, "regular", 7, decision)


def test_a_pause_is_a_draw_from_a_seed() -> None:
    drawn = [one.first for one in moments()]
    assert drawn == [one.first for one in moments()]
    assert len(set(drawn)) == 200
    assert all(10 + LEAST <= one <= 10 + MOST for one in drawn)
    assert Pause(10.0, PACE, "regular", 8, 1).first != Pause(10.0, PACE, "regular", 7, 1).first
    slow, usual = (Pause(0.0, PACE, bot, 7, 1).first for bot in ("master", "regular"))
    assert slow == pytest.approx(usual * pauses.PACE_FACTORS["master"])


def test_a_bot_thinks_until_the_next_moment_and_no_longer() -> None:
    for pause in moments():
        seconds = pause.seconds_to_think(10.0, 2.0, 0.05)
        assert 10.0 + seconds < pause.first
        assert pause.moment(10.0 + seconds) == pause.first
        late = pause.first + 0.2
        assert late + pause.seconds_to_think(late, 2.0, 0.05) < pause.moment(late)
        assert pause.seconds_to_think(10.0, 0.1, 0.05) == 0.1


def test_among_bots_nobody_waits() -> None:
    pause = Pause(10.0, 0.0, "master", 7, 1)
    assert pause.moment(12.5) == 12.5
    assert pause.seconds_to_think(11.0, 0.25, 0.05) == 0.25
