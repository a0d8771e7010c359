"""The benchmarks run, and everything that their goals name exists. Speed is not tested."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

import zashiki
from benchmarks import bench_copy, bench_legal, bench_playout, bench_search, opponents, searches
from benchmarks.bench_playout import GOALS, HEADINGS, REFERENCES
from benchmarks.opponents import Source
from benchmarks.peers import PEERS, Way
from benchmarks.searches import first_decision
from benchmarks.servers import PEER
from benchmarks.worker import OPTIONS, SEATS
from tests.commands import Done, piped, streams, written
from zashiki.core.dice import Quick
from zashiki.core.game import members
from zashiki.core.match import Match
from zashiki.core.spec import AnyGame, OptionValue

BENCHMARKS = Path(__file__).resolve().parent.parent / "benchmarks"
HAS_OPEN_SPIEL = find_spec("pyspiel") is not None


def run(script: str, *arguments: str) -> Done:
    """Run a benchmark as a process, as people start it."""
    command = [sys.executable, str(BENCHMARKS / script), *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True)


def call(module: ModuleType, *arguments: str) -> Done:
    """Run a benchmark in this process; its workers are still processes."""
    stdout, stderr, status = piped(), piped(), 0
    with streams(piped(), stdout, stderr), pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [str(module.__file__), *arguments])
        try:
            module.main()
        except SystemExit as ended:  # how argparse ends
            status = int(ended.code or 0)
    return Done(arguments, status, written(stdout), written(stderr))


FAST = ("--seconds", "0.005", "--rounds", "2")


def bench(*arguments: str) -> Done:
    return call(bench_playout, *FAST, *arguments)


def test_our_own_half_runs(tmp_path: Path) -> None:
    file = tmp_path / "playout.json"
    done = run("bench_playout.py", *FAST, "--no-peers", "--no-compiled", "--json", str(file))
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
    done = run("bench_playout.py", *FAST, "--no-compiled")  # a worker prints it, to its own stream
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        f"{library} is not installed: its rows are left out." for library in missing
    ]


def test_no_rounds_are_refused() -> None:
    done = bench("--rounds", "0")
    assert done.returncode == 2
    assert "expected 1 or more" in done.stderr


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
    done = run("bench_legal.py", "--seconds", "0.005")
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
    done = call(bench_legal, "--seconds", "0")
    assert done.returncode == 2
    assert "expected more than 0" in done.stderr


# Searches --------------------------------------------------------------------------------------


SHORT = ("--no-compiled", "--iterations", "3", "--rounds", "2")


def search(*arguments: str) -> Done:
    return call(bench_search, *SHORT, *arguments)


def game_of(name: str, seats: int, options: Mapping[str, OptionValue]) -> AnyGame:
    spec = zashiki.games()[name]
    return spec.make(seats, spec.check_options(options, seats))


def test_our_searches_are_measured(tmp_path: Path) -> None:
    file = tmp_path / "search.json"
    done = search("--no-peers", "--json", str(file))
    assert (done.returncode, done.stderr) == (0, "")
    rows = json.loads(file.read_text("utf-8"))["rows"]
    ours = searches.OURS
    expected = [(name, searches.note_of(seats, options)) for name, seats, options in ours]
    assert [(row["name"], row["note"]) for row in rows] == expected
    assert {name for name, _ in expected} == set(zashiki.games())
    for row in rows:
        assert row["modules"] == "interpreted"
        assert len(row["rates"]) == 2
        assert all(0 < rate < steps for rate, steps in zip(row["rates"], row["steps"], strict=True))
        assert f"  {row['name']} ({row['note']}) " in done.stdout
    assert done.stdout.count("not measured") == len(bench_search.GOALS)


def test_a_word_restricts_which_searches_are_measured(tmp_path: Path) -> None:
    file = tmp_path / "search.json"
    done = search("--no-peers", "--only", "form=short", "3 seats", "--json", str(file))
    assert (done.returncode, done.stderr) == (0, "")
    rows = json.loads(file.read_text("utf-8"))["rows"]
    assert [(row["name"], row["note"]) for row in rows] == [
        ("kamiza-second", "3 seats"),
        ("red-town", "4 seats, form=short"),
    ]


def test_open_spiel_is_searched_or_missed(tmp_path: Path) -> None:
    file = tmp_path / "search.json"
    done = run("bench_search.py", *SHORT, "--only", "OpenSpiel", "--json", str(file))
    assert done.returncode == 0
    rows = json.loads(file.read_text("utf-8"))["rows"]
    if HAS_OPEN_SPIEL:
        assert [row["name"] for row in rows] == [name for name, _ in searches.PEERS]
    else:
        assert rows == []
        assert done.stderr == "OpenSpiel is not installed: its rows are left out.\n"


def test_no_iterations_are_refused() -> None:
    done = search("--iterations", "0")
    assert done.returncode == 2
    assert "expected 1 or more" in done.stderr


def test_the_goals_of_searches_name_what_is_measured() -> None:
    notes = [(name, searches.note_of(seats, options)) for name, seats, options in searches.OURS]
    assert {goal.label for goal in bench_search.GOALS} <= {
        f"{name} ({note})" for name, note in notes
    }
    assert bench_search.REFERENCE in {f"{name} (4 seats)" for name, _ in searches.PEERS}


# OpenSpiel's search in our games ---------------------------------------------------------------


@pytest.mark.parametrize(("name", "seats", "options", "ours"), opponents.TABLES)
def test_a_world_for_open_spiel_is_one_of_ours(
    name: str, seats: int, options: Mapping[str, OptionValue], ours: int
) -> None:
    game = game_of(name, seats, options)
    chance = Quick(5)
    view = first_decision(game, chance)
    source = Source(game, view, chance, end=float("inf"))
    worlds = [source.world().resample_from_infostate(int(view.seat), None) for _ in range(3)]
    for world in worlds:
        assert world.current_player() == view.seat
        assert json.loads(world.information_state_string()) == game.show(view)
        assert world.legal_actions() == game.legal(view)
        while not world.is_terminal():
            assert world.current_player() in members(game.to_act(world.state.public))
            world.apply_action(int(world.legal_actions()[0]))
        assert sum(world.returns()) == pytest.approx(seats / 2)
    assert 0 < ours < seats


def test_our_bots_meet_open_spiel(tmp_path: Path) -> None:
    file = tmp_path / "opponent.json"
    few = ("--matches", "2", "--worlds", "2", "--seconds", "0.001")
    done = run("bench_opponent.py", "--no-compiled", *few, "--json", str(file))
    assert done.returncode == 0
    rows = json.loads(file.read_text("utf-8"))["rows"]
    if not HAS_OPEN_SPIEL:
        assert rows == []
        assert done.stderr == "OpenSpiel is not installed: nothing is played.\n"
        pytest.skip("OpenSpiel is not installed here")
    found = [(row["name"], row["ours"], row["by"]) for row in rows]
    kinds = (opponents.WORLDS, opponents.SECONDS)
    assert found == [(name, ours, by) for by in kinds for name, _, _, ours in opponents.TABLES]
    assert all(0 <= match["won"] <= 1 for row in rows for match in row["matches"])
    assert all(match["their_decisions"] > 0 for row in rows for match in row["matches"])


# Servers ---------------------------------------------------------------------------------------

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")


def complaints(done: Done) -> list[str]:
    """Return the errors, without notes that a server waits for its store on a busy machine."""
    return [line for line in done.stderr.splitlines() if '"code":"waiting"' not in line]


@pytest.mark.long
@needs_compiler
def test_the_costs_of_our_server_are_measured(tmp_path: Path) -> None:
    file = tmp_path / "server.json"
    done = run(
        "bench_server.py", "--only", "SQLite", "--games", "kamiza-second", "--tables", "3",
        "--rounds", "1", "--idle", "0.1", "--paced-rounds", "1", "--paced-seconds", "1",
        "--no-compiled", "--json", str(file),
    )  # fmt: skip
    assert (done.returncode, complaints(done)) == (0, [])
    found = json.loads(file.read_text("utf-8"))
    assert [costs["has_words"] for costs in found["costs"]] == [False, True]
    for costs in found["costs"]:
        assert (costs["sockets"], costs["matches"]) == (12, 3)
        assert costs["moves"] > 0
        assert costs["bytes"] > 0
    assert [table["tables"] for table in found["tables"]] == [3]
    assert [paced["has_words"] for paced in found["paced"]] == [False, True]
    assert all(0 < paced["found"]["p50"] <= paced["found"]["p99"] for paced in found["paced"])
    (counts,) = re.findall(r"(\d+) moves sent, (\d+) acknowledged, (\d+) counted", done.stdout)
    assert int(counts[0]) >= 2 * 3 * 36
    assert len(set(counts)) == 1


@pytest.mark.long
@needs_compiler
def test_our_server_is_loaded_and_soaked(tmp_path: Path) -> None:
    file = tmp_path / "cluster.json"
    done = run(
        "bench_cluster.py", "--only", "SQLite", "--seconds", "1", "--warm-up", "0.1",
        "--pace", "40", "--first", "80", "--most", "2", "--bound", "60000", "--no-compiled",
        "--soak", "2", "--half", "1", "--json", str(file),
    )  # fmt: skip
    assert (done.returncode, complaints(done)) == (0, [])
    found = json.loads(file.read_text("utf-8"))
    (climb,) = found["climbs"]
    assert climb["name"] == "zashiki, SQLite"
    assert all(rung["moves"] > 0 for rung in climb["rungs"])
    assert len(found["soak"]["parts"]) == 10
    assert all(part["disk"] > 0 and part["usual"] > 0 for part in found["soak"]["parts"])
    assert "not measured" in done.stdout


@pytest.mark.skipif(not (PEER / "node_modules").exists(), reason="boardgame.io is not installed")
def test_boardgame_io_plays_the_same_game() -> None:
    done = run("bench_cluster.py", "--check", "30")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("30 matches, ")
    assert "the same at every step" in done.stdout


# Copies ----------------------------------------------------------------------------------------


def test_matches_are_copied_in_their_middle() -> None:
    rows = bench_copy.ours()
    assert len(rows) == len(bench_copy.OURS)
    for name, copy in rows.items():
        match = copy()
        assert isinstance(match, Match), name
        assert not match.over
        assert f"{len(match.facts())} facts" in name
        assert match == copy()
