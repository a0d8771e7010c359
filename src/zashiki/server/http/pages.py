"""The pages: the built client from its folder, and where it was not built, a word about that."""

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
"""What lies there has a hash of its content in its name, and never changes."""
FOR_EVER = "public, max-age=31536000, immutable"
PACKED = frozenset({".html", ".js", ".css", ".svg", ".json", ".webmanifest", ".map", ".txt"})
TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}
UNBUILT = """\
<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Zashiki</title>
<h1>Zashiki</h1>
<p>The server is here, but its pages were not built: <code>make play</code> builds them.</p>
</html>
"""


@get(["/", "/{path:path}"], include_in_schema=False)
async def show_page(request: AnyRequest, path: FromPath[str] = "") -> Response[bytes]:
    """A file of the client; every address that is no file is a page of it."""
    name = path.strip("/")
    if name == "api" or name.startswith("api/"):
        raise ApiError(404, "not-found", "there is nothing at this address")
    packs = "gzip" in request.headers.get("accept-encoding", "")
    return await asyncio.to_thread(answer, name, packs)


def answer(name: str, packs: bool) -> Response[bytes]:
    file = find(name)
    if file is None:
        return Response(UNBUILT.encode(), media_type="text/html")
    never_changes = file.is_relative_to((FOLDER / HASHED).resolve())
    headers = {"Cache-Control": FOR_EVER if never_changes else "no-cache"}
    if file.suffix in PACKED:
        headers["Vary"] = "Accept-Encoding"
        if packs:
            headers["Content-Encoding"] = "gzip"
    small = "Content-Encoding" in headers
    body = packed(file, file.stat().st_mtime_ns) if small else file.read_bytes()
    return Response(body, media_type=kind_of(file), headers=headers)


def find(name: str) -> Path | None:
    """The file of this name, or the page that finds out what is meant; None if there is none."""
    if name:
        file = inside(name)
        if file is not None:
            return file
        if name.startswith(HASHED):
            raise ApiError(404, "not-found", "there is no such file: load the page again")
    page = FOLDER / "index.html"
    return page if page.is_file() else None


def inside(name: str) -> Path | None:
    """The file of this name, if there is one and it lies in the folder."""
    try:
        file = (FOLDER / name).resolve()
        return file if file.is_relative_to(FOLDER.resolve()) and file.is_file() else None
    except (OSError, ValueError):  # too long for a name, or with characters that none has
        return None


@cache
def packed(file: Path, _: int) -> bytes:
    """A file, smaller; made anew when the file has changed."""
    return gzip.compress(file.read_bytes(), 9, mtime=0)


def kind_of(file: Path) -> str:
    """The media type; where it is a text, the framework adds that it is UTF-8."""
    known = TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0]
    return known or "application/octet-stream"


HANDLERS = (show_page,)
