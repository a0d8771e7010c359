"""Exact sampling: colours of unseen Hitmen compared with brute force, and cards dealt evenly.

The laws follow all histories of small positions. These tests have long matches and equal cards.
"""

from ast import literal_eval
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest

import zashiki
from zashiki.core.dice import Quick
from zashiki.games.red_town.colours import Colours
from zashiki.games.red_town.tests.tables import GAME, war
from zashiki.laws import distribution

ruling = pytest.mark.ruling


# The colours of Hitmen, where they are hidden ---------------------------------------------------


@dataclass
class Told:
    """All facts about Hitmen that a seat was told, in order, in a plain form."""

    seat: int
    seats: int
    events: list[tuple[Any, ...]] = field(default_factory=list)
    packets: list[int] = field(default_factory=list)
    own: list[str] = field(default_factory=list)

    def hear(self, fact: zashiki.Fact) -> None:
        given: Any = dict(fact.arguments)
        name = fact.name
        if name == "round_began":
            self.packets = list(range(self.seats))
            self.events.append(("round",))
        elif name == "joined":
            self.own.append("R" * given["red"] + "B" * given["black"])
        elif name == "hired_unseen":
            seat = given["seat"]
            colours = self.own[-1] if seat == self.seat else None
            self.events.append(("hire", seat, self.packets[seat], given["count"], colours))
        elif name == "took_over":
            reds = given["cards"].count("RH")
            self.events.append(("equal", self.packets[self.seat], reds))
        elif name == "hands_passed":
            adders = given["adders"]
            before = list(self.packets)
            for place, giver in enumerate(adders):
                self.packets[adders[(place + 1) % len(adders)]] = before[giver]
        elif name in ("played", "discarded"):
            cards = (
                given["action"].split(":")[1].split(",") if name == "played" else [given["card"]]
            )
            laid = Counter(card for card in cards if card in ("RH", "BH"))
            if laid:
                packet = self.packets[given["seat"]]
                self.events.append(("laid", packet, laid["RH"], laid["BH"]))


State = tuple[tuple[str, ...], tuple[str, ...]]
"""The supplies of all seats and the Hitmen that joined each packet, as letters."""


def posterior(told: Told, hand: list[str]) -> dict[State, Fraction]:
    """Return every colouring with its weight, by following every possible pick."""
    worlds: dict[State, Fraction] = {(("RRBB",) * told.seats, ("",) * told.seats): Fraction(1)}
    laid = [Counter[str]() for _ in range(told.seats)]
    for event in told.events:
        if event[0] == "round":
            worlds = merged(
                (supplies, ("",) * told.seats, p) for (supplies, _), p in worlds.items()
            )
            laid = [Counter() for _ in range(told.seats)]
        elif event[0] == "hire":
            worlds = merged(hired(worlds, *event[1:]))
        elif event[0] == "equal":
            worlds = {w: p for w, p in worlds.items() if w[1][event[1]].count("R") == event[2]}
        else:
            _, packet, red, black = event
            laid[packet].update({"R": red, "B": black})
            worlds = {w: p for w, p in worlds.items() if holds(w[1][packet], laid[packet])}
    packet = told.packets[told.seat]
    reds = hand.count("RH") + laid[packet]["R"]
    if hand:
        worlds = {w: p for w, p in worlds.items() if w[1][packet].count("R") == reds}
    total = sum(worlds.values())
    return {world: p / total for world, p in worlds.items()}


def merged(worlds: Iterator[tuple[tuple[str, ...], tuple[str, ...], Fraction]]) -> Any:
    found: dict[State, Fraction] = defaultdict(Fraction)
    for supplies, packets, p in worlds:
        found[supplies, packets] += p
    return dict(found)


def hired(
    worlds: dict[State, Fraction], seat: int, packet: int, count: int, known: str | None
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...], Fraction]]:
    for (supplies, packets), p in worlds.items():
        supply = supplies[seat]
        picks = [
            "R" * red + "B" * (count - red)
            for red in range(count + 1)
            if red <= supply.count("R") and count - red <= supply.count("B")
        ]
        for pick in picks:
            if known in (None, pick):
                left = "R" * (supply.count("R") - pick.count("R"))
                left += "B" * (supply.count("B") - pick.count("B"))
                joined = "".join(sorted(packets[packet] + pick, reverse=True))
                yield (
                    (*supplies[:seat], left, *supplies[seat + 1 :]),
                    (*packets[:packet], joined, *packets[packet + 1 :]),
                    p / len(picks),
                )


def holds(letters: str, laid: Counter[str]) -> bool:
    return letters.count("R") >= laid["R"] and letters.count("B") >= laid["B"]


def thought_of(match: zashiki.Match, seat: int) -> dict[State, Fraction]:
    """Return the sampler's colourings in the same form."""
    public, own = match.state.public, match.state.own[seat]
    colours = Colours(public, own)
    total = sum(colours.worlds.values())
    found: dict[State, Fraction] = {}
    for (red, black, reds), weight in colours.worlds.items():
        seats = range(match.seats)
        supplies = tuple("R" * lane(red, one) + "B" * lane(black, one) for one in seats)
        packets = tuple(
            "R" * lane(reds, one) + "B" * (colours.counts[one] - lane(reds, one)) for one in seats
        )
        found[supplies, packets] = Fraction(weight, total)
    return found


def lane(lanes: int, place: int) -> int:
    return lanes >> 4 * place & 15


@ruling("RT 2.8")
@pytest.mark.compiled
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_unseen_colours_are_as_likely_as_all_that_was_told_makes_them(seats: int) -> None:
    compared = several = 0
    for seed in range(4):
        match = zashiki.start(GAME, seats, seed=seed, options={"hitmen": "hidden"})
        chance, seat = Quick(seed), seed % seats
        told, heard = Told(seat, seats), 0
        while not match.over and match.state.public.round < 4:
            facts = match.facts(seat)
            for fact in facts[heard:]:
                told.hear(fact)
            heard = len(facts)
            if chance.below(12, "ask") == 0 or match.view(None)["phase"] in ("decide", "pick-many"):
                hand: Any = match.view(seat)["hand"]
                expected = posterior(told, hand)
                assert thought_of(match, seat) == expected
                compared += 1
                several += len(expected) > 1
            mover = min(match.to_act)
            legal = list(match.legal(mover))
            if "add" in legal and chance.below(4, "add"):
                legal = ["add"]
            match.play(mover, legal[int(chance.below(len(legal), "pick"))])
    assert compared > 60
    assert several > 20


@ruling("RT 2.8")
@ruling("RT 7.9")
@pytest.mark.parametrize(("seats", "form"), [(2, "two"), (4, "standard"), (4, "short")])
def test_hidden_colours_are_told_to_nobody_else(seats: int, form: str) -> None:
    """No fact of preparation tells the colours to the public or to another seat."""
    match = zashiki.start(GAME, seats, seed=3, options={"form": form, "hitmen": "hidden"})
    while match.view(None)["phase"] != "turn":
        for seat in sorted(match.to_act):
            legal = match.legal(seat)
            match.play(seat, "add" if "add" in legal else legal[0])
    names = {fact.name for fact in match.facts("all")}
    assert names & {"hired_unseen", "hitmen_split_unseen"}
    assert not names & {"hired", "hitmen_split"}
    colours = {"red", "black", "hitman"}
    assert not any(colours & set(fact.arguments) for fact in match.facts("all"))


@ruling("RT 7.4")
@pytest.mark.parametrize("hitmen", ["open", "hidden"])
def test_a_scenario_after_the_hand_over_knows_which_set_is_which(hitmen: str) -> None:
    match = zashiki.start(GAME, 2, seed=7, options={"hitmen": hitmen})
    for action in ("look:1", "hitman:R", "give:1"):
        for seat in range(2):
            match.play(seat, action.replace("give:1", f"give:{seat + 1}"))
    truth: Any = match.truth()
    left = truth["sets"][0][1].pop(0)
    truth["discard"].append(left)
    scene = zashiki.scenario(GAME, truth, {"hitmen": hitmen})
    sets: Any = scene.view(None)["sets"]
    assert [[one["size"] for one in pair] for pair in sets] == [[14, 13], [14, 14]]
    if hitmen == "open":
        letters = [[pair[0]["hitman"], pair[1]["hitman"]] for pair in sets]
        held = [
            [next(c[0] for c in one if c[1] == "H") for one in pair[:2]] for pair in truth["sets"]
        ]
        assert letters == held


# Playing cards --------------------------------------------------------------------------------


def worlds(match: zashiki.Match, seat: int) -> dict[str, Fraction]:
    view = match.state.views[seat]
    return distribution(lambda chance: repr(match.game.truth(match.game.sample(view, chance))))


def test_unseen_cards_are_dealt_evenly_as_single_cards() -> None:
    """Two of three unseen cards are equal. Each of the three places gets the other card equally."""
    match = war(["B9 R9", "B4", "B4", "R5"])
    found: dict[tuple[str, ...], Fraction] = defaultdict(Fraction)
    for world, likely in worlds(match, 0).items():
        hands = literal_eval(world)["hands"]
        found[tuple(hand[0] for hand in hands[1:])] += likely
    third = Fraction(1, 3)
    assert found == {
        ("B4", "B4", "R5"): third,
        ("B4", "R5", "B4"): third,
        ("R5", "B4", "B4"): third,
    }


@ruling("RT 3.1")
def test_the_red_three_is_where_it_was_shown() -> None:
    match = war(["B9 R9", "B4 R4", "R3 B5"])
    hands = [literal_eval(world)["hands"] for world in worlds(match, 0)]
    assert len(hands) == 3
    assert all("R3" in hand[2] for hand in hands)


@ruling("RT 3.2")
def test_what_nobody_showed_is_in_no_hand() -> None:
    match = war(["B9 R9", "B4 R4", "R5 B5"], aside=["R3", "B6"])
    truths = [literal_eval(world) for world in worlds(match, 0)]
    assert len(truths) > 6
    assert all("R3" in truth["aside"] for truth in truths)


@ruling("RT 7.5")
def test_what_no_hand_in_play_has_shown_is_in_a_set_that_waits() -> None:
    match = war(["B9", "B4"], waiting=[["R3"], ["R5"]])
    truths = [literal_eval(world) for world in worlds(match, 0)]
    assert {truth["hands"][1][0] for truth in truths} == {"B4", "R5"}
    where = Counter("R3" in truth["waiting"][0] for truth in truths)
    assert where == {True: 2, False: 2}


@ruling("RT 2.10")
def test_a_hand_handed_on_is_known_for_good() -> None:
    match = zashiki.start(GAME, 4, seed=5)
    for seat in range(4):
        match.play(seat, "add" if seat < 2 else "confirm")
    held: Any = match.truth()["hands"]
    match.play(0, "hitman:R")
    match.play(1, "hitman:B")
    match.play(0, "confirm")
    match.play(1, "confirm")
    before: Any = match.truth()["hands"]
    assert sorted(before[1]) == sorted([*held[0], "RH"])
    for number in range(20):
        world: Any = match.game.truth(match.game.sample(match.state.views[0], Quick(number)))
        assert world["hands"][1] == before[1]
        assert world["hands"][:2] == before[:2]
        assert world["hands"][2] != before[2]


@ruling("RT 7.9")
def test_a_set_looked_at_is_known_wherever_it_goes() -> None:
    match = zashiki.start(GAME, 2, seed=5)
    for action in ("look:1", "hitman:R", "give:1", "hand:received"):
        for seat in range(2):
            match.play(seat, action)
    truth: Any = match.truth()
    for number in range(20):
        world: Any = match.game.truth(match.game.sample(match.state.views[0], Quick(number)))
        assert world["hands"] == truth["hands"]
        assert world["waiting"] != truth["waiting"]
