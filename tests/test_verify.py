"""Forged records: each kind of forgery is found by its check."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

import zashiki
from zashiki.core.match import Match
from zashiki.core.record import Chain, commit
from zashiki.core.verify import Report, Verdict, verify

OK, FAILED, NOT_JUDGED = Verdict.OK, Verdict.FAILED, Verdict.NOT_JUDGED
Line = dict[str, Any]
Change = Callable[[list[Line]], None]


def some_match(seed: int = 7, actions: int = 1000) -> Match:
    match = zashiki.start("kamiza-second", 4, seed=seed)
    while not match.over and len(match.journal.actions) < actions:
        seat = min(match.to_act)
        legal = match.legal(seat)
        match.play(seat, legal[len(match.journal.actions) % len(legal)], "boss-1")
    return match


def forge(text: str, change: Change) -> str:
    """Return the record with some lines changed and a new valid chain."""
    lines: list[Line] = [json.loads(line) for line in text.splitlines()]
    for line in lines:
        del line["hash"]
    change(lines)
    chain = Chain()
    return "".join(f"{chain.close(line)}\n" for line in lines)


ENGLISH = re.compile(r"\b(?:is|are|the|rules|line|seat|action|tampered|truncated)\b")


def check(text: str) -> Report:
    """Return the report; its Japanese version must be complete too."""
    report = verify(text, zashiki.games())
    for finding in (report.chain, report.seed, report.rules):
        told = finding.words("ja")
        assert re.search("[ぁ-ん]", told), told
        assert not ENGLISH.search(re.sub(r"\{.*\}|'[^']*'", "", told)), told
        assert finding.line is None or told.startswith(f"{finding.line}行目：")
    return report


def verdicts(report: Report) -> tuple[Verdict, Verdict, Verdict]:
    return report.chain.verdict, report.seed.verdict, report.rules.verdict


def line_of(text: str, fact: str) -> int:
    """Return the index of the first line with this fact."""
    return next(n for n, line in enumerate(text.splitlines()) if f'"fact":"{fact}"' in line)


@pytest.fixture(scope="module")
def text() -> str:
    return some_match().record()


def test_an_honest_record_passes_all_three(text: str) -> None:
    report = check(text)
    assert verdicts(report) == (OK, OK, OK)
    assert report.ok
    assert report.not_judged == 0
    assert "36 actions" in report.rules.text


def test_making_the_chain_anew_changes_nothing(text: str) -> None:
    assert forge(text, keep) == text


def keep(lines: list[Line]) -> None:
    """No forgery."""
    assert lines


def test_a_changed_line_breaks_the_chain_there(text: str) -> None:
    report = check(text.replace('"seat":1', '"seat":2', 1))
    assert verdicts(report) == (FAILED, NOT_JUDGED, NOT_JUDGED)
    assert not report.ok
    assert report.chain.line is not None
    assert report.chain.text.startswith(f"line {report.chain.line}:")


def test_a_cut_record_breaks_the_chain(text: str) -> None:
    cut = "".join(text.splitlines(keepends=True)[:20])
    report = check(cut)
    assert verdicts(report) == (FAILED, NOT_JUDGED, NOT_JUDGED)
    assert report.chain.line == 20
    assert "truncated" in report.chain.text


def test_a_forged_fact_of_an_action_that_drew_nothing_is_against_the_rules(text: str) -> None:
    place = line_of(text, "judged")

    def change(lines: list[Line]) -> None:
        lines[place]["with"]["points"] = [9, 0, 0, 0]

    report = check(forge(text, change))
    assert verdicts(report) == (OK, OK, FAILED)
    assert report.rules.line == place + 1
    assert "[9,0,0,0]" in report.rules.text


def test_a_true_instead_of_a_one_is_not_overlooked(text: str) -> None:
    place = line_of(text, "round_began")

    def change(lines: list[Line]) -> None:
        lines[place]["with"]["game"] = True

    report = check(forge(text, change))
    assert report.rules.verdict is FAILED
    assert report.rules.line == place + 1


def test_another_starter_is_against_the_seed(text: str) -> None:
    def change(lines: list[Line]) -> None:
        lines[1]["with"]["seat"] = (lines[1]["with"]["seat"] + 1) % 4

    report = check(forge(text, change))
    assert report.seed.verdict is FAILED
    assert report.seed.line == 2


def test_another_starter_in_a_whole_match_is_against_the_seed_and_the_turn_order(text: str) -> None:
    def change(lines: list[Line]) -> None:
        lines[1]["with"]["seat"] = (lines[1]["with"]["seat"] + 1) % 4

    report = check(forge(text, change))
    assert report.seed.verdict is FAILED
    assert report.seed.line == 2
    assert report.rules.verdict is FAILED
    assert "Z 1" in report.rules.text


def test_an_impossible_starter_is_against_the_rules(text: str) -> None:
    def change(lines: list[Line]) -> None:
        lines[1]["with"]["seat"] = 9

    report = check(forge(text, change))
    assert report.rules.verdict is FAILED
    assert report.rules.line == 2


def test_a_seed_that_does_not_open_the_commitment_is_found(text: str) -> None:
    def change(lines: list[Line]) -> None:
        lines[-1]["seed"] = "00" * 32

    report = check(forge(text, change))
    assert report.seed.verdict is FAILED
    assert "commitment" in report.seed.text
    assert report.seed.line == len(text.splitlines())
    assert report.rules.verdict is OK


def test_a_seed_with_a_commitment_of_its_own_still_has_to_give_the_draws(text: str) -> None:
    starter = json.loads(text.splitlines()[1])["with"]["seat"]
    others = (some_match(seed, 0) for seed in range(50))
    other = next(m for m in others if m.facts()[0].arguments["seat"] != starter)
    assert other.seed is not None
    assert other.salt is not None
    seed, salt = other.seed, other.salt

    def change(lines: list[Line]) -> None:
        lines[0]["commitment"] = commit(seed, salt)
        lines[-1] |= {"seed": seed.hex(), "salt": salt.hex()}

    report = check(forge(text, change))
    assert verdicts(report) == (OK, FAILED, OK)
    assert report.seed.line == 2


def test_an_illegal_action_is_named_with_its_ruling(text: str) -> None:
    first = json.loads(text.splitlines()[2])

    def change(lines: list[Line]) -> None:
        again = [line for line in lines if line.get("by") == first["by"] and line["act"] > 4]
        act = again[0]["act"]
        for line in lines:
            if line.get("act") == act:
                line["action"] = first["action"]

    report = check(forge(text, change))
    assert report.rules.verdict is FAILED
    assert "Z 3" in report.rules.text


def test_an_unreadable_action_is_against_the_rules(text: str) -> None:
    def change(lines: list[Line]) -> None:
        for line in lines:
            if line.get("act") == 3:
                line["action"] = "fly@moon"

    report = check(forge(text, change))
    assert report.rules.verdict is FAILED
    assert "'fly@moon'" in report.rules.text


@pytest.mark.parametrize("fact", ["said", "judged", "round_began", "placed", "laid"])
def test_a_missing_fact_is_against_the_rules_unless_it_was_free(text: str, fact: str) -> None:
    place = line_of(text, fact)

    def change(lines: list[Line]) -> None:
        del lines[place]
        for number, line in enumerate(lines[1:-1], 1):
            line["n"] = number
        lines[-1]["end"] -= 1

    report = check(forge(text, change))
    expected = OK if fact == "said" else FAILED  # saying nothing is legal too
    assert report.rules.verdict is expected


def test_an_added_fact_is_against_the_rules(text: str) -> None:
    place = line_of(text, "placed")

    def change(lines: list[Line]) -> None:
        lines.insert(place, dict(lines[place]))
        for number, line in enumerate(lines[1:-1], 1):
            line["n"] = number
        lines[-1]["end"] += 1

    report = check(forge(text, change))
    assert report.rules.verdict is FAILED
    assert report.rules.line == place + 2


def test_words_that_may_not_be_said_are_against_the_rules(text: str) -> None:
    place = line_of(text, "said")

    def change(lines: list[Line]) -> None:
        lines[place]["with"]["words"] = "a\u202eb"

    assert check(forge(text, change)).rules.verdict is FAILED


def test_a_record_that_claims_to_be_over_is_found() -> None:
    text = some_match(actions=5).record()

    def change(lines: list[Line]) -> None:
        lines[-1]["over"] = True

    report = check(forge(text, change))
    assert report.rules.verdict is FAILED
    assert "not over" in report.rules.text


def unsealed(lines: list[Line]) -> None:
    """Without seed and salt."""
    lines[-1].pop("seed", None)
    lines[-1].pop("salt", None)


def test_a_record_without_a_set_up_is_found(text: str) -> None:
    def change(lines: list[Line]) -> None:
        del lines[1:-1]
        lines[-1] |= {"end": 0, "over": False}
        unsealed(lines)

    report = check(forge(text, change))
    assert report.rules.verdict is FAILED  # whatever is drawn, a set-up has some fact


def test_without_a_seed_draws_are_judged_by_whether_they_can_be() -> None:
    report = check(some_match(actions=5).record())
    assert verdicts(report) == (OK, NOT_JUDGED, OK)
    assert report.ok
    assert report.seed.text == "not revealed"
    assert report.not_judged == 0
    assert "5 actions" in report.rules.text


def test_a_rule_broken_where_something_was_drawn_is_against_the_rules() -> None:
    match = zashiki.start("goofspiel", seats=2, seed=7, options={"cards": 3})
    while not match.over:
        for seat in sorted(match.to_act):
            match.play(seat, match.legal(seat)[seat % len(match.legal(seat))])
    text = match.record()
    place = line_of(text, "prize_won")

    def change(lines: list[Line]) -> None:
        lines[place]["with"]["seat"] = 1 - lines[place]["with"]["seat"]

    report = check(forge(text, change))
    assert verdicts(report) == (OK, OK, FAILED)
    assert report.rules.line == place + 1


def test_a_seed_that_was_taken_away_is_missed(text: str) -> None:
    report = check(forge(text, unsealed))
    assert verdicts(report) == (OK, NOT_JUDGED, OK)
    assert "the match is over" in report.seed.text


@pytest.mark.parametrize("key", ["seed", "salt"])
def test_seed_and_salt_stand_together(text: str, key: str) -> None:
    def change(lines: list[Line]) -> None:
        del lines[-1][key]

    assert check(forge(text, change)).chain.verdict is FAILED


def test_an_unfinished_record_has_no_seed(text: str) -> None:
    def change(lines: list[Line]) -> None:
        lines[-1]["over"] = False

    assert check(forge(text, change)).chain.verdict is FAILED


@pytest.mark.parametrize("scenario", [False, True])
def test_a_match_invented_as_its_set_up_is_found(text: str, scenario: bool) -> None:
    def change(lines: list[Line]) -> None:
        lines[0]["scenario"] = scenario
        for line in lines:
            for key in ("act", "by", "action"):
                line.pop(key, None)
            if line.get("fact") == "judged":
                line["with"]["points"] = [5, 0, 0, 0]
        unsealed(lines)

    report = check(forge(text, change))
    assert report.rules.verdict is FAILED


def test_many_wrong_actions_do_not_take_for_ever(text: str) -> None:
    def change(lines: list[Line]) -> None:
        fact = {"to": "all", "fact": "wanted_taken", "with": {"seat": 0}}
        cause = {"by": 0, "action": "boss@top"}
        many = [{"n": n, **fact, "act": n - 1, **cause} for n in range(2, 3000)]
        lines[2:-1] = many
        lines[-1]["end"] = len(many) + 1

    report = check(forge(text, change))
    assert report.rules.verdict is FAILED


def test_a_scenario_is_set_up_as_its_truth_is() -> None:
    match = zashiki.scenario("kamiza-second", some_match(actions=6).truth())
    seat = min(match.to_act)
    match.play(seat, match.legal(seat)[0])
    report = check(match.record())
    assert verdicts(report) == (OK, NOT_JUDGED, OK)
    assert "1 action," in report.rules.text

    def change(lines: list[Line]) -> None:
        lines[0]["scenario"] = True

    assert check(forge(some_match().record(), change)).rules.verdict is FAILED


def test_other_versions_games_and_readers_are_not_judged(text: str) -> None:
    def version(lines: list[Line]) -> None:
        lines[0]["rules_version"] = 99

    def game(lines: list[Line]) -> None:
        lines[0]["game"] = "mahjong"

    reports = [check(forge(text, version)), check(forge(text, game)), check(some_match().record(2))]
    assert [verdicts(report) for report in reports] == [(OK, OK, NOT_JUDGED)] * 3
    assert ["99" in reports[0].rules.text, "mahjong" in reports[1].rules.text] == [True, True]


def test_a_header_that_the_game_does_not_allow_is_against_the_rules(text: str) -> None:
    def option(lines: list[Line]) -> None:
        lines[0]["options"]["tie_break"] = "fight"

    def missing(lines: list[Line]) -> None:
        del lines[0]["options"]["tie_break"]

    for change in (option, missing):
        report = check(forge(text, change))
        assert report.rules.verdict is FAILED
        assert report.rules.line == 1


def test_rules_that_break_down_in_an_impossible_position_are_a_finding(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(*_: object) -> None:
        raise KeyError("impossible")

    monkeypatch.setattr(Match, "_apply", break_down)
    report = check(text)
    assert report.rules.verdict is FAILED
    assert "impossible" in report.rules.text
