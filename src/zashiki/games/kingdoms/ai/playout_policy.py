# mypyc: compile
"""The playout policy for Kingdoms: weights of actions, and likely worlds.

An action is weighed quickly by the open cards and by the backs in the other's hand, in the value of
cards. The search does the rest. A position is evaluated where a turn begins.
"""

from math import exp
from typing import Any, Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from zashiki.core.dice import Chance
from zashiki.core.game import ActionId, Choices, Game
from zashiki.core.parts import Seat, State, View
from zashiki.core.playout_policy import PlayoutPolicy
from zashiki.games.kingdoms.actions import TO_ATTACK, TO_OCCUPY, TO_SWAP
from zashiki.games.kingdoms.ai.evaluation import Evaluator, few, helped
from zashiki.games.kingdoms.ai.odds import Odds, swords
from zashiki.games.kingdoms.ai.values import ACE_IS, CardValues, area_of, area_value
from zashiki.games.kingdoms.cards import CARD, MOST, Kind, both, without
from zashiki.games.kingdoms.forces import ALL_AREAS, Forces
from zashiki.games.kingdoms.play import Kingdoms, KingdomsView
from zashiki.games.kingdoms.sample import alike
from zashiki.games.kingdoms.state import (
    DEFEND,
    DEPLOY,
    DRAFT,
    KingdomsOwn,
    KingdomsPublic,
)

PATIENCE: Final = 1
"""Decisions beyond the tree before an evaluation, which also waits for the end of the turn."""
HEAT: Final = 12.0
"""The difference of two weights that makes one choice e times as likely, with one look. With more
looks it is divided by their number."""
MATCH: Final = 60.0
"""The value of winning the match."""
RISK: Final = 30.0
"""The cost of a position in which the other can win in the next turn."""
EXPOSED: Final = 10.0
"""The cost of winning or occupying an area with the monarch, who must stay there."""
REFILL: Final = 1.6
"""The value of a normal card that will be drafted in the next turn."""
DRAFTED: Final = 1.5
"""The value of a normal card that is being drafted."""
LEFT: Final = 2.0
"""The weight of a card in an area, when it is chosen to stay there."""
DRAWN_OUT: Final = 0.6
"""The value of a card that the other spends on a defence."""
SPENT: Final = 0.8
"""The part of its value that a card loses if it defends a monarch and is discarded."""
ATTACKER: Final = 1.5
"""The value of defeating a normal card among the attackers; an ace counts twice."""
BOLD: Final = 0.7
"""The assumed increase of an attack's probability per point."""
HARDLY: Final = 0.05
"""The relative probability of an attack with the monarch."""
FINE: Final = 1 << 24
"""The resolution of a weighted draw."""


@final
class KingdomsPolicy(PlayoutPolicy):
    """Weighs actions by open cards and backs, and positions by all cards of a world."""

    def __init__(self, game: Kingdoms, odds: Odds, looks: int) -> None:
        super().__init__(PATIENCE)
        self.game: Final = game
        self.forces: Final[Forces] = game.forces
        self.odds: Final = odds
        self.values: Final = CardValues(game)
        self.evaluator: Final = Evaluator(self.values)
        self.looks: Final[i64] = looks
        self.heat: Final = HEAT / float(looks)
        weights = vec[float]()
        for _ in range(len(game.actions)):
            weights = append(weights, 0.0)
        self.weights: vec[float] = weights
        """The weight of each choice, reused for every decision."""
        # Values that are the same for all choices of a decision
        self.home: i64 = 0
        self.shields: i64 = 0
        self.normals: i64 = 0
        self.aces: i64 = 0
        self.funds: i64 = 0

    # The interface to a search -----------------------------------------------------------------

    def pick(self, view: View[Any, Any], choices: Choices, chance: Chance) -> ActionId:
        if choices.count == 1:
            return ActionId(choices.ids[0])
        share = self.weigh(view, choices) * float(chance.below(FINE, "pick")) / float(FINE)
        last = choices.count - 1
        index: i64 = 0
        while index < last:
            share -= self.weights[index]
            if share < 0.0:
                break
            index += 1
        return ActionId(choices.ids[index])

    def priors(self, view: View[Any, Any], choices: Choices) -> vec[float]:
        """Return the priors of choices; none with `looks` = 1, which tries everything."""
        found = vec[float]()
        if self.looks == 1:
            return found
        whole = self.weigh(view, choices)
        index: i64 = 0
        while index < choices.count:
            found = append(found, self.weights[index] / whole)
            index += 1
        return found

    def is_quiet(self, public: Any) -> bool:
        assert isinstance(public, KingdomsPublic)
        return public.phase == DRAFT

    def evaluate(self, state: State[Any, Any, Any]) -> list[float]:
        mover = self.evaluator.mover_win_probability(state)
        return [mover, 1.0 - mover] if state.public.owner == 0 else [1.0 - mover, mover]

    def stage_values(self, view: View[Any, Any], state: State[Any, Any, Any]) -> list[float] | None:
        """Return the values after a stage, which is a turn: only a win counts."""
        before: KingdomsPublic = view.public
        after: KingdomsPublic = state.public
        return None if after.number == before.number else [0.0, 0.0]

    def idle(self, view: View[Any, Any]) -> str:
        """Return the draws that do not matter in this turn: the pile, unless a draft is to come."""
        public: KingdomsPublic = view.public
        return "" if public.phase == DRAFT else "pile"

    def world(
        self, game: Game[Any, Any, Any], view: View[Any, Any], chance: Chance
    ) -> State[Any, Any, Any]:
        """Return a sampled world, in which attackers are rather strong than weak."""
        state = game.sample(view, chance)
        public: KingdomsPublic = state.public
        if public.down and public.owner != view.seat:
            self.embolden(public, state.own[1 - view.seat], chance)
        return state

    def embolden(self, public: KingdomsPublic, own: KingdomsOwn, chance: Chance) -> None:
        """Choose the attackers again from the same cards."""
        forces = self.forces
        monarch = forces.monarchs[own.seat]
        cards = both(own.hand, own.attackers)
        possible = alike(forces, cards, public.down)
        whole = 0.0
        weights: list[float] = []
        for attackers in possible:
            first, second = attackers & 63, attackers >> CARD
            weight = exp(BOLD * float(swords(forces, first, second)))
            if monarch in (first, second):
                weight *= HARDLY
            whole += weight
            weights.append(weight)
        share = whole * float(chance.below(FINE, "attackers")) / float(FINE)
        place = 0
        while place < len(possible) - 1 and share >= weights[place]:
            share -= weights[place]
            place += 1
        own.attackers = possible[place]
        own.hand = without(cards, own.attackers)

    # Weighing ----------------------------------------------------------------------------------

    def weigh(self, view: KingdomsView, choices: Choices) -> float:
        """Set the weight of each choice by its estimated value. Return their sum."""
        phase = view.public.phase
        if phase == DEPLOY:
            self.weigh_deployment(view, choices)
        elif phase == DEFEND:
            self.weigh_defence(view, choices)
        else:
            self.weigh_cards(view.public, choices)
        most = self.weights[0]
        index: i64 = 1
        while index < choices.count:
            most = max(most, self.weights[index])
            index += 1
        whole = 0.0
        index = 0
        while index < choices.count:
            weight = exp((self.weights[index] - most) / self.heat)
            self.weights[index] = weight
            whole += weight
            index += 1
        return whole

    def weigh_cards(self, public: KingdomsPublic, choices: Choices) -> None:
        """Weigh drafts, and the cards to leave."""
        index: i64 = 0
        while index < choices.count:
            cards = self.game.table.cards[choices.ids[index]]
            if public.phase == DRAFT:
                weight = DRAFTED * (float(cards & 15) + ACE_IS * float(cards >> 4))
            else:
                weight = LEFT * self.values.there(Kind(cards), public.area)
            self.weights[index] = weight
            index += 1

    def look_around(self, public: KingdomsPublic, seat: Seat) -> None:
        """Note the other side's possible next actions, and the defence against them."""
        forces, other = self.forces, Seat(1 - seat)
        monarch = forces.monarchs[seat]
        self.home = area_of(public, monarch)
        if self.home >= 0:
            self.shields = forces.defence[monarch] + forces.guard[monarch * 5 + self.home]
            self.shields -= helped(forces, public, other, self.home)
        backs = public.backs_of(other)
        self.normals, self.aces = backs & 255, backs >> 8
        if public.owner == seat:
            funds, room = public.funds_of(other), public.room_of(other)
            aces = min(funds // 2, room)
            self.aces += aces
            self.normals += min(funds - 2 * aces, room - aces)
        self.funds = public.funds_of(seat)

    def prospect(self, hand: i64, first: i64, second: i64) -> float:
        """Return the value without these cards: the next draft, minus the risk to the monarch."""
        forces, home = self.forces, self.home
        room: i64 = MOST
        bonus: i64 = 0
        while hand:
            kind = hand & 63
            hand >>= CARD
            if kind == first:
                first = 0
            elif kind == second:
                second = 0
            else:
                room -= 1
                if home >= 0 and not forces.is_monarch(kind):
                    adds = forces.defence[kind] + forces.guard[kind * 5 + home]
                    bonus = max(bonus, adds + forces.partner[kind])
        room = max(room, 0)
        funds = self.funds
        aces: i64 = 0
        if funds > room:
            aces = min(funds - room, room)
            funds = room
        value = REFILL * (float(funds - aces) + ACE_IS * float(aces))
        if home >= 0:
            value -= RISK * self.odds.reach(home, self.shields + bonus, self.normals, self.aces)
        return value

    # Deployment --------------------------------------------------------------------------------

    def weigh_deployment(self, view: KingdomsView, choices: Choices) -> None:
        public, seat, table = view.public, view.seat, self.game.table
        hand = few(view.own.hand)
        self.look_around(public, seat)
        before = self.prospect(hand, 0, 0)
        index: i64 = 0
        while index < choices.count:
            action = choices.ids[index]
            move, area = table.moves[action], table.areas[action]
            first, second = table.cards[action] & 63, table.cards[action] >> CARD
            weight = 0.0
            if move == TO_ATTACK:
                weight = self.of_attacking(public, seat, area, first, second)
                weight += self.prospect(hand, first, second) - before
            elif move == TO_OCCUPY:
                weight = self.of_occupying(public, seat, area, first)
                weight += self.prospect(hand, first, 0) - before
            elif move == TO_SWAP:
                weight = self.of_swapping(public, seat, area, first)
            self.weights[index] = weight
            index += 1

    def of_occupying(self, public: KingdomsPublic, seat: Seat, area: i64, kind: i64) -> float:
        if public.areas_of(seat) | 1 << area == ALL_AREAS:
            return MATCH
        value = area_value(public, seat, area)
        value += self.values.placed(Kind(kind), area) - self.values.in_hand[kind]
        return value - EXPOSED if kind == self.forces.monarchs[seat] else value

    def of_swapping(self, public: KingdomsPublic, seat: Seat, area: i64, kind: i64) -> float:
        values = self.values
        taken = public.card_in(area)
        if taken == self.forces.monarchs[seat]:
            return -1.0
        gain = values.in_hand[taken] - values.placed(taken, area)
        return gain + values.placed(Kind(kind), area) - values.in_hand[kind]

    def of_attacking(
        self, public: KingdomsPublic, seat: Seat, area: i64, first: i64, second: i64
    ) -> float:
        """Return the value of an attack against the best reinforcement that the backs allow."""
        forces, values, other = self.forces, self.values, Seat(1 - seat)
        holder = public.card_in(area)
        ahead = swords(forces, first, second) + helped(forces, public, seat, area)
        if not forces.ignores_offset[first] and not forces.ignores_offset[second]:
            ahead -= forces.offset[area]
        ahead -= forces.defence[holder] + forces.guard[holder * 5 + area]
        backs = public.backs_of(other)
        won = self.unanswered(area, ahead, holder, backs)
        cost = values.in_hand[first] + values.in_hand[second]
        has_monarch = first == forces.monarchs[seat] or second == forces.monarchs[seat]
        if holder == forces.monarchs[other]:
            if has_monarch:
                return MATCH * (2.0 * won - 1.0)
            felled = self.unanswered(area, ahead + 1, holder, backs)  # RB 4.1: a tie will do
            return MATCH * felled + (1.0 - felled) * (DRAWN_OUT - cost)
        if has_monarch:
            return won * (area_value(public, seat, area) - EXPOSED) - (1.0 - won) * MATCH
        if public.areas_of(seat) | 1 << area == ALL_AREAS:
            return won * MATCH - (1.0 - won) * cost
        gain = area_value(public, other, area) + values.placed(holder, area)
        gain += area_value(public, seat, area)
        gain += max(values.placed(Kind(first), area), values.placed(Kind(second), area))
        return won * gain + (1.0 - won) * (DRAWN_OUT if ahead >= 0 else 0.0) - cost

    def unanswered(self, area: i64, ahead: i64, holder: Kind, backs: i64) -> float:
        """Return the probability that an attack stays ahead of any reinforcement."""
        if ahead <= 0:
            return 0.0
        ahead -= self.forces.partner[holder]
        return self.odds.all_below(area, ahead, backs & 255, backs >> 8)

    # Defence -----------------------------------------------------------------------------------

    def weigh_defence(self, view: KingdomsView, choices: Choices) -> None:
        public, seat = view.public, view.seat
        hand = few(view.own.hand)
        self.look_around(public, seat)
        index: i64 = 0
        while index < choices.count:
            kind = self.game.table.cards[choices.ids[index]]
            weight = self.of_defending(public, seat, Kind(kind))
            self.weights[index] = weight + self.prospect(hand, kind, 0)
            index += 1

    def of_defending(self, public: KingdomsPublic, seat: Seat, added: Kind) -> float:
        """Return the value of a defence against such backs; strong attackers are likelier."""
        forces, values, area = self.forces, self.values, public.area
        other, holder = Seat(1 - seat), public.card_in(area)
        shields = forces.defence[holder] + forces.guard[holder * 5 + area] + forces.offset[area]
        shields -= helped(forces, public, other, area)
        if added:
            shields += values.bonus(holder, added, area)
        normals, aces = public.down & 255, public.down >> 8
        not_won = self.odds.strike(normals, aces, shields)
        lost = self.odds.strike(normals, aces, shields + 1)
        is_saved = forces.saves_added[holder] > 0
        monarch = forces.monarchs[seat]
        if holder == monarch or (added == monarch and not is_saved):
            return -MATCH * not_won - SPENT * values.in_hand[added]
        theirs = ATTACKER * float(normals + 2 * aces)
        there = values.placed(holder, area)
        held = theirs
        if added:
            held += max(there, values.placed(added, area)) - there - values.in_hand[added]
        gone = area_value(public, seat, area) + there
        if not is_saved:
            gone += values.in_hand[added]
        return (
            (1.0 - not_won) * held
            + (not_won - lost) * theirs
            - not_won * gone
            - lost * area_value(public, other, area)
        )
