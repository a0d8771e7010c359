"""Do all of a release that can be done on this machine, and publish nothing.

    make release-check
    python -m tools.release_check [--tag v0.1.0] [--commit HEAD] [--python PYTHON]...

It exports the commit, builds the client, the documentation, the sdist, the pure wheel and a
compiled wheel for each Python, compares their contents with the sources, installs them without a
compiler, and runs them. Workflows, issue forms and citation are linted. Everything is left in
build/release.
"""

import argparse
import os
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from tools import release_build as build
from tools import release_contents as contents
from tools import release_install as install
from tools import release_pyodide as pyodide
from tools import release_versions as versions
from tools.release_build import ROOT, Failed, run

FOLDER = ROOT / "build" / "release"
SUPPORTED = ("python3.11", "python3.12", "python3.13", "python3.14")
PLATFORMS = {
    "linux": ("x86_64", "aarch64"), "macos": ("arm64", "x86_64"), "windows": ("AMD64", "ARM64"),
}  # fmt: skip
MATCHES = 1  # of every form, for the laws


@dataclass
class Release:
    """The commit that is checked, and the files built from it so far."""

    commit: str
    tag: str | None
    pythons: list[str]
    version: str = ""
    epoch: str = ""
    sdist: Path = FOLDER
    pure: Path = FOLDER
    compiled: dict[str, Path] = field(default_factory=dict)
    """Wheels by the Python that built them."""
    speed: dict[str, dict[str, int]] = field(default_factory=dict)
    """Steps per second of each game, by installed wheel."""

    @property
    def source(self) -> Path:
        return FOLDER / "source"

    @property
    def dist(self) -> Path:
        return FOLDER / "dist"


def check_versions(release: Release) -> str:
    """Versions of pyproject.toml, package.json, the changelog and the tag."""
    shutil.rmtree(release.dist, ignore_errors=True)
    build.export(release.commit, release.source)
    release.epoch = build.commit_time(release.commit)
    try:
        release.version = versions.check(release.source, release.tag)
    except versions.Differ as fault:
        raise Failed(str(fault)) from None
    return f"{release.version}, {release.tag or 'no tag'}"


def lint_workflows(release: Release) -> str:
    """Workflows, issue forms and citation: schemas; workflows also actionlint and zizmor."""
    files = sorted((release.source / ".github" / "workflows").glob("*.yml"))
    forms = sorted((release.source / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
    form_config = release.source / ".github" / "ISSUE_TEMPLATE" / "config.yml"
    forms.remove(form_config)
    scripts = Path(sys.executable).parent
    for schema, checked in (
        ("github-workflows", files),
        ("github-issue-forms", forms),
        ("github-issue-config", [form_config]),
        ("citation-file-format", [release.source / "CITATION.cff"]),
    ):
        run([scripts / "check-jsonschema", "--builtin-schema", f"vendor.{schema}", *checked])
    config = release.source / ".github" / "zizmor.yml"
    run([scripts / "zizmor", "--offline", "--config", config, *files])
    if not (pyodide.NODE / "node_modules").is_dir():
        run(["npm", "ci", "--silent", "--prefer-offline"], pyodide.NODE)
    run(["node", pyodide.NODE / "lint.mjs", *files])
    return ", ".join(file.name for file in files)


def check_configuration(release: Release) -> str:
    """Wheels that cibuildwheel will build."""
    found: list[str] = []
    for platform, machines in PLATFORMS.items():
        for machine in machines:
            words = ["--print-build-identifiers", "--platform", platform, "--archs", machine]
            found += run([sys.executable, "-m", "cibuildwheel", *words, release.source]).split()
    tags = {name.partition("-")[0] for name in found}
    if tags != {name.replace("python", "cp").replace(".", "") for name in SUPPORTED}:
        raise Failed(f"expected wheels for {', '.join(SUPPORTED)}, found {', '.join(sorted(tags))}")
    systems = {name.partition("-")[2].partition("_")[0] for name in found}
    if systems != {"manylinux", "musllinux", "macosx", "win"}:
        raise Failed(f"expected Linux (glibc and musl), macOS and Windows, found {systems}")
    return f"{len(found)} for {len(tags)} Pythons"


def build_client(release: Release) -> str:
    """Client."""
    build.build_client(release.source)
    files = [path for path in (release.source / build.CLIENT).rglob("*") if path.is_file()]
    return f"{len(files)} files, {megabytes(*files)}"


def build_docs(release: Release) -> str:
    """Documentation as a site."""
    build.build_docs(release.source)
    files = [path for path in (release.source / build.DOCS_SITE).rglob("*") if path.is_file()]
    return f"{len(files)} files, {megabytes(*files)}"


def build_sdist(release: Release) -> str:
    """Source distribution."""
    release.sdist = build.build_sdist(release.source, release.dist, release.epoch)
    count = contents.check_sdist(release.sdist, release.source)
    return f"{release.sdist.name}, {count} files, {megabytes(release.sdist)}"


def build_pure(release: Release) -> str:
    """Pure wheel."""
    python = Path(sys.executable)
    made, _ = build.build_wheel(
        python, release.sdist, FOLDER / "pure", is_compiled=False, epoch=release.epoch
    )
    contents.check_wheel(made, release.source, release.version, is_compiled=False)
    release.pure = Path(shutil.copy(made, release.dist))
    return f"{release.pure.name}, {megabytes(release.pure)}"


def build_compiled(release: Release, python: str) -> str:
    """Compiled wheel."""
    builder = build.make_venv(python, FOLDER / python_name(python) / "builder")
    pins = release.source / "requirements" / "wheel.txt"
    house = build.downloaded(
        builder, pins.read_text("utf-8"), FOLDER / python_name(python) / "tools"
    )
    command = [builder, "-m", "pip", "install", "--quiet", "--no-index", "--find-links", house]
    run([*command, "--require-hashes", "--requirement", pins])
    made, _ = build.build_wheel(
        builder, release.sdist, FOLDER / python_name(python) / "wheel", True, release.epoch
    )
    wheel = build.repair(made, release.dist) if sys.platform == "linux" else made
    count = contents.check_wheel(wheel, release.source, release.version, is_compiled=True)
    release.compiled[python] = wheel
    return f"{wheel.name}, {count} extensions, {megabytes(wheel)}"


def check_metadata(release: Release) -> str:
    """Metadata (twine)."""
    files = sorted(release.dist.iterdir())
    run([sys.executable, "-m", "twine", "check", "--strict", *files])
    return f"{len(files)} files"


def run_installed(release: Release, python: str, kind: str) -> str:
    """Installed without a compiler: laws, speed."""
    wheel = release.pure if kind == "pure" else release.compiled[python]
    place = FOLDER / python_name(python)
    made = install.installed(python, wheel, place / kind, place / "wheelhouse")
    told = install.smoke(made, kind, MATCHES)
    release.speed[f"{python_name(python)} {kind}"] = told["steps_per_second"]
    return f"Python {told['python']}, laws of {len(told['laws'])} games hold"


def run_server(release: Release, python: str) -> str:
    """Installed with [server]: pages, health, a match against bots."""
    place = FOLDER / python_name(python)
    wheel = release.compiled.get(python, release.pure)
    made = install.installed(python, wheel, place / "server", place / "wheelhouse", "[server]")
    told: dict[str, Any] = install.serve(made)
    return f"listens after {told['seconds_to_listen']} s, {told['decisions']} decisions played"


def run_pyodide(release: Release) -> str:
    """Pure wheel in Pyodide: a match, laws."""
    return pyodide.check(release.pure, FOLDER / "pyodide")


def python_name(python: str) -> str:
    """Return a name for the folders of this Python: its version."""
    return run([python, "-c", "import sys; print('python%d.%d' % sys.version_info[:2])"]).strip()


def megabytes(*files: Path) -> str:
    return f"{sum(file.stat().st_size for file in files) / 1e6:.1f} MB"


def found_pythons() -> list[str]:
    """Return the supported Pythons of this machine; a name on PATH may be one that does not run."""
    found = []
    for name in SUPPORTED:
        try:
            run([name, "--version"])
        except (Failed, OSError):
            continue
        found.append(name)
    return found


Step = tuple[str, Callable[[], str]]


def step(does: Callable[..., str], *arguments: Any, name: str = "") -> Step:
    """Return a step; its title is the first line of the function's documentation."""
    title = (does.__doc__ or "").partition("\n")[0].rstrip(".")
    return f"{name}{title}", partial(does, *arguments)


def steps(release: Release) -> list[Step]:
    """Return all steps in their order."""
    first = [
        check_versions, lint_workflows, check_configuration, build_client, build_docs, build_sdist,
        build_pure,
    ]  # fmt: skip
    listed = [step(does, release) for does in first]
    names = {python: f"{python_name(python)}: " for python in release.pythons}
    listed += [step(build_compiled, release, one, name=names[one]) for one in release.pythons]
    listed.append(step(check_metadata, release))
    for one in release.pythons:
        listed.append(step(run_installed, release, one, "compiled", name=names[one]))
        listed.append(step(run_server, release, one, name=names[one]))
    oldest = release.pythons[0]
    listed.append(step(run_installed, release, oldest, "pure", name=f"{names[oldest]}Pure wheel: "))
    listed.append(step(run_pyodide, release))
    return listed


def spent() -> float:
    """Return the processor time of this process and of those that it waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def run_steps(listed: list[Step]) -> list[tuple[str, str, str]]:
    """Run the steps until one fails; return the rows of the table."""
    rows = []
    for number, (title, does) in enumerate(listed, 1):
        print(f"{number}/{len(listed)} {title} ...", flush=True)
        began, used = time.monotonic(), spent()
        try:
            told, is_well = does(), True
        except Failed as fault:
            told, is_well = str(fault), False
        took = f"{time.monotonic() - began:.0f} s, {spent() - used:.0f} s CPU"
        print(f"    {'ok' if is_well else 'FAILED'}: {told}   ({took})", flush=True)
        rows.append((title, "ok" if is_well else "FAILED", took))
        if not is_well:
            break
    return rows


def show(rows: list[tuple[str, str, str]], release: Release) -> None:
    """Print the summary."""
    width = max(len(title) for title, _, _ in rows)
    print("\nSummary")
    for title, result, took in rows:
        print(f"  {title:<{width}}  {result:<6}  {took}")
    show_speed(release.speed)


def show_speed(speed: dict[str, dict[str, int]]) -> None:
    """Print steps of random play per second, and how many times faster than the pure wheel."""
    pure = next((figures for name, figures in speed.items() if name.endswith("pure")), {})
    if not pure:
        return
    print("\nSteps of random play per second of processor time (times the pure wheel)")
    for name, figures in speed.items():
        told = [
            f"{game} {steps:,} ({steps / pure[game]:.1f}×)"
            for game, steps in figures.items()
            if game in pure
        ]
        print(f"  {name:<22} {'   '.join(told)}")


def parser() -> argparse.ArgumentParser:
    arguments = argparse.ArgumentParser(description="Check all of a release but its publication.")
    arguments.add_argument("--tag", help="the tag of the release, for example v0.1.0")
    arguments.add_argument("--commit", default="HEAD", help="commit to release (default: HEAD)")
    arguments.add_argument(
        "--python", action="append", metavar="PYTHON",
        help="a Python to build a compiled wheel for; repeatable (default: those on PATH)",
    )  # fmt: skip
    return arguments


def main(words: list[str] | None = None) -> int:
    """Run all steps. Status 1: a step failed; its line says why, and later steps were not run."""
    given = parser().parse_args(words)
    pythons = given.python or found_pythons()
    if not pythons:
        print(
            "release_check.py: no supported Python on PATH. Name one with --python.",
            file=sys.stderr,
        )
        return 1
    release = Release(given.commit, given.tag, pythons)
    rows = run_steps(steps(release))
    show(rows, release)
    return any(result != "ok" for _, result, _ in rows)


if __name__ == "__main__":
    sys.exit(main())
