"""Previews of links: tags in the page of a table, and the picture that they name."""

import re
from pathlib import Path

from litestar import Response, get
from litestar.params import FromPath

from zashiki.server.deps import AnyRequest, address_of
from zashiki.server.errors import NOT_FOUND, ApiError
from zashiki.server.previews.service import tags
from zashiki.server.previews.words import SITE, neutral, spoken
from zashiki.server.services import Services, services_of
from zashiki.server.store.errors import StoreFault

FOLDER = Path(__file__).parents[1] / "client"
TABLE = "table/"
PICTURE_SECONDS = 60
OWN_TAG = re.compile(rb'\s*<meta\s+property="og:[^>]*>')


async def tags_of_page(request: AnyRequest, name: str) -> str:
    """Return the tags by which messengers show the link of a table; none for another page."""
    if not name.startswith(TABLE):
        return ""
    table_id = name.removeprefix(TABLE)
    services = services_of(request.app.state)
    asked, headers = request.query_params, request.headers
    language = spoken(asked.get("language"), headers.get("accept-language", ""))
    key = asked.get("key", "")
    try:
        preview = await services.previews.find(table_id, key, language)
    except StoreFault:
        return ""  # the page itself is served all the same
    return tags(preview, own_origin(services, headers.get("host")), table_id, key)


def own_origin(services: Services, host: str | None) -> str | None:
    """Return the origin at which this server is reached, if it is known for sure."""
    origins = services.origins(host)
    here = [origin for origin in origins if origin.partition("://")[2] == (host or "").lower()]
    plain = [origin for origin in here if origin.startswith("http:")]
    is_chosen = bool(services.settings.origins)
    return min(here if is_chosen and here else plain or origins, default=None)


@get("/preview/{name:str}", include_in_schema=False)
async def show_preview(request: AnyRequest, name: FromPath[str]) -> Response[bytes]:
    """Return the picture of a table's preview, or of the site's where no table may be shown."""
    services = services_of(request.app.state)
    services.limits.take(previews=address_of(request))
    table_id, dot, kind = name.partition(".")
    if (dot, kind) != (".", "png"):
        raise ApiError(404, "not-found", NOT_FOUND)
    asked = request.query_params
    language = spoken(asked.get("language"), request.headers.get("accept-language", ""))
    preview = neutral(language)
    if table_id != SITE.lower():
        preview = await services.previews.find(table_id, asked.get("key", ""), language)
    picture = await services.previews.picture(FOLDER, preview)
    if picture is None:
        raise ApiError(404, "not-found", "the web client was not built: run make play")
    headers = {"Cache-Control": f"public, max-age={PICTURE_SECONDS}", "Vary": "Accept-Language"}
    return Response(picture, media_type="image/png", headers=headers)


def with_tags(page: bytes, named: str) -> bytes:
    """Return a page with tags in its head, in place of its own of the same kind."""
    if not named:
        return page
    head, end, rest = OWN_TAG.sub(b"", page).partition(b"</head>")
    return head + named.encode() + end + rest


HANDLERS = (show_preview,)
