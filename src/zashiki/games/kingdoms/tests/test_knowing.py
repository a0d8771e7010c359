"""Each seat's knowledge in each phase (RB 1.6). No hidden card shows anywhere."""

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
    plays,
    stand,
    standing,
    told,
)

ruling = pytest.mark.ruling

READERS: tuple[int | None, ...] = (None, 0, 1)


def seen(match: Match, reader: int | None) -> Any:
    """Return a view as `Any`."""
    return match.view(reader)


def known(match: Match, reader: int | None, seat: int) -> list[str]:
    """Return the cards that a reader knows to be in a hand, or among its face-down attackers."""
    return list(seen(match, reader)["hands"][seat]["known"])


def backs(match: Match, reader: int | None, seat: int) -> tuple[int, int]:
    """Return the numbers of normal cards and aces that a reader sees in a hand."""
    shown = seen(match, reader)["hands"][seat]
    return shown["normal"], shown["ace"]


def all_it_gets(match: Match, reader: int | None) -> list[object]:
    """Return everything that the public API shows to a seat, or to a spectator."""
    facts = match.facts("all" if reader is None else reader)
    said = [(fact.audience, fact.name, dict(fact.arguments)) for fact in facts]
    legal = () if reader is None else match.legal(reader)
    return [match.view(reader), said, legal]


def look_alike(one: Match, other: Match, *readers: int | None) -> None:
    assert look(one) != look(other)
    for reader in readers:
        assert all_it_gets(one, reader) == all_it_gets(other, reader)


# What a view shows -------------------------------------------------------------------------------


@ruling("RB 1.6")
def test_at_the_start_hands_and_piles_are_numbers() -> None:
    match = zashiki.start(GAME, 2, seed=3)
    for reader in READERS:
        view = seen(match, reader)
        assert view["hands"] == [{"normal": 5, "ace": 0, "known": []}] * 2
        assert view["piles"] == {"normal": 20, "ace": 20}
        assert view["discards"] == {"normal": [], "ace": []}
        assert view["battle"] is None


@ruling("RB 1.6")
def test_a_seat_sees_its_own_hand_and_a_spectator_none() -> None:
    match = zashiki.start(GAME, 2, seed=3)
    for seat in range(2):
        assert seen(match, seat)["seat"] == seat
        assert seen(match, seat)["hand"] == hand(match, seat)
    assert not {"seat", "hand"} & set(seen(match, None))


@ruling("RB 1.6")
@pytest.mark.parametrize("reader", READERS)
def test_areas_discards_and_the_course_of_the_match_are_public(reader: int | None) -> None:
    truth = standing(
        hands=("archer knight", "soldier"),
        areas={"border": "red priest", "blue-city": "blue bishop"},
        discards="lancer cavalry shieldman",
        phase="deploy",
        turn=1,
        still=2,
    )
    view = seen(stand(truth), reader)
    for key in ("card_set", "phase", "turn", "number", "still", "placed", "areas", "discards"):
        assert view[key] == truth[key], key
    assert view["piles"] == {"normal": 25, "ace": 17}


@ruling("RB 1.6")
@ruling("RB 1.2")
@pytest.mark.parametrize("reader", READERS)
def test_the_funds_of_both_are_public(reader: int | None) -> None:
    """Red: 2 and 1 of the Border. Blue: 1 of the Red City, 2 and 3 of its own."""
    areas = {"border": "red archer", "red-city": "blue archer", "blue-city": "blue soldier"}
    assert seen(draft(areas=areas), reader)["funds"] == [3, 6]


@ruling("RB 1.3")
@ruling("RB 1.6")
@pytest.mark.parametrize("reader", READERS)
def test_sizes_and_backs_of_hands_are_public(reader: int | None) -> None:
    match = draft(("archer knight soldier", "bishop cavalry"))
    assert backs(match, reader, 0) == (2, 1)
    assert backs(match, reader, 1) == (0, 2)


@ruling("RB 1.6")
def test_the_attacker_sees_its_own_attackers_and_the_others_see_backs() -> None:
    match = battle("border", "archer knight", "blue soldier", ("lancer", "priest"))
    assert seen(match, 0)["battle"]["attackers"] == ["archer", "knight"]
    for reader in (None, 1):
        assert seen(match, reader)["battle"] == {
            "area": "border",
            "attackers": ["ace", "normal"],
            "defender": "soldier",
            "added": None,
            "winner": None,
            "revealed": False,
            "perhaps": [],
            "lines": None,
            "totals": None,
        }
        assert backs(match, reader, 0) == (1, 0)


@ruling("RB 1.6")
@pytest.mark.parametrize("reader", READERS)
def test_once_revealed_all_cards_of_a_battle_are_public(reader: int | None) -> None:
    match = fought("border", "archer knight", "blue soldier", "heavy-guard")
    shown = seen(match, reader)["battle"]
    assert shown["attackers"] == ["archer", "knight"]
    assert (shown["defender"], shown["added"]) == ("soldier", "heavy-guard")
    assert (shown["winner"], shown["revealed"]) == (1, True)


@ruling("RB 1.6")
def test_the_other_sees_the_backs_of_what_was_drafted_and_no_more() -> None:
    match = draft(top="archer knight", areas={"red-city": "red soldier"})
    plays(match, "draft:N1A1")
    assert hand(match, 0) == ["archer", "knight"]
    for reader in (None, 1):
        assert backs(match, reader, 0) == (1, 1)
        assert known(match, reader, 0) == []
        assert seen(match, reader)["piles"] == {"normal": 28, "ace": 19}
    assert told(match, "took", 1) == []


# Nothing hidden shows ----------------------------------------------------------------------------


@ruling("RB 1.6")
@pytest.mark.parametrize("phase", ["draft", "deploy"])
@pytest.mark.parametrize("turn", [0, 1])
def test_the_hand_of_the_other_does_not_show(phase: str, turn: int) -> None:
    one = standing(hands=("soldier", "archer knight"), phase=phase, turn=turn)
    other = standing(hands=("soldier", "priest cavalry"), phase=phase, turn=turn)
    look_alike(stand(one), stand(other), 0, None)


@ruling("RB 1.6")
@pytest.mark.parametrize("phase", ["draft", "deploy"])
def test_the_order_of_the_piles_does_not_show(phase: str) -> None:
    hands = ("soldier knight", "archer")
    one = standing(hands=hands, phase=phase, top="soldier lancer knight cavalry")
    other = standing(hands=hands, phase=phase, top="lancer soldier cavalry knight")
    look_alike(stand(one), stand(other), 0, 1, None)


@ruling("RB 1.6")
@pytest.mark.parametrize(
    ("attackers", "stays"), [("archer knight", "soldier"), ("knight soldier", "archer")]
)
@pytest.mark.parametrize("turned", ["archer cavalry", "soldier cavalry"])
def test_face_down_attackers_do_not_show(attackers: str, stays: str, turned: str) -> None:
    """The order of the backs does not tell the cards either."""
    one = attacked("border", attackers, "blue priest", (f"{stays} bishop", "lancer"))
    other = attacked("border", turned, "blue priest", ("priest bishop", "lancer"))
    look_alike(stand(one), stand(other), 1, None)


@ruling("RB 1.6")
def test_which_cards_attack_is_told_to_nobody_else() -> None:
    hands = ("archer soldier knight cavalry", "lancer")
    one, other = (deploy(hands, {"border": "blue priest"}) for _ in range(2))
    plays(one, "attack:border:archer+knight")
    plays(other, "attack:border:cavalry+soldier")
    look_alike(one, other, 1, None)


@ruling("RB 1.6")
def test_what_is_drafted_is_told_to_nobody_else() -> None:
    areas = {"red-city": "red soldier"}
    one = draft(("", "lancer"), areas, top="archer knight")
    other = draft(("", "lancer"), areas, top="soldier bishop")
    look_alike(plays(one, "draft:N1A1"), plays(other, "draft:N1A1"), 1, None)


@ruling("RB 1.6")
def test_the_hand_that_could_defend_does_not_show() -> None:
    one = attacked("border", "knight", "blue priest", ("", "lancer cavalry"))
    other = attacked("border", "knight", "blue priest", ("", "shieldman bishop"))
    look_alike(stand(one), stand(other), 0, None)


@ruling("RB 1.6")
def test_what_stays_in_the_hands_does_not_show_after_a_battle() -> None:
    one = fought("border", "knight soldier", "blue priest", "archer", ("lancer", "cavalry"))
    other = fought("border", "knight soldier", "blue priest", "archer", ("lancer", "bishop"))
    look_alike(one, other, 0, None)
    look_alike(plays(one, "leave:knight"), plays(other, "leave:knight"), 0, None)


@ruling("RB 1.6")
@ruling("RB 2.3")
def test_the_order_of_a_pile_made_new_is_told_to_nobody() -> None:
    match = draft(piles={"normal": ""})
    facts = match.play(0, "draft:N1")
    assert len(look(match)["piles"]["normal"]) == 29
    assert told(match, "pile_made", "all") == [{"class": "normal"}]
    assert [fact.audience for fact in facts if fact.name == "shuffled"] == ["none"]
    readers: tuple[str | int, ...] = ("all", 0, 1)
    for reader in readers:
        assert told(match, "shuffled", reader) == []


# Known cards -------------------------------------------------------------------------------------


def taken_back(hands: tuple[str, str] = ("liaison lancer knight", "shieldman")) -> Match:
    """Return a match in which Red has taken an Archer back to hand by a Liaison."""
    areas = {"red-city": "red archer", "blue-city": "blue priest"}
    return plays(deploy(hands, areas), "swap:red-city:liaison")


@ruling("RB 1.6")
@pytest.mark.parametrize("reader", READERS)
def test_a_card_taken_back_by_a_liaison_is_known(reader: int | None) -> None:
    match = taken_back()
    assert known(match, reader, 0) == ["archer"]
    assert known(match, reader, 1) == []
    assert backs(match, reader, 0) == (2, 1)


@ruling("RB 1.6")
@pytest.mark.parametrize("reader", READERS)
def test_a_card_saved_by_a_rearguard_is_known(reader: int | None) -> None:
    match = fought("border", "cavalry", "blue rearguard", "soldier", ("", "lancer knight"))
    assert known(match, reader, 1) == ["soldier"]
    assert backs(match, reader, 1) == (2, 1)


@ruling("RB 1.6")
def test_a_known_card_stays_known_in_later_turns() -> None:
    match = plays(taken_back(), "done", "draft:0", "occupy:border:shieldman", "done", "draft:A1")
    assert known(match, None, 0) == ["archer"]
    assert known(match, 1, 0) == ["archer"]


@ruling("RB 1.6")
def test_a_known_card_that_is_played_is_no_longer_known() -> None:
    match = plays(taken_back(), "occupy:border:archer")
    assert [known(match, reader, 0) for reader in READERS] == [[], [], []]


@ruling("RB 1.6")
def test_another_card_played_leaves_it_known() -> None:
    match = plays(taken_back(), "occupy:border:lancer")
    assert [known(match, reader, 0) for reader in READERS] == [["archer"]] * 3


@ruling("RB 1.6")
@pytest.mark.parametrize("attacker", ["archer", "lancer"])
def test_face_down_a_known_card_may_be_the_one_that_attacks(attacker: str) -> None:
    match = plays(taken_back(), f"attack:blue-city:{attacker}")
    for reader in (None, 1):
        assert known(match, reader, 0) == []
        assert seen(match, reader)["battle"]["perhaps"] == ["archer"]
        assert backs(match, reader, 0) == (1, 1)
        assert seen(match, reader)["battle"]["attackers"] == ["normal"]


@ruling("RB 1.6")
def test_a_known_card_of_the_other_class_stays_in_the_hand() -> None:
    match = plays(taken_back(), "attack:blue-city:knight")
    for reader in (None, 1):
        assert known(match, reader, 0) == ["archer"]
        assert seen(match, reader)["battle"]["perhaps"] == []


@ruling("RB 1.6")
def test_whether_a_known_card_attacks_does_not_show() -> None:
    one = plays(taken_back(), "attack:blue-city:archer")
    other = plays(taken_back(), "attack:blue-city:lancer")
    look_alike(one, other, 1, None)


@ruling("RB 1.6")
@pytest.mark.parametrize(("attacker", "left"), [("archer", []), ("lancer", ["archer"])])
def test_revealed_it_is_known_where_it_is(attacker: str, left: list[str]) -> None:
    match = plays(taken_back(), f"attack:blue-city:{attacker}", "defend:none")
    assert [known(match, reader, 0) for reader in READERS] == [left] * 3


@ruling("RB 1.6")
def test_a_known_card_that_defends_is_no_longer_known() -> None:
    areas = {"blue-city": "blue archer"}
    hands = ("lancer", "lancer")
    match = fought("border", "cavalry", "blue rearguard", "soldier", hands, areas)
    plays(match, "attack:blue-city:lancer", "defend:soldier")
    assert known(match, 0, 1) == []
    assert known(match, None, 1) == []


@ruling("RB 1.6")
def test_of_equal_cards_as_many_are_known_as_were_seen() -> None:
    match = deploy(("liaison archer", ""), {"red-city": "red archer"})
    plays(match, "swap:red-city:liaison")
    assert known(match, 1, 0) == ["archer"]
    plays(match, "occupy:border:archer")
    assert known(match, 1, 0) == []


# A monarch in hand -------------------------------------------------------------------------------


@ruling("RB 1.3")
@ruling("RB 1.6")
@pytest.mark.parametrize("reader", READERS)
def test_a_monarch_in_hand_counts_as_a_normal_card(reader: int | None) -> None:
    match = plays(deploy(("liaison knight", "")), "swap:red-capital:liaison")
    assert backs(match, reader, 0) == (1, 1)
    assert known(match, reader, 0) == ["prince"]


@ruling("RB 1.6")
@pytest.mark.parametrize("reader", READERS)
def test_a_monarch_saved_by_a_rearguard_is_known(reader: int | None) -> None:
    match = fought("border", "cavalry", "blue rearguard", "princess")
    assert known(match, reader, 1) == ["princess"]


@ruling("RB 1.6")
@pytest.mark.parametrize("reader", READERS)
def test_a_monarch_that_lies_nowhere_is_known_to_be_in_hand(reader: int | None) -> None:
    match = draft(("prince soldier", "archer princess"))
    assert known(match, reader, 0) == ["prince"]
    assert known(match, reader, 1) == ["princess"]


@ruling("RB 1.3")
@ruling("RB 1.6")
def test_whether_a_monarch_attacks_does_not_show() -> None:
    one = attacked("border", "prince", "blue priest", ("soldier", "lancer"))
    other = attacked("border", "soldier", "blue priest", ("prince", "lancer"))
    look_alike(stand(one), stand(other), 1, None)
    assert known(stand(one), 1, 0) == []
    assert seen(stand(one), 1)["battle"]["perhaps"] == ["prince"]


@ruling("RB 1.6")
def test_a_monarch_that_occupies_is_no_longer_known_to_be_in_hand() -> None:
    match = plays(deploy(("prince soldier", "")), "occupy:border:prince")
    assert known(match, 1, 0) == []


# What a seat works out when a pile is made new ---------------------------------------------------


def made_new(hands: tuple[str, str] = ("", "lancer knight"), areas: Any = None) -> Match:
    """Return a match in which Red has drawn the last normal card and one of a new pile."""
    return plays(draft(hands, areas, piles={"normal": "soldier"}), "draft:N2")


@ruling("RB 1.6")
@ruling("RB 2.3")
def test_before_a_pile_is_made_new_hands_are_not_known() -> None:
    match = draft(("", "lancer knight"), piles={"normal": "soldier"})
    assert known(match, 0, 1) == []


@ruling("RB 1.6")
@ruling("RB 2.3")
def test_when_a_pile_is_made_new_each_seat_knows_the_cards_of_that_class() -> None:
    """All other cards are known: on areas, in the own hand, in the discards."""
    match = made_new()
    assert known(match, 0, 1) == ["lancer"]
    assert known(match, 1, 0) == ["soldier"]
    assert backs(match, 1, 0) == (2, 0)


@ruling("RB 1.6")
@ruling("RB 2.3")
def test_a_spectator_does_not_know_whose_the_cards_are() -> None:
    match = made_new()
    assert known(match, None, 0) == []
    assert known(match, None, 1) == []


@ruling("RB 1.6")
@ruling("RB 2.3")
def test_a_pile_of_aces_made_new_tells_the_aces() -> None:
    match = draft(("", "lancer knight"), piles={"ace": ""})
    plays(match, "draft:A1")
    assert known(match, 0, 1) == ["knight"]
    assert known(match, 1, 0) == []


@ruling("RB 1.6")
@ruling("RB 2.3")
def test_what_was_worked_out_is_known_until_it_is_played() -> None:
    match = plays(made_new(), "done", "draft:N2")
    assert known(match, 0, 1) == ["lancer"]
    plays(match, "occupy:border:lancer")
    assert known(match, 0, 1) == []


@ruling("RB 1.6")
@ruling("RB 2.3")
def test_a_monarch_is_known_beside_what_was_worked_out() -> None:
    match = made_new(("", "lancer princess"), {"blue-capital": "blue archer"})
    assert known(match, 0, 1) == ["lancer", "princess"]
    assert known(match, None, 1) == ["princess"]
