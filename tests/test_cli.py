"""The command line in this process; tests/test_cli_process.py has tests that need a real one."""

import csv
import json
import os
import re
import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from pkgutil import iter_modules

import pytest

import zashiki
from tests.commands import CONTROL, error, output, piped, run_cli, run_main, save_match, written
from zashiki.bots import names_of
from zashiki.cli import COMMANDS, commands, result_files
from zashiki.cli.arguments import default_bot
from zashiki.cli.commands import lab
from zashiki.cli.terminal.markdown import plain_text
from zashiki.core.rulebook import rulebook
from zashiki.games import game_spec
from zashiki.lab import Row


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_match(tmp_path_factory.mktemp("records"))


# Looking things up -----------------------------------------------------------------------------


def test_games_lists_ids_seats_options_and_bots() -> None:
    listed = output("games")
    for game, spec in zashiki.games().items():
        assert game in listed
        assert spec.title in listed
    assert "tie_break=chicken|shared" in listed
    assert "open_start=false|true" in listed
    assert "sensible" in listed


def test_games_speaks_japanese() -> None:
    listed = output("games", "--lang", "ja")
    assert "上座" in listed
    assert listed.split()[:4] == ["ID", "ゲーム", "席数", "選択ルール"]


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
    assert rulebook(game_spec("kingdoms"), "en").find(id) is None


def test_a_chapter_of_the_rules() -> None:
    text = output("rules", "kamiza-second", "K2", "4")
    assert text.startswith("- K2 4.1 ")
    assert "K2 3" not in text.replace("section 3", "").split("\n")[0]
    assert text.count("- K2 4.") == 5


def test_japanese_rules_have_the_same_ids_and_no_spaces_where_lines_end() -> None:
    spec = game_spec("kamiza-second")
    japanese = rulebook(spec, "ja")
    assert list(japanese.rules) == list(rulebook(spec, "en").rules)
    assert not re.search(r"[ぁ-ん] +[ぁ-ん]", plain_text(japanese.text))


def test_version_and_help() -> None:
    assert output("--version").startswith("zashiki ")
    assert "examples:" in output("--help")
    assert "zashiki play kamiza-second" in output()
    for command in ("games", "rules", "play", "simulate", "replay", "verify"):
        assert "examples:" in output(command, "--help")
    assert "rotates" in output("simulate", "--help")


def test_every_command_is_a_module_of_that_name() -> None:
    modules = {module.name.replace("_", "-") for module in iter_modules(commands.__path__)}
    assert modules == set(COMMANDS)
    measurements = {module.name for module in iter_modules(lab.__path__)}
    assert measurements == set(lab.MEASUREMENTS)


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


def test_bots_are_called_by_names_of_the_language(saved: Path) -> None:
    told = output("play", "kamiza-second", "--seed", "7", "--bots", "random", "--lang", "ja")
    assert "でたらめボットA" in told
    assert "Random" not in told
    again = output("replay", str(saved), "--lang", "ja")
    assert "でたらめボットA" in again
    assert "Random" not in again


def test_a_default_that_the_help_names_is_the_default() -> None:
    assert "(default: sensible, or regular" in " ".join(output("play", "--help").split())
    for spec in zashiki.games().values():
        assert default_bot(spec) == "sensible"
    assert default_bot(replace(spec, bots={})) == "regular"


def play_and_save(path: str) -> str:
    """Return the error about a place where no record can be saved, before the match begins."""
    done = run_cli("play", "kamiza-second", "--bots", "random", "--save", path)
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


# Simulating ------------------------------------------------------------------------------------

SIMULATE = ("simulate", "kamiza-second", "--bots", "greedy,random,random,random", "--matches", "24")


def test_simulate_prints_the_same_for_any_number_of_workers() -> None:
    alone = output(*SIMULATE, "--workers", "1")
    assert alone == output(*SIMULATE, "--workers", "2")
    assert "greedy " in alone
    assert "random ×3" in alone
    assert "fair share of wins: 25.0 % per seat" in alone


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


def test_without_pyarrow_parquet_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    said = error(*SIMULATE, "--out", str(tmp_path / "results.parquet"))
    assert "pip install 'zashiki[parquet]'" in said


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
    assert "found a pipe" in error(*SIMULATE, "--out", str(tmp_path / "rows.csv"))


def test_parquet_is_written_while_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(result_files, "ROW_GROUP", 5)
    path = tmp_path / "rows.parquet"
    rows = [Row(number, 1, 0, "random", 1, 2.0) for number in range(12)]
    with result_files.row_writer(path) as write_rows:
        for start in range(0, 12, 4):
            write_rows(rows[start : start + 4])
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
    assert list(cards[0]) == list(result_files.CARD_COLUMNS)
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


def test_replay_is_short_unless_details_are_asked_for(tmp_path: Path) -> None:
    record = tmp_path / "kingdoms.jsonl"
    played = output("play", "kingdoms", "--seed", "5", "--bots", "greedy", "--save", str(record))
    short, whole = output("replay", str(record)), output("replay", str(record), "--details")
    assert "The cards were turned up: attack " in played
    assert "The cards were turned up: attack " in short
    assert "sword" not in played + short
    assert "sword" in whole
    assert len(short.splitlines()) < len(whole.splitlines())


def test_replay_says_no_card_twice(saved: Path) -> None:
    story = output("replay", str(saved), "--seat", "1")
    assert re.search(r"You placed the [A-Z][a-z ]+ face down at the .* \(only you know\)", story)
    assert "Your card" not in story
    assert "You placed a card" not in story


def test_replay_from_an_action_on_and_in_japanese(saved: Path) -> None:
    story = output("replay", str(saved), "--from", "36", "--lang", "ja")
    assert story.startswith("36. ")
    assert "順位" in story


def test_verify_reports_three_answers(saved: Path) -> None:
    lines = output("verify", str(saved)).splitlines()
    assert [line.split()[:2] for line in lines] == [
        ["chain", "ok"],
        ["seed", "ok"],
        ["rules", "ok"],
    ]


def test_verify_speaks_japanese(saved: Path, tmp_path: Path) -> None:
    lines = output("verify", str(saved), "--lang", "ja").splitlines()
    assert [line.split()[:2] for line in lines] == [
        ["つながり", "一致"],
        ["シード", "一致"],
        ["ルール", "一致"],
    ]
    path = tmp_path / "changed.jsonl"
    path.write_bytes(saved.read_bytes().replace(b"\n", b"\r\n"))
    said = output("verify", str(path), "--lang", "ja", status=1)
    assert "不一致" in said
    assert said.splitlines()[-1].startswith("参考 ")
    assert "CRLF" in said


def test_verify_fails_with_status_1(saved: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.jsonl"
    cut.write_text("".join(saved.read_text("utf-8").splitlines(keepends=True)[:9]), "utf-8")
    assert "truncated" in output("verify", str(cut), status=1)


def test_verify_reads_standard_input(saved: Path) -> None:
    assert run_cli("verify", "-", given=saved.read_text("utf-8")).returncode == 0


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_what_is_longer_than_any_record_is_not_read(command: str) -> None:
    assert "longer than 64 MiB" in error(command, "/dev/zero")
    with open("/dev/zero", encoding="utf-8") as endless:
        stderr = piped()
        assert run_main(command, "-", stdin=endless, stdout=piped(), stderr=stderr) == 2
        assert "longer than 64 MiB" in written(stderr)


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
        ("dance", "COMMAND: expected one of games, rules, play, "),
        ("rules", "required: GAME ("),
        ("rules chess", "found 'chess'"),
        ("rules kamiza-second K2 9.9", "K2 1.1 to K2 4.5"),
        ("rules kamiza-second --lang fr", "--lang: expected one of en, ja, found 'fr' ("),
        ("play chess", "one of"),
        ("play kamiza-second --seats 9", "expected 3 or 4, found"),
        ("play kamiza-second --seats many", "--seats: expected a whole number, found 'many' ("),
        ("play kamiza-second --bots clever", "random, greedy, sensible"),
        ("play kamiza-second --bots random,random", "expected 1, or 4 for all seats, found 2 bots"),
        ("play kamiza-second --seat 4", "--seat 4: expected a number from 0 to 3"),
        ("play kamiza-second --options speed=fast", "open_start"),
        ("play kamiza-second --options open_start=maybe", "one of false, true"),
        ("play kamiza-second --options open_start", "name=value"),
        ("play kamiza-second --save nowhere/file", "does not exist"),
        ("play kamiza-second --save .", "found a folder"),
        ("simulate kamiza-second --bots random,random", "4 for as many seats, found 2"),
        ("simulate kamiza-second --seats 2", "expected 3 or 4, found"),
        ("simulate kamiza-second --matches 0", "at least 1"),
        ("simulate kamiza-second --workers 0", "from 1 to"),
        ("simulate kamiza-second --out results.txt", ".csv or .parquet"),
        ("simulate kamiza-second --out nowhere/results.csv", "does not exist"),
        ("simulate kamiza-second --summary results.parquet", "expected a name that ends in .csv"),
        ("simulate kamiza-second --summary nowhere/results.csv", "does not exist"),
        ("simulate kamiza-second --cards cards.csv", "has no statistics of cards"),
        (
            "simulate kingdoms --cards cards.txt",
            "cards.txt: expected a name that ends in .csv",
        ),
        ("simulate kingdoms --cards nowhere/cards.csv", "does not exist"),
        ("simulate kingdoms --out a.csv --cards ./a.csv", "already the file of --out"),
        ("replay nothing.jsonl", "No such file"),
        ("replay .", "directory"),
        ("verify nothing.jsonl", "No such file"),
        ("verify .", "directory"),
        ("verify ''", "expected the name of a record"),
        ("replay ''", "expected the name of a record"),
    ],
)
def test_wrong_input_is_one_line_and_status_2(
    arguments: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert said in error(*shlex.split(arguments))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "more"), [("serve", ""), ("backup", "x"), ("lab balance", "kingdoms")]
)
def test_an_unknown_option_leads_to_the_help_of_its_command(name: str, more: str) -> None:
    done = run_cli(*name.split(), *more.split(), "--no-such")
    said = f"unrecognized arguments: --no-such (see zashiki {name} --help)"
    assert (done.returncode, done.stderr) == (2, f"zashiki: {said}\n")


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


# Options from a file ---------------------------------------------------------------------------


def own_set(folder: Path, old: str = "", new: str = "") -> Path:
    """A custom card set: ours under another name, with one line replaced."""
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
    done = run_cli(
        "simulate", "kingdoms", "--bots", "random", "--matches", "2",
        "--options", f"card_set={path}",
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stderr.startswith(f"{path}: warning: All areas together pay ")
    assert "options: card_set=mine" in done.stdout


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("copies = 6", "copies = 5", "card set: cards: expected 30 normal cards, found 29"),
        ("copies = 6", "copies 6", "card set: line "),
        (
            "attack = 4",
            "attack = -4",
            "card set: monarchs[0].attack = -4: expected an integer from 0 to 99",
        ),
    ],
)
def test_what_is_wrong_in_a_file_is_named_with_it(
    tmp_path: Path, old: str, new: str, told: str
) -> None:
    path = own_set(tmp_path, old, new)
    done = run_cli("simulate", "kingdoms", "--options", f"card_set={path}")
    assert done.returncode == 2
    assert done.stderr.startswith(f"zashiki: {path}: {told}")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("other", "--options card_set='other': expected one of balanced, reconstructed, or a file"),
        ("nowhere.toml", "nowhere.toml: No such file or directory"),
        (".", "--options card_set='.': expected one of"),
        ("", "--options card_set='': expected one of"),
    ],
)
def test_a_card_set_that_is_nowhere_is_told(value: str, told: str) -> None:
    done = run_cli("play", "kingdoms", "--options", f"card_set={value}")
    assert done.returncode == 2
    assert done.stderr.startswith(f"zashiki: {told}")
