"""`zashiki new-game` writes a game that can be installed, obeys the laws, and can be played."""

import os
import subprocess
import sys
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.commands import SOURCES, run_cli
from zashiki.cli.commands.new_game import new_files, rule_prefix

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class NewGame:
    """A game that was written and installed, but not into this environment."""

    folder: Path

    def run(self, *words: str, at: Path | None = None) -> str:
        """Run a Python module that finds the game; return its output."""
        paths = [SOURCES, str(self.folder / "river-crossing"), str(self.folder / "installed")]
        done = subprocess.run(
            [sys.executable, "-m", *words],
            cwd=at or self.folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONUTF8": "1"},
            check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> NewGame:
    written = NewGame(tmp_path_factory.mktemp("new"))
    with chdir(written.folder):
        done = run_cli("new-game", "river-crossing")
    assert done.returncode == 0, done.stderr
    options = ["--no-build-isolation", "--no-deps", "--no-index", "--target", "installed"]
    written.run("pip", "install", "--quiet", *options, "./river-crossing")
    return written


def test_the_laws_hold_at_once_and_none_is_skipped(game: NewGame) -> None:
    told = game.run("zashiki.laws", "river-crossing")
    assert told.startswith("river-crossing: 3 forms, 9 matches, ")
    assert "skipped" not in told


def test_its_own_tests_pass(game: NewGame) -> None:
    options = ["-q", "-p", "no:cacheprovider", "-W", "error", "--import-mode=importlib"]
    told = game.run("pytest", *options, "river_crossing", at=game.folder / "river-crossing")
    assert "8 passed" in told


def test_it_has_every_text_in_both_languages(game: NewGame) -> None:
    told = game.run(
        "pytest", "-q", "-p", "no:cacheprovider", "tests/test_texts.py", "-k", "river", at=ROOT
    )
    assert " passed" in told
    assert "failed" not in told


@pytest.mark.parametrize(("language", "said"), [("en", "won the round."), ("ja", "ラウンドを取")])
def test_it_can_be_played(game: NewGame, language: str, said: str) -> None:
    told = game.run("zashiki", "play", "river-crossing", "--seed", "7", "--lang", language)
    assert told.count(said) == 3


def test_its_record_is_honest(game: NewGame) -> None:
    game.run("zashiki", "play", "river-crossing", "--seed", "7", "--save", "evening.jsonl")
    told = game.run("zashiki", "verify", "evening.jsonl")
    assert [line.split()[:2] for line in told.splitlines()[:3]] == [
        ["chain", "ok"], ["seed", "ok"], ["rules", "ok"],
    ]  # fmt: skip


def test_a_name_with_hyphens_is_a_package_with_underscores() -> None:
    names = new_files("river-crossing")
    assert "class RiverCrossing(Game[" in names["river_crossing/game.py"]
    assert '"RC 2.2"' in names["river_crossing/text/en.toml"]
    assert names["river_crossing/rules.ja.md"].startswith("# River Crossing {river-crossing}\n")
    assert 'river_crossing = "river_crossing"' in names["pyproject.toml"]
    assert not any("emplate" in text or "TG" in text for text in names.values())


@pytest.mark.parametrize(("found", "command"), [(object(), "pip"), (None, "uv pip")])
def test_the_next_step_installs_into_this_environment(
    found: object, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zashiki.cli.commands.new_game.find_spec", lambda _: found)
    with chdir(tmp_path):
        done = run_cli("new-game", "river-crossing")
    assert f"\n  {command} install --editable river-crossing\n" in done.stdout


@pytest.mark.parametrize(
    ("words", "prefix"),
    [("river", "RI"), ("river-crossing", "RC"), ("red-town-two", "RTT"), ("red-top", "RE"),
     ("kings-2", "KI"), ("z9", "MY")],
)  # fmt: skip
def test_ids_of_rules_begin_like_the_name_and_unlike_those_of_other_games(
    words: str, prefix: str
) -> None:
    assert rule_prefix(words.split("-")) == prefix


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("River", "expected up to 40 lower-case letters"),
        ("../river", "expected up to 40 lower-case letters"),
        ("river--crossing", "expected up to 40 lower-case letters"),
        ("r" * 41, "expected up to 40 lower-case letters"),
        ("class", "a word of Python has this name"),
        ("random", "a word of Python has this name"),
        ("zashiki", "a word of Python has this name"),
        ("red-town", "a game has this id"),
        ("red_town", "a game has this id"),
        ("taken", "taken: exists already"),
    ],
)
def test_a_name_that_cannot_be_had_is_refused(name: str, fault: str, tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    with chdir(tmp_path):
        done = run_cli("new-game", name)
    assert done.returncode == 2
    assert fault in done.stderr
    assert [path.name for path in tmp_path.rglob("*")] == ["taken"]
