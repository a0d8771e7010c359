"""A toy with everything that KAMIZA lacks: a hidden deck, draws and a reshuffle during a match,
secret simultaneous choices, and something that one seat saw and must remember.

Each seat holds one card or two. All play one, secretly and at once; the highest scores a point.
Everyone draws one: the seat that peeked first, else the winner, then clockwise. If too few cards
are left, all cards are gathered, shuffled and dealt again. Then the winner may peek at the top of
the deck. This is repeated for `rounds` rounds.
"""

import io
import zipfile
from collections.abc import Callable, Mapping
from functools import partial
from importlib.resources.abc import Traversable
from types import ModuleType
from typing import Any, cast

from tests.toy_parts import (
    ToyHidden,
    ToyOwn,
    ToyPublic,
    ToyState,
    ToyView,
    packed,
    scene_of,
    vocabulary,
)
from zashiki.core.bot import Bot
from zashiki.core.dice import Chance, Quick
from zashiki.core.facts import Vocabulary
from zashiki.core.game import Action, ActionId, Attempt, Choices, Game, Outcome, ranked
from zashiki.core.parts import Seat, Seats, State, View
from zashiki.core.rulings import Z_3, Refusal, Ruling
from zashiki.core.spec import AnyGame, GameSpec, Option
from zashiki.laws import Form

TEXT = """
[titles]
toy = "Toy"
[actions]
lay = "lay {card}"
peek = "peek"
pass = "pass"
[refusals]
"T 1" = "Not now."
"""


class Toy(Game[ToyPublic, ToyOwn, ToyHidden]):
    """The rules."""

    def __init__(self, seats: int, cards: int, rounds: int, hand: int) -> None:
        names = [
            *(("lay", f"lay {card}") for card in range(1, cards + 1)),
            ("peek", "peek"),
            ("pass", "pass"),
        ]
        table = [
            Action(ActionId(id), text, kind, {"card": str(id + 1)})
            for id, (kind, text) in enumerate(names)
        ]
        super().__init__(seats, table)
        self.cards = cards
        self.rounds = rounds
        self.hand = hand

    def empty(self) -> ToyState:
        return State(
            ToyPublic(self.seats), [ToyOwn(seat) for seat in range(self.seats)], ToyHidden()
        )

    def start(self, state: ToyState, chance: Chance) -> None:
        self.shuffle(state, chance)
        self.deal(state)

    def shuffle(self, state: ToyState, chance: Chance) -> None:
        cards = list(range(1, self.cards + 1))
        chance.shuffle(cards, "deck")
        state.public.shuffled(len(cards))
        state.hidden.ordered(packed(cards))

    def deal(self, state: ToyState) -> None:
        for seat in range(self.seats):
            for _ in range(self.hand):
                self.draw(state, seat)

    def draw(self, state: ToyState, seat: int) -> None:
        card = state.hidden.deck[0]
        state.hidden.gave()
        state.public.drew(seat, 1)
        state.own[seat].received(card)

    def refill(self, state: ToyState, first: int, chance: Chance) -> None:
        """Deal a card to everyone, or deal all cards again."""
        if state.public.deck < self.seats:
            state.public.gathered()
            for own in state.own:
                own.gave_back()
            self.shuffle(state, chance)
            self.deal(state)
        else:
            for place in range(self.seats):
                self.draw(state, (first + place) % self.seats)

    def to_act(self, public: ToyPublic) -> Seats:
        if public.is_over:
            return Seats(0)
        if public.winner is not None:
            return Seats(1 << public.winner)
        return Seats(sum(1 << seat for seat in range(self.seats) if seat not in public.laid))

    def may(self, view: ToyView, action: int) -> bool:
        if view.public.winner is not None:
            return action == self.cards + 1 or (action == self.cards and view.public.deck > 0)
        return action + 1 in view.own.hand

    def offer(self, view: ToyView, choices: Choices) -> None:
        for action in self.actions:
            if self.may(view, int(action.id)):
                choices.add(action.id)

    def objection(self, view: ToyView, attempt: Attempt) -> Refusal | None:
        if self.may(view, int(self.by_text[attempt.text].id)):
            return None
        if attempt.kind == "lay" and view.public.winner is None:
            return Refusal(Z_3, (), {"card": attempt.words["card"]})
        return Refusal(Ruling("T 1"))

    def apply(self, state: ToyState, seat: Seat, action: ActionId, chance: Chance) -> None:
        public = state.public
        if action >= self.cards:
            self.end_round(state, int(seat), action == self.cards)
            return
        state.own[seat].laid(int(action) + 1)
        public.has_laid(int(seat))
        if len(public.laid) == self.seats:
            self.reveal(state, chance)

    def reveal(self, state: ToyState, chance: Chance) -> None:
        public = state.public
        laid = [own.choice or 0 for own in state.own]
        for own in state.own:
            own.took_away()
        public.revealed(packed(laid))
        winner = laid.index(max(laid))
        first = winner if public.peeker is None else public.peeker
        if public.round < self.rounds:
            self.refill(state, first, chance)
        public.won(winner)
        if public.round == self.rounds:
            public.ended()

    def end_round(self, state: ToyState, seat: int, peeks: bool) -> None:
        if peeks:
            state.public.peeked(seat)
            state.own[seat].saw(state.hidden.deck[0])
        state.public.round_began(state.public.round + 1)

    def outcome(self, public: ToyPublic) -> Outcome | None:
        return (
            Outcome(ranked([(score,) for score in public.scores]), public.scores)
            if public.is_over
            else None
        )

    def sample(self, view: ToyView, chance: Chance) -> ToyState:
        known = [*view.own.hand, *view.public.discard, view.own.top]
        unknown = [card for card in range(1, self.cards + 1) if card not in known]
        chance.shuffle(unknown, "unknown")
        state = self.empty()
        state.public.scene_set(scene_of(view.public))
        for own in state.own:
            if own.seat == view.seat:
                self.tell_own(own, view.own.hand, view.own.choice)
            else:
                size = view.public.sizes[own.seat]
                hand, unknown = sorted(unknown[:size]), unknown[size:]
                lays = int(own.seat) in view.public.laid
                self.tell_own(
                    own, hand, hand[int(chance.below(len(hand), "lay"))] if lays else None
                )
        top = [] if view.own.top is None else [view.own.top]
        state.hidden.ordered(packed(top + unknown))
        if view.public.peeker is not None:
            state.own[view.public.peeker].saw(state.hidden.deck[0])
        return state

    def tell_own(self, own: ToyOwn, hand: list[int], choice: int | None) -> None:
        for card in hand:
            own.received(card)
        if choice is not None:
            own.laid(choice)

    def show_public(self, public: ToyPublic) -> dict[str, object]:
        return {
            "seats": self.seats,
            "round": public.round,
            "scores": list(public.scores),
            "left": list(public.sizes),
            "deck": public.deck,
            "discard": list(public.discard),
            "laid": list(public.laid),
            "winner": public.winner,
            "peeker": public.peeker,
            "over": public.is_over,
        }

    def show_own(self, view: ToyView) -> dict[str, object]:
        own = view.own
        return {
            "seat": int(own.seat),
            "hand": list(own.hand),
            "choice": own.choice,
            "top": own.top,
        }

    def truth(self, state: ToyState) -> dict[str, object]:
        own = state.own
        return {
            **self.show_public(state.public),
            "order": list(state.hidden.deck),
            "tops": [part.top for part in own],
            "hands": [list(part.hand) for part in own],
            "choices": [part.choice for part in own],
        }

    def set_scene(self, state: ToyState, truth: Mapping[str, Any]) -> None:
        public = ToyPublic(self.seats)
        public.round, public.scores, public.sizes, public.deck = (
            truth["round"],
            truth["scores"],
            truth["left"],
            truth["deck"],
        )
        public.winner, public.peeker, public.is_over = (
            truth["winner"],
            truth["peeker"],
            truth["over"],
        )
        public.laid, public.discard = truth["laid"], truth["discard"]
        state.public.scene_set(scene_of(public))
        state.hidden.ordered(packed(truth["order"]))
        for part in state.own:
            self.tell_own(part, truth["hands"][part.seat], truth["choices"][part.seat])
            if truth["tops"][part.seat] is not None:
                part.saw(truth["tops"][part.seat])


# The spec -------------------------------------------------------------------------------------


def folder() -> Traversable:
    """The texts, from memory."""
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        archive.writestr("text/en.toml", TEXT)
    return cast(Traversable, zipfile.Path(zipfile.ZipFile(memory)))


def no_gain(game: AnyGame, view: View[Any, Any], action: ActionId) -> float:
    return 0.0


class First:
    """A bot that takes the first action, or another by its seed."""

    def __init__(self, game: AnyGame, seed: int) -> None:
        self.chance = Quick(seed)

    def choose(self, view: View[Any, Any], legal: list[ActionId]) -> ActionId:
        return legal[int(self.chance.below(len(legal), "choose"))]


def make(kind: type[Toy], seats: int, options: Mapping[str, Any]) -> Toy:
    return kind(seats, options["cards"], options["rounds"], options["hand"])


def spec(
    kind: type[Toy] = Toy,
    words: Callable[[int, Mapping[str, Any]], Vocabulary] = vocabulary,
    bot: Callable[[AnyGame, int], Bot] = First,
) -> GameSpec:
    return GameSpec(
        id="toy",
        folder=folder(),
        seats=(2, 3),
        rules_version=1,
        make=partial(make, kind),
        vocabulary=words,
        immediate_value=no_gain,
        options={
            "cards": Option("cards", (5, 7, 8), 7, "T 1"),
            "rounds": Option("rounds", (2, 4), 4, "T 1"),
            "hand": Option("hand", (1, 2), 2, "T 1"),
        },
        bots={"first": bot},
    )


def conserved(truth: Mapping[str, Any]) -> list[int]:
    held = [card for hand in truth["hands"] for card in hand]
    return sorted([*held, *truth["discard"], *truth["order"]])


def form(offered: GameSpec, seats: int = 2, cards: int = 5, hand: int = 2, rounds: int = 4) -> Form:
    stated = ModuleType("laws")
    stated.conserved = conserved  # type: ignore[attr-defined]
    return Form(offered, seats, {"cards": cards, "rounds": rounds, "hand": hand}, stated)
