"""Every rule of Template Game by its id, and the laws that hold in every game: `pytest`."""

import re

import zashiki
from zashiki.core.match import Match
from zashiki.core.text import LANGUAGES, load
from zashiki.laws.run import check_game


def standing(hands: list[list[int]], **changes: object) -> Match:
    """Return a match in its first round, in which seat 0 starts with these hands."""
    seats = len(hands)
    position = {
        "seats": seats,
        "round": 1,
        "starter": 0,
        "points": [0] * seats,
        "played": [[] for _ in hands],
        "hands": hands,
    }
    return zashiki.scenario("template-game", {**position, **changes}, seed=7)


def test_three_cards_each_are_dealt() -> None:  # TG 1.1, TG 1.2
    hands = zashiki.start("template-game", seats=4, seed=7).truth()["hands"]
    assert isinstance(hands, list)
    assert [len(hand) for hand in hands] == [3, 3, 3, 3]
    assert len({card for hand in hands for card in hand}) == 12


def test_the_starter_is_drawn() -> None:  # TG 1.3
    seeds = range(20)
    starters = [zashiki.start("template-game", seats=3, seed=seed).to_act for seed in seeds]
    assert {min(seats) for seats in starters} == {0, 1, 2}


def test_players_play_clockwise() -> None:  # TG 2.1
    match = standing([[1, 2, 3], [4, 5, 6], [7, 8, 9]], starter=1)
    assert match.to_act == {1}
    match.play(1, "play:4")
    assert match.to_act == {2}


def test_the_highest_card_cannot_be_led() -> None:  # TG 2.2
    match = standing([[1, 2, 12], [4, 5, 6]])
    refusal = match.why_not(0, "play:12")
    assert refusal is not None
    assert refusal.ruling == "TG 2.2"
    match.play(0, "play:1")
    match.play(1, "play:4")


def test_the_highest_card_wins_the_round_and_starts_the_next() -> None:  # TG 2.3, TG 2.4
    match = standing([[1, 2, 3], [4, 5, 6]])
    match.play(0, "play:3")
    match.play(1, "play:4")
    assert match.view(None)["points"] == [0, 1]
    assert match.to_act == {1}


def test_the_most_points_win_after_three_rounds() -> None:  # TG 3.1
    match = standing([[1, 2, 3], [4, 5, 6]])
    while not match.over:
        seat = min(match.to_act)
        match.play(seat, match.legal(seat)[0])
    assert match.outcome is not None
    assert match.outcome.ranks == (2, 1)
    assert match.outcome.scores == (0, 3)


def test_every_fact_has_a_sentence_with_its_arguments() -> None:
    spec = zashiki.games()["template-game"]
    words = spec.vocabulary(spec.seats[0], {})
    facts = {**words.public, **words.own, **words.hidden}
    for language in LANGUAGES:
        sentences = load(spec.folder, language)["facts"]
        found = {fact: {*re.findall(r"{(\w+)}", str(text))} for fact, text in sentences.items()}
        assert found == {fact: {*arguments} for fact, arguments in facts.items()}, language


def test_the_laws_hold() -> None:
    spec = zashiki.games()["template-game"]
    assert check_game(spec, matches=2).matches
