"""Every law can fail: for each there is a toy that breaks it, and the law finds it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests import toy
from tests import toy_broken as broken_toys
from tests.toy_parts import ToyState
from zashiki.core import record as records
from zashiki.core.facts import Fact
from zashiki.core.match import Match
from zashiki.core.record import Record
from zashiki.core.spec import AnyGame, GameSpec, Option
from zashiki.laws import (
    LAWS,
    BrokenLaw,
    Law,
    Moment,
    Tally,
    __main__,
    check_form,
    check_match,
    copying,
    exact,
    keeping,
    knowing,
    legality,
    looking,
    playing,
    sampling,
)
from zashiki.laws.law import raised

SEEDS = range(12)


def ask(law: Law, spec: GameSpec) -> None:
    """Check one law of a toy in its forms, over some matches; in the smallest form exactly."""
    for form in (toy.form(spec, hand=1), toy.form(spec), toy.form(spec, seats=3, cards=7)):
        if law.moment is Moment.FORM:
            check_form(form, [law])
        else:
            for seed in SEEDS:
                check_match(form, seed, [law])


# The correct toy -------------------------------------------------------------------------------


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("seats", "cards", "hand"),
    [
        (2, 5, 2),
        (3, 7, 2),
        *[pytest.param(*toy, marks=pytest.mark.long) for toy in [(2, 5, 1), (2, 8, 2), (3, 8, 1)]],
    ],
)
def test_the_toy_obeys_every_law(seats: int, cards: int, hand: int) -> None:
    tally = Tally()
    form = toy.form(toy.spec(), seats, cards, hand)
    check_form(form, LAWS, tally)
    for seed in SEEDS:
        check_match(form, seed, LAWS, tally)
    assert set(tally.laws) == {law.name for law in LAWS}
    assert cards > 5 or not any(counted.skipped for counted in tally.laws.values())


def test_the_toy_is_followed_exactly_as_far_as_a_peek() -> None:
    game = toy.form(toy.spec(), hand=1).game
    known = exact.histories(game, exact.beginnings(game), most=2500)
    assert any(
        state.public.peeker is not None and state.public.laid for state in states(known, game)
    )
    exact.check_exactly(game, known, "even")


def states(known: list[exact.History], game: AnyGame) -> Iterator[ToyState]:
    return (history.state(game) for history in known)


# The broken ones -------------------------------------------------------------------------------


CASES: list[tuple[Law, dict[str, Any]]] = [
    (legality.table_reads_back, {"kind": broken_toys.Twice}),
    (legality.legal_iff_not_refused, {"kind": broken_toys.MissesOne}),
    (legality.legal_iff_not_refused, {"kind": broken_toys.OffersTwice}),
    (legality.legal_iff_not_refused, {"kind": broken_toys.OffersToTheIdle}),
    (legality.refusing_changes_nothing, {"kind": broken_toys.RefusalsCost}),
    (knowing.view_is_fold, {"kind": broken_toys.ViewReadsHidden}),
    (knowing.view_is_fold, {"kind": broken_toys.KeysByIdentity}),
    (knowing.public_part_is_shared, {"kind": broken_toys.OwnFactsShow}),
    (knowing.public_part_is_shared, {"kind": broken_toys.ShowsMoreThanItsParts}),
    (knowing.hidden_does_not_show, {"kind": broken_toys.RulesRemember}),
    (
        exact.sampling_is_exact,
        {"kind": broken_toys.LeaksByFact, "words": broken_toys.hinting_vocabulary},
    ),
    (exact.sampling_is_exact, {"kind": broken_toys.SamplesSorted}),
    (exact.sampling_is_exact, {"kind": broken_toys.SamplesUnevenly}),
    (sampling.sampled_view, {"kind": broken_toys.SamplesAnotherHand}),
    (sampling.sampled_view, {"kind": broken_toys.SamplesByItself}),
    (sampling.sampled_view, {"kind": broken_toys.SamplesLostCards}),
    (sampling.sampled_is_playable, {"kind": broken_toys.SamplesLiveParts}),
    (sampling.sampled_is_playable, {"kind": broken_toys.SamplesEmptyHands}),
    (looking.looking_changes_nothing, {"kind": broken_toys.SamplingTakes}),
    (looking.looking_changes_nothing, {"kind": broken_toys.AskingTakes}),
    (looking.looking_changes_nothing, {"kind": broken_toys.LookingTakes}),
    (looking.bots_only_look, {"bot": broken_toys.Cheat}),
    (looking.bots_only_look, {"bot": broken_toys.Moody}),
    (looking.bots_only_look, {"bot": broken_toys.Wild}),
    (looking.bots_only_look, {"bot": broken_toys.Peeping}),
    (playing.choices_commute, {"kind": broken_toys.FirstToLayWins}),
    (playing.cards_are_conserved, {"kind": broken_toys.LosesACard}),
    (playing.play_ends, {"kind": broken_toys.Endless}),
    (playing.play_ends, {"kind": broken_toys.RanksFromNought}),
    (playing.play_ends, {"kind": broken_toys.TiesBreakRanks}),
    (playing.play_ends, {"kind": broken_toys.OverTooSoon}),
    (keeping.facts_survive, {"kind": broken_toys.Untold}),
    (keeping.facts_survive, {"words": broken_toys.sorting_vocabulary}),
    (keeping.replay_is_match, {"kind": broken_toys.UntoldPoints}),
    (keeping.replay_is_match, {"kind": broken_toys.TellsWrong}),
    (keeping.replay_to_prefix, {"kind": broken_toys.UntoldPoints}),
    (keeping.restored_continues, {"kind": broken_toys.CountsForItself}),
    (keeping.scenario_is_truth, {"kind": broken_toys.ForgetsWhatWasSeen}),
    (copying.copy_is_equal, {"kind": broken_toys.CopiesShareScores}),
    (copying.copy_is_equal, {"kind": broken_toys.CopiesForgetTheWinner}),
    (keeping.seeds_decide, {"kind": broken_toys.OwnDice}),
]


def identified(case: object) -> str:
    """Return a name without addresses, which differ between processes."""
    if isinstance(case, dict):
        return "-".join(identified(value) for value in case.values())
    if isinstance(case, Law):
        return identified(case.judge)
    return str(getattr(case, "__name__", case))


@pytest.mark.parametrize(("law", "broken"), CASES, ids=identified)
def test_a_broken_toy_is_caught(law: Law, broken: dict[str, Any]) -> None:
    with pytest.raises(BrokenLaw) as caught:
        ask(law, toy.spec(**broken))
    assert caught.value.law == law.name
    assert "\n" not in str(caught.value)
    for named in (law.name, "game toy", "seats", "cards=", "seed", "step"):
        assert named in str(caught.value)


# Laws that only core can break ------------------------------------------------------------------


def with_causes(number: int, fact: Fact, whole: bool) -> dict[str, object]:
    line: dict[str, object] = {
        "n": number,
        "to": fact.audience,
        "fact": fact.name,
        "with": dict(fact.arguments),
    }
    return {**line, "act": fact.act}


def with_gaps(number: int, fact: Fact, whole: bool) -> dict[str, object]:
    return {"n": number * 2, "to": fact.audience, "fact": fact.name, "with": dict(fact.arguments)}


def with_secrets(count: int, record: Record) -> dict[str, object]:
    assert record.seed is not None
    return {"end": count, "over": record.over, "seed": record.seed.hex()}


def to_everybody(audience: object, reader: object) -> bool:
    return True


class GlobalChain(records.Chain):
    """Hashes lines independently, so that a seat's chain and the whole chain meet."""

    def hash(self, content: str) -> str:
        self.head = ""
        return super().hash(content.replace('"reader":0', '"reader":"everything"'))


def leave_it(match: Match, told: int, acted: int) -> None:
    """Leave the partial changes of a failed or undone play."""


CORE_CASES: list[tuple[Law, object, str, object]] = [
    (keeping.restored_continues, Match, "_restore", leave_it),
    (copying.undo_restores, Match, "_restore", leave_it),
    (knowing.record_is_for_its_reader, records, "fact_line", with_causes),
    (knowing.record_is_for_its_reader, records, "fact_line", with_gaps),
    (knowing.record_is_for_its_reader, records, "tells", to_everybody),
    (knowing.record_is_for_its_reader, records, "Chain", GlobalChain),
    (knowing.seed_stays_secret, records, "closing_line", with_secrets),
]


@pytest.mark.parametrize(("law", "owner", "name", "wrong"), CORE_CASES, ids=identified)
def test_a_broken_core_is_caught(
    law: Law, owner: object, name: str, wrong: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner, name, wrong)
    with pytest.raises(BrokenLaw) as caught:
        ask(law, toy.spec())
    assert caught.value.law == law.name


def test_rules_that_cannot_begin_break_a_law() -> None:
    with pytest.raises(BrokenLaw, match="IndexError was raised"):
        check_match(toy.form(toy.spec(), seats=3, cards=5), 1)


def test_an_error_in_the_rules_is_told_with_their_line(tmp_path: Path) -> None:
    spec = replace(toy.spec(), folder=tmp_path)
    with pytest.raises(ZeroDivisionError) as caught:
        exec(compile("\n1 / 0", tmp_path / "game.py", "exec"))
    assert "ZeroDivisionError was raised in game.py, line 2: " in str(raised(caught.value, spec))


def test_an_opening_that_cannot_be_read_is_told_as_one() -> None:
    stated = ModuleType("laws")
    vars(stated)["openings"] = lambda _: [[{"seats": 99}]]
    with pytest.raises(BrokenLaw, match=r"openings of laws\.py: "):
        check_form(replace(toy.form(toy.spec()), stated=stated), [exact.sampling_is_exact])


def test_each_law_bites() -> None:
    assert {
        law.name for law in (*(case[0] for case in CASES), *(case[0] for case in CORE_CASES))
    } == {law.name for law in LAWS}


# From outside ----------------------------------------------------------------------------------


def test_a_broken_law_is_one_line_and_status_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(__main__, "game_spec", lambda _: toy.spec(broken_toys.RanksFromNought))
    assert __main__.main(["toy", "--seats", "2", "--matches", "1"]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    assert "broken law: random play ends, with ranks; game toy, 2 seats" in shown.err


def test_a_report_has_a_line_a_law(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(__main__, "game_spec", lambda _: replace(toy.spec(), options=OPTIONS))
    assert __main__.main(["toy", "--seats", "2", "--matches", "1"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert len(shown) == 1 + len(LAWS)
    assert shown[0].startswith("toy: 1 forms, 1 matches, ")
    assert any("skipped: the game's package has no laws.conserved(truth)" in line for line in shown)


OPTIONS = {
    "cards": Option("cards", (5,), 5, "T 1"),
    "rounds": Option("rounds", (4,), 4, "T 1"),
    "hand": Option("hand", (2,), 2, "T 1"),
}


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "no-such-game",
        "kamiza-second --all",
        "kamiza-second --seats 9",
        "kamiza-second --matches 0",
        "kamiza-second --seed x",
        "--all --seats 17",
        "--no-such-option",
    ],
)
def test_bad_input_is_one_line_and_status_2(
    arguments: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status: object = __main__.main(arguments.split())
    except SystemExit as exit:
        status = exit.code
    shown = capsys.readouterr()
    assert status == 2
    assert shown.out == ""
    assert shown.err.count("\n") == 1
