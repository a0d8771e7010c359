"""Compiled and interpreted are one: the same journals, and no doubt which of the two has run.

With ZASHIKI_EXPECT_COMPILED=1 the marked modules must be extensions, without it plain Python.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import zashiki
from zashiki.core.dice import Quick
from zashiki.laws import forms
from zashiki.laws.walk import Walk

pytestmark = pytest.mark.both
ROOT = Path(__file__).resolve().parent.parent
SOURCES = [ROOT / "src", ROOT / "examples" / "goofspiel"]
EXPECT_COMPILED = os.environ.get("ZASHIKI_EXPECT_COMPILED") == "1"
MARKER = "# mypyc: compile"
SEEDS = range(4)


def packages() -> list[str]:
    """Ours, and those of the games found outside."""
    makers = [getattr(spec.make, "func", spec.make) for spec in zashiki.games().values()]
    return sorted({"zashiki", *(str(make.__module__).partition(".")[0] for make in makers)})


def marked() -> Iterator[str]:
    """The names of the modules that ask to be compiled."""
    for package in packages():
        folder = Path(str(import_module(package).__file__)).parent
        for path in sorted(folder.rglob("*.py")):
            if path.read_text("utf-8").partition("\n")[0] == MARKER:
                yield ".".join(path.relative_to(folder.parent).with_suffix("").parts)


def journals(games: list[str]) -> str:
    """A line for each form and seed: what was played, and the hash of its whole record."""
    lines = []
    for game in games:
        for form in forms(zashiki.games()[game]):
            for seed in SEEDS:
                walk = Walk(form, seed)
                while not walk.match.over:
                    walk.advance()
                records = [walk.match.record(), walk.match.record("all"), walk.match.record(0)]
                worlds = [sampled(walk, seat) for seat in range(form.seats)]
                digest = hashlib.sha256(repr([records, worlds]).encode()).hexdigest()
                lines.append(f"{form} seed={seed} steps={walk.step} {digest}\n")
    return "".join(lines)


def sampled(walk: Walk, seat: int) -> object:
    return walk.game.truth(walk.game.sample(walk.match.state.views[seat], Quick(seat)))


SCRIPT = """
import sys
from tests.test_compiled import journals
from zashiki.core import dice
assert dice.__file__.endswith(".py"), dice.__file__
sys.stdout.buffer.write(journals(sys.argv[1:]).encode())
"""


def interpreted(games: list[str]) -> str:
    """The same from the source tree, in a Python of its own."""
    path = [str(folder) for folder in (*SOURCES, ROOT)]
    path += filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path), "PYTHONHASHSEED": "7"}
    command = [sys.executable, "-c", SCRIPT, *games]
    done = subprocess.run(command, env=environment, cwd=ROOT, check=True, capture_output=True)
    return done.stdout.decode()


@pytest.mark.parametrize("module", list(marked()))
def test_a_marked_module_is_loaded_as_expected(module: str) -> None:
    file = str(import_module(module).__file__)
    assert file.endswith((".so", ".pyd") if EXPECT_COMPILED else ".py")


def test_there_are_marked_modules() -> None:
    assert {"zashiki.core.dice", "zashiki.games.kamiza.play"} <= set(marked())


def test_compiled_and_interpreted_journals_are_the_same() -> None:
    """Without compiled modules: two processes that hash differently agree."""
    games = sorted(zashiki.games())
    here, there = journals(games).splitlines(), interpreted(games).splitlines()
    assert here == there
    assert len(here) >= len(games) * len(SEEDS)
