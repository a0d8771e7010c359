"""Every rule of Goofspiel, by its id."""

import json
import re
from importlib.resources import files
from typing import Any

import pytest

import zashiki
from goofspiel import rulings
from goofspiel.options import GOOFSPIEL
from goofspiel.tests.exact import every_branch
from goofspiel.tests.tables import bid, position, rules, standing, started
from zashiki.core.dice import Chance
from zashiki.core.match import Match
from zashiki.core.rulings import Z_1, Z_2, Z_3, Malformed, Refusal, Refused

ruling = pytest.mark.ruling
refuses = pytest.mark.refuses


def prizes(match: Match) -> list[Any]:
    """Return the prizes turned up so far."""
    facts = match.facts("all")
    return [fact.arguments["prize"] for fact in facts if fact.name == "prize_turned_up"]


def play_through(match: Match) -> Match:
    while not match.over:
        for seat in sorted(match.to_act):
            match.play(seat, match.legal(seat)[0])
    return match


def test_the_ids_are_the_same_in_code_and_in_both_languages() -> None:
    known = [value for name, value in vars(rulings).items() if name.startswith("GS_")]
    for language in ("en", "ja"):
        text = (files("goofspiel") / f"rules.{language}.md").read_text("utf-8")
        assert re.findall(r"^- \*\*(GS \d+\.\d+)\*\* ", text, re.MULTILINE) == known
        assert text.splitlines()[0].endswith(" {goofspiel}")


# What you need ---------------------------------------------------------------------------------


@ruling("GS 1.1")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_everybody_holds_the_same_cards(seats: int) -> None:
    assert started(seats, cards=4).truth()["hands"] == [[1, 2, 3, 4]] * seats


@ruling("GS 1.1")
@pytest.mark.parametrize("seats", [1, 5])
def test_two_to_four_play(seats: int) -> None:
    with pytest.raises(Malformed, match="seats of goofspiel: expected 2 or 3 or 4, found"):
        started(seats)


@ruling("GS 1.2")
def test_a_hand_has_two_to_thirteen_cards() -> None:
    assert len(started().legal(0)) == 13
    assert started(cards=2).legal(1) == ("bid:1", "bid:2")
    for cards in (1, 14, "5"):
        with pytest.raises(Malformed, match="option cards"):
            started(cards=cards)


@ruling("GS 1.3")
def test_a_prize_is_worth_its_number() -> None:
    match = standing(position([[1, 5], [2, 3]], 4, [2]))
    bid(match, 5, 2)
    assert match.truth()["scores"] == [4, 0]


# A round ---------------------------------------------------------------------------------------


@ruling("GS 2.1")
def test_every_prize_to_come_is_equally_likely() -> None:
    game = rules(cards=4)

    def first_prize(chance: Chance) -> int:
        state = game.empty()
        game.start(state, chance)
        return int(state.public.prize)

    drawn = list(every_branch(first_prize))
    assert sorted(prize for prize, _ in drawn) == [1, 2, 3, 4]
    assert len({likely for _, likely in drawn}) == 1


@ruling("GS 2.1")
def test_the_next_prize_is_drawn_only_when_its_round_begins() -> None:
    match = started(cards=5)
    assert len(prizes(match)) == 1
    match.play(0, "bid:1")
    assert len(prizes(match)) == 1
    facts = match.play(1, "bid:2")
    assert facts[-1].name == "prize_turned_up"
    assert facts[-1].audience == "all"
    assert len(prizes(match)) == 2


@ruling("GS 2.2")
@pytest.mark.parametrize(
    ("order", "expected"), [("descending", [4, 3, 2, 1]), ("ascending", [1, 2, 3, 4])]
)
def test_prizes_in_a_known_order(order: str, expected: list[int]) -> None:
    assert prizes(play_through(started(cards=4, order=order))) == expected


@ruling("GS 2.2")
def test_a_random_order_turns_up_every_prize_once() -> None:
    orders = [prizes(play_through(started(cards=5, seed=seed))) for seed in range(8)]
    assert all(sorted(order) == [1, 2, 3, 4, 5] for order in orders)
    assert len({repr(order) for order in orders}) > 1


@ruling("GS 2.3")
def test_all_choose_at_the_same_time_and_in_secret() -> None:
    match = started(3, cards=5)
    assert match.to_act == {0, 1, 2}
    told = match.play(1, "bid:4")
    assert [(fact.audience, fact.name) for fact in told] == [(1, "chose"), ("all", "has_chosen")]
    assert match.to_act == {0, 2}
    assert match.view(1)["bid"] == 4
    assert match.view(1)["hand"] == [1, 2, 3, 5]
    assert match.view(0)["chosen"] == [1]
    other = started(3, cards=5)
    other.play(1, "bid:2")
    for seat in (0, 2, None):  # the others see the same, whichever card it chose
        assert json.dumps(match.view(seat)) == json.dumps(other.view(seat))


@ruling("GS 2.3")
@refuses("Z 1")
def test_a_choice_stands() -> None:
    match = started(2, cards=3)
    match.play(0, "bid:3")
    assert match.legal(0) == ()
    assert match.why_not(0, "bid:1") == Refusal(Z_1, details={"seats": [1]})


@ruling("GS 2.4")
def test_the_last_choice_reveals_and_spends_all_bids() -> None:
    match = started(3, cards=4, order="ascending")
    told = bid(match, 3, 1, 4)
    assert told == ["chose", "has_chosen", "revealed", "prize_won", "prize_turned_up"]
    assert match.truth()["spent"] == [[3], [1], [4]]
    assert match.truth()["hands"] == [[1, 2, 4], [2, 3, 4], [1, 2, 3]]


@ruling("GS 2.4")
@refuses("Z 3")
@pytest.mark.parametrize("card", [2, 9])  # a spent card, and a card that this form does not have
def test_a_card_not_held_is_refused(card: int) -> None:
    match = started(2, cards=4)
    bid(match, 2, 3)
    refusal = match.why_not(0, f"bid:{card}")
    assert refusal == Refusal(Z_3, (str(card),), {"card": card})
    before = match.record()
    with pytest.raises(Refused, match=f"Z 3: You have no {card} in your hand"):
        match.play(0, f"bid:{card}")
    assert match.record() == before


@ruling("GS 2.5")
@pytest.mark.parametrize(
    ("bids", "winner"), [((4, 3, 2, 1), 0), ((3, 4, 3, 3), 1), ((1, 2, 3, 2), 2), ((1, 1, 2, 4), 3)]
)
def test_the_single_highest_bid_wins(bids: tuple[int, ...], winner: int) -> None:
    match = started(4, cards=4, order="descending")
    assert "prize_won" in bid(match, *bids)
    assert match.truth()["scores"] == [4 if seat == winner else 0 for seat in range(4)]


@ruling("GS 2.6")
@pytest.mark.parametrize("bids", [(4, 4, 3, 1), (2, 1, 2, 2), (1, 4, 3, 4), (3, 3, 3, 3)])
def test_a_shared_highest_bid_discards_the_prize(bids: tuple[int, ...]) -> None:
    match = started(4, cards=4, order="descending")
    assert "prize_discarded" in bid(match, *bids)
    assert match.truth()["scores"] == [0, 0, 0, 0]
    assert match.truth()["prize"] == 3
    assert match.truth()["to_come"] == [1, 2]


@ruling("GS 2.7")
def test_what_was_revealed_stays_known_to_everybody() -> None:
    match = started(2, cards=3, order="descending")
    bid(match, 3, 1)
    bid(match, 1, 3)
    for seat in (0, 1, None):
        assert match.view(seat)["spent"] == [[1, 3], [1, 3]]
        assert match.view(seat)["history"] == [
            {"round": 1, "prize": 3, "bids": [3, 1]},
            {"round": 2, "prize": 2, "bids": [1, 3]},
        ]


# The end ---------------------------------------------------------------------------------------


@ruling("GS 3.1")
@refuses("Z 2")
def test_the_last_bid_is_asked_for_too() -> None:
    match = started(2, cards=2, order="descending")
    bid(match, 2, 1)
    assert (match.legal(0), match.legal(1)) == (("bid:1",), ("bid:2",))
    assert not match.over
    assert bid(match, 1, 2) == ["chose", "has_chosen", "revealed", "prize_won"]
    assert match.over
    assert match.to_act == frozenset()
    assert match.why_not(0, "bid:1") == Refusal(Z_2)


@ruling("GS 3.2")
def test_ranks_by_points_and_ties_share() -> None:
    match = standing(position([[1], [2], [1], [1]], 5, scores=[9, 4, 2, 9]))
    bid(match, 1, 2, 1, 1)
    outcome = match.outcome
    assert outcome is not None
    assert (outcome.ranks, outcome.scores) == ((1, 1, 4, 1), (9, 9, 2, 9))


# Notation, catalogue ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["bid:0", "bid:14", "bid:07", "bid: 7", "bid:", "BID:7", "7", "", "bid:7 "]
)
def test_what_is_no_bid_is_malformed(text: str) -> None:
    with pytest.raises(Malformed, match="like 'bid:7'"):
        started().why_not(0, text)


def test_every_card_can_be_read_in_every_form() -> None:
    match = started(2, cards=2)
    for card in range(3, 14):
        refusal = match.why_not(0, f"bid:{card}")
        assert refusal is not None
        assert refusal.ruling == "Z 3"


def test_the_catalogue_finds_it_by_its_entry_point() -> None:
    assert zashiki.games()["goofspiel"] is GOOFSPIEL
    assert zashiki.start("goofspiel", seats=2, seed=1).seats == 2
