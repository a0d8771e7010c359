"""The scripts behind `make play` and `make test`: their output, and their failures."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from tools import check_weight, compiled, record_demo, run_tests

ROOT = Path(__file__).resolve().parents[1]


def step(*command: str, steps: str = "") -> "subprocess.CompletedProcess[str]":
    """Run a step, and replace the seconds that it took by N."""
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


@pytest.mark.parametrize(("port", "command"), [("", ""), ("8700", " --port 8700")])
def test_play_takes_another_port(port: str, command: str) -> None:
    environment = {key: value for key, value in os.environ.items() if key != "MAKEFLAGS"}
    done = subprocess.run(
        ["make", "--dry-run", "--no-print-directory", "play", f"PORT={port}"],
        cwd=ROOT, env=environment, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout.rstrip().endswith(f"-m tools.play{command}"), done.stderr


def test_a_build_does_not_depend_on_generated_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = tmp_path / "zashiki" / "server"
    pages = [server / folder.name for folder in compiled.PAGES]
    monkeypatch.setattr(compiled, "PAGES", pages)
    for folder in (server, *pages):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "index.html").write_text("")
    assert list(compiled.files_of(server.parent)) == [server / "index.html"]


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
<testcase classname="web/src/table/socket.test.ts" name="d"/>
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
    run_tests.Session(run_tests.Lanes([broken], [fine], [], [])).go()
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


# The weight of the first page -------------------------------------------------------------------


def test_a_build_within_its_budgets_passes() -> None:
    within = {kind: budget.kilobytes for kind, budget in check_weight.BUDGETS.items()}
    assert check_weight.faults(within) == []


def test_a_build_over_a_budget_is_told_what_to_do() -> None:
    found = {kind: budget.kilobytes for kind, budget in check_weight.BUDGETS.items()}
    (line,) = check_weight.faults({**found, "styles": 125.9})
    assert line.startswith("style sheets of the first page: expected at most 12 KB, found 125.9 KB")
    (line,) = check_weight.faults({**found, "own fonts": 0})
    assert line.startswith("fonts of the client's own Japanese: expected some, found none")


def test_files_are_weighed_as_they_are_sent(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    sizes = {"index.js": 1000, "index.css": 2000, "first-a.woff2": 3000, "own-a.woff2": 4000}
    for name, size in sizes.items():
        (tmp_path / "assets" / name).write_bytes(b"a" * size)
    (tmp_path / "assets" / "table.js").write_bytes(os.urandom(5000))
    entries = {
        "1": {"file": "assets/first-a.woff2"},
        "2": {"file": "assets/own-a.woff2"},
        "3": {"file": "assets/table.js", "name": "table"},
    }
    (tmp_path / "files.json").write_text(json.dumps(entries))
    page = '<script src="/assets/index.js"></script><link href="/assets/index.css">'
    (tmp_path / "index.html").write_text(page)
    found = check_weight.weights(tmp_path)
    assert (found["first fonts"], found["own fonts"]) == (3, 4), "fonts are packed already"
    assert 0 < found["scripts"] < found["styles"] < 0.1
    assert found["table"] > 5


# The layers ------------------------------------------------------------------------------------


def layers_in_the_contract(container: str) -> list[set[str]]:
    """Return the layers that import-linter enforces, without modules that do not exist yet."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    layers = next(
        contract["layers"]
        for contract in contracts["contracts"]
        if contract["type"] == "layers" and contract["containers"] == [container]
    )
    folder = ROOT / "src" / container.replace(".", "/")
    return [
        {
            name
            for name in re.findall(r"\w+", layer)
            if (folder / name).is_dir() or (folder / f"{name}.py").is_file()
        }
        for layer in layers
    ]


def test_the_pictures_of_the_layers_are_those_that_are_enforced() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    section = page.partition("## The layers\n")[2].partition("\n## ")[0]
    pictures = [
        [set(line.split("  ")[0].split(" · ")) for line in picture.splitlines()]
        for picture in re.findall(r"```text\n(.*?)```", section, re.DOTALL)
    ]
    assert pictures == [
        layers_in_the_contract("zashiki"),
        layers_in_the_contract("zashiki.server"),
    ]


def test_a_recording_is_thinned_and_ends_as_it_ended() -> None:
    frames = [(0.0, b"a"), (0.01, b"b"), (0.1, b"c"), (0.3, b"c"), (0.5, b"d"), (0.51, b"e")]
    assert record_demo.thinned(frames) == [frames[index] for index in (0, 2, 4, 5)]
    assert record_demo.thinned(frames[:5]) == [frames[index] for index in (0, 2, 4)]
