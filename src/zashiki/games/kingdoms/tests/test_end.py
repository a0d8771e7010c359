"""The end of a match (RB 4): a monarch is discarded, five areas are held, or a draw."""

from typing import Any

import pytest

import zashiki
from zashiki import Match
from zashiki.games.kingdoms.tests.tables import (
    GAME,
    attacked,
    battle,
    deploy,
    draft,
    fought,
    hand,
    look,
    on,
    plays,
    stand,
    told,
)

ruling = pytest.mark.ruling

RED_WINS = ((1, 2), (1, 0))
BLUE_WINS = ((2, 1), (0, 1))
DRAW = ((1, 1), (0.5, 0.5))
FELLED, FIVE_AREAS, STILL, TOO_LONG = "fallen", "five-areas", "standstill", "turn-200"
"""The reasons, as the facts name them."""
ROW_BUT_BORDER = {
    "red-city": "red soldier",
    "blue-city": "red soldier",
    "blue-capital": "red soldier",
}
"""With the Prince in the Red Capital, Red holds all but the Border."""


def ended(match: Match) -> Any:
    """Return ranks and scores; None before the end."""
    return None if match.outcome is None else (match.outcome.ranks, match.outcome.scores)


def reason(match: Match) -> tuple[str, str]:
    """Return the winner and the reason of the fact."""
    (fact,) = told(match, "ended", "all")
    return fact["winner"], fact["reason"]


# RB 4.1 A monarch falls --------------------------------------------------------------------------


@ruling("RB 4.1")
@ruling("RB 4.8")
@pytest.mark.parametrize(
    ("area", "attackers", "holder", "added", "end"),
    [
        # holds and loses: 3 and offset 2 against 9, and against 6
        ("blue-capital", "cavalry knight", "blue princess", None, RED_WINS),
        ("red-capital", "soldier knight", "red prince", None, BLUE_WINS),
        # holds and loses with a card added: 3, 1 and 2 against 9
        ("blue-capital", "cavalry knight", "blue princess", "lancer", RED_WINS),
        # was added and loses: 2 and 3 against 9
        ("border", "cavalry knight", "blue soldier", "princess", RED_WINS),
        ("border", "cavalry knight", "red soldier", "prince", BLUE_WINS),
        # attacks alone and loses: 4 against 5, 3 against 5
        ("border", "prince", "blue heavy-guard", None, BLUE_WINS),
        ("border", "princess", "red heavy-guard", None, RED_WINS),
        # attacks with a partner and loses: 5 against 6
        ("blue-city", "prince shieldman", "blue heavy-guard", None, BLUE_WINS),
        # a tie, holding: 3 and 2 against 5
        ("red-capital", "cavalry", "red prince", None, BLUE_WINS),
        ("blue-capital", "cavalry", "blue princess", None, RED_WINS),
        # a tie, added: 2 and 3 against 5
        ("border", "cavalry", "red soldier", "prince", BLUE_WINS),
        # a tie, attacking: 4 against 4, 3 against 3
        ("border", "prince", "blue bishop", None, BLUE_WINS),
        ("border", "princess", "red shieldman", None, RED_WINS),
    ],
)
def test_a_monarch_that_is_discarded_has_lost(
    area: str, attackers: str, holder: str, added: str | None, end: Any
) -> None:
    match = fought(area, attackers, holder, added)
    assert ended(match) == end
    assert match.over
    assert match.to_act == frozenset()
    assert match.legal(0) == match.legal(1) == ()
    assert reason(match) == ("red" if end == RED_WINS else "blue", FELLED)


@ruling("RB 4.1")
@pytest.mark.parametrize(
    ("area", "attackers", "holder", "added"),
    [
        # it attacks and wins: 7 and 4 against 3
        ("border", "prince lancer", "blue shieldman", None),
        ("border", "prince", "blue shieldman", None),
        # it defends and wins: 3 and 3 and 2 against 7, 3 and 2 against 4
        ("blue-capital", "knight lancer", "blue princess", "shieldman"),
        ("blue-capital", "knight", "blue princess", None),
        # it has no part in it: a tie, 3 against 3
        ("border", "lancer", "blue shieldman", None),
    ],
)
def test_a_monarch_that_is_not_discarded_plays_on(
    area: str, attackers: str, holder: str, added: str | None
) -> None:
    match = fought(area, attackers, holder, added)
    assert ended(match) is None
    assert told(match, "ended") == []


@ruling("RB 4.1")
@ruling("RB 3.4")
def test_the_winner_s_monarch_must_be_left_and_lives() -> None:
    match = fought("border", "prince lancer", "blue shieldman")
    assert match.legal(0) == ("leave:prince",)
    plays(match, "leave:prince")
    assert on(match, "border") == "red prince"
    assert not match.over


@ruling("RB 4.1")
@ruling("RB 5.2")
@pytest.mark.parametrize(
    ("attackers", "then"), [("cavalry knight", ["leave:knight"]), ("cavalry", [])]
)
def test_a_monarch_saved_by_a_rearguard_is_not_discarded(attackers: str, then: list[str]) -> None:
    """Rearguard and Prince make 5: less than 9, and a tie with 5."""
    match = fought("border", attackers, "red rearguard", "prince")
    assert ended(match) is None
    plays(match, *then)
    assert ended(match) is None
    assert hand(match, 0) == ["prince"]


@ruling("RB 4.1")
@ruling("RB 5.2")
def test_a_rearguard_that_was_added_does_not_save_the_monarch() -> None:
    assert ended(fought("border", "cavalry knight", "red prince", "rearguard")) == BLUE_WINS


@ruling("RB 4.1")
@pytest.mark.parametrize(
    ("attackers", "added", "hands"),
    [
        ("cavalry knight", None, ("soldier", "lancer")),
        ("cavalry knight", "shieldman", ("", "lancer")),
        ("cavalry", None, ("liaison", "")),
    ],
)
def test_when_a_monarch_falls_everything_stays_as_it_lies(
    attackers: str, added: str | None, hands: tuple[str, str]
) -> None:
    asked = attacked("blue-capital", attackers, "blue princess", hands, discards="priest bishop")
    before = look(stand(asked))
    match = fought(
        "blue-capital", attackers, "blue princess", added, hands, discards="priest bishop"
    )
    truth = look(match)
    assert (truth["phase"], truth["turn"]) == ("over", None)
    assert truth["battle"] == before["battle"] | {"added": added}
    same = ("areas", "hands", "discards", "number", "placed", "still")
    assert {key: truth[key] for key in same} == {key: before[key] for key in same}
    assert told(match, "leave_asked") == told(match, "discarded") == []


# RB 4.2 Both fall --------------------------------------------------------------------------------


@ruling("RB 4.2")
@ruling("RB 4.8")
@pytest.mark.parametrize(
    ("area", "attackers", "holder", "added"),
    [
        # 5 against 3 and 2
        ("red-capital", "princess soldier", "red prince", None),
        # 6 against 3 and 1 and 2
        ("blue-capital", "prince soldier", "blue princess", "lancer"),
        # 9 against 4 and 3 and the Bishop's 2
        ("border", "cavalry prince", "blue bishop", "princess"),
    ],
)
def test_both_monarchs_discarded_in_one_battle_make_a_draw(
    area: str, attackers: str, holder: str, added: str | None
) -> None:
    match = fought(area, attackers, holder, added)
    assert ended(match) == DRAW
    assert reason(match) == ("nobody", FELLED)


@ruling("RB 4.2")
@pytest.mark.parametrize(
    ("attackers", "end"), [("princess knight", BLUE_WINS), ("princess shieldman", RED_WINS)]
)
def test_only_the_loser_s_monarch_is_discarded(attackers: str, end: Any) -> None:
    """Prince and offset make 5, against 7 and against 4."""
    match = fought("red-capital", attackers, "red prince")
    assert ended(match) == end


@ruling("RB 4.2")
@ruling("RB 5.2")
def test_of_two_monarchs_in_a_tie_a_rearguard_saves_one() -> None:
    """Princess and Soldier make 5, and so do Rearguard and Prince."""
    match = fought("border", "princess soldier", "red rearguard", "prince")
    assert ended(match) == RED_WINS


# RB 4.3 All five areas ---------------------------------------------------------------------------


@ruling("RB 4.3")
@ruling("RB 4.8")
def test_the_fifth_area_wins_at_once() -> None:
    match = deploy(("lancer archer", "princess"), ROW_BUT_BORDER)
    assert not match.over
    plays(match, "occupy:border:lancer")
    assert ended(match) == RED_WINS
    assert reason(match) == ("red", FIVE_AREAS)
    truth = look(match)
    assert (truth["phase"], truth["turn"], truth["battle"]) == ("over", None, None)
    assert on(match, "border") == "red lancer"
    assert truth["hands"] == [["archer"], ["princess"]]


@ruling("RB 4.3")
def test_blue_wins_with_five_areas_too() -> None:
    areas = dict.fromkeys(("red-capital", "red-city", "blue-city"), "blue soldier")
    match = deploy(("prince", "lancer"), areas, turn=1)
    plays(match, "occupy:border:lancer")
    assert ended(match) == BLUE_WINS
    assert reason(match) == ("blue", FIVE_AREAS)


@ruling("RB 4.3")
def test_the_fifth_area_won_by_one_card_ends_the_match_without_a_question() -> None:
    areas = {**ROW_BUT_BORDER, "border": "blue archer"}
    match = deploy(("lancer", "princess"), areas)
    plays(match, "attack:border:lancer", "defend:none")
    assert ended(match) == RED_WINS
    assert reason(match) == ("red", FIVE_AREAS)
    truth = look(match)
    assert (truth["phase"], truth["turn"], truth["battle"]) == ("over", None, None)
    assert on(match, "border") == "red lancer"
    assert truth["discards"]["normal"] == ["archer"]


@ruling("RB 4.3")
def test_the_fifth_area_won_by_two_cards_ends_the_match_after_one_is_left() -> None:
    areas = {**ROW_BUT_BORDER, "border": "blue archer"}
    match = deploy(("lancer knight", "princess"), areas)
    plays(match, "attack:border:lancer+knight", "defend:none")
    assert not match.over
    assert look(match)["phase"] == "leave"
    plays(match, "leave:lancer")
    assert ended(match) == RED_WINS
    assert (look(match)["phase"], look(match)["battle"]) == ("over", None)
    assert on(match, "border") == "red lancer"
    assert look(match)["discards"] == {"normal": ["archer"], "ace": ["knight"]}


@ruling("RB 4.3")
@pytest.mark.parametrize("attackers", ["lancer", "soldier"])
def test_a_fifth_area_not_won_ends_nothing(attackers: str) -> None:
    """A Shieldman's 3 ties with the Lancer and beats the Soldier."""
    areas = {**ROW_BUT_BORDER, "border": "blue shieldman"}
    match = deploy((attackers, "princess"), areas)
    plays(match, f"attack:border:{attackers}", "defend:none")
    assert not match.over


@ruling("RB 4.3")
def test_four_areas_are_not_enough() -> None:
    match = deploy(("lancer", ""), {"red-city": "red soldier", "blue-city": "red soldier"})
    plays(match, "occupy:border:lancer", "done")
    assert not match.over
    assert match.to_act == {1}


# RB 4.4 and RB 4.5 Monarchs elsewhere ------------------------------------------------------------


@ruling("RB 4.4")
def test_a_monarch_in_hand_may_attack_and_occupy() -> None:
    match = deploy(("prince knight", ""))
    assert {
        "attack:blue-capital:prince",
        "attack:blue-capital:knight+prince",
        "occupy:border:prince",
        "occupy:red-capital:prince",
    } <= set(match.legal(0))
    plays(match, "occupy:border:prince")
    assert on(match, "border") == "red prince"
    assert hand(match, 0) == ["knight"]


@ruling("RB 4.4")
def test_a_monarch_in_hand_may_defend() -> None:
    """Soldier and Princess make 5, more than a Knight's 4; the Princess has to stay."""
    match = battle("border", "knight", "blue soldier", ("", "princess"))
    assert match.legal(1) == ("defend:none", "defend:princess")
    plays(match, "defend:princess", "leave:princess")
    assert on(match, "border") == "blue princess"
    assert not match.over


@ruling("RB 4.4")
def test_a_monarch_that_returned_is_not_in_its_capital() -> None:
    match = plays(deploy(("liaison", "")), "swap:red-capital:liaison")
    assert on(match, "red-capital") == "red liaison"
    assert hand(match, 0) == ["prince"]
    assert not match.over


@ruling("RB 4.5")
@pytest.mark.parametrize("monarch", ["hand", "border"])
def test_a_capital_lost_without_its_monarch_is_just_an_area(monarch: str) -> None:
    hands = ("prince", "") if monarch == "hand" else ("", "")
    areas = {} if monarch == "hand" else {"border": "red prince"}
    match = fought("red-capital", "cavalry", "red soldier", None, hands, areas)
    assert on(match, "red-capital") == "blue cavalry"
    assert not match.over
    assert match.to_act == {1}


@ruling("RB 4.5")
def test_who_holds_no_area_plays_on() -> None:
    match = draft(("prince", ""))
    assert match.view(None)["funds"] == [0, 3]
    plays(match, "draft:0", "done", "draft:0", "done", "draft:0", "occupy:red-city:prince")
    assert on(match, "red-city") == "red prince"
    assert not match.over


# RB 4.6 Nothing is placed ------------------------------------------------------------------------


@ruling("RB 4.6")
@ruling("RB 4.8")
def test_four_turns_in_a_row_without_a_card_placed_are_a_draw() -> None:
    match = zashiki.start(GAME, 2, seed=1)
    for turns in (1, 2, 3):
        plays(match, "draft:0", "done")
        assert not match.over
        assert look(match)["still"] == turns
    plays(match, "draft:0", "done")
    assert ended(match) == DRAW
    assert reason(match) == ("nobody", STILL)
    truth = look(match)
    assert (truth["phase"], truth["turn"], truth["battle"]) == ("over", None, None)
    assert (truth["still"], truth["number"]) == (4, 4)


@ruling("RB 4.6")
def test_to_draft_is_not_to_place() -> None:
    match = draft(still=3)
    plays(match, "draft:N2")
    assert not match.over
    plays(match, "done")
    assert ended(match) == DRAW


@ruling("RB 4.6")
@pytest.mark.parametrize(
    "actions",
    [
        ["occupy:border:soldier"],
        ["swap:red-capital:liaison"],
        ["attack:blue-city:soldier", "defend:none"],
    ],
)
def test_a_card_placed_begins_the_count_anew(actions: list[str]) -> None:
    """A lost attack counts too: 2 against 4."""
    match = deploy(("soldier liaison", ""), {"blue-city": "blue shieldman"}, still=3)
    plays(match, *actions)
    assert (look(match)["placed"], look(match)["still"]) == (True, 3)
    plays(match, "done")
    assert not match.over
    assert (look(match)["placed"], look(match)["still"]) == (False, 0)


@ruling("RB 4.6")
def test_the_turns_have_to_be_in_a_row() -> None:
    match = deploy(("soldier", ""), still=2)
    plays(match, "occupy:border:soldier", "done")
    for _ in range(3):
        plays(match, "draft:0", "done")
    assert not match.over
    assert look(match)["still"] == 3


# RB 4.7 Turn 200 ---------------------------------------------------------------------------------


@ruling("RB 4.7")
@ruling("RB 4.8")
def test_when_turn_200_has_ended_it_is_a_draw() -> None:
    match = deploy(("", "soldier"), turn=1, number=200)
    plays(match, "occupy:border:soldier")
    assert not match.over
    plays(match, "done")
    assert ended(match) == DRAW
    assert reason(match) == ("nobody", TOO_LONG)
    truth = look(match)
    assert (truth["phase"], truth["turn"], truth["number"]) == ("over", None, 200)


@ruling("RB 4.7")
def test_turn_200_is_still_played() -> None:
    match = plays(deploy(("soldier", ""), number=199), "occupy:border:soldier", "done")
    assert not match.over
    assert (look(match)["number"], look(match)["turn"]) == (200, 1)


@ruling("RB 4.7")
def test_turn_200_can_still_be_won() -> None:
    match = deploy(("", "cavalry knight"), turn=1, number=200)
    plays(match, "attack:red-capital:cavalry+knight", "defend:none")
    assert ended(match) == BLUE_WINS


# However it ended --------------------------------------------------------------------------------


def endings() -> dict[str, Match]:
    """Return a match for each way to end."""
    return {
        "monarch": fought("blue-capital", "cavalry knight", "blue princess", "lancer"),
        "tie": fought("red-capital", "cavalry", "red prince"),
        "both": fought("red-capital", "princess soldier", "red prince"),
        "attack": fought("border", "prince", "blue heavy-guard"),
        "areas": plays(deploy(("lancer", "princess"), ROW_BUT_BORDER), "occupy:border:lancer"),
        "still": plays(deploy(still=3), "done"),
        "turns": plays(deploy(turn=1, number=200), "done"),
    }


@ruling("RB 4.8")
def test_an_end_is_an_end_when_it_stands_again() -> None:
    for name, match in endings().items():
        again = stand(look(match))
        assert again.truth() == match.truth(), name
        assert again.outcome == match.outcome, name
        assert again.over, name
        assert again.to_act == frozenset(), name


# Positions that no play reaches ------------------------------------------------------------------


@ruling("RB 4.1")
@ruling("RB 2.3")
@pytest.mark.parametrize(
    ("area", "holder", "attackers", "added", "winner", "left"),
    [
        ("blue-capital", "blue princess", "cavalry knight", None, 0, "knight"),
        ("border", "blue heavy-guard", "lancer prince", "knight", 1, "knight"),
    ],
)
def test_a_monarch_found_among_the_beaten_falls_and_goes_to_no_pile(
    area: str, holder: str, attackers: str, added: str | None, winner: int, left: str
) -> None:
    truth = attacked(area, attackers, holder, ("", added or ""))
    truth["battle"] |= {"added": added, "winner": winner}
    truth |= {"phase": "leave", "turn": winner, "hands": [[], []]}
    match = plays(stand(truth), f"leave:{left}")
    assert ended(match) == (RED_WINS, BLUE_WINS)[winner]
    assert look(match)["discards"]["normal"] == []
    assert match.truth() == stand(look(match)).truth()


@ruling("RB 2.2")
@ruling("RB 5.2")
def test_no_skill_brings_a_hand_above_five() -> None:
    truth = attacked("blue-city", "cavalry knight", "blue rearguard", ("", "lancer"))
    truth["hands"][1] = ["soldier"] * 5
    truth["piles"]["normal"] = [card for card in truth["piles"]["normal"] if card != "soldier"]
    truth["piles"]["normal"].append("soldier")
    truth["battle"] |= {"added": "lancer", "winner": 0}
    match = plays(stand(truth | {"phase": "leave", "turn": 0}), "leave:knight")
    assert hand(match, 1) == ["soldier"] * 5
    assert look(match)["discards"]["normal"] == ["rearguard", "lancer"]


@ruling("RB 4.6")
def test_a_standstill_is_counted_no_further_than_to_four() -> None:
    match = plays(deploy(still=4), "done")
    assert reason(match) == ("nobody", STILL)
    assert match.truth() == stand(look(match)).truth()
