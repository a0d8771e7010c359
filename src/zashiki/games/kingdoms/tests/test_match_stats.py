"""The statistics of a match: turns, and the uses of the copies of each card."""

import random
from collections import Counter

import zashiki
from zashiki import Match
from zashiki.core.match_stats import MatchStats
from zashiki.games.kingdoms.match_stats import match_stats
from zashiki.games.kingdoms.tests.tables import (
    EVERY_CARD,
    deploy,
    draft,
    fought,
    hand,
    plays,
    told,
)


def tells(match: Match) -> MatchStats:
    return match_stats(match.game, match.journal.entries)


def use(match: Match, seat: int, card: str) -> tuple[int, int, int]:
    """Return the numbers of copies that the seat drafted, played and kept."""
    (found,) = [use for use in tells(match).uses if (use.seat, use.card) == (seat, card)]
    return found.drafted, found.played, found.kept


def test_what_is_dealt_is_drafted_and_kept() -> None:
    match = zashiki.start("kingdoms", 2, seed=1)
    assert tells(match).turns == 1
    for seat in range(2):
        uses = [use for use in tells(match).uses if use.seat == seat]
        assert sum(use.drafted for use in uses) == 5
        assert sorted(use.card for use in uses for _ in range(use.kept)) == hand(match, seat)
        assert sum(use.played for use in uses) == 0


def test_every_card_is_told_of_for_both_seats_also_if_nobody_had_it() -> None:
    uses = tells(zashiki.start("kingdoms", 2, seed=1)).uses
    assert [(use.card, use.seat) for use in uses] == [
        (card, seat) for card in sorted(EVERY_CARD) for seat in range(2)
    ]


def test_what_is_drawn_is_drafted() -> None:
    match = plays(draft(("archer", ""), top="archer soldier"), "draft:N2")
    assert use(match, 0, "archer") == (2, 0, 2)
    assert use(match, 0, "soldier") == (1, 0, 1)


def test_a_card_that_occupies_is_played() -> None:
    match = plays(deploy(("soldier soldier", "")), "occupy:border:soldier")
    assert use(match, 0, "soldier") == (2, 1, 1)


def test_a_card_that_comes_back_and_is_played_again_counts_again() -> None:
    match = deploy(("archer liaison", ""))
    plays(match, "occupy:border:archer", "swap:border:liaison")
    assert use(match, 0, "archer") == (1, 1, 1)
    assert use(match, 0, "liaison") == (1, 1, 0)
    plays(match, "occupy:red-city:archer")
    assert use(match, 0, "archer") == (1, 2, 0)


def test_attackers_and_the_card_added_are_played_and_the_holder_is_not() -> None:
    match = fought("border", "knight lancer", "blue soldier", "shieldman")
    assert use(match, 0, "knight") == (1, 1, 0)
    assert use(match, 0, "lancer") == (1, 1, 0)
    assert use(match, 1, "shieldman") == (1, 1, 0)
    assert use(match, 1, "soldier") == (0, 0, 0)


def test_a_card_that_the_rearguard_saves_is_played_and_kept() -> None:
    match = plays(fought("border", "cavalry knight", "blue rearguard", "archer"), "leave:knight")
    assert use(match, 1, "archer") == (1, 1, 1)


def test_a_monarch_is_never_drafted() -> None:
    match = deploy(("prince", ""), {"red-capital": "red soldier"})
    assert use(match, 0, "prince") == (0, 0, 1)
    assert use(plays(match, "occupy:border:prince"), 0, "prince") == (0, 1, 0)


def test_the_last_turn_has_their_number() -> None:
    match = deploy(("soldier", ""), number=41)
    assert tells(match).turns == 41
    assert tells(plays(match, "done")).turns == 42


def test_whole_matches_agree_with_their_truth_and_with_what_all_were_told() -> None:
    for seed in range(8):
        match, choice = zashiki.start("kingdoms", 2, seed=seed), random.Random(seed)
        while not match.over:
            (seat,) = match.to_act
            match.play(seat, choice.choice(match.legal(seat)))
        assert tells(match).turns == match.truth()["number"]
        assert [counted(match, seat, "kept") for seat in range(2)] == [
            Counter(hand(match, seat)) for seat in range(2)
        ]
        drawn = sum(fact["count"] for fact in told(match, "drew"))
        assert sum(use.drafted for use in tells(match).uses) == 10 + drawn
        assert [counted(match, seat, "played") for seat in range(2)] == placed(match)


def counted(match: Match, seat: int, what: str) -> Counter[str]:
    uses = {use.card: getattr(use, what) for use in tells(match).uses if use.seat == seat}
    return +Counter(uses)


def placed(match: Match) -> list[Counter[str]]:
    """Count the cards that came openly from each hand to an area or a battle."""
    found: list[Counter[str]] = [Counter(), Counter()]
    for fact in [*told(match, "occupied"), *told(match, "swapped")]:
        found[fact["seat"]][fact["card"]] += 1
    for fact in told(match, "revealed"):
        found[fact["seat"]].update(fact["attackers"])
        found[1 - fact["seat"]].update([fact["added"]] if fact["added"] else [])
    return found
