"""The page `/api/docs`: the OpenAPI description, to read and to try out.

The page is Swagger UI from the built client. It loads nothing from another host.
"""

import json
from functools import cache
from pathlib import Path

from litestar import MediaType, Response, get

from zashiki.server.http import pages
from zashiki.server.http.main_page import FILES

ENTRY = "src/apiDocs/main.ts"
"""The source of the page's script, by which the list of built files names it."""
PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API · Zashiki</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
{files}
</head>
<body>
<main>
<div id="api">
<h1>Zashiki API</h1>
<p>{hint} The description itself is at <a href="/schema/openapi.json">/schema/openapi.json</a>.</p>
</div>
<details><summary>Licence of Swagger UI</summary><pre id="licence"></pre></details>
</main>
</body>
</html>
"""
WAITING = "This page needs JavaScript."
UNBUILT = "This page is part of the web client, which was not built: run <code>make client</code>."


@get("/api/docs", media_type=MediaType.HTML, include_in_schema=False, sync_to_thread=True)
def show_api_docs() -> Response[str]:
    """Return the page, with links to its files."""
    files = pages.FOLDER / FILES
    links = links_of(files, files.stat().st_mtime_ns) if files.is_file() else ""
    page = PAGE.format(files=links, hint=WAITING if links else UNBUILT)
    return Response(page, media_type="text/html", headers={"Cache-Control": "no-cache"})


@cache
def links_of(files: Path, _modified: int) -> str:
    """Return links to the files of the page, cached until the client is built again."""
    entry = json.loads(files.read_text("utf-8")).get(ENTRY)
    if entry is None:
        return ""
    styles = [f'<link rel="stylesheet" href="/{file}">' for file in entry.get("css", ())]
    return "\n".join([*styles, f'<script type="module" src="/{entry["file"]}"></script>'])


HANDLERS = (show_api_docs,)
