"""The scripts behind `make play` and `make test`: what they say, and when they fail."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tools import compiled, run_tests

ROOT = Path(__file__).resolve().parents[1]


def step(*command: str, steps: str = "") -> "subprocess.CompletedProcess[str]":
    """Run a step, and write N for the seconds that it took."""
    environment = {**os.environ, "STEPS": steps}
    done = subprocess.run(
        [ROOT / "tools" / "step.sh", "2", "Client", *command],
        env=environment, check=False, capture_output=True, text=True,
    )  # fmt: skip
    done.stdout = re.sub(r"\b\d+ s$", "N s", done.stdout, flags=re.MULTILINE)
    return done


def test_a_step_says_its_number_and_its_duration_and_nothing_else() -> None:
    done = step("sh", "-c", "echo noise; echo noise >&2", steps="4")
    assert (done.stdout, done.stderr, done.returncode) == ("2/4 Client … N s\n", "", 0)


def test_a_step_passes_on_notes() -> None:
    done = step("sh", "-c", "echo pip is used >&3")
    assert done.stdout == "Client … N s\n    pip is used\n"


def test_a_step_that_fails_shows_the_output_and_keeps_the_status() -> None:
    done = step("sh", "-c", "echo why; exit 7")
    assert done.stdout == "Client … failed after N s\n"
    assert (done.stderr, done.returncode) == ("why\n", 7)


@pytest.mark.skipif(shutil.which("setsid") is None, reason="this system has no setsid")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_step_ends_what_it_started(tmp_path: Path, number: signal.Signals) -> None:
    """The command's own child holds a pipe open. The pipe closes when the child has ended."""
    script = tmp_path / "install.sh"
    script.write_text(f"#!/bin/sh\necho begun > {tmp_path}/begun\nsleep 600\n")
    script.chmod(0o755)
    reading, writing = os.pipe()
    step_sh = [str(ROOT / "tools" / "step.sh"), "1", "Client", str(script)]
    running = subprocess.Popen(
        step_sh, stdout=subprocess.DEVNULL, pass_fds=[writing], start_new_session=True
    )
    os.close(writing)
    while not (tmp_path / "begun").exists():
        time.sleep(0.01)
    os.killpg(running.pid, number)
    assert os.read(reading, 1) == b""
    os.close(reading)
    assert running.wait() == 128 + number


def test_set_up_names_a_python_that_is_too_old_or_missing(tmp_path: Path) -> None:
    done = subprocess.run(
        [ROOT / "tools" / "setup_venv.sh", tmp_path / "venv"],
        env={**os.environ, "PYTHON": "no-such-python"},
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1
    assert "PYTHON=no-such-python is not a Python 3.11 or newer" in done.stderr


def test_play_without_a_compiler_says_so_and_serves(tmp_path: Path) -> None:
    environment = {**os.environ, "CC": "no-such-compiler", "STEPS": "4"}
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        environment.pop(name, None)
    options = ["--port", "0", "--bots", "0", "--data", str(tmp_path)]
    with subprocess.Popen(
        [sys.executable, "-m", "tools.play", *options],
        cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True,
    ) as play:  # fmt: skip
        assert play.stdout is not None
        assert play.stdout.readline() == (
            "4/4 Server … rules not compiled, so bots look ahead less far: "
            "a C compiler (no-such-compiler) not found\n"
        )
        assert play.stdout.readline().startswith("Zashiki listens on http://127.0.0.1:")
        assert play.stdout.readline().startswith("No browser could be opened here")
        play.send_signal(signal.SIGTERM)
        assert play.wait(60) == 0


def test_a_compiled_module_depends_on_its_own_layers_only() -> None:
    assert compiled.is_hot(compiled.ZASHIKI / "core" / "match.py")
    assert compiled.is_hot(compiled.ZASHIKI / "games" / "kamiza" / "play.py")
    assert compiled.is_hot(compiled.ZASHIKI / "__init__.py")
    assert compiled.is_hot(compiled.GOOFSPIEL / "play.py")
    assert not compiled.is_hot(compiled.ZASHIKI / "server" / "app.py")
    assert not compiled.is_hot(compiled.ZASHIKI / "games" / "kamiza" / "rules.en.md")


def test_every_marked_module_is_in_a_layer_that_is_looked_at() -> None:
    modules = compiled.marked_modules(compiled.ZASHIKI)
    assert {Path(module).parts[1] for module in modules} == set(compiled.HOT_LAYERS)


REPORT = """<testsuites><testsuite>
<testcase classname="tests.test_laws" name="a"/>
<testcase classname="tests.server.test_store_sqlite" name="b"><failure/></testcase>
<testcase classname="tests.server.test_play" name="c"><skipped/></testcase>
<testcase classname="web/src/lib/socket.test.ts" name="d"/>
</testsuite></testsuites>"""


def test_results_are_counted_by_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run_tests, "LOGS", tmp_path)
    run = run_tests.Run("some", ["true"], status=0)
    run.report.write_text(REPORT)
    run.read_report()
    assert run.passed == {"laws": 1, "client": 1}
    assert run.failed == {"databases": 1}
    assert run.skipped == {"server": 1}
    monkeypatch.setattr(run_tests, "ROOT", tmp_path.parent)
    assert run_tests.tell_summary([run], 3.0) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == "2 passed, 1 failed, 1 skipped"
    assert said[-2].startswith("Failed: some.")


def test_a_run_that_fails_fails_the_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run_tests, "LOGS", tmp_path)
    command = [sys.executable, "-c", "print('it broke'); raise SystemExit(3)"]
    broken, fine = run_tests.Run("broken", command), run_tests.Run("fine", ["true"])
    run_tests.Session([broken], [fine], []).go()
    assert (broken.status, fine.status) == (3, 0)
    said = capsys.readouterr().out
    assert "broken failed with status 3" in said
    assert "fine: 0 passed" in said


def test_an_unknown_run_is_refused() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tools.run_tests", "nonsense"],
        cwd=ROOT, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 2
    assert "expected names of" in done.stderr
    assert "found nonsense" in done.stderr
