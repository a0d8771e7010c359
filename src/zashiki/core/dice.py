# mypyc: compile
"""Where chance comes from: `Dice` in a match, `Quick` in playouts; the state holds neither.

`Dice` has no position. Each draw is a keyed hash of the number of the action that asks, the name of
the stream and the index in it, so a match restored from journal and seed goes on as the original.
"""

import hashlib
from typing import Final

from mypy_extensions import i64, mypyc_attr

from zashiki.core.rulings import Malformed, quoted

WORD: Final = 1 << 64
MASK: Final = 0xFFFFFFFF


@mypyc_attr(allow_interpreted_subclasses=True)
class Chance:
    """Answers every question of the rules that no seat decides."""

    def below(self, count: i64, stream: str) -> i64:
        """One of 0 … count - 1, all equally likely. `stream` names what is drawn for."""
        raise NotImplementedError

    def turn_to(self, action: int) -> None:
        """The next draws belong to this action (0: setting up, then 1, 2, …)."""

    def has_drawn(self) -> bool:
        """Has anything been drawn for this action?"""
        return False

    def shuffle(self, items: list[int], stream: str) -> None:
        """Put the list into one of its orders, all equally likely, in place."""
        last = len(items) - 1
        while last > 0:
            other = int(self.below(last + 1, stream))
            items[last], items[other] = items[other], items[last]
            last -= 1


class NoChance(Chance):
    """Stands where a match has no seed: nothing may be drawn."""

    def below(self, count: i64, stream: str) -> i64:
        raise NoSeed(
            f"this match has no seed, so nothing can be drawn for {quoted(stream)}: "
            "give `replay` the seed and salt to go on"
        )


class NoSeed(Malformed):
    """A match without its seed was asked to go on past a draw."""


class Script(Chance):
    """Answers as it is told to, then 0, and counts the answers there were: so all can be tried."""

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
        """The answers of the next branch; None after the last."""
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
            raise ValueError(f"below({size}): at least 1 is expected")
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


def seed_bytes(seed: int | str | bytes) -> bytes:
    """32 bytes for any seed: 7, "7" and b"7" are three; 32 bytes are taken as they are."""
    if isinstance(seed, bool) or not isinstance(seed, (int, str, bytes)):
        raise Malformed(f"seed: an int, str, bytes or None is expected, not {quoted(seed)}")
    if isinstance(seed, int) and seed.bit_length() > 4096:
        raise Malformed("seed: an int of at most 4096 bits is expected")
    if isinstance(seed, bytes) and len(seed) == 32:
        return seed
    if isinstance(seed, bytes):
        content = b"bytes:" + seed
    elif isinstance(seed, str):
        content = b"str:" + encoded(seed)
    else:
        content = b"int:%d" % seed
    return hashlib.sha256(content).digest()


def encoded(seed: str) -> bytes:
    try:
        return seed.encode()
    except UnicodeEncodeError:
        raise Malformed(f"seed: text that can be encoded is expected, not {quoted(seed)}") from None
