"""A table of KAMIZA at a boardgame.io server, which speaks socket.io."""

from collections.abc import Callable
from typing import Any

import msgspec

from benchmarks.plugs import Plug, Requests, plugged
from benchmarks.servers import SEATS
from benchmarks.tables import Pace, Table

AREAS = ("top", "bottom")
GAME = "kamiza"


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
EVENT = f"42/{GAME},".encode()
IS_SYNC = EVENT + b'["sync"'
IS_UPDATE = EVENT + b'["update"'
CONNECTED = f"40/{GAME},".encode()


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
        made, _ = await self.requests[0].post(f"/games/{GAME}/create", new)
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
            joined, _ = await self.requests[seat].post(f"/games/{GAME}/{match}/join", name)
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
        path = f"/games/{GAME}/{self.id}/playAgain"
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
