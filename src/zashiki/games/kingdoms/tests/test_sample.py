"""Sampled worlds are exactly those that a seat's view allows, with the right probability."""

from ast import literal_eval
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

import zashiki
from zashiki import Match
from zashiki.core.dice import Quick
from zashiki.games.kingdoms.tests.tables import (
    EVERY_CARD,
    GAME,
    all_cards,
    battle,
    class_of,
    deploy,
    draft,
    fought,
    look,
    plays,
)
from zashiki.laws import distribution

ruling = pytest.mark.ruling

NONE_LEFT = {"normal": "", "ace": ""}
"""Piles that are empty, so that only hands are unseen."""


def worlds(match: Match, seat: int) -> dict[str, Fraction]:
    """Return every world that `sample` can return, with its exact probability."""
    view = match.state.views[seat]
    return distribution(lambda chance: repr(match.game.truth(match.game.sample(view, chance))))


def sampled(match: Match, seat: int, count: int) -> Iterator[Any]:
    """Yield some sampled worlds, as full states."""
    for number in range(count):
        world = match.game.sample(match.state.views[seat], Quick(number))
        yield match.game.truth(world)


def likely(match: Match, seat: int, *path: str | int) -> dict[str, Fraction]:
    """Return the probability of each content of one place, as cards separated by spaces."""
    found: dict[str, Fraction] = defaultdict(Fraction)
    for world, probability in worlds(match, seat).items():
        place: Any = literal_eval(world)
        for step in path:
            place = place[step]
        found[" ".join(place)] += probability
    return dict(found)


def played(seed: int, actions: int) -> Match:
    """Return a match after a number of random actions, or at its end."""
    match, chance = zashiki.start(GAME, 2, seed=seed), Quick(seed)
    for _ in range(actions):
        if match.over:
            break
        (seat,) = match.to_act
        legal = match.legal(seat)
        match.play(seat, legal[int(chance.below(len(legal), "pick"))])
    return match


# Agreement with the view -------------------------------------------------------------------------


@ruling("RB 1.6")
@pytest.mark.parametrize("seed", range(10))
def test_a_sampled_world_looks_the_same_to_its_seat(seed: int) -> None:
    for actions in (0, 3, 7, 12, 20, 33, 50):
        match = played(seed, actions)
        for seat in range(2):
            view = match.state.views[seat]
            for number in range(3):
                world = match.game.sample(view, Quick(number))
                assert match.game.show(world.views[seat]) == match.game.show(view)
                assert match.game.legal(world.views[seat]) == match.game.legal(view)


@ruling("RB 1.3")
@pytest.mark.parametrize("seed", range(10))
def test_a_sampled_world_has_every_card_once(seed: int) -> None:
    for actions in (0, 5, 11, 19, 31):
        match = played(seed, actions)
        for seat in range(2):
            for truth in sampled(match, seat, 3):
                assert all_cards(truth) == all_cards(look(match)) == EVERY_CARD


@ruling("RB 1.6")
@pytest.mark.parametrize("seat", [0, 1])
def test_what_a_seat_sees_is_the_same_in_every_world(seat: int) -> None:
    hands = ("archer knight soldier", "lancer cavalry")
    areas = {"border": "red priest", "blue-city": "blue bishop"}
    match = deploy(hands, areas, discards="soldier knight", turn=1)
    truth = look(match)
    for world in sampled(match, seat, 20):
        assert world["hands"][seat] == truth["hands"][seat]
        for key in ("card_set", "phase", "turn", "number", "still", "placed", "areas", "discards"):
            assert world[key] == truth[key]
        assert [len(pile) for pile in world["piles"].values()] == [
            len(pile) for pile in truth["piles"].values()
        ]


@ruling("RB 1.3")
@ruling("RB 1.6")
def test_in_every_world_the_backs_are_those_seen() -> None:
    match = deploy(("soldier", "lancer cavalry priest bishop knight"))
    for world in sampled(match, 0, 50):
        assert Counter(map(class_of, world["hands"][1])) == {"normal": 2, "ace": 3}


@ruling("RB 1.6")
def test_the_own_attackers_are_the_same_in_every_world() -> None:
    match = battle("border", "archer knight", "blue soldier", ("lancer", "priest cavalry"))
    for world in sampled(match, 0, 20):
        assert world["battle"] == look(match)["battle"]
        assert world["hands"][0] == ["lancer"]


@ruling("RB 1.6")
def test_once_revealed_a_battle_is_the_same_in_every_world() -> None:
    match = fought("border", "archer knight", "blue soldier", "lancer", ("priest", "cavalry"))
    for seat in range(2):
        for world in sampled(match, seat, 20):
            assert world["battle"] == look(match)["battle"]


# Exactly the possible worlds, exactly as likely --------------------------------------------------


@ruling("RB 1.6")
def test_a_hidden_card_is_evenly_any_unseen_card() -> None:
    """Two Soldiers and a Lancer are unseen: one in Blue's hand, two in the pile, in any order."""
    match = draft(("", "soldier"), piles={"normal": "lancer soldier", "ace": ""})
    assert likely(match, 0, "hands", 1) == {"soldier": Fraction(2, 3), "lancer": Fraction(1, 3)}
    third = Fraction(1, 3)
    assert likely(match, 0, "piles", "normal") == {
        "lancer soldier": third,
        "soldier lancer": third,
        "soldier soldier": third,
    }


@ruling("RB 1.6")
def test_hidden_cards_are_dealt_as_single_cards() -> None:
    """Of two Soldiers and a Lancer, two are in Blue's hand: three deals, two of them mixed."""
    match = draft(("", "soldier soldier"), piles={"normal": "lancer", "ace": ""})
    assert likely(match, 0, "hands", 1) == {
        "soldier soldier": Fraction(1, 3),
        "lancer soldier": Fraction(2, 3),
    }


@ruling("RB 1.6")
def test_every_order_of_the_piles_is_possible_and_as_likely() -> None:
    piles = {"normal": "archer lancer soldier", "ace": "bishop knight"}
    found = worlds(draft(piles=piles), 0)
    assert len(found) == 6 * 2
    assert set(found.values()) == {Fraction(1, 12)}


@ruling("RB 1.3")
@ruling("RB 1.6")
def test_classes_do_not_mix() -> None:
    match = draft(("", "soldier knight"), piles={"normal": "lancer", "ace": "bishop"})
    quarter = Fraction(1, 4)
    assert likely(match, 0, "hands", 1) == {
        "knight soldier": quarter,
        "bishop soldier": quarter,
        "knight lancer": quarter,
        "bishop lancer": quarter,
    }


@ruling("RB 1.6")
def test_with_an_empty_pile_the_other_hand_is_certain() -> None:
    match = draft(("soldier", "archer lancer knight"), piles=NONE_LEFT)
    for seat in range(2):
        assert worlds(match, seat) == {repr(match.truth()): 1}


@ruling("RB 1.6")
def test_each_seat_has_worlds_of_its_own() -> None:
    match = draft(("archer", "soldier"), piles={"normal": "lancer", "ace": ""})
    half = Fraction(1, 2)
    assert likely(match, 0, "hands", 1) == {"soldier": half, "lancer": half}
    assert likely(match, 1, "hands", 0) == {"archer": half, "lancer": half}


@ruling("RB 3.1")
def test_a_face_down_attacker_is_evenly_any_card_of_its_back() -> None:
    match = deploy(("archer knight lancer", ""), {"border": "blue soldier"}, piles=NONE_LEFT)
    plays(match, "attack:border:lancer")
    half = Fraction(1, 2)
    assert likely(match, 1, "battle", "attackers") == {"archer": half, "lancer": half}
    assert likely(match, 1, "hands", 0) == {"archer knight": half, "knight lancer": half}


@ruling("RB 3.1")
def test_a_scene_with_face_down_attackers_has_the_same_worlds() -> None:
    match = battle("border", "lancer", "blue soldier", ("archer knight", ""), piles=NONE_LEFT)
    half = Fraction(1, 2)
    assert likely(match, 1, "battle", "attackers") == {"archer": half, "lancer": half}


@ruling("RB 3.1")
def test_face_down_attackers_may_also_come_from_what_is_unseen_elsewhere() -> None:
    match = battle("border", "lancer", "blue soldier", piles={"normal": "archer priest", "ace": ""})
    third = Fraction(1, 3)
    assert likely(match, 1, "battle", "attackers") == {
        "archer": third,
        "lancer": third,
        "priest": third,
    }
    assert likely(match, 0, "battle", "attackers") == {"lancer": Fraction(1)}


@ruling("RB 1.6")
def test_unseen_cards_of_a_whole_deck_are_sampled_evenly() -> None:
    """Chi-square with 8 degrees of freedom: 26.1 would be exceeded once in a thousand."""
    match = deploy(("soldier soldier lancer liaison archer", "soldier lancer"))
    unseen = {
        "soldier": 4,
        "lancer": 4,
        "shieldman": 5,
        "liaison": 2,
        "rearguard": 3,
        "capital-guard": 2,
        "city-guard": 2,
        "archer": 1,
        "priest": 2,
    }
    count = 2000
    tops: Counter[str] = Counter()
    held: Counter[str] = Counter()
    for world in sampled(match, 0, count):
        tops[world["piles"]["normal"][0]] += 1
        held.update(world["hands"][1])
    for found, drawn in ((tops, count), (held, 2 * count)):
        assert set(found) == set(unseen)
        expected = {card: drawn * copies / 25 for card, copies in unseen.items()}
        chi = sum((found[card] - mean) ** 2 / mean for card, mean in expected.items())
        assert chi < 26.1


# Known cards stay --------------------------------------------------------------------------------


@ruling("RB 1.6")
def test_a_card_seen_returning_is_in_that_hand_in_every_world() -> None:
    match = plays(
        deploy(("liaison lancer", "shieldman"), {"red-city": "red archer"}), "swap:red-city:liaison"
    )
    others: Counter[str] = Counter()
    for world in sampled(match, 1, 100):
        assert len(world["hands"][0]) == 2
        assert "archer" in world["hands"][0]
        others.update(world["hands"][0])
    assert len(others) > 4


@ruling("RB 1.6")
def test_a_card_saved_by_a_rearguard_is_in_that_hand_in_every_world() -> None:
    match = fought("border", "cavalry", "blue rearguard", "soldier", ("", "lancer"))
    assert all("soldier" in world["hands"][1] for world in sampled(match, 0, 50))
    assert len({tuple(world["hands"][1]) for world in sampled(match, 0, 50)}) > 3


@ruling("RB 1.6")
def test_a_known_card_is_in_the_hand_or_face_down_beside_it() -> None:
    """Blue has the other Archer, so there is one at most on Red's side."""
    areas = {"red-city": "red archer", "border": "blue soldier"}
    match = deploy(("liaison lancer", "archer"), areas)
    plays(match, "swap:red-city:liaison", "attack:border:lancer")
    places = Counter(
        (world["battle"]["attackers"] == ["archer"], world["hands"][0] == ["archer"])
        for world in sampled(match, 1, 100)
    )
    assert set(places) == {(True, False), (False, True)}


@ruling("RB 1.3")
@ruling("RB 1.6")
def test_a_monarch_in_hand_is_there_in_every_world_and_in_no_pile() -> None:
    match = draft(("prince soldier", "archer princess"))
    for seat, other in ((0, "princess"), (1, "prince")):
        for world in sampled(match, seat, 30):
            assert other in world["hands"][1 - seat]


@ruling("RB 1.3")
@ruling("RB 3.1")
def test_a_monarch_may_be_the_one_that_attacks() -> None:
    match = battle("border", "soldier", "blue archer", ("prince", ""), piles=NONE_LEFT)
    half = Fraction(1, 2)
    assert likely(match, 1, "battle", "attackers") == {"prince": half, "soldier": half}
    assert likely(match, 1, "hands", 0) == {"prince": half, "soldier": half}


@ruling("RB 1.6")
@ruling("RB 2.3")
def test_what_was_worked_out_when_a_pile_was_made_new_stays() -> None:
    """Red has drawn the last normal card, a Soldier, and another of the new pile."""
    match = plays(draft(("", "lancer knight"), piles={"normal": "soldier"}), "draft:N2")
    for world in sampled(match, 0, 50):
        assert "lancer" in world["hands"][1]
    second: Counter[str] = Counter()
    for world in sampled(match, 1, 200):
        cards = list(world["hands"][0])
        cards.remove("soldier")
        second.update(cards)
    assert len(second) > 5


@ruling("RB 1.6")
@ruling("RB 2.3")
def test_a_pile_made_new_has_the_cards_that_were_discarded() -> None:
    """The two Archers were in the hands then, so neither is in the pile, for either seat."""
    match = plays(draft(("archer", "archer"), piles={"normal": ""}), "draft:N1")
    for seat in range(2):
        for world in sampled(match, seat, 50):
            assert "archer" not in world["piles"]["normal"]
            assert all("archer" in cards for cards in world["hands"])


@ruling("RB 1.6")
def test_the_top_of_a_pile_is_open_however_it_lies() -> None:
    match = draft(top="archer knight")
    tops = {world["piles"]["normal"][0] for world in sampled(match, 0, 200)}
    assert len(tops) > 5
