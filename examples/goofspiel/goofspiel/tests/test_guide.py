"""The guide "Add a game" quotes the real code, and its rule is a rule."""

import re
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).resolve().parents[2]
GUIDE = EXAMPLE.parents[1] / "docs" / "guides" / "add-a-game.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
QUOTED = re.compile(r"# ((?:goofspiel/\S+|pyproject)\.(?:py|toml))\n")


def blocks() -> list[tuple[str, str]]:
    """The language and content of every block of code."""
    return BLOCK.findall(GUIDE.read_text("utf-8"))


def quotations() -> list[tuple[str, str]]:
    """The file that each quoting block names in its first line, and what it quotes."""
    found = [(QUOTED.match(block), block) for _, block in blocks()]
    return [(first[1], block[first.end() :]) for first, block in found if first]


def test_the_guide_quotes_every_module_of_the_rules() -> None:
    quoted = {name for name, _ in quotations()}
    for module in (
        "actions",
        "state",
        "play",
        "sample",
        "position",
        "words",
        "options",
        "laws",
        "bot",
    ):
        assert f"goofspiel/{module}.py" in quoted


@pytest.mark.parametrize(("name", "quoted"), quotations())
def test_a_quotation_stands_in_its_file(name: str, quoted: str) -> None:
    lines = (EXAMPLE / name).read_text("utf-8").splitlines()
    wanted = quoted.splitlines()
    places = range(len(lines) - len(wanted) + 1)
    assert wanted
    assert any(lines[place : place + len(wanted)] == wanted for place in places)


def test_the_rule_it_shows_is_in_the_rules() -> None:
    rules = (EXAMPLE / "goofspiel" / "rules.en.md").read_text("utf-8")
    shown = [block for language, block in blocks() if language == "markdown"]
    assert shown
    assert all(block in rules for block in shown)


def test_code_that_quotes_no_file_runs(capsys: pytest.CaptureFixture[str]) -> None:
    programs = [
        block
        for language, block in blocks()
        if language == "python" and not QUOTED.match(block) and not block.startswith("# src/")
    ]
    assert len(programs) == 1
    exec(compile(programs[0], str(GUIDE), "exec"), {})
    assert capsys.readouterr().out.startswith("Outcome(ranks=")
