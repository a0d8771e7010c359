"""The command line, as real processes; and one match played through a pseudo-terminal."""

import csv
import json
import os
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from codecs import getincrementaldecoder
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

import zashiki
from zashiki.bots import names_of
from zashiki.cli import simulate as simulating
from zashiki.cli.rulebook import plain, rulebook
from zashiki.games import offer_of
from zashiki.lab import Row

pty = pytest.importorskip("pty")

RUN = [sys.executable, "-m", "zashiki"]
SOURCES = str(Path(zashiki.__file__).parent.parent)
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": SOURCES, "PYTHONUTF8": "1", **more}


def zashiki_runs(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*RUN, *arguments],
        input=given,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        env=environment(),
        check=False,
    )


def output(*arguments: str, status: int = 0) -> str:
    """What a command prints; piped, it has no control codes."""
    done = zashiki_runs(*arguments)
    assert done.stderr == ""
    assert done.returncode == status
    assert not CONTROL.search(done.stdout)
    return done.stdout


def error(*arguments: str, given: str = "") -> str:
    """The one line that a command has to say about wrong input."""
    done = zashiki_runs(*arguments, given=given)
    assert done.returncode == 2
    assert done.stderr.startswith("zashiki: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a match that bots played among themselves."""
    path = tmp_path_factory.mktemp("records") / "evening.jsonl"
    output("play", "kamiza-second", "--bots", "random", "--seed", "7", "--save", str(path))
    return path


# Looking things up -----------------------------------------------------------------------------


def test_games_lists_ids_seats_options_and_bots() -> None:
    listed = output("games")
    for game, offer in zashiki.games().items():
        assert game in listed
        assert offer.title in listed
    assert "tie_break=chicken|shared" in listed
    assert "open_start=false|true" in listed
    assert "sensible" in listed


def test_games_speaks_japanese() -> None:
    assert "上座" in output("games", "--lang", "ja")


def test_rules_are_those_of_one_game_in_plain_text() -> None:
    text = output("rules", "kamiza-second")
    assert "K2 3.5 " in text
    assert "K1 3.5" not in text
    assert "**" not in text
    assert "{kamiza" not in text


@pytest.mark.parametrize("id", [["K2", "3.5"], ["K2 3.5"], ["k2-3.5"], ["3.5"]])
def test_one_rule_by_any_spelling_of_its_id(id: list[str]) -> None:
    text = output("rules", "kamiza-second", *id)
    assert text.startswith("- K2 3.5 ")
    assert text.count("\n") == 1


@pytest.mark.parametrize("id", [["RB", "2.4a"], ["RB 2.4a"], ["rb2.4A"], ["2.4a"]])
def test_a_rule_whose_id_ends_in_a_letter(id: list[str]) -> None:
    text = output("rules", "kingdoms", *id)
    assert text.startswith("- RB 2.4a Occupy an empty area")
    assert text.count("\n") == 1


@pytest.mark.parametrize("id", [["RB 2.4"], ["2.4"]])
def test_a_rule_with_its_parts(id: list[str]) -> None:
    lines = output("rules", "kingdoms", *id).splitlines()
    assert [line.split()[2] for line in lines] == ["2.4", "2.4a", "2.4b", "2.4c"]


@pytest.mark.parametrize("id", ["5.1", "RB 5.1"])
def test_a_rule_without_parts_stands_alone(id: str) -> None:
    text = output("rules", "kingdoms", id)
    assert text.startswith("- RB 5.1 Liaison ")
    assert text.count("\n") == 1


@pytest.mark.parametrize("id", ["RB", "R", "RB 2.4d", "2.4ab", "."])
def test_half_an_id_is_no_rule(id: str) -> None:
    assert rulebook(offer_of("kingdoms"), "en").find(id) is None


def test_a_chapter_of_the_rules() -> None:
    text = output("rules", "kamiza-second", "K2", "4")
    assert text.startswith("- K2 4.1 ")
    assert "K2 3" not in text.replace("section 3", "").split("\n")[0]
    assert text.count("- K2 4.") == 5


def test_japanese_rules_have_the_same_ids_and_no_spaces_where_lines_end() -> None:
    offer = offer_of("kamiza-second")
    japanese = rulebook(offer, "ja")
    assert list(japanese.rules) == list(rulebook(offer, "en").rules)
    assert not re.search(r"[ぁ-ん] +[ぁ-ん]", plain(japanese.text))


def test_version_and_help() -> None:
    assert output("--version").startswith("zashiki ")
    assert "examples:" in output("--help")
    assert "zashiki play kamiza-second" in output()
    for command in ("games", "rules", "play", "simulate", "replay", "verify"):
        assert "examples:" in output(command, "--help")
    assert "rotates" in output("simulate", "--help")


# Playing ---------------------------------------------------------------------------------------


def test_without_a_terminal_bots_play_one_match(saved: Path) -> None:
    once = output("play", "kamiza-second", "--seed", "7", "--bots", "random")
    assert "Game 3, round 3" in once
    assert "won." in once or "Shared victory" in once
    assert once == output("play", "kamiza-second", "--seed", "7", "--bots", "random")
    assert zashiki.replay(saved.read_text("utf-8")).over


def test_bots_of_one_kind_are_told_apart() -> None:
    names = names_of(["random", None, "greedy", "random"], "Guest")
    assert names == ["Random A", "Guest", "Greedy", "Random B"]


AS_TERMINAL = """
import fcntl, sys, termios
from zashiki.cli import main
fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # so that an interrupt typed there arrives
sys.exit(main())
"""


class Terminal:
    """A process on a pseudo-terminal, typed at by a test."""

    def __init__(self, *arguments: str, **more: str) -> None:
        self.file, slave = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", AS_TERMINAL, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env=environment(TERM="xterm", COLUMNS="100", **more),
        )
        os.close(slave)
        self.seen = ""
        self.decoder = getincrementaldecoder("utf-8")()

    def wait_for(self, *awaited: str, seconds: float = 60) -> str:
        """Read on until one of these was printed; what was printed since the last time."""
        until = time.monotonic() + seconds
        start = len(self.seen)
        while not any(text in self.plain(start) for text in awaited):
            assert time.monotonic() < until, f"{awaited} did not appear in {self.plain(start)!r}"
            if not self.read():
                break
        return self.plain(start)

    def plain(self, start: int = 0) -> str:
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.seen[start:])

    def read(self) -> bool:
        if not select.select([self.file], [], [], 0.5)[0]:
            return True
        try:
            chunk = os.read(self.file, 65536)
        except OSError:  # how a pseudo-terminal says that the process has ended
            return False
        self.seen += self.decoder.decode(chunk)
        return bool(chunk)

    def type(self, line: str) -> None:
        os.write(self.file, f"{line}\r".encode())

    def press(self, key: str) -> None:
        os.write(self.file, key.encode())

    def leave(self, key: str = "\x04") -> int:
        """Press a key that ends the match; again if nothing happens, for it can come too early."""
        for _ in range(10):
            self.press(key)
            if self.has_ended(5):
                break
        return self.status()

    def has_ended(self, seconds: float) -> bool:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if not self.read():
                return True
        return False

    def status(self) -> int:
        if not self.has_ended(60):
            self.process.kill()
        os.close(self.file)
        return self.process.wait(60)


def test_a_whole_match_on_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    terminal = Terminal(
        "play", "kamiza-second", "--bots", "random", "--seat", "2", "--seed", "3",
        "--name", "Aki", "--save", str(path),
    )  # fmt: skip
    first = terminal.wait_for("Aki ›")
    assert "Your hand: Boss, Underboss, Hitman, Corrupt Policeman" in first
    assert "boss@top" in first
    terminal.type("?")
    assert "why boss@top" in terminal.wait_for("Aki ›")
    terminal.type("threats")
    assert "police-1" in terminal.wait_for("Aki ›")
    terminal.type("rules 3.5")
    assert "K2 3.5" in terminal.wait_for("Aki ›")
    terminal.type("nonsense")
    assert "I cannot read 'nonsense'" in terminal.wait_for("Aki ›")
    terminal.type("1 " + "a" * 81)
    assert "80 characters" in terminal.wait_for("Aki ›")
    terminal.type("boss@top Evening, [b]gentlemen[/b]")
    assert "Evening, [b]gentlemen[/b]" in terminal.wait_for("Aki ›")
    terminal.type("why boss@top")
    assert "Z 3" in terminal.wait_for("Aki ›")
    terminal.type("boss@bottom")
    assert "Z 3" in terminal.wait_for("Aki ›")
    for number in range(8):
        terminal.type("1 boss-1" if number == 0 else "1")
        news = terminal.wait_for("Aki ›", "Record saved")
    assert "Rank" in news
    assert "(you)" in news
    assert terminal.status() == 0
    match = zashiki.replay(path.read_text("utf-8"))
    assert match.over
    assert match.header.names[2] == "Aki"
    said = [fact.arguments["words"] for fact in match.facts() if fact.name == "said"]
    assert "Evening, [b]gentlemen[/b]" in said
    assert zashiki_runs("verify", str(path)).returncode == 0


def test_quitting_asks_and_offers_to_save(tmp_path: Path) -> None:
    path = tmp_path / "left.jsonl"
    terminal = Terminal("play", "kamiza-second", "--bots", "random")
    terminal.wait_for("Guest ›")
    terminal.type("quit")
    terminal.wait_for("[y/N]")
    terminal.type("n")
    terminal.wait_for("Guest ›")
    terminal.type("quit")
    terminal.wait_for("[y/N]")
    terminal.type("y")
    terminal.wait_for("Save")
    terminal.type(str(tmp_path / "missing" / "file"))
    assert "does not exist" in terminal.wait_for("Save the record as (Enter: do not): ")
    terminal.type(str(tmp_path))
    assert "is a folder" in terminal.wait_for("Save the record as (Enter: do not): ")
    (tmp_path / "diary").write_text("Dear diary", "utf-8")
    terminal.type(str(tmp_path / "diary"))
    assert "exists already" in terminal.wait_for("Save the record as (Enter: do not): ")
    terminal.type("n" * 300)
    assert "File name too long" in terminal.wait_for("Save the record as (Enter: do not): ")
    terminal.type(str(path))
    terminal.wait_for("Good night.")
    assert terminal.status() == 0
    assert not zashiki.replay(path.read_text("utf-8")).over
    assert (tmp_path / "diary").read_text("utf-8") == "Dear diary"
    assert sorted(os.listdir(tmp_path)) == ["diary", "left.jsonl"]


def test_letters_that_the_terminal_cannot_encode_are_no_end_of_the_match() -> None:
    terminal = Terminal(
        "play", "kamiza-second", "--bots", "random", "--lang", "ja", "--name", "Aki",
        PYTHONIOENCODING="ascii",
    )  # fmt: skip
    terminal.wait_for("Aki ?")
    terminal.type("こんばんは")
    terminal.wait_for("Aki ?")
    assert terminal.leave() == 0
    assert "Traceback" not in terminal.seen


def play_and_save(path: str) -> str:
    """What is said about a place where no record can be saved, before the match begins."""
    done = zashiki_runs("play", "kamiza-second", "--bots", "random", "--save", path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_a_record_never_replaces_what_is_there(saved: Path, tmp_path: Path) -> None:
    before = saved.read_bytes()
    assert "exists already" in play_and_save(str(saved))
    assert saved.read_bytes() == before
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "target")
    assert "exists already" in play_and_save(str(link))
    assert os.listdir(tmp_path) == ["link"]


def test_a_record_is_saved_in_files_only(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert "exists already" in play_and_save(str(pipe))
    assert "File name too long" in play_and_save(str(tmp_path / ("n" * 300)))
    longest = tmp_path / ("n" * 255)
    output("play", "kamiza-second", "--bots", "random", "--save", str(longest))
    assert zashiki.replay(longest.read_text("utf-8")).over


@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_interrupt_and_end_of_input_leave_cleanly(key: str) -> None:
    terminal = Terminal("play", "kamiza-2014", "--bots", "random", "--lang", "ja")
    terminal.wait_for("ゲスト ›")
    assert terminal.leave(key) == 0
    assert "おやすみなさい" in terminal.plain()
    assert "Traceback" not in terminal.seen


def test_no_colour_where_it_is_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    colour = re.compile(r"\x1b\[[0-9;]*3[0-8]")
    for wanted in (True, False):
        if not wanted:
            monkeypatch.setenv("NO_COLOR", "1")
        terminal = Terminal("play", "kamiza-second", "--bots", "random")
        terminal.wait_for("Guest ›")
        assert terminal.leave() == 0
        assert bool(colour.search(terminal.seen)) is wanted


# Simulating ------------------------------------------------------------------------------------

SIMULATE = ("simulate", "kamiza-second", "--bots", "greedy,random,random,random", "--matches", "24")


def test_simulate_prints_the_same_for_any_number_of_workers() -> None:
    alone = output(*SIMULATE, "--workers", "1")
    assert alone == output(*SIMULATE, "--workers", "2")
    assert "greedy " in alone
    assert "random ×3" in alone
    assert "fair share of wins: 25.0 %" in alone


def test_simulate_writes_a_row_a_match_and_seat(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    output(*SIMULATE, "--out", str(path), "--options", "tie_break=shared")
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["match", "seed", "seat", "bot", "rank", "score"]
    assert len(rows) == 24 * 4
    assert [path.name for path in tmp_path.iterdir()] == ["results.csv"]


def test_simulate_writes_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "results.parquet"
    output(*SIMULATE, "--out", str(path))
    table = parquet.read_table(path)
    assert table.column_names == ["match", "seed", "seat", "bot", "rank", "score"]
    assert table.num_rows == 24 * 4


def test_without_pyarrow_parquet_is_refused_in_one_line(tmp_path: Path) -> None:
    blocked = (
        "import sys; sys.modules['pyarrow'] = None; from zashiki.cli import main; "
        f"sys.exit(main({[*SIMULATE, '--out', str(tmp_path / 'results.parquet')]!r}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", blocked],
        capture_output=True, text=True, timeout=60, env=environment(), check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "pip install 'zashiki[parquet]'" in done.stderr


def test_rows_are_written_to_no_file_that_is_already_there(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious", "utf-8")
    (tmp_path / "a.csv.part").write_text("precious", "utf-8")
    (tmp_path / "b.csv.part").symlink_to(victim)
    for name in ("a.csv", "b.csv"):
        output(*SIMULATE, "--out", str(tmp_path / name))
    assert victim.read_text("utf-8") == "precious"
    assert (tmp_path / "a.csv.part").read_text("utf-8") == "precious"
    assert len(os.listdir(tmp_path)) == 5


def test_rows_do_not_go_into_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "rows.csv")
    assert "is a pipe" in error(*SIMULATE, "--out", str(tmp_path / "rows.csv"))


def test_parquet_is_written_while_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(simulating, "ROW_GROUP", 5)
    path = tmp_path / "rows.parquet"
    rows = [Row(number, 1, 0, "random", 1, 2.0) for number in range(12)]
    with simulating.results(path) as keep:
        for start in range(0, 12, 4):
            keep(rows[start : start + 4])
    assert parquet.ParquetFile(path).num_row_groups == 2
    assert parquet.read_table(path)["match"].to_pylist() == list(range(12))


FOR_TWO = ("simulate", "kingdoms", "--bots", "random,greedy", "--matches", "24", "--seed", "3")


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_simulate_tells_of_sides_draws_turns_and_cards(tmp_path: Path) -> None:
    said = []
    for workers in ("1", "2"):
        folder = tmp_path / workers
        folder.mkdir()
        files = [f"--{what}={folder / what}.csv" for what in ("out", "summary", "cards")]
        said.append(output(*FOR_TWO, "--workers", workers, *files).replace(str(folder), "…"))
        assert sorted(os.listdir(folder)) == ["cards.csv", "out.csv", "summary.csv"]
    assert said[0] == said[1]
    for name in ("cards.csv", "out.csv", "summary.csv"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()
    for told in ("0 Red ", "1 Blue ", "draws: ", "turns: ", "Cards written to …/cards.csv"):
        assert told in said[0]
    cards = read_csv(tmp_path / "1" / "cards.csv")
    assert list(cards[0]) == list(simulating.CARD_COLUMNS)
    assert {"soldier", "knight", "prince", "princess"} <= {row["card"] for row in cards}
    rows = read_csv(tmp_path / "1" / "out.csv")
    assert list(rows[0]) == ["match", "seed", "seat", "bot", "rank", "score"]


def test_the_summary_as_a_file_has_what_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "summary.csv"
    shown = output(*FOR_TWO, "--summary", str(path))
    rows = read_csv(path)
    found = {(row["of"], row["side"] or row["name"], row["measure"]): row for row in rows}
    red, draws = found["seat", "red", "win_rate"], found["match", "", "draw_rate"]
    assert ("bot", "greedy", "score") in found
    assert float(red["low"]) < float(red["value"]) < float(red["high"])
    assert f" {100 * float(red['value']):.1f} " in shown
    assert f"draws: {found['match', '', 'draws']['value']}, " in shown
    assert float(draws["value"]) == round(int(found["match", "", "draws"]["value"]) / 24, 6)
    assert f"to {found['match', '', 'turns_most']['value']}\n" in shown


def test_a_summary_has_only_what_is_known(tmp_path: Path) -> None:
    path = tmp_path / "summary.csv"
    shown = output(*SIMULATE[:-1], "1", "--summary", str(path))
    rows = {(row["of"], row["name"], row["measure"]): row for row in read_csv(path)}
    assert (rows["seat", "0", "score"]["low"], rows["seat", "0", "score"]["side"]) == ("", "")
    assert [key[2] for key in rows if key[0] == "match"] == ["matches", "fair_share"]
    assert "draws" not in shown
    assert "turns" not in shown


class Simulation:
    """A simulation with two workers that would go on for an hour."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        out = str(folder / "rows.csv")
        self.process = subprocess.Popen(
            [*RUN, "simulate", "kamiza-second", "--bots", "random", "--matches", "9999999",
             "--workers", "2", "--out", out],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(),
            start_new_session=True,
        )  # fmt: skip
        until = time.monotonic() + 20
        while not any(path.stat().st_size > 1000 for path in folder.iterdir()):
            if time.monotonic() > until or self.process.poll() is not None:
                os.killpg(self.process.pid, signal.SIGKILL)
                pytest.fail("no rows were written")
            time.sleep(0.05)

    def end(self, number: int) -> tuple[int, str]:
        """Send a signal; the status, and what was said when the last of the processes ended."""
        self.process.send_signal(number)
        return self.ended()

    def ended(self) -> tuple[int, str]:
        try:
            _, said = self.process.communicate(timeout=20)  # the workers write there too
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            raise
        return self.process.returncode, said

    def workers(self) -> list[int]:
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
        lines = {int(child): Path(f"/proc/{child}/cmdline").read_bytes() for child in children}
        return [child for child, line in lines.items() if b"spawn_main" in line]


@pytest.mark.parametrize(
    ("number", "said", "status"),
    [
        (signal.SIGINT, "zashiki: interrupted\n", 130),
        (signal.SIGTERM, "zashiki: ended by a signal\n", 143),
    ],
)
def test_signals_end_a_simulation_without_traces(
    number: int, said: str, status: int, tmp_path: Path
) -> None:
    assert Simulation(tmp_path).end(number) == (status, said)
    assert os.listdir(tmp_path) == []


def test_an_interrupt_of_the_whole_group_is_told_once(tmp_path: Path) -> None:
    simulation = Simulation(tmp_path)
    os.killpg(simulation.process.pid, signal.SIGINT)
    assert simulation.ended() == (130, "zashiki: interrupted\n")


def test_workers_do_not_outlive_a_killed_parent(tmp_path: Path) -> None:
    assert Simulation(tmp_path).end(signal.SIGKILL) == (-signal.SIGKILL, "")


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no way to find the workers")
def test_a_killed_worker_is_one_line(tmp_path: Path) -> None:
    simulation = Simulation(tmp_path)
    os.kill(simulation.workers()[0], signal.SIGKILL)
    status, said = simulation.ended()
    assert status == 2
    assert said == "zashiki: a process ended before its matches did: too little memory?\n"
    assert os.listdir(tmp_path) == []


# Records ---------------------------------------------------------------------------------------


def test_replay_tells_everything_and_marks_what_not_all_were_told(saved: Path) -> None:
    story = output("replay", str(saved))
    assert "(told to Random A alone)" in story
    assert "36. " in story
    assert "Rank" in story


def test_replay_for_a_seat_tells_only_what_it_was_told(saved: Path) -> None:
    story = output("replay", str(saved), "--seat", "1")
    assert "only you know" in story
    assert "(told to" not in story
    others = [line for line in story.splitlines() if "@" in line and "Random B" not in line]
    assert others == []


def test_replay_of_a_seats_own_record_tells_the_same(saved: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.jsonl"
    own.write_text(zashiki.replay(saved.read_text("utf-8")).record(1), "utf-8")
    told = [
        [line for line in output("replay", *arguments).splitlines() if line.startswith("  ")]
        for arguments in ((str(saved), "--seat", "1"), (str(own),))
    ]
    assert told[0] == told[1]


def test_replay_from_an_action_on_and_in_japanese(saved: Path) -> None:
    story = output("replay", str(saved), "--from", "36", "--lang", "ja")
    assert story.startswith("36. ")
    assert "順位" in story


def test_replay_goes_step_by_step_on_a_terminal(saved: Path) -> None:
    terminal = Terminal("replay", str(saved))
    assert "Set-up" in terminal.wait_for("q: quit")
    terminal.type("")
    assert "1. " in terminal.wait_for("q: quit")
    terminal.type("b")
    assert "Score" in terminal.wait_for("q: quit")
    terminal.type("q")
    assert terminal.status() == 0


def test_verify_reports_three_answers(saved: Path) -> None:
    lines = output("verify", str(saved)).splitlines()
    assert [line.split()[:2] for line in lines] == [
        ["chain", "ok"],
        ["seed", "ok"],
        ["rules", "ok"],
    ]


def test_verify_fails_with_status_1(saved: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.jsonl"
    cut.write_text("".join(saved.read_text("utf-8").splitlines(keepends=True)[:9]), "utf-8")
    assert "truncated" in output("verify", str(cut), status=1)


def test_verify_reads_standard_input(saved: Path) -> None:
    assert zashiki_runs("verify", "-", given=saved.read_text("utf-8")).returncode == 0


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_what_is_longer_than_any_record_is_not_read(command: str) -> None:
    assert "longer than 64 MiB" in error(command, "/dev/zero")
    done = in_shell(f"{command} - < /dev/zero")
    assert done.returncode == 2
    assert "longer than 64 MiB" in done.stderr


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda raw: raw.replace(b"\n", b"\r\n"), "CRLF"),
        (lambda raw: b"\xef\xbb\xbf" + raw, "byte order mark"),
    ],
)
def test_a_record_changed_by_an_editor_gets_a_hint(
    change: Callable[[bytes], bytes], said: str, saved: Path, tmp_path: Path
) -> None:
    path = tmp_path / "changed.jsonl"
    path.write_bytes(change(saved.read_bytes()))
    assert said in output("verify", str(path), status=1)
    assert said in error("replay", str(path))


# Errors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("dance", "invalid choice"),
        ("rules", "required: GAME ("),
        ("rules chess", "game 'chess'"),
        ("rules kamiza-second K2 9.9", "K2 1.1 to K2 4.5"),
        ("rules kamiza-second --lang fr", "invalid choice: 'fr'"),
        ("play chess", "one of"),
        ("play kamiza-second --seats 9", "expects 3 or 4"),
        ("play kamiza-second --seats many", "invalid int"),
        ("play kamiza-second --bots clever", "random, greedy, sensible"),
        ("play kamiza-second --bots random,random", "2 bots"),
        ("play kamiza-second --options speed=fast", "open_start"),
        ("play kamiza-second --options open_start=maybe", "one of False, True"),
        ("play kamiza-second --options open_start", "name=value"),
        ("play kamiza-second --save nowhere/file", "does not exist"),
        ("play kamiza-second --save .", "is a folder"),
        ("simulate kamiza-second --bots random,random", "2 bots"),
        ("simulate kamiza-second --seats 2", "expects 3 or 4"),
        ("simulate kamiza-second --matches 0", "at least 1"),
        ("simulate kamiza-second --workers 0", "from 1 to"),
        ("simulate kamiza-second --out results.txt", ".csv or .parquet"),
        ("simulate kamiza-second --out nowhere/results.csv", "does not exist"),
        ("simulate kamiza-second --summary results.parquet", "ends in .csv is expected"),
        ("simulate kamiza-second --summary nowhere/results.csv", "does not exist"),
        ("simulate kamiza-second --cards cards.csv", "has no statistics of cards"),
        ("simulate kingdoms --cards cards.txt", "--cards cards.txt: a name that ends in .csv"),
        ("simulate kingdoms --cards nowhere/cards.csv", "does not exist"),
        ("simulate kingdoms --out a.csv --cards ./a.csv", "already the file of --out"),
        ("replay nothing.jsonl", "No such file"),
        ("replay .", "directory"),
        ("verify nothing.jsonl", "No such file"),
        ("verify .", "directory"),
        ("verify ''", "the name of a record is expected"),
        ("replay ''", "the name of a record is expected"),
    ],
)
def test_wrong_input_is_one_line_and_status_2(
    arguments: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert said in error(*shlex.split(arguments))
    assert list(tmp_path.iterdir()) == []


def test_a_binary_file_is_no_record(tmp_path: Path) -> None:
    path = tmp_path / "binary"
    path.write_bytes(bytes(range(256)))
    for command in ("replay", "verify"):
        assert "UTF-8" in error(command, str(path))


def test_a_text_that_is_no_record_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "letter"
    path.write_text("Dear Sir,\n", "utf-8")
    assert "line 1" in error("replay", str(path))
    assert "line 1" in output("verify", str(path), status=1)


def test_seats_and_starts_outside_a_record_are_refused(saved: Path) -> None:
    assert "from 0 to 3" in error("replay", str(saved), "--seat", "4")
    assert "ends before" in error("replay", str(saved), "--from", "99")


def test_what_a_forged_record_says_cannot_steer_the_terminal(saved: Path, tmp_path: Path) -> None:
    path = tmp_path / "forged.jsonl"
    path.write_text(saved.read_text("utf-8").replace("Random A", "\\u001b[2J"), "utf-8")
    assert "\x1b" not in error("replay", str(path))


def test_no_argument_can_steer_the_terminal(tmp_path: Path) -> None:
    evil = "\x1b[2J\x07"
    rows, record = tmp_path / f"{evil}.csv", tmp_path / evil
    assert "\\x1b" in output(*SIMULATE, "--seed", evil, "--out", str(rows))
    assert "\\x1b" in output("play", "kamiza-second", "--bots", "random", "--save", str(record))
    for arguments in (
        ["games", evil],
        ["simulate", "kamiza-second", "--out", evil],
        ["play", evil],
    ):
        assert not CONTROL.search(error(*arguments))


# Streams ---------------------------------------------------------------------------------------


def in_shell(command: str, **more: str) -> subprocess.CompletedProcess[str]:
    """A command with its streams as the shell lays them."""
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {shlex.join(RUN)} {command}"],
        capture_output=True, text=True, timeout=60, env=environment(**more), check=False,
    )  # fmt: skip


@pytest.fixture(params=["", "1"], ids=["buffered", "unbuffered"])
def buffering(request: pytest.FixtureRequest) -> dict[str, str]:
    return {"PYTHONUNBUFFERED": str(request.param)}


@pytest.mark.parametrize(
    ("name", "more"), [("serve", ""), ("backup", "x"), ("lab balance", "kingdoms")]
)
def test_an_unknown_option_leads_to_the_help_of_its_command(name: str, more: str) -> None:
    done = zashiki_runs(*name.split(), *more.split(), "--no-such")
    said = f"unrecognized arguments: --no-such (see zashiki {name} --help)"
    assert (done.returncode, done.stderr) == (2, f"zashiki: {said}\n")


EVERY_COMMAND = [
    "",
    "--version",
    "verify --help",
    "games",
    "rules kamiza-second",
    "play kamiza-second --bots random < /dev/null",
    "simulate kamiza-second --bots random --matches 4",
    "replay {saved}",
    "verify {saved}",
]


@pytest.mark.parametrize("command", EVERY_COMMAND)
def test_a_full_disk_is_one_line(command: str, saved: Path, buffering: dict[str, str]) -> None:
    done = in_shell(f"{command.format(saved=saved)} > /dev/full", **buffering)
    assert done.stderr == "zashiki: standard output: No space left on device\n"
    assert done.returncode == 2


@pytest.mark.parametrize("command", EVERY_COMMAND)
def test_a_reader_who_leaves_at_once_is_no_failed_verification(
    command: str, saved: Path, buffering: dict[str, str]
) -> None:
    done = in_shell(f"{command.format(saved=saved)} | exec 0<&-", **buffering)
    assert done.stderr == ""
    assert done.returncode == 141


@pytest.mark.parametrize("command", EVERY_COMMAND)
def test_a_closed_output_is_one_line(command: str, saved: Path) -> None:
    done = in_shell(f"{command.format(saved=saved)} >&-")
    assert done.stderr == "zashiki: standard output is closed\n"
    assert done.returncode == 2
    assert in_shell(f"{command.format(saved=saved)} >&- 2>&-").returncode == 2


@pytest.mark.parametrize("command", ["play kamiza-second", "replay {saved}", "verify -"])
def test_a_closed_input_is_one_line(command: str, saved: Path) -> None:
    done = in_shell(f"{command.format(saved=saved)} <&-")
    assert "standard input is closed" in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.returncode == 2


@pytest.mark.parametrize("stream", ["2>&-", "2> /dev/full"])
def test_without_an_error_stream_the_status_tells(stream: str, tmp_path: Path) -> None:
    assert in_shell(f"rules chess {stream}").returncode == 2
    assert in_shell(f"rules chess {stream}").stdout == ""
    rows = tmp_path / "rows.csv"
    assert in_shell(f"simulate kamiza-second --matches 4 --out {rows} {stream}").returncode == 0
    assert rows.read_text("utf-8").count("\n") == 17


def test_a_reader_who_leaves_early_is_no_error(saved: Path) -> None:
    command = f"{sys.executable} -m zashiki replay {saved} | head -n 1"
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, timeout=60, env=environment(),
        check=False,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1


# Options from a file ---------------------------------------------------------------------------


def own_set(folder: Path, old: str = "", new: str = "") -> Path:
    """A card set of one's own: ours under another name, with one line exchanged."""
    ours = files("zashiki.games.kingdoms") / "cards" / "reconstructed.toml"
    text = ours.read_text("utf-8").replace('name = "reconstructed"', 'name = "mine"')
    text = text.replace('en = "Archer"', 'en = "Bowman"')
    assert old in text
    path = folder / "mine.toml"
    path.write_text(text.replace(old, new, 1), "utf-8")
    return path


def test_a_card_set_from_a_file_is_in_the_record_and_needed_no_more(tmp_path: Path) -> None:
    path, record = own_set(tmp_path), tmp_path / "match.jsonl"
    match = ("play", "kingdoms", "--bots", "random", "--seed", "4")
    told = output(*match, "--options", f"card_set={path}", "--save", str(record))
    path.unlink()
    assert "Bowman" in output("replay", str(record))
    assert output("verify", str(record))
    assert "Archer" not in told
    header = json.loads(record.read_text("utf-8").partition("\n")[0])
    assert header["options"]["card_set"]["name"] == "mine"
    assert len(header["options"]["card_set"]["cards"]) == 16


def test_what_is_unusual_in_a_file_is_a_warning(tmp_path: Path) -> None:
    path = own_set(tmp_path, "red_funds = 2", "red_funds = 9")
    done = zashiki_runs(
        "simulate", "kingdoms", "--bots", "random", "--matches", "2",
        "--options", f"card_set={path}",
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stderr.startswith(f"{path}: warning: All areas together pay ")
    assert "options: card_set=mine" in done.stdout


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("copies = 6", "copies = 5", "card set: cards: 29 normal cards: 30 are expected"),
        ("copies = 6", "copies 6", "card set: line "),
        ("attack = 4", "attack = -4", "card set: monarchs[0].attack = -4: an integer from 0 to 99"),
    ],
)
def test_what_is_wrong_in_a_file_is_named_with_it(
    tmp_path: Path, old: str, new: str, told: str
) -> None:
    path = own_set(tmp_path, old, new)
    done = zashiki_runs("simulate", "kingdoms", "--options", f"card_set={path}")
    assert done.returncode == 2
    assert done.stderr.startswith(f"zashiki: {path}: {told}")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("other", "--options card_set='other': one of balanced, reconstructed, or a file whose"),
        ("nowhere.toml", "nowhere.toml: No such file or directory"),
        (".", "--options card_set='.': one of"),
        ("", "--options card_set='': one of"),
    ],
)
def test_a_card_set_that_is_nowhere_is_told(value: str, told: str) -> None:
    done = zashiki_runs("play", "kingdoms", "--options", f"card_set={value}")
    assert done.returncode == 2
    assert done.stderr.startswith(f"zashiki: {told}")
