"""The review: exact values on small forms, knowledge of the seat alone, repeatability, input."""

import json
import math
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

import zashiki
from goofspiel.options import GOOFSPIEL
from tests.server.match_pairs import MatchPair, begin, pair_by_choice, pair_by_deal
from tests.server.match_pairs import seed as pair_seed
from zashiki.analysis.account import Changes
from zashiki.analysis.course import Course
from zashiki.analysis.ledger import Ledger, judged, reference_policy
from zashiki.analysis.page import body, page, points
from zashiki.analysis.result import BAD, Decision, Review
from zashiki.analysis.reviewing import review_match
from zashiki.analysis.sample_mean import SampleMean
from zashiki.cli import main
from zashiki.core import match as matches
from zashiki.core.dice import Chance, Quick, Script
from zashiki.core.game import ActionId, members
from zashiki.core.match import AnyState, Match
from zashiki.core.parts import Seat
from zashiki.core.playout_policy import PlayoutPolicy
from zashiki.core.rulings import Malformed
from zashiki.core.spec import AnyGame, AnyView
from zashiki.games.kamiza.ai.playout_policy import KamizaPolicy
from zashiki.games.kamiza.ai.solved import solution
from zashiki.search.paired import PairedPlayouts, Worlds

pytestmark = pytest.mark.compiled


def finished(match: Match, seed: int = 1) -> Match:
    """Play a match to its end at random."""
    choice = random.Random(seed)
    while not match.over:
        seat = choice.choice(sorted(match.to_act))
        match.play(seat, choice.choice(match.legal(seat)))
    return match


def kamiza(seed: int, seats: int = 3) -> Match:
    return finished(zashiki.start("kamiza-second", seats, seed=seed), seed)


def goofspiel(seed: int, cards: int = 3) -> Match:
    return finished(matches.start(GOOFSPIEL, 2, {"cards": cards}, seed), seed)


# Exact values ----------------------------------------------------------------------------------


def branches(outcome: Callable[[Chance], float]) -> Iterator[tuple[float, float]]:
    """Yield the value of every branch of chance with its probability."""
    answers: list[int] | None = []
    while answers is not None:
        script = Script(answers)
        value = outcome(script)
        yield value, 1 / math.prod(script.sizes)
        answers = script.next_answers()


def exact_value(game: AnyGame, view: AnyView, action: ActionId, policy: PlayoutPolicy) -> float:
    """Return the value of an action over all worlds, if everybody then plays uniformly."""

    def outcome(chance: Chance) -> float:
        state = game.sample(view, chance)
        game.apply(state, view.seat, action, chance)
        while to_act := members(game.to_act(state.public)):
            for seat in to_act:
                legal = game.legal(state.views[seat])
                picked = legal[chance.below(len(legal), "pick")]
                game.apply(state, Seat(seat), picked, chance)
        ended = game.outcome(state.public)
        assert ended is not None
        return policy.outcome_values(ended)[view.seat]

    return sum(value * share for value, share in branches(outcome))


def compared_with_exact(match: Match, policy: PlayoutPolicy, least: int, playouts: int) -> int:
    """Compare all decisions from an action on with full enumeration; return their number."""
    course = Course(match)
    count = 0
    for seat in range(match.seats):
        ledger = Ledger(course, Seat(seat), policy, playouts, "exact")
        for act in (act for act in ledger.acts() if act >= least):
            found, view = ledger.decision(act), ledger.view(act)
            by_text = match.game.by_text
            exact = {
                one.action: exact_value(match.game, view, by_text[one.action].id, policy)
                for one in found.actions
            }
            for one in found.actions:
                assert abs(one.value - exact[one.action]) < 4.5 * one.error
            gain = exact[found.rival] - exact[found.played]
            assert abs(found.gain - gain) < 4 * found.error
            best = max(value for action, value in exact.items() if action != found.played)
            if found.actions[0].frequency is None:
                assert exact[found.rival] > best - 0.1, "the first stage finds a good rival"
                check_mark(found, best - exact[found.played])
            count += 1
    return count


def check_mark(found: Decision, gain: float) -> None:
    """A clear blunder is marked as one, and a clearly best action is not marked at all."""
    if gain > 0.2:
        assert found.mark == "blunder"
    if gain < -0.02:
        assert found.mark not in BAD


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_values_in_a_small_goofspiel_are_those_of_full_enumeration(seed: int) -> None:
    assert compared_with_exact(goofspiel(seed), PlayoutPolicy(), 1, 2048) >= 4


@pytest.mark.parametrize("seed", [1, 2])
def test_values_in_the_last_round_of_kamiza_are_those_of_full_enumeration(seed: int) -> None:
    match = kamiza(seed)
    last_round = len(match.journal.actions) - 2
    assert compared_with_exact(match, KamizaPolicy(1), last_round, 2048) >= 2


def test_blunders_that_enumeration_finds_are_marked_in_many_matches() -> None:
    """In eight matches, several decisions lose more than a fifth of the win, and all are marked."""
    marked = 0
    for seed in range(8):
        match = goofspiel(seed)
        compared_with_exact(match, PlayoutPolicy(), 3, 1024)
        course = Course(match)
        for seat in (Seat(0), Seat(1)):
            ledger = Ledger(course, seat, PlayoutPolicy(), 1024, "exact")
            marked += sum(ledger.decision(act).mark == "blunder" for act in ledger.acts())
    assert marked >= 3


# KAMIZA's equilibria ---------------------------------------------------------------------------


def test_an_action_in_the_stored_equilibrium_costs_nothing_and_shows_its_frequency() -> None:
    mixed = unmixed = 0
    for seed in range(3):
        match = kamiza(seed)
        for review in review_match(match, playouts=256).seats:
            for one in review.decisions:
                if one.actions[0].frequency is None:
                    continue
                shares = {action.action: action.frequency or 0.0 for action in one.actions}
                assert sum(shares.values()) == pytest.approx(1)
                if shares[one.played] >= 0.01:
                    mixed += 1
                    assert (one.loss, one.mark) == (0.0, "as-good")
                else:
                    unmixed += 1
                    assert shares[one.rival] >= 0.01
    assert mixed > 5
    assert unmixed > 5


def test_the_equilibrium_does_not_apply_to_the_end_of_a_match_or_to_other_rules() -> None:
    match = zashiki.start("kamiza-second", 3, seed=1, options={"open_start": True})
    view = match.state.views[min(match.to_act)]
    assert solution(match.game, view, match.game.legal(view)) == []
    ended = Course(kamiza(1))
    act = ended.last
    view = ended.view_before(act, ended.mover(act))
    assert solution(ended.game, view, ended.game.legal(view)) == []


# Pairs -----------------------------------------------------------------------------------------


class Noted(Worlds):
    """Worlds that agree with a view, and that are written down."""

    def __init__(self, game: AnyGame, view: AnyView) -> None:
        self.game = game
        self.view = view
        self.seen: list[str] = []

    def world(self, chance: Chance) -> AnyState:
        state = self.game.sample(self.view, chance)
        self.seen.append(json.dumps(self.game.truth(state)))
        return state


def test_every_action_is_tried_in_the_same_worlds() -> None:
    match = zashiki.start("red-town", 3, seed=1, options={"form": "short"})
    seat = min(match.to_act)
    view = match.state.views[seat]
    worlds = Noted(match.game, view)
    playing = PairedPlayouts(match.game, worlds, PlayoutPolicy(), "seed")
    first, second = match.game.legal(view)[:2]
    for number in range(8):
        values = playing.values_after(number, Seat(seat), first)
        playing.values_after(number, Seat(seat), second)
        assert playing.values_after(number, Seat(seat), first) == values
    assert worlds.seen[0::3] == worlds.seen[1::3] == worlds.seen[2::3]
    assert len(set(worlds.seen)) == 8


# Knowledge -------------------------------------------------------------------------------------


def known(decision: Decision) -> object:
    """Return a decision without the part that looks at open cards."""
    return {
        name: getattr(decision, name)
        for name in decision.__struct_fields__
        if not name.startswith("open_")
    }


def played(pair: MatchPair, which: int) -> Match:
    number = next(number for number in range(5000) if pair_seed(number) == pair.seeds[which])
    match = begin(pair.game, pair.seats, number)
    for seat, action in pair.scripts[which]:
        match.play(seat, action)
    return match


@pytest.mark.parametrize(
    ("find", "game", "seats", "reader"),
    [
        (pair_by_choice, "kamiza-second", 3, 2),
        (pair_by_deal, "kingdoms", 2, 0),
        (pair_by_deal, "red-town", 3, 0),
    ],
)
def test_two_worlds_that_a_seat_cannot_tell_apart_have_the_same_review(
    find: Callable[[str, int, int], MatchPair | None], game: str, seats: int, reader: int
) -> None:
    pair = find(game, seats, reader)
    assert pair is not None
    one, other = played(pair, 0), played(pair, 1)
    assert one.truth() != other.truth()
    ledgers = [
        Ledger(Course(match), Seat(reader), reference_policy(match.spec, match.game), 16, 7)
        for match in (one, other)
    ]
    acts = ledgers[0].acts()
    assert acts == ledgers[1].acts()
    differs = [a != b for a, b in zip(*pair.scripts, strict=True)]
    acts = [act for act in acts if True in differs[:act] or True not in differs]
    assert acts, "the seat decides something after the worlds part"
    for act in acts[-2:]:
        here, there = (ledger.decision(act) for ledger in ledgers)
        assert known(here) == known(there)


# Repeatability ---------------------------------------------------------------------------------


def test_a_review_is_a_function_of_match_seat_playouts_and_seed() -> None:
    match = kamiza(5)
    review = zashiki.review(match, 0, playouts=256, seed="x")
    assert zashiki.review(match.record(), 0, playouts=256, seed="x") == review
    assert zashiki.review(match, 0, playouts=256, seed="y") != review
    assert zashiki.review(match, playouts=256, seed="x").seats[0] == review.seats[0]


def test_gains_of_different_seeds_differ_as_their_errors_say() -> None:
    course = Course(goofspiel(4, cards=4))
    spread = []
    for act in Ledger(course, Seat(0), PlayoutPolicy(), 512, 0).acts():
        found = [
            Ledger(course, Seat(0), PlayoutPolicy(), 512, seed).decision(act) for seed in range(5)
        ]
        for one in found[1:]:
            if one.rival == found[0].rival:
                error = math.hypot(one.error, found[0].error)
                spread.append((one.gain - found[0].gain) / error)
    assert len(spread) > 4
    assert max(map(abs, spread)) < 4


def test_seconds_choose_a_budget_that_the_review_names() -> None:
    match = goofspiel(2)
    review = review_match(match, 0, seconds=0.5)
    assert review_match(match, 0, playouts=review.playouts) == review


def test_progress_counts_up_to_all_steps() -> None:
    told: list[tuple[int, int]] = []
    review_match(goofspiel(2), 0, playouts=256, progress=lambda *steps: told.append(steps))
    assert [done for done, _ in told] == list(range(1, len(told) + 1))
    assert {steps for _, steps in told} == {len(told)}


# The account -----------------------------------------------------------------------------------


def test_the_account_adds_up() -> None:
    for match in (kamiza(1), goofspiel(1)):
        for review in review_match(match, playouts=256).seats:
            account = review.account
            assert account is not None
            found = account.cards + account.others + account.unseen - account.losses
            assert account.result - account.start == pytest.approx(found + account.remainder)
            assert abs(account.remainder) < 1e-9
            assert len(review.curve) == len(match.journal.actions) + 1
            assert review.curve[-1] == account.result
            assert account.adjusted == account.result - account.cards


def test_cards_and_others_have_mean_zero_if_everybody_plays_by_the_reference() -> None:
    policy = PlayoutPolicy()
    cards, others = SampleMean(), SampleMean()
    for seed in range(60):
        match = matches.start(GOOFSPIEL, 2, {"cards": 3, "order": "random"}, seed)
        chance = Quick(seed)
        while not match.over:
            for seat in sorted(match.to_act):
                legal = match.game.legal(match.state.views[seat])
                picked = legal[chance.below(len(legal), "pick")]
                match.play(seat, match.game.actions[picked].text)
        changes = Changes(Course(match), policy, 64, seed)
        changes.estimate_all(lambda _: None)
        account = changes.account(0, [])
        assert account is not None
        cards.add(account.cards)
        others.add(account.others)
    for term in (cards, others):
        assert abs(term.mean) < 3 * term.error


def test_a_match_without_draws_owes_nothing_to_cards() -> None:
    match = goofspiel(1)
    changes = Changes(Course(match), PlayoutPolicy(), 8, 0)
    changes.estimate_all(lambda _: None)
    drawing = {act for act in range(1, Course(match).last + 1) if Course(match).draws(act)}
    assert set(changes.before_draw) == drawing


# Marks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gain", "spread", "mark"),
    [
        (0.15, 0.1, "blunder"),
        (0.07, 0.1, "mistake"),
        (0.03, 0.1, "inaccuracy"),
        (0.005, 0.1, "as-good"),
        (-0.05, 0.1, "found"),
        (0.03, 0.9, "too-close"),
        (-0.03, 0.9, "too-close"),
    ],
)
def test_marks_follow_from_gain_and_error(gain: float, spread: float, mark: str) -> None:
    tally = SampleMean(gain + (spread if place % 2 else -spread) for place in range(400))
    assert judged(tally) == mark


def test_a_few_equal_values_are_not_certain() -> None:
    assert SampleMean([1.0] * 4).error > 0.1
    assert SampleMean([1.0] * 4000).error < 0.001


# The result ------------------------------------------------------------------------------------


def test_a_review_survives_json() -> None:
    review = review_match(kamiza(1), playouts=256)
    assert Review.from_json(review.to_json()) == review


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text[:-2],
        lambda text: text.replace('"format":1', '"format":2'),
        lambda text: text.replace('"act":', '"deed":'),
        lambda _: "[]",
    ],
)
def test_other_json_is_refused(change: Callable[[str], str]) -> None:
    text = review_match(goofspiel(1), 0, playouts=256).to_json()
    with pytest.raises(Malformed, match="review: expected"):
        Review.from_json(change(text))


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_page_is_self_contained_and_names_every_decision(language: str) -> None:
    review = review_match(kamiza(1), playouts=256)
    text = page(review, language)
    assert "http" not in text
    assert "<script" not in text
    assert text.count("<polyline") == 3
    assert text.count("<details>") == sum(len(one.decisions) for one in review.seats)
    assert review._repr_html_() in page(review)
    ElementTree.fromstring(body(review, language))  # every element is closed


def test_a_name_cannot_add_markup_to_the_page() -> None:
    match = finished(zashiki.start("kamiza-second", 3, seed=1, names=["<b>x</b>", "b", "c"]))
    text = page(review_match(match, 0, playouts=256))
    assert "<b>x" not in text
    assert "&lt;b&gt;x" in text


def test_bots_are_called_by_names_of_the_language() -> None:
    match = finished(zashiki.start("kamiza-second", 3, seed=1, names=["Random A", "b", "c"]))
    review = review_match(match, 0, playouts=256)
    assert "Random A" in page(review)
    assert "でたらめボットA" in page(review, "ja")
    assert "Random A" not in page(review, "ja")


def test_a_figure_is_never_minus_zero() -> None:
    assert [points(-0.0001, sign) for sign in (True, False)] == ["+0.0", "0.0"]
    assert [points(-0.02, True), points(0.02)] == ["-2.0", "2.0"]


# Input -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("named", "error"),
    [
        ({"seat": 3}, "seat: expected a number from 0 to 2, or None for all, found 3"),
        ({"seat": True}, "seat: expected a number from 0 to 2"),
        ({"seconds": 0}, "seconds: expected a number above 0, found 0"),
        ({"seconds": math.nan}, "seconds: expected a number above 0, found nan"),
        ({"seconds": "1"}, "seconds: expected a number above 0, found '1'"),
        ({"playouts": 1}, "playouts: expected a number from 256"),
        ({"playouts": 256, "seconds": 1}, "expected either seconds or playouts, found both"),
    ],
)
def test_bad_input_is_named(named: dict[str, object], error: str) -> None:
    with pytest.raises(Malformed, match=error):
        review_match(kamiza(1), **named)  # type: ignore[arg-type]


def test_a_record_of_one_reader_cannot_be_reviewed() -> None:
    with pytest.raises(Malformed, match="expected a whole one"):
        zashiki.review(kamiza(1).record(0), 0)


def test_a_match_that_is_not_over_has_a_ledger_and_no_account() -> None:
    match = zashiki.start("kamiza-second", 3, seed=1)
    mover = min(match.to_act)
    match.play(mover, match.legal(mover)[0])
    review = review_match(match, mover, playouts=256).seats[0]
    assert len(review.decisions) == 1
    assert review.account is None


# The command -----------------------------------------------------------------------------------


def test_the_command_prints_a_table_and_writes_both_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "evening.jsonl"
    record.write_text(kamiza(1).record(), "utf-8")
    for name in ("evening.html", "evening.json"):
        out = tmp_path / name
        done = main(["review", str(record), "--seat", "1", "--playouts", "256", "--out", str(out)])
        assert done == 0
        assert "Result without the luck of the cards" in capsys.readouterr().out
    review = Review.from_json((tmp_path / "evening.json").read_text("utf-8"))
    assert (tmp_path / "evening.html").read_text("utf-8") == page(review)
    assert json.loads(review.to_json())["seats"][0]["seat"] == 1


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--out", "page.txt"], "expected a name that ends in .html or .json"),
        (["--seat", "9"], "--seat 9: expected a number from 0 to 2"),
        (["--seconds", "-1"], "seconds: expected a number above 0"),
    ],
)
def test_the_command_names_bad_input(
    arguments: list[str], error: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "evening.jsonl"
    record.write_text(kamiza(1).record(), "utf-8")
    assert main(["review", str(record), *arguments]) == 2
    assert error in capsys.readouterr().err


WITHOUT_MSGSPEC = """\
import sys
sys.modules["msgspec"] = None
from zashiki.cli import main
sys.exit(main(["review", "evening.jsonl"]))
"""


def test_without_msgspec_the_command_says_what_to_install() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_MSGSPEC], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "review: needs msgspec: pip install 'zashiki[review]'" in done.stderr
