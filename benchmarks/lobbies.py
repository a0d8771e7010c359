"""Requests of a load by HTTP: people, tables and new matches, for both kinds of servers."""

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.servers import Unavailable

LOCAL = "127.0.0.1"
NAME = "Load"
PEER_GAME = "kamiza"
PLAYED = 'zashiki_commands_total{do="play",outcome="ok"}'


class Requests:
    """Requests to one server, over connections that are kept open."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def get(self, path: str) -> Any:
        """Return the body of an answer, decoded if it is JSON."""
        return (await self._send("GET", path, b"", {}))[0]

    async def post(self, path: str, data: object = None, cookie: str = "") -> tuple[Any, str]:
        """Return the body of an answer and the cookie that it sets."""
        headers = {"Cookie": cookie} if cookie else {}
        body = json.dumps({} if data is None else data).encode()
        answer, head = await self._send("POST", path, body, headers)
        return answer, head.get("set-cookie", "").partition(";")[0]

    async def _send(
        self, verb: str, path: str, body: bytes, headers: Mapping[str, str]
    ) -> tuple[Any, dict[str, str]]:
        fields = {
            "Host": f"{LOCAL}:{self.port}",
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            "X-Zashiki": "1",
            **headers,
        }
        lines = [f"{verb} {path} HTTP/1.1", *(f"{name}: {text}" for name, text in fields.items())]
        raw = "\r\n".join([*lines, "", ""]).encode() + body
        while self._free:
            try:
                return await self._ask(*self._free.pop(), raw)
            except (asyncio.IncompleteReadError, ConnectionError):
                continue  # it had been idle for too long
        try:
            return await self._ask(*await asyncio.open_connection(LOCAL, self.port), raw)
        except (asyncio.IncompleteReadError, ConnectionError) as fault:
            raise Unavailable(f"{path}: expected an answer, found none: {fault}") from fault

    async def _ask(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, raw: bytes
    ) -> tuple[Any, dict[str, str]]:
        writer.write(raw)
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        head = {}
        for line in lines:
            name, _, value = line.partition(":")
            head[name.lower()] = value.strip()
        body = (await reader.readexactly(int(head.get("content-length", "0")))).decode()
        if head.get("connection", "").lower() == "close":
            writer.close()
        else:
            self._free.append((reader, writer))
        if int(first.split()[1]) >= 300:
            what = raw.split(b" ", 2)[1].decode()
            raise Unavailable(f"{what}: expected success, found {first.split()[1]} {body[:300]}")
        is_json = head.get("content-type", "").startswith("application/json")
        return (json.loads(body) if is_json else body), head

    def close(self) -> None:
        """Close the connections."""
        for _, writer in self._free:
            writer.close()
        self._free.clear()


@dataclass
class Seat:
    """The address of a seat."""

    port: int
    id: str
    """The table, or the match if a server has no tables."""
    key: str
    """A cookie or credentials."""


class Lobby(ABC):
    """The tables of one game at a server, which may listen at several ports."""

    plays_on = False
    """True if a socket takes the command `rematch`, which moves it to the next table."""
    starts = False
    """True if a socket takes the command `start`."""

    def __init__(self, ports: list[int], game: str, seats: int) -> None:
        self.asked = [Requests(port) for port in ports]
        self.game = game
        self.seats = seats
        self.is_scattered = False
        """True if the seats of a table connect to different ports."""

    def at(self, table: int, seat: int) -> Requests:
        """Return the server that a seat uses."""
        return self.asked[(table + (seat if self.is_scattered else 0)) % len(self.asked)]

    def close(self) -> None:
        """Close the connections."""
        for requests in self.asked:
            requests.close()

    async def look(self) -> None:  # noqa: B027 - most servers can do one thing only
        """Find out which commands the server has."""

    async def counted(self) -> int | None:
        """Return the moves that the server has counted, or None if it does not count."""
        return None

    @abstractmethod
    def greeting(self, seat: int, at: Seat, has_words: bool) -> str:
        """Return the first text for a socket."""

    @abstractmethod
    async def open(self, table: int) -> list[Seat]:
        """Open a table, seat people, and start."""

    @abstractmethod
    async def again(self, table: int, seats: list[Seat]) -> list[Seat]:
        """Begin another match of the same people."""

    async def start(self, table: int, id: str, host: str) -> None:
        """Start a table by the key of its host."""
        raise NotImplementedError


class Zashiki(Lobby):
    """Tables of this project."""

    version = 1

    async def look(self) -> None:
        """Read the schema of the frames."""
        schema = (await self.asked[0].get("/api/schema/socket.json"))["$defs"]
        commands = schema["Command"]["discriminator"]["mapping"]
        self.plays_on = "rematch" in commands
        self.starts = "start" in commands
        self.version = 2 if "version" in schema["Hello"]["properties"] else 1

    async def counted(self) -> int | None:
        texts = [str(await requests.get("/metrics")) for requests in self.asked]
        lines = [line for text in texts for line in text.splitlines() if line.startswith(PLAYED)]
        return sum(int(float(line.rpartition(" ")[2])) for line in lines)

    def greeting(self, seat: int, at: Seat, has_words: bool) -> str:
        hello: dict[str, Any] = {"do": "hello"}
        if has_words:
            hello["language"] = "en"
        if self.version > 1:
            hello["version"] = self.version
        return json.dumps(hello, separators=(",", ":"))

    async def open(self, table: int) -> list[Seat]:
        places = [self.at(table, seat) for seat in range(self.seats)]
        cookies = [(await at.post("/api/guest", {"name": NAME}))[1] for at in places]
        new = {"game": self.game, "seats": self.seats, "public": False}
        id = (await places[0].post("/api/tables", new, cookies[0]))[0]["table"]["id"]
        for seat in range(1, self.seats):
            await places[seat].post(f"/api/tables/{id}/sit", {"seat": seat}, cookies[seat])
        await self.start(table, id, cookies[0])
        return [Seat(at.port, id, key) for at, key in zip(places, cookies, strict=True)]

    async def start(self, table: int, id: str, host: str) -> None:
        await self.at(table, 0).post(f"/api/tables/{id}/start", None, host)

    async def again(self, table: int, seats: list[Seat]) -> list[Seat]:
        asked = f"/api/tables/{seats[0].id}/rematch"
        id = (await self.at(table, 0).post(asked, None, seats[0].key))[0]["id"]
        await self.start(table, id, seats[0].key)
        return [Seat(seat.port, id, seat.key) for seat in seats]


class Boardgame(Lobby):
    """Matches of boardgame.io, which has one game here."""

    def greeting(self, seat: int, at: Seat, has_words: bool) -> str:
        return f'42/{PEER_GAME},["sync","{at.id}","{seat}","{at.key}",{self.seats}]'

    async def open(self, table: int) -> list[Seat]:
        made, _ = await self.at(table, 0).post(
            f"/games/{PEER_GAME}/create", {"numPlayers": self.seats}
        )
        return await self.join(table, made["matchID"])

    async def join(self, table: int, match: str) -> list[Seat]:
        """Take all seats of a match."""
        seats = []
        for seat in range(self.seats):
            at, who = self.at(table, seat), {"playerID": str(seat), "playerName": NAME}
            joined, _ = await at.post(f"/games/{PEER_GAME}/{match}/join", who)
            seats.append(Seat(at.port, match, joined["playerCredentials"]))
        return seats

    async def again(self, table: int, seats: list[Seat]) -> list[Seat]:
        who = {"playerID": "0", "credentials": seats[0].key}
        asked = f"/games/{PEER_GAME}/{seats[0].id}/playAgain"
        made, _ = await self.at(table, 0).post(asked, who)
        return await self.join(table, made["nextMatchID"])


LOBBIES: dict[str, type[Lobby]] = {"zashiki": Zashiki, "boardgame.io": Boardgame}
