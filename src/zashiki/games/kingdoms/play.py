# mypyc: compile
"""The rules of Red Kingdom & Blue Kingdom: legal actions, their results, and the end."""

from collections.abc import Mapping
from typing import Any, Final, final

from mypy_extensions import i64

from zashiki.core.dice import Chance, mixed
from zashiki.core.game import ActionId, Attempt, Choices, Game, Outcome
from zashiki.core.parts import Seat, Seats, State, View
from zashiki.core.rulings import Refusal
from zashiki.games.kingdoms import views
from zashiki.games.kingdoms.actions import (
    EXPECTED,
    TO_ATTACK,
    TO_OCCUPY,
    TO_SWAP,
    Request,
    Table,
    Wish,
)
from zashiki.games.kingdoms.battle import (
    Reckoning,
    amount_in,
    area_in,
    kind_in,
    seat_in,
    source_in,
)
from zashiki.games.kingdoms.cards import (
    CARD,
    MOST,
    NO_CARDS,
    Hand,
    Kind,
    Row,
    holds,
    minus,
    plus,
    size,
)
from zashiki.games.kingdoms.forces import ACE, ALL_AREAS, NORMAL, SIDES, Forces
from zashiki.games.kingdoms.judging import may_be_left, may_swap, objection, side_of
from zashiki.games.kingdoms.position import Position
from zashiki.games.kingdoms.sample import sampled
from zashiki.games.kingdoms.state import (
    BY_AREAS,
    BY_MONARCH,
    BY_STANDSTILL,
    BY_TURNS,
    DEFEND,
    DEPLOY,
    DRAFT,
    MOST_STILL,
    MOST_TURNS,
    NO_AREA,
    NOBODY,
    OVER,
    KingdomsHidden,
    KingdomsOwn,
    KingdomsPublic,
    KingdomsState,
    spelled,
)

KingdomsView = View[KingdomsPublic, KingdomsOwn]


@final
class Kingdoms(Game[KingdomsPublic, KingdomsOwn, KingdomsHidden]):
    """The rules for one card set."""

    def __init__(self, card_set: dict[str, Any]) -> None:
        self.forces: Final = Forces(card_set)
        self.table: Final = Table(self.forces)
        self.reckoning: Final = Reckoning(self.forces)
        super().__init__(len(SIDES), self.table.actions)

    def empty(self) -> KingdomsState:
        own = [KingdomsOwn(Seat(seat)) for seat in range(len(SIDES))]
        return State(KingdomsPublic(self.forces), own, KingdomsHidden())

    def start(self, state: KingdomsState, chance: Chance) -> None:
        """Begin a match (RB 1.5)."""
        for rank in (NORMAL, ACE):
            self.shuffle(state, rank, self.forces.piles[rank], chance)
        state.public.began()
        left: i64 = len(self.forces.piles[NORMAL])
        for seat in range(len(SIDES)):
            state.own[seat].dealt(state.hidden.top(NORMAL, left, MOST))
            left -= MOST

    def shuffle(self, state: KingdomsState, rank: int, cards: list[int], chance: Chance) -> None:
        row = list(cards)
        chance.shuffle(row, "pile")
        state.hidden.shuffled(rank, spelled(row))

    # Legal actions -----------------------------------------------------------------------------

    def to_act(self, public: KingdomsPublic) -> Seats:
        return public.acting

    def offer(self, view: KingdomsView, choices: Choices) -> None:
        public, own = view.public, view.own
        if public.phase == DEPLOY:
            self.offer_deployment(public, own, choices)
        elif public.phase == DEFEND:
            choices.add(self.table.defending)
            self.offer_cards(self.table.defending, own.hand, choices)
        elif public.phase == DRAFT:
            self.offer_drafts(public, own.seat, choices)
        else:
            self.offer_cards(self.table.leaving, may_be_left(public), choices)

    def offer_cards(self, first: ActionId, cards: Hand, choices: Choices) -> None:
        """Offer an action for each kind among these cards."""
        left: int = cards
        last: i64 = 0
        while left:
            if left & 63 != last:
                last = left & 63
                choices.add(ActionId(first + last))
            left >>= CARD

    def offer_drafts(self, public: KingdomsPublic, seat: Seat, choices: Choices) -> None:
        """Offer the drafts (RB 2.1-2.3)."""
        funds, room = public.funds_of(seat), public.room_of(seat)
        normals = public.left_of(NORMAL) + len(public.discards[NORMAL])
        aces = public.left_of(ACE) + len(public.discards[ACE])
        ace: i64 = 0
        while ace <= room and ace <= aces and 2 * ace <= funds:
            normal: i64 = 0
            while normal + ace <= room and normal <= normals and normal + 2 * ace <= funds:
                choices.add(ActionId(self.table.drafts[6 * ace + normal]))
                normal += 1
            ace += 1

    def offer_deployment(self, public: KingdomsPublic, own: KingdomsOwn, choices: Choices) -> None:
        """Offer the actions of a deployment (RB 2.4-2.6, RB 5.1)."""
        choices.add(self.table.ending)
        mine = public.areas_of(own.seat)
        area: i64 = 0
        while area < 5:
            if mine >> area & 1:
                self.offer_swaps(public, area, own.hand, choices)
            elif public.card_in(area):
                self.offer_attacks(area, own.hand, choices)
            else:
                first = self.table.occupying + area * self.forces.count - 1
                self.offer_cards(ActionId(first), own.hand, choices)
            area += 1

    def offer_swaps(self, public: KingdomsPublic, area: i64, hand: Hand, choices: Choices) -> None:
        left: int = hand
        last: i64 = 0
        while left:
            kind: i64 = left & 63
            if kind != last and may_swap(public, Kind(kind), area):
                choices.add(self.table.swap(area, Kind(kind)))
            last = kind
            left >>= CARD

    def offer_attacks(self, area: i64, hand: Hand, choices: Choices) -> None:
        first = self.table.attacking + area * self.table.attacks
        pairs = self.table.pairs
        left: int = hand
        last: i64 = 0
        while left:
            kind: i64 = left & 63
            left >>= CARD
            if kind != last:
                last = kind
                choices.add(ActionId(first + pairs[kind]))
                partners = left
                previous: i64 = 0
                while partners:
                    partner: i64 = partners & 63
                    if partner != previous:
                        previous = partner
                        choices.add(ActionId(first + pairs[kind | partner << CARD]))
                    partners >>= CARD

    def objection(self, view: KingdomsView, attempt: Attempt) -> Refusal | None:
        assert isinstance(attempt, (Request, Wish))
        return objection(view.public, view.own, attempt.meaning)

    def read(self, text: str) -> Attempt:
        action = self.by_text.get(text)
        if action is not None:
            return action
        wish = self.table.read(text)
        return self.by_text.get(wish.text, wish)

    def grammar(self) -> str:
        return EXPECTED

    # Results -----------------------------------------------------------------------------------

    def apply(self, state: KingdomsState, seat: Seat, action: ActionId, chance: Chance) -> None:
        public = state.public
        cards = self.table.cards[action]
        if public.phase == DEPLOY:
            self.deploy(state, seat, action, cards)
        elif public.phase == DEFEND:
            self.fight(state, seat, Kind(cards))
        elif public.phase == DRAFT:
            public.drafted(seat, cards & 15, cards >> 4)
            self.draw(state, seat, NORMAL, cards & 15, chance)
            self.draw(state, seat, ACE, cards >> 4, chance)
        elif not self.fells(public, seat):
            self.settle(state, seat, Kind(cards))

    def draw(
        self, state: KingdomsState, seat: Seat, rank: int, wanted: i64, chance: Chance
    ) -> None:
        """Draw cards of a class, from a new pile if the old one is empty (RB 2.3)."""
        public = state.public
        while wanted:
            left = public.left_of(rank)
            if left == 0:
                self.make_pile(state, rank, chance)
                left = public.left_of(rank)
            count = wanted if wanted < left else left
            cards = state.hidden.top(rank, left, count)
            public.drew(seat, rank, count)
            state.own[seat].took(cards)
            wanted -= count

    def make_pile(self, state: KingdomsState, rank: int, chance: Chance) -> None:
        """Make a pile of the discards. All other cards of the class are open or in a hand."""
        cards = state.public.discards[rank]
        state.public.pile_made(rank)
        self.shuffle(state, rank, cards, chance)
        hands = [self.of_class(state.own[seat].hand, rank) for seat in range(2)]
        state.own[0].worked_out(rank, hands[1], hands[0])
        state.own[1].worked_out(rank, hands[0], hands[1])

    def of_class(self, hand: Hand, rank: i64) -> Hand:
        found = NO_CARDS
        left: int = hand
        while left:
            if self.forces.classes[left & 63] == rank:
                found = plus(found, Kind(left & 63))
            left >>= CARD
        return found

    def deploy(self, state: KingdomsState, seat: Seat, action: ActionId, cards: i64) -> None:
        public = state.public
        move, area = self.table.moves[action], self.table.areas[action]
        if move == TO_ATTACK:
            aces = self.forces.classes[cards & 63] + self.forces.classes[cards >> CARD]
            state.own[seat].committed(Hand(int(cards)))
            public.attacked(seat, area, size(cards) - aces, aces)
        elif move == TO_OCCUPY:
            state.own[seat].laid(Kind(cards))
            public.occupied(seat, area, Kind(cards))
            self.look_for_five(public, seat)
        elif move == TO_SWAP:
            taken = public.card_in(area)
            state.own[seat].laid(Kind(cards))
            state.own[seat].took_back(taken)
            public.swapped(seat, area, Kind(cards), taken)
        else:
            self.end_turn(public, seat)

    def end_turn(self, public: KingdomsPublic, seat: Seat) -> None:
        public.turn_ended(seat)
        if public.still >= MOST_STILL:
            public.ended(NOBODY, BY_STANDSTILL)
        elif public.number >= MOST_TURNS:
            public.ended(NOBODY, BY_TURNS)
        else:
            public.turn_began(Seat(1 - seat), public.number + 1)

    def look_for_five(self, public: KingdomsPublic, seat: Seat) -> None:
        """End the match if a seat holds all five areas (RB 4.3)."""
        if public.areas_of(seat) == ALL_AREAS:
            public.ended(seat, BY_AREAS)

    # Battle ------------------------------------------------------------------------------------

    def fight(self, state: KingdomsState, defender: Seat, added: Kind) -> None:
        """Reveal the cards and compare the totals (RB 3.2-3.5)."""
        public, attacker = state.public, Seat(1 - defender)
        area, attackers = public.area, state.own[attacker].attackers
        holder = public.card_in(area)
        state.own[attacker].turned_up()
        if added:
            state.own[defender].laid(added)
        public.revealed(attacker, area, attackers, holder, added)
        winner = self.winner_of_battle(public)
        if public.journal is not None:
            self.explain(public, attacker)
        if winner == NOBODY:
            public.battle_tied(area)
        else:
            public.battle_won(Seat(winner), area)
        if self.fells(public, winner):
            return
        if winner == NOBODY:
            self.settle_tie(state, attacker)
        elif attackers >> CARD if winner == attacker else added:
            public.leave_asked(Seat(winner))
        else:
            kept = Kind(attackers) if winner == attacker else holder
            self.settle(state, Seat(winner), kept)

    def winner_of_battle(self, public: KingdomsPublic) -> i64:
        """Return the seat with the higher total in a revealed battle (RB 3.4, RB 3.5)."""
        reckoning = self.reckoning
        reckoning.reckon_revealed(public)
        if reckoning.attack == reckoning.defence:
            return NOBODY
        return public.owner if reckoning.attack > reckoning.defence else 1 - public.owner

    def explain(self, public: KingdomsPublic, attacker: Seat) -> None:
        """Tell the arithmetic of the battle, line by line."""
        reckoning, area = self.reckoning, public.area
        for place in range(reckoning.count):
            line = reckoning.lines[place]
            public.counted(
                Seat(seat_in(line)),
                Kind(kind_in(line)),
                area_in(line),
                source_in(line),
                amount_in(line),
            )
        if reckoning.cancelled_by:
            public.offset_cancelled(attacker, area, reckoning.cancelled_by)
        else:
            public.offset_counted(Seat(1 - attacker), area, self.forces.offset[area])
        public.totalled(area, reckoning.attack, reckoning.defence)

    def fells(self, public: KingdomsPublic, winner: i64) -> bool:
        """End the match if a monarch is discarded; all cards stay in place (RB 4.1, RB 4.2)."""
        fallen: i64 = 0
        attacker, defender = public.owner, Seat(1 - public.owner)
        monarchs = self.forces.monarchs
        if winner != attacker and holds(public.attackers, Kind(monarchs[attacker])):
            fallen |= 1 << attacker
        if winner != defender:
            holder, monarch = public.card_in(public.area), monarchs[defender]
            if holder == monarch or (public.added == monarch and not self.saves(public)):
                fallen |= 1 << defender
        if fallen:
            public.ended(NOBODY if fallen == 3 else 2 - fallen, BY_MONARCH)
        return fallen != 0

    def saves(self, public: KingdomsPublic) -> bool:
        """Return whether the reinforcement returns to the hand (RB 5.2), up to five (RB 2.2)."""
        holder, defender = public.card_in(public.area), Seat(1 - public.owner)
        return bool(
            public.added and self.forces.saves_added[holder] and public.room_of(defender) > 0
        )

    def settle(self, state: KingdomsState, winner: Seat, kept: Kind) -> None:
        """Settle a battle: the loser discards all cards, the winner all but one (RB 3.4)."""
        public = state.public
        attacker, area = public.owner, public.area
        other = minus(side_of(public, winner), kept)
        if winner == attacker:
            self.discard_defence(state, Seat(1 - attacker))
        else:
            public.discarded(attacker, Row(public.attackers))
        if other:
            public.discarded(winner, Row(other))
        if other or winner == attacker:
            public.took_hold(winner, area, kept)
        public.battle_ended(area)
        self.look_for_five(public, winner)

    def settle_tie(self, state: KingdomsState, attacker: Seat) -> None:
        """Settle a tie (RB 3.5)."""
        public, area = state.public, state.public.area
        public.discarded(attacker, Row(public.attackers))
        self.discard_defence(state, Seat(1 - attacker))
        public.emptied(area)
        public.battle_ended(area)

    def discard_defence(self, state: KingdomsState, defender: Seat) -> None:
        """Discard the garrison, and the reinforcement unless RB 5.2 saves it."""
        public = state.public
        holder, added = public.card_in(public.area), public.added
        if self.saves(public):
            public.discarded(defender, Row(holder))
            public.returned(defender, added)
            state.own[defender].took_back(added)
        else:
            public.discarded(defender, Row(holder | added << CARD))

    # Views -------------------------------------------------------------------------------------

    def outcome(self, public: KingdomsPublic) -> Outcome | None:
        """Return the outcome (RB 4.8); None before the end."""
        if public.phase != OVER or public.number == 0:
            return None
        if public.winner == NOBODY:
            return Outcome([1, 1], [0.5, 0.5])
        return Outcome([1, 2], [1, 0]) if public.winner == 0 else Outcome([2, 1], [0, 1])

    def sample(self, view: KingdomsView, chance: Chance) -> KingdomsState:
        return sampled(view.public, view.own, chance)

    def view_key(self, view: KingdomsView) -> int:
        public, own = view.public, view.own
        key = mixed(public.phase << 16 | public.number << 4 | public.still, public.cards)
        key = mixed(key, public.held << 16 | public.left)
        key = mixed(key, public.backs)
        key = mixed(key, public.down << 8 | public.area & 255)
        key = mixed(key, hash(public.attackers))
        key = mixed(key, hash(own.hand))
        return int(mixed(key, hash(own.attackers) ^ view.seat))

    def show_public(self, public: KingdomsPublic) -> dict[str, object]:
        return views.show_public(public, self.reckoning)

    def show_own(self, view: KingdomsView) -> dict[str, object]:
        return views.show_own(view.public, view.own, self.reckoning)

    def truth(self, state: KingdomsState) -> dict[str, object]:
        return views.full_state(state)

    def set_scene(self, state: KingdomsState, truth: Mapping[str, object]) -> None:
        Position(truth, self.forces).tell(state)
        public = state.public
        if public.phase == OVER:
            self.end_scene(public)

    def end_scene(self, public: KingdomsPublic) -> None:
        """End a scenario that is over: by its battle, or by five areas, if there are any."""
        if public.area != NO_AREA and self.fells(public, self.winner_of_battle(public)):
            return
        if public.areas_of(Seat(0)) == ALL_AREAS or public.areas_of(Seat(1)) == ALL_AREAS:
            public.ended(0 if public.areas_of(Seat(0)) else 1, BY_AREAS)
        else:
            public.ended(NOBODY, BY_STANDSTILL if public.still >= MOST_STILL else BY_TURNS)
