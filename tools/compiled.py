"""Compile the marked modules with mypyc into a folder of their own, and print its path.

    PYTHONPATH=$(python tools/compiled.py) python -m pytest tests/test_laws.py

A module is compiled when its first line is `# mypyc: compile`; there is no list to edit.
Never in place: an old extension beside an edited module would win silently.
"""

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILDS = ROOT / "build" / "compiled"
ZASHIKI = ROOT / "src" / "zashiki"
CLIENT = ZASHIKI / "server" / "client"
GOOFSPIEL = ROOT / "examples" / "goofspiel" / "goofspiel"
MARKER = "# mypyc: compile"
NO_COMPILER = 3  # the exit status by which `make test` knows that it may go on without
UNUSED_SECONDS = 3600  # a build used within the hour may serve another process still

# One group, so that calls from module to module are native. mypyc changes the process it runs in
# (working directory, setuptools, stdout), so it gets a process of its own.
BUILD = """
import os, sys
from mypyc.build import mypycify
from setuptools import setup

mypy = ["--explicit-package-bases", "--cache-dir", os.devnull]
extensions = mypycify(
    mypy + sys.argv[1:], opt_level="3", debug_level="0", multi_file=False, group_name="zashiki"
)
if os.name != "nt":  # lets the C compiler inline from module to module: half as fast again
    for extension in extensions:
        extension.extra_compile_args.append("-fno-semantic-interposition")
setup(name="zashiki", ext_modules=extensions, script_args=["build_ext", "--inplace"])
"""


class CannotCompile(Exception):
    """This machine lacks what compiling needs."""


def missing_tool() -> str | None:
    """What this machine lacks to build extensions, if anything."""
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        return "Python's C headers"
    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    if os.name != "nt" and not shutil.which(shlex.split(command)[0]):
        return f"a C compiler ({command})"
    return None


def mypy_version() -> str:
    """The version of mypy, which brings mypyc."""
    try:
        return version("mypy")
    except PackageNotFoundError:
        raise CannotCompile("mypy is not installed") from None


def files_of(package: Path) -> Iterator[Path]:
    """What runs: everything but tests, caches and the client's pages, none of which is compiled."""
    for path in sorted(package.rglob("*")):
        parts = path.relative_to(package).parts
        if CLIENT in path.parents or not path.is_file():
            continue
        if not {"tests", "__pycache__"}.intersection(parts):
            yield path


def marked_modules(package: Path) -> list[str]:
    """The modules to compile, as paths relative to the folder that holds the package."""
    return [
        path.relative_to(package.parent).as_posix()
        for path in files_of(package)
        if path.suffix == ".py" and is_marked(path)
    ]


def is_marked(module: Path) -> bool:
    """Whether the module asks to be compiled."""
    with module.open(encoding="utf-8") as lines:
        return lines.readline().rstrip() == MARKER


def build(packages: list[Path], tree: Path) -> None:
    """Copy the packages into the folder `tree` and compile their marked modules there."""
    if missing := missing_tool():
        raise CannotCompile(f"{missing} not found")
    mypy_version()
    for package in packages:
        for path in files_of(package):
            copy = tree / path.relative_to(package.parent)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, copy)
    modules = [module for package in packages for module in marked_modules(package)]
    if modules:
        command = [sys.executable, "-c", BUILD, *modules]
        output = subprocess.STDOUT
        subprocess.run(command, cwd=tree, check=True, stdout=subprocess.PIPE, stderr=output)
    shutil.rmtree(tree / "build", ignore_errors=True)  # the generated C


def key(packages: list[Path]) -> str:
    """A hash of all that decides what a build contains."""
    digest = hashlib.sha256(f"{sys.version} {sysconfig.get_platform()} {mypy_version()}".encode())
    for path in [Path(__file__), *(path for package in packages for path in files_of(package))]:
        digest.update(f"\n{path.relative_to(ROOT).as_posix()}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def compiled() -> Path:
    """The folder of the build of the present sources, made now unless it is there already."""
    packages = [package for package in (ZASHIKI, GOOFSPIEL) if package.is_dir()]
    done = BUILDS / key(packages)
    if not done.is_dir():
        BUILDS.mkdir(parents=True, exist_ok=True)
        unfinished = Path(tempfile.mkdtemp(prefix="unfinished-", dir=BUILDS))
        try:
            build(packages, unfinished)
            (unfinished / CLIENT.relative_to(ZASHIKI.parent)).symlink_to(CLIENT)
            unfinished.rename(done)  # all or nothing: an interrupted build never has this name
        except OSError:
            if not done.is_dir():  # else another process was faster: its build is as good
                raise
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    os.utime(done)
    remove_unused_builds()
    return done


def remove_unused_builds() -> None:
    """Older builds, and what interrupted ones left behind."""
    for folder in BUILDS.iterdir():
        if folder.stat().st_mtime < time.time() - UNUSED_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)


def main() -> int:
    """Print the path of the compiled packages, or say on stderr why there is none."""
    try:
        print(compiled())
    except CannotCompile as reason:
        print(f"compiled.py: not compiled: {reason}", file=sys.stderr)
        return NO_COMPILER
    except subprocess.CalledProcessError as failure:
        sys.stderr.write(failure.stdout.decode(errors="replace"))
        print("compiled.py: mypyc or the C compiler failed, see above", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
