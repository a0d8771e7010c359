"""The client repeats the engine's draws: over many seeds, forms and numbers of seats."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import zashiki
from tests.client_tests import run_client_tests
from zashiki.core.match import Match
from zashiki.core.spec import GameSpec

GAMES = ("kamiza-2014", "kamiza-second", "kingdoms", "red-town")
SEEDS, MORE = 1, 6
"""Matches of each form, usually and with --long."""


def forms(spec: GameSpec) -> Iterator[tuple[int, dict[str, object]]]:
    """Every number of seats with every value of every option, one at a time."""
    for seats in spec.seats:
        yield seats, {}
        for name, option in spec.options.items():
            for value in option.values_for(seats)[1:]:
                yield seats, {name: value}


def played(spec: GameSpec, seats: int, options: dict[str, object], seed: int) -> Match:
    chance = random.Random(seed)
    nonces = [f"{chance.getrandbits(128):032x}" for _ in range(seats)]
    match = zashiki.start(spec.id, seats, options=options, seed=seed, nonces=nonces)
    while not match.over:
        seat = chance.choice(sorted(match.to_act))
        match.play(seat, chance.choice(match.legal(seat)))
    return match


@pytest.mark.compiled
@pytest.mark.parametrize("seeds", [SEEDS, pytest.param(MORE, marks=pytest.mark.long)])
def test_the_client_draws_what_the_engine_drew(seeds: int, tmp_path: Path) -> None:
    count = 0
    for game in GAMES:
        spec = zashiki.games()[game]
        for seats, options in forms(spec):
            for _ in range(seeds):
                name = f"{game}-{seats}-{count}.jsonl"
                record = played(spec, seats, options, count).record()
                (tmp_path / name).write_text(record, "utf-8")
                count += 1
    assert count >= 20 * seeds
    run_client_tests("web/src/verify/draws.test.ts", ZASHIKI_RECORDS=str(tmp_path))
