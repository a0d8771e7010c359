"""Link previews: what a messenger without JavaScript reads, and what it must not read."""

import asyncio
import io
import re
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace
from PIL import Image

from tests.server.guests import Guest
from tests.server.in_process_server import FixedSystem, InProcessServer, in_process_server
from tests.server.waits import TIMEOUT
from zashiki.core.text import LANGUAGES, load
from zashiki.server.errors import ApiError
from zashiki.server.http import pages
from zashiki.server.previews import fonts, picture, service
from zashiki.server.previews.words import Preview, neutral, spoken

CLIENT = Path(pages.__file__).parents[1] / "client"
INDEX = """\
<!doctype html><html><head><title>Zashiki</title>
<meta
  property="og:title"
  content="Zashiki" />
</head><body></body></html>
"""
needs_client = pytest.mark.skipif(not (CLIENT / "games").is_dir(), reason="the client is not built")


@pytest.fixture(name="page")
def _page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A small main page in place of the built client."""
    folder = tmp_path / "client"
    folder.mkdir()
    (folder / "index.html").write_text(INDEX, "utf-8")
    monkeypatch.setattr(pages, "FOLDER", folder)


class Head(HTMLParser):
    """The tags that a messenger reads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.count = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag == "meta" and (name := named.get("property")):
            assert name not in self.found, "each once"
            self.found[name] = named.get("content") or ""
        self.count += tag in {"script", "b", "img"} and named.get("id") != "first"


@asynccontextmanager
async def serving(tmp_path: Path, **settings: Any) -> AsyncIterator[InProcessServer]:
    (tmp_path / "data").mkdir()
    async with in_process_server(tmp_path / "data", **settings) as server, asyncio.timeout(TIMEOUT):
        yield server


async def opened(
    server: InProcessServer, name: str, public: bool, **headers: str
) -> tuple[str, str]:
    """A table with a free seat, and the key of its link."""
    host = Guest(server, name)
    async with host.client:
        host.client.headers.update(headers)
        await host.come()
        chairs = [{"kind": "link"}, {"kind": "link"}, {"kind": "bot", "bot": "random"}]
        asked = {"game": "red-town", "seats": 3, "chairs": chairs, "public": public}
        made = await host.post("/api/tables", asked)
    return made["table"]["id"], made["key"]


async def read(server: InProcessServer, path: str, **headers: str) -> dict[str, str]:
    """Return what a messenger reads of a link: no cookie, no script."""
    async with httpx.AsyncClient(base_url=server.url, timeout=TIMEOUT) as crawler:
        answer = await crawler.get(path, headers={"User-Agent": "Messenger/1.0", **headers})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    assert "unsafe" not in answer.headers["content-security-policy"]
    return Head(answer.text).found


@pytest.mark.usefixtures("page")
async def test_a_link_names_host_game_and_free_seats(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        table, key = await opened(server, "Aki", public=False)
        found = await read(server, f"/table/{table}?key={key}")
        assert found["og:title"] == "Sumidagawa Red Town"
        assert found["og:description"] == "Aki invites you to play. Free seats: 1 of 3."
        assert found["og:locale"] == "en_GB"
        assert found["og:image"].startswith(f"{server.url}/preview/{table}.png?")
        japanese = await read(server, f"/table/{table}?key={key}&language=ja")
        assert japanese["og:title"] == "隅田川レッドタウン"
        assert japanese["og:description"] == ("Akiさんからの招待です。空席：3席のうちあと1席。")
        accepted = await read(server, f"/table/{table}?key={key}", **{"Accept-Language": "ja,en"})
        assert accepted["og:description"] == japanese["og:description"]
        ben = Guest(server, "Ben")
        async with ben.client:
            await ben.come()
            await ben.post(f"/api/tables/{table}/sit", {"seat": 1, "key": key})
        full = await read(server, f"/table/{table}?key={key}")
        assert full["og:description"] == "Aki invites you to play. All 3 seats are taken."
        assert full["og:image"] != found["og:image"], "messengers keep pictures by their address"


@pytest.mark.usefixtures("page")
async def test_a_private_table_without_its_key_looks_like_no_table(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        table, key = await opened(server, "Aki", public=False)
        nothing = await read(server, "/table/nothing")
        assert nothing["og:title"] == "Zashiki"
        for wrong in ("", "?key=", "?key=wrong", f"?key={key[:-1]}", f"?key={key}x", "?key=%E9"):
            assert await read(server, f"/table/{table}{wrong}") == nothing, wrong
        public, _ = await opened(server, "Ben", public=True)
        found = await read(server, f"/table/{public}")
        assert found["og:description"].startswith("Ben invites you to play.")


@pytest.mark.usefixtures("page")
async def test_a_name_stays_text(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        table, _ = await opened(server, '"><script>x</script>', public=True)
        async with httpx.AsyncClient(base_url=server.url, timeout=TIMEOUT) as crawler:
            text = (await crawler.get(f"/table/{table}")).text
            head = Head(text)
            assert head.count == 0
            assert head.found["og:description"].startswith('"><script>x</script> invites you')
            hostile = await crawler.get(f"/table/{table}", headers={"Host": '"><b>.example'})
            assert Head(hostile.text).count == 0
            key = await crawler.get(f'/table/{table}?key="><b>')
            assert Head(key.text).count == 0
            strange = await crawler.get('/table/"><b>?key=1')
            assert Head(strange.text).count == 0


@pytest.mark.usefixtures("page")
async def test_the_picture_has_the_address_that_the_operator_named(tmp_path: Path) -> None:
    origins = frozenset({"https://play.example", "https://www.play.example"})
    async with serving(tmp_path, origins=origins) as server:
        table, _ = await opened(server, "Aki", public=True, Origin="https://play.example")
        for host, expected in (
            ("www.play.example", "https://www.play.example/"),
            ("evil.example", "https://play.example/"),
        ):
            found = await read(server, f"/table/{table}", Host=host)
            assert found["og:image"].startswith(expected)


@pytest.mark.usefixtures("page")
async def test_a_name_of_elsewhere_gets_no_address_of_a_picture(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        table, _ = await opened(server, "Aki", public=True)
        found = await read(server, f"/table/{table}", Host="evil.example")
        assert "og:image" not in found
        assert found["og:title"] == "Sumidagawa Red Town"


@pytest.mark.usefixtures("page")
async def test_no_match_is_loaded_for_a_preview(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        table, key = await opened(server, "Aki", public=False)
        server.services.registry.drop_idle()
        assert table not in server.services.registry.tables
        found = await read(server, f"/table/{table}?key={key}")
        assert found["og:description"].startswith("Aki invites you to play.")
        assert table not in server.services.registry.tables


@pytest.mark.usefixtures("page")
async def test_a_table_of_a_game_that_is_gone_has_a_page(tmp_path: Path) -> None:
    """A game of another package may be uninstalled. Its tables stay in the store."""
    async with serving(tmp_path) as server:
        table, _ = await opened(server, "Aki", public=True)
        server.services.registry.drop_idle()
        row = await server.services.store.table(table)
        assert row is not None
        doc = {**row.doc, "game": "gone"}
        await server.services.store.change_table(replace(row, version=row.version + 1, doc=doc))
        assert await read(server, f"/table/{table}") == await read(server, "/table/nothing")


@needs_client
async def test_a_picture_is_drawn_once_and_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Preview] = []

    def counted(folder: Path, preview: Preview) -> bytes | None:
        drawn.append(preview)
        return picture.draw_preview(folder, preview)

    monkeypatch.setattr(service, "draw_preview", counted)
    async with serving(tmp_path, system=FixedSystem()) as server:  # a rate that does not refill
        table, key = await opened(server, "Aki", public=False)
        found = await read(server, f"/table/{table}?key={key}")
        path = found["og:image"].removeprefix(server.url)
        async with httpx.AsyncClient(base_url=server.url, timeout=TIMEOUT) as crawler:
            answers = await asyncio.gather(*(crawler.get(path) for _ in range(4)))
            assert len(drawn) == 1
            for answer in answers:
                assert answer.headers["content-type"] == "image/png"
                assert answer.headers["cache-control"] == "public, max-age=60"
                assert answer.headers["x-content-type-options"] == "nosniff"
            shown = Image.open(io.BytesIO(answers[0].content))
            assert (shown.size, shown.format) == ((1200, 630), "PNG")
            assert len(answers[0].content) < 200_000
            neutral_one = await crawler.get(f"/preview/{table}.png?language=en")
            assert drawn[-1] == neutral("en")
            assert (await crawler.get("/preview/other.png")).content == neutral_one.content
            assert (await crawler.get(f"/preview/{table}.svg")).status_code == 404
            for _ in range(60):
                answer = await crawler.get(path)
            assert (answer.status_code, answer.json()["code"]) == (429, "too-many")


async def test_few_wait_for_a_picture_and_kept_ones_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Strangers can ask for pictures faster than they are drawn. A proxy would give up on them, and
    on the server."""
    may_draw = threading.Event()

    def slow(_: Path, preview: Preview) -> bytes | None:
        assert preview.title == "kept" or may_draw.wait(TIMEOUT)
        return preview.title.encode()

    monkeypatch.setattr(service, "draw_preview", slow)
    async with in_process_server(tmp_path) as server:
        previews = server.services.previews
        kept = replace(neutral("en"), title="kept")
        assert await previews.picture(tmp_path, kept) == b"kept"
        wanted = [replace(neutral("en"), title=str(number)) for number in range(30)]
        tasks = [asyncio.create_task(previews.picture(tmp_path, one)) for one in wanted]
        await asyncio.sleep(0)  # let all of them ask
        try:
            refused = [task for task in tasks if task.done()]
            assert len(refused) == 30 - service.MAX_WAITING
            async with asyncio.timeout(TIMEOUT / 2):
                assert await previews.picture(tmp_path, kept) == b"kept"
        finally:
            may_draw.set()
            answers = await asyncio.gather(*tasks, return_exceptions=True)
        faults = [one for one in answers if isinstance(one, ApiError)]
        assert {fault.code for fault in faults} == {"busy"}
        assert len(faults) == len(refused)


@needs_client
def test_every_title_is_drawn_by_fonts_of_the_client() -> None:
    faces = fonts.faces_in(CLIENT)
    style = fonts.Style(faces, fonts.MINCHO, "700", 40)
    for text in ("Red Kingdom & Blue Kingdom", "隅田川レッドタウン", "赤の王国と青の王国", "é"):
        assert style.can_draw(text), text
    assert not style.can_draw("\U0001f98a"), "a fox"
    other = Preview("en", "KAMIZA", "\U0001f98a invites you to play", "", "kamiza-2014", (True,))
    plain = Preview("en", "KAMIZA", "You are invited to play", "", "kamiza-2014", (True,))
    assert picture.draw_preview(CLIENT, other) == picture.draw_preview(CLIENT, plain)


@needs_client
def test_a_name_is_drawn_in_the_family_of_its_sentence() -> None:
    faces = fonts.faces_in(CLIENT)
    for family in (fonts.MINCHO, fonts.GOTHIC):
        style = fonts.Style(faces, family, "700", 32)
        fitting = {face.file for face in faces if face.family.startswith(family)}
        drawn = {font.path for font, _ in style.runs("美香さんからの招待です")}
        assert drawn <= set(map(str, fitting))


def test_ranges_of_characters() -> None:
    assert fonts.read_range("U+4e00") == (0x4E00, 0x4E00)
    assert fonts.read_range(" U+20-7E") == (0x20, 0x7E)
    assert fonts.read_range("U+4??") == (0x400, 0x4FF)


def test_without_fonts_there_is_no_picture() -> None:
    style = fonts.Style((), fonts.MINCHO, "700", 10)
    assert style.lines("Red Kingdom", 100.0) == ["Red Kingdom"]
    assert picture.draw_preview(Path("nowhere"), neutral("en")) is None


@needs_client
def test_a_long_title_breaks_between_words_and_japanese_characters() -> None:
    style = fonts.Style(fonts.faces_in(CLIENT), fonts.MINCHO, "700", 10)
    assert style.lines("Red Kingdom", 50.0) == ["Red", "Kingdom"]
    assert style.lines("隅田川沿い", 30.5) == ["隅田川", "沿い"]
    assert style.lines("隅田川レッドタウン", 70.5) == ["隅田川", "レッドタウン"]
    assert style.lines("レッドタウン", 40.5) == ["レッドタ", "ウン"], "too wide for any line"
    assert style.lines("手札なし。上がり", 40.5) == ["手札な", "し。上が", "り"]
    assert style.lines("四作を、友だちと", 60.5) == ["四作を、", "友だちと"]
    assert style.lines("四作、友だちと遊ぶ", 60.5) == ["四作、友だち", "と遊ぶ"], "a short phrase"


@needs_client
def test_each_line_is_drawn_in_a_font_of_the_client() -> None:
    there = {(face.family, face.weight) for face in fonts.faces_in(CLIENT)}
    assert {picture.SAID, picture.TITLE, picture.FREE} <= there


@needs_client
@pytest.mark.parametrize(
    ("title", "lines"),
    [
        ("隅田川レッドタウン", ["隅田川", "レッドタウン"]),
        ("上座 KAMIZA セカンドジェネレーション", ["上座 KAMIZA", "セカンドジェネレーション"]),
    ],
)
def test_no_word_of_a_title_is_broken(title: str, lines: list[str]) -> None:
    faces = fonts.faces_in(CLIENT)
    style = picture.fitting(faces, picture.TITLE, title, picture.TITLE_SIZES, 2)
    assert style is not None
    assert style.lines(title, picture.ROOM) == lines


@pytest.mark.parametrize(
    ("asked", "accepted", "language"),
    [("ja", "en", "ja"), ("en", "ja", "en"), (None, "ja-JP,en", "ja"), ("xx", "de, ja", "en")],
)
def test_the_link_chooses_the_language(asked: str | None, accepted: str, language: str) -> None:
    assert spoken(asked, accepted) == language


def test_the_server_says_everything_in_both_languages() -> None:
    folder = files("zashiki.server")
    english, japanese = (load(folder, language) for language in LANGUAGES)
    assert english.keys() == japanese.keys()
    for section, texts in english.items():
        assert texts.keys() == japanese[section].keys()
        for key, text in texts.items():
            gaps = re.findall(r"\{(\w+)\}", text)
            assert sorted(gaps) == sorted(re.findall(r"\{(\w+)\}", japanese[section][key])), key
