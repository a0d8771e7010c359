"""A strategy for one game of KAMIZA, stored with the package: weights for every decision.

A file is a line of JSON about it, and then, packed by LZMA, each standing with the weights of its
actions: a byte each, 255 in all for each information set. Seats are counted from the starter.
"""

import hashlib
import json
import lzma
import struct
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

from zashiki.games.kamiza.ai.solving import Standing, by_seat, essence, placed_key, standing_of
from zashiki.games.kamiza.play import KamizaView
from zashiki.games.kamiza.state import LANE

Kind = Literal["equilibrium", "leaning"]
"""Learnt against others who learn as well, or against others who do so half of the time only."""

VERSION: Final = 1
WHOLE: Final = 255
"""The weights of an information set together."""
STANDING: Final = struct.Struct(">BHH")
"""The round, the cards spent, and how near to the lead everybody is: four bits a seat."""


class Strategy:
    """Weights of actions by standing; for an unknown standing those of the most similar one."""

    def __init__(self, seats: int, weights: Mapping[Standing, bytes]) -> None:
        self.seats = seats
        self.weights = weights
        """By standing: each legal action of each information set, in the order of `placed_key`."""
        self.alike: dict[tuple[int, int], list[Standing]] = {}
        for standing in weights:
            self.alike.setdefault((standing.round, standing.spent), []).append(standing)

    def at(self, view: KamizaView) -> list[int] | None:
        """The weights of the legal actions; None where there is no such standing."""
        standing = self.nearest(essence(standing_of(view.public), self.seats))
        if standing is None:
            return None
        size = actions(int(view.public.round))
        first = (placed_key(view.public) - 1) * size
        return list(self.weights[standing][first : first + size])

    def nearest(self, standing: Standing) -> Standing | None:
        """With the same cards spent, and totals as like these as possible."""
        if standing in self.weights:
            return standing
        alike = self.alike.get((standing.round, standing.spent), [])
        return min(alike, key=lambda other: self.distance(standing, other), default=None)

    def distance(self, one: Standing, other: Standing) -> int:
        totals = zip(
            by_seat(one.scores, self.seats), by_seat(other.scores, self.seats), strict=True
        )
        return sum(abs(here - there) for here, there in totals)

    # As a file ---------------------------------------------------------------------------------

    def write(self, about: Mapping[str, Any]) -> bytes:
        """The file, with what is known about it in its first line."""
        payload = b"".join(
            STANDING.pack(standing.round, standing.spent, narrowed(standing.scores, self.seats))
            + self.weights[standing]
            for standing in sorted(self.weights)
        )
        line = {"strategy": VERSION, **about, "seats": self.seats, "sha256": digest(payload)}
        return json.dumps(line).encode() + b"\n" + lzma.compress(payload)

    @staticmethod
    def read(file: bytes) -> "Strategy":
        """Read the bytes that `write` returned; `ValueError` if they are something else."""
        about = header(file)
        payload = lzma.decompress(file.partition(b"\n")[2])
        if about["strategy"] != VERSION or about["sha256"] != digest(payload):
            raise ValueError("this is no strategy of this version, or it was damaged")
        seats = int(about["seats"])
        return Strategy(seats, dict(entries(payload, seats)))


def header(file: bytes) -> dict[str, Any]:
    """The first line of a file: game, rules, seats, kind, and how long it was learnt."""
    about: dict[str, Any] = json.loads(file.partition(b"\n")[0])
    return about


def entries(payload: bytes, seats: int) -> Iterator[tuple[Standing, bytes]]:
    place = 0
    while place < len(payload):
        number, spent, near = STANDING.unpack_from(payload, place)
        place += STANDING.size
        size = sets(seats) * actions(number)
        yield Standing(number, spent, widened(near, seats), 0), payload[place : place + size]
        place += size


def sets(seats: int) -> int:
    """How many information sets a round has: what lies where, before each seat."""
    return int((1 << seats) - 1)


def actions(number: int) -> int:
    """How many legal actions there are in a round."""
    return 2 * (5 - number)


def narrowed(lanes: int, seats: int) -> int:
    return sum(points << seat * 4 for seat, points in enumerate(by_seat(lanes, seats)))


def widened(near: int, seats: int) -> int:
    return sum((near >> seat * 4 & 15) << seat * LANE for seat in range(seats))


def digest(payload: bytes) -> str:
    return hashlib.sha256(payload).hexdigest()


def rounded(shares: list[float]) -> bytes:
    """Shares as weights that are 255 in all: the largest rests are rounded up."""
    exact = [share * WHOLE / sum(shares) for share in shares]
    weights = [int(weight) for weight in exact]
    rests = sorted(range(len(shares)), key=lambda place: weights[place] - exact[place])
    for place in rests[: WHOLE - sum(weights)]:
        weights[place] += 1
    return bytes(weights)


def file_name(kind: Kind, game: str, seats: int) -> str:
    return f"{game}-{seats}-{kind}.bin"


def content(kind: Kind, game: str, seats: int) -> bytes:
    """A file that comes with the package."""
    folder = files("zashiki.games.kamiza.ai") / "solved"
    return (folder / file_name(kind, game, seats)).read_bytes()


@cache
def stored(kind: Kind, game: str, seats: int) -> Strategy:
    """A strategy that comes with the package, read once."""
    return Strategy.read(content(kind, game, seats))
