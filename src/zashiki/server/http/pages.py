"""The web client: its built files, or a hint if it was not built."""

import asyncio
import gzip
from collections.abc import Mapping
from pathlib import Path

from litestar import Response, get
from litestar.params import FromPath

from zashiki.server.deps import AnyRequest
from zashiki.server.errors import NOT_FOUND, ApiError
from zashiki.server.http import main_page, previews
from zashiki.server.http.static_files import accepts_gzip, answer, file_in
from zashiki.server.protocol import rest

FOLDER = Path(__file__).parents[1] / "client"
MAIN_PAGE = "index.html"
HASHED = "assets/"
"""Folder of the files whose names contain a hash of their content, so that they never change."""
UNBUILT = """\
<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Zashiki</title>
<h1>Zashiki</h1>
<p>The server runs, but the web client was not built: run <code>make play</code>.</p>
</html>
"""


@get(["/", "/{path:path}"], include_in_schema=False)
async def show_page(request: AnyRequest, path: FromPath[str] = "") -> Response[bytes]:
    """Return a file of the client, or its main page for every address without a file."""
    name = path.strip("/")
    if name.partition("/")[0] in {"api", "schema"}:
        raise ApiError(404, "not-found", NOT_FOUND)
    file = find_file(name)
    if file is None:
        return Response(UNBUILT.encode(), media_type="text/html")
    if file.name != MAIN_PAGE:
        return await asyncio.to_thread(answer_file, file, request.headers)
    game = await main_page.game_at(request, name)
    data, language = await main_page.first_data(request, game), main_page.language_of(request)
    tags = await previews.tags_of_page(request, name)
    return await asyncio.to_thread(
        answer_page, file, name, game, language, data, accepts_gzip(request.headers), tags
    )


def answer_file(file: Path, asked: Mapping[str, str]) -> Response[bytes]:
    """Return a built file other than the main page."""
    is_hashed = file.is_relative_to((FOLDER / HASHED).resolve())
    return answer(file, asked, is_immutable=is_hashed)


def answer_page(
    file: Path,
    name: str,
    game: str,
    language: rest.Language,
    data: bytes,
    is_compressed: bool,
    tags: str = "",
) -> Response[bytes]:
    """Return the main page for one player. Nothing stores it: the next player gets another one."""
    body = previews.with_tags(main_page.filled(file, name, game, language, data), tags)
    headers = {"Cache-Control": "no-store"}
    if is_compressed:
        headers["Content-Encoding"] = "gzip"
        body = gzip.compress(body, 6, mtime=0)
    return Response(body, media_type="text/html", headers=headers)


def find_file(name: str) -> Path | None:
    """Return the file for a path, or the main page; None if the client was not built."""
    if name:
        file = file_in(FOLDER, name)
        if file is not None:
            return file
        if name.startswith(HASHED):
            raise ApiError(404, "not-found", "there is no such file: load the page again")
    page = FOLDER / MAIN_PAGE
    return page if page.is_file() else None


HANDLERS = (show_page, *previews.HANDLERS)
