"""A strategy for one game of KAMIZA, stored with the package: weights for every decision.

A file is a header line of JSON and then, packed by LZMA, each standing with the weights of its
actions: one byte per action, with a sum of 255 per information set. Seats are counted from the
starter.
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
"""Learnt against others who learn too, or against others who play by habit half of the time."""

VERSION: Final = 1
WHOLE: Final = 255
"""The sum of the weights of an information set."""
STANDING: Final = struct.Struct(">BHH")
"""The round, the cards spent, and each seat's distance to the lead: four bits per seat."""


class Strategy:
    """Weights of actions by standing. An unknown standing uses those of the most similar one."""

    def __init__(self, seats: int, weights: Mapping[Standing, bytes]) -> None:
        self.seats = seats
        self.weights = weights
        """Weights of each legal action of each information set, in the order of `placed_key`."""
        self.alike: dict[tuple[int, int], list[Standing]] = {}
        for standing in weights:
            self.alike.setdefault((standing.round, standing.spent), []).append(standing)

    def at(self, view: KamizaView) -> list[int] | None:
        """Return the weights of the legal actions; None if there is no similar standing."""
        standing = self.nearest(essence(standing_of(view.public), self.seats))
        if standing is None:
            return None
        size = actions(int(view.public.round))
        first = (placed_key(view.public) - 1) * size
        return list(self.weights[standing][first : first + size])

    def nearest(self, standing: Standing) -> Standing | None:
        """Return the known standing with the same cards spent and the most similar totals."""
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
        """Return the bytes of a file with this header in its first line."""
        payload = b"".join(
            STANDING.pack(standing.round, standing.spent, narrowed(standing.scores, self.seats))
            + self.weights[standing]
            for standing in sorted(self.weights)
        )
        line = {"strategy": VERSION, **about, "seats": self.seats, "sha256": digest(payload)}
        return json.dumps(line).encode() + b"\n" + lzma.compress(payload)

    @staticmethod
    def read(file: bytes) -> "Strategy":
        """Read the bytes that `write` returned. Raise `ValueError` for any others."""
        about = header(file)
        payload = lzma.decompress(file.partition(b"\n")[2])
        if about["strategy"] != VERSION or about["sha256"] != digest(payload):
            raise ValueError(
                "expected a strategy of this version, found another version or a damaged file"
            )
        seats = int(about["seats"])
        return Strategy(seats, dict(entries(payload, seats)))


def header(file: bytes) -> dict[str, Any]:
    """Return the first line of a file: game, rules, seats, kind, and the length of training."""
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
    """Return the number of information sets of a round: the areas of the cards before each seat."""
    return int((1 << seats) - 1)


def actions(number: int) -> int:
    """Return the number of legal actions in a round."""
    return 2 * (5 - number)


def narrowed(lanes: int, seats: int) -> int:
    return sum(points << seat * 4 for seat, points in enumerate(by_seat(lanes, seats)))


def widened(near: int, seats: int) -> int:
    return sum((near >> seat * 4 & 15) << seat * LANE for seat in range(seats))


def digest(payload: bytes) -> str:
    return hashlib.sha256(payload).hexdigest()


def rounded(shares: list[float]) -> bytes:
    """Return shares as weights with a sum of 255. The largest remainders are rounded up."""
    exact = [share * WHOLE / sum(shares) for share in shares]
    weights = [int(weight) for weight in exact]
    rests = sorted(range(len(shares)), key=lambda place: weights[place] - exact[place])
    for place in rests[: WHOLE - sum(weights)]:
        weights[place] += 1
    return bytes(weights)


def file_name(kind: Kind, game: str, seats: int) -> str:
    return f"{game}-{seats}-{kind}.bin"


def content(kind: Kind, game: str, seats: int) -> bytes:
    """Return the content of a file of the package."""
    folder = files("zashiki.games.kamiza.ai") / "solved"
    return (folder / file_name(kind, game, seats)).read_bytes()


@cache
def stored(kind: Kind, game: str, seats: int) -> Strategy:
    """Return a strategy of the package. It is read once."""
    return Strategy.read(content(kind, game, seats))
