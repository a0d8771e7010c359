"""The client's texts: complete in both languages, and none unused."""

import json
import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

import zashiki
from zashiki.bots import bot_names
from zashiki.core.text import LANGUAGES, load

ROOT = Path(__file__).parents[1]
WEB = ROOT / "web" / "src"
SERVER = ROOT / "src" / "zashiki" / "server"
GAMES = sorted((ROOT / "src" / "zashiki" / "games").glob("*/client"))
GAP = re.compile(r"\{(\w+)\}")


def sources(folder: Path) -> str:
    """The sources of the built client, without tests."""
    files = [*folder.rglob("*.svelte"), *folder.rglob("*.ts")]
    files = [file for file in files if not file.name.endswith(".test.ts")]
    return "\n".join(file.read_text("utf-8") for file in sorted(files))


def shell(language: str) -> dict[str, str]:
    texts: dict[str, str] = json.loads((WEB / "text" / f"{language}.json").read_text("utf-8"))
    return texts


def table(folder: Path, language: str) -> dict[str, str]:
    file = folder.parent / "text" / f"{language}.toml"
    texts: dict[str, str] = tomllib.loads(file.read_text("utf-8")).get("client", {})
    return texts


def said(source: str, function: str) -> tuple[set[str], list[re.Pattern[str]]]:
    """Return the keys in use, and patterns for keys that are composed."""
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


FOR_PROGRAMS = {
    "accounts-only", "header", "hello-first", "malformed", "no-bot", "not-for-bots", "not-here",
    "not-a-worker", "origin", "scope", "slow", "stopping", "released",
    "hash-given", "other-nonce", "too-early", "too-late",  # of a deal: the page acts by itself
}  # fmt: skip
"""Codes that no page receives, or that have a general text."""


def test_the_shell_has_words_for_every_refusal_of_the_server() -> None:
    server = "".join(file.read_text("utf-8") for file in sorted(SERVER.rglob("*.py")))
    told = set(re.findall(r'(?:ApiError\(\s*\d+,|Bye\()\s*"([a-z-]+)"', server))
    source = (WEB / "shared" / "faults.ts").read_text("utf-8")
    known = set(re.findall(r'^  "?([a-z-]+)"?: "', source, re.MULTILINE))
    assert told - known == FOR_PROGRAMS & told
    assert len(told) > 40
    assert known - told <= {"offline", "too-long", "bad-login", "bad-name", "bad-password"}


def test_page_and_server_call_a_bot_alike() -> None:
    for language in LANGUAGES:
        names = load(files("zashiki.core"), language)["bots"]
        assert {f"bot.{bot}": name for bot, name in names.items()}.items() <= shell(
            language
        ).items()
        house = load(files("zashiki.core"), language)["house"]["names"]
        assert shell(language)["bot.names"] == house
        bots = {bot for spec in zashiki.games().values() for bot in bot_names(spec)}
        assert bots == names.keys()


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
