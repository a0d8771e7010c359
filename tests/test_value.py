"""A match is a value: it can be copied, undone, pickled, compared and written in one line."""

import copy
import pickle
from collections.abc import Callable, Iterator

import pytest

import zashiki
from zashiki import Malformed, Match, Refusal, Refused
from zashiki.bots import bot_names
from zashiki.bots.plain import Greedy, Random
from zashiki.games import game_spec
from zashiki.laws import Form, Walk, forms

pytestmark = pytest.mark.both
GAMES = sorted(zashiki.games())
STEPS = 12

Copier = Callable[[Match], Match]
COPIERS: dict[str, Copier] = {
    "copy": Match.copy,
    "copy.copy": copy.copy,
    "copy.deepcopy": copy.deepcopy,
    "pickle": lambda match: pickle.loads(pickle.dumps(match)),
}


class Integer:
    """An integer that is not an int, as those of numpy are."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value

    def __repr__(self) -> str:
        return f"int64({self.value})"


def every_form() -> Iterator[Form]:
    for game in GAMES:
        yield from forms(zashiki.games()[game])


def walked(form: Form, steps: int = STEPS) -> Walk:
    walk = Walk(form, 3)
    while walk.step < steps and not walk.match.over:
        walk.advance()
    return walk


# Copies ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", COPIERS)
def test_a_copy_is_equal_and_plays_on_by_itself(how: str) -> None:
    """Try every form of every game. Laws check `copy` at every step; this checks the other ways."""
    for form in every_form():
        match = walked(form, 3).match
        before = match.record()
        twin = COPIERS[how](match)
        assert twin == match
        assert twin is not match
        assert twin.record() == before
        while not twin.over:
            seat = min(twin.to_act)
            twin.play(seat, twin.legal(seat)[0])
        assert match.record() == before
        assert twin != match
        while not match.over:
            seat = min(match.to_act)
            match.play(seat, match.legal(seat)[0])
        assert twin == match, "it draws as the original does"


def test_a_pickled_match_keeps_frozen_options_and_shared_rules() -> None:
    match = zashiki.start("kamiza-second", 4, seed=7)
    twin = pickle.loads(pickle.dumps(match))
    assert twin.header == match.header
    assert twin.game is match.game
    assert twin.spec is match.spec
    with pytest.raises(TypeError):
        twin.header.options["tie_break"] = "shared"


def test_equal_matches_have_equal_content_and_no_hash() -> None:
    one, other = (zashiki.start("kamiza-second", 4, seed=7, salt=bytes(32)) for _ in range(2))
    assert one == other
    assert one != zashiki.start("kamiza-second", 4, seed=8, salt=bytes(32))
    assert one != "a match"
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


# Undo ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_every_action_can_be_undone_to_the_deal(game: str) -> None:
    walk = walked(next(iter(forms(zashiki.games()[game]))), 40)
    match = walk.match
    for move, truth in reversed(list(zip(walk.moves, walk.truths, strict=False))):
        assert match.undo() == (move.seat, move.action)
        assert match.truth() == truth
    assert match == Walk(walk.form, 3).match
    with pytest.raises(Malformed, match="expected a match with an action"):
        match.undo()
    assert match == Walk(walk.form, 3).match


def test_facts_that_were_returned_outlive_their_undoing() -> None:
    match = zashiki.start("kamiza-second", 4, seed=7)
    (seat,) = match.to_act
    told = match.play(seat, "boss@top")
    before = list(told)
    match.undo()
    match.play(seat, "hitman@bottom")
    assert list(told) == before
    assert pickle.loads(pickle.dumps(told)) == before


# One line --------------------------------------------------------------------------------------


def test_a_position_is_one_line_and_is_read_back() -> None:
    for form in every_form():
        match = walked(form).match
        text = match.position()
        assert "\n" not in text
        twin = zashiki.position(text, seed=1)
        assert twin.truth() == match.truth()
        assert twin.position() == text
        assert [twin.legal(seat) for seat in range(twin.seats)] == [
            match.legal(seat) for seat in range(match.seats)
        ]


def test_a_position_has_the_content_of_an_own_card_set() -> None:
    spec = game_spec("kingdoms")
    built_in = dict(spec.check_options({}, 2)["card_set"])  # type: ignore[arg-type]
    match = zashiki.start("kingdoms", options={"card_set": {**built_in, "name": "mine"}}, seed=3)
    twin = zashiki.position(match.position())
    assert twin.options == match.options


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]", '{"game":"go","options":{},"truth":{}}', 7, "[" * 100_000]
)
def test_a_text_that_is_not_a_position_is_malformed(text: object) -> None:
    with pytest.raises(Malformed, match="position: expected"):
        zashiki.position(text)  # type: ignore[arg-type]


# Small things ----------------------------------------------------------------------------------


def test_integers_of_other_libraries_are_integers() -> None:
    seats, seed = Integer(2), Integer(7)
    options = {"cards": Integer(5)}
    match = zashiki.start("goofspiel", seats, seed=seed, options=options, salt=bytes(32))  # type: ignore[arg-type]
    same = zashiki.start("goofspiel", 2, seed=7, options={"cards": 5}, salt=bytes(32))
    assert match == same
    one, zero = Integer(1), Integer(0)
    assert match.legal(one) == same.legal(1)  # type: ignore[arg-type]
    assert match.view(zero) == same.view(0)  # type: ignore[arg-type]
    assert match.why_not(zero, "bid:1") is None  # type: ignore[arg-type]
    match.play(zero, "bid:1")  # type: ignore[arg-type]
    same.play(0, "bid:1")
    assert match.record(zero) == same.record(0)  # type: ignore[arg-type]
    assert match.facts(one) == same.facts(1)  # type: ignore[arg-type]
    assert match.record() == same.record()
    until = Integer(1)
    assert len(zashiki.replay(match.record(), until=until).facts()) == 1  # type: ignore[arg-type]
    truth = {**match.truth(), "seats": seats}
    assert zashiki.scenario("goofspiel", truth, {"cards": 5}).truth() == match.truth()


@pytest.mark.parametrize("seat", [True, 1.0, "1", None, 4, -1, Integer(9)])
def test_what_is_not_a_seat_is_malformed(seat: object) -> None:
    with pytest.raises(Malformed, match="seat: expected a number from 0 to 3"):
        zashiki.start("kamiza-second", 4).legal(seat)  # type: ignore[arg-type]


def test_a_refusal_has_its_text() -> None:
    match = zashiki.start("kamiza-second", 4, seed=7)
    idle = min({0, 1, 2, 3} - match.to_act)
    refusal = match.why_not(idle, "boss@top")
    assert refusal is not None
    with pytest.raises(Refused) as caught:
        match.play(idle, "boss@top")
    assert refusal.text == caught.value.text == match.texts("en").refusal(refusal)
    assert refusal.text
    for thing in (refusal, caught.value):
        again = pickle.loads(pickle.dumps(thing))
        assert type(again) is type(thing)
        assert (again.ruling, again.blame, again.text) == (thing.ruling, thing.blame, thing.text)
        assert str(again) == str(thing)
    assert isinstance(pickle.loads(pickle.dumps(refusal)), Refusal)


def test_seats_can_be_left_out_if_there_is_one_number() -> None:
    assert zashiki.start("kingdoms").seats == 2
    with pytest.raises(Malformed, match="expected 3 or 4, found None"):
        zashiki.start("kamiza-second")


def test_the_package_has_a_version() -> None:
    assert zashiki.__version__[0].isdigit()
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = zashiki.no_such_name


@pytest.mark.parametrize("game", GAMES)
def test_a_notebook_draws_the_table(game: str) -> None:
    seats = zashiki.games()[game].seats[0]
    match = zashiki.start(game, seats, seed=7, names=[f"<b>{n}" for n in range(seats)])
    drawn = match._repr_html_()
    assert drawn.startswith("<table>")
    assert drawn.count("&lt;b&gt;") == seats
    assert "<b>" not in drawn
    for key in match.truth():
        assert f">{key}<" in drawn


# Bots ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_bots_of_the_front_door_play_a_match(game: str) -> None:
    spec = zashiki.games()[game]
    for name in (*bot_names(spec)[:-5], "newcomer"):
        match = zashiki.start(game, spec.seats[0], seed=7)
        bot = zashiki.bot(game, name, seed=3)
        again = zashiki.bot(game, name, seed=3)
        for _ in range(STEPS):
            seat = min(match.to_act)
            choice = bot.choose(match, seat)
            assert choice == again.choose(match.copy(), seat)
            match.play(seat, choice)


def test_a_bot_that_searches_gives_values() -> None:
    match = zashiki.start("red-town", 4, seed=7, options={"form": "short"})
    bot = zashiki.bot("red-town", "casual", seed=3)
    seat = min(match.to_act)
    values = bot.values(match, seat)
    assert next(iter(values)) == bot.choose(match, seat)
    assert set(values) <= set(match.legal(seat))
    assert all(0 <= found.value <= 1 and found.worlds > 0 for found in values.values())


def test_a_wrong_use_of_a_bot_is_malformed() -> None:
    match = zashiki.start("kamiza-second", 4, seed=7)
    (seat,) = match.to_act
    bot = zashiki.bot("kamiza-second", "random")
    with pytest.raises(Malformed, match="bot: expected one that searches, found random"):
        bot.values(match, seat)
    with pytest.raises(Malformed, match="seat: expected one that is to act"):
        bot.choose(match, (seat + 1) % 4)
    with pytest.raises(Malformed, match="seat: expected a number from 0 to 3, found 9"):
        bot.choose(match, 9)
    with pytest.raises(Malformed, match="match: expected one of kingdoms"):
        zashiki.bot("kingdoms", "random").choose(match, seat)
    with pytest.raises(Malformed, match="bot of kingdoms: expected one of random"):
        zashiki.bot("kingdoms", "best")
    with pytest.raises(Malformed, match="seed: expected an int"):
        zashiki.bot("kingdoms", "random", seed=0.5)  # type: ignore[arg-type]


def test_a_forced_decision_asks_nothing() -> None:
    match = zashiki.start("kamiza-second", 4, seed=7)
    for kind in (Random(None, 1), Greedy(match.spec, None, 1)):  # type: ignore[arg-type]
        assert kind.choose(match.state.views[0], [match.game.actions[3].id]) == 3


@pytest.mark.parametrize("game", GAMES)
def test_most_decisions_have_keys_of_their_own(game: str) -> None:
    """A bot that drew by the same key again and again would repeat itself."""
    keys: list[int] = []
    walk = Walk(next(iter(forms(zashiki.games()[game]))), 3)
    while not walk.match.over:
        views = walk.match.state.views
        keys += [walk.game.view_key(views[seat]) for seat in walk.match.to_act]
        walk.advance()
    assert len(set(keys)) > 0.9 * len(keys)


def test_random_takes_every_action_about_equally_often() -> None:
    match = zashiki.start("kamiza-second", 4, seed=7)
    (seat,) = match.to_act
    counts = dict.fromkeys(match.legal(seat), 0)
    for seed in range(800):
        counts[zashiki.bot("kamiza-second", "random", seed=seed).choose(match, seat)] += 1
    assert min(counts.values()) > 60
    assert max(counts.values()) < 145
