"""Simulations: independent of the workers, seated in turn, and summed up correctly."""

import math
from collections import Counter

import pytest

import zashiki
from zashiki.lab import Plan, Row, simulate, summarize
from zashiki.lab.simulate import seated, wilson


def rows(plan: Plan, workers: int = 1) -> list[Row]:
    return [row for block in simulate(plan, workers) for row in block]


def plan(bots: str = "greedy random random random", matches: int = 24, seed: int | str = 1) -> Plan:
    return Plan.checked("kamiza-second", 4, bots.split(), matches, seed)


def test_the_rows_do_not_depend_on_the_number_of_workers() -> None:
    assert rows(plan(), workers=1) == rows(plan(), workers=2)


def test_a_longer_simulation_begins_as_the_shorter_one() -> None:
    assert rows(plan(matches=12)) == rows(plan(matches=24))[: 12 * 4]


def test_other_seeds_give_other_matches() -> None:
    firsts = [rows(plan(matches=8, seed=seed)) for seed in (1, 2, "1")]
    assert len({tuple(first) for first in firsts}) == 3


def test_seating_rotates_so_that_every_bot_sits_everywhere() -> None:
    assert [seated(("a", "b", "c"), number)[0] for number in range(4)] == ["a", "c", "b", "a"]
    where = Counter(row.seat for row in rows(plan()) if row.bot == "greedy")
    assert where == {0: 6, 1: 6, 2: 6, 3: 6}


def test_every_match_has_a_row_a_seat_and_a_seed_of_its_own() -> None:
    made = rows(plan(matches=10))
    assert [(row.match, row.seat) for row in made] == [(n, s) for n in range(10) for s in range(4)]
    assert len({row.seed for row in made}) == 10


def match_rows(number: int, ranks: str, bots: str, scores: str) -> list[Row]:
    ends = zip(ranks.split(), bots.split(), scores.split(), strict=True)
    return [
        Row(number, 0, seat, bot, int(rank), float(score))
        for seat, (rank, bot, score) in enumerate(ends)
    ]


def test_a_shared_first_place_counts_in_parts() -> None:
    summary = summarize([match_rows(0, "1 1 3", "a b b", "5 5 0")])
    by_bot = {entry.name: entry for entry in summary.bots}
    assert by_bot["a"].wins == 0.5
    assert by_bot["b"].wins == 0.5
    assert by_bot["b"].win_rate.mean == 0.25
    assert [entry.wins for entry in summary.seats] == [0.5, 0.5, 0]
    assert summary.fair_share == pytest.approx(1 / 3)


def test_a_bot_on_several_chairs_is_reported_once_per_chair() -> None:
    first = match_rows(0, "1 2 3", "a b b", "9 3 1")
    second = match_rows(1, "3 1 2", "a b b", "1 7 5")
    a, b = summarize([first + second]).bots
    assert (a.chairs, b.chairs) == (1, 2)
    assert (b.matches, b.wins) == (2, 1)
    assert b.win_rate.mean == 0.25
    assert b.score.mean == 4
    assert b.rank == 2
    half = 1.959964 * math.sqrt(8 / 2)  # per match the means are 2 and 6: a variance of 8
    assert (b.score.low, b.score.high) == pytest.approx((4 - half, 4 + half))


def test_a_single_match_has_no_interval_of_scores() -> None:
    (a, _) = summarize([match_rows(0, "1 2", "a b", "9 3")]).bots
    assert math.isnan(a.score.low)


def test_the_wilson_interval_has_its_known_values() -> None:
    tenth = wilson(10, 100)
    assert (tenth.low, tenth.high) == pytest.approx((0.05523, 0.17437), abs=1e-5)
    assert wilson(0, 10).low == 0
    assert wilson(0, 10).high == pytest.approx(0.27753, abs=1e-5)
    assert wilson(10, 10).high == 1


@pytest.mark.parametrize(
    ("bots", "matches", "fault"),
    [
        ("random random", 5, "2 bots: 1, or 4"),
        ("clever", 5, "'clever': .* random"),
        ("random", 0, "at least 1"),
    ],
)
def test_what_cannot_be_played_is_refused_before_it_begins(
    bots: str, matches: int, fault: str
) -> None:
    with pytest.raises(zashiki.Malformed, match=fault):
        plan(bots, matches)
