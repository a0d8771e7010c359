"""KAMIZA Second Generation, rule by rule."""

from typing import Any

import pytest

import zashiki
from zashiki import Malformed, Match
from zashiki.games.kamiza.tests.tables import CARDS, SECOND, judged, lay, stand, standing, told

ruling = pytest.mark.ruling
refuses = pytest.mark.refuses


# K2 1 Components and set-up ----------------------------------------------------------------------


@ruling("K2 1.1")
def test_each_player_holds_the_four_cards() -> None:
    match = zashiki.start(SECOND, seats=4, seed=1)
    assert match.truth()["hands"] == [CARDS[SECOND]] * 4


@ruling("K2 1.1")
def test_a_policeman_is_never_compared() -> None:
    assert judged(SECOND, "police@top", "hitman@top", "underboss@bottom") == [0, 0, 2]


@ruling("K2 1.2")
@pytest.mark.parametrize("seats", [2, 5, 0, True, "4"])
def test_three_or_four_play(seats: int) -> None:
    with pytest.raises(Malformed, match="expected 3 or 4, found"):
        zashiki.start(SECOND, seats=seats, seed=1)


@ruling("K2 1.2")
def test_points_are_not_limited_by_the_chips_in_the_box() -> None:
    match = stand(SECOND, 3, scores=[70, 0, 0])
    lay(match, "boss@top", "underboss@bottom", "hitman@bottom")
    assert match.truth()["scores"] == [75, 2, 1]


@ruling("K2 1.3")
def test_the_first_starter_is_drawn() -> None:
    starters = {zashiki.start(SECOND, seats=4, seed=seed).truth()["starter"] for seed in range(60)}
    assert starters == {0, 1, 2, 3}


# K2 2 A round ------------------------------------------------------------------------------------


@ruling("K2 2.1")
def test_cards_are_placed_clockwise_from_the_starter() -> None:
    match = stand(SECOND, starter=2, turn=2)
    order = []
    for _ in range(3):
        (seat,) = match.to_act
        order.append(seat)
        match.play(seat, "boss@top")
    assert order == [2, 3, 0]
    assert match.to_act == {1}


@ruling("K2 2.1")
def test_the_area_is_public_and_the_card_is_not() -> None:
    match = stand(SECOND)
    match.play(0, "hitman@bottom")
    lies = {"seat": 0, "card": None, "area": "bottom", "open": False}
    assert match.view(1)["placed"] == [lies]
    assert match.view(None)["placed"] == [lies]
    assert match.view(0)["placed"] == [{**lies, "card": "hitman"}]
    assert "hitman" not in match.record(1)


@ruling("K2 2.1")
def test_seats_do_not_limit_placing() -> None:
    match = lay(stand(SECOND), "boss@top", "underboss@top", "hitman@top", "police@top")
    assert told(match, "placed") == [{"seat": seat, "area": "top"} for seat in range(4)]


@ruling("K2 2.2")
def test_a_threat_is_public_at_once_and_binds_nobody() -> None:
    match = stand(SECOND)
    match.play(0, "hitman@top", says="boss-1")
    match.play(1, "boss@top", says="After you, dear colleague.")
    match.play(2, "underboss@bottom")
    assert match.view(3)["threats"] == {"0": "boss-1", "1": "After you, dear colleague."}
    assert "After you, dear colleague." in match.record("all")
    assert match.truth()["scores"] == [0, 0, 0, 0]


@ruling("K2 2.2")
@pytest.mark.parametrize(
    "says", ["", " ", "a" * 81, "two\nlines", "bell\x07", "right\u202eleft", 7, " x"]
)
def test_a_threat_is_bounded_plain_text(says: str) -> None:
    match = stand(SECOND)
    before = match.truth()
    with pytest.raises(Malformed, match="says"):
        match.play(0, "boss@top", says=says)
    assert match.truth() == before


@ruling("K2 2.2")
def test_threats_are_for_this_round_only() -> None:
    match = stand(SECOND, 3)
    match.play(0, "hitman@top", says="raid-1")
    match.play(1, "boss@top")
    match.play(2, "underboss@bottom")
    assert match.view(0)["threats"] == {}
    history: Any = match.view(0)["history"]
    assert history[0]["threats"] == {"0": "raid-1"}
    assert history[0]["starter"] == 0


@ruling("K2 2.3")
def test_when_all_have_placed_everything_is_revealed_and_judged() -> None:
    match = lay(stand(SECOND, 3), "boss@top", "underboss@bottom", "police@bottom")
    assert told(match, "revealed") == [{"cards": ["boss@top", "underboss@bottom", "police@bottom"]}]
    assert told(match, "judged")[0]["points"] == [5, 2, 0]
    assert match.view(None)["placed"] == []


@ruling("K2 2.4")
def test_played_cards_are_spent_for_this_game_and_public() -> None:
    match = lay(stand(SECOND, 3), "boss@top", "underboss@bottom", "police@bottom")
    assert match.view(None)["spent"] == [["boss"], ["underboss"], ["police"]]
    assert match.legal(1) == ()
    assert match.truth()["hands"][1] == ["boss", "hitman", "police"]  # type: ignore[index]


@ruling("K2 2.4")
@ruling("Z 3")
@refuses("Z 3")
def test_a_spent_card_cannot_be_placed_again() -> None:
    match = lay(stand(SECOND, 3), "boss@top", "underboss@bottom", "police@bottom")
    refusal = match.why_not(0, "boss@bottom")
    assert refusal is not None
    assert refusal.ruling == "Z 3"
    assert refusal.blame == ("boss",)
    with pytest.raises(zashiki.Refused, match="Z 3: "):
        match.play(0, "boss@bottom")


@ruling("K2 2.5")
def test_three_rounds_make_a_game_and_three_games_the_match() -> None:
    match = stand(SECOND, 3)
    stands = []
    while not match.over:
        stands.append((match.truth()["game"], match.truth()["round"]))
        for _ in range(3):
            (seat,) = match.to_act
            match.play(seat, match.legal(seat)[0])
    assert stands == [(game, round) for game in (1, 2, 3) for round in (1, 2, 3)]


@ruling("K2 2.5")
def test_after_three_rounds_everyone_takes_the_four_cards_back() -> None:
    match = stand(SECOND, 3, round=3, spent=[["boss", "hitman"]] * 3)
    lay(match, "police@top", "underboss@top", "underboss@top")
    truth = match.truth()
    assert (truth["game"], truth["round"]) == (2, 1)
    assert truth["hands"] == [CARDS[SECOND]] * 3
    assert truth["spent"] == [[], [], []]


@ruling("K2 2.5")
def test_what_is_left_in_a_hand_is_hidden_only_while_cards_lie_face_down() -> None:
    match = stand(SECOND, 3, round=3, spent=[["boss", "hitman"]] * 3)
    match.play(0, "police@top")
    assert match.view(1)["hand"] == ["underboss", "police"]
    assert match.view(1)["left"] == [1, 2, 2]
    assert match.view(1)["spent"] == [["boss", "hitman"]] * 3


@ruling("K2 2.6")
def test_the_highest_total_starts_the_next_round() -> None:
    match = lay(stand(SECOND), "hitman@bottom", "underboss@bottom", "boss@top", "police@bottom")
    assert match.to_act == {2}
    assert match.truth()["starter"] == 2


@ruling("K2 2.6")
def test_the_highest_total_also_starts_the_next_game() -> None:
    match = stand(SECOND, 3, round=3, scores=[0, 9, 0], spent=[["boss", "hitman"]] * 3)
    lay(match, "police@top", "underboss@top", "underboss@top")
    assert match.truth()["game"] == 2
    assert match.to_act == {1}


@ruling("K2 2.6")
def test_tied_the_current_starter_stays() -> None:
    match = stand(SECOND, starter=1, turn=1, scores=[4, 4, 4, 4])
    assert lay(match, *["boss@top"] * 4).to_act == {1}


@ruling("K2 2.6")
def test_tied_without_the_starter_the_first_tied_clockwise_starts() -> None:
    match = stand(SECOND, starter=2, turn=2, scores=[4, 4, 0, 1])
    assert lay(match, *["boss@top"] * 4).to_act == {0}
    match = stand(SECOND, starter=0, turn=0, scores=[0, 4, 0, 4])
    assert lay(match, *["boss@top"] * 4).to_act == {1}


@ruling("K2 2.6")
@pytest.mark.parametrize(
    ("starter", "scores", "starts"), [(1, [4, 0, 4, 0], 2), (3, [0, 4, 4, 0], 1)]
)
def test_tied_it_goes_clockwise_from_the_starter_in_every_round(
    starter: int, scores: list[int], starts: int
) -> None:
    for round, gone in ((1, []), (2, ["boss"])):
        stands: dict[str, Any] = {
            "starter": starter,
            "turn": starter,
            "scores": scores,
            "spent": [gone] * 4,
        }
        assert lay(stand(SECOND, round=round, **stands), *["police@top"] * 4).to_act == {starts}


@ruling("K2 2.7")
def test_under_open_start_the_starters_card_lies_face_up() -> None:
    match = stand(SECOND, options={"open_start": True}, starter=3, turn=3)
    match.play(3, "boss@bottom")
    match.play(0, "police@top")
    open_card = {"seat": 3, "card": "boss", "area": "bottom", "open": True}
    covered = {"seat": 0, "card": None, "area": "top", "open": False}
    assert match.view(1)["placed"] == [open_card, covered]


@ruling("K2 2.7")
def test_the_starter_of_every_round_places_face_up_and_nobody_else() -> None:
    for round, gone in ((1, []), (2, ["boss"]), (3, ["boss", "hitman"])):
        match = stand(SECOND, 3, {"open_start": True}, round=round, spent=[gone] * 3)
        for seat in range(2):
            match.play(seat, "police@top")
        placed: Any = match.view(2)["placed"]
        assert [lay["open"] for lay in placed] == [True, False]


@ruling("K2 2.7")
def test_it_is_the_starter_who_places_face_up_whoever_is_first() -> None:
    match = stand(SECOND, options={"open_start": True}, starter=1, turn=3)
    match.play(3, "boss@top")
    match.play(0, "boss@top")
    match.play(1, "boss@top")
    placed: Any = match.view(2)["placed"]
    assert [(lay["seat"], lay["open"]) for lay in placed] == [(3, False), (0, False), (1, True)]


@ruling("K2 2.7")
def test_open_start_is_off_by_default() -> None:
    assert zashiki.games()[SECOND].options["open_start"].default is False
    match = stand(SECOND)
    match.play(0, "boss@top")
    assert match.view(None)["placed"] == [{"seat": 0, "card": None, "area": "top", "open": False}]


# K2 3 Judging ------------------------------------------------------------------------------------


@ruling("K2 3.1")
@pytest.mark.parametrize("card", ["boss", "police"])
def test_the_bottom_takes_neither_boss_nor_policeman(card: str) -> None:
    match = lay(stand(SECOND, 3), f"{card}@bottom", "hitman@bottom", "underboss@bottom")
    assert told(match, "judged")[0]["misplaced"] == [0]
    assert match.truth()["scores"] == [0, 1, 2]


@ruling("K2 3.1")
def test_a_card_out_of_place_is_removed_first_and_cancels_nobody() -> None:
    match = lay(stand(SECOND, 3), "boss@bottom", "boss@bottom", "boss@top")
    assert told(match, "judged")[0]["cancelled"] == []
    assert told(match, "judged")[0]["misplaced"] == [0, 1]
    assert match.truth()["scores"] == [0, 0, 5]


@ruling("K2 3.1")
def test_placing_out_of_place_is_legal_also_face_up() -> None:
    match = stand(SECOND, options={"open_start": True})
    assert match.why_not(0, "police@bottom") is None
    assert match.why_not(0, "boss@bottom") is None


@ruling("K2 3.2")
def test_equals_in_one_area_cancel_each_other() -> None:
    assert judged(SECOND, "underboss@bottom", "underboss@bottom", "hitman@bottom") == [0, 0, 1]
    assert judged(SECOND, "boss@top", "boss@top", "boss@top", "hitman@top") == [0, 0, 0, 1]


@ruling("K2 3.2")
def test_policemen_cancel_each_other_too() -> None:
    assert judged(SECOND, "police@top", "police@top", "boss@top") == [0, 0, 5]


@ruling("K2 3.2")
def test_equals_in_different_areas_do_not() -> None:
    assert judged(SECOND, "hitman@top", "hitman@bottom", "police@bottom") == [1, 1, 0]


@ruling("K2 3.3")
def test_the_top_seats_one_yakuza_and_one_policeman_the_bottom_two() -> None:
    assert judged(SECOND, "underboss@top", "police@top", "underboss@bottom", "hitman@bottom") == [
        1,
        1,
        2,
        1,
    ]


@ruling("K2 3.4")
def test_the_highest_number_takes_the_top_seat() -> None:
    match = lay(stand(SECOND, 3), "boss@top", "underboss@top", "police@bottom")
    assert match.truth()["scores"] == [5, 0, 0]
    assert told(match, "judged")[0]["beaten"] == [1]
    assert judged(SECOND, "hitman@top", "underboss@top", "police@bottom") == [0, 2, 0]


@ruling("K2 3.5")
def test_a_hitman_defeats_the_boss_and_scores_four() -> None:
    match = lay(stand(SECOND, 3), "boss@top", "hitman@top", "underboss@bottom")
    assert match.truth()["scores"] == [0, 4, 2]
    assert told(match, "boss_shot") == [{"boss": 0, "hitman": 1}]


@ruling("K2 3.5")
def test_two_hitmen_cancel_and_the_boss_stays() -> None:
    assert judged(SECOND, "boss@top", "hitman@top", "hitman@top") == [5, 0, 0]


@ruling("K2 3.5")
def test_a_hitman_at_the_bottom_shoots_nobody() -> None:
    assert judged(SECOND, "boss@top", "hitman@bottom", "police@bottom") == [5, 1, 0]


@ruling("K2 3.6")
def test_beside_an_underboss_the_hitman_still_defeats_the_boss() -> None:
    assert judged(SECOND, "boss@top", "underboss@top", "hitman@top") == [0, 0, 4]


@ruling("K2 3.6")
def test_under_underboss_shield_the_boss_is_not_alone() -> None:
    cards = ("boss@top", "underboss@top", "hitman@top", "police@bottom")
    assert judged(SECOND, *cards, underboss_shield=True) == [5, 0, 0, 0]
    assert judged(SECOND, "boss@top", "hitman@top", "police@bottom", underboss_shield=True) == [
        0,
        4,
        0,
    ]


@ruling("K2 3.6")
def test_a_cancelled_underboss_is_no_shield() -> None:
    cards = ("boss@top", "underboss@top", "hitman@top", "underboss@top")
    assert judged(SECOND, *cards, underboss_shield=True) == [0, 0, 4, 0]


@ruling("K2 3.7")
@pytest.mark.parametrize(
    ("cards", "points"),
    [
        (("boss@top", "police@top", "police@bottom"), [2, 2, 0]),
        (("underboss@top", "police@top", "police@bottom"), [1, 1, 0]),
        (("hitman@top", "police@top", "police@bottom"), [0, 0, 0]),
        (("hitman@top", "police@top", "boss@top"), [2, 2, 0]),
    ],
)
def test_a_policeman_takes_half_rounded_down(cards: tuple[str, ...], points: list[int]) -> None:
    assert judged(SECOND, *cards) == points


@ruling("K2 3.8")
def test_a_policeman_alone_scores_nothing() -> None:
    match = lay(stand(SECOND, 3), "police@top", "boss@bottom", "hitman@bottom")
    assert match.truth()["scores"] == [0, 0, 1]
    assert match.truth()["wanted"] == [0, 0, 0]


@ruling("K2 3.9")
def test_a_policeman_who_scored_takes_a_wanted_chip() -> None:
    match = lay(stand(SECOND, 3), "police@top", "boss@top", "hitman@bottom")
    assert match.truth()["wanted"] == [1, 0, 0]
    assert told(match, "wanted_taken") == [{"seat": 0}]


@ruling("K2 3.9")
def test_one_who_scored_nothing_does_not() -> None:
    match = lay(stand(SECOND, 3), "police@top", "hitman@top", "hitman@bottom")
    assert match.truth()["wanted"] == [0, 0, 0]


@ruling("K2 3.10")
def test_a_card_that_kept_its_seat_scores_its_number() -> None:
    assert judged(SECOND, "boss@top", "underboss@bottom", "hitman@bottom") == [5, 2, 1]
    assert judged(SECOND, "hitman@top", "boss@bottom", "police@bottom") == [1, 0, 0]


# K2 4 WANTED and the end -------------------------------------------------------------------------


def in_danger(**changes: Any) -> Match:
    """Return a match in its third game; seat 1 has two WANTED chips."""
    return stand(SECOND, game=3, wanted=[0, 2, 0, 0], **changes)


@ruling("K2 4.1")
def test_three_wanted_chips_drop_a_player_out_after_the_scoring() -> None:
    match = lay(in_danger(), "boss@top", "police@top", "underboss@bottom", "hitman@bottom")
    assert match.truth()["dropped"] == [1]
    assert match.truth()["scores"] == [2, 2, 2, 1]
    assert told(match, "dropped_out") == [{"seat": 1}]


@ruling("K2 4.1")
def test_two_chips_drop_nobody_out() -> None:
    match = stand(SECOND, 3, game=3, wanted=[0, 1, 0])
    lay(match, "boss@top", "police@top", "underboss@bottom")
    assert match.truth()["wanted"] == [0, 2, 0]
    assert match.truth()["dropped"] == []


@ruling("K2 4.1")
def test_chips_are_kept_from_game_to_game() -> None:
    match = stand(SECOND, 3, round=3, wanted=[0, 2, 1], spent=[["boss", "hitman"]] * 3)
    lay(match, "underboss@top", "underboss@top", "police@bottom")
    assert match.truth()["game"] == 2
    assert match.truth()["wanted"] == [0, 2, 1]


@ruling("K2 4.1")
def test_a_drop_out_cannot_win() -> None:
    match = in_danger(scores=[0, 50, 0, 0])
    lay(match, "boss@top", "police@top", "underboss@bottom", "hitman@bottom")
    while not match.over:
        for seat in match.to_act:
            match.play(seat, match.legal(seat)[0])
    assert match.outcome is not None
    assert match.outcome.ranks[1] == 4
    assert match.outcome.scores[1] == 52


@ruling("K2 4.1")
@ruling("Z 1")
@refuses("Z 1")
def test_a_drop_out_plays_no_more() -> None:
    match = lay(in_danger(), "boss@top", "police@top", "underboss@bottom", "hitman@bottom")
    refusal = match.why_not(1, "boss@top")
    assert refusal is not None
    assert refusal.ruling == "Z 1"
    assert match.legal(1) == ()


@ruling("K2 4.2")
def test_the_others_play_on_and_pass_the_drop_out_over() -> None:
    match = lay(in_danger(), "boss@top", "police@top", "underboss@bottom", "hitman@bottom")
    order = []
    for _ in range(3):
        (seat,) = match.to_act
        order.append(seat)
        match.play(seat, match.legal(seat)[0])
    assert order == [0, 2, 3]
    assert match.truth()["round"] == 3


@ruling("K2 4.2")
def test_two_who_are_left_play_on() -> None:
    match = stand(SECOND, 3, game=3, wanted=[0, 2, 0])
    lay(match, "boss@top", "police@top", "underboss@bottom")
    assert match.truth()["dropped"] == [1]
    assert not match.over
    assert match.truth()["round"] == 2


@ruling("K2 4.2")
def test_a_drop_out_never_starts() -> None:
    match = in_danger(scores=[1, 50, 5, 0])
    lay(match, "boss@top", "police@top", "underboss@bottom", "hitman@bottom")
    assert match.to_act == {2}


@ruling("K2 4.2")
@ruling("Z 2")
@refuses("Z 2")
def test_a_sole_survivor_wins_at_once() -> None:
    match = stand(SECOND, 3, game=3, wanted=[0, 2, 3], dropped=[2], scores=[0, 20, 30])
    match.play(0, "boss@top")
    match.play(1, "police@top")
    assert match.over
    assert match.outcome is not None
    assert match.outcome.ranks == (1, 3, 2)
    refusal = match.why_not(0, "hitman@top")
    assert refusal is not None
    assert refusal.ruling == "Z 2"
    assert match.truth()["turn"] is None
    assert match.truth()["round"] == 1


def finished(seats: int, options: dict[str, str] | None = None, **changes: object) -> zashiki.Match:
    """Return a match that is over; seat s has kept the s-th card from the lowest."""
    left = ["police", "hitman", "underboss", "boss"][:seats]
    hands = [[card] for card in left]
    spent = [[card for card in CARDS[SECOND] if card != kept] for kept in left]
    truth = standing(SECOND, seats, game=3, round=3, turn=None, hands=hands, spent=spent)
    return zashiki.scenario(SECOND, truth | changes, options)


def ranks(match: Match) -> tuple[int, ...]:
    assert match.outcome is not None
    return match.outcome.ranks


@ruling("K2 4.3")
def test_the_highest_total_wins() -> None:
    assert ranks(finished(4, scores=[3, 9, 5, 7])) == (4, 1, 3, 2)


@ruling("K2 4.3")
def test_drop_outs_rank_behind_all_others_by_total() -> None:
    match = finished(4, scores=[30, 9, 40, 0], dropped=[0, 2])
    assert ranks(match) == (4, 1, 3, 2)
    tied = finished(4, scores=[30, 9, 30, 0], dropped=[0, 2])
    assert ranks(tied) == (3, 1, 3, 2)


@ruling("K2 4.4")
def test_among_the_tied_the_lower_card_left_wins() -> None:
    assert ranks(finished(4, scores=[7, 7, 7, 7])) == (1, 2, 3, 4)


@ruling("K2 4.4")
def test_still_tied_is_shared() -> None:
    hands = [["hitman"], ["hitman"], ["boss"]]
    spent = [["boss", "underboss", "police"]] * 2 + [["underboss", "hitman", "police"]]
    assert ranks(finished(3, scores=[7, 7, 7], hands=hands, spent=spent)) == (1, 1, 3)


@ruling("K2 4.4")
def test_under_shared_ties_are_shared_at_once() -> None:
    assert ranks(finished(4, {"tie_break": "shared"}, scores=[7, 7, 7, 1])) == (1, 1, 1, 4)


# The rulebook's examples -------------------------------------------------------------------------


@ruling("K2 3.2")
@ruling("K2 3.5")
def test_example_1_bosses_cancel_and_the_hitman_finds_nobody() -> None:
    assert judged(SECOND, "boss@top", "boss@top", "hitman@top", "hitman@bottom") == [0, 0, 1, 1]


@ruling("K2 3.7")
@ruling("K2 3.9")
def test_example_2_the_policeman_takes_half_of_the_four() -> None:
    match = lay(stand(SECOND), "boss@top", "hitman@top", "police@top", "hitman@bottom")
    assert match.truth()["scores"] == [0, 2, 2, 1]
    assert match.truth()["wanted"] == [0, 0, 1, 0]


@ruling("K2 3.7")
@ruling("K2 3.2")
def test_example_3_boss_and_policeman_share_and_underbosses_cancel() -> None:
    match = lay(stand(SECOND), "boss@top", "police@top", "underboss@bottom", "underboss@bottom")
    assert match.truth()["scores"] == [2, 2, 0, 0]
    assert match.truth()["wanted"] == [0, 1, 0, 0]


@ruling("K2 3.7")
@ruling("K2 3.9")
@pytest.mark.parametrize(
    ("cards", "bribe", "chips"),
    [
        (["police@top", "boss@top", "boss@bottom"], 2, 1),
        (["police@top", "underboss@top", "boss@bottom"], 1, 1),
        (["police@top", "hitman@top", "boss@bottom"], 0, 0),
        (["police@top", "hitman@top", "boss@top"], 2, 1),
    ],
)
def test_example_4_what_a_policeman_is_paid(cards: list[str], bribe: int, chips: int) -> None:
    match = lay(stand(SECOND, 3), *cards)
    assert match.view(None)["scores"][0] == bribe  # type: ignore[index]
    assert match.view(None)["wanted"][0] == chips  # type: ignore[index]


@ruling("K2 3.3")
def test_example_5_underboss_and_hitman_both_score_at_the_bottom() -> None:
    assert judged(SECOND, "underboss@bottom", "hitman@bottom", "boss@bottom") == [2, 1, 0]
