"""The sequential test, valid after every deal: rare errors, early ends, known values."""

import math
import random

import pytest

from zashiki.lab.arena.sequential import (
    ERROR,
    SIZES,
    Bettor,
    SequentialTest,
    Value,
    Verdict,
    confidence,
)


def run(rate: float, share: float, most: int, source: random.Random) -> SequentialTest:
    """Coins that show 1 at this rate, until the result is significant."""
    test = SequentialTest(share)
    while test.verdict is Verdict.UNCLEAR and len(test.values) < most:
        test.add(Value(float(source.random() < rate)))
    return test


@pytest.mark.parametrize("share", [0.5, 0.2])
def test_it_is_rarely_wrong_however_often_one_looks(share: float) -> None:
    """For coins exactly at the share, either verdict is wrong."""
    source = random.Random(7)
    wrong = sum(run(share, share, 150, source).verdict is not Verdict.UNCLEAR for _ in range(200))
    assert wrong / 200 <= ERROR


def test_it_is_soon_done_where_the_answer_is_clear() -> None:
    source = random.Random(8)
    above = [run(0.75, 0.5, 1000, source) for _ in range(20)]
    below = [run(0.5, 0.75, 1000, source) for _ in range(20)]
    assert {test.verdict for test in above} == {Verdict.ABOVE}
    assert {test.verdict for test in below} == {Verdict.NOT_ABOVE}
    assert sum(len(test.values) for test in above) / 20 < 100


def test_capital_has_its_known_values() -> None:
    """At even odds, a bet of size f turns 1 into 1 + f on a win, and 1 - f on a loss."""
    bettor = Bettor(0.5)
    assert bettor.log_capital == 0
    for value in (1.0, 1.0, 0.0):
        bettor.add(Value(value))
    expected = sum((1 + size) ** 2 * (1 - size) for size in SIZES) / len(SIZES)
    assert math.exp(bettor.log_capital) == pytest.approx(expected)
    fair = Bettor(0.25)
    fair.add(Value(0.25))
    assert fair.log_capital == pytest.approx(0)


def test_wins_without_a_loss_are_clear_when_the_capital_is_fortyfold() -> None:
    test, wins = SequentialTest(0.5), 0
    while test.verdict is Verdict.UNCLEAR:
        test.add(Value(1.0))
        wins += 1
    capital = [sum((1 + size) ** n for size in SIZES) / len(SIZES) for n in range(20)]
    assert wins == next(n for n in range(20) if capital[n] >= 40) == 10


def test_a_test_is_valid_because_a_bet_is_fair() -> None:
    """At the share itself the expected capital stays constant, after any past."""
    for share in (0.2, 0.5, 0.6):
        bettor = Bettor(share)
        bettor.add(Value(1.0))
        before = math.exp(bettor.log_capital)
        after = []
        for value in (1.0, 0.0):
            one = Bettor(share)
            one.add(Value(1.0))
            one.add(Value(value))
            after.append(math.exp(one.log_capital))
        assert share * after[0] + (1 - share) * after[1] == pytest.approx(before)


def test_draws_do_not_count() -> None:
    plain, drawn = SequentialTest(0.6), SequentialTest(0.6)
    for value in (1.0, 0.0, 1.0, 1.0):
        plain.add(Value(value))
        drawn.add(Value(value))
        drawn.add(Value(0.0, 1.0))
    assert drawn.above.log_capital == pytest.approx(plain.above.log_capital)
    assert drawn.below.log_capital == pytest.approx(plain.below.log_capital)
    assert confidence(drawn.values).mean == confidence(plain.values).mean == 0.75


def test_the_order_does_not_matter() -> None:
    values = [Value(value) for value in (1.0, 0.5, 0.0, 1.0, 0.25)]
    forth, back = SequentialTest(0.4), SequentialTest(0.4)
    for one, other in zip(values, reversed(values), strict=True):
        forth.add(one)
        back.add(other)
    assert forth.above.log_capital == pytest.approx(back.above.log_capital)


def test_the_interval_excludes_the_share_exactly_when_it_is_clear() -> None:
    source = random.Random(9)
    for rate in (0.5, 0.55, 0.8, 0.2):
        test = run(rate, 0.5, 120, source)
        interval = confidence(test.values)
        assert interval.low <= interval.mean <= interval.high
        assert (interval.low > 0.5 - 1e-5) == (test.verdict is Verdict.ABOVE)
        assert (interval.high < 0.5 + 1e-5) == (test.verdict is Verdict.NOT_ABOVE)


def test_of_nothing_nothing_is_known() -> None:
    interval = confidence([Value(0.0, 1.0)] * 5)
    assert (interval.low, interval.high) == (0, 1)
    assert math.isnan(interval.mean)
