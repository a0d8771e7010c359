"""The public Python API: the promises of `zashiki` to everyone who plays from Python."""

import doctest
import json
from typing import Any

import pytest

import zashiki
from zashiki import Malformed, Refused
from zashiki.core import game as contract

ruling = pytest.mark.ruling
refuses = pytest.mark.refuses

GAME = "kamiza-second"


def test_games_says_what_is_offered() -> None:
    spec = zashiki.games()[GAME]
    assert spec.title == "KAMIZA Second Generation"
    assert spec.seats == (3, 4)
    offered = {name: (option.values, option.default) for name, option in spec.options.items()}
    assert offered == {
        "open_start": ((False, True), False),
        "underboss_shield": ((False, True), False),
        "tie_break": (("chicken", "shared"), "chicken"),
    }
    assert "goofspiel" in zashiki.games(), "found by its entry point"
    with pytest.raises(TypeError):
        zashiki.games()["mine"] = spec  # type: ignore[index]


def test_equal_seeds_deal_alike_and_no_seed_takes_entropy() -> None:
    options = {"cards": 13}
    prizes = [
        zashiki.start("goofspiel", seats=2, options=options, seed=seed).truth() for seed in (7, 7)
    ]
    assert prizes[0] == prizes[1]
    truths = [zashiki.start("goofspiel", seats=2).truth() for _ in range(40)]
    assert any(truth != truths[0] for truth in truths)


def test_nonces_change_the_deal() -> None:
    dealt = {
        json.dumps(zashiki.start("goofspiel", seats=2, seed=7, nonces=[f"{n:02x}", ""]).truth())
        for n in range(40)
    }
    assert len(dealt) > 1


def test_legal_is_a_sorted_tuple_of_notation_and_empty_for_an_idle_seat() -> None:
    match = zashiki.start(GAME, seats=4, seed=7)
    (seat,) = match.to_act
    assert match.legal(seat) == tuple(
        sorted(
            f"{card}@{area}"
            for card in ("boss", "underboss", "hitman", "police")
            for area in ("top", "bottom")
        )
    )
    assert match.legal((seat + 1) % 4) == ()


@ruling("Z 1")
@refuses("Z 1")
def test_a_refusal_names_its_rule_and_changes_nothing() -> None:
    match = zashiki.start(GAME, seats=4, seed=7, names=["Aka", "Ao", "Midori", "Murasaki"])
    before = match.record()
    (seat,) = match.to_act
    with pytest.raises(Refused) as refused:
        match.play((seat + 1) % 4, "boss@top")
    assert refused.value.ruling == "Z 1"
    assert match.header.names[seat] in refused.value.text
    assert match.record() == before


@ruling("Z 2")
@refuses("Z 2")
def test_after_the_end_everything_is_refused_by_z_2() -> None:
    match = over()
    for seat in range(3):
        refusal = match.why_not(seat, "boss@top")
        assert refusal is not None
        assert refusal.ruling == "Z 2"
        assert match.legal(seat) == ()
    assert match.to_act == frozenset()


def over() -> zashiki.Match:
    match = zashiki.start(GAME, seats=3, seed=7)
    while not match.over:
        for seat in match.to_act:
            match.play(seat, match.legal(seat)[0])
    return match


@ruling("Z 1")
@ruling("Z 3")
@refuses("Z 1")
def test_whose_turn_it_is_is_judged_before_what_is_in_the_hand() -> None:
    match = zashiki.start(GAME, seats=3, seed=7)
    (seat,) = match.to_act
    match.play(seat, "boss@top")
    refusal = match.why_not(seat, "boss@top")
    assert refusal is not None
    assert refusal.ruling == "Z 1"


@pytest.mark.parametrize(
    "action", ["", "boss", "boss@", "boss@roof", "Boss@top", " boss@top", "raid@top", 7, None]
)
def test_an_unreadable_action_is_malformed_and_says_what_is_expected(action: str) -> None:
    match = zashiki.start(GAME, seats=3, seed=7)
    before = match.record()
    for seat in range(3):
        with pytest.raises(Malformed, match="boss@top"):
            match.play(seat, action)
        with pytest.raises(Malformed, match="boss@top"):
            match.why_not(seat, action)
    assert match.record() == before


@pytest.mark.parametrize("seat", [-1, 3, "0", None, True, 1.0])
def test_a_seat_that_is_none_is_malformed(seat: int) -> None:
    match = zashiki.start(GAME, seats=3, seed=7)
    for ask in (
        match.legal,
        lambda s: match.why_not(s, "boss@top"),
        lambda s: match.play(s, "boss@top"),
    ):
        with pytest.raises(Malformed, match="expected a number from 0 to 2, found"):
            ask(seat)
    if seat is not None:
        with pytest.raises(Malformed, match="seat"):
            match.view(seat)
        with pytest.raises(Malformed, match="reader"):
            match.record(seat)


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (
            {"game": "poker"},
            "game: expected one of .*kamiza-2014, kamiza-second.*, found 'poker'",
        ),
        ({"game": None}, "game: .* found None"),
        ({"seats": 2}, "seats of kamiza-second: expected 3 or 4, found 2"),
        ({"seats": None}, "seats of .*, found None"),
        (
            {"options": {"open": True}},
            "options of kamiza-second: expected open_start.*, found 'open'",
        ),
        ({"options": {"open_start": 1}}, "option open_start: expected one of False, True, found 1"),
        ({"options": {"open_start": "true"}}, "option open_start: .* found 'true'"),
        ({"options": {"tie_break": []}}, r"option tie_break: .* found \[\]"),
        ({"options": ["open_start"]}, "options: expected a mapping"),
        ({"seed": 1.5}, "seed"),
        ({"seed": True}, "seed"),
        ({"names": ["a", "b"]}, "names"),
        ({"names": ["a", "b", ""]}, "name: expected 1 to 40"),
        ({"names": "abc"}, "names"),
        ({"nonces": ["0"]}, "nonces"),
        ({"nonces": ["g", "", ""]}, "nonce: .* found 'g'"),
        ({"salt": b""}, "salt"),
    ],
)
def test_bad_input_to_start_is_named(arguments: dict[str, Any], fault: str) -> None:
    good: dict[str, Any] = {"game": GAME, "seats": 3}
    with pytest.raises(Malformed, match=fault):
        zashiki.start(**(good | arguments))


def test_words_are_malformed_where_nothing_is_said() -> None:
    match = zashiki.start("goofspiel", seats=2, seed=7)
    with pytest.raises(Malformed, match="goofspiel has no speech"):
        match.play(0, match.legal(0)[0], says="Mine!")


def test_play_returns_the_facts_told() -> None:
    match = zashiki.start(GAME, seats=3, seed=7)
    (seat,) = match.to_act
    told = match.play(seat, "boss@top")
    assert [(fact.audience, fact.name) for fact in told] == [(seat, "laid"), ("all", "placed")]
    assert told[0].arguments == {"card": "boss"}
    assert list(told[:1]) == [told[0]]
    assert list(told) == match.facts()[-2:]
    assert "placed" in repr(told)


def test_facts_for_a_reader_do_not_name_the_action_that_caused_them() -> None:
    match = zashiki.start(GAME, seats=3, seed=7)
    (seat,) = match.to_act
    match.play(seat, "hitman@top")
    for reader in ("all", (seat + 1) % 3, seat):
        assert {(fact.act, fact.seat, fact.action) for fact in match.facts(reader)} == {
            (0, None, None)
        }
    assert match.facts()[-1].action == "hitman@top"


def test_options_cannot_be_changed() -> None:
    match = zashiki.start(GAME, seats=3, seed=7)
    with pytest.raises(TypeError):
        match.options["open_start"] = True  # type: ignore[index]
    view: Any = match.view(0)
    view["options"]["open_start"] = True
    assert match.view(0)["options"] == {
        "open_start": False,
        "underboss_shield": False,
        "tie_break": "chicken",
    }


def test_views_and_truth_are_json() -> None:
    match = over()
    for shown in (match.truth(), match.view(None), *(match.view(seat) for seat in range(3))):
        assert json.loads(json.dumps(shown)) == shown
    assert match.view(0)["options"] == match.options


def test_views_are_snapshots_for_the_asker() -> None:
    match = zashiki.start(GAME, seats=3, seed=7)
    view: Any = match.view(0)
    view["scores"][0] = 99
    view["hand"].clear()
    assert match.view(0)["scores"] == [0, 0, 0]
    assert match.legal(min(match.to_act)) != ()


def test_a_match_says_what_it_is() -> None:
    assert repr(over()) == (
        "<Match kamiza-second, 3 seats, 27 actions, Outcome(ranks=(1, 1, 1), scores=(0, 0, 0))>"
    )
    assert repr(over().outcome).startswith("Outcome(ranks=(")
    match = zashiki.start(GAME, seats=3, seed=7)
    assert repr(match.why_not(0, "boss@top") or "").startswith(("Refusal('Z 1'", ""))


def test_an_action_that_fails_half_way_changes_nothing() -> None:
    """A match restored without its seed yields some facts before it needs to draw."""
    original = zashiki.start("goofspiel", seats=2, seed=7, options={"cards": 3})
    match = zashiki.replay(original.record())
    match.play(0, "bid:1")
    before = match.record()
    with pytest.raises(Malformed, match="expected a seed"):
        match.play(1, "bid:2")
    assert match.record() == before
    assert match.to_act == {1}
    with pytest.raises(Malformed, match="expected a seed"):
        match.play(1, "bid:3")


def test_the_example_of_the_contract_runs() -> None:
    """The doctest of `Game`, from `empty` to `outcome`."""
    results = doctest.testmod(contract)
    assert results.attempted > 10
    assert results.failed == 0
