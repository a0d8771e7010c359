"""Pairs of matches that differ only in what one reader cannot know, as scripts to play."""

import hashlib
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import zashiki
from zashiki.core.facts import Fact
from zashiki.core.match import Match, start
from zashiki.core.record import told_to
from zashiki.laws.walk import fork

SALT = bytes(32)
TRIED = 12
"""Actions tried at each step to find one that tells the reader the same."""

Reader = int | str
Script = list[tuple[int, str]]


@dataclass(frozen=True)
class MatchPair:
    """The same reader in two worlds."""

    game: str
    seats: int
    reader: Reader
    seeds: tuple[bytes, bytes]
    scripts: tuple[Script, Script]


def seed(number: int) -> bytes:
    return hashlib.sha256(f"seed {number}".encode()).digest()


def begin(game: str, seats: int, number: int) -> Match:
    names = [f"Guest {seat}" for seat in range(seats)]
    nonces = [f"{seat:032x}" for seat in range(seats)]
    return start(zashiki.games()[game], seats, {}, seed(number), names, nonces, SALT)


def told(facts: Sequence[Fact], reader: Reader) -> str:
    return json.dumps([[f.audience, f.name, dict(f.arguments)] for f in told_to(facts, reader)])


def pair_by_deal(game: str, seats: int, reader: Reader, most: int = 4000) -> MatchPair | None:
    """Two deals that tell the reader the same; then the same actions as long as that holds."""
    seen: dict[str, int] = {}
    best: MatchPair | None = None
    found = 0
    for number in range(most):
        one = begin(game, seats, number)
        known = seen.setdefault(told(one.facts(), reader), number)
        if known == number or one.truth() == (other := begin(game, seats, known)).truth():
            continue
        script = together(other, one, reader, random.Random(number))
        found += 1
        if best is None or len(script) > len(best.scripts[0]):
            best = MatchPair(game, seats, reader, (seed(known), seed(number)), (script, script))
        if found == 8:
            break
    return best


def pair_by_choice(game: str, seats: int, reader: Reader, tries: int = 60) -> MatchPair | None:
    """One deal in which a seat chooses between two actions, and the reader cannot tell which."""
    best: MatchPair | None = None
    longest = -1
    for number in range(tries):
        choice = random.Random(number)
        match = begin(game, seats, number)
        for _ in range(choice.randrange(12)):
            if match.to_act:
                mover = choice.choice(sorted(match.to_act))
                match.play(mover, choice.choice(match.legal(mover)))
        before: Script = list(match.journal.actions)
        pair = look_alikes(match, reader, choice)
        if pair is None:
            continue
        mover, left, right = pair
        worlds = fork(match), fork(match)
        worlds[0].play(mover, left)
        worlds[1].play(mover, right)
        after = together(worlds[0], worlds[1], reader, choice)
        scripts = [*before, (mover, left), *after], [*before, (mover, right), *after]
        if len(after) > longest:
            longest = len(after)
            best = MatchPair(game, seats, reader, (seed(number), seed(number)), scripts)
    return best


def as_seen_by_mover(pair: MatchPair) -> MatchPair:
    """The same worlds, seen by the seat whose choice differs."""
    where = [a != b for a, b in zip(*pair.scripts, strict=True)].index(True)
    return replace(pair, reader=pair.scripts[0][where][0])


def look_alikes(match: Match, reader: Reader, choice: random.Random) -> tuple[int, str, str] | None:
    for mover in sorted(match.to_act - {reader}):
        legal = list(match.legal(mover))
        choice.shuffle(legal)
        seen: dict[str, str] = {}
        for action in legal[:TRIED]:
            world = fork(match)
            facts = world.play(mover, action)
            known = seen.setdefault(told(facts, reader), action)
            if known != action and not world.over:
                return mover, known, action
    return None


def together(one: Match, other: Match, reader: Reader, choice: random.Random) -> Script:
    """The same actions in both worlds, as long as they tell the reader the same."""
    script: Script = []
    while one.to_act and len(script) < 40:
        step = same_step(one, other, reader, choice)
        if step is None:
            break
        one.play(*step)
        other.play(*step)
        script.append(step)
    return script


def same_step(
    one: Match, other: Match, reader: Reader, choice: random.Random
) -> tuple[int, str] | None:
    for _ in range(TRIED):
        seat = choice.choice(sorted(one.to_act))
        possible = [action for action in one.legal(seat) if action in other.legal(seat)]
        if not possible:
            continue
        action = choice.choice(possible)
        left, right = fork(one), fork(other)
        same = told(left.play(seat, action), reader) == told(right.play(seat, action), reader)
        if same and not left.over and not right.over:
            return seat, action
    return None
