"""The bots of every game: they have names, act legally, and choose equally for equal seeds."""

import pytest

import zashiki
from zashiki.bots import LEVELS, Thinker, bot_names, derived_seed, make_bot, words_of
from zashiki.bots.thinking import AT_ONCE, levels_of
from zashiki.core.game import ActionId
from zashiki.core.match import Match
from zashiki.core.spec import AnyGame, AnyView
from zashiki.games import game_spec

GAMES = sorted(zashiki.games())
WORLDS = 4
"""The number of worlds for bots that search: that they do so is the same with many."""


def played(game: str, name: str, seed: int) -> Match:
    spec = game_spec(game)
    match = zashiki.start(game, spec.seats[0], seed=seed, salt=bytes(32))
    bots = [
        make_bot(name, spec, match.game, seed + seat, worlds=WORLDS) for seat in range(match.seats)
    ]
    while not match.over:
        for seat in sorted(match.to_act):
            view = match.state.views[seat]
            action = bots[seat].choose(view, match.game.legal(view))
            match.play(seat, match.game.actions[action].text)
    return match


@pytest.mark.compiled
@pytest.mark.parametrize("game", GAMES)
def test_every_bot_plays_a_whole_match_and_equal_seeds_play_alike(game: str) -> None:
    for name in bot_names(game_spec(game)):
        assert played(game, name, 3).record() == played(game, name, 3).record()


def test_other_seeds_play_otherwise() -> None:
    records = {played("kamiza-second", "random", seed).record() for seed in range(4)}
    assert len(records) == 4


@pytest.mark.parametrize("game", GAMES)
def test_the_names_begin_with_those_for_every_game_and_end_with_the_levels(game: str) -> None:
    names = bot_names(game_spec(game))
    assert names[:3] == ("random", "greedy", "sensible")
    assert names[-5:] == ("newcomer", "casual", "regular", "strong", "master")


@pytest.mark.parametrize("game", GAMES)
def test_every_level_is_told_and_looks_no_less_far_than_the_one_below(game: str) -> None:
    spec = game_spec(game)
    levels = levels_of(spec)
    assert tuple(levels) == tuple(LEVELS)
    searching = [level.worlds for level in levels.values() if not level.bot]
    assert searching == sorted(searching)


def at_first(game: str) -> tuple[Match, int, AnyView]:
    match = zashiki.start(game, game_spec(game).seats[0], seed=1)
    seat = min(match.to_act)
    return match, seat, match.state.views[seat]


@pytest.mark.parametrize("game", GAMES)
def test_what_is_said_depends_on_view_and_seed_and_never_on_the_choice(game: str) -> None:
    match, _, view = at_first(game)
    phrases = ["boo", "ha", "so"]
    said = [words_of(match.game, view, seed, phrases) for seed in range(60)]
    assert said == [words_of(match.game, view, seed, phrases) for seed in range(60)]
    assert set(said) == {None, *phrases}
    assert words_of(match.game, view, 1, []) is None


def test_a_bot_that_has_little_time_takes_little() -> None:
    match, _, view = at_first("red-town")
    spec = match.spec
    master = make_bot("master", spec, match.game, 1, seconds=0.0)
    assert isinstance(master, Thinker)
    assert int(master.searched(view, master.until(1.0)).iterations) == AT_ONCE


def test_an_unknown_bot_is_refused_and_the_known_are_named() -> None:
    spec = game_spec("kamiza-second")
    game = spec.make(3, spec.check_options(None, 3))
    with pytest.raises(
        zashiki.Malformed, match=r"expected one of random, greedy, sensible.* found 'clever'"
    ):
        make_bot("clever", spec, game, 1)


def test_greedy_takes_the_best_at_once_and_any_of_equals() -> None:
    spec = game_spec("kamiza-second")
    match = zashiki.start("kamiza-second", 3, seed=1)
    (seat,) = match.to_act
    view = match.state.views[seat]
    legal = match.game.legal(view)

    def best(gain: dict[int, float]) -> set[int]:
        def of(_game: AnyGame, _view: AnyView, action: ActionId) -> float:
            return gain.get(int(action), 0.0)

        other = type(spec)(**{**spec.__dict__, "immediate_value": of})
        bots = [make_bot("greedy", other, match.game, seed) for seed in range(30)]
        return {int(bot.choose(view, legal)) for bot in bots}

    assert best({5: 2.0, 3: 1.0}) == {5}
    assert best({5: 2.0, 3: 2.0}) == {3, 5}


def test_random_takes_everything_in_the_long_run() -> None:
    spec = game_spec("kamiza-second")
    match = zashiki.start("kamiza-second", 3, seed=1)
    (seat,) = match.to_act
    view = match.state.views[seat]
    legal = match.game.legal(view)
    bots = [make_bot("random", spec, match.game, seed) for seed in range(200)]
    assert {bot.choose(view, legal) for bot in bots} == set(legal)


def test_a_derived_seed_depends_on_all_of_its_path() -> None:
    seeds = {derived_seed(seed, *path) for seed in (1, "1") for path in ((1,), (2,), (1, 2), ())}
    assert len(seeds) == 8
    assert derived_seed(7, 3, "bot") == derived_seed(7, 3, "bot") < 2**48
