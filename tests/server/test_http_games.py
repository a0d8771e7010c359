"""The API of the games: everything that a client needs, in every language."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

import zashiki
from tests.server.asgi_server import ApiClient, asgi_server
from zashiki.core.text import LANGUAGES
from zashiki.core.wording import Wording
from zashiki.games import catalogue
from zashiki.server.http import games

GAMES = sorted(catalogue())


@asynccontextmanager
async def stranger_at(folder: Path) -> AsyncIterator[ApiClient]:
    """An anonymous client: nobody has to sign in."""
    async with asgi_server(folder) as server:
        yield server.api_client()


async def test_the_games_and_what_each_offers(tmp_path: Path) -> None:
    async with stranger_at(tmp_path) as stranger:
        games: dict[str, Any] = {game["id"]: game for game in await stranger.get("/api/games")}
        assert sorted(games) == GAMES
        for id, game in games.items():
            assert game["title"] == game["titles"]["en"]
            for told in (game["titles"], game["summaries"]):
                assert sorted(told) == list(LANGUAGES)
                assert all(told.values()), id
        kingdoms = games["kingdoms"]
        assert kingdoms["titles"]["ja"] == "赤の国 青の国"
        assert (kingdoms["seats"], kingdoms["sides"]) == ([2], ["red", "blue"])
        (card_set,) = kingdoms["options"]
        assert card_set["content"], "somebody may have written one"
        red_town = games["red-town"]
        form, hitmen = red_town["options"]
        assert form["by_seats"]["2"] == ["two"]
        assert form["by_seats"]["5"] == ["standard", "short"]
        assert not hitmen["content"]
        assert (red_town["sides"], red_town["speech"]) == ([], 0)
        assert games["kamiza-second"]["speech"] == 80
        assert games["kamiza-second"]["bots"][:3] == ["random", "greedy", "sensible"]
        levels = ["newcomer", "casual", "regular", "strong", "master"]
        assert all(game["levels"] == game["bots"][-5:] == levels for game in games.values())


@pytest.mark.parametrize("game", GAMES)
def test_the_values_for_so_many_seats_begin_with_the_default(game: str) -> None:
    spec = zashiki.games()[game]
    for option in games.describe_game(spec).options:
        known = spec.options[option.name]
        for seats in spec.seats:
            values = option.by_seats[str(seats)]
            assert values[0] == known.default_for(seats)
            assert sorted(map(str, values)) == sorted(map(str, known.values_for(seats)))


async def test_texts_in_both_languages(tmp_path: Path) -> None:
    async with stranger_at(tmp_path) as stranger:
        path = "/api/games/kamiza-second/texts"
        english, japanese = await stranger.get(path), await stranger.get(f"{path}?language=ja")
        assert english == await stranger.get(f"{path}?language=en")
        assert english.keys() == japanese.keys()
        for part in ("words", "options", "hints", "phrases", "client"):
            assert english[part].keys() == japanese[part].keys()
        assert (english["words"]["boss"], japanese["words"]["boss"]) == ("Boss", "組長")
        assert (english["words"]["yes"], japanese["words"]["yes"]) == ("yes", "はい")
        assert set(japanese["options"]) == {"open_start", "underboss_shield", "tie_break"}
        assert japanese["options"]["tie_break"]["values"].keys() == {"chicken", "shared"}
        assert japanese["title"] == "上座 KAMIZA セカンドジェネレーション"
        assert "boss-1" in japanese["phrases"]
        assert (english["goal"][:4], japanese["goal"][-2:]) == ("Have", "す。")
        assert "boss-top" in japanese["hints"][""]


@pytest.mark.parametrize("game", GAMES)
async def test_every_game_has_texts_and_rules_in_every_language(tmp_path: Path, game: str) -> None:
    async with stranger_at(tmp_path) as stranger:
        told = []
        for language in LANGUAGES:
            texts = await stranger.get(f"/api/games/{game}/texts?language={language}")
            rules = await stranger.get(f"/api/games/{game}/rules?language={language}")
            assert texts["title"] == rules["title"]
            assert rules["text"].startswith("# ")
            told.append((texts["words"], rules["text"]))
        assert told[0] != told[1]


@pytest.mark.parametrize(
    ("game", "english", "japanese"),
    [
        ("red-town", "Game design: Masikamaru", "アートワーク：Tomohiro Tsugawa"),
        ("kamiza-2014", "Production: Osabura Games", "英訳：Saigo"),
        ("kamiza-second", "Production and sales: King Daiz Game", "校正：HAL99"),
        ("kingdoms", "Published by: Grounding Inc.", "ゲームデザイン：Masao Suganuma (菅沼正夫)"),
    ],
)
async def test_the_people_behind_a_printed_game_are_named_with_its_rules(
    tmp_path: Path, game: str, english: str, japanese: str
) -> None:
    async with stranger_at(tmp_path) as stranger:
        offered: Any = {one["id"]: one for one in await stranger.get("/api/games")}
        for language, line, note in (
            ("en", english, "not affiliated"),
            ("ja", japanese, "関係のない"),
        ):
            assert line in offered[game]["credits"][language]
            rules = await stranger.get(f"/api/games/{game}/rules?language={language}")
            own, _, credits = rules["text"].rpartition("\n## ")
            assert all(f"- {one}" in credits for one in offered[game]["credits"][language])
            assert offered[game]["website"] in credits
            assert note in credits
            assert own.count("\n# ") == 0, "one game only"
        assert offered["goofspiel"]["credits"] == {"en": [], "ja": []}


async def test_what_there_is_not(tmp_path: Path) -> None:
    async with stranger_at(tmp_path) as stranger:
        for game in ("chess", "..", "%2e%2e%2fkingdoms", "kingdoms%00"):
            for part in ("texts", "rules"):
                answer = await stranger.client.get(f"/api/games/{game}/{part}")
                assert answer.status_code == 404
                assert answer.json()["code"] in {"no-game", "not-found"}
        for part in ("texts", "rules"):
            path = f"/api/games/kingdoms/{part}?language=tlh"
            assert (await stranger.client.get(path)).status_code == 400


def test_a_game_that_speaks_one_language_speaks_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goofspiel, as an author without Japanese would write it."""
    spec = catalogue()["goofspiel"]
    (tmp_path / "text").mkdir()
    for name in ("text/en.toml", "rules.en.md"):
        (tmp_path / name).write_text((spec.folder / name).read_text("utf-8"), "utf-8")

    class Folderless:
        """The same spec from another folder."""

        folder = tmp_path

        def __getattr__(self, name: str) -> Any:
            return getattr(spec, name)

        def texts(self, language: str, names: Any = (), options: Any = None) -> Any:
            return type(spec).texts(self, language, names, options)  # type: ignore[arg-type]

    poorer: Any = Folderless()
    monkeypatch.setattr(games, "game_spec", lambda _: poorer)
    assert Wording(poorer, "ja").title() == "Goofspiel"
    show_texts: Any = games.show_texts.fn
    show_rules: Any = games.show_rules.fn
    assert show_texts("goofspiel", "ja").title == "Goofspiel"
    assert show_texts("goofspiel", "ja") == show_texts("goofspiel", "en")
    assert show_rules("goofspiel", "ja") == show_rules("goofspiel", "en")
    (tmp_path / "rules.en.md").unlink()
    with pytest.raises(Exception, match="no written rules"):
        show_rules("goofspiel", "ja")
