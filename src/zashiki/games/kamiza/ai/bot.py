# mypyc: compile
"""A bot for KAMIZA: it estimates the others' cards, and places the card that pays best."""

from math import exp, sqrt
from typing import Any, Final, final

from mypy_extensions import i64

from zashiki.core.dice import Quick
from zashiki.core.game import ActionId, Game
from zashiki.core.parts import Seat, View
from zashiki.games.kamiza.actions import area_of, card_of
from zashiki.games.kamiza.judging import Verdict, judge
from zashiki.games.kamiza.play import DROP_OUT, Kamiza, KamizaView
from zashiki.games.kamiza.state import (
    ALL_CARDS,
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
"""How often people place boss, underboss, hitman and police or raid at the top and the bottom."""
SWING: Final = 2.0
"""The typical change of a lead in one round, in points."""
BLUFF: Final = 0.004
"""The loss of winning probability that the bot accepts so that it is hard to predict: it chooses
among all actions this near to the best."""
FEAR: Final = 0.3
"""The cost of a WANTED chip before the last, in points."""


def immediate_value(game: Game[Any, Any, Any], view: View[Any, Any], action: ActionId) -> float:
    """Return the points of this card if only the open cards were on the table with it."""
    assert isinstance(game, Kamiza)
    public: KamizaPublic = view.public
    layout = Layout(public.opened | turned_up(card_of(action), area_of(action)) << view.seat * 4)
    points = judge(layout, game.judging).points
    return float(points >> view.seat * LANE & LANE_MASK)


@final
class Sensible:
    """Weighs all cards that the others can place in this game, and makes the best plan.

    A plan is a card and an area for each round left, no card twice. The value of a round depends
    only on the card placed in it, so a plan is worth the sum of its rounds.
    """

    def __init__(self, game: Game[Any, Any, Any], seed: int) -> None:
        assert isinstance(game, Kamiza)
        self.game: Final = game
        self.seed: Final = seed
        self.payoffs: Final[dict[Layout, float]] = {}

    def choose(self, view: KamizaView, legal: list[ActionId]) -> ActionId:
        good = self.good(view, legal)
        return good[self.chance(view.public).below(len(good), "choice")]

    def good(self, view: KamizaView, legal: list[ActionId]) -> list[ActionId]:
        """Return the actions that it chooses among with equal probability."""
        public = view.public
        self.payoffs.clear()
        now = self.values(view, True)
        left = int(ROUNDS - public.round)
        later = self.values(view, False) if left else now
        held = hand(public, view.own)
        totals: list[float] = []
        for action in legal:
            rest = Hand(held & ~(1 << card_of(action)))
            totals.append(now[action] + best_plan(rest, later, left))
        enough = max(totals) - BLUFF
        pairs = zip(legal, totals, strict=True)
        return [action for action, total in pairs if total >= enough]

    def chance(self, public: KamizaPublic) -> Quick:
        """Return dice that depend only on the seed and the round."""
        return Quick(self.seed * 16 + int((public.game - 1) * ROUNDS + public.round))

    def values(self, view: KamizaView, now: bool) -> list[float]:
        """Return the mean payoff of each action, in this round or in a later one of this game."""
        others = [
            laying(view.public, Seat(seat), now)
            for seat in range(int(view.public.seats))
            if seat != view.seat and not view.public.dropped >> seat & 1
        ]
        values: list[float] = []
        for number in range(8):
            action = ActionId(number)
            lying = turned_up(card_of(action), area_of(action)) << view.seat * 4
            values.append(self.mean(view, Layout(lying), others, 0))
        return values

    def mean(
        self, view: KamizaView, layout: Layout, others: list[list[tuple[Layout, float]]], seat: int
    ) -> float:
        """Return the mean payoff over all cards that this rival and the later ones can place."""
        if seat == len(others):
            return self.payoff(view, layout)
        total = 0.0
        for lying, share in others[seat]:
            total += share * self.mean(view, Layout(layout | lying), others, seat + 1)
        return total

    def payoff(self, view: KamizaView, layout: Layout) -> float:
        """Return the winning probability after a layout, which is judged once per decision."""
        known = self.payoffs.get(layout)
        if known is not None:
            return known
        hope = self.hope(view, judge(layout, self.game.judging))
        self.payoffs[layout] = hope
        return hope

    def hope(self, view: KamizaView, verdict: Verdict) -> float:
        """Estimate the probability to win the match with the totals after such a round."""
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


def laying(public: KamizaPublic, seat: Seat, now: bool) -> list[tuple[Layout, float]]:
    """Return the cards that a seat may place or has placed, with their probabilities."""
    opened = public.opened >> seat * 4 & 15
    if now and opened:
        return [(Layout(opened << seat * 4), 1.0)]
    held = ALL_CARDS & ~public.spent_by(seat)
    placed = now and public.placed_by >> seat & 1 != 0
    possible: list[tuple[Layout, float]] = []
    total = 0.0
    code: i64 = 0
    while code < 8:
        elsewhere = placed and public.at_bottom >> seat & 1 != code >> 2
        if held >> (code & 3) & 1 and not elsewhere:
            usual = USUAL[code & 3][code >> 2]
            possible.append((Layout((LIES_HERE | code) << seat * 4), usual))
            total += usual
        code += 1
    return [(layout, usual / total) for layout, usual in possible]


def swing(public: KamizaPublic) -> float:
    """Return the typical change of a lead in the rounds to come, in points."""
    left = (GAMES - public.game) * ROUNDS + ROUNDS - public.round
    return SWING * sqrt(float(left) + 0.1)


def best_plan(held: Hand, values: list[float], rounds: int) -> float:
    """Return the value of the best plan with these cards: the sum of its best cards."""
    best: list[float] = []
    card: i64 = 0
    while card < 4:
        if held >> card & 1:
            best.append(max(values[card << 1], values[card << 1 | 1]))
        card += 1
    best.sort(reverse=True)
    return sum(best[:rounds])
