"""Set-up and the preparation of hands (RT 1, RT 2) in the standard form, rule by rule."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from itertools import combinations, permutations
from typing import Any

import pytest

import zashiki
from zashiki import Malformed, Match, Refused
from zashiki.games.red_town.tests.tables import GAME, deck, in_order, plays, refusal, war

ruling = pytest.mark.ruling
refuses = pytest.mark.refuses

HITMEN = ("RH", "BH")
SALT = bytes(32)
SOME_ADDERS = [
    (seats, adders)
    for seats in (3, 4, 5)
    for count in range(2, seats + 1)
    for adders in combinations(range(seats), count)
]
"""Every way in which two or more of three to five players add."""

each_number_of_seats = pytest.mark.parametrize("seats", [3, 4, 5])
each_switch = pytest.mark.parametrize("hitmen", ["open", "hidden"])
each_group_of_adders = pytest.mark.parametrize(("seats", "adders"), SOME_ADDERS)


def begin(seats: int, hitmen: str = "open", seed: int = 1) -> Match:
    """Return a standard match, with a salt so that equal matches have equal records."""
    return zashiki.start(GAME, seats, options={"hitmen": hitmen}, seed=seed, salt=SALT)


def dealt(seats: int, hitmen: str = "open", **changes: Any) -> Match:
    """Return a match with new hands, the red 3 in seat 0's, with changes."""
    seed = next(seed for seed in range(99) if "R3" in look(begin(seats, seed=seed))["hands"][0])
    return zashiki.scenario(GAME, look(begin(seats, seed=seed)) | changes, {"hitmen": hitmen})


def look(match: Match) -> Any:
    return match.truth()


def view(match: Match, seat: int | None) -> Any:
    return match.view(seat)


def decide(match: Match, *adders: int) -> Match:
    """Let these seats add, and all others who are asked confirm."""
    assert look(match)["phase"] == "decide"
    assert set(adders) <= match.to_act
    for seat in sorted(match.to_act):
        match.play(seat, "add" if seat in adders else "confirm")
    return match


def pick(match: Match, **hitmen: str) -> Match:
    """Let each adder pick: pick(match, s0="R", s2="B")."""
    for seat, letter in hitmen.items():
        match.play(int(seat[1:]), f"hitman:{letter}")
    return match


def exchange(match: Match, adders: Collection[int], letters: Mapping[int, str]) -> Match:
    """Play a whole exchange among these adders, each picking the letter given for it."""
    decide(match, *adders)
    for seat in adders:
        match.play(seat, f"hitman:{letters[seat]}")
    return match


def alternating(adders: Iterable[int]) -> dict[int, str]:
    """Return the letters of adders who pick red and black in turn."""
    return {seat: "RB"[place % 2] for place, seat in enumerate(adders)}


def playing_cards(cards: Iterable[str]) -> list[str]:
    return [card for card in cards if card not in HITMEN]


# RT 1 Components and set-up ----------------------------------------------------------------------


@ruling("RT 1.1")
def test_the_copies_of_each_card() -> None:
    truth = look(begin(5))
    copies = Counter(card for place in [*truth["hands"], truth["aside"]] for card in place)
    black = [copies[f"B{number}"] for number in range(3, 12)]
    red = [copies[f"R{number}"] for number in range(3, 12)]
    assert black == [2, 2, 3, 3, 4, 4, 5, 5, 6]
    assert red == [1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert copies.total() == 34 + 29


@ruling("RT 1.2")
@each_number_of_seats
def test_only_five_players_use_the_elevens(seats: int) -> None:
    truth = look(begin(seats))
    cards = [card for place in [*truth["hands"], truth["aside"]] for card in place]
    assert in_order(cards) == deck(seats)
    assert len(cards) == (63 if seats == 5 else 52)


@ruling("RT 1.2")
def test_two_players_use_the_cards_up_to_ten() -> None:
    sets = look(zashiki.start(GAME, 2, seed=1))["sets"]
    assert in_order([card for pair in sets for each in pair[:2] for card in each]) == deck(2)


@ruling("RT 1.2")
@pytest.mark.parametrize(
    ("seats", "form"), [(2, "two"), (3, "standard"), (4, "standard"), (5, "standard")]
)
def test_the_form_follows_from_the_number_of_players(seats: int, form: str) -> None:
    assert look(zashiki.start(GAME, seats, seed=1))["form"] == form


@ruling("RT 1.2")
@pytest.mark.parametrize(
    ("seats", "form"),
    [(2, "two"), *((seats, form) for seats in (3, 4, 5) for form in ("standard", "short"))],
)
def test_a_form_that_fits_the_players_can_be_chosen(seats: int, form: str) -> None:
    match = zashiki.start(GAME, seats, options={"form": form}, seed=1)
    assert look(match)["form"] == form
    assert look(match)["seats"] == seats


@ruling("RT 1.2")
@pytest.mark.parametrize(
    ("seats", "form"),
    [(2, "standard"), (2, "short"), (3, "two"), (4, "two"), (5, "two"), (4, "long"), (4, 4)],
)
def test_a_form_that_does_not_fit_the_players_is_malformed(seats: int, form: object) -> None:
    with pytest.raises(Malformed, match="form"):
        zashiki.start(GAME, seats, options={"form": form}, seed=1)


@ruling("RT 1.2")
@pytest.mark.parametrize("seats", [0, 1, 6, True, "4", None])
def test_two_to_five_play(seats: int) -> None:
    with pytest.raises(Malformed, match="seats"):
        zashiki.start(GAME, seats, seed=1)


@ruling("RT 1.3")
@each_number_of_seats
def test_everybody_has_a_set_of_hitmen_and_two_bosses(seats: int) -> None:
    truth = look(begin(seats))
    assert truth["supply"] == ["RRBB"] * seats
    assert truth["bosses"] == [2] * seats


@ruling("RT 1.4")
def test_eight_locations_lie_open() -> None:
    match = war(["R3 R4 R5 R6 B3 B4 B5 B8 B8 B8 B8", "R7 B9", "R8 B10"])
    locations = {action.split(":")[0] for action in match.legal(0)}
    assert locations == {"r1", "r2", "r3", "r4", "b1", "b2", "b3", "b4"}


@ruling("RT 1.4")
def test_there_is_one_discard_pile() -> None:
    match = war(["R3 R4", "R7 B9", "R8 B10"])
    before = look(match)["discard"]
    plays(match, "r1:R3", "b1:B9", "pass", "pass")
    assert look(match)["discard"] == [*before, "R3", "B9"]


@ruling("RT 1.5")
def test_hitmen_of_different_sets_are_alike() -> None:
    match = war(["R4 RH RH RH RH", "B5 B6", "B7 B8"])
    assert "r4:RH,RH,RH,RH" in match.legal(0)
    match.play(0, "r4:RH,RH,RH,RH")
    assert look(match)["board"] == {"r4": ["RH"] * 4}


# RT 2.1 The deal ---------------------------------------------------------------------------------


@ruling("RT 2.1")
@pytest.mark.parametrize(("seats", "each", "aside"), [(3, 13, 13), (4, 13, 0), (5, 12, 3)])
def test_so_many_cards_are_dealt_and_set_aside(seats: int, each: int, aside: int) -> None:
    match = begin(seats)
    assert [len(hand) for hand in look(match)["hands"]] == [each] * seats
    assert len(look(match)["aside"]) == aside
    assert view(match, None)["sizes"] == [each] * seats


@ruling("RT 2.1")
def test_the_deal_is_shuffled() -> None:
    places: set[int | str] = set()
    for seed in range(60):
        truth = look(begin(3, seed=seed))
        places |= {seat for seat in range(3) if "R3" in truth["hands"][seat]}
        places |= {"aside"} if "R3" in truth["aside"] else set()
    assert places == {0, 1, 2, "aside"}


@ruling("RT 2.1")
@ruling("RT 2.2")
@each_number_of_seats
def test_a_match_begins_with_everybody_deciding(seats: int) -> None:
    match = begin(seats)
    truth = look(match)
    assert (truth["round"], truth["phase"], truth["turn"]) == (1, "decide", None)
    assert (truth["confirmed"], truth["chosen"], truth["board"]) == ([], {}, {})
    assert match.to_act == set(range(seats))
    assert [match.legal(seat) for seat in range(seats)] == [("add", "confirm")] * seats


# RT 2.2 Confirm or add ---------------------------------------------------------------------------


@ruling("RT 2.2")
@each_switch
def test_a_decision_is_secret_until_the_last_one_is_taken(hitmen: str) -> None:
    adds, confirms = begin(4, hitmen), begin(4, hitmen)
    adds.play(1, "add")
    confirms.play(1, "confirm")
    for reader in (0, 2, 3):
        assert adds.record(reader) == confirms.record(reader)
        assert adds.view(reader) == confirms.view(reader)
    assert adds.record("all") == confirms.record("all")
    assert adds.view(None) == confirms.view(None)
    assert adds.to_act == {0, 2, 3}


@ruling("RT 2.2")
def test_nothing_happens_before_the_last_decision() -> None:
    match = begin(4)
    for seat, choice in ((2, "confirm"), (0, "add"), (3, "add")):
        match.play(seat, choice)
        assert look(match)["phase"] == "decide"
        assert view(match, None)["confirmed"] == []
    assert look(match)["chosen"] == {"0": "add", "2": "confirm", "3": "add"}
    match.play(1, "confirm")
    assert look(match)["chosen"] == {}
    assert look(match)["phase"] == "pick"


@ruling("RT 2.2")
@ruling("RT 2.9")
def test_decisions_are_revealed_together_and_public() -> None:
    match = decide(begin(4), 0, 3)
    assert [view(match, reader)["confirmed"] for reader in (None, 0, 1, 2, 3)] == [[1, 2]] * 5
    assert match.to_act == {0, 3}


@ruling("RT 2.2")
def test_the_order_of_deciding_does_not_matter() -> None:
    ends = []
    for order in permutations(range(3)):
        match = begin(3)
        for seat in order:
            match.play(seat, "confirm" if seat == 1 else "add")
        ends.append(match.truth())
    assert ends == [ends[0]] * 6


@ruling("RT 2.2")
@ruling("Z 1")
@refuses("Z 1")
def test_a_decision_taken_is_not_taken_again() -> None:
    match = begin(4)
    match.play(1, "add")
    assert refusal(match, 1, "add") == "Z 1"
    assert refusal(match, 1, "confirm") == "Z 1"
    assert match.legal(1) == ()
    with pytest.raises(Refused, match="Z 1: "):
        match.play(1, "confirm")
    assert look(match)["chosen"] == {"1": "add"}


def lone_adder(seat: int = 0) -> Match:
    return decide(begin(4), seat)


def turf_war() -> Match:
    return decide(dealt(4))


@ruling("RT 2.2")
@refuses("RT 2.2")
@pytest.mark.parametrize("choice", ["confirm", "add"])
def test_confirming_and_adding_wait_for_that_question(choice: str) -> None:
    assert refusal(decide(begin(4), 0, 2), 2, choice) == "RT 2.2"
    assert refusal(lone_adder(), 0, choice) == "RT 2.2"
    assert refusal(turf_war(), 0, choice) == "RT 2.2"


# RT 2.3 Who confirms -----------------------------------------------------------------------------


@ruling("RT 2.3")
@ruling("Z 1")
@refuses("Z 1")
def test_who_has_confirmed_is_asked_no_more() -> None:
    match = exchange(begin(4), (0, 2), {0: "R", 2: "R"})
    assert look(match)["confirmed"] == [1, 3]
    assert match.to_act == {0, 2}
    for seat in (1, 3):
        assert match.legal(seat) == ()
        for action in ("confirm", "add", "hitman:R", "hitmen:R"):
            assert refusal(match, seat, action) == "Z 1"


@ruling("RT 2.3")
def test_who_confirms_keeps_that_hand_for_the_round() -> None:
    match = dealt(4)
    hands = look(match)["hands"]
    exchange(match, (0, 1, 2), {0: "R", 1: "B", 2: "B"})
    assert look(match)["hands"][3] == hands[3]
    kept = look(match)["hands"][0]
    assert kept != hands[0]
    exchange(match, (1, 2), {1: "R", 2: "R"})
    decide(match)
    assert look(match)["phase"] == "turn"
    assert look(match)["hands"][3] == hands[3]
    assert look(match)["hands"][0] == kept


# RT 2.4 An empty supply --------------------------------------------------------------------------


@ruling("RT 2.4")
@refuses("RT 2.4")
def test_with_an_empty_supply_one_is_asked_and_must_confirm() -> None:
    match = dealt(4, supply=["RRBB", "", "B", "RRBB"])
    assert match.to_act == {0, 1, 2, 3}
    assert match.legal(1) == ("confirm",)
    assert match.legal(2) == ("add", "confirm")
    assert refusal(match, 1, "add") == "RT 2.4"
    assert refusal(match, 1, "confirm") == ""
    with pytest.raises(Refused, match=r"RT 2\.4: "):
        match.play(1, "add")
    assert look(match)["chosen"] == {}


@ruling("RT 2.4")
@ruling("RT 2.7")
def test_a_supply_is_used_up_by_four_exchanges() -> None:
    match = dealt(3)
    for letter in "RBBR":
        exchange(match, (0, 2), {0: letter, 2: letter})
    assert look(match)["supply"] == ["", "RRBB", ""]
    assert match.to_act == {0, 2}
    assert match.legal(0) == match.legal(2) == ("confirm",)
    decide(match)
    assert look(match)["phase"] == "turn"
    assert view(match, None)["sizes"] == [17, 13, 17]


# RT 2.5 Two or more adders -----------------------------------------------------------------------


@ruling("RT 2.5")
@each_group_of_adders
def test_adders_are_asked_for_one_hitman_at_the_same_time(
    seats: int, adders: tuple[int, ...]
) -> None:
    match = decide(begin(seats), *adders)
    assert (look(match)["phase"], look(match)["turn"]) == ("pick", None)
    assert match.to_act == set(adders)
    for seat in range(seats):
        assert match.legal(seat) == (("hitman:B", "hitman:R") if seat in adders else ())


@ruling("RT 2.5")
@each_group_of_adders
def test_every_adder_passes_the_whole_hand_to_the_next_adder_clockwise(
    seats: int, adders: tuple[int, ...]
) -> None:
    match = begin(seats)
    before = look(match)
    letters = alternating(adders)
    exchange(match, adders, letters)
    expected = list(before["hands"])
    for place, seat in enumerate(adders):
        receiver = adders[(place + 1) % len(adders)]
        expected[receiver] = in_order([*before["hands"][seat], f"{letters[seat]}H"])
    assert look(match)["hands"] == expected
    assert look(match)["aside"] == before["aside"]


@ruling("RT 2.5")
@each_group_of_adders
def test_the_supply_is_never_passed(seats: int, adders: tuple[int, ...]) -> None:
    match = begin(seats)
    letters = alternating(adders)
    exchange(match, adders, letters)
    expected = [
        "RRBB".replace(letters[seat], "", 1) if seat in adders else "RRBB" for seat in range(seats)
    ]
    assert look(match)["supply"] == expected
    assert view(match, None)["supply"] == expected


@ruling("RT 2.5")
@each_group_of_adders
def test_after_the_passing_the_adders_decide_again(seats: int, adders: tuple[int, ...]) -> None:
    match = exchange(begin(seats), adders, alternating(adders))
    others = [seat for seat in range(seats) if seat not in adders]
    assert (look(match)["phase"], look(match)["confirmed"]) == ("decide", others)
    assert match.to_act == set(adders)
    assert [match.legal(seat) for seat in adders] == [("add", "confirm")] * len(adders)


@ruling("RT 2.5")
@ruling("RT 2.3")
def test_a_later_exchange_leaves_out_who_has_confirmed_since() -> None:
    match = begin(5)
    first, second, *_, last = look(match)["hands"]
    exchange(match, (0, 1, 4), {0: "R", 1: "B", 4: "R"})
    exchange(match, (0, 4), {0: "B", 4: "B"})
    hands = look(match)["hands"]
    assert hands[0] == in_order([*second, "BH", "BH"])
    assert hands[1] == in_order([*first, "RH"])
    assert hands[4] == in_order([*last, "RH", "BH"])
    assert look(match)["supply"] == ["RB", "RRB", "RRBB", "RRBB", "RB"]


@ruling("RT 2.5")
@each_switch
def test_a_pick_is_secret_until_the_last_one_is_made(hitmen: str) -> None:
    red, black = (decide(begin(4, hitmen), 0, 1, 3) for _ in "RB")
    pick(red, s1="R")
    pick(black, s1="B")
    for reader in (0, 2, 3):
        assert red.record(reader) == black.record(reader)
        assert red.view(reader) == black.view(reader)
    assert red.record("all") == black.record("all")
    assert red.view(None) == black.view(None)


@ruling("RT 2.5")
def test_picks_take_effect_together() -> None:
    match = decide(begin(4), 0, 1, 3)
    before = look(match)
    pick(match, s3="R", s0="B")
    assert match.truth() == before | {"chosen": {"0": "hitman:B", "3": "hitman:R"}}
    assert match.to_act == {1}
    assert refusal(match, 0, "hitman:B") == "Z 1"
    pick(match, s1="R")
    assert look(match)["chosen"] == {}
    assert view(match, None)["sizes"] == [14, 14, 13, 14]


@ruling("RT 2.5")
def test_the_order_of_picking_does_not_matter() -> None:
    ends = []
    for order in permutations(("s0", "s2", "s3")):
        match = decide(begin(4), 0, 2, 3)
        ends.append(pick(match, **{seat: "B" if seat == "s2" else "R" for seat in order}).truth())
    assert ends == [ends[0]] * 6


@ruling("RT 2.5")
@refuses("RT 2.5")
def test_a_colour_that_the_supply_lacks_cannot_be_picked() -> None:
    match = decide(dealt(4, supply=["R", "BB", "RRBB", "RRBB"]), 0, 1, 2)
    assert [match.legal(seat) for seat in (0, 1)] == [("hitman:R",), ("hitman:B",)]
    assert refusal(match, 0, "hitman:B") == "RT 2.5"
    assert refusal(match, 1, "hitman:R") == "RT 2.5"
    assert refusal(match, 2, "hitman:R") == ""
    with pytest.raises(Refused, match=r"RT 2\.5: "):
        match.play(0, "hitman:B")
    assert look(match)["chosen"] == {}


@ruling("RT 2.5")
def test_a_hitman_in_the_hand_does_not_help_an_empty_supply() -> None:
    match = exchange(dealt(3, supply=["R", "RB", "RB"]), (0, 1), {0: "R", 1: "R"})
    assert "RH" in look(match)["hands"][0]
    assert match.legal(0) == ("confirm",)
    assert match.legal(1) == ("add", "confirm")


@ruling("RT 2.5")
@refuses("RT 2.5")
def test_one_hitman_is_picked_only_by_one_of_several_adders() -> None:
    assert refusal(begin(4), 0, "hitman:R") == "RT 2.5"
    assert refusal(lone_adder(), 0, "hitman:R") == "RT 2.5"
    assert refusal(turf_war(), 0, "hitman:R") == "RT 2.5"


# RT 2.6 A lone adder -----------------------------------------------------------------------------


def subsets(supply: str) -> tuple[str, ...]:
    """Return the actions of a lone adder with this supply."""
    some = {
        "".join(letters)
        for count in range(1, len(supply) + 1)
        for letters in combinations(supply, count)
    }
    return tuple(sorted(f"hitmen:{letters}" for letters in some))


@ruling("RT 2.6")
@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("supply", ["RRBB", "RBB", "RR", "B"])
def test_a_lone_adder_adds_one_or_more_up_to_all(seats: int, supply: str) -> None:
    match = decide(dealt(seats, supply=[*["RRBB"] * (seats - 1), supply]), seats - 1)
    assert (look(match)["phase"], look(match)["turn"]) == ("pick-many", seats - 1)
    assert match.to_act == {seats - 1}
    assert match.legal(seats - 1) == subsets(supply)


@ruling("RT 2.6")
@pytest.mark.parametrize("letters", ["R", "BB", "RB", "RRBB"])
@pytest.mark.parametrize("adder", [0, 1, 2, 3])
def test_a_lone_adder_passes_nothing_and_preparation_ends(adder: int, letters: str) -> None:
    match = dealt(4)
    before = look(match)
    decide(match, adder).play(adder, f"hitmen:{letters}")
    hands = list(before["hands"])
    hands[adder] = in_order([*hands[adder], *(f"{letter}H" for letter in letters)])
    truth = look(match)
    assert truth["hands"] == hands
    left = "".join((Counter("RRBB") - Counter(letters)).elements())
    assert truth["supply"] == ["RRBB"] * adder + [left] + ["RRBB"] * (3 - adder)
    assert (truth["phase"], truth["turn"], truth["confirmed"]) == ("turn", 0, [])


@ruling("RT 2.6")
def test_a_lone_adder_after_an_exchange_keeps_the_hand_received() -> None:
    match = dealt(3)
    hands = look(match)["hands"]
    exchange(match, (1, 2), {1: "R", 2: "B"})
    decide(match, 1).play(1, "hitmen:RBB")
    received = in_order([*hands[2], "BH", "RH", "BH", "BH"])
    assert look(match)["hands"] == [hands[0], received, in_order([*hands[1], "RH"])]
    assert look(match)["phase"] == "turn"


@ruling("RT 2.6")
def test_the_letters_may_be_named_in_any_order() -> None:
    ends = []
    for letters in ("RBB", "BRB", "BBR"):
        match = lone_adder(2)
        assert refusal(match, 2, f"hitmen:{letters}") == ""
        match.play(2, f"hitmen:{letters}")
        ends.append((match.truth(), match.record("all"), match.facts()))
    assert ends == [ends[0]] * 3


@ruling("RT 2.6")
@refuses("RT 2.6")
def test_a_lone_adder_cannot_add_more_than_the_supply_has() -> None:
    match = decide(dealt(4, supply=["RRBB", "RBB", "RRBB", "RRBB"]), 1)
    assert refusal(match, 1, "hitmen:RR") == "RT 2.6"
    assert refusal(match, 1, "hitmen:RRBB") == "RT 2.6"
    assert refusal(match, 1, "hitmen:RBB") == ""
    with pytest.raises(Refused, match=r"RT 2\.6: "):
        match.play(1, "hitmen:RR")
    assert look(match)["phase"] == "pick-many"


@ruling("RT 2.6")
@refuses("RT 2.6")
def test_several_hitmen_are_added_only_by_a_lone_adder() -> None:
    assert refusal(begin(4), 0, "hitmen:RB") == "RT 2.6"
    assert refusal(decide(begin(4), 0, 2), 0, "hitmen:R") == "RT 2.6"
    assert refusal(turf_war(), 0, "hitmen:R") == "RT 2.6"


@ruling("RT 2.6")
@pytest.mark.parametrize("action", ["hitmen:", "hitmen:r", "hitmen:X", "hitmen", "hitmen:R,B"])
def test_adding_none_is_no_action(action: str) -> None:
    with pytest.raises(Malformed):
        lone_adder().why_not(0, action)


# RT 2.7 No adder ---------------------------------------------------------------------------------


@ruling("RT 2.7")
@each_number_of_seats
def test_without_an_adder_preparation_ends(seats: int) -> None:
    match = dealt(seats)
    before = look(match)
    decide(match)
    assert match.truth() == before | {"phase": "turn", "turn": 0, "confirmed": []}
    assert match.to_act == {0}


@ruling("RT 2.7")
def test_it_also_ends_when_the_last_adders_confirm() -> None:
    match = exchange(dealt(3), (0, 1, 2), {0: "R", 1: "B", 2: "R"})
    before = look(match)
    decide(match)
    assert match.truth() == before | {"phase": "turn", "turn": 1, "confirmed": []}


# RT 2.8 What is known of Hitmen ------------------------------------------------------------------


def swapped(hitmen: str, first: str = "R", second: str = "B") -> Match:
    """Return a match of four in which seats 0 and 2 added these Hitmen and swapped hands."""
    return exchange(begin(4, hitmen), (0, 2), {0: first, 2: second})


@ruling("RT 2.8")
def test_hitmen_are_open_by_default() -> None:
    option = zashiki.games()[GAME].options["hitmen"]
    assert (option.default, set(option.values)) == ("open", {"open", "hidden"})
    match = zashiki.start(GAME, 4, seed=1)
    exchange(match, (0, 2), {0: "R", 2: "B"})
    assert view(match, None)["hitmen_held"] == ["B", "", "R", ""]


@ruling("RT 2.8")
@pytest.mark.parametrize("hitmen", ["shut", True, None, "OPEN"])
def test_hitmen_are_open_or_hidden(hitmen: object) -> None:
    with pytest.raises(Malformed, match="hitmen"):
        zashiki.start(GAME, 4, options={"hitmen": hitmen}, seed=1)


@ruling("RT 2.8")
@pytest.mark.parametrize("reader", [None, 0, 1, 2, 3])
def test_open_hitmen_are_known_to_all_as_hands_move(reader: int | None) -> None:
    match = swapped("open")
    assert view(match, reader)["hitmen_held"] == ["B", "", "R", ""]
    assert view(match, reader)["supply"] == ["RBB", "RRBB", "RRB", "RRBB"]
    exchange(match, (0, 2), {0: "R", 2: "R"})
    assert view(match, reader)["hitmen_held"] == ["RR", "", "RB", ""]
    assert view(match, reader)["supply"] == ["BB", "RRBB", "RB", "RRBB"]


@ruling("RT 2.8")
@ruling("RT 2.9")
@pytest.mark.parametrize(
    ("reader", "held", "supply"),
    [
        (None, [1, 0, 1, 0], [3, 4, 3, 4]),
        (0, ["B", 0, 1, 0], ["RBB", 4, 3, 4]),
        (1, [1, "", 1, 0], [3, "RRBB", 3, 4]),
        (2, [1, 0, "R", 0], [3, 4, "RRB", 4]),
        (3, [1, 0, 1, ""], [3, 4, 3, "RRBB"]),
    ],
)
def test_of_hidden_hitmen_only_their_number_is_public(
    reader: int | None, held: list[Any], supply: list[Any]
) -> None:
    match = swapped("hidden")
    assert view(match, reader)["hitmen_held"] == held
    assert view(match, reader)["supply"] == supply


@ruling("RT 2.8")
def test_hidden_colours_are_told_to_nobody_who_has_not_held_them() -> None:
    """Seats 0 and 1 swap hands. Only these two know which Hitman seat 0 added."""
    red, black = (
        exchange(begin(4, "hidden"), (0, 1), {0: letter, 1: "R"}) for letter in ("R", "B")
    )
    for reader in (2, 3):
        assert red.record(reader) == black.record(reader)
        assert red.view(reader) == black.view(reader)
    assert red.record("all") == black.record("all")
    assert red.view(None) == black.view(None)
    for reader in (0, 1):
        assert red.record(reader) != black.record(reader)
        assert red.view(reader) != black.view(reader)


@ruling("RT 2.8")
def test_open_colours_are_told_to_everybody() -> None:
    red, black = (exchange(begin(4), (0, 1), {0: letter, 1: "R"}) for letter in ("R", "B"))
    for reader in (0, 1, 2, 3):
        assert red.record(reader) != black.record(reader)
        assert red.view(reader) != black.view(reader)
    assert red.record("all") != black.record("all")
    assert red.view(None) != black.view(None)


@ruling("RT 2.8")
@ruling("RT 2.6")
@pytest.mark.parametrize(("hitmen", "alike"), [("hidden", True), ("open", False)])
def test_what_a_lone_adder_adds_is_as_open_as_the_switch_says(hitmen: str, alike: bool) -> None:
    mixed, black = (decide(begin(4, hitmen), 2) for _ in range(2))
    mixed.play(2, "hitmen:RB")
    black.play(2, "hitmen:BB")
    for reader in (0, 1, 3):
        assert (mixed.record(reader) == black.record(reader)) is alike
        assert (mixed.view(reader) == black.view(reader)) is alike
    held = view(mixed, None)["hitmen_held"]
    assert held == ([0, 0, 2, 0] if hitmen == "hidden" else ["", "", "RB", ""])
    assert view(mixed, None)["sizes"] == [13, 13, 15, 13]


@ruling("RT 2.8")
@ruling("RT 2.10")
def test_a_hidden_hitman_is_known_to_whoever_held_it_and_those_added_later_are_not() -> None:
    match = begin(5, "hidden")
    hand = look(match)["hands"][0]
    exchange(match, (0, 1, 2), {0: "R", 1: "R", 2: "R"})
    exchange(match, (0, 1, 2), {0: "R", 1: "B", 2: "R"})
    assert look(match)["hands"][2] == in_order([*hand, "RH", "BH"])
    assert in_order(view(match, 0)["known"]["2"]) == in_order([*hand, "RH"])
    assert in_order(view(match, 1)["known"]["2"]) == in_order([*hand, "RH", "BH"])
    for reader in (3, 4):
        assert view(match, reader)["known"].get("2", []) == []


# RT 2.9 to 2.11 Who knows what -------------------------------------------------------------------


@ruling("RT 2.9")
@each_switch
@each_number_of_seats
def test_sizes_bosses_and_decisions_are_public(seats: int, hitmen: str) -> None:
    match = exchange(dealt(seats, hitmen), (0, 1), {0: "R", 1: "B"})
    truth = look(match)
    public = ("form", "seats", "round", "phase", "bosses", "confirmed", "board", "discard")
    for reader in (None, *range(seats)):
        shown = view(match, reader)
        assert {key: shown[key] for key in public} == {key: truth[key] for key in public}
        assert shown["sizes"] == [len(hand) for hand in truth["hands"]]
    assert "hand" not in view(match, None)


@ruling("RT 2.11")
@each_number_of_seats
def test_everybody_sees_the_own_hand(seats: int) -> None:
    match = exchange(begin(seats), (0, 1, 2), {0: "R", 1: "B", 2: "B"})
    for seat in range(seats):
        assert view(match, seat)["seat"] == seat
        assert in_order(view(match, seat)["hand"]) == look(match)["hands"][seat]


def worlds(seats: int, hitmen: str) -> list[Match]:
    """Return deals that are equal for seat 0, with the red 3, and differ in all unseen cards."""
    truth = look(dealt(seats, hitmen))
    mine, *others = truth["hands"]
    turned = [mine, *others[1:], others[0]]
    exchanged = [mine, *others[:-1], in_order([*others[-1][1:], truth["aside"][0]])]
    aside = in_order([*truth["aside"][1:], others[-1][0]])
    deals = [truth, truth | {"hands": turned}, truth | {"hands": exchanged, "aside": aside}]
    return [zashiki.scenario(GAME, deal, {"hitmen": hitmen}, seed=1) for deal in deals]


@ruling("RT 2.9")
@ruling("RT 2.11")
@each_switch
@pytest.mark.parametrize("seats", [3, 5])
def test_neither_other_hands_nor_the_cards_set_aside_are_seen(seats: int, hitmen: str) -> None:
    """This holds through a whole preparation in which others pass hands and one adds alone."""
    told = []
    for match in worlds(seats, hitmen):
        exchange(match, range(1, seats), alternating(range(1, seats)))
        decide(match, 1).play(1, "hitmen:RB")
        assert look(match)["phase"] == "turn"
        told.append((match.facts(0), match.view(0), match.facts("all"), match.view(None)))
    assert told == [told[0]] * 3


@ruling("RT 2.11")
@pytest.mark.parametrize("seats", [3, 5])
def test_the_others_see_what_differs_in_their_hands(seats: int) -> None:
    before, turned, _ = worlds(seats, "open")
    for seat in range(1, seats):
        assert before.facts(seat) != turned.facts(seat)
        assert before.view(seat) != turned.view(seat)


@ruling("RT 2.10")
@ruling("RT 2.9")
@each_switch
@pytest.mark.parametrize("adders", [(0, 1), (1, 4), (0, 2, 3), (0, 1, 2, 4), (0, 1, 2, 3, 4)])
def test_hands_once_held_are_known_wherever_they_are(adders: tuple[int, ...], hitmen: str) -> None:
    match = begin(5, hitmen)
    dealt_hands = look(match)["hands"]
    at = list(range(5))
    held = [{seat} for seat in range(5)]
    for letter in "RBRB":
        exchange(match, adders, dict.fromkeys(adders, letter))
        moved = [at[seat] for seat in adders]
        for place, seat in enumerate(adders):
            at[seat] = moved[place - 1]
            held[seat].add(at[seat])
        for reader in range(5):
            known = {
                other: dealt_hands[at[other]] if at[other] in held[reader] else []
                for other in range(5)
                if other != reader
            }
            check_knowledge(match, reader, known)


def check_knowledge(match: Match, reader: int, known: Mapping[int, list[str]]) -> None:
    """Assert that this seat knows these playing cards of other hands, and not the rest."""
    shown = view(match, reader)
    for other, cards in known.items():
        assert in_order(playing_cards(shown["known"].get(str(other), []))) == cards
    unseen = Counter(deck(match.seats))
    unseen -= Counter(look(match)["hands"][reader])
    for cards in known.values():
        unseen -= Counter(cards)
    assert +Counter(shown["unseen"]) == unseen


@ruling("RT 2.10")
@each_switch
def test_every_hand_passed_on_is_remembered_as_it_was(hitmen: str) -> None:
    match = begin(5, hitmen)
    hands = look(match)["hands"]
    exchange(match, (0, 2, 3), {0: "R", 2: "B", 3: "B"})
    exchange(match, (0, 3), {0: "B", 3: "B"})
    to_two = {"round": 1, "to": 2, "cards": in_order([*hands[0], "RH"])}
    to_three = {"round": 1, "to": 3, "cards": in_order([*hands[3], "BH", "BH"])}
    assert view(match, 0)["passed_on"] == [to_two, to_three]
    assert view(match, 2)["passed_on"] == [
        {"round": 1, "to": 3, "cards": in_order([*hands[2], "BH"])}
    ]
    assert view(match, 1)["passed_on"] == view(match, 4)["passed_on"] == []


@ruling("RT 2.10")
@ruling("RT 2.6")
def test_a_lone_adder_passes_on_nothing_and_learns_nothing() -> None:
    match = begin(5)
    decide(match, 2).play(2, "hitmen:RB")
    assert view(match, 2)["passed_on"] == []
    known = [card for seat, hand in view(match, 2)["known"].items() if seat != "2" for card in hand]
    assert set(known) <= {"R3"}  # shown at the start of the turf wars


@ruling("RT 2.10")
@each_switch
def test_a_known_card_that_is_played_is_no_longer_in_that_hand(hitmen: str) -> None:
    match = dealt(3, hitmen)
    hand = look(match)["hands"][0]
    exchange(match, (0, 1), {0: "B", 1: "R"})
    decide(match)
    assert in_order(view(match, 0)["known"]["1"]) == in_order([*hand, "BH"])
    plays(match, "r1:R3")
    assert look(match)["last"] == 1
    assert in_order(view(match, 0)["known"]["1"]) == in_order([*hand[1:], "BH"])
    assert view(match, 2)["unseen"].get("R3", 0) == 0
    assert "R3" not in view(match, 2)["known"].get("1", [])


# The rulebook's example --------------------------------------------------------------------------


@ruling("RT 2.5")
@ruling("RT 2.6")
def test_example_5_hands_go_round_three_adders_and_one_adds_alone() -> None:
    north, east, lee, south = range(4)
    match = begin(4)
    hands = look(match)["hands"]
    exchange(match, (north, east, south), {north: "R", east: "R", south: "B"})
    assert look(match)["hands"] == [
        in_order([*hands[south], "BH"]),
        in_order([*hands[north], "RH"]),
        hands[lee],
        in_order([*hands[east], "RH"]),
    ]
    decide(match, north)
    assert match.to_act == {north}
    match.play(north, "hitmen:RB")
    assert look(match)["hands"][north] == in_order([*hands[south], "BH", "BH", "RH"])
    assert look(match)["supply"] == ["B", "RBB", "RRBB", "RRB"]
    assert look(match)["phase"] == "turn"
