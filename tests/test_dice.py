"""Randomness: fixed vectors for the dice, uniform draws, no position; the fast generator."""

from collections import Counter

import pytest

from zashiki.core.dice import Chance, Dice, NoChance, NoSeed, Quick, seed_bytes
from zashiki.core.rulings import Malformed

ZERO = bytes(32)


def drawn(dice: Dice, action: int, stream: str, counts: list[int]) -> list[int]:
    dice.turn_to(action)
    return [int(dice.below(count, stream)) for count in counts]


VECTORS = [
    (ZERO, [], 0, "starter", [4, 4, 4, 52, 52, 1000000], [3, 2, 3, 25, 24, 320853]),
    (ZERO, [], 1, "starter", [4, 4, 4, 52, 52, 1000000], [3, 1, 3, 28, 12, 763868]),
    (ZERO, [], 0, "deal", [4, 4, 4, 52, 52, 1000000], [1, 3, 3, 31, 47, 868219]),
    (ZERO, ["00ff", ""], 0, "starter", [4, 4, 4, 52, 52, 1000000], [0, 3, 0, 37, 28, 571575]),
    (seed_bytes(7), [], 0, "starter", [4, 4, 4, 52, 52, 1000000], [0, 2, 3, 22, 23, 290200]),
]


@pytest.mark.parametrize(("seed", "nonces", "action", "stream", "counts", "expected"), VECTORS)
def test_fixed_vectors(
    seed: bytes, nonces: list[str], action: int, stream: str, counts: list[int], expected: list[int]
) -> None:
    assert drawn(Dice(seed, nonces), action, stream, counts) == expected


def test_seeds_of_different_types_differ_and_32_bytes_are_the_seed() -> None:
    seeds = [seed_bytes(7), seed_bytes("7"), seed_bytes(b"7"), seed_bytes(-7), seed_bytes("")]
    assert len(set(seeds)) == len(seeds)
    assert seed_bytes(ZERO) == ZERO
    assert seed_bytes(7).hex() == "a6abe6506e94a095d028c434bf4817bf97fa4626e799586bebd0aaeaaa4d5973"
    assert (
        seed_bytes("座敷").hex()
        == "36e3e51fb629015a771fa2e9f1da4524d3b70413196a6aeb5380635e2cdcf78c"
    )


@pytest.mark.parametrize("seed", [True, 1.5, [], object(), "\ud800"])
def test_a_seed_of_another_type_is_malformed(seed: int) -> None:
    with pytest.raises(Malformed, match="seed"):
        seed_bytes(seed)


def test_dice_have_no_position() -> None:
    """The draws of one action have no effect on those of the next."""
    dice, other = Dice(ZERO, []), Dice(ZERO, [])
    drawn(dice, 1, "deal", [6] * 9)
    assert drawn(dice, 2, "deal", [6] * 9) == drawn(other, 2, "deal", [6] * 9)


def test_streams_are_independent_of_each_other() -> None:
    dice, other = Dice(ZERO, []), Dice(ZERO, [])
    dice.turn_to(1)
    other.turn_to(1)
    mixed = [(int(dice.below(99, "a")), int(dice.below(99, "b"))) for _ in range(9)]
    assert [a for a, _ in mixed] == [other.below(99, "a") for _ in range(9)]


def test_nonces_cannot_be_moved_from_seat_to_seat() -> None:
    assert drawn(Dice(ZERO, ["ab", "cd"]), 0, "x", [1 << 60]) != drawn(
        Dice(ZERO, ["abcd", ""]), 0, "x", [1 << 60]
    )


def test_rejection_keeps_draws_even_where_a_word_does_not_divide() -> None:
    """For a count just above half of all words, about every second word must be rejected."""
    size = (1 << 62) + 1
    draws = drawn(Dice(ZERO, []), 0, "x", [size] * 400)
    assert all(0 <= draw < size for draw in draws)
    low = sum(draw < size // 2 for draw in draws)
    assert 150 < low < 250


@pytest.mark.parametrize("chance", [Dice(ZERO, []), Quick(1)])
def test_draws_are_even(chance: Chance) -> None:
    counts = Counter(int(chance.below(6, "die")) for _ in range(6000))
    assert set(counts) == set(range(6))
    assert all(850 < count < 1150 for count in counts.values())


@pytest.mark.parametrize("chance", [Dice(ZERO, []), Quick(1)])
def test_shuffles_are_even(chance: Chance) -> None:
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(3000):
        items = [0, 1, 2]
        chance.shuffle(items, "deck")
        counts[tuple(items)] += 1
    assert len(counts) == 6
    assert all(400 < count < 600 for count in counts.values())


def test_below_nothing_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Dice(ZERO, []).below(0, "x")


def test_without_a_seed_nothing_is_drawn() -> None:
    with pytest.raises(NoSeed, match="seed"):
        NoChance().below(2, "deck")
    assert not NoChance().has_drawn()


def test_the_quick_generator_is_the_same_everywhere() -> None:
    quick = Quick(7)
    assert [int(quick.below(1000, "x")) for _ in range(8)] == [
        491,
        174,
        570,
        117,
        20,
        261,
        852,
        681,
    ]
