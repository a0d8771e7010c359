"""The end of a round and of a match (RT 6), and the short form of one round (RT 8)."""

import random
from collections import Counter
from itertools import permutations
from typing import Any

import pytest

import zashiki
from zashiki import Match, Refused
from zashiki.games.red_town.tests.tables import GAME, cards, deck, in_order, plays, refusal, war

ruling = pytest.mark.ruling
refuses = pytest.mark.refuses

LAST_PLAYS = [
    (seats, ender, loser) for seats in (3, 4, 5) for ender, loser in permutations(range(seats), 2)
]
"""Every way in which one player goes out and one other is left with cards."""

each_last_play = pytest.mark.parametrize(("seats", "ender", "loser"), LAST_PLAYS)
each_number_of_seats = pytest.mark.parametrize("seats", [3, 4, 5])
each_switch = pytest.mark.parametrize("hitmen", ["open", "hidden"])


def look(match: Match) -> Any:
    return match.truth()


def view(match: Match, seat: int | None) -> Any:
    return match.view(seat)


def ended(match: Match) -> tuple[list[int], list[float]]:
    """Return the ranks and scores."""
    assert match.outcome is not None
    return list(match.outcome.ranks), list(match.outcome.scores)


def last_play(seats: int, ender: int, loser: int, seed: int = 1, **changes: Any) -> Match:
    """Return a match whose round is over: a seat played its last card, and only one has cards."""
    hands = [""] * seats
    hands[ender] = "R4"
    hands[loser] = "B5 R6"
    out = [seat for seat in range(seats) if seat not in (ender, loser)]
    match = war(hands, seed=seed, **{"turn": ender, "out": out, **changes})
    return plays(match, "r1:R4")


def random_match(seats: int, form: str, seed: int) -> Match:
    options = {"form": form, "hitmen": "hidden" if seed % 2 else "open"}
    return zashiki.start(GAME, seats, options=options, seed=seed)


def random_step(match: Match, chance: random.Random) -> None:
    seat = min(match.to_act)
    match.play(seat, chance.choice(match.legal(seat)))


def hitmen_in(truth: Any) -> Counter[str]:
    """Return the Hitmen outside of supplies."""
    places = [*truth["hands"], truth["aside"], truth["discard"], *truth["board"].values()]
    return Counter(card for place in places for card in place if card in ("RH", "BH"))


# RT 6.1 A boss is returned -----------------------------------------------------------------------


@ruling("RT 6.1")
@each_last_play
def test_the_player_left_with_cards_returns_a_boss(seats: int, ender: int, loser: int) -> None:
    match = last_play(seats, ender, loser)
    bosses = [2] * seats
    bosses[loser] = 1
    assert look(match)["bosses"] == bosses
    assert view(match, None)["bosses"] == bosses
    assert not match.over


@ruling("RT 6.1")
def test_nobody_returns_a_boss_while_two_hold_cards() -> None:
    match = war(["R4", "B5 R6", "B7"])
    plays(match, "r1:R4")
    assert look(match)["bosses"] == [2, 2, 2]
    assert look(match)["round"] == 1
    plays(match, "b1:B5", "pass")
    assert look(match)["bosses"] == [2, 2, 2]
    plays(match, "r1:R6")
    assert look(match)["bosses"] == [2, 2, 1]


# RT 6.2 The end ----------------------------------------------------------------------------------


@ruling("RT 6.2")
@each_last_play
def test_who_has_no_boss_left_loses_and_all_others_win(seats: int, ender: int, loser: int) -> None:
    bosses = [1 + seat % 2 for seat in range(seats)]
    bosses[loser] = 1
    match = last_play(seats, ender, loser, bosses=bosses)
    bosses[loser] = 0
    ranks = [seats if seat == loser else 1 for seat in range(seats)]
    assert match.over
    assert ended(match) == (ranks, bosses)


@ruling("RT 6.2")
def test_when_it_is_over_everything_stays_as_it_lay() -> None:
    hands = ["", "R4", "B5 RH", ""]
    board = {"b1": ["B3"], "b2": ["B4", "BH"]}
    stands: dict[str, Any] = {"board": board, "declared": 4, "last": 3, "passed": [2]}
    counts: dict[str, Any] = {"round": 6, "bosses": [1, 1, 1, 2], "supply": ["R", "", "RB", "BB"]}
    match = war(hands, turn=1, out=[3, 0], **stands, **counts)
    before = look(match)
    plays(match, "r1:R4")
    assert match.truth() == before | {
        "phase": "over",
        "turn": None,
        "bosses": [1, 1, 0, 2],
        "hands": [[], [], cards("B5 RH"), []],
        "board": {**board, "r1": ["R4"]},
        "last": 1,
        "out": [3, 0, 1],
    }


@ruling("RT 6.2")
@ruling("Z 2")
@refuses("Z 2")
@pytest.mark.parametrize("action", ["confirm", "hitman:R", "b1:B5", "pass", "keep", "hand:kept"])
def test_when_it_is_over_nothing_can_be_done(action: str) -> None:
    match = last_play(3, 0, 2, bosses=[2, 2, 1])
    assert match.to_act == set()
    for seat in range(3):
        assert match.legal(seat) == ()
        assert refusal(match, seat, action) == "Z 2"
    with pytest.raises(Refused, match="Z 2: "):
        match.play(2, action)


@ruling("RT 6.2")
@ruling("RT 6.1")
@pytest.mark.parametrize("seed", [1, 2, 3])
@each_number_of_seats
def test_each_round_costs_one_boss_until_somebody_has_none(seats: int, seed: int) -> None:
    match = random_match(seats, "standard", seed)
    chance = random.Random(seed)
    while not match.over:
        bosses = look(match)["bosses"]
        assert min(bosses) > 0
        assert sum(bosses) == 2 * seats - look(match)["round"] + 1
        random_step(match, chance)
    bosses = look(match)["bosses"]
    assert bosses.count(0) == 1
    assert ended(match) == ([1 if left else seats for left in bosses], bosses)


# RT 6.3 The next round ---------------------------------------------------------------------------


@ruling("RT 6.3")
@pytest.mark.parametrize(("seats", "each", "aside"), [(3, 13, 13), (4, 13, 0), (5, 12, 3)])
def test_everything_is_gathered_and_dealt_anew(seats: int, each: int, aside: int) -> None:
    match = last_play(seats, 1, 0, round=2, passed=[0])
    truth = look(match)
    assert [len(hand) for hand in truth["hands"]] == [each] * seats
    assert len(truth["aside"]) == aside
    dealt = [card for place in [*truth["hands"], truth["aside"]] for card in place]
    assert in_order(dealt) == deck(seats)
    assert (truth["round"], truth["phase"], truth["turn"]) == (3, "decide", None)
    assert (truth["discard"], truth["board"], truth["passed"], truth["out"]) == ([], {}, [], [])
    assert (truth["declared"], truth["last"], truth["chosen"]) == (None, None, {})


@ruling("RT 6.3")
def test_the_next_deal_is_shuffled() -> None:
    holders = {
        seat
        for seed in range(60)
        for seat, hand in enumerate(look(last_play(4, 1, 0, seed))["hands"])
        if "R3" in hand
    }
    assert holders == {0, 1, 2, 3}


@ruling("RT 6.3")
def test_the_cards_set_aside_are_shuffled_in_again() -> None:
    aside = cards("R3 R5 B3 B3 B4 B4 B5 B6 B6 B7 B7 B8 B8")
    after = [look(last_play(3, 1, 0, seed, aside=aside)) for seed in range(60)]
    assert {"R3" in truth["aside"] for truth in after} == {True, False}
    assert all(truth["aside"] != aside for truth in after)


@ruling("RT 6.3")
def test_hitmen_played_discarded_or_left_in_the_hand_leave_the_game() -> None:
    hands = ["R4", "B5 RH BH", "", ""]
    board = {"r2": ["R3", "RH"], "b1": ["BH"]}
    discard = [card for card in deck(4) if card not in ("R3", "R4", "B5")]
    discard += ["R4", "B5", "B5", "RH", "BH", "BH"]
    supply = ["RB", "", "B", "RR"]
    stands: dict[str, Any] = {"board": board, "declared": 3, "last": 2, "discard": discard}
    match = war(hands, turn=0, out=[2, 3], supply=supply, **stands)
    assert hitmen_in(look(match)) == {"RH": 3, "BH": 4}
    plays(match, "r1:R4")
    truth = look(match)
    assert truth["round"] == 2
    assert hitmen_in(truth) == {}
    assert truth["supply"] == view(match, None)["supply"] == supply
    assert view(match, 1)["hitmen_held"] == [""] * 4
    assert view(match, 1)["sizes"] == [13] * 4


@ruling("RT 6.3")
@ruling("RT 2.4")
def test_who_used_up_the_supply_has_none_in_the_next_round() -> None:
    match = last_play(4, 1, 0, supply=["RB", "", "B", "RR"])
    asked = [match.legal(seat) for seat in range(4)]
    assert asked == [("add", "confirm"), ("confirm",), ("add", "confirm"), ("add", "confirm")]


@ruling("RT 6.3")
@ruling("RT 2.3")
def test_everybody_is_asked_again_in_the_next_round() -> None:
    match = last_play(5, 3, 1)
    assert match.to_act == {0, 1, 2, 3, 4}
    assert look(match)["confirmed"] == []


@ruling("RT 6.3")
@ruling("RT 6.1")
def test_the_next_round_is_played_by_all() -> None:
    match = last_play(3, 0, 2)
    for seat in range(3):
        match.play(seat, "confirm")
    starter = look(match)["turn"]
    for place in range(3):
        (seat,) = match.to_act
        assert seat == (starter + place) % 3
        legal = match.legal(seat)
        match.play(seat, "pass" if "pass" in legal else legal[0])


@ruling("RT 6.3")
@ruling("RT 2.10")
@each_switch
def test_what_was_known_of_hands_is_over_with_the_round(hitmen: str) -> None:
    match = zashiki.start(GAME, 3, options={"hitmen": hitmen}, seed=4)
    for action in ("add", "hitman:R", "add", "hitman:B", "confirm"):
        for seat in sorted(match.to_act):
            match.play(seat, action)
    assert all(len(view(match, seat)["known"]) == 2 for seat in range(3))
    passed_on = [view(match, seat)["passed_on"] for seat in range(3)]
    assert [[gone["to"] for gone in each] for each in passed_on] == [[1, 1], [2, 2], [0, 0]]
    chance = random.Random(4)
    while look(match)["round"] == 1:
        random_step(match, chance)
    for seat in range(3):
        shown = view(match, seat)
        assert not any(shown["known"].get(str(other)) for other in range(3) if other != seat)
        left = Counter(deck(3)) - Counter(look(match)["hands"][seat])
        assert +Counter(shown["unseen"]) == left
        assert shown["passed_on"] == passed_on[seat]


@ruling("RT 6.3")
@pytest.mark.parametrize("seed", [1, 2, 3])
@each_number_of_seats
def test_hitmen_only_ever_leave(seats: int, seed: int) -> None:
    """Within a round all stay; between rounds only those in supplies do."""
    match = random_match(seats, "standard", seed)
    chance = random.Random(seed)
    while not match.over:
        before = look(match)
        random_step(match, chance)
        truth = look(match)
        everywhere = hitmen_in(truth) + Counter(f"{letter}H" for letter in "".join(truth["supply"]))
        if truth["round"] == before["round"]:
            supplies = Counter(f"{letter}H" for letter in "".join(before["supply"]))
            assert everywhere == hitmen_in(before) + supplies
        else:
            assert truth["supply"] == before["supply"]
            assert hitmen_in(truth) == {}


# RT 8.1 The short form: a Hitman each ------------------------------------------------------------


def short(seats: int, hitmen: str = "open", seed: int = 1) -> Match:
    options = {"form": "short", "hitmen": hitmen}
    return zashiki.start(GAME, seats, options=options, seed=seed, salt=bytes(32))


def pick(match: Match, letters: str) -> Match:
    """Let each seat pick the letter at its index."""
    for seat, letter in enumerate(letters):
        match.play(seat, f"hitman:{letter}")
    return match


@ruling("RT 8.1")
@pytest.mark.parametrize(("seats", "each", "aside"), [(3, 13, 13), (4, 13, 0), (5, 12, 3)])
def test_in_the_short_form_everybody_picks_at_once(seats: int, each: int, aside: int) -> None:
    match = short(seats)
    truth = look(match)
    assert (truth["phase"], truth["turn"], truth["bosses"]) == ("pick", None, None)
    assert truth["supply"] == ["RB"] * seats
    assert match.to_act == set(range(seats))
    for seat in range(seats):
        assert match.legal(seat) == ("hitman:B", "hitman:R")
        assert in_order(view(match, seat)["hand"]) == truth["hands"][seat]
    assert [len(hand) for hand in truth["hands"]] == [each] * seats
    assert len(truth["aside"]) == aside


@ruling("RT 8.1")
@pytest.mark.parametrize("letters", ["RRR", "BBB", "RBR", "RBBR", "BRRRB"])
def test_everybody_adds_to_the_own_hand_and_nothing_is_passed(letters: str) -> None:
    match = short(len(letters))
    before = look(match)
    pick(match, letters)
    truth = look(match)
    hands = [
        in_order([*hand, f"{letter}H"])
        for hand, letter in zip(before["hands"], letters, strict=True)
    ]
    assert truth["hands"] == hands
    assert truth["supply"] == ["B" if letter == "R" else "R" for letter in letters]
    assert (truth["phase"], truth["chosen"], truth["confirmed"]) == ("turn", {}, [])
    assert match.to_act == {truth["turn"]}
    assert all(view(match, seat)["passed_on"] == [] for seat in range(len(letters)))


@ruling("RT 8.1")
def test_nothing_is_added_before_the_last_pick() -> None:
    match = short(3)
    before = look(match)
    match.play(2, "hitman:B")
    match.play(0, "hitman:R")
    assert match.truth() == before | {"chosen": {"0": "hitman:R", "2": "hitman:B"}}
    assert match.to_act == {1}


@ruling("RT 8.1")
@each_switch
def test_a_pick_is_secret_until_all_have_picked(hitmen: str) -> None:
    red, black = short(3, hitmen), short(3, hitmen)
    red.play(1, "hitman:R")
    black.play(1, "hitman:B")
    for reader in (0, 2):
        assert red.record(reader) == black.record(reader)
        assert red.view(reader) == black.view(reader)
    assert red.record("all") == black.record("all")
    assert red.view(None) == black.view(None)


@ruling("RT 8.1")
@ruling("RT 2.8")
@pytest.mark.parametrize(
    ("hitmen", "reader", "held", "supply"),
    [
        ("open", None, ["R", "B", "R"], ["B", "R", "B"]),
        ("open", 1, ["R", "B", "R"], ["B", "R", "B"]),
        ("hidden", None, [1, 1, 1], [1, 1, 1]),
        ("hidden", 1, [1, "B", 1], [1, "R", 1]),
    ],
)
def test_the_switch_says_who_sees_the_colours(
    hitmen: str, reader: int | None, held: list[Any], supply: list[Any]
) -> None:
    match = pick(short(3, hitmen), "RBR")
    assert view(match, reader)["hitmen_held"] == held
    assert view(match, reader)["supply"] == supply


@ruling("RT 8.1")
@pytest.mark.parametrize(("hitmen", "alike"), [("hidden", True), ("open", False)])
def test_what_another_added_is_told_as_the_switch_says(hitmen: str, alike: bool) -> None:
    red, black = pick(short(4, hitmen), "RRBB"), pick(short(4, hitmen), "BRBB")
    for reader in (1, 2, 3):
        assert (red.record(reader) == black.record(reader)) is alike
        assert (red.view(reader) == black.view(reader)) is alike
    assert red.view(0) != black.view(0)


@ruling("RT 8.1")
@refuses("RT 8.1")
@pytest.mark.parametrize("action", ["confirm", "add", "hitmen:R", "hitmen:RB"])
def test_in_the_short_form_nothing_is_decided(action: str) -> None:
    match = short(4)
    assert refusal(match, 2, action) == "RT 8.1"
    pick(match, "RRRR")
    assert refusal(match, look(match)["turn"], action) == "RT 8.1"


@ruling("RT 8.1")
@refuses("RT 8.1")
def test_in_the_short_form_a_hitman_is_picked_once() -> None:
    match = pick(short(4), "RRRR")
    starter = look(match)["turn"]
    assert refusal(match, starter, "hitman:B") == "RT 8.1"
    with pytest.raises(Refused, match=r"RT 8\.1: "):
        match.play(starter, "hitman:B")


@ruling("RT 8.1")
@ruling("Z 1")
@refuses("Z 1")
def test_who_has_picked_does_not_pick_again() -> None:
    match = short(3)
    match.play(1, "hitman:R")
    assert refusal(match, 1, "hitman:B") == "Z 1"
    assert match.legal(1) == ()


# RT 8.2 The short form: places -------------------------------------------------------------------


@ruling("RT 8.2")
@ruling("RT 6.2")
@pytest.mark.parametrize(
    "order", [*permutations(range(3)), *permutations(range(4)), (3, 1, 4, 0, 2), (4, 3, 2, 1, 0)]
)
def test_places_go_by_going_out_and_the_player_left_is_last(order: tuple[int, ...]) -> None:
    seats = len(order)
    *out, ender, loser = order
    match = last_play(seats, ender, loser, form="short", out=out)
    places = [order.index(seat) + 1 for seat in range(seats)]
    assert ended(match) == (places, [seats - place for place in places])
    assert look(match)["out"] == [*out, ender]


@ruling("RT 8.2")
@ruling("Z 2")
@refuses("Z 2")
def test_the_short_form_is_one_round() -> None:
    match = last_play(3, 0, 2, form="short")
    truth = look(match)
    assert (truth["phase"], truth["round"], truth["turn"]) == ("over", 1, None)
    assert (truth["bosses"], truth["board"]) == (None, {"r1": ["R4"]})
    assert truth["hands"] == [[], [], cards("B5 R6")]
    assert match.over
    assert match.to_act == set()
    assert refusal(match, 2, "b1:B5") == "Z 2"


@ruling("RT 8.2")
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
@each_number_of_seats
def test_whole_short_matches_end_so(seats: int, seed: int) -> None:
    match = random_match(seats, "short", seed)
    chance = random.Random(seed)
    gone: list[int] = []
    while not match.over:
        assert look(match)["round"] == 1
        assert look(match)["bosses"] is None
        random_step(match, chance)
        if look(match)["phase"] != "pick":
            sizes = [len(hand) for hand in look(match)["hands"]]
            gone += [seat for seat in range(seats) if not sizes[seat] and seat not in gone]
    (left,) = set(range(seats)) - set(gone)
    places = [[*gone, left].index(seat) + 1 for seat in range(seats)]
    assert ended(match) == (places, [seats - place for place in places])


# RT 8.3 The short form: who starts ---------------------------------------------------------------


def starters(seats: int, **changes: Any) -> set[int]:
    """Return the starters over many seeds, after all have picked."""
    truth = look(short(seats)) | changes
    options = {"form": "short"}
    matches = [zashiki.scenario(GAME, truth, options, seed=seed) for seed in range(60)]
    return {look(pick(match, ("RB" * seats)[:seats]))["turn"] for match in matches}


@ruling("RT 8.3")
@pytest.mark.parametrize("seats", [3, 5])
def test_without_the_red_three_the_starter_is_drawn(seats: int) -> None:
    everything = deck(seats)
    each = 13 if seats == 3 else 12
    aside, rest = everything[: len(everything) - each * seats], everything[-each * seats :]
    hands = [rest[seat * each : (seat + 1) * each] for seat in range(seats)]
    assert "R3" in aside
    assert starters(seats, hands=hands, aside=aside) == set(range(seats))


@ruling("RT 8.3")
@pytest.mark.parametrize("holder", [0, 1, 2, 3])
def test_with_the_red_three_its_holder_starts(holder: int) -> None:
    hands = [deck(4)[13 * seat : 13 * (seat + 1)] for seat in range(4)]
    hands[0], hands[holder] = hands[holder], hands[0]
    assert starters(4, hands=hands) == {holder}
