"""A table of KAMIZA with four seats, a socket each, at either kind of server.

Both do the same: whoever is to act is told the table, takes one of the legal actions at random when
it is due, and the move is over when the mover's own socket has brought the state with the move.
A match that has ended is followed by another of the same people, in the server's own way.
"""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec

from benchmarks.plugs import Failed, Plug, Requests, plugged
from benchmarks.servers import MOVES, SEATS

AREAS = ("top", "bottom")
OURS = "kamiza-second"
THEIRS = "kamiza"


class Pace:
    """How often a decision falls due at a table that plays; what came of the moves."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.interval = 1.0
        self.times: list[float] = []
        self.refused = 0
        self.ended = 0
        """Matches."""
        self.broken: list[BaseException] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def next(self) -> float:
        """Seconds from one decision to the next: half as long to half as long again."""
        return self.interval * (0.5 + self.random.random())

    def spawn(self, what: Any) -> None:
        task = asyncio.ensure_future(what)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            self.broken.append(fault)


class Table(ABC):
    """Four seats; the moment at which the next decision is due, whether or not it can be taken."""

    def __init__(self, pace: Pace, requests: list[Requests]) -> None:
        self.pace = pace
        self.requests = requests
        """Where each seat asks."""
        self.is_playing = False
        self.has_played = False
        """Before that it waits for up to a match, so that not all matches end together."""
        self.due = 0.0
        self.owing: int | None = None
        self.moving: int | None = None
        """The seat whose move is on its way."""
        self._since = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self.extra: list[Plug] = []

    def play(self, playing: bool) -> None:
        """Play from now on, or rest: then what is on its way still comes."""
        self.is_playing = playing
        spread = self.pace.interval if self.has_played else self.pace.interval * MOVES
        self.has_played |= playing
        self.due = time.monotonic() + spread * self.pace.random.random()
        self._arm()

    def owes(self, seat: int) -> None:
        self.owing = seat
        self._arm()

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self.is_playing and self.owing is not None and self.moving is None:
            wait = max(0.0, self.due - time.monotonic())
            self._timer = asyncio.get_running_loop().call_later(wait, self._move)

    def _move(self) -> None:
        assert self.owing is not None
        self.moving, self.owing, self._timer = self.owing, None, None
        self._since = self.due
        self.due += self.pace.next()
        self.send(self.moving)

    def moved(self) -> None:
        """The mover has been brought the state with the move."""
        self.pace.times.append(time.monotonic() - self._since)
        self.moving = None
        self._arm()  # the next may have been told before

    def ended(self) -> None:
        self.pace.ended += 1
        self.owing = self.moving = None
        self.pace.spawn(self._begin_again())

    async def _begin_again(self) -> None:
        await self.again()
        self.due = time.monotonic() + self.pace.next()
        self._arm()

    def lost(self) -> None:
        self.pace.broken.append(Failed("a server ended a socket"))

    @abstractmethod
    async def open(self) -> None:
        """Sit down, connect, and begin the first match."""

    @abstractmethod
    async def again(self) -> None:
        """Begin another match."""

    @abstractmethod
    async def open_extra(self) -> None:
        """Connect the first seat once more, as a second tab would."""

    @abstractmethod
    def send(self, seat: int) -> None:
        """Take any legal action."""

    @abstractmethod
    def close(self) -> None: ...


# Zashiki ---------------------------------------------------------------------------------------


class Told(msgspec.Struct, tag_field="is", tag="told"):
    """What a client that plays at random has to know."""

    decision: int | None
    legal: list[str]
    over: bool


class Answer(msgspec.Struct, tag_field="is", tag="answer"):
    key: str
    ok: bool


class Welcome(msgspec.Struct, tag_field="is", tag="welcome"):
    pass


class Changed(msgspec.Struct, tag_field="is", tag="changed"):
    pass


class Bye(msgspec.Struct, tag_field="is", tag="bye"):
    code: str


News = Told | Answer | Welcome | Changed | Bye
NEWS = msgspec.json.Decoder(News)


class Zashiki(Table):
    """A table here. A move is over with the news of it and the answer, whichever comes later."""

    def __init__(self, pace: Pace, requests: list[Requests]) -> None:
        super().__init__(pace, requests)
        self.id = ""
        self.people: list[str] = []
        self.plugs: list[Plug] = []
        self.told: list[Told | None] = [None] * SEATS
        self.answered: str | None = None
        self.heard_end = 0

    async def open(self) -> None:
        self.people = [await self.guest(seat) for seat in range(SEATS)]
        new = {"game": OURS, "seats": SEATS}
        self.id = (await self.ask(0, "/api/tables", new))["table"]["id"]
        for seat in range(1, SEATS):
            await self.ask(seat, f"/api/tables/{self.id}/sit", {"seat": seat})
        await self.start()

    async def guest(self, seat: int) -> str:
        _, head = await self.requests[seat].post("/api/guest", {"name": "Load"})
        return head["set-cookie"].partition(";")[0]

    async def ask(self, seat: int, path: str, data: object = None) -> Any:
        cookie = {"Cookie": self.people[seat]}
        return (await self.requests[seat].post(path, data, cookie))[0]

    async def start(self) -> None:
        self.heard_end = 0
        self.told = [None] * SEATS
        await self.ask(0, f"/api/tables/{self.id}/start")
        self.plugs = [await self.plug(seat, self.hears(seat)) for seat in range(SEATS)]
        for plug in self.plugs:
            plug.lost = self.lost
            plug.send(b'{"do":"hello"}')
            plug.send(b'{"do":"ready","key":"ready"}')

    async def plug(self, seat: int, hear: Callable[[bytes], None]) -> Plug:
        ticket = (await self.ask(seat, f"/api/tables/{self.id}/ticket"))["ticket"]
        path = f"/api/tables/{self.id}/socket?ticket={ticket}"
        return await plugged(self.requests[seat].port, path, hear)

    async def again(self) -> None:
        for plug in self.plugs:
            plug.close()
        self.id = (await self.ask(0, f"/api/tables/{self.id}/rematch"))["id"]
        await self.start()

    async def open_extra(self) -> None:
        plug = await self.plug(0, lambda _: None)
        plug.send(b'{"do":"hello"}')
        self.extra.append(plug)

    def hears(self, seat: int) -> Callable[[bytes], None]:
        def hear(raw: bytes) -> None:
            news = NEWS.decode(raw)
            if isinstance(news, Told):
                self.tell(seat, news)
            elif isinstance(news, Answer):
                self.answer(seat, news)
            elif isinstance(news, Bye):
                self.pace.broken.append(Failed(f"bye: {news.code}"))

        return hear

    def tell(self, seat: int, news: Told) -> None:
        self.told[seat] = news
        if self.moving == seat and self.answered is not None:
            self.finish()
        if news.over:
            self.heard_end += 1
            if self.heard_end == SEATS and self.moving is None:
                self.ended()
        elif news.decision is not None and seat != self.moving:
            self.owes(seat)

    def answer(self, seat: int, news: Answer) -> None:
        if news.key == "ready" or seat != self.moving:
            return
        if not news.ok:
            self.pace.refused += 1
        self.answered = news.key
        if self.told[seat] is not None:
            self.finish()

    def finish(self) -> None:
        """The news and the answer are here; perhaps the mover begins the next round."""
        seat, self.answered = self.moving, None
        assert seat is not None
        self.moved()
        news = self.told[seat]
        assert news is not None
        if self.heard_end == SEATS:
            self.ended()
        elif news.decision is not None:
            self.owes(seat)

    def send(self, seat: int) -> None:
        news = self.told[seat]
        assert news is not None
        self.told[seat] = None
        self.answered = None
        action = self.pace.random.choice(news.legal)
        number = news.decision
        what = f'"key":"{number}","decision":{number},"action":"{action}"'
        self.plugs[seat].send(f'{{"do":"play",{what}}}'.encode())

    def close(self) -> None:
        for plug in self.plugs + self.extra:
            plug.close()


# boardgame.io ----------------------------------------------------------------------------------


class Holder(msgspec.Struct):
    hand: list[str]


class Sights(msgspec.Struct):
    players: dict[str, Holder]


class Context(msgspec.Struct, rename="camel"):
    current_player: str
    gameover: dict[str, Any] | None = None


class Standing(msgspec.Struct, rename={"sights": "G", "context": "ctx", "number": "_stateID"}):
    """What a client that plays at random has to know of a state."""

    sights: Sights
    context: Context
    number: int


class Synced(msgspec.Struct):
    state: Standing


SYNC = msgspec.json.Decoder(tuple[str, str, Synced])
UPDATE = msgspec.json.Decoder(tuple[str, str, Standing, msgspec.Raw])
EVENT = f"42/{THEIRS},".encode()
IS_SYNC = EVENT + b'["sync"'
IS_UPDATE = EVENT + b'["update"'
CONNECTED = f"40/{THEIRS},".encode()


class Boardgame(Table):
    """A table of boardgame.io, through the texts of Socket.IO. Sockets go from match to match."""

    def __init__(self, pace: Pace, requests: list[Requests]) -> None:
        super().__init__(pace, requests)
        self.id = ""
        self.keys: list[str] = []
        self.plugs: list[Plug] = []
        self.standing: list[Standing | None] = [None] * SEATS
        self.number = -1
        """The state that the move on its way was made in."""
        self.heard_end = 0

    async def open(self) -> None:
        new = {"numPlayers": SEATS}
        made, _ = await self.requests[0].post(f"/games/{THEIRS}/create", new)
        await self.join(made["matchID"])
        self.plugs = [await self.plug(seat, self.hears(seat)) for seat in range(SEATS)]
        for plug in self.plugs:
            plug.lost = self.lost

    async def join(self, match: str) -> None:
        self.heard_end = 0
        self.standing = [None] * SEATS
        self.id = match
        keys = []
        for seat in range(SEATS):
            name = {"playerID": str(seat), "playerName": "Load"}
            joined, _ = await self.requests[seat].post(f"/games/{THEIRS}/{match}/join", name)
            keys.append(joined["playerCredentials"])
        self.keys = keys

    async def plug(self, seat: int, hear: Callable[[bytes], None]) -> Plug:
        """A socket that has said which game it is for; it asks for the state when that is taken."""
        port = self.requests[seat].port
        plug = await plugged(port, "/socket.io/?EIO=4&transport=websocket", lambda _: None)

        def first_hear(raw: bytes) -> None:
            if raw == b"2":
                plug.send(b"3")
            elif raw.startswith(CONNECTED):
                self.sync(plug, seat)
            else:
                hear(raw)

        plug.hear = first_hear
        plug.send(CONNECTED)
        return plug

    def sync(self, plug: Plug, seat: int) -> None:
        what = ["sync", self.id, str(seat), self.keys[seat], SEATS]
        plug.send(EVENT + msgspec.json.encode(what))

    async def again(self) -> None:
        asker = {"playerID": "0", "credentials": self.keys[0]}
        path = f"/games/{THEIRS}/{self.id}/playAgain"
        made, _ = await self.requests[0].post(path, asker)
        await self.join(made["nextMatchID"])
        for seat, plug in enumerate(self.plugs):
            self.sync(plug, seat)

    async def open_extra(self) -> None:
        self.extra.append(await self.plug(0, lambda _: None))

    def hears(self, seat: int) -> Callable[[bytes], None]:
        def hear(raw: bytes) -> None:
            if raw.startswith(IS_UPDATE):
                _, match, state, _ = UPDATE.decode(raw[len(EVENT) :])
            elif raw.startswith(IS_SYNC):
                _, match, synced = SYNC.decode(raw[len(EVENT) :])
                state = synced.state
            else:
                return
            if match == self.id:
                self.tell(seat, state)

        return hear

    def tell(self, seat: int, state: Standing) -> None:
        self.standing[seat] = state
        if self.moving == seat and state.number > self.number:
            self.moved()
        if state.context.gameover is not None:
            self.heard_end += 1
            if self.heard_end == SEATS:
                self.ended()
        elif state.context.current_player == str(seat) and self.moving != seat:
            self.owes(seat)

    def send(self, seat: int) -> None:
        state = self.standing[seat]
        assert state is not None
        self.number = state.number
        random = self.pace.random
        card = random.choice(state.sights.players[str(seat)].hand)
        payload = {
            "type": "place",
            "args": [card, random.choice(AREAS)],
            "playerID": str(seat),
            "credentials": self.keys[seat],
        }
        action = {"type": "MAKE_MOVE", "payload": payload}
        what = ["update", action, state.number, self.id, str(seat)]
        self.plugs[seat].send(EVENT + msgspec.json.encode(what))

    def close(self) -> None:
        for plug in self.plugs + self.extra:
            plug.close()


KINDS: dict[str, type[Table]] = {"zashiki": Zashiki, "boardgame.io": Boardgame}
