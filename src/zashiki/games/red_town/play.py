# mypyc: compile
"""The rules of Red Town in all its forms: preparation, turf wars, cleanup."""

from collections.abc import Mapping
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from zashiki.core.dice import Chance, mixed
from zashiki.core.game import ActionId, Attempt, Choices, Game, Outcome
from zashiki.core.parts import NO_SEATS, Seat, Seats, State, View, next_of, only
from zashiki.core.rulings import Refusal
from zashiki.games.red_town import views
from zashiki.games.red_town.actions import EXPECTED, Request, Table, Wish, canonical
from zashiki.games.red_town.cards import (
    LOWEST,
    RED_THREE,
    Cards,
    Kind,
    black_hitmen,
    count,
    full_deck,
    hitmen,
    plus,
    red_hitmen,
)
from zashiki.games.red_town.deal import draw, in_a_row
from zashiki.games.red_town.judging import objection
from zashiki.games.red_town.own import RedTownHidden, RedTownOwn
from zashiki.games.red_town.packing import (
    CHOOSE,
    DECIDE,
    DISCARD,
    END_WAR,
    FORMS,
    GIVE,
    LOOK,
    OVER,
    PICK,
    PICK_MANY,
    SHORT,
    TURN,
    TWO,
    Four,
    Packet,
    copied,
    hand_size,
)
from zashiki.games.red_town.plays import ALL_LOCATIONS, BLACK_FOUR, RED_FOUR, plays_with
from zashiki.games.red_town.position import Position
from zashiki.games.red_town.sample import sampled
from zashiki.games.red_town.set_up import set_up
from zashiki.games.red_town.state import RedTownPublic, RedTownState

RedTownView = View[RedTownPublic, RedTownOwn]


@final
class RedTown(Game[RedTownPublic, RedTownOwn, RedTownHidden]):
    """Sumidagawa Red Town for a number of seats, in one of its forms."""

    def __init__(self, seats: int, form: str, is_open: bool) -> None:
        self.form: Final[i64] = FORMS.index(form)
        self.is_open: Final = is_open
        self.plays: Final = plays_with(9 if seats == 5 else 8)
        self.table: Final = Table(self.plays, FORMS.index(form))
        super().__init__(seats, self.table.actions)
        self.deck: Final = full_deck(seats)
        self.row: vec[i64] = in_a_row(self.deck)

    def empty(self) -> RedTownState:
        own = [RedTownOwn(Seat(seat), self.form) for seat in range(self.seats)]
        public = RedTownPublic(self.plays, self.form, self.seats, self.is_open)
        return State(public, own, RedTownHidden())

    def start(self, state: RedTownState, chance: Chance) -> None:
        self.begin_round(state, 1, chance)

    def to_act(self, public: RedTownPublic) -> Seats:
        return public.acting

    # What is legal -----------------------------------------------------------------------------

    def offer(self, view: RedTownView, choices: Choices) -> None:
        public = view.public
        if public.phase == TURN:
            self.plays.offer(view.own.hand, public.free, public.declared, choices)
            if public.declared or public.free != ALL_LOCATIONS:  # RT 3.4
                choices.add(self.table.passing)
        else:
            self.offer_decision(public, view.own, choices)

    def offer_decision(self, public: RedTownPublic, own: RedTownOwn, choices: Choices) -> None:
        table = self.table
        if public.phase == DECIDE:
            choices.add(ActionId(table.decisions))
            if own.supply:
                choices.add(ActionId(table.decisions + 1))
        elif public.phase == PICK:
            if red_hitmen(own.supply):
                choices.add(ActionId(table.hitmen))
            if black_hitmen(own.supply):
                choices.add(ActionId(table.hitmen + 1))
        elif public.phase == PICK_MANY:
            self.offer_many(own.supply, choices)
        elif public.phase == DISCARD:
            self.offer_discards(own.hand, choices)
        elif public.phase == END_WAR:
            choices.add(table.ending)
            choices.add(table.staying)
        else:
            first = table.sets + set_choice(public.phase)
            choices.add(ActionId(first))
            choices.add(ActionId(first + 1))

    def offer_many(self, supply: Cards, choices: Choices) -> None:
        """Offer every choice of one or more Hitmen, up to all (RT 2.6)."""
        for number in range(1, 9):
            if number // 3 <= red_hitmen(supply) and number % 3 <= black_hitmen(supply):
                choices.add(ActionId(self.table.many + number - 1))

    def offer_discards(self, hand: Cards, choices: Choices) -> None:
        for place, kind in enumerate(self.plays.discards):
            if count(hand, Kind(kind)):
                choices.add(ActionId(self.plays.count + place))
        choices.add(self.table.keeping)

    def objection(self, view: RedTownView, attempt: Attempt) -> Refusal | None:
        assert isinstance(attempt, (Request, Wish))
        return objection(view.public, view.own, attempt)

    def read(self, text: str) -> Attempt:
        action = self.by_text.get(text)
        if action is not None:
            return action
        wish = canonical(text)
        return self.by_text.get(wish.text, wish)

    def grammar(self) -> str:
        return EXPECTED

    # What follows ------------------------------------------------------------------------------

    def apply(self, state: RedTownState, seat: Seat, action: ActionId, chance: Chance) -> None:
        phase = state.public.phase
        if phase == TURN:
            if action == self.table.passing:
                state.public.has_passed(seat)
                self.go_on(state, seat)
            else:
                self.play(state, seat, action, chance)
        elif phase == DISCARD:
            self.discard(state, seat, action)
        elif phase == END_WAR:
            self.end_or_stay(state, seat, action)
        elif phase == PICK_MANY:
            self.join(state, seat, Cards(self.cards_of(action)))
            self.begin_wars(state, chance)
        elif phase == LOOK:
            self.look(state, seat, action - self.table.sets + 1)
        else:
            state.own[seat].chose(action)
            state.public.has_chosen(seat)
            if state.public.acting == NO_SEATS:
                self.reveal(state, phase, chance)

    def cards_of(self, action: ActionId) -> Cards:
        request = self.actions[action]
        assert isinstance(request, Request)
        return request.cards

    def play(self, state: RedTownState, seat: Seat, action: ActionId, chance: Chance) -> None:
        public = state.public
        number = self.plays.facts[action] >> 8
        if number == 0:  # RT 5.4, RT 5.5: Hitmen only
            number = public.declared if public.declared else LOWEST
        state.own[seat].laid(Cards(self.plays.packed[action]))
        public.played(seat, action, number)
        left = public.size_of(seat)
        if left == 0:
            left = self.run_out(state, seat)
            if public.holding & (public.holding - 1) == 0:  # RT 3.11
                self.end_round(state, chance)
                return
        location = self.plays.facts[action] & 15
        if location == RED_FOUR and left >= 2:
            public.discard_offered(seat)  # RT 4.5
        elif location == BLACK_FOUR:
            public.end_offered(seat)  # RT 4.6
        else:
            self.go_on(state, seat)

    def run_out(self, state: RedTownState, seat: Seat) -> i64:
        """Take the waiting set (RT 7.6) or go out (RT 3.10). Return the number of cards held."""
        public = state.public
        if not public.waiting >> seat & 1:
            public.went_out(seat)
            return 0
        packet = public.waiting_of(seat)
        cards = Cards(state.hidden.sets[packet])
        public.took_waiting(seat)
        state.own[seat].took_up(cards)
        state.hidden.set_down(packet, Cards(0))
        return public.size_of(seat)

    def discard(self, state: RedTownState, seat: Seat, action: ActionId) -> None:
        if action == self.table.keeping:
            state.public.kept(seat)
        else:
            state.own[seat].laid(Cards(self.plays.packed[action]))
            state.public.discarded(seat, Kind(self.plays.discards[action - self.plays.count]))
        self.go_on(state, seat)

    def end_or_stay(self, state: RedTownState, seat: Seat, action: ActionId) -> None:
        if action == self.table.ending:
            state.public.cut_short(seat)
            self.end_war(state.public, seat)
        else:
            state.public.stayed(seat)
            self.go_on(state, seat)

    def go_on(self, state: RedTownState, seat: Seat) -> None:
        """Continue with the next seat, or end the turf war if all others have passed (RT 3.8)."""
        public = state.public
        if public.holding & ~public.passed & ~public.last == 0:
            self.end_war(public, only(public.last) if public.last else seat)

    def end_war(self, public: RedTownPublic, leader: Seat) -> None:
        """End the turf war. The leader or the next seat clockwise with cards starts (RT 3.9)."""
        if not public.holding >> leader & 1:
            leader = only(next_of(public.holding, leader))
        public.war_ended(leader)

    def end_round(self, state: RedTownState, chance: Chance) -> None:
        """End the round (RT 6.1, RT 6.2, RT 8.2)."""
        public = state.public
        if self.form != SHORT:
            loser = only(public.holding)
            public.boss_lost(loser)
            if public.bosses >> loser * 4 & 15:
                self.begin_round(state, public.round + 1, chance)
                return
        public.ended()

    # Preparation -------------------------------------------------------------------------------

    def begin_round(self, state: RedTownState, round: i64, chance: Chance) -> None:
        """Shuffle and deal (RT 2.1, RT 7.1)."""
        state.public.round_began(round)
        row = copied(self.row)
        left: i64 = len(row)
        size = hand_size(self.seats)
        if self.form == TWO:
            for number in range(2):
                state.own[number].gathered()
            for number in range(4):
                state.hidden.set_down(Packet(number), draw(row, left, size, chance))
                left -= size
        else:
            for number in range(self.seats):
                state.own[number].dealt(round, draw(row, left, size, chance))
                left -= size
        if left or state.hidden.aside:
            state.hidden.set_aside(draw(row, left, left, chance))

    def reveal(self, state: RedTownState, phase: i64, chance: Chance) -> None:
        """Apply the secret choices after all seats have chosen."""
        if phase == DECIDE:
            self.decide(state, chance)
        elif phase == GIVE:
            self.exchange(state)
        elif phase == CHOOSE:
            self.take_hands(state, chance)
        elif self.form == TWO:
            self.split(state)
        else:
            self.pick(state, chance)

    def decide(self, state: RedTownState, chance: Chance) -> None:
        """Apply the choices to confirm or to add (RT 2.2-2.7)."""
        public = state.public
        adding: i64 = 0
        seat: i64 = 0
        while seat < self.seats:
            if public.chosen >> seat & 1 and state.own[seat].choice != self.table.decisions:
                adding |= 1 << seat
            seat += 1
        public.decided(Seats(adding), Seats(public.chosen & ~adding))
        if adding == 0:
            self.begin_wars(state, chance)

    def pick(self, state: RedTownState, chance: Chance) -> None:
        """Add each Hitman to its hand; in the standard form pass hands on (RT 2.5, RT 8.1)."""
        public = state.public
        adders = public.chosen
        for number in range(self.seats):
            if adders >> number & 1:
                own = state.own[number]
                self.join(state, Seat(number), self.cards_of(own.choice))
        if self.form == SHORT:
            self.begin_wars(state, chance)
            return
        hands = [state.own[number].hand for number in range(self.seats)]
        packets = [public.packet_of(Seat(number)) for number in range(self.seats)]
        public.hands_passed(adders)
        for number in range(self.seats):
            if adders >> number & 1:
                to = only(next_of(adders, Seat(number)))
                giver = packets.index(public.packet_of(Seat(number)))
                state.own[number].took_over(to, packets[giver], hands[giver])

    def join(self, state: RedTownState, seat: Seat, cards: Cards) -> None:
        red, black = red_hitmen(cards), black_hitmen(cards)
        state.own[seat].joined(red, black)
        if self.is_open:
            state.public.hired(seat, red, black)
        else:
            state.public.hired_unseen(seat, red + black)

    def begin_wars(self, state: RedTownState, chance: Chance) -> None:
        """Determine the starter of the first turf war (RT 3.1, RT 3.2, RT 7.5, RT 8.3)."""
        public = state.public
        for number in range(self.seats):
            if count(state.own[number].hand, RED_THREE):
                public.red_three_seen(Seat(number))
                public.war_began(Seat(number))
                return
        public.red_three_missed()
        fewest = public.holding if self.form == SHORT else fewest_bosses(public)
        starter = only(fewest)
        if fewest & (fewest - 1):
            starter = nth(fewest, chance.below(size_of(fewest), "starter"))
        public.war_began(starter)

    # The two-player form -----------------------------------------------------------------------

    def look(self, state: RedTownState, seat: Seat, set: i64) -> None:
        packet = state.public.set_of(seat, set - 1)
        state.own[seat].looked_at(set, Cards(state.hidden.sets[packet]))
        state.public.looked_into(seat, set)

    def split(self, state: RedTownState) -> None:
        """Add one Hitman to the set looked at, and the other to the other set (RT 7.2)."""
        public = state.public
        for number in range(2):
            seat = Seat(number)
            red: i64 = 1 if state.own[seat].choice == self.table.hitmen else 0
            looked = public.looked_of(seat)
            state.own[seat].split(looked - 2 * seat + 1, red)
            self.put(state, looked, hitmen(red, 1 - red))
            self.put(state, Packet(looked ^ 1), hitmen(1 - red, red))
            if self.is_open:
                public.hitmen_split(seat, red)
            else:
                public.hitmen_split_unseen(seat)

    def put(self, state: RedTownState, packet: Packet, hitman: Cards) -> None:
        state.hidden.set_down(packet, plus(Cards(state.hidden.sets[packet]), hitman))

    def exchange(self, state: RedTownState) -> None:
        first = self.table.sets + set_choice(GIVE) - 1
        given = [state.own[seat].choice - first for seat in range(2)]
        state.public.sets_exchanged(Four(given[0] | given[1] << 4))

    def take_hands(self, state: RedTownState, chance: Chance) -> None:
        first = self.table.sets + set_choice(CHOOSE)
        taken = [state.own[seat].choice - first for seat in range(2)]
        state.public.hands_taken(Four(taken[0] | taken[1] << 4))
        for number in range(2):
            packet = state.public.packet_of(Seat(number))
            state.own[number].took_up(Cards(state.hidden.sets[packet]))
            state.hidden.set_down(packet, Cards(0))
        self.begin_wars(state, chance)

    # What is shown -----------------------------------------------------------------------------

    def outcome(self, public: RedTownPublic) -> Outcome | None:
        if public.phase != OVER or public.round == 0:
            return None
        if self.form == SHORT:  # RT 8.2
            order = [int(public.out >> place * 4 & 15) for place in range(public.out_count)]
            ranks = [
                order.index(seat) + 1 if seat in order else self.seats for seat in range(self.seats)
            ]
            return Outcome(ranks, [self.seats - rank for rank in ranks])
        bosses = [int(public.bosses >> seat * 4 & 15) for seat in range(self.seats)]
        return Outcome([1 if left else self.seats for left in bosses], bosses)

    def sample(self, view: RedTownView, chance: Chance) -> RedTownState:
        return sampled(view.public, view.own, self.deck, self.table, chance)

    def view_key(self, view: RedTownView) -> int:
        public, own = view.public, view.own
        key = mixed(public.phase << 8 | public.round << 4 | public.stage, public.sizes)
        key = mixed(key, public.packets << 20 | public.supply)
        key = mixed(key, public.bosses << 20 | public.chosen << 8 | public.confirmed)
        key = mixed(key, public.held)
        key = mixed(key, public.free << 16 | public.declared << 8 | public.passed)
        key = mixed(key, public.war << 8 | len(public.laid))
        key = mixed(key, own.hand)
        return int(mixed(key, own.supply ^ view.seat))

    def show_public(self, public: RedTownPublic) -> dict[str, object]:
        return views.show_public(public, self.table)

    def show_own(self, view: RedTownView) -> dict[str, object]:
        return views.show_own(view.public, view.own, self.table, self.deck)

    def truth(self, state: RedTownState) -> dict[str, object]:
        return views.full_state(state, self.table)

    def set_scene(self, state: RedTownState, truth: Mapping[str, object]) -> None:
        form = int(self.form)
        set_up(Position(truth, self.seats, form, self.is_open, self.table, self.deck), state)


def set_choice(phase: i64) -> i64:
    """Return the id of the first answer to a choice among sets: look, give, hand."""
    return 0 if phase == LOOK else 2 if phase == GIVE else 4


def fewest_bosses(public: RedTownPublic) -> Seats:
    """Return the seats with cards that have the fewest bosses."""
    fewest: i64 = 15
    found: i64 = 0
    seat: i64 = 0
    while seat < public.seats:
        bosses = public.bosses >> seat * 4 & 15
        if public.holding >> seat & 1 and bosses <= fewest:
            found = 1 << seat | (found if bosses == fewest else 0)
            fewest = bosses
        seat += 1
    return Seats(found)


def size_of(seats: Seats) -> i64:
    found: i64 = 0
    while seats:
        seats = Seats(seats & (seats - 1))
        found += 1
    return found


def nth(seats: Seats, place: i64) -> Seat:
    """Return the seat at this index among them, from the lowest."""
    while place:
        seats = Seats(seats & (seats - 1))
        place -= 1
    return only(Seats(seats & -seats))
