# mypyc: compile
"""The rules of KAMIZA: one engine for both editions, which differ by parameters."""

from collections.abc import Mapping
from typing import Final, final

from mypy_extensions import i64

from zashiki.core.dice import Chance, mixed
from zashiki.core.game import ActionId, Attempt, Choices, Game, Outcome, ranked
from zashiki.core.parts import NO_SEATS, Hidden, Seat, Seats, State, View, next_of
from zashiki.core.rulings import Z_3, Refusal
from zashiki.games.kamiza import views
from zashiki.games.kamiza.actions import Place, area_of, card_of, table_of_actions
from zashiki.games.kamiza.judging import Judging, Verdict, judge, only
from zashiki.games.kamiza.position import Position
from zashiki.games.kamiza.sample import sampled
from zashiki.games.kamiza.state import (
    ALL_CARDS,
    GAMES,
    LANE,
    LANE_MASK,
    ROUNDS,
    Area,
    FaceUp,
    KamizaOwn,
    KamizaPublic,
    KamizaState,
    Layout,
    hand,
    turned_up,
)

KamizaView = View[KamizaPublic, KamizaOwn]

DROP_OUT: Final = 3
"""The number of WANTED chips that ends a player's match (K2 4.1)."""


@final
class Kamiza(Game[KamizaPublic, KamizaOwn, Hidden]):
    """KAMIZA (2014) and KAMIZA Second Generation."""

    def __init__(
        self, seats: int, cards: tuple[str, ...], judging: Judging, open_start: bool, chicken: bool
    ) -> None:
        super().__init__(seats, table_of_actions(cards))
        self.cards: Final = cards
        self.judging: Final = judging
        self.open_start: Final = open_start
        self.chicken: Final = chicken

    def empty(self) -> KamizaState:
        own = [KamizaOwn(Seat(seat)) for seat in range(self.seats)]
        return State(KamizaPublic(self.seats), own, Hidden())

    def start(self, state: KamizaState, chance: Chance) -> None:
        state.public.starter_drawn(Seat(chance.below(self.seats, "starter")))  # K2 1.3

    def to_act(self, public: KamizaPublic) -> Seats:
        return public.acting

    def offer(self, view: KamizaView, choices: Choices) -> None:
        cards: i64 = hand(view.public, view.own)
        first: i64 = 0  # the action of this card at the top
        ids = choices.ids
        count = choices.count
        while cards:  # written always and counted if held: a branch here is a coin toss
            ids[count] = first
            ids[count + 1] = first + 1
            count += (cards & 1) << 1
            cards >>= 1
            first += 2
        choices.count = count

    def objection(self, view: KamizaView, attempt: Attempt) -> Refusal | None:
        assert isinstance(attempt, Place)
        if hand(view.public, view.own) >> attempt.card & 1:
            return None
        card = self.cards[attempt.card]
        return Refusal(Z_3, (card,), {"card": card})

    def apply(self, state: KamizaState, seat: Seat, action: ActionId, chance: Chance) -> None:
        public = state.public
        card = card_of(action)
        area = area_of(action)
        state.own[seat].laid(card)
        if self.open_start and seat == public.starter:  # K2 2.7, K1 2.4
            public.placed_open(seat, FaceUp(card), area)
        else:
            public.placed(seat, area)
        if public.acting == NO_SEATS:
            self.close_round(state)

    def close_round(self, state: KamizaState) -> None:
        public = state.public
        layout = self.layout(state)
        public.revealed(layout)
        verdict = judge(layout, self.judging)
        self.tell_verdict(public, verdict)
        last = public.game == GAMES and public.round == ROUNDS
        alone = public.waiting() & (public.waiting() - 1) == 0
        if last or alone:  # K2 4.2: a sole survivor wins at once
            public.ended()
            return
        starter = next_starter(public, verdict)
        if public.round == ROUNDS:
            public.round_began(public.game + 1, 1, starter)
        else:
            public.round_began(public.game, public.round + 1, starter)

    def layout(self, state: KamizaState) -> Layout:
        """Return all cards on the table, turned up."""
        public = state.public
        layout: i64 = 0
        seat: i64 = 0
        while seat < public.seats:
            if public.placed_by >> seat & 1:
                area = Area(public.at_bottom >> seat & 1)
                layout |= turned_up(state.own[seat].card, area) << seat * 4
            seat += 1
        return Layout(layout)

    def tell_verdict(self, public: KamizaPublic, verdict: Verdict) -> None:
        if verdict.raider:
            public.raided(Seat(only(verdict.raider)))
            return
        if verdict.shooter:
            public.boss_shot(Seat(only(verdict.shot_boss)), Seat(only(verdict.shooter)))
        public.judged(verdict.misplaced, verdict.cancelled, verdict.beaten, verdict.points)
        if verdict.bribed:
            taker = Seat(only(verdict.bribed))
            public.wanted_taken(taker)  # K2 3.9
            if public.wanted >> taker * LANE & LANE_MASK >= DROP_OUT:
                public.dropped_out(taker)

    def outcome(self, public: KamizaPublic) -> Outcome | None:
        if not public.over:
            return None
        scores = [int(public.scores >> seat * LANE & LANE_MASK) for seat in range(self.seats)]
        return Outcome(
            ranked([self.merit(public, Seat(seat)) for seat in range(self.seats)]), scores
        )

    def sample(self, view: KamizaView, chance: Chance) -> KamizaState:
        return sampled(view.public, view.own, chance)

    def view_key(self, view: KamizaView) -> int:
        public = view.public
        key = mixed(public.game << 8 | public.round << 4 | public.starter, public.scores)
        key = mixed(key, public.wanted)
        key = mixed(key, public.spent << 8 | public.dropped)
        key = mixed(key, public.opened << 8 | public.at_bottom)
        key = mixed(key, public.order << 8 | public.placed_by)
        return int(mixed(key, hand(public, view.own) << 4 | view.seat))

    def show_public(self, public: KamizaPublic) -> dict[str, object]:
        return views.show_public(public, self.cards, self.judging.second)

    def show_own(self, view: KamizaView) -> dict[str, object]:
        return views.show_own(view.public, view.own, self.cards)

    def truth(self, state: KamizaState) -> dict[str, object]:
        return views.full_state(state, self.cards, self.judging.second)

    def set_scene(self, state: KamizaState, truth: Mapping[str, object]) -> None:
        Position(truth, self.seats, self.cards, self.judging.second).tell(state)

    def grammar(self) -> str:
        cards = ", ".join(self.cards)
        return f"a card ({cards}), @ and an area (top, bottom), like '{self.cards[0]}@top'"

    def merit(self, public: KamizaPublic, seat: Seat) -> tuple[float, ...]:
        """Return the sort key of a seat: still in, total, lowest card left (K2 4.3, K2 4.4)."""
        score = int(public.scores >> seat * LANE & LANE_MASK)
        if public.dropped >> seat & 1:
            return (0, score, 0)
        left = ALL_CARDS & ~public.spent_by(seat)
        return (1, score, int(left).bit_length() if self.chicken else 0)


def next_starter(public: KamizaPublic, verdict: Verdict) -> Seat:
    """Return the starter: the raider (K1 2.2), or the highest total (K2 2.6).

    If tied, it is the present starter or the next clockwise.
    """
    if verdict.raider:
        return Seat(only(verdict.raider))
    best: i64 = -1
    leaders: i64 = 0
    seat: i64 = 0
    while seat < public.seats:
        score = public.scores >> seat * LANE & LANE_MASK
        if not public.dropped >> seat & 1 and score >= best:
            leaders = 1 << seat | (leaders if score == best else 0)
            best = score
        seat += 1
    if leaders >> public.starter & 1:
        return public.starter
    return Seat(only(next_of(Seats(leaders), public.starter)))
