"""The benchmark runs, and what its goals name exists. How fast anything is, is not tested."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import zashiki
from benchmarks.bench_playout import GOALS, HEADINGS, REFERENCES
from benchmarks.peers import PEERS, Way

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "benchmarks" / "bench_playout.py"


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), "--seconds", "0.005", "--rounds", "2", *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True)


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
    assert done.stdout.count("not measured") == len(GOALS)


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
    assert {(way, name) for way, name in REFERENCES.items()} <= {
        (peer.way, peer.name) for peer in PEERS
    }
    assert {goal.game for goal in GOALS} <= set(zashiki.games())
