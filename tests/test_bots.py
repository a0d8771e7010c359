"""The bots of every game: named, legal, and equal for equal seeds."""

import pytest

import zashiki
from zashiki.bots import bot_names, derived_seed, make_bot
from zashiki.core.game import ActionId
from zashiki.core.match import Match
from zashiki.core.offer import AnyGame, AnyView
from zashiki.games import offer_of

GAMES = sorted(zashiki.games())


def played(game: str, name: str, seed: int) -> Match:
    offer = offer_of(game)
    match = zashiki.start(game, offer.seats[0], seed=seed, salt=bytes(32))
    bots = [make_bot(name, offer, match.game, seed + seat) for seat in range(match.seats)]
    while not match.over:
        for seat in sorted(match.to_act):
            view = match.state.views[seat]
            action = bots[seat].choose(view, match.game.legal(view))
            match.play(seat, match.game.actions[action].text)
    return match


@pytest.mark.parametrize("game", GAMES)
def test_every_bot_plays_a_whole_match_and_equal_seeds_play_alike(game: str) -> None:
    for name in bot_names(offer_of(game)):
        assert played(game, name, 3).record() == played(game, name, 3).record()


def test_other_seeds_play_otherwise() -> None:
    records = {played("kamiza-second", "random", seed).record() for seed in range(4)}
    assert len(records) == 4


def test_the_names_begin_with_those_for_every_game() -> None:
    assert bot_names(offer_of("kamiza-second")) == ("random", "greedy", "sensible")


def test_an_unknown_bot_is_refused_and_the_known_are_named() -> None:
    offer = offer_of("kamiza-second")
    game = offer.make(3, offer.check_options(None, 3))
    with pytest.raises(zashiki.Malformed, match=r"'clever': .* random, greedy, sensible"):
        make_bot("clever", offer, game, 1)


def test_greedy_takes_the_best_at_once_and_any_of_equals() -> None:
    offer = offer_of("kamiza-second")
    match = zashiki.start("kamiza-second", 3, seed=1)
    (seat,) = match.to_act
    view = match.state.views[seat]
    legal = match.game.legal(view)

    def best(gain: dict[int, float]) -> set[int]:
        def of(_game: AnyGame, _view: AnyView, action: ActionId) -> float:
            return gain.get(int(action), 0.0)

        other = type(offer)(**{**offer.__dict__, "gain": of})
        bots = [make_bot("greedy", other, match.game, seed) for seed in range(30)]
        return {int(bot.choose(view, legal)) for bot in bots}

    assert best({5: 2.0, 3: 1.0}) == {5}
    assert best({5: 2.0, 3: 2.0}) == {3, 5}


def test_random_takes_everything_in_the_long_run() -> None:
    offer = offer_of("kamiza-second")
    match = zashiki.start("kamiza-second", 3, seed=1)
    (seat,) = match.to_act
    view = match.state.views[seat]
    legal = match.game.legal(view)
    bot = make_bot("random", offer, match.game, 5)
    assert {bot.choose(view, legal) for _ in range(200)} == set(legal)


def test_a_derived_seed_depends_on_all_of_its_path() -> None:
    seeds = {derived_seed(seed, *path) for seed in (1, "1") for path in ((1,), (2,), (1, 2), ())}
    assert len(seeds) == 8
    assert derived_seed(7, 3, "bot") == derived_seed(7, 3, "bot") < 2**48
