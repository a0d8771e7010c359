"""Matches played over real sockets, through disconnections and a killed server."""

import asyncio
import random
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

import zashiki
from tests.server.house import Guest, House, house
from zashiki.core import verify
from zashiki.games import catalogue

GAMES = [("kamiza-second", 3), ("kamiza-2014", 3), ("kingdoms", 2), ("red-town", 3)]


async def seated(home: House, game: str, seats: int) -> tuple[str, list[Guest]]:
    """A started table with a guest on each seat."""
    guests = [await Guest(home, f"Guest {seat}").come() for seat in range(seats)]
    made = await guests[0].post("/api/tables", {"game": game, "seats": seats})
    table = made["table"]["id"]
    for seat, guest in enumerate(guests[1:], 1):
        await guest.post(f"/api/tables/{table}/sit", {"seat": seat})
    return table, guests


class Person:
    """Plays at random, is cut off now and then, and sends things twice."""

    def __init__(self, guest: Guest, table: str, seat: int, choice: random.Random) -> None:
        self.guest = guest
        self.table = table
        self.seat = seat
        self.choice = choice
        self.facts: list[dict[str, Any]] = []
        self.sent: dict[int, str] = {}
        """What was sent for each decision: after a loss the same is sent again."""

    async def play(self) -> None:
        """To the end of the match, by as many connections as it takes."""
        while True:
            try:
                if await self.sit_through():
                    return
            except (ConnectionClosed, InvalidStatus, OSError, httpx.HTTPError):
                await asyncio.sleep(0.05)

    async def sit_through(self) -> bool:
        """One connection; True when the match is over."""
        async with self.guest.socket(self.table, len(self.facts)) as talk:
            await talk.send(do="ready", key="ready", nonce=f"{self.seat:02x}")
            left = self.choice.randint(2, 12)
            while True:
                told = await talk.until("told")
                self.take(told)
                if told["over"]:
                    return True
                if told["decision"] is None:
                    continue
                left -= 1
                if left == 0:
                    return False
                key = f"decision {told['decision']}"
                if told["decision"] not in self.sent:
                    self.sent[told["decision"]] = self.choice.choice(told["legal"])
                action = self.sent[told["decision"]]
                command = {"do": "play", "decision": told["decision"], "action": action}
                await talk.send(key=key, **command)
                if self.choice.random() < 0.3:
                    await talk.send(key=key, **command)
                if self.choice.random() < 0.2:
                    stale = {**command, "decision": told["decision"] - 1}
                    await talk.send(key=f"{key} stale", **stale)

    def take(self, told: dict[str, Any]) -> None:
        """News are numbered without a gap, whatever was lost on the way."""
        if not told["facts"]:
            return
        assert told["first"] == told["facts"][0]["n"] == len(self.facts) + 1
        self.facts += told["facts"]


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_a_match_over_sockets_is_a_match(tmp_path: Path, game: str, seats: int) -> None:
    with house(tmp_path) as home:
        asyncio.run(play_through(home, game, seats, kills=0))


def test_a_killed_server_loses_nothing(tmp_path: Path) -> None:
    with house(tmp_path) as home:
        asyncio.run(play_through(home, "kamiza-second", 3, kills=3))


async def play_through(home: House, game: str, seats: int, kills: int) -> None:
    table, guests = await seated(home, game, seats)
    people = [Person(guest, table, seat, random.Random(seat)) for seat, guest in enumerate(guests)]
    await guests[0].post(f"/api/tables/{table}/start")
    playing = [asyncio.create_task(person.play()) for person in people]
    for _ in range(kills):
        await asyncio.sleep(0.4)
        home.kill()
        home.start()
    async with asyncio.timeout(60):
        await asyncio.gather(*playing)
    record = (await guests[0].client.get(f"/api/tables/{table}/record")).text
    report = verify.verify(record, catalogue())
    assert report.ok
    assert report.not_judged == 0
    match = zashiki.replay(record)
    assert match.over
    for person in people:
        told = [(fact.name, dict(fact.arguments)) for fact in match.facts(person.seat)]
        assert [(fact["fact"], fact["with"]) for fact in person.facts] == told
        taken = [action for seat, action in match.journal.actions if seat == person.seat]
        assert [person.sent[number] for number in range(1, len(taken) + 1)] == taken
        await person.guest.client.aclose()


def test_a_server_that_is_told_to_stop_ends_well(tmp_path: Path) -> None:
    with house(tmp_path) as home:
        assert home.end() == 0
