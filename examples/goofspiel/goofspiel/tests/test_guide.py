"""The guide to a fast game quotes the real code and a real rule, in both languages."""

import re
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).resolve().parents[2]
DESIGN = EXAMPLE.parents[1] / "docs" / "design"
GUIDES = {"en": DESIGN / "fast-game.md", "ja": DESIGN / "fast-game.ja.md"}
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
QUOTED = re.compile(r"# ((?:goofspiel/\S+|pyproject)\.(?:py|toml))\n")
in_each_language = pytest.mark.parametrize("language", GUIDES)


def blocks(language: str) -> list[tuple[str, str]]:
    """Return the language and content of every code block."""
    return BLOCK.findall(GUIDES[language].read_text("utf-8"))


def quotations(language: str) -> list[tuple[str, str]]:
    """Return the file that each quoting block names in its first line, and the quoted lines."""
    found = [(QUOTED.match(block), block) for _, block in blocks(language)]
    return [(first[1], block[first.end() :]) for first, block in found if first]


@in_each_language
def test_the_guide_quotes_every_module_of_the_rules(language: str) -> None:
    quoted = {name for name, _ in quotations(language)}
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


@pytest.mark.parametrize(("name", "quoted"), [*quotations("en"), *quotations("ja")])
def test_a_quotation_stands_in_its_file(name: str, quoted: str) -> None:
    lines = (EXAMPLE / name).read_text("utf-8").splitlines()
    wanted = quoted.splitlines()
    places = range(len(lines) - len(wanted) + 1)
    assert wanted
    assert any(lines[place : place + len(wanted)] == wanted for place in places)


def test_the_guides_quote_the_same_code() -> None:
    english, japanese = (
        [
            block
            for kind, block in blocks(language)
            if kind == "python" or block.startswith("# pyproject")
        ]
        for language in GUIDES
    )
    assert english == japanese


@in_each_language
def test_the_rule_it_shows_is_in_the_rules(language: str) -> None:
    rules = (EXAMPLE / "goofspiel" / f"rules.{language}.md").read_text("utf-8")
    shown = [block for kind, block in blocks(language) if kind == "markdown"]
    assert shown
    assert all(block in rules for block in shown)


@in_each_language
def test_code_that_quotes_no_file_runs(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    programs = [
        block
        for kind, block in blocks(language)
        if kind == "python" and not QUOTED.match(block) and not block.startswith("# src/")
    ]
    assert len(programs) == 1
    exec(compile(programs[0], str(GUIDES[language]), "exec"), {})
    assert capsys.readouterr().out.startswith("Outcome(ranks=")
