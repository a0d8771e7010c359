"""Compiled and interpreted code give the same journals, and it is certain which of them ran.

With ZASHIKI_EXPECT_COMPILED=1 the marked modules must be extensions, without it plain Python.
"""

import copy
import hashlib
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import zashiki
from zashiki import Match
from zashiki.core.dice import Quick
from zashiki.laws import forms
from zashiki.laws.walk import Walk

pytestmark = pytest.mark.both
ROOT = Path(__file__).resolve().parent.parent
SOURCES = [ROOT / "src", ROOT / "examples" / "goofspiel"]
EXPECT_COMPILED = os.environ.get("ZASHIKI_EXPECT_COMPILED") == "1"
MARKER = "# mypyc: compile"
SEEDS = (1, 4)
"""Matches of each form that are compared, usually and with --long."""


def packages() -> list[str]:
    """Our games, and those of installed packages."""
    makers = [getattr(spec.make, "func", spec.make) for spec in zashiki.games().values()]
    return sorted({"zashiki", *(str(make.__module__).partition(".")[0] for make in makers)})


def marked() -> Iterator[str]:
    """Return the names of the modules that are marked for compilation."""
    for package in packages():
        folder = Path(str(import_module(package).__file__)).parent
        for path in sorted(folder.rglob("*.py")):
            if path.read_text("utf-8").partition("\n")[0] == MARKER:
                yield ".".join(path.relative_to(folder.parent).with_suffix("").parts)


def journals(count: int, games: list[str]) -> str:
    """Return a line per form and seed: the match, and the hash of its whole record."""
    lines = []
    for game in games:
        for form in forms(zashiki.games()[game]):
            for seed in range(count):
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


STRANGE: tuple[object, ...] = (
    None,
    True,
    3,
    -1,
    3.5,
    10**400,
    "x",
    "\udc80",
    b"x",
    bytes(32),
    [],
    {},
    object,
    "9" * 600,
)
"""Values that a caller may pass by mistake."""


def front_door(_: int, games: list[str]) -> str:
    """Return one line per call of the front door: its result or its error."""
    lines = [
        f"{place} {answer(ask)}\n" for game in games for place, ask in enumerate(questions(game))
    ]
    return "".join(lines)


def answer(ask: Callable[[], object]) -> str:
    try:
        return f"{ask()!r}"
    except Exception as error:
        again = pickle.loads(pickle.dumps(error))
        return f"{type(error).__mro__} {error} {type(again)} {again}"


def questions(game: str) -> Iterator[Callable[[], object]]:
    """Yield calls of all functions and methods of the front door, with good and strange values."""
    seats = zashiki.games()[game].seats[0]
    match = zashiki.start(game, seats, seed=7, salt=bytes(32), names=["A"] * seats)
    seat = min(match.to_act)
    action = match.legal(seat)[0]
    truth = match.truth()
    yield from values_of(match, seat, action)
    for value in STRANGE:
        yield from functions_with(value, game, seats, match.record())
        yield from methods_with(value, match, seat, action)
        for key in truth:
            yield partial(scene_of, game, {**truth, key: value})
        for name in match.options:
            yield partial(options_of, game, seats, {name: value})


def functions_with(
    value: Any, game: str, seats: int, record: str
) -> Iterator[Callable[[], object]]:
    for name in ("seats", "options", "seed", "names", "nonces", "salt"):
        if value is not None or name not in ("seed", "salt"):  # None: the system's entropy
            asked = {"seats": seats, "seed": 7, "salt": bytes(32), name: value}
            yield partial(start_of, game, **asked)
    yield partial(zashiki.start, value)
    yield partial(zashiki.replay, value)
    yield partial(zashiki.replay, record, until=value)
    yield partial(zashiki.replay, record, seed=value)
    yield partial(scene_of, game, value)
    yield partial(zashiki.position, value)
    yield partial(zashiki.bot, game, value)
    yield partial(zashiki.bot, game, "greedy", seed=value)


def methods_with(
    value: Any, match: Match, seat: int, action: str
) -> Iterator[Callable[[], object]]:
    for ask in (match.legal, match.view, match.own_view, match.facts, match.record):
        yield partial(ask, value)
    yield partial(match.why_not, value, action)
    yield partial(match.why_not, seat, value)
    yield partial(match.copy().play, seat, action, value)
    yield partial(match.copy().play, seat, value)
    yield partial(match.copy().play, value, action)
    yield partial(zashiki.bot(match.spec.id, "greedy", seed=1).choose, match, value)


def start_of(game: str, **asked: Any) -> object:
    return zashiki.start(game, **asked).truth()


def scene_of(game: str, truth: Any) -> object:
    return zashiki.scenario(game, truth).truth()


def options_of(game: str, seats: int, options: dict[str, object]) -> object:
    return dict(zashiki.start(game, seats, options=options, seed=7).options)


def values_of(match: Match, seat: int, action: str) -> Iterator[Callable[[], object]]:
    """Yield calls that describe, pickle, copy and compare the values that it returns.

    Left out: errors that a type checker finds, such as writing to a final attribute of an
    `Outcome`. Compiled code refuses them, and plain Python does not.
    """
    other = (seat + 1) % match.seats
    facts, refusal = match.copy().play(seat, action), match.why_not(other, action)
    over = match.copy()
    while not over.over:
        over.play(min(over.to_act), over.legal(min(over.to_act))[0])
    things = [over.outcome, over, match, facts, facts[0], refusal, match.spec, over.undo()]
    for thing in things:
        yield partial(described, thing)
        yield partial(pickled, thing)
        yield partial(copied, thing, copy.copy)
        yield partial(copied, thing, copy.deepcopy)
        yield partial(hashed, thing)


def pickled(thing: object) -> str:
    return copied(thing, lambda one: pickle.loads(pickle.dumps(one)))


def copied(thing: object, how: Callable[[object], object]) -> str:
    twin = how(thing)
    return f"{described(twin)} {twin == thing}"


def hashed(thing: object) -> bool:
    return hash(thing) == hash(copy.copy(thing))


def described(thing: object) -> str:
    """Return its type and `repr`; of a spec the id, because its `repr` has addresses."""
    return str(thing.id) if isinstance(thing, zashiki.GameSpec) else f"{type(thing)} {thing!r}"


SCRIPT = """
import sys
from tests import test_compiled
from zashiki.core import dice
assert dice.__file__.endswith(".py"), dice.__file__
made = getattr(test_compiled, sys.argv[1])
sys.stdout.buffer.write(made(int(sys.argv[2]), sys.argv[3:]).encode())
"""


def interpreted(made: Callable[[int, list[str]], str], count: int, games: list[str]) -> str:
    """Return what a function of this module makes from the source tree, in a separate Python."""
    path = [str(folder) for folder in (*SOURCES, ROOT)]
    path += filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path), "PYTHONHASHSEED": "7"}
    command = [sys.executable, "-c", SCRIPT, made.__name__, str(count), *games]
    done = subprocess.run(command, env=environment, cwd=ROOT, check=True, capture_output=True)
    return done.stdout.decode()


@pytest.mark.parametrize("module", list(marked()))
def test_a_marked_module_is_loaded_as_expected(module: str) -> None:
    file = str(import_module(module).__file__)
    assert file.endswith((".so", ".pyd") if EXPECT_COMPILED else ".py")


def test_there_are_marked_modules() -> None:
    assert {"zashiki.core.dice", "zashiki.games.kamiza.play"} <= set(marked())


@pytest.mark.parametrize(
    "count", [SEEDS[0], *(pytest.param(count, marks=pytest.mark.long) for count in SEEDS[1:])]
)
def test_compiled_and_interpreted_journals_are_the_same(count: int) -> None:
    """Without compiled modules: two processes with different hash seeds agree."""
    games = sorted(zashiki.games())
    here = journals(count, games).splitlines()
    assert here == interpreted(journals, count, games).splitlines()
    assert len(here) >= len(games) * count


def test_the_front_door_answers_alike_compiled_and_interpreted() -> None:
    """Results, errors and their types are equal, for good and strange arguments."""
    games = sorted(zashiki.games())
    here = front_door(1, games).splitlines()
    assert here == interpreted(front_door, 1, games).splitlines()
    assert len(here) > 1000
    assert not [line for line in here if "TypeError" in line and "unhashable" not in line]
