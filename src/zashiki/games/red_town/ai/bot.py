# mypyc: compile
"""A bot for Red Town: it plans to play its whole hand in few turns, and to keep control."""

from math import exp
from typing import Any, Final, final

from mypy_extensions import i64

from zashiki.core.game import ActionId, Choices, Game
from zashiki.core.parts import Seat, View
from zashiki.games.red_town.actions import Request
from zashiki.games.red_town.cards import (
    BLACK_HITMAN,
    COLOUR,
    KINDS,
    LOWEST,
    NUMBERS,
    PLANE,
    RED_HITMAN,
    Cards,
    Kind,
    black_hitmen,
    count,
    minus,
    plus,
    red_hitmen,
    size,
    without_hitmen,
)
from zashiki.games.red_town.packing import (
    DECIDE,
    DISCARD,
    END_WAR,
    GIVE,
    LOOK,
    PICK,
    PICK_MANY,
    SHORT,
    TURN,
    TWO,
    Packet,
)
from zashiki.games.red_town.play import RedTown, RedTownView
from zashiki.games.red_town.plays import ALL_LOCATIONS, Plays
from zashiki.games.red_town.sample import known_left

CONTROL: Final = [1.05, 0.9, 0.5, 0.2, 0.2]
"""The part of a turn that each of the highest numbers saves, since few cards can answer it."""
WILD: Final = 0.45
"""The cost of a turn with only Hitmen, which can follow any number."""
LEAD: Final = 0.5
"""The value of playing last in a turf war, and so starting the next."""
EAGER: Final = 0.1
"""The most that a play may cost and still be better than a pass."""
FEAR: Final = 0.5
"""The part of the chance to play last that each card that could answer takes away."""
ANSWER: Final = 0.5
"""The weight of a Hitman as an answer: it answers every number, but is rarely spent so."""
FAIR: Final = 3.5
"""The cost in turns above which a hand is exchanged, and a set is handed over."""
MOST_PLANNED: Final = 17
MOST_WILD: Final = 4
"""The largest hand that is planned exactly. Larger ones, which no match has, are greedy."""
MOST_KNOWN: Final = 400_000
"""The number of hands in the cache."""


def immediate_value(game: Game[Any, Any, Any], _: View[Any, Any], action: ActionId) -> float:
    """Return a value that prefers the most cards, then the lowest number, and a pass last."""
    assert isinstance(game, RedTown)
    plays = game.plays
    if action < plays.count:
        facts = plays.facts[action]
        return float((facts >> 4 & 15) * 16 - (facts >> 8))
    return -100.0 if action == game.table.passing else 0.0


@final
class Plan:
    """The cost of playing a whole hand, in turns."""

    def __init__(self, plays: Plays, highest: i64) -> None:
        self.plays: Final = plays
        self.costs: Final[dict[int, float]] = {0: 0.0}
        self.choices: Final = Choices(plays.count)
        self.turns: Final[list[float]] = []
        for low in plays.lows:
            below = int(highest) - low
            if low == 0:
                self.turns.append(WILD)
            else:
                self.turns.append(1.0 - CONTROL[below] if below < len(CONTROL) else 1.0)

    def cost(self, hand: Cards) -> float:
        """Return the fewest turns for a hand. A turn that wins control counts less."""
        known = self.costs.get(int(hand))
        if known is not None:
            return known
        best = 999.0
        starts = self.starts(hand)
        if size(hand) > MOST_PLANNED or red_hitmen(hand) + black_hitmen(hand) > MOST_WILD:
            starts = [max(starts, key=self.cards_in)]
        for id in starts:
            cost = self.turns[id] + self.cost(minus(hand, self.plays.cards[id]))
            best = min(best, cost)
        if len(self.costs) > MOST_KNOWN:
            self.costs.clear()
            self.costs[0] = 0.0
        self.costs[int(hand)] = best
        return best

    def cards_in(self, id: int) -> int:
        return int(size(self.plays.cards[id]))

    def starts(self, hand: Cards) -> list[int]:
        """Return the plays with the lowest card of a hand: some play must take it."""
        lowest = lowest_card(hand)
        choices = self.choices
        choices.clear()
        self.plays.offer(hand, ALL_LOCATIONS, 0, choices)
        found: list[int] = []
        place: i64 = 0
        while place < choices.count:
            id = choices.ids[place]
            if count(Cards(self.plays.packed[id]), lowest):
                found.append(int(id))
            place += 1
        return found


PLANS: Final[dict[int, Plan]] = {}


def plan_for(plays: Plays, highest: int) -> Plan:
    """Return the plan for these plays. It is cached, since a hand costs the same in every match."""
    if highest not in PLANS:
        PLANS[highest] = Plan(plays, highest)
    return PLANS[highest]


def lowest_card(hand: Cards) -> Kind:
    present = (hand | hand >> 18 | hand >> 36) & PLANE
    if present == 0:
        return RED_HITMAN if red_hitmen(hand) else BLACK_HITMAN
    numbers = (present | present >> NUMBERS) & COLOUR
    number: i64 = 0
    while not numbers >> number & 1:
        number += 1
    return Kind(number) if present >> number & 1 else Kind(number + NUMBERS)


@final
class Sensible:
    """Chooses the action that leaves the cheapest hand, and prefers to play last in a turf war."""

    def __init__(self, game: Game[Any, Any, Any], seed: int) -> None:
        assert isinstance(game, RedTown)
        self.game: Final = game
        self.seed: Final = seed
        self.plan: Final = plan_for(game.plays, 11 if game.seats == 5 else 10)

    def choose(self, view: RedTownView, legal: list[ActionId]) -> ActionId:
        if len(legal) == 1:
            return legal[0]
        if view.public.phase == TURN:
            return best_of(legal, self.turn_values(view, legal))
        return best_of(legal, [self.value(view, action) for action in legal])

    def turn_values(self, view: RedTownView, legal: list[ActionId]) -> list[float]:
        answers = self.answers(view)
        plays, hand = self.game.plays, view.own.hand
        values: list[float] = []
        for action in legal:
            if action == self.game.table.passing:
                values.append(-EAGER - self.plan.cost(hand))
            else:
                number = plays.facts[action] >> 8
                if number == 0:
                    number = view.public.declared if view.public.declared else LOWEST
                rest = self.plan.cost(minus(hand, Cards(plays.packed[action])))
                values.append(LEAD * exp(-FEAR * answers[number]) - rest)
        return values

    def answers(self, view: RedTownView) -> list[float]:
        """Return the number of cards of the seats that may still answer, by the number answered."""
        public, own = view.public, view.own
        pool = minus(self.game.deck, without_hitmen(plus(own.hand, public.all_laid())))
        known: list[Cards] = []
        for packet in range(int(public.packet_count())):
            seen = known_left(public, own, Packet(packet))
            known.append(seen)
            if packet != public.packet_of(own.seat):
                pool = minus(pool, seen)
        answers = [0.0] * (LOWEST + NUMBERS + 1)
        density = shares(pool)
        for number in range(int(public.seats)):
            seat = Seat(number)
            if seat != own.seat and public.holding & ~public.passed & 1 << seat:
                packet = int(public.packet_of(seat))
                wild = ANSWER * float(public.held >> packet * 8 & 255)
                seen = known[packet]
                hold = shares(seen) if seen else density
                cards = float(public.size_of(seat) - (public.held >> packet * 8 & 255))
                for declared in range(LOWEST, LOWEST + NUMBERS):
                    answers[declared] += wild + cards * hold[declared]
        return answers

    def value(self, view: RedTownView, action: ActionId) -> float:
        """Return the value of a decision outside of turns."""
        phase, hand, table = view.public.phase, view.own.hand, self.game.table
        if phase == DECIDE:
            good = self.plan.cost(hand) < FAIR
            return 1.0 if (action == table.decisions) == good else 0.0
        if phase in (PICK, PICK_MANY):
            return self.value_of_hitmen(view, action)
        if phase == DISCARD:
            if action == table.keeping:
                return -self.plan.cost(hand)
            return -self.plan.cost(minus(hand, Cards(self.game.plays.packed[action])))
        if phase == END_WAR:
            return 1.0 if action == table.ending else 0.0
        return self.value_of_set(view, action)

    def value_of_hitmen(self, view: RedTownView, action: ActionId) -> float:
        """Return the value of adding Hitmen: they spoil a hand passed on and improve one kept."""
        request = self.game.actions[action]
        assert isinstance(request, Request)
        hand = view.own.hand
        goes_on = view.public.phase == PICK and self.game.form != SHORT
        if self.game.form == TWO:
            hand = self.looked_at(view)
            goes_on = self.plan.cost(hand) > FAIR
        cost = self.plan.cost(plus(hand, request.cards))
        return cost if goes_on else -cost

    def looked_at(self, view: RedTownView) -> Cards:
        return Cards(view.own.known[view.public.looked_of(view.seat)])

    def value_of_set(self, view: RedTownView, action: ActionId) -> float:
        """Return the value of an answer about sets: hand over a bad one, prefer the one kept."""
        public, first = view.public, self.game.table.sets
        if public.phase == LOOK:
            return 0.0
        if public.phase == GIVE:
            looked = public.looked_of(view.seat)
            bad = self.plan.cost(self.looked_at(view)) > FAIR
            gives_first = action == first + 2
            is_looked = (looked == public.set_of(view.seat, 0)) == gives_first
            return 1.0 if is_looked == bad else 0.0
        return 1.0 if action == first + 4 else 0.0


def best_of(legal: list[ActionId], values: list[float]) -> ActionId:
    return legal[values.index(max(values))]


def shares(cards: Cards) -> list[float]:
    """Return the share of cards of at least each number."""
    found = [0.0] * (LOWEST + NUMBERS + 1)
    total = 0.0
    kind: i64 = 0
    while kind < KINDS:
        copies = float(count(cards, Kind(kind)))
        total += copies
        found[kind % NUMBERS + LOWEST] += copies
        kind += 1
    number = LOWEST + NUMBERS - 1
    while number >= LOWEST:
        found[number] += found[number + 1]
        number -= 1
    return [one / total for one in found] if total else found
