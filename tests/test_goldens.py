"""Golden records: one match of each game, number of seats and option, played again byte for byte.

`make goldens` writes those of the present rules anew; read the diff. Those of older rules_versions
stay, and must replay for ever.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import zashiki
from zashiki.core.dice import Quick
from zashiki.core.match import start
from zashiki.core.offer import Offer, Option, OptionValue

FOLDER = Path(__file__).parent / "goldens"
SEED = 2014
SALT = bytes(range(32))
FEW = 4


@dataclass(frozen=True)
class Golden:
    """What is played, and where it is kept."""

    offer: Offer
    seats: int
    options: dict[str, OptionValue]
    chosen: str

    def __str__(self) -> str:
        return f"{self.offer.id}-{self.seats}-{self.chosen}-v{self.offer.rules_version}"

    @property
    def path(self) -> Path:
        return FOLDER / f"{self}.jsonl"

    def play(self) -> str:
        match = start(self.offer, self.seats, self.options, SEED, salt=SALT)
        chance = Quick(SEED)
        while not match.over:
            seats = sorted(match.to_act)
            seat = seats[int(chance.below(len(seats), "seat"))]
            legal = match.legal(seat)
            says = (
                "上座は私のものだ。" if self.offer.speech and chance.below(5, "says") == 0 else None
            )
            match.play(seat, legal[int(chance.below(len(legal), "pick"))], says)
        return match.record()


def modest(option: Option, seats: int) -> OptionValue:
    """The default; of many values a small one, for short records."""
    return option.default_for(seats) if len(option.values) <= FEW else option.values[2]


def expected() -> Iterator[Golden]:
    """The default, and each other value of an option that has few."""
    for offer in zashiki.games().values():
        for seats in offer.seats:
            base = {name: modest(option, seats) for name, option in offer.options.items()}
            yield Golden(offer, seats, base, "default")
            for name, option in offer.options.items():
                for value in option.values_for(seats) if len(option.values) <= FEW else ():
                    if value != base[name]:
                        yield Golden(offer, seats, {**base, name: value}, f"{name}-{value}".lower())


def kept() -> list[Path]:
    """The records of games that are found here, of whatever rules_version."""
    return [path for path in sorted(FOLDER.glob("*.jsonl")) if game_of(path) in zashiki.games()]


def game_of(path: Path) -> str:
    """The game in a file's name: what stands before the number of seats."""
    found = re.match(r"(.+?)-\d{1,2}-", path.name)
    assert found, path
    return found[1]


def is_present(path: Path) -> bool:
    """Does this record belong to the present rules of its game?"""
    return path.stem.endswith(f"-v{zashiki.games()[game_of(path)].rules_version}")


GOLDENS = list(expected())


@pytest.mark.parametrize("golden", GOLDENS, ids=str)
def test_a_match_is_played_as_ever(golden: Golden, pytestconfig: pytest.Config) -> None:
    text = golden.play()
    if pytestconfig.getoption("--regenerate-goldens"):
        FOLDER.mkdir(exist_ok=True)
        golden.path.write_text(text, "utf-8", newline="\n")
    assert golden.path.read_bytes() == text.encode(), "read the diff after: make goldens"


@pytest.mark.parametrize("path", kept(), ids=lambda path: path.stem)
def test_a_golden_record_replays(path: Path) -> None:
    text = path.read_bytes().decode()
    match = zashiki.replay(text)
    assert match.over
    assert match.record() == text
    middle = len(match.facts()) // 2
    assert zashiki.replay(text, until=middle).facts() == match.facts()[:middle]


def test_no_golden_record_of_the_present_rules_is_left_over(pytestconfig: pytest.Config) -> None:
    names = {golden.path for golden in GOLDENS}
    left_over = [path for path in kept() if is_present(path) and path not in names]
    if pytestconfig.getoption("--regenerate-goldens"):
        for path in left_over:
            path.unlink()
    assert [path for path in left_over if path.exists()] == []
