"""The built client from its folder, and no other files."""

import asyncio
import gc
import gzip
import json
import os
import re
import sys
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from tests.server.in_process_server import InProcessServer, in_process_server
from tests.server.server_process import server_process
from tests.server.waits import TIMEOUT
from zashiki.server import serve
from zashiki.server.http import documentation, main_page, pages, static_files
from zashiki.server.settings import Settings
from zashiki.server.store.errors import StoreFault

INDEX = "<!doctype html><head><title>Zashiki</title></head><body></body>"
FILES = {
    "first-mincho-b1-700.woff2": {"file": "assets/first-shippori-mincho-b1-700-1a.woff2"},
    "own-mincho-b1-700.woff2": {"file": "assets/own-shippori-mincho-b1-700-1a.woff2"},
    "own.css": {"file": "assets/own-1a.css"},
    "own.js": {"file": "assets/own-1a.js", "name": "own"},
    "_table.js": {"file": "assets/table-1a.js", "name": "table", "css": ["assets/table-1a.css"]},
    "src/apiDocs/main.ts": {"file": "assets/apiDocs-1a.js", "css": ["assets/apiDocs-1a.css"]},
    "../src/zashiki/games/red_town/client/Table.svelte": {"file": "assets/Town-1a.js"},
    "../src/zashiki/games/kamiza/client/Table.svelte": {"file": "assets/Room-1a.js"},
}
SCRIPT = "export const x = 1;\n" * 100
GZIP = {"accept-encoding": "gzip"}
SECRET = "nobody may read this"


@pytest.fixture(name="built_pages")
def _built_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A built client, with a secret beside it."""
    folder = tmp_path / "client"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(INDEX)
    (folder / "files.json").write_text(json.dumps(FILES))
    (folder / "icon.svg").write_text("<svg/>")
    (folder / "assets" / "index-1a2b3c.js").write_text(SCRIPT)
    (folder / "assets" / "font-1a2b3c.woff2").write_bytes(bytes(100))
    (tmp_path / "secret.txt").write_text(SECRET)
    (folder / "assets" / "link.txt").symlink_to(tmp_path / "secret.txt")
    monkeypatch.setattr(pages, "FOLDER", folder)
    return folder


@asynccontextmanager
async def page_server(folder: Path) -> AsyncIterator[tuple[httpx.AsyncClient, InProcessServer]]:

    (folder / "data").mkdir()
    async with (
        in_process_server(folder / "data") as server,
        asyncio.timeout(TIMEOUT),
        httpx.AsyncClient(base_url=server.url, timeout=TIMEOUT) as browser,
    ):
        yield browser, server


async def raw(server: InProcessServer, target: bytes) -> bytes:
    """Return the answer to an address that no browser would send."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"GET " + target + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer


def without_additions(page: str) -> str:
    """Return the page as it was built."""
    return re.sub(r"<link [^>]*>|<script [^>]*>.*?</script>", "", page)


def first_data(page: str) -> Any:
    """Return the data that the page has for its scripts."""
    found = re.search(r'<script type="application/json" id="first">(.*?)</script>', page)
    assert found is not None
    return json.loads(found[1])


@pytest.mark.usefixtures("built_pages")
async def test_every_address_of_a_page_is_the_page(tmp_path: Path) -> None:
    async with page_server(tmp_path) as (browser, _):
        for path in ("/", "/tables/abc", "/games/kingdoms/rules", "/apiary", "/me.html"):
            answer = await browser.get(path)
            assert (answer.status_code, without_additions(answer.text)) == (200, INDEX), path
            assert answer.headers["content-type"] == "text/html; charset=utf-8"
            assert answer.headers["cache-control"] == "no-store"
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert "unsafe" not in answer.headers["content-security-policy"]
        icon = await browser.get("/icon.svg")
        assert (icon.headers["content-type"], icon.text) == ("image/svg+xml", "<svg/>")
        assert icon.headers["cache-control"] == "no-cache"


@pytest.mark.usefixtures("built_pages")
async def test_a_page_has_what_its_scripts_would_ask_for_first(tmp_path: Path) -> None:
    async with page_server(tmp_path) as (browser, _):
        for language in ("en", "ja"):
            page = await browser.get("/", headers={"Accept-Language": f"{language}-XX,fr;q=0.8"})
            data = first_data(page.text)
            assert data["games"] == (await browser.get("/api/games")).json()
            texts = await browser.get(f"/api/games/red-town/texts?language={language}")
            assert data["texts"] == {f"red-town {language}": texts.json()}
            assert data["session"] == (await browser.get("/api/session")).json()
            assert data["session"] == {"player": None}


@pytest.mark.usefixtures("built_pages")
async def test_the_page_of_a_running_table_has_the_texts_of_its_game(tmp_path: Path) -> None:
    async with page_server(tmp_path) as (browser, server):
        await browser.post("/api/guest", json={"name": "Aki"}, headers={"X-Zashiki": "1"})
        asked = {"game": "kingdoms", "seats": 2}
        made = await browser.post("/api/tables", json=asked, headers={"X-Zashiki": "1"})
        id = made.json()["table"]["id"]
        store = server.services.store
        row = await store.table(id)
        assert row is not None
        server.services.registry.drop_idle()
        await store.change_table(replace(row, state="playing", version=row.version + 1))
        page = (await browser.get(f"/table/{id}", headers={"Accept-Language": "ja"})).text
        texts = (await browser.get("/api/games/kingdoms/texts?language=ja")).json()
        assert first_data(page)["texts"]["kingdoms ja"] == texts
        assert "kingdoms ja" not in first_data((await browser.get("/")).text)["texts"]


@pytest.mark.usefixtures("built_pages")
async def test_the_session_in_a_page_is_that_of_its_reader(tmp_path: Path) -> None:
    """It is sent to nobody else, and no name can break out of it."""
    evil = "</script><b>"
    async with page_server(tmp_path) as (browser, server):
        made = await browser.post("/api/guest", json={"name": evil}, headers={"X-Zashiki": "1"})
        assert made.is_success, made.text
        page = await browser.get("/")
        assert first_data(page.text)["session"] == (await browser.get("/api/session")).json()
        assert first_data(page.text)["session"]["player"]["name"] == evil
        assert evil not in page.text
        assert without_additions(page.text) == INDEX
        async with httpx.AsyncClient(base_url=server.url, timeout=TIMEOUT) as other:
            assert first_data((await other.get("/")).text)["session"] == {"player": None}


@pytest.mark.usefixtures("built_pages")
async def test_a_page_names_its_files(tmp_path: Path) -> None:
    """The fonts of every page; the files of a table at a table; the Japanese ones in Japanese."""
    async with page_server(tmp_path) as (browser, server):

        async def named(path: str, language: str) -> set[str]:
            page = (await browser.get(path, headers={"Accept-Language": language})).text
            return set(re.findall(r'<link rel="\w+" href="/assets/([^"]+)-1a\.', page))

        every = {"first-shippori-mincho-b1-700"}
        assert await named("/", "en-GB,ja;q=0.5") == every
        assert await named("/table/abc", "en") == every | {"table"}
        assert await named("/tables", "ja-JP") == every | {"own"}
        await browser.post("/api/guest", json={"name": "Aki"}, headers={"X-Zashiki": "1"})
        asked = {"game": "red-town", "seats": 3}
        made = await browser.post("/api/tables", json=asked, headers={"X-Zashiki": "1"})
        path, store = f"/table/{made.json()['table']['id']}", server.services.store
        assert await named(path, "en") == every | {"table"}, "nothing is played yet"
        row = await store.table(made.json()["table"]["id"])
        assert row is not None
        server.services.registry.drop_idle()
        await store.change_table(replace(row, state="playing", version=row.version + 1))
        assert await named(path, "en") == every | {"table", "Town"}
        table = (await browser.get("/table/abc")).text
        assert '<link rel="modulepreload" href="/assets/table-1a.js" crossorigin>' in table
        assert '<link rel="preload" href="/assets/table-1a.css" as="style" crossorigin>' in table


async def test_a_page_comes_even_if_the_session_cannot_be_read(
    tmp_path: Path, built_pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise StoreFault("the disk is gone")

    async with page_server(tmp_path) as (browser, _):
        monkeypatch.setattr(main_page, "session_player", broken)
        (built_pages / "files.json").unlink()
        answer = await browser.get("/")
        assert answer.status_code == 200
        assert "session" not in first_data(answer.text), "the client asks, and says what is wrong"


@pytest.mark.usefixtures("built_pages")
async def test_assets_never_change_and_are_packed(tmp_path: Path) -> None:
    async with page_server(tmp_path) as (browser, _):
        path = "/assets/index-1a2b3c.js"
        plain = await browser.get(path, headers={"Accept-Encoding": "identity"})
        assert plain.text == SCRIPT
        assert "content-encoding" not in plain.headers
        packed = await browser.get(path, headers={"Accept-Encoding": "gzip, br"})
        assert packed.text == SCRIPT
        assert packed.headers["content-encoding"] == "gzip"
        assert int(packed.headers["content-length"]) < len(SCRIPT)
        font = await browser.get("/assets/font-1a2b3c.woff2")
        assert font.headers["content-type"] == "font/woff2"
        assert "content-encoding" not in font.headers, "it is packed already"
        for answer in (plain, packed, font):
            assert answer.headers["cache-control"] == static_files.IMMUTABLE
        for answer in (plain, packed):
            assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
            assert answer.headers["vary"] == "Accept-Encoding"
        for gone in ("/assets/index-other.js", "/assets/a/b.js"):
            answer = await browser.get(gone)
            assert (answer.status_code, answer.json()["code"]) == (404, "not-found")
            assert "immutable" not in answer.headers["cache-control"]


def test_a_file_that_was_built_again_is_packed_again(built_pages: Path) -> None:
    file = built_pages / "assets" / "index-1a2b3c.js"
    assert gzip.decompress(pages.answer_file(file, GZIP).content) == SCRIPT.encode()
    file.write_text("new")
    os.utime(file, ns=(1, 1))
    assert gzip.decompress(pages.answer_file(file, GZIP).content) == b"new"
    packed = pages.answer_page(built_pages / "index.html", "", "", "en", b"{}", True)
    assert without_additions(gzip.decompress(packed.content).decode()) == INDEX


@pytest.mark.usefixtures("built_pages")
async def test_no_path_leads_out_of_the_folder(tmp_path: Path) -> None:
    outside = str(tmp_path / "secret.txt").encode()
    ways = [
        b"/../secret.txt", b"/assets/../../secret.txt", b"/%2e%2e/secret.txt",
        b"/..%2fsecret.txt", b"/%2e%2e%2fsecret.txt", b"/..%5csecret.txt",
        b"/%252e%252e/secret.txt", outside, b"/" + outside, b"/%2f" + outside[1:],
        b"/assets/link.txt",
        b"/assets/%2e%2e/", b"/secret.txt%00.js", b"/%00", b"/assets/%00", b"/" + b"a" * 5000,
        b"/assets/" + b"a" * 300, b"/%ff%fe", b"/%ed%a0%80", b"/./index.html", b"//",
        b"/....//secret.txt",
    ]  # fmt: skip
    async with page_server(tmp_path) as (_, server):
        for way in ways:
            answer = await raw(server, way)
            assert answer.split()[1] in {b"200", b"404"}, (way, answer)
            assert SECRET.encode() not in answer, way


@pytest.mark.usefixtures("built_pages")
async def test_what_is_no_page_stays_a_fault(tmp_path: Path) -> None:
    async with page_server(tmp_path) as (browser, _):
        for path in ("/api", "/api/", "/api/nothing", "/api/tables/x/nothing"):
            answer = await browser.get(path)
            assert (answer.status_code, answer.json()["code"]) == (404, "not-found"), path
            assert "see /api/docs" in answer.json()["text"], path
        assert (await browser.get("/health")).json()["status"] == "ok"
        posted = await browser.post("/tables/abc", headers={"X-Zashiki": "1"})
        assert posted.status_code == 405
        assert "see /api/docs" in posted.json()["text"]


@pytest.mark.usefixtures("built_pages")
async def test_the_page_of_the_api_names_its_files(tmp_path: Path) -> None:
    """Only the client's own files: nothing comes from another host, and nothing is inline."""
    async with page_server(tmp_path) as (browser, _):
        answer = await browser.get("/api/docs")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert '<link rel="stylesheet" href="/assets/apiDocs-1a.css">' in answer.text
        assert '<script type="module" src="/assets/apiDocs-1a.js"></script>' in answer.text
        assert "//" not in answer.text


async def test_a_client_that_was_not_built_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "FOLDER", tmp_path / "nothing")
    async with page_server(tmp_path) as (browser, _):
        for path in ("/", "/tables/abc"):
            answer = await browser.get(path)
            assert answer.status_code == 200
            assert "make play" in answer.text
            assert answer.headers["cache-control"] == "no-store"
        assert (await browser.get("/assets/x.js")).status_code == 404
        assert "make client" in (await browser.get("/api/docs")).text


# Documentation ---------------------------------------------------------------------------------


@pytest.fixture(name="built_docs")
def _built_docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A built site, with a secret beside it."""
    folder = tmp_path / "docs_site"
    (folder / "host").mkdir(parents=True)
    (folder / "assets").mkdir()
    (folder / "index.html").write_text("<h1>Docs</h1>")
    (folder / "host" / "index.html").write_text("<h1>Host</h1>")
    (folder / "assets" / "bundle.1a2b3c4d.min.js").write_text(SCRIPT)
    (folder / "sitemap.xml").write_text("<urlset/>")
    (tmp_path / "secret.txt").write_text(SECRET)
    monkeypatch.setattr(documentation, "FOLDER", folder)
    return folder


@pytest.mark.usefixtures("built_docs")
async def test_the_documentation_is_served_where_it_is_built(tmp_path: Path) -> None:
    async with page_server(tmp_path) as (browser, server):
        for path, text in (("/docs/", "<h1>Docs</h1>"), ("/docs/host/", "<h1>Host</h1>")):
            answer = await browser.get(path)
            assert (answer.status_code, answer.text) == (200, text)
            assert answer.headers["content-type"] == "text/html; charset=utf-8"
            assert "unsafe" not in answer.headers["content-security-policy"]
            bare = await browser.get(path.removesuffix("/"))
            assert bare.is_redirect, "links of a page are relative to the slash"
            assert bare.headers["location"] == path
        page = await browser.get("/docs/nothing/", headers={"Accept": "text/html,*/*"})
        assert page.status_code == 404
        assert '<a href="/docs/">' in page.text
        fault = await browser.get("/docs/nothing.js")
        assert (fault.status_code, fault.json()["code"]) == (404, "not-found")
        for way in (
            b"/docs/../../secret.txt",
            b"/docs/%2e%2e/secret.txt",
            b"/docs/..%2fsecret.txt",
        ):
            assert SECRET.encode() not in await raw(server, way), way


async def test_documentation_is_kept_by_its_hash_or_asked_for_again(
    tmp_path: Path, built_docs: Path
) -> None:
    async with page_server(tmp_path) as (browser, _):
        script = await browser.get("/docs/assets/bundle.1a2b3c4d.min.js")
        assert script.headers["cache-control"] == static_files.IMMUTABLE
        first = await browser.get("/docs/host/")
        assert first.headers["cache-control"] == "no-cache"
        again = {"If-None-Match": first.headers["etag"]}
        second = await browser.get("/docs/host/", headers=again)
        assert (second.status_code, second.content) == (304, b"")
        (built_docs / "host" / "index.html").write_text("<h1>New</h1>")
        third = await browser.get("/docs/host/", headers=again)
        assert (third.status_code, third.text) == (200, "<h1>New</h1>")


async def test_a_server_without_documentation_says_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documentation, "FOLDER", tmp_path / "nothing")
    async with page_server(tmp_path) as (browser, _):
        for path in ("/docs", "/docs/", "/docs/host/"):
            answer = await browser.get(path)
            assert answer.status_code == 200
            assert "make docs-site" in answer.text


# Quiet and open --------------------------------------------------------------------------------


@pytest.mark.parametrize("option", ["--quiet", ""])
def test_a_quiet_server_writes_down_nothing_of_every_day(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], option: str
) -> None:
    guest = {"json": {"name": "Aki"}, "headers": {"X-Zashiki": "1"}}
    with server_process(tmp_path, "--bots", "0", *filter(None, [option])) as server:
        assert httpx.post(f"{server.url}/api/guest", **guest).is_success  # type: ignore[arg-type]
        assert server.end() == 0
    assert ('"came"' in capfd.readouterr().err) is not bool(option)


@pytest.mark.parametrize("screen", ["", ":0"])
def test_a_browser_is_opened_only_where_there_is_a_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, screen: str
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(gc, "set_threshold", lambda *_: None)
    monkeypatch.setattr(gc, "freeze", lambda: None)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", screen)
    started = serve.DrainingServer.startup

    async def and_stop(server: serve.DrainingServer, sockets: object = None) -> None:
        await started(server, sockets)  # type: ignore[arg-type]
        server.should_exit = True

    monkeypatch.setattr(serve.DrainingServer, "startup", and_stop)
    assert serve.serve(Settings(tmp_path, port=0, bots=0, opens=True)) == 0
    assert len(opened) == bool(screen)
    assert all(url.startswith("http://127.0.0.1:") for url in opened)
    assert serve.serve(Settings(tmp_path, port=0, bots=0)) == 0
    assert len(opened) == bool(screen), "only who asks for it gets one"
