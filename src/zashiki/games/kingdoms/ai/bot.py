# mypyc: compile
"""A bot for Kingdoms that samples the other's hand, and the immediate value of an action."""

from typing import Any, Final, final

from mypy_extensions import i64

from zashiki.core.dice import Quick
from zashiki.core.game import ActionId, Game
from zashiki.core.parts import Seat, View
from zashiki.games.kingdoms.actions import TO_ATTACK, TO_OCCUPY, TO_SWAP
from zashiki.games.kingdoms.ai.deployment import Deployment
from zashiki.games.kingdoms.ai.values import (
    ACE_IS,
    AREA,
    EXPOSED,
    MATCH,
    RISK,
    CardValues,
    area_of,
    area_value,
    doubtful,
)
from zashiki.games.kingdoms.cards import CARD, NO_CARD, Hand, Kind, both, kinds_of, minus, without
from zashiki.games.kingdoms.play import Kingdoms, KingdomsView
from zashiki.games.kingdoms.sample import alike, sampled
from zashiki.games.kingdoms.state import (
    DEFEND,
    DEPLOY,
    DRAFT,
    KingdomsOwn,
    KingdomsPublic,
    KingdomsState,
)

WORLDS: Final = 8
"""The number of sampled hands of the other."""


def immediate_value(game: Game[Any, Any, Any], view: View[Any, Any], action: ActionId) -> float:
    """Return the value of the cards and areas that an action wins at once, by the open cards."""
    assert isinstance(game, Kingdoms)
    public, forces, table = view.public, game.forces, game.table
    cards, area = table.cards[action], table.areas[action]
    if public.phase == DRAFT:
        return float(cards & 15) + ACE_IS * float(cards >> 4)
    if public.phase == DEFEND:
        return float(forces.defence[cards]) if cards else 0.5
    if public.phase != DEPLOY:
        return float(forces.defence[cards])
    move = table.moves[action]
    if move == TO_OCCUPY:
        return area_value(public, view.seat, area) - 0.1 * float(forces.attack[cards])
    if move != TO_ATTACK:
        return -1.0 if move == TO_SWAP else 0.0
    reckoning, held = game.reckoning, public.areas_of(view.seat)
    reckoning.reckon(view.seat, area, Hand(int(cards)), NO_CARD, public.cards, held)
    margin = float(reckoning.attack - reckoning.defence)
    return AREA + margin if margin > 0 else -1.0


@final
class Sensible:
    """Samples some hands of the other, and values each action against all of them."""

    def __init__(self, game: Game[Any, Any, Any], seed: int) -> None:
        assert isinstance(game, Kingdoms)
        self.game: Final = game
        self.seed: Final = seed
        self.values: Final = CardValues(game)

    def choose(self, view: KingdomsView, legal: list[ActionId]) -> ActionId:
        if len(legal) == 1:
            return legal[0]
        phase = view.public.phase
        if phase == DEPLOY:
            values = Deployment(self.values, view, self.worlds(view)).action_values(legal)
        elif phase == DEFEND:
            values = self.defence_values(view, legal)
        elif phase == DRAFT:
            values = [immediate_value(self.game, view, action) for action in legal]
        else:
            values = [self.value_of_leaving(view.public, action) for action in legal]
        return legal[values.index(max(values))]

    def worlds(self, view: KingdomsView) -> list[KingdomsState]:
        chance = Quick(self.seed)
        return [sampled(view.public, view.own, chance) for _ in range(WORLDS)]

    def value_of_leaving(self, public: KingdomsPublic, action: ActionId) -> float:
        kind = Kind(self.game.table.cards[action])
        return self.values.there(kind, public.area) + 0.1 * self.values.in_hand[kind]

    # Defence -----------------------------------------------------------------------------------

    def defence_values(self, view: KingdomsView, legal: list[ActionId]) -> list[float]:
        """Return the values of defences: of the battle, and of a next attack on the own monarch."""
        public, seat, values = view.public, view.seat, self.values
        monarch = Kind(self.game.forces.monarchs[seat])
        home = area_of(public, monarch)
        attackers: list[Hand] = []
        next_attacks: list[i64] = []
        for world in self.worlds(view):
            own = world.own[1 - seat]
            cards = self.likely_attackers(public, own)
            rest = without(both(own.hand, own.attackers), cards)
            attackers.append(cards)
            next_attacks.append(values.best_attack(public, own.seat, rest, home))
        found: list[float] = []
        for action in legal:
            added = Kind(self.game.table.cards[action])
            left = minus(view.own.hand, added) if added else view.own.hand
            total = 0.0
            for cards in attackers:
                total += self.value_of_battle(public, seat, cards, added)
            if home >= 0:
                shields = values.best_defence(monarch, left, home)
                for next_attack in next_attacks:
                    total -= RISK * doubtful(shields - next_attack)
            found.append(total / len(attackers))
        return found

    def likely_attackers(self, public: KingdomsPublic, own: KingdomsOwn) -> Hand:
        """Return the strongest attack with these backs from the cards of a seat."""
        forces = self.game.forces
        monarch = Kind(forces.monarchs[own.seat])
        best: i64 = -1
        found = own.attackers
        hand = minus(both(own.hand, own.attackers), monarch)
        for cards in alike(forces, hand, public.down):
            first, second = cards & 63, cards >> CARD
            total = forces.attack[first] + forces.attack[second]
            if second:
                total += forces.partner[first] + forces.partner[second]
            if total > best:
                best = total
                found = cards
        return found

    def value_of_battle(
        self, public: KingdomsPublic, defender: Seat, attackers: Hand, added: Kind
    ) -> float:
        """Return the value of a battle to its defender."""
        forces, values = self.game.forces, self.values
        attacker, area = Seat(1 - defender), public.area
        reckoning, held = self.game.reckoning, public.areas_of(attacker)
        reckoning.reckon(attacker, area, attackers, added, public.cards, held)
        ahead = reckoning.defence - reckoning.attack
        holder, monarch = public.card_in(area), forces.monarchs[defender]
        is_saved = forces.saves_added[holder]
        at_stake = holder == monarch or (added == monarch and not is_saved)
        if at_stake and ahead <= 0:
            return -MATCH
        theirs = 0.0
        for kind in kinds_of(attackers):
            if ahead >= 0 and kind == forces.monarchs[attacker]:
                return MATCH
            theirs += values.in_hand[kind]
        if ahead > 0:
            lost = MATCH * doubtful(ahead) if at_stake else 0.0
            return theirs - lost - self.cost_of_winning(holder, added, area)
        lost = values.placed(holder, area) + area_value(public, defender, area)
        if added and not is_saved:
            lost += values.in_hand[added]
        if ahead == 0:
            return theirs - lost
        return -lost - area_value(public, attacker, area)

    def cost_of_winning(self, holder: Kind, added: Kind, area: i64) -> float:
        """Return the cost of a won defence: of two cards one is discarded (RB 3.4)."""
        if added == NO_CARD:
            return 0.0
        values = self.values
        kept = max(values.placed(holder, area), values.placed(added, area))
        exposed = EXPOSED if self.game.forces.is_monarch(added) else 0.0
        return values.placed(holder, area) + values.in_hand[added] - kept + exposed
