"""The worked examples of both rulebooks, played with the default options."""

import re
from importlib.resources import files

import pytest

from zashiki.games.kamiza.tests.tables import FIRST, SECOND, judged, lay, stand

EDITIONS = (FIRST, SECOND)
LANGUAGES = ("en", "ja")
SHIELDED = {"en": "Red and Purple\nwould score 2 each", "ja": "赤と紫が2点ずつ"}


def tables(edition: str, language: str) -> list[list[tuple[str, int]]]:
    """The worked examples: what each seat places, and its points."""
    rules = (files("zashiki.games.kamiza") / f"rules.{language}.md").read_text("utf-8")
    chapter = rules.partition(f"{{{edition}}}\n")[2].partition("\n# ")[0]
    rows = re.findall(r"^\|[^|]+\|[^|]+\| (\d) \| `(\w+@\w+)` \|$", chapter, re.MULTILINE)
    acts = [(act, int(points)) for points, act in rows]
    return [acts[:4], acts[4:]]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_example_brings_the_points_that_it_says(edition: str, language: str) -> None:
    for rows in tables(edition, language):
        acts, points = zip(*rows, strict=True)
        assert len(acts) == 4
        assert judged(edition, *acts) == list(points)


@pytest.mark.ruling("K2 3.9")
@pytest.mark.ruling("K2 3.6")
def test_a_crowded_top() -> None:
    acts = [act for act, _ in tables(SECOND, "en")[0]]
    assert lay(stand(SECOND), *acts).truth()["wanted"] == [0, 0, 0, 1]
    assert judged(SECOND, *acts, underboss_shield=True) == [2, 0, 0, 2]
    for language, words in SHIELDED.items():
        rules = (files("zashiki.games.kamiza") / f"rules.{language}.md").read_text("utf-8")
        assert words in rules


@pytest.mark.ruling("K2 2.6")
def test_a_crowded_bottom() -> None:
    acts = [act for act, _ in tables(SECOND, "en")[1]]
    assert lay(stand(SECOND), *acts).truth()["starter"] == 1


@pytest.mark.ruling("K1 2.2")
def test_a_raid() -> None:
    acts = [act for act, _ in tables(FIRST, "en")[0]]
    assert lay(stand(FIRST), *acts).truth()["starter"] == 1


@pytest.mark.ruling("K2 3.7")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_of_bribes(language: str) -> None:
    rules = (files("zashiki.games.kamiza") / f"rules.{language}.md").read_text("utf-8")
    table = rules.partition("(K2 3.7):\n" if language == "en" else "（K2 3.7）：\n")[2]
    rows = re.findall(r"^\| [^|]+ \| (\d) \| (\d|なし)", table.partition("\n## ")[0], re.MULTILINE)
    shares = [int(share) if share.isdecimal() else 0 for _, share in rows]
    played = [
        ("boss@top", "police@top", "hitman@bottom"),
        ("underboss@top", "police@top", "hitman@bottom"),
        ("hitman@top", "police@top", "underboss@bottom"),
        ("hitman@top", "police@top", "boss@top"),
    ]
    assert [judged(SECOND, *acts)[:2] for acts in played] == [[share] * 2 for share in shares]
    assert [int(points) for points, _ in rows] == [5, 2, 1, 4]
