# mypyc: compile
"""The rules of Goofspiel."""

from collections.abc import Mapping
from typing import Final, final

from mypy_extensions import i64

from goofspiel import views
from goofspiel.actions import MakeBid, bid_of, every_bid
from goofspiel.position import Position
from goofspiel.sample import sampled
from goofspiel.state import (
    BID,
    BID_MASK,
    LANE,
    LANE_MASK,
    NO_PRIZE,
    Bids,
    GoofspielOwn,
    GoofspielPublic,
    GoofspielState,
    Prize,
    hand,
    nth,
    size,
    turned_up,
)
from zashiki.core.dice import Chance, mixed
from zashiki.core.game import ActionId, Attempt, Choices, Game, Outcome, ranked
from zashiki.core.parts import NO_SEATS, Hidden, Seat, Seats, State, View, bit
from zashiki.core.rulings import Z_3, Malformed, Refusal

GoofspielView = View[GoofspielPublic, GoofspielOwn]

RANDOM: Final = 0
DESCENDING: Final = 1
ASCENDING: Final = 2
ORDERS: Final = ("random", "descending", "ascending")


@final
class Goofspiel(Game[GoofspielPublic, GoofspielOwn, Hidden]):
    """All seats bid for a prize at once. Each card is bid once."""

    def __init__(self, seats: int, cards: int, order: str) -> None:
        bids = every_bid()
        super().__init__(seats, bids[:cards])
        self.cards: Final = cards
        self.order: Final[i64] = ORDERS.index(order)
        self.readable: Final = {bid.text: bid for bid in bids}

    def empty(self) -> GoofspielState:
        own = [GoofspielOwn(Seat(seat)) for seat in range(self.seats)]
        return State(GoofspielPublic(self.seats, self.cards), own, Hidden())

    def start(self, state: GoofspielState, chance: Chance) -> None:
        self.begin_round(state.public, chance)

    def to_act(self, public: GoofspielPublic) -> Seats:
        return public.acting

    def offer(self, view: GoofspielView, choices: Choices) -> None:
        cards: i64 = hand(view.public, view.own) >> 1  # card 1 is action 0
        action: i64 = 0
        ids = choices.ids
        count = choices.count
        while cards:
            ids[count] = action
            count += cards & 1  # else the next write overwrites it: faster than a branch
            cards >>= 1
            action += 1
        choices.count = count

    def objection(self, view: GoofspielView, attempt: Attempt) -> Refusal | None:
        assert isinstance(attempt, MakeBid)
        if hand(view.public, view.own) >> attempt.bid & 1:
            return None
        return Refusal(Z_3, (str(attempt.bid),), {"card": int(attempt.bid)})

    def apply(self, state: GoofspielState, seat: Seat, action: ActionId, chance: Chance) -> None:
        public = state.public
        state.own[seat].chose(bid_of(action))
        public.has_chosen(seat)
        if public.acting == NO_SEATS:
            self.close_round(state, chance)

    def close_round(self, state: GoofspielState, chance: Chance) -> None:
        public = state.public
        bids = all_bids(state)
        public.revealed(bids)
        winners = highest(bids, public.seats)
        if winners & winners - 1:  # GS 2.6: more than one
            public.prize_discarded(public.prize)
        else:
            public.prize_won(only(winners), public.prize)
        if public.to_come:
            self.begin_round(public, chance)

    def begin_round(self, public: GoofspielPublic, chance: Chance) -> None:
        left = size(public.to_come)
        place: i64 = 0
        if self.order == RANDOM:  # GS 2.1: drawn now, so nobody could have known it
            place = chance.below(left, "prize")
        elif self.order == DESCENDING:
            place = left - 1
        public.prize_turned_up(public.round + 1, Prize(nth(public.to_come, place)))

    def outcome(self, public: GoofspielPublic) -> Outcome | None:
        if public.prize != NO_PRIZE or public.to_come:
            return None
        scores = [int(public.scores >> seat * LANE & LANE_MASK) for seat in range(self.seats)]
        return Outcome(ranked([(score,) for score in scores]), scores)

    def sample(self, view: GoofspielView, chance: Chance) -> GoofspielState:
        return sampled(view.public, view.own, chance)

    def view_key(self, view: GoofspielView) -> int:
        public = view.public
        key = mixed(public.round << 8 | public.prize, public.scores)
        key = mixed(key, public.unspent)
        key = mixed(key, public.to_come << 8 | public.acting)
        return int(mixed(key, hand(public, view.own) << 8 | view.seat))

    def show_public(self, public: GoofspielPublic) -> dict[str, object]:
        return views.show_public(public)

    def show_own(self, view: GoofspielView) -> dict[str, object]:
        return views.show_own(view.public, view.own)

    def truth(self, state: GoofspielState) -> dict[str, object]:
        return views.full_state(state)

    def set_scene(self, state: GoofspielState, truth: Mapping[str, object]) -> None:
        Position(truth, self.seats, self.cards).tell(state)

    def read(self, text: str) -> Attempt:
        bid = self.readable.get(text)
        if bid is None:
            raise Malformed(f"action: expected {self.grammar()}, found {text!r}")
        return bid

    def grammar(self) -> str:
        return "'bid:' and the number of a card from 1 to 13, like 'bid:7'"


def all_bids(state: GoofspielState) -> Bids:
    """Return the bids of all seats, turned up."""
    bids: i64 = 0
    for own in state.own:
        bids |= turned_up(own.bid, own.seat)
    return Bids(bids)


def highest(bids: Bids, seats: i64) -> Seats:
    """Return the seats with the highest bid."""
    best: i64 = 0
    winners: i64 = 0
    seat: i64 = 0
    while seat < seats:
        bid = bids >> seat * BID & BID_MASK
        if bid >= best:
            winners = bit(seat) | (winners if bid == best else 0)
            best = bid
        seat += 1
    return Seats(winners)


def only(seat: Seats) -> Seat:
    """Return the only seat in a set of one: 1, 2, 4, 8 give 0, 1, 2, 3."""
    return Seat((seat >> 1) - (seat >> 3))
