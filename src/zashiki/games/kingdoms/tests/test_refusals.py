"""Refusals: each rule that can forbid an action, with the values for its text."""

from typing import Any

import pytest

from zashiki import Malformed, Match, Refused
from zashiki.games.kingdoms.tests.tables import (
    ACES,
    battle,
    deploy,
    draft,
    explained,
    fought,
    plays,
    refusal,
)

ruling = pytest.mark.ruling
refuses = pytest.mark.refuses

PHASES = ("draft", "deploy", "defend", "leave")
KINDS = {
    "draft": ["draft:0", "draft:N1", "draft:A1", "draft:N5A5"],
    "deploy": [
        "done",
        "occupy:border:soldier",
        "occupy:red-capital:soldier",
        "occupy:border:liaison",
        "attack:blue-city:soldier",
        "attack:border:liaison+soldier",
        "swap:red-capital:liaison",
        "swap:blue-capital:soldier",
    ],
    "defend": ["defend:none", "defend:soldier", "defend:liaison+soldier"],
    "leave": ["leave:soldier", "leave:knight", "leave:bishop"],
}
"""Actions of each phase, some of which would be wrong there too."""
NINETEEN_ACES = " ".join([c for c, n in ACES.items() for _ in range(n)][:19])


def asked(phase: str) -> tuple[Match, int]:
    """Return a match in a phase, and the seat to act, with a Soldier and a Liaison in hand."""
    mine, none = "soldier liaison", ""
    if phase == "draft":
        return draft((mine, none)), 0
    if phase == "deploy":
        return deploy((mine, none), {"blue-city": "blue archer"}), 0
    if phase == "defend":
        return battle("blue-city", "knight priest", "blue archer", (none, mine)), 1
    return fought("blue-city", "knight priest", "blue archer", None, (mine, none)), 0


def check(match: Match, seat: int, action: str, rule: str, **details: object) -> None:
    """Assert that both ways to ask give this rule with a text, and change nothing."""
    before, record = match.truth(), match.record()
    why = match.why_not(seat, action)
    assert why is not None
    assert why.ruling == rule
    assert why.details == details
    assert action not in match.legal(seat)
    with pytest.raises(Refused, match=rule.replace(".", r"\.")) as caught:
        match.play(seat, action)
    assert caught.value.ruling == rule
    assert caught.value.text == explained(match, seat, action)
    assert "{" not in caught.value.text
    for value in details.values():
        if isinstance(value, int):
            assert str(value) in caught.value.text
    assert (match.truth(), match.record()) == (before, record)


# The rules of no game ----------------------------------------------------------------------------


@ruling("Z 1")
@refuses("Z 1")
@pytest.mark.parametrize("phase", PHASES)
def test_who_is_not_asked_is_told_so_first(phase: str) -> None:
    match, seat = asked(phase)
    for actions in KINDS.values():
        for action in actions:
            assert refusal(match, 1 - seat, action) == "Z 1"
    check(match, 1 - seat, "done", "Z 1", seats=[seat])


@ruling("Z 2")
@refuses("Z 2")
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    "action", ["draft:0", "done", "occupy:border:soldier", "defend:none", "leave:knight"]
)
def test_after_the_end_nothing_is_played(seat: int, action: str) -> None:
    check(plays(deploy(still=3), "done"), seat, action, "Z 2")


@ruling("Z 3")
@refuses("Z 3")
@pytest.mark.parametrize(
    ("phase", "action", "card"),
    [
        ("deploy", "occupy:border:knight", "knight"),
        ("deploy", "occupy:border:prince", "prince"),
        ("deploy", "occupy:red-capital:knight", "knight"),
        ("deploy", "occupy:blue-city:knight", "knight"),
        ("deploy", "attack:blue-city:knight", "knight"),
        ("deploy", "attack:blue-city:knight+soldier", "knight"),
        ("deploy", "attack:blue-city:soldier+soldier", "soldier"),
        ("deploy", "attack:red-capital:knight", "knight"),
        ("deploy", "attack:border:soldier+soldier", "soldier"),
        ("deploy", "swap:red-capital:rearguard", "rearguard"),
        ("deploy", "swap:border:knight", "knight"),
        ("defend", "defend:knight", "knight"),
        ("defend", "defend:princess", "princess"),
        ("defend", "defend:archer", "archer"),
        ("defend", "defend:knight+soldier", "knight"),
        ("defend", "defend:soldier+soldier", "soldier"),
    ],
)
def test_a_card_that_is_not_held_is_named(phase: str, action: str, card: str) -> None:
    match, seat = asked(phase)
    check(match, seat, action, "Z 3", card=card)
    why = match.why_not(seat, action)
    assert why is not None
    assert why.blame == (card,)


@ruling("Z 3")
@refuses("Z 3")
def test_a_liaison_on_an_area_is_not_in_the_hand() -> None:
    match = deploy(("soldier", ""), {"border": "red liaison"})
    check(match, 0, "swap:red-capital:liaison", "Z 3", card="liaison")


@ruling("Z 3")
@refuses("Z 3")
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize(
    "action",
    [
        "occupy:border:bishop",
        "attack:border:bishop+soldier",
        "attack:red-capital:bishop+liaison+soldier",
        "swap:blue-capital:bishop",
        "defend:bishop",
        "defend:bishop+soldier",
    ],
)
def test_a_card_that_is_not_in_the_hand_is_told_before_all_else(phase: str, action: str) -> None:
    match, seat = asked(phase)
    check(match, seat, action, "Z 3", card="bishop")


# Something else is asked -------------------------------------------------------------------------


@ruling("RB 2.4")
@refuses("RB 2.4")
@pytest.mark.parametrize(
    ("phase", "action"),
    [(phase, one) for phase in PHASES if phase != "draft" for one in KINDS["draft"]]
    + [(phase, one) for phase in PHASES if phase != "deploy" for one in KINDS["deploy"]],
)
def test_drafts_and_deployments_have_their_time(phase: str, action: str) -> None:
    match, seat = asked(phase)
    check(match, seat, action, "RB 2.4")


@ruling("RB 3.1")
@refuses("RB 3.1")
@pytest.mark.parametrize("phase", ["draft", "deploy", "leave"])
@pytest.mark.parametrize("action", KINDS["defend"])
def test_only_in_a_battle_a_card_is_added(phase: str, action: str) -> None:
    match, seat = asked(phase)
    check(match, seat, action, "RB 3.1")


@ruling("RB 3.4")
@refuses("RB 3.4")
@pytest.mark.parametrize("phase", ["draft", "deploy", "defend"])
@pytest.mark.parametrize("action", KINDS["leave"])
def test_only_after_a_battle_a_card_is_left(phase: str, action: str) -> None:
    match, seat = asked(phase)
    check(match, seat, action, "RB 3.4", card=action.partition(":")[2])


# The draft ---------------------------------------------------------------------------------------


@ruling("RB 2.1")
@refuses("RB 2.1")
@pytest.mark.parametrize(
    ("action", "cost"),
    [
        ("draft:N5", 5),
        ("draft:A3", 6),
        ("draft:N1A2", 5),
        ("draft:N3A1", 5),
        ("draft:A5", 10),
        ("draft:N5A5", 15),
    ],
)
def test_a_draft_beyond_the_funds_is_told_with_both_numbers(action: str, cost: int) -> None:
    match = draft(areas={"red-city": "red soldier"})
    check(match, 0, action, "RB 2.1", funds=4, cost=cost)


@ruling("RB 2.1")
@refuses("RB 2.1")
def test_who_holds_no_area_has_no_funds() -> None:
    check(draft(("prince", "")), 0, "draft:N1", "RB 2.1", funds=0, cost=1)


@ruling("RB 2.2")
@refuses("RB 2.2")
@pytest.mark.parametrize(
    ("held", "action", "room", "wanted"),
    [
        ("soldier soldier", "draft:N4", 3, 4),
        ("soldier soldier lancer", "draft:N2A1", 2, 3),
        ("soldier soldier lancer knight", "draft:A2", 1, 2),
        ("soldier soldier lancer knight knight", "draft:N1", 0, 1),
        ("prince soldier lancer knight knight", "draft:A1", 0, 1),
    ],
)
def test_a_draft_beyond_the_room_is_told_with_both_numbers(
    held: str, action: str, room: int, wanted: int
) -> None:
    areas = {"red-city": "red soldier", "border": "red soldier", "blue-city": "red soldier"}
    check(draft((held, ""), areas), 0, action, "RB 2.2", room=room, wanted=wanted)


@ruling("RB 2.2")
@refuses("RB 2.2")
def test_six_cards_are_too_many_for_an_empty_hand() -> None:
    areas = dict.fromkeys(("red-city", "border", "blue-city"), "blue soldier")
    check(draft(areas=areas, turn=1), 1, "draft:N6", "RB 2.2", room=5, wanted=6)


@ruling("RB 2.3")
@refuses("RB 2.3")
def test_a_draft_beyond_pile_and_discards_is_told_with_both_numbers() -> None:
    match = draft(("", NINETEEN_ACES), {"red-city": "red soldier"})
    details = {"left": 1, "wanted": 2, "class": "ace"}
    check(match, 0, "draft:A2", "RB 2.3", **details)


@ruling("RB 2.1")
@ruling("RB 2.2")
@ruling("RB 2.3")
def test_of_several_faults_of_a_draft_funds_come_first_then_room() -> None:
    full = draft(("soldier soldier lancer lancer", NINETEEN_ACES), {"red-city": "red soldier"})
    assert refusal(full, 0, "draft:A3") == "RB 2.1"
    assert refusal(full, 0, "draft:A2") == "RB 2.2"


# Deployment --------------------------------------------------------------------------------------


@ruling("RB 2.5")
@refuses("RB 2.5")
@pytest.mark.parametrize("area", ["red-capital", "border"])
@pytest.mark.parametrize(
    "action", ["occupy:{}:soldier", "attack:{}:soldier", "attack:{}:liaison+soldier"]
)
def test_nothing_is_placed_on_an_area_of_ones_own(action: str, area: str) -> None:
    match = deploy(("soldier liaison", ""), {"border": "red archer"})
    check(match, 0, action.format(area), "RB 2.5", area=area)


@ruling("RB 2.4a")
@refuses("RB 2.4a")
@pytest.mark.parametrize("area", ["blue-capital", "border"])
def test_an_area_of_the_other_is_not_occupied(area: str) -> None:
    match = deploy(("soldier", ""), {"border": "blue archer"})
    check(match, 0, f"occupy:{area}:soldier", "RB 2.4a", area=area)


@ruling("RB 2.4b")
@refuses("RB 2.4b")
@pytest.mark.parametrize("cards", ["soldier", "liaison+soldier"])
def test_an_empty_area_is_not_attacked(cards: str) -> None:
    match = deploy(("soldier liaison", ""))
    check(match, 0, f"attack:border:{cards}", "RB 2.4b", area="border")


@ruling("RB 2.4b")
@refuses("RB 2.4b")
@pytest.mark.parametrize("area", ["blue-capital", "border"])
@pytest.mark.parametrize("cards", ["lancer+liaison+soldier", "soldier+lancer+liaison"])
def test_three_cards_are_too_many_to_attack(cards: str, area: str) -> None:
    match = deploy(("soldier liaison lancer", ""))
    check(match, 0, f"attack:{area}:{cards}", "RB 2.4b", area=area)


@ruling("RB 5.1")
@ruling("RB 2.4c")
@refuses("RB 5.1")
@pytest.mark.parametrize(
    ("area", "card"),
    [
        ("red-capital", "soldier"),
        ("border", "rearguard"),
        ("blue-capital", "liaison"),
        ("blue-city", "liaison"),
        ("red-city", "liaison"),
    ],
)
def test_a_swap_needs_a_liaison_and_an_area_of_ones_own_without_one(area: str, card: str) -> None:
    areas = {"border": "red archer", "red-city": "red liaison"}
    match = deploy(("soldier liaison rearguard", ""), areas)
    check(match, 0, f"swap:{area}:{card}", "RB 5.1", area=area)


# Battle ------------------------------------------------------------------------------------------


@ruling("RB 3.1")
@refuses("RB 3.1")
@pytest.mark.parametrize("action", ["defend:liaison+soldier", "defend:soldier+liaison"])
def test_two_cards_are_too_many_to_add(action: str) -> None:
    match, seat = asked("defend")
    check(match, seat, action, "RB 3.1")


@ruling("RB 3.4")
@refuses("RB 3.4")
@pytest.mark.parametrize("card", ["archer", "soldier", "bishop", "prince"])
def test_the_winner_leaves_a_card_of_the_own_side(card: str) -> None:
    match, seat = asked("leave")
    assert match.legal(seat) == ("leave:knight", "leave:priest")
    check(match, seat, f"leave:{card}", "RB 3.4", card=card)


@ruling("RB 3.4")
@refuses("RB 3.4")
def test_beside_a_monarch_no_other_card_is_left() -> None:
    match = fought("border", "knight prince", "blue soldier")
    check(match, 0, "leave:knight", "RB 3.4", card="knight")
    assert match.legal(0) == ("leave:prince",)


# Notation ----------------------------------------------------------------------------------------


@ruling("RB 2.4b")
def test_a_refused_attack_in_any_order_is_explained_alike() -> None:
    match = deploy(("soldier liaison", ""))
    first = match.why_not(0, "attack:border:soldier+liaison")
    assert first is not None
    assert first == match.why_not(0, "attack:border:liaison+soldier")


MALFORMED = [
    "", " ", ":", "draft", "draft:", "draft:1", "draft:00", "draft:N", "draft:A", "draft:N0",
    "draft:A0", "draft:N0A1", "draft:N1A0", "draft:A1N1", "draft:N1N1", "draft:A1A1", "draft:n1",
    "draft:N-1", "draft:N+1", "draft:N01", "draft:N1+A1", "draft:N1,A1", "draft:N1 A1", "draft:N１",
    "draft:N1.0", "draft:none", "Draft:0", "draft:0 ", " draft:0", "draft:0\n", "draft=0",
    "done:", "Done", "done ", "done:0", "end", "pass",
    "occupy", "occupy:", "occupy:border", "occupy:border:", "occupy::soldier",
    "occupy:soldier:border", "occupy:Border:soldier", "occupy:border:Soldier",
    "occupy:border:soldier:", "occupy:border: soldier", "occupy:middle:soldier",
    "occupy:border:dragon", "occupy:border:none", "occupy:border:capital_guard",
    "occupy:red city:soldier", "occupy:border,soldier",
    "attack", "attack:", "attack:blue-city", "attack:blue-city:", "attack:blue-city:+",
    "attack:blue-city:soldier+", "attack:blue-city:+soldier", "attack:blue-city:soldier++knight",
    "attack:blue-city:soldier,knight", "attack:blue-city:soldier knight",
    "attack:blue-city:soldier + knight", "attack:blue-city:dragon",
    "attack:blue-city:soldier+dragon", "attack:blue-town:soldier", "Attack:blue-city:soldier",
    "attack:blue-city:none",
    "swap", "swap:", "swap:red-capital", "swap:red-capital:", "swap:liaison:red-capital",
    "swap:red-capital:dragon", "swap:red-capital:LIAISON", "swap::liaison",
    "defend", "defend:", "defend:None", "defend:dragon", "defend:0", "defend:soldier+",
    "defend:none+soldier", "Defend:none", "defend: none",
    "leave", "leave:", "leave:none", "leave:dragon", "leave:Knight", "leave:knight:",
    "soldier", "red-capital", "fly:border:soldier",
]  # fmt: skip


@pytest.mark.parametrize("phase", PHASES)
def test_what_is_outside_the_notation_is_malformed(phase: str) -> None:
    match, asking = asked(phase)
    before = match.truth()
    for action in MALFORMED:
        for seat in (asking, 1 - asking):
            with pytest.raises(Malformed):
                match.why_not(seat, action)
        with pytest.raises(Malformed):
            match.play(asking, action)
    assert match.truth() == before


@pytest.mark.parametrize("action", [None, 7, b"done", ["done"], True, ("draft", 0)])
def test_an_action_is_a_text(action: Any) -> None:
    with pytest.raises(Malformed):
        deploy().why_not(0, action)


@pytest.mark.parametrize("seat", [-1, 2, None, "0", True, 0.0])
def test_there_are_two_seats(seat: Any) -> None:
    match = deploy()
    for ask in (lambda: match.legal(seat), lambda: match.why_not(seat, "done")):
        with pytest.raises(Malformed, match="seat"):
            ask()
    with pytest.raises(Malformed, match="seat"):
        match.play(seat, "done")
