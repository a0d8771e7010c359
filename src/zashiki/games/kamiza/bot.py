# mypyc: compile
"""What a good KAMIZA player knows: guess what the others lay, and place what pays best against it."""

from math import exp, sqrt
from typing import Any, Final, final

from mypy_extensions import i64

from zashiki.core.game import ActionId, Game
from zashiki.core.parts import Seat, View
from zashiki.games.kamiza.actions import area_of, card_of
from zashiki.games.kamiza.judging import Verdict, judge
from zashiki.games.kamiza.play import DROP_OUT, Kamiza, KamizaView
from zashiki.games.kamiza.state import (
    GAMES,
    LANE,
    LANE_MASK,
    LIES_HERE,
    ROUNDS,
    Hand,
    KamizaPublic,
    Layout,
    hand,
    turned_up,
)

USUAL: Final = [[1.5, 0.7], [1.0, 1.4], [1.2, 1.2], [1.1, 0.9]]
"""How often people lay a card (boss, underboss, hitman, police or raid) at the top and at the bottom."""
SWING: Final = 2.0
"""How many points one round may turn."""
FEAR: Final = 0.3
"""What a WANTED chip costs before the last, in points."""


def gain(game: Game[Any, Any, Any], view: View[Any, Any], action: ActionId) -> float:
    """The points this card would score if only the open cards lay on the table beside it."""
    assert isinstance(game, Kamiza)
    public: KamizaPublic = view.public
    layout = Layout(public.opened | turned_up(card_of(action), area_of(action)) << view.seat * 4)
    points = judge(layout, game.judging).points
    return float(points >> view.seat * LANE & LANE_MASK)


@final
class Sensible:
    """Weighs everything the others can lay in this game, and makes the best plan against it.

    A plan is a card and an area for each round left, no card twice. What a round brings depends on
    the card laid in it alone, so a plan is worth the sum of its rounds.
    """

    def __init__(self, game: Game[Any, Any, Any], seed: int) -> None:
        assert isinstance(game, Kamiza)
        self.game: Final = game
        self.payoffs: Final[dict[Layout, float]] = {}

    def choose(self, view: KamizaView, legal: list[ActionId]) -> ActionId:
        public = view.public
        self.payoffs.clear()
        now = [self.value(view, ActionId(id), True) for id in range(8)]
        later = [self.value(view, ActionId(id), False) for id in range(8)]
        held = hand(public, view.own)
        best = legal[0]
        most = -1e9
        for action in legal:
            rest = Hand(held & ~(1 << card_of(action)))
            worth = now[action] + best_plan(rest, later, int(ROUNDS - public.round))
            if worth > most:
                best, most = action, worth
        return best

    def value(self, view: KamizaView, action: ActionId, now: bool) -> float:
        """What this card brings on the mean, in this round or in a later one of this game."""
        lying = turned_up(card_of(action), area_of(action)) << view.seat * 4
        return self.mean(view, Layout(lying), Seat(0), now)

    def mean(self, view: KamizaView, layout: Layout, seat: Seat, now: bool) -> float:
        """The mean payoff over all that this seat and those behind it can lay."""
        public = view.public
        if seat == public.seats:
            return self.payoff(view, layout)
        behind = Seat(seat + 1)
        opened = public.opened >> seat * 4 & 15
        if seat == view.seat or public.dropped >> seat & 1:
            return self.mean(view, layout, behind, now)
        if now and opened:
            return self.mean(view, Layout(layout | opened << seat * 4), behind, now)
        total = 0.0
        weights = 0.0
        code: i64 = 0
        while code < 8:
            weight = self.weight(public, seat, code, now)
            if weight > 0.0:
                lying = Layout(layout | (LIES_HERE | code) << seat * 4)
                total += weight * self.mean(view, lying, behind, now)
                weights += weight
            code += 1
        return total / weights

    def weight(self, public: KamizaPublic, seat: Seat, code: i64, now: bool) -> float:
        """How usual it is to lay this card there; 0 where it is impossible."""
        if public.spent_by(seat) >> (code & 3) & 1:
            return 0.0
        if now and public.placed_by >> seat & 1 and public.at_bottom >> seat & 1 != code >> 2:
            return 0.0
        return USUAL[code & 3][code >> 2]

    def payoff(self, view: KamizaView, layout: Layout) -> float:
        """The hope that a layout leaves, judged once a decision."""
        known = self.payoffs.get(layout)
        if known is not None:
            return known
        hope = self.hope(view, judge(layout, self.game.judging))
        self.payoffs[layout] = hope
        return hope

    def hope(self, view: KamizaView, verdict: Verdict) -> float:
        """How likely the totals after such a round make it to win the match."""
        public = view.public
        totals = public.scores + verdict.points
        own = float(totals >> view.seat * LANE & LANE_MASK)
        if verdict.bribed >> view.seat & 1:
            if (public.wanted >> view.seat * LANE & LANE_MASK) + 1 >= DROP_OUT:
                return 0.0
            own -= FEAR
        turn = swing(public)
        hope = 1.0
        seat: i64 = 0
        while seat < public.seats:
            if seat != view.seat and not public.dropped >> seat & 1:
                ahead = own - float(totals >> seat * LANE & LANE_MASK)
                hope /= 1.0 + exp(-ahead / turn)
            seat += 1
        return hope


def swing(public: KamizaPublic) -> float:
    """How many points the rounds still to come may turn."""
    left = (GAMES - public.game) * ROUNDS + ROUNDS - public.round
    return SWING * sqrt(float(left) + 0.1)


def best_plan(held: Hand, values: list[float], rounds: int) -> float:
    """The worth of the best plan with these cards for so many rounds: the sum of its best cards."""
    worths: list[float] = []
    card: i64 = 0
    while card < 4:
        if held >> card & 1:
            worths.append(max(values[card << 1], values[card << 1 | 1]))
        card += 1
    worths.sort(reverse=True)
    return sum(worths[:rounds])
