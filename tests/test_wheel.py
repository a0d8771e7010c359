"""A wheel as a user gets it: its content, its build errors, and how it serves.

One pure wheel is built for all tests here. Compiled ones take a minute of processor time each:
`make release-check` builds them, and so does a test marked long.
"""

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Mapping
from pathlib import Path

import pytest

from tools.release_contents import check_wheel
from tools.release_versions import versions

ROOT = Path(__file__).resolve().parent.parent
USER_PROJECT = ROOT / "tests" / "types" / "user_project"
GOOFSPIEL = ROOT / "examples" / "goofspiel" / "goofspiel"
PAGE = ROOT / "src" / "zashiki" / "server" / "client" / "index.html"
PARTS = ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE", "tools/compiled.py")
"""All inputs of a wheel's build, beside src."""
BUILD = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
VERSION = versions(ROOT)["pyproject.toml"]


def tree_without_client(folder: Path) -> Path:
    """A source tree as git has it, with one module."""
    for name in PARTS:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    package = folder / "src" / "zashiki"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    return folder


def build(
    source: Path, dist: Path, settings: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Build a wheel with the hook that pip calls, and with the setuptools of the tests."""
    dist.mkdir(exist_ok=True)
    return subprocess.run(
        [sys.executable, "-c", BUILD, str(dist)], check=False, capture_output=True, text=True,
        cwd=source, env={**os.environ, "PYTHONPATH": "", **settings},
    )  # fmt: skip


def built(dist: Path, settings: Mapping[str, str]) -> Path:
    done = build(ROOT, dist, {"ZASHIKI_RELEASE": "1", **settings})
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = dist.glob("*.whl")
    return wheel


def installed(wheel: Path, folder: Path) -> Path:
    """A new environment with this wheel, and the packages of the tests except ours."""
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    subprocess.run([*command, "--no-deps", "--no-index", str(wheel)], check=True)
    (site,) = (folder / "lib").glob("python3.*/site-packages")
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if not re.search("zashiki|goofspiel|__pycache__", entry.name):
            (site / entry.name).symlink_to(entry)
    return python


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `dist` and `venv`, made once for all workers of this run."""
    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "wheel"
    shared.mkdir(exist_ok=True)
    with (shared / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / "done").exists():
            assert PAGE.is_file(), f"{PAGE}: not found. Build it: make client"
            installed(built(shared / "dist", {"ZASHIKI_COMPILE": "0"}), shared / "venv")
            (shared / "done").touch()
    return shared


@pytest.fixture(scope="module")
def wheel(place: Path) -> Path:
    (made,) = (place / "dist").glob("*.whl")
    return made


@pytest.fixture(scope="module")
def python(place: Path) -> Path:
    return place / "venv" / "bin" / "python"


def run(python: Path, *words: str | Path, folder: Path) -> str:
    """Run a command without access to a source tree, with only the environment on PATH."""
    done = subprocess.run(
        [str(word) for word in (python, "-I", *words)], check=False, capture_output=True,
        text=True, cwd=folder, env={"PATH": str(python.parent), "HOME": str(folder)},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_pure_wheel_has_the_sources_and_the_client(wheel: Path) -> None:
    assert wheel.name == f"zashiki-{VERSION}-py3-none-any.whl"
    assert check_wheel(wheel, ROOT, VERSION, is_compiled=False) == 0


def test_an_installed_wheel_serves_its_client_and_plays(python: Path, tmp_path: Path) -> None:
    told = json.loads(run(python, ROOT / "tools" / "release_serve.py", folder=tmp_path))
    assert told["health"] == {"status": "ok", "store": "ok", "bots": "ok"}
    assert told["decisions"] > 0
    assert told["bytes_of_pages"] > 100_000


@pytest.mark.long
def test_an_installed_wheel_is_typed_for_its_users(python: Path, tmp_path: Path) -> None:
    """Check a user's project and a game from outside with mypy, against the installed package."""
    words = ["--strict", "--verbose", "--config-file", "", "--cache-dir", str(tmp_path / "cache")]
    sources = [*sorted(USER_PROJECT.glob("*.py")), GOOFSPIEL]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *words, "--python-executable", str(python), *sources],
        check=False, capture_output=True, text=True, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    read = re.findall(r"\S+/zashiki/__init__\.pyi?", done.stderr)
    assert read, "mypy did not read zashiki"
    assert all(Path(path).is_relative_to(python.parent.parent) for path in read), read


def test_a_users_programs_run(python: Path, tmp_path: Path) -> None:
    told = run(python, USER_PROJECT / "evening.py", folder=tmp_path)
    assert told.startswith("(3, 4) [0, 1, 2]\n")
    assert run(python, USER_PROJECT / "mybot.py", folder=tmp_path) == "4\n"


def test_a_release_without_the_client_is_refused(tmp_path: Path) -> None:
    source = tree_without_client(tmp_path / "source")
    done = build(source, tmp_path, {"ZASHIKI_COMPILE": "0", "ZASHIKI_RELEASE": "1"})
    assert done.returncode != 0
    assert "no built client, and ZASHIKI_RELEASE=1" in done.stdout + done.stderr
    assert "make client" in done.stdout + done.stderr


def test_a_wheel_without_the_client_is_warned_of(tmp_path: Path) -> None:
    source = tree_without_client(tmp_path / "source")
    done = build(source, tmp_path, {"ZASHIKI_COMPILE": "0", "ZASHIKI_RELEASE": ""})
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING: no built client, the server has no pages" in done.stdout + done.stderr


@pytest.mark.compiled
@pytest.mark.long
def test_a_compiled_wheel_has_extensions_and_runs(tmp_path: Path) -> None:
    """It runs without a compiler on PATH, and the laws of all games hold on it."""
    made = built(tmp_path / "dist", {"ZASHIKI_COMPILE": "1"})
    assert check_wheel(made, ROOT, VERSION, is_compiled=True) > 40
    python = installed(made, tmp_path / "venv")
    smoke = ROOT / "tools" / "release_smoke.py"
    told = json.loads(run(python, smoke, "--expect", "compiled", "--laws", "1", folder=tmp_path))
    assert set(told["laws"]) >= {"kamiza-2014", "kamiza-second", "kingdoms", "red-town"}
    assert told["steps_per_second"]["kamiza-second"] > 1_000_000
