"""The benchmarks run, and what their goals name exists. How fast anything is, is not tested."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import zashiki
from benchmarks.bench_playout import GOALS, HEADINGS, REFERENCES
from benchmarks.peers import PEERS, Way
from benchmarks.worker import OPTIONS, SEATS

BENCHMARKS = Path(__file__).resolve().parent.parent / "benchmarks"


def run(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCHMARKS / script), "--seconds", "0.005", *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True)


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    return run("bench_playout.py", "--rounds", "2", *arguments)


def test_our_own_half_runs(tmp_path: Path) -> None:
    file = tmp_path / "playout.json"
    done = bench("--no-peers", "--no-compiled", "--json", str(file))
    assert (done.returncode, done.stderr) == (0, "")
    rows = json.loads(file.read_text("utf-8"))["rows"]
    expected = {(game, way, "interpreted") for game in zashiki.games() for way in HEADINGS}
    assert {(row["name"], row["way"], row["modules"]) for row in rows} == expected
    assert all(len(row["rates"]) == 2 and min(row["rates"]) > 0 for row in rows)
    for game in zashiki.games():
        assert done.stdout.count(f"  {game} ") == len(HEADINGS)
    assert done.stdout.count("  red-town (form=short) ") == len(HEADINGS)
    assert {row["note"] for row in rows if row["name"] == "red-town"} == {"form=short"}
    assert {row["note"] for row in rows if row["name"] not in OPTIONS} == {""}
    assert done.stdout.count("not measured") == len(GOALS)


def test_a_word_restricts_what_is_measured(tmp_path: Path) -> None:
    file = tmp_path / "playout.json"
    done = bench("--no-peers", "--no-compiled", "--only", "Kingdoms", "euchre", "--json", str(file))
    assert (done.returncode, done.stderr) == (0, "")
    rows = json.loads(file.read_text("utf-8"))["rows"]
    assert [(row["name"], row["way"]) for row in rows] == [("kingdoms", way) for way in HEADINGS]


def test_a_peer_that_is_not_installed_is_told_of() -> None:
    missing = sorted({peer.library for peer in PEERS if not peer.is_installed})
    if not missing:
        pytest.skip("all are installed here")
    done = bench("--no-compiled")
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        f"{library} is not installed: its rows are left out." for library in missing
    ]


def test_no_rounds_are_refused() -> None:
    done = bench("--rounds", "0")
    assert done.returncode == 2
    assert "1 or more is expected" in done.stderr


def test_goals_and_references_name_what_is_measured() -> None:
    assert list(HEADINGS) == list(Way)
    known = {(peer.way, peer.name) for peer in PEERS}
    assert set(REFERENCES.items()) <= known
    assert {(goal.way, goal.reference) for goal in GOALS} <= known
    assert {goal.game for goal in GOALS} <= set(zashiki.games())
    assert {goal.modules for goal in GOALS} == {"interpreted", "compiled"}


@pytest.mark.parametrize("game", OPTIONS)
def test_what_a_game_is_measured_with_is_offered(game: str) -> None:
    chosen = zashiki.games()[game].check_options(OPTIONS[game], SEATS)
    assert OPTIONS[game].items() <= chosen.items()


def test_the_report_on_legal_lists_runs() -> None:
    done = run("bench_legal.py")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    for seats in zashiki.games()["red-town"].seats:
        assert any(line.startswith(f"{seats} form=") for line in lines)
    assert any(line.startswith("the 1 % largest hands") for line in lines)
    assert any(line.startswith("The most options met: ") for line in lines)
    hands = [line.strip() for line in lines if " cards: " in line]
    assert [hand[:9] for hand in hands[-2:]] == ["17 cards:", "16 cards:"]
    assert all(hand.count("H") == 4 for hand in hands[-2:])


def test_no_time_is_refused() -> None:
    done = run("bench_legal.py", "--seconds", "0")
    assert done.returncode == 2
    assert "more than 0 is expected" in done.stderr
