"""A table of KAMIZA at a server of ours, and the frames that it sends."""

from collections.abc import Callable
from typing import Any

import msgspec

from benchmarks.plugs import Failed, Plug, Requests, plugged
from benchmarks.servers import SEATS
from benchmarks.tables import Pace, Table

GAME = "kamiza-second"


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
        new = {"game": GAME, "seats": SEATS}
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
        path = f"/api/tables/{self.id}/socket"
        return await plugged(self.requests[seat].port, path, hear, {"Cookie": self.people[seat]})

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
