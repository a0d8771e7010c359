"""The draft (RB 2.1 to RB 2.3): funds, the room in a hand, and piles made again."""

from collections import Counter
from typing import Any

import pytest

import zashiki
from zashiki import Match
from zashiki.games.kingdoms.tests.tables import (
    ACES,
    EVERY_CARD,
    GAME,
    all_cards,
    draft,
    hand,
    look,
    plays,
    stand,
    standing,
    told,
)

ruling = pytest.mark.ruling

FOUR_FUNDS = {"red-city": "red soldier"}
"""Red holds Red Capital and Red City, which pay 2 each."""
MOST_OF_BLUE = {"border": "blue soldier", "blue-city": "blue soldier", "red-city": "blue soldier"}
"""Blue holds all but the Red Capital: 1, 1, 2 and 3 make 7."""
ALL_ACES = " ".join(card for card, copies in ACES.items() for _ in range(copies))


def legal(match: Match) -> set[str]:
    (seat,) = match.to_act
    return set(match.legal(seat))


def drafts(text: str) -> set[str]:
    return {f"draft:{each}" for each in text.split()}


# RB 2.1 Funds ------------------------------------------------------------------------------------


@ruling("RB 2.1")
def test_four_funds_buy_two_aces_or_four_normal_cards_or_one_ace_and_two_normal() -> None:
    match = draft(areas=FOUR_FUNDS)
    assert legal(match) == drafts("0 N1 N2 N3 N4 A1 A2 N1A1 N2A1")


@ruling("RB 2.1")
@pytest.mark.parametrize(
    ("hands", "areas", "turn", "buys"),
    [
        (("prince", ""), {}, 0, "0"),
        (("", "princess"), {}, 1, "0"),
        (("", ""), {}, 0, "0 N1 N2 A1"),
        (("", ""), {}, 1, "0 N1 N2 N3 A1 N1A1"),
        (("prince", ""), {"border": "red soldier"}, 0, "0 N1"),
        (("prince", ""), {"red-capital": "blue soldier"}, 1, "0 N1 N2 N3 N4 A1 A2 N1A1 N2A1"),
        (("", "princess"), {"blue-capital": "red soldier"}, 0, "0 N1 N2 N3 A1 N1A1"),
    ],
)
def test_the_areas_held_pay_in_the_colour_of_the_holder(
    hands: tuple[str, str], areas: dict[str, str], turn: int, buys: str
) -> None:
    assert legal(draft(hands, areas, turn)) == drafts(buys)


@ruling("RB 2.1")
def test_cards_are_drawn_from_the_top_of_the_piles() -> None:
    match = draft(("soldier", "liaison"), FOUR_FUNDS, top="lancer priest shieldman bishop knight")
    before = look(match)["piles"]
    plays(match, "draft:N2A1")
    assert hand(match, 0) == ["bishop", "lancer", "priest", "soldier"]
    assert hand(match, 1) == ["liaison"]
    after = look(match)["piles"]
    assert after == {"normal": before["normal"][2:], "ace": before["ace"][1:]}
    assert (after["normal"][0], after["ace"][0]) == ("shieldman", "knight")


@ruling("RB 2.1")
def test_numbers_are_told_before_cards_are_drawn() -> None:
    match = draft(areas=FOUR_FUNDS, top="lancer priest knight")
    facts = match.play(0, "draft:N2A1")
    assert facts[0].name == "drafted"
    assert dict(facts[0].arguments) == {"seat": 0, "normal": 2, "ace": 1}
    assert told(match, "drew") == [
        {"seat": 0, "class": "normal", "count": 2},
        {"seat": 0, "class": "ace", "count": 1},
    ]


@ruling("RB 2.1")
@ruling("RB 1.6")
def test_what_was_drawn_is_told_to_the_drafter_alone() -> None:
    match = draft(areas=FOUR_FUNDS, top="lancer priest knight")
    plays(match, "draft:N2A1")
    taken = [card for took in told(match, "took", 0) for card in took["cards"]]
    assert sorted(taken) == ["knight", "lancer", "priest"]
    assert told(match, "took", 1) == told(match, "took", "all") == []
    shown: Any = match.view(1)
    assert (shown["hands"][0]["normal"], shown["hands"][0]["ace"]) == (2, 1)


@ruling("RB 2.1")
def test_drafting_nothing_draws_nothing() -> None:
    match = draft(areas=FOUR_FUNDS)
    before = look(match)
    facts = match.play(0, "draft:0")
    assert look(match) == before | {"phase": "deploy"}
    assert [dict(fact.arguments) for fact in facts if fact.name == "drafted"] == [
        {"seat": 0, "normal": 0, "ace": 0}
    ]
    assert told(match, "drew") == told(match, "took") == []


@ruling("RB 2.1")
@pytest.mark.parametrize("first", ["draft:0", "draft:N1"])
def test_funds_not_spent_are_lost(first: str) -> None:
    match = draft(areas=FOUR_FUNDS)
    plays(match, first, "done", "draft:0", "done")
    assert match.view(None)["funds"] == [4, 3]
    assert legal(match) == drafts("0 N1 N2 N3 N4 A1 A2 N1A1 N2A1")


@ruling("RB 2.1")
@pytest.mark.parametrize("first", ["draft:0", "draft:N1", "draft:A2"])
def test_one_draft_a_turn(first: str) -> None:
    match = plays(draft(areas=FOUR_FUNDS), first)
    assert (look(match)["phase"], look(match)["turn"]) == ("deploy", 0)
    assert not any(action.startswith("draft") for action in match.legal(0))


# RB 2.2 Room -------------------------------------------------------------------------------------


@ruling("RB 2.2")
def test_red_drafts_nothing_on_the_first_turn() -> None:
    match = zashiki.start(GAME, 2, seed=1)
    assert legal(match) == {"draft:0"}
    plays(match, "draft:0", "done")
    assert legal(match) == {"draft:0"}


@ruling("RB 2.2")
@pytest.mark.parametrize(
    ("cards", "buys"),
    [
        ("soldier", "0 N1 N2 N3 N4 A1 A2 N1A1 N2A1"),
        ("soldier soldier", "0 N1 N2 N3 A1 A2 N1A1 N2A1"),
        ("soldier knight knight", "0 N1 N2 A1 A2 N1A1"),
        ("soldier soldier knight knight", "0 N1 A1"),
        ("soldier soldier soldier knight knight", "0"),
    ],
)
def test_a_draft_fills_a_hand_to_five_at_most(cards: str, buys: str) -> None:
    assert legal(draft((cards, ""), FOUR_FUNDS)) == drafts(buys)


@ruling("RB 2.2")
def test_even_rich_blue_drafts_five_at_most() -> None:
    match = draft(areas=MOST_OF_BLUE, turn=1)
    aces = {
        0: "0 N1 N2 N3 N4 N5",
        1: "A1 N1A1 N2A1 N3A1 N4A1",
        2: "A2 N1A2 N2A2 N3A2",
        3: "A3 N1A3",
    }
    assert legal(match) == drafts(" ".join(aces.values()))
    plays(match, "draft:N3A2")
    assert len(hand(match, 1)) == 5


@ruling("RB 2.2")
def test_a_monarch_in_hand_takes_room_too() -> None:
    match = draft(("prince soldier soldier soldier", ""), {"red-city": "red lancer"})
    assert legal(match) == drafts("0 N1 A1")


# RB 2.3 Piles ------------------------------------------------------------------------------------


@ruling("RB 2.3")
def test_an_empty_pile_is_made_new_from_its_discards_when_a_card_is_to_be_drawn() -> None:
    match = draft(areas=FOUR_FUNDS, piles={"normal": "lancer"})
    thrown = Counter(look(match)["discards"]["normal"])
    assert thrown.total() == 28
    plays(match, "draft:N3")
    truth = look(match)
    assert "lancer" in truth["hands"][0]
    drawn = Counter(truth["hands"][0]) - Counter(["lancer"])
    assert drawn + Counter(truth["piles"]["normal"]) == thrown
    assert len(truth["piles"]["normal"]) == 26
    assert truth["discards"]["normal"] == []
    assert told(match, "pile_made") == [{"class": "normal"}]
    assert sum(drew["count"] for drew in told(match, "drew")) == 3
    assert all_cards(truth) == EVERY_CARD


@ruling("RB 2.3")
def test_a_pile_is_not_made_new_before_a_card_is_missing() -> None:
    match = draft(areas=FOUR_FUNDS, piles={"normal": "lancer priest"})
    before = look(match)["discards"]
    plays(match, "draft:N2")
    assert hand(match, 0) == ["lancer", "priest"]
    assert look(match)["piles"]["normal"] == []
    assert look(match)["discards"] == before
    assert told(match, "pile_made") == []
    plays(match, "done", "draft:N1")
    assert told(match, "pile_made") == [{"class": "normal"}]
    assert look(match)["discards"]["normal"] == []


@ruling("RB 2.3")
def test_each_class_has_a_pile_and_discards_of_its_own() -> None:
    match = draft(areas=FOUR_FUNDS, piles={"ace": ""}, discards="soldier lancer")
    before = look(match)
    plays(match, "draft:N1A1")
    after = look(match)
    assert told(match, "pile_made") == [{"class": "ace"}]
    assert after["discards"] == {"normal": ["soldier", "lancer"], "ace": []}
    assert after["piles"]["normal"] == before["piles"]["normal"][1:]
    assert len(after["piles"]["ace"]) == 19
    assert set(after["piles"]["ace"]) <= set(ACES)


@ruling("RB 2.3")
def test_an_empty_pile_that_nobody_draws_from_stays_empty() -> None:
    match = draft(areas=FOUR_FUNDS, piles={"ace": ""})
    plays(match, "draft:N4")
    assert look(match)["piles"]["ace"] == []
    assert len(look(match)["discards"]["ace"]) == 20


@ruling("RB 2.3")
def test_a_pile_made_new_is_shuffled() -> None:
    truth = standing(areas=FOUR_FUNDS, piles={"normal": ""})
    made = [plays(stand(truth, seed), "draft:N1") for seed in range(5)]
    orders = {tuple(look(match)["piles"]["normal"]) for match in made}
    assert len(orders) == 5
    assert all(list(order) != sorted(order) for order in orders)


@ruling("RB 2.3")
@ruling("RB 1.6")
def test_the_order_of_a_pile_made_new_is_told_to_nobody() -> None:
    match = plays(draft(areas=FOUR_FUNDS, piles={"normal": ""}), "draft:N1")
    shuffled = told(match, "shuffled")[-1]
    assert (shuffled["class"], len(shuffled["cards"])) == ("normal", 29)
    for reader in ("all", 0, 1):
        assert told(match, "shuffled", reader) == []


@ruling("RB 2.3")
def test_no_more_is_drafted_than_pile_and_discards_hold() -> None:
    """Twenty aces are too many for five areas and two hands of five, so the hand is larger here."""
    for aces, buys in ((20, "0 N1 N2 N3 N4"), (19, "0 N1 N2 N3 N4 A1 N1A1 N2A1")):
        match = draft(("", " ".join(ALL_ACES.split()[:aces])), FOUR_FUNDS)
        assert legal(match) == drafts(buys)


@ruling("RB 2.3")
def test_the_last_card_of_pile_and_discards_can_be_drafted() -> None:
    held = " ".join(ALL_ACES.split()[:18])
    match = draft(("", held), FOUR_FUNDS, piles={"ace": "bishop"})
    assert look(match)["discards"]["ace"] == ["bishop"]
    plays(match, "draft:A2")
    assert hand(match, 0) == ["bishop", "bishop"]
    assert look(match)["piles"]["ace"] == look(match)["discards"]["ace"] == []
