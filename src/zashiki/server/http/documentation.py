"""The documentation at `/docs`: a built site, or a hint if the package has none."""

import asyncio
import re
from pathlib import Path

from litestar import Response, get
from litestar.params import FromPath
from litestar.response import Redirect

from zashiki.server.deps import AnyRequest
from zashiki.server.errors import ApiError
from zashiki.server.http.static_files import answer, file_in

FOLDER = Path(__file__).parents[1] / "docs_site"
PAGE = "index.html"
ROOT = "/docs/"
HASHED = re.compile(r"\.[0-9a-f]{8,}(\.min)?\.(js|css)")
"""In the name of a file that never changes, because its name has a hash of its content."""
UNBUILT = """\
<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Documentation · Zashiki</title>
<h1>Documentation</h1>
<p>This server was installed without its documentation. In a checkout, <code>make docs-site</code>
builds it, and the pages are in the folder <code>docs</code>.</p>
<p>The HTTP API is described at <a href="/api/docs">/api/docs</a>, and the rules of the games at
<a href="/rules">/rules</a>.</p>
</html>
"""
NO_PAGE = """\
<!doctype html>
<html lang="en"><meta charset="utf-8"><title>No such page · Zashiki</title>
<h1>No such page</h1>
<p>The documentation begins at <a href="/docs/">/docs/</a>.</p>
</html>
"""
"""The page that the site has for this takes the site's root for the server's."""


@get(["/docs", "/docs/{path:path}"], include_in_schema=False)
async def show_documentation(request: AnyRequest, path: FromPath[str] = "") -> Response[bytes]:
    """Return a page or a file of the documentation."""
    return await asyncio.to_thread(find, request, path.strip("/"))


def find(request: AnyRequest, name: str) -> Response[bytes]:
    """Return the answer to an address. Links of a page need the slash at the end of its address."""
    if not (FOLDER / PAGE).is_file():
        return Response(UNBUILT.encode(), media_type="text/html")
    page = file_in(FOLDER, f"{name}/{PAGE}" if name else PAGE)
    if page is not None and not request.scope["raw_path"].endswith(b"/"):
        return Redirect(f"{ROOT}{name}/" if name else ROOT)
    file = page or file_in(FOLDER, name)
    if file is not None:
        return answer(file, request.headers, is_immutable=HASHED.search(file.name) is not None)
    if "text/html" in request.headers.get("accept", ""):
        return Response(NO_PAGE.encode(), status_code=404, media_type="text/html")
    raise ApiError(404, "not-found", "the documentation has no such page: begin at /docs/")


HANDLERS = (show_documentation,)
