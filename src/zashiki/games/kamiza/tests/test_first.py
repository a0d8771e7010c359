"""The rules of KAMIZA (2014) that differ from the Second Generation."""

from typing import Any

import pytest

import zashiki
from zashiki import Malformed, Match
from zashiki.games.kamiza.tests.tables import CARDS, FIRST, judged, lay, stand, standing, told

ruling = pytest.mark.ruling


# K1 1 Components and set-up ----------------------------------------------------------------------


@ruling("K1 1.1")
def test_each_player_holds_boss_underboss_hitman_and_raid() -> None:
    match = zashiki.start(FIRST, seats=3, seed=1)
    assert match.truth()["hands"] == [["boss", "underboss", "hitman", "raid"]] * 3
    with pytest.raises(Malformed, match="raid"):
        match.why_not(0, "police@top")


@ruling("K1 1.2")
def test_three_or_four_players_three_games_of_three_rounds() -> None:
    with pytest.raises(Malformed, match="expected 3 or 4, found"):
        zashiki.start(FIRST, seats=5, seed=1)
    match = zashiki.start(FIRST, seats=3, seed=1)
    actions = 0
    while not match.over:
        for seat in match.to_act:
            match.play(seat, match.legal(seat)[0])
            actions += 1
    assert actions == 3 * 3 * 3
    assert [len(hand) for hand in match.truth()["hands"]] == [1, 1, 1]  # type: ignore[attr-defined]


@ruling("K1 1.3")
def test_the_top_has_one_seat_the_bottom_two() -> None:
    assert judged(FIRST, "boss@top", "underboss@top", "underboss@bottom", "hitman@bottom") == [
        5,
        0,
        2,
        1,
    ]


@ruling("K1 1.4")
def test_the_first_starter_is_drawn_and_there_is_no_wanted() -> None:
    starters = {zashiki.start(FIRST, seats=3, seed=seed).truth()["starter"] for seed in range(40)}
    assert starters == {0, 1, 2}
    truth = zashiki.start(FIRST, seats=3, seed=1).truth()
    assert "wanted" not in truth
    assert "dropped" not in truth


# K1 2 A round ------------------------------------------------------------------------------------


@ruling("K1 2.1")
def test_placing_threatening_and_revealing_are_as_in_the_second_edition() -> None:
    match = stand(FIRST, 3)
    match.play(0, "raid@bottom", says="raid-1")
    assert match.view(1)["placed"] == [{"seat": 0, "card": None, "area": "bottom", "open": False}]
    assert match.view(1)["threats"] == {"0": "raid-1"}
    match.play(1, "boss@top")
    match.play(2, "boss@top")
    assert told(match, "revealed") == [{"cards": ["raid@bottom", "boss@top", "boss@top"]}]


@ruling("K1 2.2")
def test_who_raided_starts_the_next_round() -> None:
    match = lay(
        stand(FIRST, scores=[9, 0, 0, 0]), "boss@top", "raid@bottom", "boss@top", "hitman@top"
    )
    assert match.to_act == {1}


@ruling("K1 2.2")
def test_who_raided_also_starts_the_next_game() -> None:
    match = stand(FIRST, 3, round=3, scores=[9, 0, 0], spent=[["boss", "hitman"]] * 3)
    lay(match, "underboss@top", "underboss@top", "raid@top")
    assert match.truth()["game"] == 2
    assert match.to_act == {2}


@ruling("K1 2.3")
def test_otherwise_the_highest_total_starts() -> None:
    match = lay(stand(FIRST), "hitman@bottom", "underboss@bottom", "boss@top", "underboss@top")
    assert match.to_act == {2}
    tied = stand(FIRST, starter=2, turn=2, scores=[4, 4, 0, 1])
    assert lay(tied, *["boss@top"] * 4).to_act == {0}
    tied = stand(FIRST, starter=1, turn=1, scores=[4, 0, 4, 0])
    assert lay(tied, *["boss@top"] * 4).to_act == {2}
    tied = stand(FIRST, starter=1, turn=1, scores=[4, 4, 4, 0])
    assert lay(tied, *["boss@top"] * 4).to_act == {1}


@ruling("K1 2.4")
def test_under_open_start_the_starters_card_lies_face_up() -> None:
    match = stand(FIRST, options={"open_start": True})
    match.play(0, "raid@top")
    assert match.view(1)["placed"] == [{"seat": 0, "card": "raid", "area": "top", "open": True}]
    match.play(1, "boss@top")
    placed: Any = match.view(2)["placed"]
    assert [lay["open"] for lay in placed] == [True, False]
    assert zashiki.games()[FIRST].options["open_start"].default is False


# K1 3 Judging ------------------------------------------------------------------------------------


@ruling("K1 3.1")
@pytest.mark.parametrize("area", ["top", "bottom"])
def test_exactly_one_raid_ends_the_round_and_nobody_scores(area: str) -> None:
    match = lay(stand(FIRST), "boss@top", f"raid@{area}", "underboss@bottom", "hitman@bottom")
    assert match.truth()["scores"] == [0, 0, 0, 0]
    assert told(match, "raided") == [{"seat": 1}]
    assert told(match, "judged") == []
    assert match.truth()["spent"] == [["boss"], ["raid"], ["underboss"], ["hitman"]]


@ruling("K1 3.1")
def test_two_raids_do_not_raid() -> None:
    match = lay(stand(FIRST), "boss@top", "raid@top", "raid@bottom", "hitman@bottom")
    assert told(match, "raided") == []
    assert match.truth()["scores"] == [5, 0, 0, 1]


@ruling("K1 3.2")
def test_the_bottom_takes_a_raid_but_no_boss() -> None:
    match = lay(stand(FIRST), "boss@bottom", "raid@bottom", "raid@top", "hitman@bottom")
    assert told(match, "judged")[0]["misplaced"] == [0]
    assert match.truth()["scores"] == [0, 0, 0, 1]
    assert stand(FIRST).why_not(0, "boss@bottom") is None


@ruling("K1 3.3")
def test_equals_in_one_area_cancel_each_other_raids_too() -> None:
    match = lay(stand(FIRST), "raid@bottom", "raid@bottom", "hitman@top", "hitman@top")
    assert told(match, "judged")[0]["cancelled"] == [0, 1, 2, 3]


@ruling("K1 3.3")
def test_two_raids_in_different_areas_neither_raid_nor_cancel() -> None:
    match = lay(stand(FIRST), "raid@top", "raid@bottom", "underboss@bottom", "hitman@top")
    assert told(match, "judged")[0]["cancelled"] == []
    assert match.truth()["scores"] == [0, 0, 2, 1]


@ruling("K1 3.4")
def test_the_lower_numbers_lose_their_seats() -> None:
    match = lay(stand(FIRST), "raid@bottom", "raid@top", "underboss@bottom", "hitman@bottom")
    assert told(match, "judged")[0]["beaten"] == [0]
    match = lay(stand(FIRST), "raid@bottom", "raid@top", "underboss@bottom", "hitman@top")
    assert told(match, "judged")[0]["beaten"] == [1]


@ruling("K1 3.4")
def test_a_raid_keeps_a_free_seat_and_scores_nothing() -> None:
    match = lay(stand(FIRST), "raid@bottom", "raid@top", "underboss@bottom", "boss@bottom")
    assert told(match, "judged")[0]["beaten"] == []
    assert match.truth()["scores"] == [0, 0, 2, 0]


@ruling("K1 3.5")
def test_a_hitman_defeats_the_boss_with_the_same_switch_for_the_underboss() -> None:
    cards = ("boss@top", "underboss@top", "hitman@top")
    assert judged(FIRST, *cards) == [0, 0, 4]
    assert judged(FIRST, *cards, underboss_shield=True) == [5, 0, 0]


@ruling("K1 3.6")
def test_a_card_that_kept_its_seat_scores_its_number() -> None:
    assert judged(FIRST, "boss@top", "underboss@bottom", "hitman@bottom") == [5, 2, 1]


# K1 4 The end ------------------------------------------------------------------------------------


def finished(scores: list[int], left: list[str]) -> Match:
    spent = [[card for card in CARDS[FIRST] if card != kept] for kept in left]
    hands = [[card] for card in left]
    stands = {"game": 3, "round": 3, "turn": None, "scores": scores, "hands": hands, "spent": spent}
    return zashiki.scenario(FIRST, standing(FIRST, len(left), **stands))


@ruling("K1 4.1")
def test_the_highest_total_wins() -> None:
    outcome = finished([1, 8, 3], ["raid", "boss", "raid"]).outcome
    assert outcome is not None
    assert outcome.ranks == (3, 1, 2)
    assert outcome.scores == (1, 8, 3)


@ruling("K1 4.1")
def test_still_tied_is_shared_and_there_is_no_switch() -> None:
    outcome = finished([8, 8, 8], ["hitman", "hitman", "boss"]).outcome
    assert outcome is not None
    assert outcome.ranks == (1, 1, 3)
    assert "tie_break" not in zashiki.games()[FIRST].options


# The rulebook's examples -------------------------------------------------------------------------


@ruling("K1 3.1")
@ruling("K1 2.2")
@pytest.mark.parametrize("raider", range(4))
@pytest.mark.parametrize("area", ["top", "bottom"])
def test_example_1_one_raid_anywhere(raider: int, area: str) -> None:
    cards = ["boss@top", "underboss@bottom", "hitman@bottom", "underboss@top"]
    cards[raider] = f"raid@{area}"
    match = lay(stand(FIRST), *cards)
    assert match.truth()["scores"] == [0, 0, 0, 0]
    assert match.to_act == {raider}


@ruling("K1 3.3")
def test_example_2_two_raids_cancel_and_the_boss_scores() -> None:
    match = lay(stand(FIRST, 3), "raid@top", "raid@top", "boss@top")
    assert match.truth()["scores"] == [0, 0, 5]
    assert told(match, "judged")[0]["cancelled"] == [0, 1]


@ruling("K1 3.3")
def test_three_of_a_kind_cancel_too() -> None:
    assert judged(FIRST, "hitman@bottom", "hitman@bottom", "hitman@bottom", "boss@top") == [
        0,
        0,
        0,
        5,
    ]


@ruling("K1 3.5")
def test_a_hitman_at_the_bottom_shoots_nobody() -> None:
    assert judged(FIRST, "boss@top", "hitman@bottom", "underboss@bottom") == [5, 1, 2]


@ruling("K1 3.4")
def test_example_3_underboss_and_hitman_at_the_bottom() -> None:
    assert judged(FIRST, "underboss@bottom", "hitman@bottom", "boss@bottom") == [2, 1, 0]


@ruling("K1 3.3")
def test_example_4_underbosses_in_different_areas_do_not_cancel() -> None:
    assert judged(FIRST, "underboss@top", "underboss@bottom", "boss@bottom") == [2, 2, 0]


@ruling("K1 3.5")
def test_example_5_the_hitman_scores_four() -> None:
    assert judged(FIRST, "boss@top", "hitman@top", "boss@bottom") == [0, 4, 0]


@ruling("K1 4.1")
def test_example_6_raid_beats_hitman_beats_underboss_beats_boss() -> None:
    outcome = finished([8, 8, 8, 8], ["underboss", "raid", "boss", "hitman"]).outcome
    assert outcome is not None
    assert outcome.ranks == (3, 1, 4, 2)
