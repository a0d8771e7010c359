"""What the pages say: in both languages, nothing missing, nothing that nobody says."""

import json
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WEB = ROOT / "web" / "src"
GAMES = sorted((ROOT / "src" / "zashiki" / "games").glob("*/client"))
GAP = re.compile(r"\{(\w+)\}")


def sources(folder: Path) -> str:
    files = [*folder.rglob("*.svelte"), *folder.rglob("*.ts")]
    return "\n".join(file.read_text("utf-8") for file in sorted(files))


def shell(language: str) -> dict[str, str]:
    texts: dict[str, str] = json.loads((WEB / "text" / f"{language}.json").read_text("utf-8"))
    return texts


def table(folder: Path, language: str) -> dict[str, str]:
    file = folder.parent / "text" / f"{language}.toml"
    texts: dict[str, str] = tomllib.loads(file.read_text("utf-8")).get("client", {})
    return texts


def said(source: str, function: str) -> tuple[set[str], list[re.Pattern[str]]]:
    """The keys that are said, and patterns for those that are put together."""
    plain = set(re.findall(rf'\b{function}\(\s*"([^"]+)"', source))
    plain |= set(re.findall(r'"([a-z]\w*\.\w+)"', source)) if function == "t" else set()
    made = re.findall(rf"\b{function}\(\s*`([^`]+)`", source)
    parts = [[re.escape(part) for part in re.split(r"\$\{[^}]*\}", text)] for text in made]
    return plain, [re.compile(".+".join(part)) for part in parts]


def is_said(key: str, plain: set[str], made: list[re.Pattern[str]]) -> bool:
    return key in plain or any(pattern.fullmatch(key) for pattern in made)


def test_the_shell_speaks_both_languages() -> None:
    english, japanese = shell("en"), shell("ja")
    assert english.keys() == japanese.keys()
    assert list(english) == sorted(english)
    assert list(japanese) == sorted(japanese)
    for key, text in english.items():
        assert text.strip()
        assert japanese[key].strip()
        assert set(GAP.findall(text)) == set(GAP.findall(japanese[key])), key


def test_the_shell_says_what_it_has_to_say() -> None:
    plain, made = said(sources(WEB), "t")
    unsaid = [key for key in shell("en") if not is_said(key, plain, made)]
    assert unsaid == []


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.parent.name)
def test_a_table_speaks_both_languages(folder: Path) -> None:
    english, japanese = table(folder, "en"), table(folder, "ja")
    assert english.keys() == japanese.keys()
    for key, text in english.items():
        assert set(GAP.findall(text)) == set(GAP.findall(japanese[key])), key


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.parent.name)
def test_a_table_says_what_it_has_to_say(folder: Path) -> None:
    plain, made = said(sources(folder), "say")
    english = table(folder, "en")
    assert [key for key in english if not is_said(key, plain, made)] == []
    assert sorted(plain - english.keys()) == []
