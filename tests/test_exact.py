"""Certain wins: a player who follows the proof wins, and every existing proof is found."""

from typing import Any

import pytest

import zashiki
from zashiki.bots import make_bot
from zashiki.bots.thinking import playout_policy_of
from zashiki.core.dice import Quick
from zashiki.core.match import Match
from zashiki.core.parts import Seat, State
from zashiki.games import game_spec
from zashiki.games.kingdoms.tests.tables import draft
from zashiki.search.exact import Proof

pytestmark = pytest.mark.compiled

AnyState = State[Any, Any, Any]
ENOUGH = 300


def certain(match: Match, seat: int) -> str | None:
    spec, game = match.spec, match.game
    proof = Proof(game, match.state.views[seat], playout_policy_of(spec, game, 6), ENOUGH)
    action = proof.winner()
    return None if action is None else game.actions[action].text


def test_in_red_town_who_follows_the_proof_does_not_lose_the_round() -> None:
    """Against any opponent: here, a random one."""
    spec = game_spec("red-town")
    game = spec.make(2, spec.check_options(None, 2))
    policy = playout_policy_of(spec, game, 6)
    followed = 0
    for seed in range(3):
        chance = Quick(seed)
        sensible = make_bot("sensible", spec, game, seed)
        state = game.empty()
        game.start(state, chance)
        promised: dict[Seat, tuple[int, int]] = {}
        while to_act := int(game.to_act(state.public)):
            seat = Seat((to_act & -to_act).bit_length() - 1)
            view = state.views[seat]
            few = sum(int(state.public.size_of(Seat(one))) for one in range(2)) <= 6
            action = Proof(game, view, policy, ENOUGH).winner() if few else None
            if action is not None:
                assert Proof(game, view, policy, 1).winner() is None, "one position is too few"
                assert Proof(game, view, policy, ENOUGH, end=0.0).winner() is None, "no time"
                promised[seat] = int(state.public.round), bosses(state, seat)
            else:
                assert seat not in promised, "a proof does not end before its round"
                legal = game.legal(view)
                at_random = legal[chance.below(len(legal), "pick")]
                action = at_random if promised else sensible.choose(view, legal)
            game.apply(state, seat, action, chance)
            for one, (round, before) in list(promised.items()):
                if state.public.round != round or game.to_act(state.public) == 0:
                    assert bosses(state, one) == before
                    followed += 1
                    del promised[one]
    assert followed >= 3


def bosses(state: AnyState, seat: Seat) -> int:
    return int(state.public.bosses >> seat * 4 & 15)


def test_too_many_worlds_are_not_looked_at() -> None:
    match = zashiki.start("red-town", 2, seed=1)
    assert certain(match, min(match.to_act)) is None


def test_in_kingdoms_a_draft_that_needs_luck_is_no_certain_win() -> None:
    """The next draft is not known; once it is, some piles do leave a certain win."""
    match = draft(("soldier soldier", ""), {"red-city": "red soldier"})
    seat = min(match.to_act)
    assert certain(match, seat) is None
    game, policy = match.game, playout_policy_of(match.spec, match.game, 4)
    view = match.state.views[seat]
    action = game.by_text["draft:A2"].id
    after = 0
    for seed in range(12):
        chance = Quick(seed)
        state = game.sample(view, chance)
        game.apply(state, Seat(seat), action, chance)
        after += Proof(game, state.views[seat], policy, 20_000).winner() is not None
    assert 0 < after < 12
