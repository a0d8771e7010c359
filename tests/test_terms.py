"""Players read one term per thing: the term list `docs/terms.toml`, over all their texts."""

import json
import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import zashiki
from zashiki.core.text import LANGUAGES

ROOT = Path(__file__).parents[1]
TERMS: list[dict[str, Any]] = tomllib.loads((ROOT / "docs/terms.toml").read_text("utf-8"))["terms"]
FOLDERS = [
    *{Path(str(spec.folder)) for spec in zashiki.games().values()},
    *(
        Path(str(files(f"zashiki.{name}")))
        for name in ("analysis", "core", "server", "cli.terminal")
    ),
]
ADDRESS = re.compile(r"`[^`]*`|\]\([^)]*\)")
"""Notation and addresses, which are not prose."""
FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
KANA = re.compile("[ぁ-ヿ]")


def entries(texts: dict[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    for key, value in texts.items():
        if isinstance(value, dict):
            yield from entries(value, f"{path}{key} / ")
        else:
            yield f"{path}{key}", str(value)


def read(language: str) -> Iterator[tuple[str, str]]:
    """Yield all texts for players in a language, each with its source."""
    client = ROOT / f"web/src/text/{language}.json"
    for key, text in json.loads(client.read_text("utf-8")).items():
        yield f"client/{language}.json: {key}", text
    for folder in sorted(FOLDERS):
        texts = folder / f"text/{language}.toml"
        if texts.exists():
            for key, text in entries(tomllib.loads(texts.read_text("utf-8"))):
                yield f"{folder.name}/text/{language}.toml: {key}", text
        rules = folder / f"rules.{language}.md"
        if rules.exists():
            for line in rules.read_text("utf-8").splitlines():
                yield f"{folder.name}/rules.{language}.md: {line}", line
    for line in (ROOT / "web/public/offline.html").read_text("utf-8").splitlines():
        if bool(KANA.search(line)) is (language == "ja"):
            yield f"offline.html: {line}", line
    for page in sorted([*ROOT.glob(f"*.{language}.md"), *ROOT.glob(f"docs/**/*.{language}.md")]):
        for line in FENCED.sub("", page.read_text("utf-8")).splitlines():
            yield f"{page.relative_to(ROOT)}: {line}", line


def is_excepted(place: str, term: dict[str, Any]) -> bool:
    for exception in term.get("exceptions", ()):
        name, _, part = exception["text"].partition(": ")
        if name in place and part in place:
            return True
    return False


def found(language: str, term: dict[str, Any]) -> list[str]:
    patterns = [re.compile(pattern) for pattern in term[language].get("never", ())]
    return [
        f"{place}: {match[0]!r}, use {term[language]['use']}"
        for place, text in read(language)
        for pattern in patterns
        if (match := pattern.search(text if "`" in pattern.pattern else ADDRESS.sub("", text)))
        and not is_excepted(place, term)
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("term", TERMS, ids=[term["thing"] for term in TERMS])
def test_one_term_for_each_thing(term: dict[str, Any], language: str) -> None:
    assert found(language, term) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_that_players_read_is_read(language: str) -> None:
    places = {place.partition(": ")[0] for place, _ in read(language)}
    assert len(places) >= 11
    for name in ("client", "core", "server", "terminal", "kingdoms", "red_town", "kamiza"):
        assert any(place.startswith(name) for place in places), name


def test_every_exception_is_needed_and_has_a_reason() -> None:
    for term in TERMS:
        for exception in term.get("exceptions", ()):
            assert exception["reason"].endswith(".")
            others = [one for one in term["exceptions"] if one is not exception]
            without = {**term, "exceptions": others}
            assert any(found(language, without) for language in LANGUAGES), exception["text"]


@pytest.mark.parametrize("text", ["対局", "棋譜", "席0", "ブラウザの設定", "(例) です", "代打中"])
def test_a_forbidden_word_is_found(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "read", lambda _: [("x.toml: y", text)])
    assert any(found("ja", term) for term in TERMS)
