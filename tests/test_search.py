"""The search over information sets: by view and seed alone, within its budget, to good moves."""

from typing import Any

import pytest

import zashiki
from zashiki.core.dice import Quick
from zashiki.core.game import ActionId
from zashiki.core.match import Match
from zashiki.core.parts import Seat, State
from zashiki.core.playout_policy import GreedyPolicy, PlayoutPolicy, rank_shares
from zashiki.core.spec import AnyGame, AnyView
from zashiki.games.kingdoms.cards import Hand
from zashiki.search.tree import FIRST, HashJournal, Node, Places, Search

FORMS: list[tuple[str, int, dict[str, Any]]] = [
    ("goofspiel", 3, {"cards": 5}),
    ("kamiza-second", 3, {}),
    ("kamiza-2014", 4, {}),
    ("kingdoms", 2, {}),
    ("red-town", 2, {}),
    ("red-town", 4, {"form": "short"}),
]


def first_view(game: str, seats: int, options: dict[str, Any]) -> tuple[Match, AnyView]:
    match = zashiki.start(game, seats, seed=2, options=options)
    return match, match.state.views[min(match.to_act)]


def searched(match: Match, view: AnyView, iterations: int, seed: int = 1) -> Search:
    search = Search(match.game, view, PlayoutPolicy(), Quick(seed), 0.7)
    search.run(iterations)
    return search


@pytest.mark.parametrize(("game", "seats", "options"), FORMS)
def test_equal_seeds_search_alike_and_spend_their_budget(
    game: str, seats: int, options: dict[str, Any]
) -> None:
    match, view = first_view(game, seats, options)
    first, again = (searched(match, view, 40) for _ in range(2))
    assert first.counts() == again.counts()
    assert sum(taken for _, taken, _ in first.counts()) == first.iterations == 40
    assert all(0 <= paid <= 1 for _, _, paid in first.counts())
    assert first.best() in match.game.legal(view)
    others = [searched(match, view, 40, seed).counts() for seed in (2, 3, 4)]
    assert any(other != first.counts() for other in others)


@pytest.mark.parametrize(("game", "seats", "options"), FORMS)
def test_no_state_is_seen_but_those_from_sample(
    game: str, seats: int, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The parts of the view are never changed by the search."""
    match, view = first_view(game, seats, options)
    before = match.record()
    rules = type(match.game)
    worlds: list[State[Any, Any, Any]] = []
    played: set[int] = set()
    sample, apply = rules.sample, rules.apply

    def sampled(self: AnyGame, seen: AnyView, chance: Quick) -> State[Any, Any, Any]:
        assert seen is view
        worlds.append(sample(self, seen, chance))
        return worlds[-1]

    def applied(self: AnyGame, state: State[Any, Any, Any], *rest: Any) -> None:
        played.add(id(state))
        apply(self, state, *rest)

    try:
        monkeypatch.setattr(rules, "sample", sampled)
        monkeypatch.setattr(rules, "apply", applied)
    except TypeError:
        pytest.skip("compiled classes cannot be listened to")
    searched(match, view, 20)
    assert len(worlds) == 20
    assert played == {id(world) for world in worlds}
    assert match.record() == before


def test_the_lead_says_when_the_rest_cannot_change_the_choice() -> None:
    match, view = first_view("kamiza-second", 3, {})
    search = searched(match, view, 200)
    taken = sorted((taken for _, taken, _ in search.counts()), reverse=True)
    assert search.lead() == taken[0] - taken[1]


def test_what_is_best_in_every_world_is_found() -> None:
    """Goofspiel's last but one round: the higher card wins the larger prize for certain."""
    match = zashiki.start("goofspiel", 2, seed=4, options={"cards": 2})
    seat = min(match.to_act)
    view = match.state.views[seat]
    search = searched(match, view, 300)
    prize = match.view(seat)["prize"]
    best = match.game.actions[search.best()].text
    assert best == ("bid:2" if prize == 2 else best)


def test_what_everybody_hears_is_told_apart_from_what_one_seat_hears() -> None:
    match = zashiki.start("kingdoms", 2, seed=1)
    state, ear = match.game.sample(match.state.views[0], Quick(1)), HashJournal()
    ear.listen(state, Seat(0))
    state.own[1].took(Hand(0))
    assert (ear.all, ear.own) == (0, 0)
    state.own[0].took(Hand(0))
    assert ear.all == 0 != ear.own
    state.public.said(Seat(1), "ha")
    assert ear.all != 0
    ear.listen(state, Seat(0))
    assert (ear.all, ear.own) == (0, 0)


class Judge(PlayoutPolicy):
    """Predicts a win of its favourite seat, three decisions after the tree."""

    def __init__(self, liked: int) -> None:
        super().__init__(patience=3)
        self.liked = liked
        self.asked = 0

    def evaluate(self, state: State[Any, Any, Any]) -> list[float]:
        self.asked += 1
        return [float(seat == self.liked) for seat in range(len(state.own))]


def test_a_guide_may_judge_a_match_before_its_end() -> None:
    match, view = first_view("kamiza-second", 3, {})
    policy = Judge(int(view.seat))
    search = Search(match.game, view, policy, Quick(1), 0.7)
    search.run(30)
    assert policy.asked > 0
    assert all(paid == 1 for _, taken, paid in search.counts() if taken)


def test_shares_of_ranks() -> None:
    outcome = zashiki.Outcome
    assert rank_shares(outcome([1, 2], [1, 0])) == [1, 0]
    assert rank_shares(outcome([1, 1], [0, 0])) == [0.5, 0.5]
    assert rank_shares(outcome([1, 1, 3], [5, 5, 0])) == [0.75, 0.75, 0]
    assert rank_shares(outcome([3, 1, 2, 4], [0, 0, 0, 0])) == pytest.approx([1 / 3, 1, 2 / 3, 0])


def test_a_greedy_policy_takes_the_highest_immediate_value() -> None:
    match, view = first_view("kamiza-second", 3, {})
    choices = match.game.choices()
    match.game.offer(view, choices)

    def immediate_value(_game: AnyGame, _view: AnyView, action: ActionId) -> float:
        return float(action)

    policy = GreedyPolicy(match.game, immediate_value, 60)
    picks = {int(policy.pick(view, choices, Quick(n))) for n in range(20)}
    assert picks == {int(max(match.game.legal(view)))}


def test_the_first_visit_of_a_node_counts_where_its_action_is_not_legal_the_second_time() -> None:
    match, _ = first_view("goofspiel", 3, {"cards": 5})
    choices, places = match.game.choices(), Places(len(match.game.actions))
    node = Node(ActionId(3))
    node.note(FIRST, 1.0)
    for action in (1, 2):
        choices.add(ActionId(action))
    node.choose(choices, places, 0.7, Quick(1))
    choices.add(ActionId(3))
    assert node.choose(choices, places, 0.7, Quick(1)) in (0, 1), "what was never tried"
    assert list(node.actions) == [1, 2, 3]
    assert (list(node.taken), list(node.paid)) == ([0, 0, 1], [0.0, 0.0, 1.0])
