"""The command line as a process: at a terminal, ended by signals, with the streams of a shell."""

import contextlib
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
from io import TextIOWrapper
from pathlib import Path

import pytest

import zashiki
from tests.commands import (
    HANG,
    RUN,
    Done,
    environment,
    piped,
    run_cli,
    run_main,
    run_process,
    save_match,
    written,
)
from zashiki.cli import COMMANDS

pty = pytest.importorskip("pty")


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_match(tmp_path_factory.mktemp("records"))


# A terminal ------------------------------------------------------------------------------------


AS_TERMINAL = """
import fcntl, sys, termios
from zashiki.cli import main
fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # so that an interrupt typed there arrives
sys.exit(main())
"""


class Terminal:
    """A process on a pseudo-terminal, with a test at the keyboard."""

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

    def wait_for(self, *awaited: str) -> str:
        """Read until one of these was printed; return the output since the last call."""
        until = time.monotonic() + HANG
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
        """Press a key that ends the match; repeat it, because it can come too early."""
        until = time.monotonic() + HANG
        while time.monotonic() < until:
            self.press(key)
            if self.has_ended(30):
                break
        return self.status()

    def has_ended(self, seconds: float) -> bool:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if not self.read():
                return True
        return False

    def status(self) -> int:
        if not self.has_ended(HANG):
            self.process.kill()
        os.close(self.file)
        return self.process.wait(HANG)


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
    assert "I don’t understand 'nonsense'" in terminal.wait_for("Aki ›")
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
    assert run_cli("verify", str(path)).returncode == 0


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
    assert "does not exist" in terminal.wait_for("Save the record as (Enter: do not save): ")
    terminal.type(str(tmp_path))
    answer = terminal.wait_for("Save the record as (Enter: do not save): ")
    assert "found a folder" in " ".join(answer.split()), "wrapped, if the path is long"
    (tmp_path / "diary").write_text("Dear diary", "utf-8")
    terminal.type(str(tmp_path / "diary"))
    assert "exists already" in terminal.wait_for("Save the record as (Enter: do not save): ")
    terminal.type("n" * 300)
    assert "File name too long" in terminal.wait_for("Save the record as (Enter: do not save): ")
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


@pytest.mark.parametrize("key", ["\x03", pytest.param("\x04", marks=pytest.mark.long)])
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


def test_replay_goes_step_by_step_on_a_terminal(saved: Path) -> None:
    terminal = Terminal("replay", str(saved))
    assert "Set-up" in terminal.wait_for("q: quit")
    terminal.type("")
    assert "1. " in terminal.wait_for("q: quit")
    terminal.type("b")
    assert "Score" in terminal.wait_for("q: quit")
    terminal.type("q")
    assert terminal.status() == 0


# Signals ---------------------------------------------------------------------------------------


def has_rows(folder: Path) -> bool:
    """Return whether the temporary file has rows. Another file exists there for a moment."""
    with contextlib.suppress(FileNotFoundError):
        return any(path.stat().st_size > 1000 for path in folder.iterdir())
    return False


class Simulation:
    """A simulation with two workers that would last for an hour."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        out = str(folder / "rows.csv")
        self.process = subprocess.Popen(
            [*RUN, "simulate", "kamiza-second", "--bots", "random", "--matches", "9999999",
             "--workers", "2", "--out", out],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(),
            start_new_session=True,
        )  # fmt: skip
        until = time.monotonic() + HANG
        while not has_rows(folder):
            if time.monotonic() > until or self.process.poll() is not None:
                os.killpg(self.process.pid, signal.SIGKILL)
                pytest.fail("no rows were written")
            time.sleep(0.05)

    def end(self, number: int) -> tuple[int, str]:
        """Send a signal; return the status, and the output when the last of the processes ended."""
        self.process.send_signal(number)
        return self.ended()

    def ended(self) -> tuple[int, str]:
        try:
            _, said = self.process.communicate(timeout=HANG)  # the workers write there too
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


@pytest.mark.long
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


# Streams ---------------------------------------------------------------------------------------


def in_shell(command: str, **more: str) -> Done:
    """Run a command with the streams of a shell."""
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {shlex.join(RUN)} {command}"],
        capture_output=True, text=True, timeout=HANG, env=environment(**more), check=False,
    )  # fmt: skip


SIMULATION = "simulate kamiza-second --bots random --matches 4"
EVERY_COMMAND = [
    "",
    "--version",
    "verify --help",
    "games",
    "rules kamiza-second",
    "play kamiza-second --bots random",
    SIMULATION,
    "replay {saved}",
    "verify {saved}",
]
some_commands = pytest.mark.parametrize(
    "command",
    [
        pytest.param("--version", marks=pytest.mark.long),
        pytest.param("games", marks=pytest.mark.long),
        SIMULATION,
    ],
)
"""One is answered by argparse, one prints through rich, and one writes as it goes.

Processes run all of them only with --long; in this process all commands always run.
"""


def run_into(file: int, command: str, is_buffered: bool) -> tuple[int, str]:
    """Run a command in this process that prints into this file; return its status and errors.

    Python flushes the output again when it exits: that must not fail any longer.
    """
    raw = os.fdopen(file, "wb", buffering=-1 if is_buffered else 0)
    stdout = TextIOWrapper(raw, encoding="utf-8", write_through=not is_buffered)
    stderr = piped()
    status = run_main(*shlex.split(command), stdin=piped(), stdout=stdout, stderr=stderr)
    stdout.close()
    return status, written(stderr)


is_buffered = pytest.mark.parametrize("is_buffered", [True, False], ids=["buffered", "unbuffered"])


def unbuffered(is_buffered: bool) -> dict[str, str]:
    return {"PYTHONUNBUFFERED": "" if is_buffered else "1"}


@is_buffered
@pytest.mark.parametrize("command", EVERY_COMMAND)
def test_a_full_disk_is_one_line(command: str, saved: Path, is_buffered: bool) -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    said = "zashiki: standard output: No space left on device\n"
    assert run_into(full, command.format(saved=saved), is_buffered) == (2, said)


@is_buffered
@some_commands
def test_a_process_on_a_full_disk_ends_with_one_line(command: str, is_buffered: bool) -> None:
    done = in_shell(f"{command} > /dev/full", **unbuffered(is_buffered))
    assert done.stderr == "zashiki: standard output: No space left on device\n"
    assert done.returncode == 2


@is_buffered
@pytest.mark.parametrize("command", EVERY_COMMAND)
def test_a_reader_who_leaves_at_once_is_no_failed_verification(
    command: str, saved: Path, is_buffered: bool
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    assert run_into(writer, command.format(saved=saved), is_buffered) == (141, "")


@is_buffered
@some_commands
def test_a_process_whose_reader_leaves_at_once_says_nothing(
    command: str, is_buffered: bool
) -> None:
    done = in_shell(f"{command} | exec 0<&-", **unbuffered(is_buffered))
    assert done.stderr == ""
    assert done.returncode == 141


@pytest.mark.parametrize("command", EVERY_COMMAND)
def test_a_closed_output_is_one_line(command: str, saved: Path) -> None:
    arguments, stderr = shlex.split(command.format(saved=saved)), piped()
    assert run_main(*arguments, stdin=piped(), stdout=None, stderr=stderr) == 2
    assert written(stderr) == "zashiki: standard output is closed\n"


@some_commands
def test_a_process_with_a_closed_output_ends_with_one_line(command: str) -> None:
    done = in_shell(f"{command} >&-")
    assert done.stderr == "zashiki: standard output is closed\n"
    assert done.returncode == 2
    assert in_shell(f"{command} >&- 2>&-").returncode == 2


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("play kamiza-second", marks=pytest.mark.long),
        pytest.param("replay {saved}", marks=pytest.mark.long),
        "verify -",
    ],
)
def test_a_closed_input_is_one_line(command: str, saved: Path) -> None:
    done = in_shell(f"{command.format(saved=saved)} <&-")
    assert "standard input is closed" in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.returncode == 2


@pytest.mark.parametrize("stream", ["2>&-", pytest.param("2> /dev/full", marks=pytest.mark.long)])
def test_without_an_error_stream_the_status_tells(stream: str, tmp_path: Path) -> None:
    wrong = in_shell(f"rules chess {stream}")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    rows = tmp_path / "rows.csv"
    simulated = in_shell(f"{SIMULATION} --out {shlex.quote(str(rows))} {stream}")
    assert simulated.returncode == 0
    assert rows.read_text("utf-8").count("\n") == 17


def test_a_reader_who_leaves_early_is_no_error(saved: Path) -> None:
    command = f"{shlex.join(RUN)} replay {shlex.quote(str(saved))} | head -n 1"
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, timeout=HANG, env=environment(),
        check=False,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_an_endless_standard_input_is_not_read_to_its_end(command: str) -> None:
    done = in_shell(f"{command} - < /dev/zero")
    assert done.returncode == 2
    assert "longer than 64 MiB" in done.stderr


def test_a_process_says_and_ends_as_the_command_does(saved: Path) -> None:
    cut = saved.read_text("utf-8")[:-100]
    for arguments, given in [
        (["games", "--lang", "ja"], ""),
        (["rules", "chess"], ""),
        (["verify", "-"], cut),
    ]:
        process, here = run_process(*arguments, given=given), run_cli(*arguments, given=given)
        assert (process.stdout, process.stderr) == (here.stdout, here.stderr)
        assert process.returncode == here.returncode
    assert here.returncode == 1


# Starting --------------------------------------------------------------------------------------

IMPORTED = """
import builtins, json, sys
import_before, finders_before = builtins.__import__, list(sys.meta_path)
{}
is_untouched = builtins.__import__ is import_before and sys.meta_path == finders_before
print(json.dumps([is_untouched, sorted(sys.modules)]), file=sys.stderr)
"""
COMMAND = """
from zashiki.cli import main
try:
    main({!r})
except SystemExit:
    pass
"""
SERVER = """
import pkgutil
from importlib import import_module
import zashiki.cli, zashiki.cli.commands.bots, zashiki.cli.commands.serve, zashiki.server
for module in pkgutil.walk_packages(zashiki.server.__path__, "zashiki.server."):
    import_module(module.name)
"""


def imported_by(code: str) -> set[str]:
    """Return the modules that a process has imported after this code, without import hooks."""
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED.format(code)],
        capture_output=True, text=True, timeout=HANG, env=environment(), check=True,
    )  # fmt: skip
    is_untouched, modules = json.loads(done.stderr)
    assert is_untouched
    return set(modules)


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["serve", "--help"], ["bots", "--help"]]
)
def test_help_imports_nothing_that_takes_long(arguments: list[str]) -> None:
    modules = imported_by(COMMAND.format(arguments))
    assert "zashiki.cli" in modules
    slow = {"litestar", "openskill", "rich", "asyncio", "websockets", "msgspec", "pyarrow"}
    assert not modules & {*slow, "zashiki.lab", "zashiki.bots", "zashiki.search"}
    of_the_server = {name for name in modules if name.startswith("zashiki.server.")}
    assert of_the_server <= {"zashiki.server.settings", "zashiki.server.system"}


def test_a_command_is_imported_only_when_it_is_chosen() -> None:
    modules = imported_by(COMMAND.format(["lab", "--help"]))
    commands = {f"zashiki.cli.commands.{name.replace('-', '_')}" for name in COMMANDS}
    assert modules & commands == {"zashiki.cli.commands.lab"}
    assert not modules & {"zashiki.cli.commands.lab.balance", "zashiki.cli.commands.lab.levels"}


def test_the_server_imports_through_no_hook_and_nothing_of_the_laboratory() -> None:
    modules = imported_by(SERVER)
    assert {"litestar", "zashiki.server.serve", "zashiki.server.bots.worker"} <= modules
    assert not modules & {"zashiki.lab", "rich"}
