"""Check the zashiki that is installed in the Python that runs this file.

    python tools/release_smoke.py --expect compiled --laws 1 --no-compiler --json smoke.json

Checks: zashiki comes from site-packages, and every module marked for mypyc is an extension
(`--expect compiled`) or plain Python (`--expect pure`). With `--laws N` the laws run on N matches
of every form. The speed is measured in steps of random play per second of processor time. The file
needs nothing but the package, for cibuildwheel runs it too.
"""

import argparse
import importlib.metadata
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path

MARKER = "# mypyc: compile"
COMPILERS = ("cc", "gcc", "clang", "cl")
EXTENSIONS = (".so", ".pyd")
SECONDS = 1.0  # processor time per measurement
BATCH = 20  # matches between two readings of the clock


class Failed(Exception):
    """The installed package failed a check."""


def check_place() -> Path:
    """Return the folder of the installed package, which must not be a source tree."""
    import zashiki

    folder = Path(str(zashiki.__file__)).resolve().parent
    places = {Path(sysconfig.get_path(name)).resolve() for name in ("purelib", "platlib")}
    if folder.parent not in places:
        raise Failed(f"expected zashiki in site-packages, found it in {folder}")
    return folder


def marked(folder: Path) -> Iterator[str]:
    """Return the names of the modules whose first line marks them for mypyc."""
    for path in sorted(folder.rglob("*.py")):
        with path.open(encoding="utf-8") as lines:
            if lines.readline().rstrip() == MARKER:
                yield ".".join(path.relative_to(folder.parent).with_suffix("").parts)


def check_modules(folder: Path, expected: str) -> int:
    """Return the number of marked modules, all of which must be loaded as expected."""
    names = list(marked(folder))
    if not names:
        raise Failed(f"expected modules marked {MARKER!r} in {folder}, found none")
    for name in names:
        file = str(importlib.import_module(name).__file__)
        found = "compiled" if file.endswith(EXTENSIONS) else "pure"
        if found != expected:
            raise Failed(f"expected {name} {expected}, found {file}")
    return len(names)


def check_bare() -> None:
    """Refuse an environment with a compiler."""
    if found := [name for name in COMPILERS if shutil.which(name)]:
        raise Failed(f"expected no compiler on PATH, found {', '.join(found)}")
    if importlib.util.find_spec("mypy"):
        raise Failed("expected no mypy, found one")


def check_typed(folder: Path) -> None:
    """Refuse a package that type checkers would consider untyped."""
    if not (folder / "py.typed").is_file():
        raise Failed(f"{folder / 'py.typed'}: not found")


def run_laws(games: list[str], matches: int) -> dict[str, str]:
    """Run the laws of each game, and return the first line of each report."""
    lines = {}
    for game in games:
        command = [sys.executable, "-m", "zashiki.laws", game, "--matches", str(matches)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            raise Failed(f"the laws of {game} do not hold:\n{done.stderr}")
        lines[game] = done.stdout.partition("\n")[0]
    return lines


def steps_per_second(game: str) -> float:
    """Measure random play of whole matches, inside the library."""
    from zashiki.core.dice import Quick
    from zashiki.games import game_spec
    from zashiki.search.playout import play_outs

    spec = game_spec(game)
    seats = min(spec.seats)
    rules = spec.make(seats, spec.check_options({}, seats))
    chance = Quick(7)
    play_outs(rules, 1, chance)
    began, steps = time.process_time(), 0
    while time.process_time() - began < SECONDS:
        steps += play_outs(rules, BATCH, chance)
    return steps / (time.process_time() - began)


def parser() -> argparse.ArgumentParser:
    arguments = argparse.ArgumentParser(description="Check the installed zashiki.")
    arguments.add_argument("--expect", choices=("compiled", "pure"), required=True)
    arguments.add_argument("--laws", type=int, default=0, metavar="N", help="matches per form")
    arguments.add_argument("--games", nargs="*", help="ids of games (default: all)")
    arguments.add_argument("--no-compiler", action="store_true", help="fail if PATH has a compiler")
    arguments.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE")
    return arguments


def checked(given: argparse.Namespace) -> dict[str, object]:
    """Run the checks and return the figures."""
    folder = check_place()
    if given.no_compiler:
        check_bare()
    check_typed(folder)
    from zashiki.games import catalogue

    games = given.games or sorted(catalogue())
    return {
        "version": importlib.metadata.version("zashiki"),
        "python": sys.version.split()[0],
        "platform": sysconfig.get_platform(),
        "modules": check_modules(folder, given.expect),
        "kind": given.expect,
        "laws": run_laws(games, given.laws) if given.laws else {},
        "steps_per_second": {game: round(steps_per_second(game)) for game in games},
    }


def main(arguments: list[str] | None = None) -> int:
    """Print the figures. Status 1: a check failed; a line on stderr says which."""
    given = parser().parse_args(arguments)
    sys.path[:] = [entry for entry in sys.path if entry not in {"", os.getcwd()}]
    try:
        figures = checked(given)
    except Failed as fault:
        print(f"release_smoke.py: {fault}", file=sys.stderr)
        return 1
    text = json.dumps(figures, indent=2)
    print(text)
    if given.json:
        given.json.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
