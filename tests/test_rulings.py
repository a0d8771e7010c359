"""Every rule has a constant and a test that cites it; every refusal is produced by a test.

Citations are read from the source (`ruling("K2 3.5")`, `refuses("Z 3")`), so the result does not
depend on which tests run.
"""

import ast
from importlib import import_module
from pathlib import Path

import pytest

from tests.test_texts import FOLDERS, SPECS, package_of, refusals_of, rulings_of
from zashiki.core.spec import GameSpec

CORE_PACKAGE = "zashiki.core"
OF_NO_GAME = {"Z 1", "Z 2", "Z 3"}


def files_of_tests(folder: Path) -> list[Path]:
    return sorted((folder / "tests").rglob("*.py"))


def cited(path: Path, mark: str) -> set[str]:
    """Return the ids in `ruling("…")` or `pytest.mark.ruling("…")` of a file."""
    ids: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == mark:
            ids |= {str(part.value) for part in node.args if isinstance(part, ast.Constant)}
    return ids


def cited_by_tests_of(folder: Path, mark: str) -> set[str]:
    return set().union(*(cited(path, mark) for path in files_of_tests(folder)))


each_folder = pytest.mark.parametrize(
    "folder", [Path(folder) for folder in FOLDERS], ids=[folder.name for folder in FOLDERS.values()]
)


def without_behaviour(folder: Path) -> dict[str, str]:
    """The ids that need no behaviour of their own, each with the reason."""
    spec = next(spec for spec in SPECS if str(spec.folder) == str(folder))
    tests = import_module(f"{package_of(spec)}.tests")
    return dict(getattr(tests, "WITHOUT_BEHAVIOUR", {}))


@each_folder
def test_every_rule_is_cited_by_a_test(folder: Path) -> None:
    rules = set(rulings_of(folder).values())
    assert rules
    excused = without_behaviour(folder)
    missing = rules - cited_by_tests_of(folder, "ruling") - set(excused)
    assert not missing, f"no test cites {sorted(missing)}"
    assert all(excused.values()), "an excused id has no reason"
    assert not set(excused) - rules, "an excused id is not a rule"
    assert not set(excused) & cited_by_tests_of(folder, "ruling"), "excused, yet cited"


@each_folder
def test_no_test_cites_an_unknown_rule(folder: Path) -> None:
    known = set(rulings_of(folder).values()) | OF_NO_GAME
    for mark in ("ruling", "refuses"):
        assert not cited_by_tests_of(folder, mark) - known


@pytest.mark.parametrize("spec", SPECS, ids=[spec.id for spec in SPECS])
def test_every_refusal_the_code_can_produce_is_produced_by_a_test(spec: GameSpec) -> None:
    packages = (CORE_PACKAGE, package_of(spec))
    possible = {ruling for package in packages for ruling, _ in refusals_of(package)}
    assert {"Z 1", "Z 2"} <= possible
    produced = cited_by_tests_of(Path(str(spec.folder)), "refuses")
    assert possible == produced


def test_core_tests_cite_only_the_rules_of_no_game() -> None:
    known = OF_NO_GAME.union(*(rulings_of(Path(folder)).values() for folder in FOLDERS))
    for path in Path(__file__).parent.glob("*.py"):
        assert not (cited(path, "ruling") | cited(path, "refuses")) - known, path.name
