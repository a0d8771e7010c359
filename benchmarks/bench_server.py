"""How many moves a second the server acknowledges, and how long each takes.

A real server process on a fresh folder, and this process as its clients: tables of KAMIZA Second
Generation with four seats, each with a socket, so that every move is committed to disk and then
sent to four. First saturated (every seat moves as soon as it may), then at a given pace, open loop:
a move has its time whether or not those before it were answered.
"""

import argparse
import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.server.house import Guest, House, house

SEATS = 4
FREELY = ("--bots", "0", "--requests", "1000000000")


class Table:
    """Four clients at a table who play matches, one after the other."""

    def __init__(self, home: House, number: int, pace: float | None) -> None:
        self.home = home
        self.choice = random.Random(number)
        self.pace = pace
        self.times: list[float] = []
        self.moves = 0

    async def sit(self, people: list[Guest]) -> str:
        made = await people[0].post("/api/tables", {"game": "kamiza-second", "seats": SEATS})
        table: str = made["table"]["id"]
        for seat, guest in enumerate(people[1:], 1):
            await guest.post(f"/api/tables/{table}/sit", {"seat": seat})
        return table

    async def play(self, people: list[Guest], until: float) -> None:
        while time.monotonic() < until:
            table = await self.sit(people)
            await people[0].post(f"/api/tables/{table}/start")
            await asyncio.gather(*(self.seat(guest, table, until) for guest in people))

    async def seat(self, guest: Guest, table: str, until: float) -> None:
        async with guest.socket(table, views=False) as talk:
            await talk.send(do="ready", key="ready")
            sent: dict[str, float] = {}
            while time.monotonic() < until:
                frame = json.loads(await asyncio.wait_for(talk.connection.recv(), 30))
                if frame["is"] == "answer" and frame["key"] in sent:
                    self.times.append(time.monotonic() - sent.pop(frame["key"]))
                    self.moves += frame["ok"]
                if frame["is"] != "told":
                    continue
                if frame["over"]:
                    return
                number = frame["decision"]
                if number is not None and str(number) not in sent:
                    due = time.monotonic()
                    if self.pace is not None:
                        await asyncio.sleep(self.choice.expovariate(1 / self.pace))
                        due = time.monotonic()
                    action = self.choice.choice(frame["legal"])
                    sent[str(number)] = due
                    await talk.send(do="play", key=str(number), decision=number, action=action)


async def measure(home: House, tables: int, pace: float | None, seconds: float) -> None:
    people = [[Guest(home, "Load") for _ in range(SEATS)] for _ in range(tables)]
    for group in people:
        await asyncio.gather(*(guest.come() for guest in group))
    made = [Table(home, number, pace) for number in range(tables)]
    until = time.monotonic() + seconds
    start = time.monotonic()
    await asyncio.gather(*(one.play(group, until) for one, group in zip(made, people, strict=True)))
    passed = time.monotonic() - start
    times = sorted(seconds for one in made for seconds in one.times)
    moves = sum(one.moves for one in made)
    p50, p99 = statistics.median(times), times[int(len(times) * 0.99)]
    how = "saturated" if pace is None else f"a move a seat every {pace:g} s"
    print(
        f"{tables:>5} tables, {how}: {moves / passed:8.0f} moves a second, "
        f"p50 {1000 * p50:6.1f} ms, p99 {1000 * p99:6.1f} ms"
    )
    for group in people:
        await asyncio.gather(*(guest.client.aclose() for guest in group))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, nargs="*", default=[200, 500])
    parser.add_argument("--seconds", type=float, default=15)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, house(Path(folder), *FREELY) as home:
        asyncio.run(measure(home, 50, None, chosen.seconds))
        for tables in chosen.tables:
            asyncio.run(measure(home, tables, SEATS * 1.0, chosen.seconds))


if __name__ == "__main__":
    main()
