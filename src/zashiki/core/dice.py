# mypyc: compile
"""Sources of chance: `Dice` in a match, `Quick` in playouts. The state holds neither.

`Dice` has no position. Each draw is a keyed hash of the number of the action that asks, the name of
the stream and the index in it, so a match restored from journal and seed draws as the original.
"""

import hashlib
from typing import Final

from mypy_extensions import i64, mypyc_attr

from zashiki.core.rulings import Malformed, as_int, quoted

WORD: Final = 1 << 64
MASK: Final = 0xFFFFFFFF
MIXER: Final = 16_777_619
"""Multiplier of the hash FNV-1a for 32 bits."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Chance:
    """Answers every question of the rules that no seat decides."""

    def below(self, count: i64, stream: str) -> i64:
        """Return one of 0 … count - 1, all equally likely. `stream` names the purpose."""
        raise NotImplementedError

    def turn_to(self, action: int) -> None:
        """Assign the next draws to this action (0: setting up, then 1, 2, …)."""

    def has_drawn(self) -> bool:
        """Return True if anything was drawn for this action."""
        return False

    def shuffle(self, items: list[int], stream: str) -> None:
        """Put the list into one of its orders, all equally likely, in place."""
        last = len(items) - 1
        while last > 0:
            other = int(self.below(last + 1, stream))
            items[last], items[other] = items[other], items[last]
            last -= 1


class NoChance(Chance):
    """The chance of a match without a seed: every draw raises `NoSeed`."""

    def below(self, count: i64, stream: str) -> i64:
        raise NoSeed(
            f"expected a seed to draw for {quoted(stream)}, found none: "
            "give `replay` the seed and salt to continue this match"
        )


class NoSeed(Malformed):
    """A match without its seed was asked to draw."""


class Script(Chance):
    """Gives listed answers, then 0, and counts those possible, so that all can be tried."""

    def __init__(self, answers: list[int]) -> None:
        self.answers = answers
        self.sizes: list[int] = []

    def below(self, count: i64, stream: str) -> i64:
        place = len(self.sizes)
        self.sizes.append(int(count))
        if place == len(self.answers):
            self.answers.append(0)
        return self.answers[place]

    def next_answers(self) -> list[int] | None:
        """Return the answers of the next branch; None after the last."""
        answers = self.answers[: len(self.sizes)]
        while answers and answers[-1] == self.sizes[len(answers) - 1] - 1:
            answers.pop()
        if not answers:
            return None
        answers[-1] += 1
        return answers


class Dice(Chance):
    """A keyed hash with rejection sampling, equal on every Python and machine."""

    def __init__(self, seed: bytes, nonces: list[str]) -> None:
        hasher = hashlib.blake2b(key=seed, digest_size=32, person=b"zashiki dice")
        for nonce in nonces:
            hasher.update(len(nonce).to_bytes(4, "big") + nonce.encode("ascii"))
        self._key: Final = hasher.digest()
        self._action = 0
        self._drawn: dict[str, int] = {}

    def turn_to(self, action: int) -> None:
        self._action = action
        self._drawn = {}

    def has_drawn(self) -> bool:
        return bool(self._drawn)

    def below(self, count: i64, stream: str) -> i64:
        size = int(count)
        if size < 1:
            raise ValueError(f"below: expected a count of at least 1, found {size}")
        index = self._drawn.get(stream, 0)
        limit = WORD - WORD % size  # words from here up would favour small answers
        word = self._word(stream, index)
        while word >= limit:
            index += 1
            word = self._word(stream, index)
        self._drawn[stream] = index + 1
        return word % size

    def _word(self, stream: str, index: int) -> int:
        place = f"{self._action}/{stream}/{index}".encode()
        return int.from_bytes(hashlib.blake2b(place, key=self._key, digest_size=8).digest(), "big")


class Quick(Chance):
    """Xorshift on 32 bits, for playouts and bots; no expression in it exceeds 63 bits."""

    def __init__(self, seed: int | str) -> None:
        digest = hashlib.blake2b(str(seed).encode(), digest_size=4).digest()
        self._bits: i64 = int.from_bytes(digest, "big") or 1

    def below(self, count: i64, stream: str) -> i64:
        bits = self._bits
        bits ^= (bits << 13) & MASK
        bits ^= bits >> 17
        bits ^= (bits << 5) & MASK
        self._bits = bits
        return (bits * count) >> 32


def mixed(key: i64, value: i64) -> i64:
    """Return a key of 32 bits that depends on another key and a value, by FNV-1a.

    The shifts let high bits change low ones, which a product alone does not.
    """
    low = (key ^ value & MASK) * MIXER & MASK
    high = (low ^ low >> 15 ^ value >> 32 & MASK) * MIXER & MASK
    return high ^ high >> 15


def seed_bytes(seed: object) -> bytes:
    """Return 32 bytes for any seed: 7, "7" and b"7" differ; 32 bytes are taken as they are."""
    if isinstance(seed, bytes):
        return seed if len(seed) == 32 else hashlib.sha256(b"bytes:" + seed).digest()
    if isinstance(seed, str):
        return hashlib.sha256(b"str:" + encoded(seed)).digest()
    number = as_int(seed)
    if number is None:
        raise Malformed(f"seed: expected an int, str, bytes or None, found {quoted(seed)}")
    if number.bit_length() > 4096:
        raise Malformed(
            f"seed: expected an int of at most 4096 bits, found {number.bit_length()} bits"
        )
    return hashlib.sha256(b"int:%d" % number).digest()


def encoded(seed: str) -> bytes:
    try:
        return seed.encode()
    except UnicodeEncodeError:
        raise Malformed(
            f"seed: expected text that UTF-8 can encode, found {quoted(seed)}"
        ) from None
