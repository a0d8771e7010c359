"""Regret minimisation and best responses, on games with known solutions."""

from itertools import product

import pytest

from zashiki.core.dice import Chance
from zashiki.core.game import Action, ActionId, Choices, Game
from zashiki.core.parts import Hidden, Own, Public, Seat, Seats, State, View
from zashiki.core.spec import AnyGame, AnyView
from zashiki.search.best_response import BestResponse, gains
from zashiki.search.cfr import Learner, mix
from zashiki.search.extensive import Tree, even, row, values, with_policy, written_out

pytestmark = pytest.mark.compiled

PASS, BET = 0, 1


class Betting(Public):
    """The public part of Kuhn poker: the actions."""

    def __init__(self) -> None:
        super().__init__()
        self.done: tuple[int, ...] = ()

    def acted(self, action: int) -> None:
        self.done = (*self.done, action)


class Card(Own):
    """One of three cards."""

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat)
        self.card = 0

    def dealt(self, card: int) -> None:
        self.card = card


KuhnState = State[Betting, Card, Hidden]


class Kuhn(Game[Betting, Card, Hidden]):
    """Kuhn poker: three cards, two players, one chip each in the pot, one to bet.

    It is worth -1/18 to seat 0.
    """

    def __init__(self) -> None:
        names = ("pass", "bet")
        super().__init__(2, [Action(ActionId(id), name, name, {}) for id, name in enumerate(names)])

    def begin(self, chance: Chance) -> KuhnState:
        state = State(Betting(), [Card(Seat(0)), Card(Seat(1))], Hidden())
        cards = [0, 1, 2]
        chance.shuffle(cards, "deal")
        for seat in (0, 1):
            state.own[seat].dealt(cards[seat])
        return state

    def to_act(self, public: Betting) -> Seats:
        over = public.done in {(PASS, PASS), (BET, PASS), (BET, BET), (PASS, BET, PASS)}
        return Seats(0 if over or len(public.done) == 3 else 1 << len(public.done) % 2)

    def offer(self, view: View[Betting, Card], choices: Choices) -> None:
        choices.add(ActionId(PASS))
        choices.add(ActionId(BET))

    def apply(self, state: KuhnState, seat: Seat, action: ActionId, chance: Chance) -> None:
        state.public.acted(int(action))

    def worths(self, state: KuhnState) -> list[float] | None:
        done = state.public.done
        if self.to_act(state.public):
            return None
        if done in {(BET, PASS), (PASS, BET, PASS)}:
            winner, pot = (0, 1.0) if done[0] == BET else (1, 1.0)
        else:
            winner = 0 if state.own[0].card > state.own[1].card else 1
            pot = 2.0 if BET in done else 1.0
        return [pot, -pot] if winner == 0 else [-pot, pot]

    def key(self, view: View[Betting, Card]) -> int:
        return int("".join(map(str, (view.own.card + 1, *view.public.done))))


class Morra(Game[Betting, Card, Hidden]):
    """Three seats secretly choose 0 or 1; one who is alone gets 2 from the two others."""

    def __init__(self) -> None:
        super().__init__(3, [Action(ActionId(id), str(id), "say", {}) for id in range(2)])

    def begin(self, chance: Chance) -> KuhnState:
        return State(Betting(), [Card(Seat(seat)) for seat in range(3)], Hidden())

    def to_act(self, public: Betting) -> Seats:
        return Seats(7 >> len(public.done) << len(public.done))

    def offer(self, view: View[Betting, Card], choices: Choices) -> None:
        choices.add(ActionId(0))
        choices.add(ActionId(1))

    def apply(self, state: KuhnState, seat: Seat, action: ActionId, chance: Chance) -> None:
        state.own[seat].dealt(int(action))
        state.public.acted(0)

    def worths(self, state: KuhnState) -> list[float] | None:
        if len(state.public.done) < 3:
            return None
        said = [own.card for own in state.own]
        alone = [said.count(word) == 1 for word in said]
        return [(2.0 if one else -1.0) if any(alone) else 0.0 for one in alone]

    def key(self, view: View[Betting, Card]) -> int:
        return 0


def learnt(tree: Tree, rounds: int) -> Learner:
    learner = Learner(tree)
    learner.run(rounds)
    return learner


def test_kuhns_poker_is_written_out() -> None:
    """Six deals, each reached by one line of draws; 12 information sets of two actions."""
    tree = written_out(Kuhn(), Kuhn())
    assert (len(tree.keys), tree.actions) == (12, 24)
    assert sum(kind == 0 for kind in tree.kinds) == 6 * 5


def test_kuhns_poker_is_solved() -> None:
    tree = written_out(Kuhn(), Kuhn())
    profile = learnt(tree, 3000).average()
    assert values(tree, profile)[0] == pytest.approx(-1 / 18, abs=1e-3)
    assert sum(gains(tree, profile)) < 6e-3
    bluffing = profile[tree.places[tree.keys[(0, 1)]] + BET]
    raising = profile[tree.places[tree.keys[(0, 3)]] + BET]
    assert raising == pytest.approx(3 * bluffing, abs=0.03)  # as in every equilibrium of it


def test_three_seats_that_choose_unseen_learn_to_be_unread() -> None:
    tree = written_out(Morra(), Morra())
    assert max(gains(tree, learnt(tree, 200).average())) < 0.01


def test_nobody_gains_where_all_are_even_and_everybody_where_one_is_read() -> None:
    tree = written_out(Morra(), Morra())
    assert gains(tree, even(tree)) == pytest.approx([0, 0, 0])
    _, zeros = with_policy(Morra(), Morra(), lambda _, __: [1.0, 0.0])
    assert gains(tree, zeros) == pytest.approx([2, 2, 2])


@pytest.mark.parametrize("seat", [0, 1])
def test_a_best_response_is_the_best_of_all_pure_strategies(seat: int) -> None:
    """All pure strategies tried: one of two actions in each of a seat's six information sets."""
    tree = written_out(Kuhn(), Kuhn())
    profile = even(tree)
    best = BestResponse(tree, profile, seat).value()
    own = [number for number in range(12) if tree.seat_of[number] == seat]
    tried = []
    for choices in product((0, 1), repeat=6):
        for number, choice in zip(own, choices, strict=True):
            profile[tree.places[number]] = 1.0 - choice
            profile[tree.places[number] + 1] = float(choice)
        tried.append(values(tree, profile)[seat])
    assert best == pytest.approx(max(tried))


def test_a_policy_is_asked_by_what_its_seat_sees() -> None:
    asked: list[tuple[int, int]] = []

    def policy(view: AnyView, legal: list[ActionId]) -> list[float]:
        asked.append((int(view.seat), Kuhn().key(view)))
        return [0.25, 0.75]

    game: AnyGame = Kuhn()
    tree, profile = with_policy(game, Kuhn(), policy)
    assert asked == list(tree.keys)
    assert list(profile) == [0.25, 0.75] * 12


def test_a_habit_of_the_others_is_learnt_to_be_used() -> None:
    """Against two who choose 0 most of the time, the best response chooses 1."""
    tree, zeros = with_policy(Morra(), Morra(), lambda _, __: [1.0, 0.0])
    learner = Learner(tree, zeros, share=0.5)
    learner.run(300)
    seen = row(tree.actions)
    mix(learner.average(), zeros, 0.5, seen)
    assert max(gains(tree, learner.average())) > 0.1
    for seat in range(3):
        meant = [learner.average()[place] for place in range(tree.actions)]
        assert meant[2 * seat + 1] > 0.6
