"""The stored strategies: their content, reading them, and their strength."""

from itertools import product
from typing import get_args

import pytest

import zashiki
from zashiki.bots import make_bot
from zashiki.bots.thinking import levels_of
from zashiki.core.dice import NoChance
from zashiki.games import game_spec
from zashiki.games.kamiza.ai.solving import (
    BEGINNING,
    OUT_OF_REACH,
    Round,
    Standing,
    by_seat,
    essence,
    last_standings,
    standing_of,
    turned,
)
from zashiki.games.kamiza.ai.strategy import (
    Kind,
    Strategy,
    actions,
    content,
    header,
    rounded,
    stored,
)
from zashiki.games.kamiza.state import LANE
from zashiki.games.kamiza.tests.tables import FIRST, SECOND, lay, stand
from zashiki.lab.simulate import Interval, Plan, simulate, summarize
from zashiki.lab.solve import (
    Responses,
    Solver,
    at_random,
    by_search,
    by_sense,
    by_strategy,
    chosen,
    main,
    rules,
    second_standings,
)
from zashiki.search.best_response import BestResponse
from zashiki.search.extensive import even, values, written_out

pytestmark = pytest.mark.compiled

TABLES = [
    (kind, game, seats) for kind in get_args(Kind) for game in (FIRST, SECOND) for seats in (3, 4)
]


def choice(match: zashiki.Match, seed: int = 1) -> str:
    (seat,) = match.to_act
    view = match.state.views[seat]
    action = make_bot("solved", match.spec, match.game, seed).choose(view, match.game.legal(view))
    return match.game.actions[action].text


def lanes(*numbers: int) -> int:
    return sum(number << seat * LANE for seat, number in enumerate(numbers))


# Standings -------------------------------------------------------------------------------------


def test_seats_are_counted_from_the_starter() -> None:
    assert turned(0x321, 1, 3, 4) == 0x132
    match = lay(stand(SECOND, 3), "underboss@bottom", "boss@top", "hitman@bottom")
    standing = standing_of(match.state.public)
    assert standing == Standing(2, 0b0010_0100_0001, lanes(5, 1, 2), 0)


def test_totals_matter_only_for_who_starts_the_last_round() -> None:
    assert essence(Standing(2, 0x421, lanes(9, 1, 7), lanes(1)), 3) == Standing(
        2, 0x421, lanes(OUT_OF_REACH, 0, 4), 0
    )
    assert essence(Standing(3, 0x653, lanes(9, 1, 7), lanes(1)), 3) == Standing(3, 0x653, 0, 0)


def test_a_round_is_worth_own_points_less_the_mean_of_the_others() -> None:
    game = rules(SECOND, 3)
    form = Round(game, Standing(3, 0xCCC, 0, 0), lambda _: [0.0] * 3)
    state = form.begin(NoChance())
    assert form.worths(state) is None
    for seat, action in enumerate((0, 3, 2)):  # boss@top, underboss@bottom, underboss@top
        game.apply(state, seat, action, NoChance())  # type: ignore[arg-type]
    assert form.worths(state) == [4.0, -0.5, -3.5]


def test_there_is_a_standing_for_every_pair_of_cards_that_can_be_spent() -> None:
    assert len(last_standings(3)) == 6**3
    assert by_seat(second_standings(rules(FIRST, 3))[0].scores, 3)[0] == OUT_OF_REACH


# The files -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "game", "seats"), TABLES)
def test_every_information_set_of_a_stored_strategy_has_its_weights(
    kind: Kind, game: str, seats: int
) -> None:
    strategy = stored(kind, game, seats)
    assert {standing.round for standing in strategy.weights} == {1, 2, 3}
    for standing, weights in strategy.weights.items():
        size = actions(standing.round)
        assert len(weights) == (2**seats - 1) * size
        assert all(sum(weights[n : n + size]) == 255 for n in range(0, len(weights), size))


@pytest.mark.parametrize(("kind", "game", "seats"), TABLES)
def test_a_stored_strategy_is_for_the_present_rules(kind: Kind, game: str, seats: int) -> None:
    about = header(content(kind, game, seats))
    assert (about["kind"], about["game"], about["seats"]) == (kind, game, seats)
    assert about["rules_version"] == game_spec(game).rules_version


def test_a_strategy_is_read_as_it_was_written_and_damage_is_seen() -> None:
    strategy = stored("leaning", FIRST, 3)
    written = strategy.write({"game": FIRST})
    assert Strategy.read(written).weights == strategy.weights
    other = Strategy(3, {**strategy.weights, BEGINNING: bytes(7 * 8)})
    damaged = written.split(b"\n")[0] + b"\n" + other.write({}).split(b"\n", 1)[1]
    with pytest.raises(ValueError, match="damaged"):
        Strategy.read(damaged)


def test_weights_are_255_in_all() -> None:
    assert rounded([1.0, 1.0, 1.0]) == bytes([85, 85, 85])
    assert sum(rounded([0.5, 0.25, 0.2, 0.05])) == 255


def test_learning_again_gives_the_same_bytes() -> None:
    game = rules(FIRST, 3)
    solvers = [Solver(game, "leaning", 5) for _ in range(2)]
    for solver in solvers:
        for standing in last_standings(3)[:4]:
            solver.learn(standing)
    assert solvers[0].weights == solvers[1].weights


# Best responses --------------------------------------------------------------------------------


def test_a_best_response_in_the_last_round_is_the_best_of_all_that_can_be_done() -> None:
    """The last to place has four information sets of four actions: all 256 plans are tried."""
    game = rules(SECOND, 3)
    tree = written_out(game, Round(game, Standing(3, 0x635, 0, 0), lambda _: [0.0] * 3))
    profile = even(tree)
    best = BestResponse(tree, profile, 2).value()
    own = [number for number in range(len(tree.places)) if tree.seat_of[number] == 2]
    tried = []
    for plan in product(range(4), repeat=len(own)):
        for number, action in zip(own, plan, strict=True):
            for place in range(4):
                profile[tree.places[number] + place] = float(place == action)
        tried.append(values(tree, profile)[2])
    assert best == pytest.approx(max(tried))


@pytest.mark.parametrize("game", [FIRST, SECOND])
def test_in_the_last_round_nobody_gains_much_against_the_equilibrium(game: str) -> None:
    made = rules(game, 3)
    standings = chosen(last_standings(3), 24)
    strategy = by_strategy(stored("equilibrium", game, 3))
    assert max(Responses(made, strategy, whole=False).gains(standings)) < 0.03
    for policy in (by_sense(made), at_random):
        assert max(Responses(made, policy).gains(standings)) > 0.5


@pytest.mark.long
@pytest.mark.parametrize("game", [FIRST, SECOND])
def test_in_a_whole_game_nobody_gains_much_against_the_equilibrium(game: str) -> None:
    strategy = by_strategy(stored("equilibrium", game, 3))
    responses = Responses(rules(game, 3), strategy, whole=False)
    assert max(responses.gains([BEGINNING])) < 0.05


def test_a_report_is_a_line_for_each_form_and_policy(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", FIRST, "--most", "2", "--rounds-left", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert all("last round" in line for line in lines)


def test_searches_are_reported_on_by_their_worlds(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["report", SECOND, "--most", "1", "--search", "2", "5", "--seeds", "3"]
    assert main(asked) == 0
    printed = capsys.readouterr().out
    assert [line.split()[4:6] for line in printed.splitlines()] == [
        ["2", "worlds"],
        ["5", "worlds"],
    ]
    assert main(asked) == 0
    assert capsys.readouterr().out == printed


def test_a_search_plays_as_often_as_its_seeds_do() -> None:
    match = stand(SECOND, 3)
    view = match.state.views[0]
    legal = match.game.legal(view)
    made = rules(SECOND, 3)
    worlds = levels_of(match.spec)["regular"].worlds
    shares = by_search(SECOND, made, worlds, 4)(view, legal)
    regular = [make_bot("regular", match.spec, made, seed).choose(view, legal) for seed in range(4)]
    assert shares == [regular.count(action) / 4 for action in legal]


# The bot ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "seats"), [(FIRST, 3), (SECOND, 3)])
def test_it_is_a_function_of_its_view_and_seed(game: str, seats: int) -> None:
    match, other = stand(game, seats), stand(game, seats)
    match.play(0, "underboss@bottom")
    other.play(0, "hitman@bottom")
    for seed in range(10):
        assert choice(match, seed) == choice(match, seed) == choice(other, seed)
    assert len({choice(match, seed) for seed in range(30)}) > 1


def test_with_two_chips_it_takes_no_third() -> None:
    """The starter would otherwise sometimes place the Policeman at the top."""
    taken = {}
    for chips in (0, 2):
        match = stand(SECOND, 3, game=3, wanted=[chips, 0, 0])
        taken[chips] = {choice(match, seed) for seed in range(50)}
    assert "police@top" in taken[0]
    assert "police@top" not in taken[2]


@pytest.mark.parametrize("options", [{"open_start": True}, {"underboss_shield": True}])
def test_it_is_sensible_where_the_strategy_does_not_reach(options: dict[str, bool]) -> None:
    match = stand(SECOND, 3, options)
    view = match.state.views[0]
    sensible = make_bot("sensible", match.spec, match.game, 3)
    assert (
        choice(match, 3) == match.game.actions[sensible.choose(view, match.game.legal(view))].text
    )


def test_it_knows_what_to_do_in_every_round_of_a_match() -> None:
    """For totals that no first game has, the most similar standing is used."""
    for scores in ([0, 30, 3], [7, 0, 0], [9, 9, 9]):
        match = stand(SECOND, 3, round=2, scores=scores, spent=[["police"], ["boss"], ["boss"]])
        strategy = stored("leaning", SECOND, 3)
        weights = strategy.at(match.state.views[0])
        assert weights is not None
        assert sum(weights) == 255


def wins(game: str, bots: list[str], matches: int) -> Interval:
    plan = Plan.checked(game, len(bots), bots, matches, seed=1)
    entries = {entry.name: entry for entry in summarize(simulate(plan)).bots}
    return entries["solved"].win_rate


@pytest.mark.long
@pytest.mark.parametrize("game", [FIRST, SECOND])
@pytest.mark.parametrize("seats", [3, 4])
def test_it_wins_clearly_more_than_its_share_against_sensible_players(
    game: str, seats: int
) -> None:
    assert wins(game, ["solved", *["sensible"] * (seats - 1)], 600).low > 1 / seats


@pytest.mark.parametrize(
    "wrong", [["--most", "0"], ["--rounds", "-4"], ["--seeds", "0"], ["--search", "x"],
              ["--out", "/nowhere/at/all"]],
)  # fmt: skip
def test_the_solver_says_what_it_expects_before_it_begins(
    wrong: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["report", SECOND, *wrong])
    assert f"{wrong[1]!r}: expected a" in capsys.readouterr().err
