"""Template Game: what is known to whom, what a seat can do, and the rules, all in plain lists.

Read it from top to bottom, and change it into your game: the cards and the facts first, then the
rules, then the texts. `python -m zashiki.laws template-game` finds what you forgot.
"""

from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

from zashiki.core.dice import Chance
from zashiki.core.facts import Number, SeatNumber, Vocabulary
from zashiki.core.game import Action, ActionId, Attempt, Choices, Game, Outcome, ranked
from zashiki.core.parts import NO_SEATS, Hidden, Own, Public, Seat, Seats, State, View, bit
from zashiki.core.position import PositionReader
from zashiki.core.rulings import Z_3, Malformed, Refusal
from zashiki.core.spec import AnyGame, AnyView, GameSpec

from .rulings import TG_2_2

CARDS: Final = 12
"""TG 1.1: one card of each number from 1."""
HAND: Final = 3
"""TG 1.2: cards dealt to each player, and the number of rounds."""
HIGHEST: Final = CARDS


# What is known, to whom ------------------------------------------------------------------------
#
# A part changes only by its facts: methods in the past tense. Each fact begins by writing itself
# down, and its arguments are numbers. `words` below says what they mean.


class TemplateGamePublic(Public):
    """Public part: the round, who began it, the cards played, the points."""

    def __init__(self, seats: int) -> None:
        super().__init__()
        self.seats = seats
        self.round = 0
        self.starter = 0
        self.played_cards: list[list[int]] = [[] for _ in range(seats)]
        """Each seat's cards from the first round on."""
        self.points = [0] * seats

    def turn(self) -> int | None:
        """Return the seat that has to play, or None if all have played in this round."""
        for place in range(self.seats):
            seat = (self.starter + place) % self.seats
            if len(self.played_cards[seat]) < self.round:
                return seat
        return None

    def on_table(self) -> dict[int, int]:
        """Return the cards of this round by seat."""
        at = self.round - 1
        return {seat: cards[at] for seat, cards in enumerate(self.played_cards) if len(cards) > at}

    def round_began(self, round: int, starter: int) -> None:
        if self.journal is not None:
            self.tell("round_began", (round, starter))
        self.round = round
        self.starter = starter

    def played(self, seat: int, card: int) -> None:
        if self.journal is not None:
            self.tell("played", (seat, card))
        self.played_cards[seat].append(card)

    def round_won(self, seat: int) -> None:
        if self.journal is not None:
            self.tell("round_won", (seat,))
        self.points[seat] += 1

    def points_were(self, seat: int, points: int) -> None:
        """Set up a position in the middle of a match; no rule tells this fact."""
        if self.journal is not None:
            self.tell("points_were", (seat, points))
        self.points[seat] = points

    def copy(self) -> "TemplateGamePublic":
        twin = TemplateGamePublic(self.seats)
        twin.round = self.round
        twin.starter = self.starter
        twin.played_cards = [list(cards) for cards in self.played_cards]
        twin.points = list(self.points)
        return twin


class TemplateGameOwn(Own):
    """Part of one seat: the cards that it was dealt.

    A public fact cannot change this part. So `dealt_cards` keeps cards that were played, and
    `hand` leaves them out.
    """

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat)
        self.dealt_cards: list[int] = []

    def dealt(self, card: int) -> None:
        if self.journal is not None:
            self.tell("dealt", (card,))
        self.dealt_cards.append(card)

    def copy(self) -> "TemplateGameOwn":
        twin = TemplateGameOwn(self.seat)
        twin.dealt_cards = list(self.dealt_cards)
        return twin


TemplateGameState = State[TemplateGamePublic, TemplateGameOwn, Hidden]
TemplateGameView = View[TemplateGamePublic, TemplateGameOwn]


def hand(public: TemplateGamePublic, own: TemplateGameOwn) -> list[int]:
    """Return the cards that a seat holds, the lowest first."""
    gone = public.played_cards[int(own.seat)]
    return sorted(card for card in own.dealt_cards if card not in gone)


def words(seats: int, options: Mapping[str, Any]) -> Vocabulary:
    """Return the meaning of every fact's arguments; text/*.toml has a sentence for each fact."""
    seat, card = SeatNumber(seats), Number(1, CARDS)
    return Vocabulary(
        public={
            "round_began": {"round": Number(1, HAND), "starter": seat},
            "played": {"seat": seat, "card": card},
            "round_won": {"seat": seat},
            "points_were": {"seat": seat, "points": Number(0, HAND)},
        },
        own={"dealt": {"card": card}},
        hidden={},
    )


# What a seat can do ----------------------------------------------------------------------------


class PlayCard(Action):
    """Play this card: `play:7`."""

    def __init__(self, id: ActionId) -> None:
        self.card = int(id) + 1
        super().__init__(id, f"play:{self.card}", "play", {"card": self.card})


# The rules -------------------------------------------------------------------------------------


class TemplateGame(Game[TemplateGamePublic, TemplateGameOwn, Hidden]):
    """The rules for a number of seats. A game keeps nothing itself: all that changes is a part."""

    def __init__(self, seats: int) -> None:
        super().__init__(seats, [PlayCard(ActionId(id)) for id in range(CARDS)])

    def empty(self) -> TemplateGameState:
        own = [TemplateGameOwn(Seat(seat)) for seat in range(self.seats)]
        return State(TemplateGamePublic(self.seats), own, Hidden())

    def start(self, state: TemplateGameState, chance: Chance) -> None:
        deck = list(range(1, CARDS + 1))
        chance.shuffle(deck, "deck")
        for own in state.own:  # TG 1.2
            for _ in range(HAND):
                own.dealt(deck.pop())
        state.public.round_began(1, int(chance.below(self.seats, "starter")))  # TG 1.3

    def to_act(self, public: TemplateGamePublic) -> Seats:
        turn = public.turn()
        return NO_SEATS if turn is None else Seats(bit(turn))

    def offer(self, view: TemplateGameView, choices: Choices) -> None:
        for card in hand(view.public, view.own):
            if not self.is_refused(view, card):
                choices.add(ActionId(card - 1))

    def is_refused(self, view: TemplateGameView, card: int) -> bool:
        """TG 2.2: the highest card cannot be led while there is another."""
        is_led = not view.public.on_table()
        return is_led and card == HIGHEST and len(hand(view.public, view.own)) > 1

    def objection(self, view: TemplateGameView, attempt: Attempt) -> Refusal | None:
        assert isinstance(attempt, PlayCard)
        if attempt.card not in hand(view.public, view.own):
            return Refusal(Z_3, (str(attempt.card),), {"card": attempt.card})
        if self.is_refused(view, attempt.card):
            return Refusal(TG_2_2, (str(attempt.card),), {"card": attempt.card})
        return None

    def apply(self, state: TemplateGameState, seat: Seat, action: ActionId, chance: Chance) -> None:
        public = state.public
        public.played(int(seat), int(action) + 1)
        if public.turn() is not None:
            return
        cards = public.on_table()
        winner = max(cards, key=lambda seat: cards[seat])  # TG 2.3
        public.round_won(winner)
        if public.round < HAND:
            public.round_began(public.round + 1, winner)  # TG 2.4

    def outcome(self, public: TemplateGamePublic) -> Outcome | None:
        if public.round < HAND or public.turn() is not None:
            return None
        return Outcome(ranked([(points,) for points in public.points]), public.points)  # TG 3.1

    def sample(self, view: TemplateGameView, chance: Chance) -> TemplateGameState:
        """Deal the cards that this seat has not seen to the others, each deal equally likely."""
        public = view.public
        seen = {card for cards in public.played_cards for card in cards} | {*view.own.dealt_cards}
        unseen = [card for card in range(1, CARDS + 1) if card not in seen]
        parts = []
        for seat in range(self.seats):
            part = TemplateGameOwn(Seat(seat))
            if seat == view.seat:
                cards = view.own.dealt_cards
            else:
                cards = list(public.played_cards[seat])
                while len(cards) < HAND:
                    cards.append(unseen.pop(int(chance.below(len(unseen), "unseen"))))
            for card in cards:
                part.dealt(card)
            parts.append(part)
        return State(public.copy(), parts, Hidden())

    # What people and programs read -------------------------------------------------------------

    def show_public(self, public: TemplateGamePublic) -> dict[str, object]:
        return {
            "seats": self.seats,
            "round": public.round,
            "starter": public.starter,
            "turn": public.turn(),
            "points": list(public.points),
            "played": [list(cards) for cards in public.played_cards],
        }

    def show_own(self, view: TemplateGameView) -> dict[str, object]:
        return {"seat": int(view.seat), "hand": hand(view.public, view.own)}

    def truth(self, state: TemplateGameState) -> dict[str, object]:
        shown = self.show_public(state.public)
        del shown["turn"]  # it follows from the rest
        return {**shown, "hands": [hand(state.public, own) for own in state.own]}

    def set_scene(self, state: TemplateGameState, truth: Mapping[str, object]) -> None:
        Position(truth, self.seats).tell(state)


# A position that somebody wrote ----------------------------------------------------------------


KEYS = ("seats", "round", "starter", "points", "played", "hands")


class Position(PositionReader):
    """A full state, as `truth` gives it, read strictly and told as facts."""

    def __init__(self, truth: Mapping[str, object], seats: int) -> None:
        super().__init__(truth, seats, KEYS)
        self.round = self.number("round", truth["round"], 1, HAND)
        self.starter = self.number("starter", truth["starter"], 0, seats - 1)
        self.points = [
            self.number(f"points[{seat}]", points, 0, HAND)
            for seat, points in enumerate(self.by_seat("points"))
        ]
        self.played = self.cards("played")
        self.hands = self.cards("hands")
        self.check_cards()
        self.check_turns()

    def cards(self, key: str) -> list[list[int]]:
        return [
            [
                self.number(f"{key}[{seat}][{place}]", card, 1, CARDS)
                for place, card in enumerate(self.items(f"{key}[{seat}]", cards))
            ]
            for seat, cards in enumerate(self.by_seat(key))
        ]

    def check_cards(self) -> None:
        """Refuse cards that are there twice, and seats with more or fewer than were dealt."""
        every = [card for cards in (*self.played, *self.hands) for card in cards]
        if len(set(every)) < len(every):
            raise Malformed("truth: played, hands: expected each card once at most")
        for seat in range(self.seats):
            held, played = len(self.hands[seat]), len(self.played[seat])
            if held + played != HAND:
                raise Malformed(
                    f"truth: seat {seat}: expected {HAND} cards in played and hands, "
                    f"found {held + played}"
                )

    def check_turns(self) -> None:
        """Refuse a round in which seats have not played in their order, or that has to end."""
        counts = [len(cards) for cards in self.played]
        in_order = [counts[(self.starter + place) % self.seats] for place in range(self.seats)]
        done = in_order.count(self.round)
        expected = [self.round] * done + [self.round - 1] * (self.seats - done)
        if in_order != expected:
            raise Malformed(f"truth: played: found {counts} cards by seat in round {self.round}")
        if done == self.seats and self.round < HAND:
            raise Malformed(
                f"truth: round = {self.round}: expected {self.round + 1}, as all played"
            )

    def tell(self, state: TemplateGameState) -> None:
        """Tell an empty state the facts that lead to this position."""
        for seat in range(self.seats):
            for card in self.played[seat] + self.hands[seat]:
                state.own[seat].dealt(card)
            for card in self.played[seat]:
                state.public.played(seat, card)
            state.public.points_were(seat, self.points[seat])
        state.public.round_began(self.round, self.starter)


# What the catalogue offers ---------------------------------------------------------------------


def make(seats: int, options: Mapping[str, Any]) -> TemplateGame:
    return TemplateGame(seats)


def immediate_value(game: AnyGame, view: AnyView, action: ActionId) -> float:
    """Return what the greedy bot looks at: lead high, win with a low card, lose the lowest.

    The five levels of bots search by `sample`, `offer` and `apply`, and use this too.
    """
    card = int(action) + 1
    table = view.public.on_table().values()
    return (card > max(table)) - card / 100 if table else card / 100


TEMPLATE_GAME = GameSpec(
    id="template-game",
    folder=files(__package__ or "template_game"),
    seats=(2, 3, 4),
    rules_version=1,
    make=make,
    vocabulary=words,
    immediate_value=immediate_value,
    minutes=5,
    difficulty=1,
)
