"""The web client: its built files, or a hint if it was not built."""

import asyncio
import gzip
import mimetypes
from functools import cache
from pathlib import Path

from litestar import Response, get
from litestar.params import FromPath

from zashiki.server.deps import AnyRequest
from zashiki.server.errors import ApiError

FOLDER = Path(__file__).parents[1] / "client"
HASHED = "assets/"
"""Folder of the files whose names contain a hash of their content, so that they never change."""
IMMUTABLE = "public, max-age=31536000, immutable"
COMPRESSIBLE = frozenset({".html", ".js", ".css", ".svg", ".json", ".webmanifest", ".map", ".txt"})
TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}
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
    if name == "api" or name.startswith("api/"):
        raise ApiError(404, "not-found", "there is nothing at this address")
    accepts_gzip = "gzip" in request.headers.get("accept-encoding", "")
    return await asyncio.to_thread(answer, name, accepts_gzip)


def answer(name: str, accepts_gzip: bool) -> Response[bytes]:
    """Return the answer for a path, with its cache and compression headers."""
    file = find_file(name)
    if file is None:
        return Response(UNBUILT.encode(), media_type="text/html")
    is_hashed = file.is_relative_to((FOLDER / HASHED).resolve())
    headers = {"Cache-Control": IMMUTABLE if is_hashed else "no-cache"}
    is_compressed = False
    if file.suffix in COMPRESSIBLE:
        headers["Vary"] = "Accept-Encoding"
        is_compressed = accepts_gzip
    if is_compressed:
        headers["Content-Encoding"] = "gzip"
    body = compressed(file, file.stat().st_mtime_ns) if is_compressed else file.read_bytes()
    return Response(body, media_type=media_type(file), headers=headers)


def find_file(name: str) -> Path | None:
    """Return the file for a path, or the main page; None if the client was not built."""
    if name:
        file = file_in_folder(name)
        if file is not None:
            return file
        if name.startswith(HASHED):
            raise ApiError(404, "not-found", "there is no such file: load the page again")
    page = FOLDER / "index.html"
    return page if page.is_file() else None


def file_in_folder(name: str) -> Path | None:
    """Return the file of this name, if it exists and is inside the folder."""
    try:
        file = (FOLDER / name).resolve()
        return file if file.is_relative_to(FOLDER.resolve()) and file.is_file() else None
    except (OSError, ValueError):  # too long, or with characters that no file name may have
        return None


@cache
def compressed(file: Path, _modified: int) -> bytes:
    """Return a compressed file, cached until its modification time changes."""
    return gzip.compress(file.read_bytes(), 9, mtime=0)


def media_type(file: Path) -> str:
    """Return the media type of a file. The framework adds the charset."""
    guessed = TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0]
    return guessed or "application/octet-stream"


HANDLERS = (show_page,)
