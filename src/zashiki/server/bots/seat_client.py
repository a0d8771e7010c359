"""One seat at one table, played by a bot: it folds what its seat is told, and is told no more.

The rules of a game belong to one thread, so all folding and choosing of a process happens in one
thread beside the loop, in the order in which it was asked for.
"""

import asyncio
import logging
import math
import random
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from zashiki.bots import Thinker, make_bot, words_of
from zashiki.core.facts import Fact
from zashiki.core.match import happen
from zashiki.core.parts import Audience
from zashiki.core.rulings import Malformed
from zashiki.core.wording import Wording
from zashiki.games import offer_of
from zashiki.server.protocol import frames, rest

LIMIT = 10.0
"""Seconds after which a bot that still thinks takes any legal action."""
LONGEST_THOUGHT = 2.0
SHORTEST_THOUGHT = 0.05
"""Seconds that a bot thinks at most, and where many want to think at once."""
TOGETHER = 6.0
"""Seconds in which all who want to think at once have done so."""
LONGEST_WAIT = 5.0
"""Seconds between two attempts to come back."""
MAX_FRAME_LENGTH = 1 << 22
NEAR = ("127.0.0.1", "[::1]", "localhost")

LOST = (OSError, TimeoutError, WebSocketException, msgspec.DecodeError)
"""What a connection may die of. Another one is made."""
PASSING = ("too-many", "busy")
"""Why something is refused that will be taken later."""

Tickets = Callable[[], Awaitable[str]]
NEWS = msgspec.json.Decoder(frames.News)
log = logging.getLogger("zashiki.bots")


class Mind(ThreadPoolExecutor):
    """The thread in which all bots of a process think: the more of them, the shorter each."""

    def __init__(self) -> None:
        super().__init__(1, "bots")
        self.thinkers = 0
        """How many choose now, or wait until they may."""

    def share(self) -> float:
        """How many seconds one of them may think."""
        return max(SHORTEST_THOUGHT, min(LONGEST_THOUGHT, TOGETHER / max(1, self.thinkers)))


class Seen:
    """What a seat knows, folded from the facts that it was told, and a bot that goes by it."""

    def __init__(self, game: str, seats: int, options: Mapping[str, Any], seat: int, bot: str):
        offer = offer_of(game)
        self.seat = seat
        self.game = offer.make(seats, options)
        self.vocabulary = offer.vocabulary(seats, options)
        self.state = self.game.empty()
        self.seed = secrets.randbits(48)
        self.bot = make_bot(bot, offer, self.game, self.seed)
        self.phrases = list(Wording(offer, "en").phrases(self.game)) if offer.speech else []
        self.count = 0

    def take(self, facts: Sequence[Mapping[str, Any]]) -> None:
        """The facts that follow; those that are known already are let go."""
        for fact in facts:
            if fact["n"] <= self.count:
                continue
            if fact["n"] != self.count + 1:
                raise Malformed(f"fact {fact['n']} after fact {self.count}: one is missing")
            audience: Audience = self.seat if fact["own"] else "all"
            happen(self.state, self.vocabulary, Fact(audience, fact["fact"], fact["with"]))
            self.count += 1

    def legal(self) -> list[str]:
        actions = self.game.actions
        return sorted(actions[id].text for id in self.game.legal(self.state.views[self.seat]))

    def choose(self, seconds: float) -> tuple[str, str | None]:
        """An action, and what is said with it."""
        view = self.state.views[self.seat]
        if isinstance(self.bot, Thinker):
            self.bot.seconds = seconds
        action = self.bot.choose(view, self.game.legal(view))
        return self.game.actions[action].text, words_of(self.game, view, self.seed, self.phrases)


class SeatClient:
    """Plays for a seat until its match is over or the server wants it to leave."""

    def __init__(
        self,
        url: str,
        seat: int,
        bot: str,
        tickets: Tickets,
        thread: Mind,
        pace: float = 0.0,
        limit: float = LIMIT,
    ) -> None:
        self.url = url
        """The table's socket, without a ticket."""
        self.seat = seat
        self.bot = bot
        self.tickets = tickets
        self.thread = thread
        self.pace = pace
        self.limit = limit
        self.have = 0
        self.match: str | None = None
        self.seen: Future[Seen] | None = None
        self.told: frames.Told | None = None
        self.plays: frames.Play | None = None
        """What was decided last. It is sent again after a loss."""
        self.asked: int | None = None
        """Which decision is being thought about, or was last."""
        self.thinking: asyncio.Task[None] | None = None
        self.faults = 0
        """How often the bot itself had no answer."""
        self._name = secrets.token_hex(4)

    async def play(self) -> None:
        """By as many connections as it takes."""
        wait = 0.05
        while True:
            before = self.have
            try:
                if await self._connection(await self.tickets()):
                    return
            except LOST as fault:
                log.debug("seat %d: %r", self.seat, fault)
            except Exception as fault:
                log.error("a bot of seat %d begins anew: %r", self.seat, fault)
                self.faults += 1
                self.match, self.have = None, 0
            wait = 0.05 if self.have > before else min(2 * wait, LONGEST_WAIT)
            await asyncio.sleep(wait * random.uniform(0.5, 1))

    async def _connection(self, ticket: str) -> bool:
        """One connection; True if there is nothing to come back for."""
        url = f"{self.url}?ticket={ticket}"
        async with connected(url) as socket:
            try:
                await socket.send(msgspec.json.encode(frames.Hello(self.have, False)).decode())
                while True:
                    news = NEWS.decode(await socket.recv())
                    if isinstance(news, frames.Bye):
                        return not news.again
                    if isinstance(news, frames.Welcome | frames.Changed):
                        if not self._fits(news.table):
                            return False
                    elif isinstance(news, frames.Told):
                        if news.over:
                            return True
                        self._take(news, socket)
                    elif isinstance(news, frames.Answer) and not news.ok:
                        self._refused(news, socket)
            finally:
                await self._stop()

    def _fits(self, table: rest.Table) -> bool:
        """Is this the match that our facts are of? If not, all is forgotten: come back."""
        if table.match is None or table.match == self.match:
            return True
        new = self.match is not None
        self.match, self.have, self.plays = table.match, 0, None
        game, seats, options = table.game, len(table.seats), table.options
        self.seen = self.thread.submit(Seen, game, seats, options, self.seat, self.bot)
        return not new

    # Playing -----------------------------------------------------------------------------------

    def _take(self, told: frames.Told, socket: ClientConnection) -> None:
        seen, last = self.seen, told.first + len(told.facts) - 1
        if seen is None or told.first > self.have + 1:
            raise ConnectionError("something is missing: come back and say what is here")
        if last < self.have:
            return  # it is told once more, and things have gone on since
        if told.facts:
            self.thread.submit(lambda: seen.result().take(told.facts)).add_done_callback(self._look)
            self.have = last
        self.told = told
        if told.decision is not None and (told.decision != self.asked or self.thinking is None):
            self._think(told, socket, 0.0)

    def _look(self, folding: "Future[None]") -> None:
        if not folding.cancelled() and (fault := folding.exception()) is not None:
            self.faults += 1
            log.error("a bot of seat %d cannot follow: %r", self.seat, fault)

    def _refused(self, answer: frames.Answer, socket: ClientConnection) -> None:
        """Stale: news are on their way. Else we wait as told, and try again."""
        fault, told = answer.fault, self.told
        if fault is not None and fault.code == "hello-first":
            raise ConnectionError("it has overtaken our hello: it is sent again")
        if fault is None or told is None or told.decision is None or fault.code == "stale":
            return
        if fault.code not in PASSING:
            log.warning("a bot of seat %d was refused: %s", self.seat, fault.text)
            self.plays = None
        self._think(told, socket, float(fault.details.get("retry_after", 1)))

    def _think(self, told: frames.Told, socket: ClientConnection, wait: float) -> None:
        if self.thinking is not None:
            self.thinking.cancel()
        self.asked = told.decision
        self.thinking = asyncio.create_task(self._answer(told, socket, wait))

    async def _answer(self, told: frames.Told, socket: ClientConnection, wait: float) -> None:
        """Decide, take as long as a person might, and send it."""
        await asyncio.sleep(wait)
        decision = told.decision
        assert decision is not None
        if self.plays is None or self.plays.decision != decision:
            pause = natural_pause(self.pace, len(told.legal))
            shown = asyncio.create_task(asyncio.sleep(pause))
            try:
                action, says = await self._choice(told.legal)
                await shown
            finally:
                shown.cancel()
            self.plays = frames.Play(f"bot {self._name} {decision}", decision, action, says)
        try:
            await socket.send(msgspec.json.encode(self.plays).decode())
        except WebSocketException:
            return  # whoever reads from it notices too, and comes back

    async def _choice(self, legal: Sequence[str]) -> tuple[str, str | None]:
        seen, thread = self.seen, self.thread
        assert seen is not None
        loop = asyncio.get_running_loop()
        thread.thinkers += 1
        try:
            choosing = loop.run_in_executor(thread, lambda: seen.result().choose(thread.share()))
            action, says = await asyncio.wait_for(choosing, self.limit)
            if action in legal:
                return action, says
            fault: object = f"{action} is not legal"
        except Exception as wrong:
            fault = wrong
        finally:
            thread.thinkers -= 1
        self.faults += 1
        log.error("a bot of seat %d has no answer: %r", self.seat, fault)
        return random.choice(legal), None

    async def _stop(self) -> None:
        if self.thinking is not None:
            self.thinking.cancel()
            await asyncio.gather(self.thinking, return_exceptions=True)
            self.thinking = None


def natural_pause(pace: float, choices: int) -> float:
    """Seconds that a person might take who usually takes so many: longer, the more to choose."""
    return pace * random.uniform(0.6, 1.4) * min(2.0, 0.5 + math.log2(choices) / 6)


def connected(url: str, headers: Mapping[str, str] | None = None) -> connect:
    """A connection; to this machine itself, whatever proxies are in use elsewhere."""
    near = url.partition("://")[2].startswith(NEAR)
    return connect(
        url,
        additional_headers=headers,
        compression=None,
        max_size=MAX_FRAME_LENGTH,
        open_timeout=10,
        close_timeout=1,
        proxy=None if near else True,
    )
