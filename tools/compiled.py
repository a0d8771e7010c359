"""Compile the marked modules with mypyc into a folder of their own, and print its path.

    PYTHONPATH=$(python tools/compiled.py) python -m pytest tests/test_laws.py

A module is compiled when its first line is `# mypyc: compile`; there is no list to edit.
Never in place: an old extension beside an edited module would win silently.
"""

import hashlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILDS = ROOT / "build" / "compiled"
ZASHIKI = ROOT / "src" / "zashiki"
PAGES = (ZASHIKI / "server" / "client", ZASHIKI / "server" / "docs_site")
"""Generated pages. A build links them, so that making them does not change it."""
GOOFSPIEL = ROOT / "examples" / "goofspiel" / "goofspiel"
MARKER = "# mypyc: compile"
HOT_LAYERS = ("core", "games", "search")
"""The layers that hold marked modules. They import nothing from the layers above them."""
NO_COMPILER = 3  # exit status: callers may continue with interpreted modules
UNUSED_SECONDS = 3600  # a build used within the last hour may still be in use

# One group, so that calls from module to module are native. mypyc changes the process it runs in
# (working directory, setuptools, stdout), so it gets a process of its own. Its arguments: the kind
# of compiler, then the modules.
#
# GCC compiles a C file per module on all cores and inlines between them when it links (LTO). Other
# compilers get one large file, from which they inline as well, on one core.
BUILD = """
import os, sys
from concurrent.futures import ThreadPoolExecutor
from mypyc.build import mypycify
from setuptools import setup
from setuptools.command.build_ext import build_ext

is_gcc, modules = sys.argv[1] == "gcc", sys.argv[2:]
cores = os.cpu_count() or 1


class ParallelBuild(build_ext):
    def build_extension(self, extension):
        if len(extension.sources) > 1:
            with ThreadPoolExecutor(cores) as pool:
                made = pool.map(lambda source: self.compile(extension, source), extension.sources)
                extension.extra_objects = [path for paths in made for path in paths]
            extension.sources = []
        super().build_extension(extension)

    def compile(self, extension, source):
        return self.compiler.compile(
            [source], output_dir=self.build_temp, include_dirs=extension.include_dirs,
            extra_postargs=extension.extra_compile_args, depends=extension.depends,
        )


mypy = ["--explicit-package-bases", "--cache-dir", os.devnull]
extensions = mypycify(
    mypy + modules, opt_level="3", debug_level="0", multi_file=is_gcc, group_name="zashiki"
)
for extension in extensions:
    if os.name != "nt":  # lets the C compiler inline from module to module: half as fast again
        extension.extra_compile_args.append("-fno-semantic-interposition")
    if len(extension.sources) > 1 and is_gcc:
        extension.extra_compile_args.append("-flto")
        extension.extra_link_args += ["-O3", f"-flto={cores}"]
setup(
    name="zashiki", ext_modules=extensions, cmdclass={"build_ext": ParallelBuild},
    script_args=["build_ext", "--inplace", "--parallel", str(cores)],
)
"""


class CannotCompile(Exception):
    """This machine lacks what compiling needs."""


def compiler() -> list[str]:
    """Return the C compiler's command as setuptools runs it (not on Windows)."""
    return shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")


def missing_tool() -> str | None:
    """Return the tool that this machine lacks to build extensions; None if it has all."""
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        return "Python's C headers"
    if os.name != "nt" and not shutil.which(compiler()[0]):
        return f"a C compiler ({shlex.join(compiler())})"
    return None


def kind_of_compiler() -> str:
    """Return `gcc` or `other`."""
    if os.name == "nt":
        return "other"
    asked = subprocess.run([*compiler(), "--version"], check=False, capture_output=True)
    return "gcc" if b"Free Software Foundation" in asked.stdout else "other"


def mypy_version() -> str:
    """Return the version of mypy, which includes mypyc."""
    try:
        return version("mypy")
    except PackageNotFoundError:
        raise CannotCompile("mypy is not installed") from None


def files_of(package: Path) -> Iterator[Path]:
    """Yield the files that run: all but tests, caches and generated pages."""
    for path in sorted(package.rglob("*")):
        parts = path.relative_to(package).parts
        if not path.is_file() or any(folder in path.parents for folder in PAGES):
            continue
        if not {"tests", "__pycache__"}.intersection(parts):
            yield path


def tests_of(package: Path) -> Iterator[Path]:
    """Yield the folders of tests inside a package."""
    return (path for path in sorted(package.rglob("tests")) if path.is_dir())


def marked_modules(package: Path) -> list[str]:
    """Return the modules to compile, as paths relative to the folder that holds the package."""
    return [
        path.relative_to(package.parent).as_posix()
        for path in files_of(package)
        if path.suffix == ".py" and is_marked(path)
    ]


def is_marked(module: Path) -> bool:
    """Return whether the module is marked to be compiled."""
    with module.open(encoding="utf-8") as lines:
        return lines.readline().rstrip() == MARKER


def copy_sources(packages: list[Path], tree: Path) -> None:
    """Copy the files of the packages that run into the folder `tree`."""
    for package in packages:
        for path in files_of(package):
            copy = tree / path.relative_to(package.parent)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, copy)


def check_tools() -> None:
    """Raise `CannotCompile` if this machine lacks a tool."""
    if missing := missing_tool():
        raise CannotCompile(f"{missing} not found")
    mypy_version()


def build(packages: list[Path], tree: Path) -> None:
    """Copy the packages into the folder `tree` and compile their marked modules there."""
    check_tools()
    copy_sources(packages, tree)
    modules = [module for package in packages for module in marked_modules(package)]
    if modules:
        command = [sys.executable, "-c", BUILD, kind_of_compiler(), *modules]
        output = subprocess.STDOUT
        subprocess.run(command, cwd=tree, check=True, stdout=subprocess.PIPE, stderr=output)
    shutil.rmtree(tree / "build", ignore_errors=True)  # the generated C


def is_hot(path: Path) -> bool:
    """Return whether a compiled module may depend on this file."""
    inside = ZASHIKI in path.parents and path.parent != ZASHIKI
    is_above = inside and path.relative_to(ZASHIKI).parts[0] not in HOT_LAYERS
    return path.suffix == ".py" and not is_above


def key(files: Iterable[Path]) -> str:
    """Return a hash of everything that a build of these files depends on."""
    digest = hashlib.sha256(f"{sys.version} {sysconfig.get_platform()} {mypy_version()}".encode())
    for path in (Path(__file__), *files):
        digest.update(f"\n{path.relative_to(ROOT).as_posix()}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def present() -> list[Path]:
    """Return the packages of this tree."""
    return [package for package in (ZASHIKI, GOOFSPIEL) if package.is_dir()]


def destination() -> Path:
    """Return the folder for the build of the present sources, which may not exist yet."""
    check_tools()
    return BUILDS / key(path for package in present() for path in files_of(package))


def destination_of_extensions() -> Path:
    """Return the folder for the compiled modules alone, which may not exist yet."""
    files = (path for package in present() for path in files_of(package) if is_hot(path))
    return BUILDS / f"extensions-{key(files)}"


def extensions() -> Path:
    """Return the folder with only the compiled modules; build it first if necessary.

    It depends on fewer sources than the whole build: a change of the server compiles nothing.
    """

    def fill(folder: Path) -> None:
        build(present(), folder)
        suffix = sysconfig.get_config_var("EXT_SUFFIX")
        for path in [path for path in folder.rglob("*") if path.is_file()]:
            if not path.name.endswith(suffix):
                path.unlink()

    return made(destination_of_extensions, fill)


def compiled() -> Path:
    """Return the folder with the build of the present sources; build it first if necessary."""

    def fill(folder: Path) -> None:
        copy_sources(present(), folder)
        shutil.copytree(extensions(), folder, dirs_exist_ok=True)
        for linked in (*PAGES, *(found for package in present() for found in tests_of(package))):
            base = ZASHIKI if ZASHIKI in linked.parents else GOOFSPIEL
            (folder / linked.relative_to(base.parent)).symlink_to(linked)

    done = made(destination, fill)
    with suppress(FileNotFoundError):  # kept as long as the build is used
        os.utime(destination_of_extensions())
    remove_unused_builds()
    return done


def made(place: Callable[[], Path], fill: Callable[[Path], None]) -> Path:
    """Return the folder named by `place`; fill it first if it does not exist.

    All or nothing: an interrupted build never has this name. If another process is faster, its
    build is used.
    """
    done = place()
    if not done.is_dir():
        BUILDS.mkdir(parents=True, exist_ok=True)
        unfinished = Path(tempfile.mkdtemp(prefix="unfinished-", dir=BUILDS))
        try:
            fill(unfinished)
            if place() != done:
                raise CannotCompile("the sources changed while they were compiled: try again")
            unfinished.rename(done)
        except OSError:
            if not done.is_dir():
                raise
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    os.utime(done)
    return done


def remove_unused_builds() -> None:
    """Remove older builds and the remains of interrupted ones."""
    for folder in BUILDS.iterdir():
        with suppress(FileNotFoundError):  # another process may remove it at the same moment
            if folder.stat().st_mtime < time.time() - UNUSED_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)


def main() -> int:
    """Print the path of the compiled packages, or say on stderr why there is none."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))  # clean up first
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
