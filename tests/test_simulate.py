"""Simulations: independent of the workers, with rotating seats, and correct sums."""

import math
import multiprocessing
import os
import time
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import zashiki
from zashiki.core.match_stats import CardUse, MatchStats
from zashiki.lab import Plan, Row, Turns, simulate, summarize
from zashiki.lab.simulate import seated, wilson
from zashiki.lab.workers import MAX_WAITING, TASKS_AHEAD, map_in_order


def rows(plan: Plan, workers: int = 1) -> list[Row]:
    return [row for block in simulate(plan, workers) for row in block]


def plan(bots: str = "greedy random random random", matches: int = 24, seed: int | str = 1) -> Plan:
    return Plan.checked("kamiza-second", 4, bots.split(), matches, seed)


def test_the_rows_do_not_depend_on_the_number_of_workers() -> None:
    assert rows(plan(), workers=1) == rows(plan(), workers=2)


def test_of_endless_matches_only_those_are_played_that_are_wanted() -> None:
    blocks = simulate(plan(matches=10**12), workers=2)
    assert [block[0].match for block in islice(blocks, 3)] == [0, 10, 20]
    blocks.close()
    assert multiprocessing.active_children() == []


def test_a_process_that_dies_ends_the_simulation() -> None:
    blocks = simulate(plan(matches=10**6), workers=2)
    next(blocks)
    multiprocessing.active_children()[0].kill()
    with pytest.raises(zashiki.Malformed, match="a process ended before"):
        for _ in blocks:
            pass
    assert multiprocessing.active_children() == []


def failing(plan: str, task: int) -> int:
    if task == 3:
        raise ArithmeticError(plan)
    return task


def test_what_goes_wrong_in_a_process_is_told_as_if_it_were_none() -> None:
    results = map_in_order(failing, "three", range(10), 2)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ArithmeticError, match="three") as caught:
        next(results)
    assert "in failing" in caught.value.__notes__[0]


STARTED = 2 * MAX_WAITING - (TASKS_AHEAD - 1)
"""Tasks begun by two workers while the first of them is busy with task 0, which delays its next
tasks.
"""


def dawdling(folder: str, task: int) -> int:
    """Every task leaves a file; task 0 waits for the last possible one, and counts them."""
    Path(folder, str(task)).touch()
    while task == 0 and len(os.listdir(folder)) < STARTED:
        time.sleep(0.01)
    if task == 0:
        time.sleep(0.2)  # one too many would come at once; a busy machine only delays it
    return len(os.listdir(folder))


def test_a_slow_task_does_not_make_results_pile_up(tmp_path: Path) -> None:
    results = map_in_order(dawdling, str(tmp_path), range(1000), 2)
    assert next(results) == STARTED
    assert len(list(results)) == 999


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
    half = 1.959964 * math.sqrt(8 / 2)  # the means per match are 2 and 6: a variance of 8
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


# Matches for two, and their statistics ----------------------------------------------------------


def chronicled(number: int, ranks: str, turns: int, *uses: CardUse) -> list[Row]:
    """Return the rows of a two-player match with these statistics."""
    rows = match_rows(number, ranks, "a a", "0 0")
    return [row._replace(match_stats=MatchStats(turns, uses)) for row in rows]


def test_draws_are_counted_where_two_play() -> None:
    ends = ["1 2", "1 1", "2 1", "1 1", "1 2"]
    blocks = [match_rows(number, ranks, "a b", "0 0") for number, ranks in enumerate(ends)]
    draws = summarize(blocks).draws
    assert draws is not None
    assert draws.count == 2
    assert draws.rate == wilson(2, 5)
    assert draws.rate.mean == 0.4


def test_more_than_two_do_not_draw() -> None:
    assert summarize([match_rows(0, "1 1 1", "a b c", "5 5 5")]).draws is None


def test_turns_are_told_by_their_mean_median_and_bounds() -> None:
    blocks = [chronicled(number, "1 2", turns) for number, turns in enumerate([30, 4, 8, 6])]
    assert summarize(blocks).turns == Turns(12, 7, 4, 30)
    assert summarize(blocks[:1]).turns == Turns(30, 30, 30, 30)


def test_cards_are_counted_a_match_and_their_wins_a_seat_that_played_them() -> None:
    won = chronicled(0, "1 2", 1, CardUse(0, "ace", 3, 2, 1), CardUse(1, "ace", 1, 1, 0))
    drawn = chronicled(1, "1 1", 1, CardUse(0, "ace", 2, 0, 2), CardUse(1, "ace", 0, 4, 0))
    lost = chronicled(2, "2 1", 1, CardUse(0, "ace", 0, 2, 0), CardUse(1, "ace", 0, 0, 0))
    again = chronicled(3, "1 2", 1, CardUse(0, "ace", 0, 1, 0), CardUse(1, "ace", 0, 0, 0))
    (ace,) = summarize([won + drawn, lost + again]).cards
    assert (ace.name, ace.drafted, ace.played, ace.kept) == ("ace", 6 / 4, 10 / 4, 3 / 4)
    assert ace.users == 5
    assert ace.win_rate == wilson(2.5, 5)  # won, lost, drawn, lost, won


def test_a_card_that_nobody_played_has_no_win_rate() -> None:
    (card,) = summarize([chronicled(0, "1 2", 1, CardUse(0, "card", 1, 0, 1))]).cards
    assert (card.users, card.win_rate) == (0, None)


def test_a_game_without_a_chronicle_tells_no_turns_and_no_cards() -> None:
    summary = summarize(simulate(plan(matches=2)))
    assert (summary.turns, summary.cards, summary.matches) == (None, (), 2)


def test_what_a_game_tells_does_not_depend_on_the_number_of_workers() -> None:
    two = Plan.checked("kingdoms", 2, ["random"], 24, 1)
    alone = rows(two)
    assert alone == rows(two, workers=2)
    assert all(row.match_stats is not None for row in alone)
    assert alone[0].match_stats is alone[1].match_stats


# Refused plans ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bots", "matches", "fault"),
    [
        ("random random", 5, "bots: expected 1, or 4 for as many seats, found 2"),
        ("clever", 5, "expected one of random, .*, found 'clever'"),
        ("random", 0, "at least 1"),
    ],
)
def test_what_cannot_be_played_is_refused_before_it_begins(
    bots: str, matches: int, fault: str
) -> None:
    with pytest.raises(zashiki.Malformed, match=fault):
        plan(bots, matches)


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        ({"matches": "x"}, "matches 'x': expected an integer"),
        ({"matches": 1.5}, "matches 1.5: expected an integer"),
        ({"matches": True}, "matches True: expected an integer"),
        ({"matches": None}, "matches None: expected an integer"),
        ({"bots": 5}, "bots 5: expected a list of names"),
        ({"bots": None}, "bots None: expected a list of names"),
        ({"bots": "random"}, "bots 'random': expected a list of names"),
        ({"bots": [5]}, "expected one of random, .*, found 5"),
        ({"bots": [["random"]]}, "random"),
        ({"bots": []}, "bots: expected 1, or 4 for as many seats, found 0"),
        ({"seed": 1.5}, "seed 1.5: expected an integer or a text"),
        ({"seed": True}, "seed True: expected an integer or a text"),
        ({"seed": "\ud800"}, "seed"),
        ({"seats": "4"}, "expected 3 or 4, found '4'"),
        ({"game": 5}, "game: expected one of .*, found 5"),
        ({"options": 5}, "options"),
    ],
)
def test_values_of_the_wrong_kind_are_named(wrong: dict[str, Any], fault: str) -> None:
    right: dict[str, Any] = {"game": "kamiza-second", "seats": 4, "bots": ["random"], "matches": 1}
    with pytest.raises(zashiki.Malformed, match=fault):
        Plan.checked(**{**right, **wrong})


@pytest.mark.parametrize("workers", [0, -1, 1.5, "2", True, None])
def test_workers_are_counted(workers: Any) -> None:
    with pytest.raises(zashiki.Malformed, match=r"workers .* at least 1"):
        simulate(plan(), workers)
