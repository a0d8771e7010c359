"""Golden records: one match of each game, number of seats and option, replayed byte for byte.

Some games have more records: other seeds, a start from a position, a custom card set.

`make goldens` writes those of the present rules again; read the diff. Those of older rules_versions
stay, and must always replay.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import zashiki
from zashiki.core.dice import Quick, seed_bytes
from zashiki.core.match import opened, start
from zashiki.core.record import commit, nonce_hash
from zashiki.core.spec import GameSpec, Option, OptionValue
from zashiki.games.kingdoms.skills import WITH_AMOUNT
from zashiki.games.kingdoms.state import REASONS

pytestmark = pytest.mark.both
FOLDER = Path(__file__).parent / "goldens"
SEED = 2014
SALT = bytes(range(32))
FEW = 4


@dataclass(frozen=True)
class Golden:
    """The match of a golden record, and its file."""

    spec: GameSpec
    seats: int
    options: dict[str, OptionValue]
    chosen: str
    seed: int = SEED
    truth: Mapping[str, Any] | None = None
    """The starting position, if it is not the beginning."""
    nonces: Sequence[str] = ()
    """Nonces of a two-phase deal: the second person withholds theirs, the last seat is a bot."""

    def __str__(self) -> str:
        return f"{self.spec.id}-{self.seats}-{self.chosen}-v{self.spec.rules_version}"

    @property
    def path(self) -> Path:
        return FOLDER / f"{self}.jsonl"

    def play(self) -> str:
        if self.truth is None:
            hashes, nonces = self.deal()
            match = start(self.spec, self.seats, self.options, self.seed, (), nonces, SALT, hashes)
        else:
            match = opened(
                self.spec, self.seats, self.options, self.seed, (), (), SALT, scenario=True
            )
            match.game.set_scene(match.state, self.truth)
        chance = Quick(self.seed)
        while not match.over:
            seats = sorted(match.to_act)
            seat = seats[int(chance.below(len(seats), "seat"))]
            legal = match.legal(seat)
            says = (
                "上座は私のものだ。" if self.spec.speech and chance.below(5, "says") == 0 else None
            )
            match.play(seat, legal[int(chance.below(len(legal), "pick"))], says)
        return match.record()

    def deal(self) -> tuple[list[str | None], list[str]]:
        """Return the hashes and the nonces of the header."""
        if not self.nonces:
            return [], []
        commitment = commit(seed_bytes(self.seed), SALT)
        hashes = [nonce_hash(commitment, seat, one) for seat, one in enumerate(self.nonces)]
        return [*hashes, None], [self.nonces[0], "", ""]


def modest(option: Option, seats: int) -> OptionValue:
    """Return the default; for many values a small one, for short records."""
    return option.default_for(seats) if len(option.values) <= FEW else option.values[2]


def expected() -> Iterator[Golden]:
    """Yield a record of the defaults, and of each other value of an option that has few."""
    for spec in zashiki.games().values():
        for seats in spec.seats:
            base = {name: modest(option, seats) for name, option in spec.options.items()}
            yield Golden(spec, seats, base, "default")
            for name, option in spec.options.items():
                for value in option.values_for(seats) if len(option.values) <= FEW else ():
                    if value != base[name]:
                        yield Golden(spec, seats, {**base, name: value}, f"{name}-{value}".lower())


KINGDOMS = zashiki.games()["kingdoms"]
FIRST_SET: dict[str, OptionValue] = {"card_set": "reconstructed"}
SEEDS = {
    "monarch-saved": 2333,
    "new-pile": 3409,
    "standstill": 2016,
    "archer": 2374,
    "both-fall": 2309,
    "both-piles": 2019,
}
"""Seeds, by the rare event in their matches."""
FOUR = {
    "red-capital": "prince",
    "red-city": "soldier",
    "border": "archer",
    "blue-capital": "bishop",
}


def position(areas: Mapping[str, str], hand: Sequence[str] = (), left: int = 30) -> dict[str, Any]:
    """Red holds these areas and this hand; Blue has only the Princess, in hand.

    This many cards are left in each pile, the others are discarded.
    """
    truth: dict[str, Any] = start(KINGDOMS, 2, FIRST_SET, SEED, salt=SALT).truth()
    truth["piles"]["normal"] += [card for dealt in truth["hands"] for card in dealt]
    for pile in truth["piles"]:
        cards = Counter(truth["piles"][pile]) - Counter([*areas.values(), *hand])
        rest = sorted(cards.elements())
        truth["piles"][pile], truth["discards"][pile] = rest[:left], rest[left:]
    truth["hands"] = [sorted(hand), ["princess"]]
    for area in truth["areas"]:
        truth["areas"][area] = {"seat": 0, "card": areas[area]} if area in areas else None
    return truth


POSITIONS = {
    "five-areas": position(FOUR, ["lancer"]) | {"phase": "deploy"},
    "both-piles": position(FOUR, left=1),
    "turn-200": position({"red-capital": "prince"}) | {"turn": 1, "number": 200},
}
"""Positions shortly before events that random play seldom or never reaches."""


def own_set() -> str:
    """A card set as an owner of the box might write it: other names, other values."""
    text = (files("zashiki.games.kingdoms") / "cards" / "reconstructed.toml").read_text("utf-8")
    for ours, theirs in {
        'name = "reconstructed"': 'name = "golden"',
        '"soldier"\nnames = { en = "Soldier", ja = "兵士" }': (
            '"pikeman"\nnames = { en = "Pikeman", ja = "長槍兵" }'
        ),
        'skill = "archer"\namount = 1': 'skill = "archer"\namount = 4',
        "blue_funds = 3\noffset = 2": "blue_funds = 4\noffset = 5",
    }.items():
        assert text.count(ours) == 1, ours
        text = text.replace(ours, theirs)
    return text


def of_kingdoms() -> Iterator[Golden]:
    """Matches that together contain every fact, rare ones included."""
    for name in SEEDS | POSITIONS:
        yield Golden(KINGDOMS, 2, FIRST_SET, name, SEEDS.get(name, SEED), POSITIONS.get(name))
    yield Golden(KINGDOMS, 2, {"card_set": own_set()}, "own-set")


def kept() -> list[Path]:
    """Return the records of games found here, of any rules_version."""
    return [path for path in sorted(FOLDER.glob("*.jsonl")) if game_of(path) in zashiki.games()]


def game_of(path: Path) -> str:
    """Return the game in a file's name: the part before the number of seats."""
    found = re.match(r"(.+?)-\d{1,2}-", path.name)
    assert found, path
    return found[1]


def is_present(path: Path) -> bool:
    """Return whether this record belongs to the present rules of its game."""
    return path.stem.endswith(f"-v{zashiki.games()[game_of(path)].rules_version}")


RED_TOWN = zashiki.games()["red-town"]
TWO_PHASES = Golden(
    RED_TOWN, 3, {"form": "short", "hitmen": "open"}, "two-phases", nonces=["0a" * 16, "0b" * 32]
)
GOLDENS = [*expected(), *of_kingdoms(), TWO_PHASES]


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


@pytest.mark.parametrize("spec", zashiki.games().values(), ids=lambda spec: spec.id)
def test_every_version_of_the_rules_has_golden_records(spec: GameSpec) -> None:
    names = [path.stem for path in kept() if game_of(path) == spec.id]
    for version in range(1, spec.rules_version + 1):
        assert [name for name in names if name.endswith(f"-v{version}")], version


def test_the_golden_records_of_kingdoms_tell_every_fact() -> None:
    records = [golden.path.read_text("utf-8") for golden in GOLDENS if golden.spec is KINGDOMS]
    facts = [fact for text in records for fact in zashiki.replay(text).facts()]
    vocabulary = KINGDOMS.vocabulary(2, KINGDOMS.check_options(None, 2))
    assert {fact.name for fact in facts} == set(vocabulary.every_fact())

    def told(name: str, argument: str) -> set[object]:
        return {fact.arguments[argument] for fact in facts if fact.name == name}

    assert told("counted", "source") == {"sword", "shield", *WITH_AMOUNT}
    assert told("ended", "reason") == set(REASONS)
    assert told("ended", "winner") == {"red", "blue", "nobody"}
    assert told("pile_made", "class") == {"normal", "ace"}
    assert told("returned", "card") & {"prince", "princess"}
    assert "pikeman" in told("laid", "card")


def test_no_golden_record_of_the_present_rules_is_left_over(pytestconfig: pytest.Config) -> None:
    names = {golden.path for golden in GOLDENS}
    left_over = [path for path in kept() if is_present(path) and path not in names]
    if pytestconfig.getoption("--regenerate-goldens"):
        for path in left_over:
            path.unlink()
    assert [path for path in left_over if path.exists()] == []
