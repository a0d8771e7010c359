"""The worked examples of the rulebook, played with the default card set and options."""

import re
from importlib.resources import files
from typing import Any

import pytest

import zashiki
from zashiki import Match
from zashiki.games.kingdoms.tests.tables import (
    draft,
    fought,
    hand,
    on,
    plays,
    refusal,
    totals,
)

ruling = pytest.mark.ruling

DEFAULT = zashiki.games()["kingdoms"].options["card_set"].default
HEADINGS = {"en": "Examples", "ja": "例"}
TITLES = {
    "draft": ("A draft", "徴兵"),
    "battle": ("A battle", "戦闘"),
    "escape": ("A narrow escape", "危機一髪"),
}


def rules_in(language: str) -> str:
    return (files("zashiki.games.kingdoms") / f"rules.{language}.md").read_text("utf-8")


def examples(language: str) -> dict[str, str]:
    """Return the text of each worked example by its title, in the rulebook's order."""
    section = rules_in(language).partition(f"\n## {HEADINGS[language]}\n")[2].partition("\n## ")[0]
    parts = re.split(r"^\*\*(.+?)[.。]\*\*", section, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def texts(example: str) -> list[str]:
    """Return an example in English and in Japanese."""
    return [
        examples(language)[title] for language, title in zip(HEADINGS, TITLES[example], strict=True)
    ]


def assert_in_all(example: str, *quoted: object) -> None:
    """Fail if a text of an example lacks one of these numbers."""
    for text in texts(example):
        numbers = re.findall(r"\d+", text)
        assert {str(number) for number in quoted} <= set(numbers)


def fight(*args: Any, **more: Any) -> Match:
    """Fight a battle with the default card set."""
    return fought(*args, card_set=DEFAULT, **more)


@pytest.mark.parametrize("language", HEADINGS)
def test_the_rulebook_begins_with_a_picture_and_ends_with_questions_and_notation(
    language: str,
) -> None:
    lines = rules_in(language).splitlines()
    assert lines[2].startswith("![")
    headings = [line for line in lines if line.startswith("## ")]
    ends = {"en": ("## Questions", "## Notation"), "ja": ("## よくある質問", "## 手の書き方")}
    assert tuple(headings[-2:]) == ends[language]
    assert not headings[0].startswith("## RB")


@pytest.mark.parametrize("language", HEADINGS)
def test_every_example_is_played_here(language: str) -> None:
    place = list(HEADINGS).index(language)
    assert list(examples(language)) == [titles[place] for titles in TITLES.values()]


@ruling("RB 2.1")
@ruling("RB 2.2")
def test_a_draft() -> None:
    areas = {"red-city": "red soldier"}
    match = draft(hands=("soldier lancer", ""), areas=areas, card_set=DEFAULT)
    assert match.view(0)["funds"] == [4, 4]
    assert {"draft:A2", "draft:N2A1"} <= set(match.legal(0))
    assert refusal(match, 0, "draft:N4") == "RB 2.2"
    assert len(hand(plays(match, "draft:N2A1"), 0)) == 5


BATTLE: dict[str, Any] = {"areas": {"border": "red archer"}}


@ruling("RB 3.2")
@pytest.mark.parametrize(
    ("added", "defence", "bird_defence"), [(None, 5, 4), ("liaison", 6, 5), ("shieldman", 8, 7)]
)
def test_a_battle(added: str | None, defence: int, bird_defence: int) -> None:
    match = fight("blue-city", "knight priest", "blue city-guard", added, **BATTLE)
    assert totals(match) == (6, defence)
    bird = fight("blue-city", "bird-soldier priest", "blue city-guard", added, **BATTLE)
    assert totals(bird) == (6, bird_defence)
    assert_in_all("battle", 6, defence, bird_defence)
    assert on(match, "border") == "red archer"


@ruling("RB 3.4")
@ruling("RB 3.5")
def test_what_a_battle_leaves() -> None:
    won = fight("blue-city", "knight priest", "blue city-guard", None, **BATTLE)
    assert on(plays(won, "leave:knight"), "blue-city") == "red knight"
    tied = fight(
        "blue-city", "knight priest", "blue city-guard", "liaison", ("soldier", ""), **BATTLE
    )
    assert on(tied, "blue-city") is None
    assert on(plays(tied, "occupy:blue-city:soldier"), "blue-city") == "red soldier"
    lost = fight("blue-city", "knight priest", "blue city-guard", "shieldman", **BATTLE)
    assert set(lost.legal(1)) == {"leave:city-guard", "leave:shieldman"}


ESCAPE: dict[str, Any] = {"areas": {"red-city": "blue archer"}}


@ruling("RB 5.2")
def test_a_narrow_escape() -> None:
    match = fight("red-capital", "cavalry cavalry", "red rearguard", "prince", **ESCAPE)
    assert totals(match) == (11, 10)
    assert_in_all("escape", 11, 10)
    plays(match, "leave:cavalry")
    assert hand(match, 0) == ["prince"]
    assert not match.over


@ruling("RB 4.1")
def test_an_escape_that_fails() -> None:
    match = fight("red-capital", "cavalry cavalry", "red prince", "rearguard", **ESCAPE)
    assert match.outcome is not None
    assert match.outcome.ranks == (2, 1)
