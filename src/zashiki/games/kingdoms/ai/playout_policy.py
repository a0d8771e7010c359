# mypyc: compile
"""The playout policy for Kingdoms: which actions are promising, and which worlds are likely.

An action is weighed by what lies open and by the backs in the other's hand, quickly, in the value
of cards; the search then finds out. A position is judged where a turn begins.
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
"""A turn that was begun is played to its end, and judged then."""
HEAT: Final = 12.0
"""How far apart two weights must be for one to be e times as likely, if one look is taken; with
more looks they are told apart as much better."""
MATCH: Final = 60.0
"""To win the match."""
RISK: Final = 30.0
"""To leave things so that the other can win in the next turn."""
EXPOSED: Final = 10.0
"""To win or occupy an area with the monarch, who must stay there."""
REFILL: Final = 1.6
"""A normal card that will be drafted in the next turn."""
DRAFTED: Final = 1.5
"""The same, when it is being drafted."""
LEFT: Final = 2.0
"""The weight of a card in an area, when it is chosen to stay there."""
DRAWN_OUT: Final = 0.6
"""A card that the other spends on a defence."""
SPENT: Final = 0.8
"""How much of its value a card loses that defends a monarch and is discarded."""
ATTACKER: Final = 1.5
"""A normal card among the attackers, to who beats them; an ace is twice as much."""
BOLD: Final = 0.7
"""How much likelier an attack is thought for each point in it."""
HARDLY: Final = 0.05
"""How likely one attacks with the monarch, beside what else is possible."""
FINE: Final = 1 << 24
"""So finely a weighed choice is drawn."""


@final
class KingdomsPolicy(PlayoutPolicy):
    """Weighs actions by the backs that lie open, and positions by all cards of a world."""

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
        """Of each choice, filled again and again."""
        # What is the same for all choices of a decision
        self.home: i64 = 0
        self.shields: i64 = 0
        self.normals: i64 = 0
        self.aces: i64 = 0
        self.funds: i64 = 0

    # What a search asks ------------------------------------------------------------------------

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
        """None with `looks` = 1: that policy tries everything."""
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
        """A stage is a turn: a seat that has not won in it has won nothing yet."""
        before: KingdomsPublic = view.public
        after: KingdomsPublic = state.public
        return None if after.number == before.number else [0.0, 0.0]

    def idle(self, view: View[Any, Any]) -> str:
        """The pile is for later turns, unless a draft is still to come."""
        public: KingdomsPublic = view.public
        return "" if public.phase == DRAFT else "pile"

    def world(
        self, game: Game[Any, Any, Any], view: View[Any, Any], chance: Chance
    ) -> State[Any, Any, Any]:
        """As sampled; but who attacks has chosen strong cards rather than weak ones."""
        state = game.sample(view, chance)
        public: KingdomsPublic = state.public
        if public.down and public.owner != view.seat:
            self.embolden(public, state.own[1 - view.seat], chance)
        return state

    def embolden(self, public: KingdomsPublic, own: KingdomsOwn, chance: Chance) -> None:
        """The attackers are chosen again from the same cards."""
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
        """A weight for each choice, by how good it seems; their sum."""
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
        """Which cards to draft, and which one to leave."""
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
        """Note what the other side may do next, and the defence against it."""
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
        """With these cards gone: what is drafted next, and what may befall the monarch."""
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
        """Against the best card that the backs in the other's hand may hide."""
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
        """How likely an attack stays ahead, whatever card is added."""
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
        """Against attackers with such backs, the bolder the likelier."""
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
