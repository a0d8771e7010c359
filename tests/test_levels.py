"""The ladder of levels: one table per game and form; each step runs until it is significant."""

from pathlib import Path

import pytest

import zashiki
from zashiki.bots import LEVELS
from zashiki.cli import main
from zashiki.lab import levels
from zashiki.lab.arena import Verdict
from zashiki.lab.levels import FORMS, STEPS, Form, climb, forms_of, plan_of

SMALL = Form("goofspiel", 2, {"cards": 6})


def test_every_game_of_the_package_and_every_form_is_listed() -> None:
    games = {game for game in zashiki.games() if game != "goofspiel"}
    assert {form.game for form in FORMS} == games
    forms = {form.options["form"] for form in FORMS if form.game == "red-town"}
    assert forms == set(zashiki.games()["red-town"].options["form"].values)
    for form in FORMS:
        assert plan_of(form, "master", "sensible", 10, 0).seats == form.seats


def test_each_level_meets_the_one_below() -> None:
    assert [above for above, _ in STEPS[:4]] == list(LEVELS)[1:]
    assert [below for _, below in STEPS[:4]] == list(LEVELS)[:-1]
    assert STEPS[4:] == (("master", "sensible"), ("sensible", "greedy"))


def test_between_two_more_than_a_fair_share_is_asked_for() -> None:
    assert plan_of(SMALL, "sensible", "random", 10, 0).until_clear == 0.6
    four = Form("goofspiel", 4, {"cards": 6})
    assert plan_of(four, "sensible", "random", 10, 0).until_clear == 0.25


def test_a_step_ends_when_it_is_clear_and_is_not_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(levels, "STEPS", (("sensible", "random"),))
    (first,) = climb(SMALL, 400, 1, 1, tmp_path)
    assert first.finding.verdict is Verdict.ABOVE
    assert first.finding.matches < 400
    kept = {path: path.read_bytes() for path in tmp_path.rglob("matches.jsonl")}
    assert [path.parent.name for path in kept] == ["goofspiel-6-2-seats-sensible-random"]
    assert list(climb(SMALL, 400, 1, 1, tmp_path)) == [first]
    assert {path: path.read_bytes() for path in tmp_path.rglob("matches.jsonl")} == kept


def test_a_game_without_levels_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "levels"
    assert main(["lab", "levels", "goofspiel", "--matches", "2", "--out", str(folder)]) == 2
    said = capsys.readouterr().err
    known = "kamiza-second, kamiza-2014, red-town, kingdoms"
    assert f"goofspiel: no levels are measured there; expected one of {known}" in said
    assert not folder.exists()


def test_a_folder_of_something_else_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "plan.json").touch()
    assert main(["lab", "levels", "kingdoms", "--matches", "2", "--out", str(tmp_path)]) == 2
    assert "holds other files; use a new or empty folder" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["plan.json"]


def test_a_folder_of_levels_is_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(levels, "STEPS", (("sensible", "greedy"),))
    for game in ("kingdoms", "kamiza-2014", "kingdoms"):
        assert main(["lab", "levels", game, "--matches", "2", "--out", str(tmp_path)]) == 1
    assert (tmp_path / "kingdoms-2-seats-sensible-greedy" / "matches.jsonl").exists()
    assert len(list(tmp_path.iterdir())) == 3


def test_a_game_that_is_not_known_is_refused() -> None:
    with pytest.raises(zashiki.Malformed, match="chess"):
        forms_of("chess")
    assert {form.game for form in forms_of("kingdoms")} == {"kingdoms"}
