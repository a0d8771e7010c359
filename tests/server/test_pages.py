"""The built client from its folder, and nothing from beside it."""

import asyncio
import gc
import gzip
import os
import sys
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from tests.server.in_process_server import InProcessServer, in_process_server
from tests.server.server_process import server_process
from tests.server.waits import TIMEOUT
from zashiki.server import serve
from zashiki.server.http import pages
from zashiki.server.settings import Settings

INDEX = "<!doctype html><title>Zashiki</title>"
SCRIPT = "export const x = 1;\n" * 100
SECRET = "nobody may read this"


@pytest.fixture(name="built_pages")
def _built_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A built client, with a secret beside it."""
    folder = tmp_path / "client"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(INDEX)
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
    """What is answered to an address that no client would send."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"GET " + target + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer


@pytest.mark.usefixtures("built_pages")
async def test_every_address_of_a_page_is_the_page(tmp_path: Path) -> None:
    async with page_server(tmp_path) as (browser, _):
        for path in ("/", "/tables/abc", "/games/kingdoms/rules", "/apiary", "/me.html"):
            answer = await browser.get(path)
            assert (answer.status_code, answer.text) == (200, INDEX), path
            assert answer.headers["content-type"] == "text/html; charset=utf-8"
            assert answer.headers["cache-control"] == "no-cache"
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert "unsafe" not in answer.headers["content-security-policy"]
        icon = await browser.get("/icon.svg")
        assert (icon.headers["content-type"], icon.text) == ("image/svg+xml", "<svg/>")


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
            assert answer.headers["cache-control"] == pages.IMMUTABLE
        for answer in (plain, packed):
            assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
            assert answer.headers["vary"] == "Accept-Encoding"
        for gone in ("/assets/index-other.js", "/assets/a/b.js"):
            answer = await browser.get(gone)
            assert (answer.status_code, answer.json()["code"]) == (404, "not-found")
            assert "immutable" not in answer.headers["cache-control"]


def test_a_file_that_was_built_again_is_packed_again(built_pages: Path) -> None:
    file = built_pages / "index.html"
    assert gzip.decompress(pages.answer("", True).content) == INDEX.encode()
    file.write_text("new")
    os.utime(file, ns=(1, 1))
    assert gzip.decompress(pages.answer("", True).content) == b"new"


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
        assert (await browser.get("/health")).json()["status"] == "ok"
        posted = await browser.post("/tables/abc", headers={"X-Zashiki": "1"})
        assert posted.status_code == 405


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
