"""Toys that each break one law, beside the toy that breaks none."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from tests import toy_parts
from tests.toy import First, Toy
from tests.toy_parts import Digits, ToyOwn, ToyPublic, ToyState, ToyView
from zashiki.core.dice import Chance, Script
from zashiki.core.facts import Number, Vocabulary
from zashiki.core.game import ActionId, Attempt, Choices, Outcome
from zashiki.core.parts import Seat, State, View
from zashiki.core.rulings import Refusal


class Twice(Toy):
    """Two actions with one text."""

    def __init__(self, seats: int, cards: int, rounds: int, hand: int) -> None:
        super().__init__(seats, cards, rounds, hand)
        self.by_text["pass"] = self.by_text["peek"]


class MissesOne(Toy):
    def offer(self, view: ToyView, choices: Choices) -> None:
        super().offer(view, choices)
        if view.public.winner is None and choices.count > 1:
            choices.count -= 1


class OffersTwice(Toy):
    def legal(self, view: ToyView) -> list[ActionId]:
        legal = super().legal(view)
        return legal + legal[:1]


class OffersToTheIdle(Toy):
    def legal(self, view: ToyView) -> list[ActionId]:
        return super().legal(view) or [ActionId(0)]


class RefusalsCost(Toy):
    def objection(self, view: ToyView, attempt: Attempt) -> Refusal | None:
        refusal = super().objection(view, attempt)
        if refusal is not None:
            view.public.scores[view.seat] += 1
        return refusal


class ViewReadsHidden(Toy):
    """The top of the deck is stored in the public part without a fact."""

    def draw(self, state: ToyState, seat: int) -> None:
        super().draw(state, seat)
        state.public.stash = state.hidden.deck[:1]  # type: ignore[attr-defined]

    def show_public(self, public: ToyPublic) -> dict[str, object]:
        return {**super().show_public(public), "stash": getattr(public, "stash", [])}


class OwnFactsShow(Toy):
    """A seat's private facts change its public part."""

    def empty(self) -> ToyState:
        state = super().empty()
        own = [Showing(int(part.seat), state.public) for part in state.own]
        return type(state)(state.public, own, state.hidden)  # type: ignore[arg-type]

    def show_public(self, public: ToyPublic) -> dict[str, object]:
        return {**super().show_public(public), "saw": getattr(public, "saw", 0)}


class Showing(ToyOwn):
    def __init__(self, seat: int, public: ToyPublic) -> None:
        super().__init__(seat)
        self.public = public

    def received(self, card: int) -> None:
        super().received(card)
        self.public.saw = card  # type: ignore[attr-defined]


class ShowsMoreThanItsParts(Toy):
    """The view has a key that is neither in the public part nor in the own one."""

    def show(self, view: ToyView) -> dict[str, object]:
        return {**super().show(view), "best": max(view.own.hand, default=0)}


class RulesRemember(Toy):
    """The rules remember the played card, and show it to everyone."""

    last = 0

    def apply(self, state: ToyState, seat: Seat, action: ActionId, chance: Chance) -> None:
        self.last = int(action)
        super().apply(state, seat, action, chance)

    def show_public(self, public: ToyPublic) -> dict[str, object]:
        return {**super().show_public(public), "last": self.last}


class Hinting(ToyPublic):
    def hinted(self, odd: int) -> None:
        self.tell("hinted", (odd,))


class LeaksByFact(Toy):
    """Everyone is told whether the played card is odd."""

    def empty(self) -> ToyState:
        state = super().empty()
        return type(state)(Hinting(self.seats), state.own, state.hidden)

    def apply(self, state: ToyState, seat: Seat, action: ActionId, chance: Chance) -> None:
        if action < self.cards:
            state.public.hinted((action + 1) % 2)  # type: ignore[attr-defined]
        super().apply(state, seat, action, chance)


def hinting_vocabulary(seats: int, options: Mapping[str, Any]) -> Vocabulary:
    words = toy_parts.vocabulary(seats, options)
    return replace(words, public={**words.public, "hinted": {"odd": Number(0, 1)}})


class SamplesSorted(Toy):
    """Only one of the possible worlds is ever sampled."""

    def sample(self, view: ToyView, chance: Chance) -> ToyState:
        return super().sample(view, Zero())


class Zero(Chance):
    def below(self, count: Any, stream: str) -> Any:
        return 0


class SamplesUnevenly(Toy):
    """The lower half of the chance outcomes is twice as likely as stated."""

    def sample(self, view: ToyView, chance: Chance) -> ToyState:
        return super().sample(view, Loaded(chance))


class Loaded(Chance):
    def __init__(self, chance: Chance) -> None:
        self.chance = chance

    def below(self, count: Any, stream: str) -> Any:
        return self.chance.below(count + 1, stream) % count


class SamplesAnotherHand(Toy):
    def sample(self, view: ToyView, chance: Chance) -> ToyState:
        world = super().sample(view, chance)
        mine, other = world.own[view.seat], world.own[view.seat - 1]
        mine.hand, other.hand = other.hand, mine.hand
        return world


class SamplesByItself(Toy):
    def sample(self, view: ToyView, chance: Chance) -> ToyState:
        return super().sample(view, Script([random.randrange(2)]))


class SamplesLostCards(Toy):
    def sample(self, view: ToyView, chance: Chance) -> ToyState:
        world = super().sample(view, chance)
        world.hidden.deck = world.hidden.deck[:-1]
        return world


class SamplesLiveParts(Toy):
    def sample(self, view: ToyView, chance: Chance) -> ToyState:
        world = super().sample(view, chance)
        return type(world)(view.public, world.own, world.hidden)


class SamplesEmptyHands(Toy):
    def sample(self, view: ToyView, chance: Chance) -> ToyState:
        world = super().sample(view, chance)
        world.own[view.seat - 1].hand = []
        return world


class SamplingTakes(Toy):
    def sample(self, view: ToyView, chance: Chance) -> ToyState:
        world = super().sample(view, chance)
        view.own.hand.reverse()
        return world


class AskingTakes(Toy):
    def legal(self, view: ToyView) -> list[ActionId]:
        legal = super().legal(view)
        view.public.discard.append(0)
        return legal


class LookingTakes(Toy):
    def show_own(self, view: ToyView) -> dict[str, object]:
        shown = super().show_own(view)
        view.own.top = None
        view.public.discard.reverse()
        return shown


class FirstToLayWins(Toy):
    """The order of simultaneous choices matters."""

    first = -1

    def reveal(self, state: ToyState, chance: Chance) -> None:
        self.first = state.public.laid[0]
        super().reveal(state, chance)
        state.public.won(self.first)


class OwnDice(Toy):
    def shuffle(self, state: ToyState, chance: Chance) -> None:
        super().shuffle(state, Script([random.randrange(2)]))


class LosesACard(Toy):
    def empty(self) -> ToyState:
        state = super().empty()
        return type(state)(Losing(self.seats), state.own, state.hidden)


class Losing(ToyPublic):
    def revealed(self, cards: str) -> None:
        super().revealed(cards)
        self.discard = self.discard[1:]


class Endless(Toy):
    def reveal(self, state: ToyState, chance: Chance) -> None:
        self.rounds = state.public.round + 1
        super().reveal(state, chance)

    def end_round(self, state: ToyState, seat: int, peeks: bool) -> None:
        state.public.round_began(1)


class RanksFromNought(Toy):
    def outcome(self, public: ToyPublic) -> Outcome | None:
        outcome = super().outcome(public)
        return outcome and Outcome([rank - 1 for rank in outcome.ranks], outcome.scores)


class TiesBreakRanks(Toy):
    def outcome(self, public: ToyPublic) -> Outcome | None:
        outcome = super().outcome(public)
        return outcome and Outcome([min(rank, 2) for rank in outcome.ranks], outcome.scores)


class OverTooSoon(Toy):
    def outcome(self, public: ToyPublic) -> Outcome | None:
        return (
            Outcome([1] * self.seats, [0] * self.seats)
            if public.round == 2
            else super().outcome(public)
        )


class Untold(Toy):
    """Passing has no fact."""

    def end_round(self, state: ToyState, seat: int, peeks: bool) -> None:
        state.public.round += 1
        state.public.winner = None


class UntoldPoints(Toy):
    """Points are given without a fact."""

    def reveal(self, state: ToyState, chance: Chance) -> None:
        super().reveal(state, chance)
        state.public.scores[0] += 1


class TellsWrong(Toy):
    """A fact is recorded differently from what happened."""

    def empty(self) -> ToyState:
        state = super().empty()
        return type(state)(Misspoken(self.seats), state.own, state.hidden)


class Misspoken(ToyPublic):
    def round_began(self, round: int) -> None:
        self.tell("round_began", (round - 1,))
        self.round = round
        self.winner = None


@dataclass(frozen=True)
class Sorted(Digits):
    def write(self, value: int | str) -> object:
        return sorted(int(digit) for digit in str(value))


def sorting_vocabulary(seats: int, options: Mapping[str, Any]) -> Vocabulary:
    words = toy_parts.vocabulary(seats, options)
    return replace(words, hidden={**words.hidden, "ordered": {"order": Sorted()}})


class CountsForItself(Toy):
    """Every third card played since the rules were made is a misdeal: a restored match forgets."""

    played = 0

    def apply(self, state: ToyState, seat: Seat, action: ActionId, chance: Chance) -> None:
        super().apply(state, seat, action, chance)
        self.played += 1
        if self.played % 3 == 0:
            state.public.won(int(seat))
            if state.public.is_over:
                state.public.ended()


class ForgetsWhatWasSeen(Toy):
    def set_scene(self, state: ToyState, truth: Mapping[str, Any]) -> None:
        super().set_scene(state, {**truth, "tops": [None] * self.seats})


class Cheat(First):
    def choose(self, view: View[Any, Any], legal: list[ActionId]) -> ActionId:
        view.own.hand.reverse()
        return legal[0]


class Moody(First):
    moods = count()

    def choose(self, view: View[Any, Any], legal: list[ActionId]) -> ActionId:
        return legal[next(self.moods) % len(legal)]


class Wild(First):
    def choose(self, view: View[Any, Any], legal: list[ActionId]) -> ActionId:
        return ActionId(max(legal) + 1)


class Peeping(First):
    """Looks behind the view: at other holders of the public part."""

    def choose(self, view: View[Any, Any], legal: list[ActionId]) -> ActionId:
        return legal[0 if view.public.journal is None else -1]


class SharingPublic(ToyPublic):
    def copy(self) -> ToyPublic:
        twin = SharingPublic(self.seats)
        twin.scene_set(toy_parts.scene_of(self))
        twin.scores = self.scores
        return twin


class CopiesShareScores(Toy):
    def empty(self) -> ToyState:
        state = super().empty()
        return State(SharingPublic(self.seats), state.own, state.hidden)


class ForgetfulPublic(ToyPublic):
    def copy(self) -> ToyPublic:
        twin = super().copy()
        twin.winner = None
        return twin


class CopiesForgetTheWinner(Toy):
    def empty(self) -> ToyState:
        state = super().empty()
        return State(ForgetfulPublic(self.seats), state.own, state.hidden)


class KeysByIdentity(Toy):
    """Its bots draw by more than their view."""

    def view_key(self, view: ToyView) -> int:
        return id(view)
