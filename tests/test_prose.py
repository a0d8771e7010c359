"""The check of the project's English: the habits that it finds, and the English that it leaves."""

from pathlib import Path

import pytest

from tools import check_prose
from tools.check_files import project_files


def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str) -> list[str]:
    """Return the findings in a file of this name and text, without their place and advice."""
    monkeypatch.setattr(check_prose, "ROOT", tmp_path)
    file = tmp_path / name
    file.write_text(text, "utf-8")
    lines = [finding.split("\n")[0] for finding in check_prose.findings(file)]
    return [line.partition(": ")[2] for line in lines]


@pytest.mark.parametrize(
    "sentence",
    [
        "Who has the key can sign in.",
        "What a seat knows.",
        "Where a rule forbids it, it is refused.",
        "The server takes 600 requests a minute.",
        "One line a seat.",
        "It costs 4.3 ms a decision.",
        "This is no record.",
        "The file is written anew.",
        "The match goes on.",
        "A restored match goes on as the original.",
        "The number stands on the first line.",
        "Has anything been drawn?",
    ],
)
def test_a_docstring_with_a_habit_is_found(
    sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f'"""{sentence}"""\n'
    assert found(tmp_path, monkeypatch, "module.py", text) == [sentence]


@pytest.mark.parametrize(
    "sentence",
    [
        "Return what a seat knows.",
        "Whoever has the key can sign in.",
        "Where possible, memory is used again.",
        "There is no record.",
        "It is no longer needed.",
        "There were no more than three.",
        "Twice a day the store is copied.",
        "A player who loses one takes a seat elsewhere.",
        "As K2 1.2 says: a match has three games.",
        "It tries one a second time.",
        "R5 stands for red 5.",
        "A bot stands in for a player who is away.",
        "The match stood still.",
        "The card goes on the table.",
        "This shows what is going on there.",
        'It raises "this is no record".',
        "The method `goes on` is called.",
    ],
)
def test_good_english_is_left_alone(
    sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f'"""{sentence}"""\n'
    assert not found(tmp_path, monkeypatch, "module.py", text)


def test_python_is_read_by_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = '''
"""A module."""

limit = 3
"""What a table may have."""

# What is kept here is never
# looked at.
add("--most", help=f"so many of {limit}", default=0)
word = "so many questions?"
raise ValueError(f"seats {limit}: a number from 1 to {limit} is expected")
#  What a game must answer ------------------------------------------------
'''
    assert found(tmp_path, monkeypatch, "module.py", text) == [
        "What a table may have.",
        "What is kept here is never looked at.",
        "so many of X",
        "seats X: a number from 1 to X is expected",
    ]


def test_a_page_is_read_without_its_code_and_headings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = """# What a view holds

What is the use of it? A heading may begin so. What is below may
not.

- Who reads it, learns it.

| What | 60 a minute |
|---|---|

```text
What is code, is code.
```
"""
    assert found(tmp_path, monkeypatch, "page.md", text) == [
        "What is below may not.",
        "Who reads it, learns it.",
        "60 a minute",
    ]


def test_comments_of_the_client_and_help_of_targets_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = "const a = 'https://x.example/ What';\n// What it is.\n/** What\n * it was. */\n"
    page = "<!-- Who looks on. -->\n<p>What now</p>\n<style>/* Where it is. */</style>\n"
    make = "lock: ## so many pins\n# What is made is a stamp.\n"
    assert found(tmp_path, monkeypatch, "a.ts", script) == ["What it is.", "What it was."]
    assert found(tmp_path, monkeypatch, "A.svelte", page) == ["Who looks on.", "Where it is."]
    assert found(tmp_path, monkeypatch, "Makefile", make) == [
        "so many pins",
        "What is made is a stamp.",
    ]


def test_a_folder_may_not_have_more_findings_than_it_is_allowed() -> None:
    lines = {"web": ["a", "b"], "docs": ["c"]}
    assert list(check_prose.excess(lines, {"web": 2, "docs": 1})) == []
    assert list(check_prose.excess(lines, {"web": 1, "docs": 1})) == [
        "a\nb",
        "web: expected at most 1 findings, found 2",
    ]
    assert list(check_prose.excess({"docs": ["c"]}, {}))[-1].startswith("docs: expected at most 0")


def test_every_exception_has_a_reason_and_occurs() -> None:
    files = [path.read_text("utf-8") for path in check_prose.checked(project_files())]
    text = " ".join(" ".join(files).split())
    for sentence, reason in check_prose.EXCEPTIONS.items():
        assert reason
        assert sentence in text, f"{sentence!r} is not in the project: remove the exception"
