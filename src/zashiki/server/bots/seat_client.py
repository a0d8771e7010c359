"""A bot that plays one seat at one table over the table's socket.

It knows only the facts that its seat receives. They are applied, and choices made, in the thread of
all bots of the process.
"""

import asyncio
import logging
import random
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from zashiki.bots import Thinker, make_bot, words_of
from zashiki.bots.thinking import never
from zashiki.core.facts import Fact
from zashiki.core.match import happen
from zashiki.core.rulings import Malformed
from zashiki.core.wording import Wording
from zashiki.games import game_spec
from zashiki.server.bots.pauses import BotClock, Pause
from zashiki.server.bots.thread import MIN_THINKING_SECONDS, Lane
from zashiki.server.protocol import frames, rest

CHOICE_TIMEOUT_SECONDS = 10.0
"""Time after which any legal action is played in place of a bot that still thinks."""
MIN_RECONNECT_SECONDS = 0.05
MAX_RECONNECT_SECONDS = 5.0
MAX_FRAME_LENGTH = 1 << 22
LOCAL_HOSTS = ("127.0.0.1", "[::1]", "localhost")

CONNECTION_ERRORS = (OSError, TimeoutError, WebSocketException, msgspec.DecodeError)
"""Errors after which the client connects again."""
TRANSIENT_CODES = ("too-many", "busy")
"""Codes of refusals after which the same command is sent again."""

TicketSource = Callable[[], Awaitable[str]]
NEWS = msgspec.json.Decoder(frames.News)
log = logging.getLogger("zashiki.bots")


class MonotonicClock:
    """The monotonic clock of the machine, which nobody can set."""

    def time(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class BotView:
    """The view of a seat, built from the facts that it received, and the bot that plays by it."""

    def __init__(self, game: str, seats: int, options: Mapping[str, Any], seat: int, bot: str):
        spec = game_spec(game)
        self.seat = seat
        self.rules = spec.rules(seats, options)
        self.game, self.vocabulary = self.rules.game, self.rules.vocabulary
        self.state = self.game.empty()
        self.seed = secrets.randbits(48)
        self.bot = make_bot(bot, spec, self.game, self.seed)
        self.phrases = list(Wording(spec, "en").phrases(self.game)) if spec.speech else []
        self.count = 0
        """Number of facts received."""

    def apply(self, first: int, facts: Sequence[frames.Fact]) -> None:
        """Apply facts that are numbered from `first` on, and skip those that are known already."""
        for number, fact in enumerate(facts, first):
            if number <= self.count:
                continue
            if number != self.count + 1:
                raise Malformed(f"expected fact {self.count + 1}, found {number}: one is missing")
            happen(self.state, self.vocabulary, Fact(fact.to, fact.fact, fact.arguments))
            self.count += 1

    def legal(self) -> list[str]:
        """Return the legal actions in notation, sorted."""
        actions = self.game.actions
        return sorted(actions[id].text for id in self.game.legal(self.state.views[self.seat]))

    def choose(
        self, seconds: float, must_stop: Callable[[], bool] = never
    ) -> tuple[str, str | None]:
        """Return an action in notation, and the phrase that is said with it."""
        view = self.state.views[self.seat]
        if isinstance(self.bot, Thinker):
            self.bot.seconds, self.bot.must_stop = seconds, must_stop
        action = self.bot.choose(view, self.game.legal(view))
        return self.game.actions[action].text, words_of(self.game, view, self.seed, self.phrases)


class SeatClient:
    """Plays a seat until its match is over or the server takes the seat back."""

    def __init__(
        self,
        url: str,
        seat: int,
        bot: str,
        tickets: TicketSource,
        lane: Lane,
        pace: float = 0.0,
        timeout: float = CHOICE_TIMEOUT_SECONDS,
        clock: BotClock | None = None,
    ) -> None:
        self.url = url
        """The address of the table's socket, without a ticket."""
        self.seat = seat
        self.bot = bot
        self.tickets = tickets
        self.lane = lane
        self.pace = pace
        self.timeout = timeout
        self.clock = clock or MonotonicClock()
        self.seed = secrets.randbits(48)
        """Of the draws that its pauses depend on."""
        self.fact_count = 0
        """Number of facts received in this match."""
        self.match: str | None = None
        self.options: dict[str, Any] = {}
        """The options of the table. Only a welcome has all of their content."""
        self.view: Future[BotView] | None = None
        self.owed: frames.OwnNews | None = None
        """The seat's own part of the last news about the match."""
        self.chosen: frames.Play | None = None
        """The last choice. It is sent again after a lost connection."""
        self.decision: int | None = None
        """The number of the last decision that the bot began to think about."""
        self.answering: asyncio.Task[None] | None = None
        self.faults = 0
        """Number of errors of the bot itself."""
        self._name = secrets.token_hex(4)

    async def play(self) -> None:
        """Connect, and connect again whenever the connection is lost."""
        wait = MIN_RECONNECT_SECONDS
        while True:
            before = self.fact_count
            try:
                if await self._serve_connection(await self.tickets()):
                    return
            except CONNECTION_ERRORS as fault:
                log.debug("seat %d: %r", self.seat, fault)
            except Exception as fault:
                log.error("a bot of seat %d failed and starts again: %r", self.seat, fault)
                self.faults += 1
                self.match, self.fact_count = None, 0
            has_advanced = self.fact_count > before
            wait = MIN_RECONNECT_SECONDS if has_advanced else min(2 * wait, MAX_RECONNECT_SECONDS)
            await asyncio.sleep(wait * random.uniform(0.5, 1))

    async def _serve_connection(self, ticket: str) -> bool:
        """Play over one connection. Return True if there is nothing left to play."""
        async with open_socket(f"{self.url}?ticket={ticket}") as socket:
            try:
                hello = frames.Hello(self.fact_count, False, version=frames.VERSION)
                await socket.send(msgspec.json.encode(hello).decode())
                while True:
                    news = NEWS.decode(await socket.recv())
                    if isinstance(news, frames.Bye):
                        return not news.again
                    if isinstance(news, frames.Welcome):
                        self.options = news.table.options
                    if isinstance(news, frames.Welcome | frames.Changed):
                        if not self._follow_match(news.table):
                            return False
                    elif isinstance(news, frames.Told):
                        if news.public.over:
                            return True
                        self._receive(news, socket)
                    elif isinstance(news, frames.Answer) and not news.ok:
                        self._on_refusal(news, socket)
            finally:
                await self._stop_answering()

    def _follow_match(self, table: rest.Table) -> bool:
        """Prepare for the match of the table. Return False if facts of another match were
        dropped, so that the client must connect again."""
        if table.match is None or table.match == self.match:
            return True
        had_match = self.match is not None
        self.match, self.fact_count, self.chosen = table.match, 0, None
        game, seats, options = table.game, len(table.seats), self.options
        self.view = self.lane.submit(lambda: BotView(game, seats, options, self.seat, self.bot))
        return not had_match

    # Playing -----------------------------------------------------------------------------------

    def _receive(self, told: frames.Told, socket: ClientConnection) -> None:
        """Apply news in the bot thread, and begin to answer if the seat has to decide."""
        view, facts, own = self.view, told.facts(), told.own
        last = told.first + len(facts) - 1
        if view is None or own is None or told.first > self.fact_count + 1:
            raise ConnectionError("facts are missing: connect again and say which are here")
        if last < self.fact_count:
            return  # repeated, and older than what is known
        if facts:
            applied = self.lane.submit(lambda: view.result().apply(told.first, facts))
            applied.add_done_callback(self._log_failure)
            self.fact_count = last
        self.owed = own
        is_new = own.decision != self.decision or self.answering is None
        if own.decision is not None and is_new:
            self._start_answering(own, socket, 0.0)

    def _log_failure(self, applied: "Future[None]") -> None:
        if not applied.cancelled() and (fault := applied.exception()) is not None:
            self.faults += 1
            log.error("a bot of seat %d cannot follow: %r", self.seat, fault)

    def _on_refusal(self, answer: frames.Answer, socket: ClientConnection) -> None:
        """Answer again after the time that the server asked for, unless newer news will come."""
        fault, own = answer.fault, self.owed
        if fault is not None and fault.code == "hello-first":
            raise ConnectionError("the command overtook the hello: connect again")
        if fault is None or own is None or own.decision is None or fault.code == "stale":
            return
        if fault.code not in TRANSIENT_CODES:
            log.warning("a bot of seat %d was refused: %s", self.seat, fault.text)
            self.chosen = None
        self._start_answering(own, socket, float(fault.details.get("retry_after", 1)))

    def _start_answering(self, own: frames.OwnNews, socket: ClientConnection, wait: float) -> None:
        if self.answering is not None:
            self.answering.cancel()
        self.decision = own.decision
        self.answering = asyncio.create_task(self._answer(own, socket, wait))

    async def _answer(self, own: frames.OwnNews, socket: ClientConnection, wait: float) -> None:
        """Choose an action, and send it at a moment that does not depend on the hand."""
        await self.clock.sleep(wait)
        decision = own.decision
        assert decision is not None
        if self.chosen is None or self.chosen.decision != decision:
            pause = Pause(self.clock.time(), self.pace, self.bot, self.seed, decision)
            action, says = await self._choose(own.legal, pause)
            now = self.clock.time()
            await self.clock.sleep(pause.moment(now) - now)
            self.chosen = frames.Play(f"bot {self._name} {decision}", decision, action, says)
        try:
            await socket.send(msgspec.json.encode(self.chosen).decode())
        except WebSocketException:
            return  # the reading side notices the loss too, and connects again

    async def _choose(self, legal: Sequence[str], pause: Pause) -> tuple[str, str | None]:
        """Let the bot choose. If it fails or takes too long, choose at random."""
        view, lane, clock = self.view, self.lane, self.clock
        assert view is not None

        def choose() -> tuple[str, str | None]:
            most = lane.thinking_seconds()
            seconds = pause.seconds_to_think(clock.time(), most, MIN_THINKING_SECONDS)
            return view.result().choose(seconds, lane.is_preempted)

        lane.is_choosing = True
        try:
            choice = asyncio.wrap_future(lane.submit(choose))
            action, says = await asyncio.wait_for(choice, self.timeout)
            if action in legal:
                return action, says
            problem: object = f"{action} is not legal"
        except Exception as fault:
            problem = fault
        finally:
            lane.is_choosing = False
        self.faults += 1
        log.error("a bot of seat %d has no answer: %r", self.seat, problem)
        return random.choice(legal), None

    async def _stop_answering(self) -> None:
        if self.answering is not None:
            self.answering.cancel()
            await asyncio.gather(self.answering, return_exceptions=True)
            self.answering = None


def open_socket(url: str, headers: Mapping[str, str] | None = None) -> connect:
    """Open a WebSocket. Connections to this machine never use an HTTP proxy."""
    is_local = url.partition("://")[2].startswith(LOCAL_HOSTS)
    return connect(
        url,
        additional_headers=headers,
        compression=None,
        max_size=MAX_FRAME_LENGTH,
        open_timeout=10,
        close_timeout=1,
        proxy=None if is_local else True,
    )
