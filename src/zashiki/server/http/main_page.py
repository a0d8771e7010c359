"""The main page as it is sent: the built page, and in it what its scripts need first.

The browser can ask for all files of a page at once, because the head names them. The session, the
games and the texts of the lobby are in the page as JSON, so the scripts do not ask for them.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

import zashiki
from zashiki.games import catalogue
from zashiki.server.deps import AnyRequest, session_player
from zashiki.server.errors import ApiError
from zashiki.server.http.accounts import own_player
from zashiki.server.http.games import offered_games, texts_of
from zashiki.server.protocol import rest
from zashiki.server.services import services_of
from zashiki.server.store.errors import StoreFault

FILES: Final = "files.json"
"""Vite's list of the files that it made, by source."""
FIRST_FONTS: Final = ("mincho-b1-700", "gothic-new-400", "gothic-new-700")
"""Faces of the first texts on every page."""
TABLE: Final = "table"
"""Name of the files of a table's page, and first part of its address."""
GAME_TABLE: Final = "/client/Table.svelte"
"""The path of a game's table, from the folder of the game."""
OWN_FONTS: Final = "own"
"""Name of the files for the client's own Japanese."""
HEAD_END: Final = "</head>"
"""Links are put before this, and the data after it."""


class FirstData(msgspec.Struct, omit_defaults=True):
    """The data that a page needs first."""

    games: list[rest.OfferedGame]
    texts: dict[str, rest.GameTexts]
    """By game and language, as the client names them: `red-town en`."""
    session: rest.Session | None = None
    """None: the client has to ask, because the answer is not a session."""


async def first_data(request: AnyRequest, game: str) -> bytes:
    """Return the data of a page for the player who asks for it, safe inside of HTML."""
    data = fixed_data(language_of(request), game)
    try:
        player = await session_player(request)
    except (ApiError, StoreFault):
        session = None  # the client asks for it, and shows why it was refused
    else:
        own = None if player is None else own_player(services_of(request.app.state), player)
        session = rest.Session(own)
    return in_html(msgspec.json.encode(msgspec.structs.replace(data, session=session)))


@cache
def fixed_data(language: rest.Language, game: str) -> FirstData:
    """Return the games, and the texts of those whose forms the lobby names and of this game."""
    named = [spec for spec in zashiki.games().values() if "form" in spec.options or spec.id == game]
    texts = {f"{spec.id} {language}": texts_of(spec, language) for spec in named}
    return FirstData(offered_games(), texts)


def in_html(data: bytes) -> bytes:
    """Return JSON for a script element, which no text in it can close."""
    return data.replace(b"<", b"\\u003c")


def language_of(request: AnyRequest) -> rest.Language:
    """Return the language in which the client begins, as it decides itself."""
    asked = request.headers.get("accept-language", "")
    return "ja" if asked.lstrip().lower().startswith("ja") else "en"


async def game_at(request: AnyRequest, name: str) -> str:
    """Return the game that is played at the table of this address; empty for another page.

    Before the start it is empty, too: a waiting room has no use for the files of the match, and
    browsers complain about files that they were told to load and that are not used.
    """
    if not name.startswith(f"{TABLE}/"):
        return ""
    registry, id = services_of(request.app.state).registry, name.removeprefix(f"{TABLE}/")
    try:
        table = registry.tables.get(id)
        row = await registry.store.table(id) if table is None else table.row
    except StoreFault:
        return ""  # the page itself is served all the same
    return "" if row is None or row.state == "open" else str(row.doc.get("game", ""))


def filled(page: Path, name: str, game: str, language: rest.Language, data: bytes) -> bytes:
    """Return the built page with links to its first files, and with data."""
    head, end, body = page.read_text("utf-8").partition(HEAD_END)
    files = page.with_name(FILES)
    links = links_of(files, files.stat().st_mtime_ns) if files.is_file() else {}
    wanted = [
        *links.get("fonts", ()),
        *(links.get(TABLE, ()) if name.startswith(f"{TABLE}/") else ()),
        *(links.get(folder_of(game), ()) if game else ()),
        *(links.get(OWN_FONTS, ()) if language == "ja" else ()),
    ]
    script = b'<script type="application/json" id="first">' + data + b"</script>"
    return "".join([head, *wanted, end]).encode() + script + body.encode()


@cache
def links_of(files: Path, _modified: int) -> dict[str, list[str]]:
    """Return links to the files of a built client by what needs them, cached until it changes."""
    made: dict[str, dict[str, Any]] = json.loads(files.read_text("utf-8"))
    links: dict[str, list[str]] = {"fonts": [], TABLE: [], OWN_FONTS: []}
    for source, entry in made.items():
        file: str = entry["file"]
        if source.endswith(GAME_TABLE):
            folder = source.removesuffix(GAME_TABLE).rpartition("/")[2]
            links[folder] = [script_link(file), *map(style_link, entry.get("css", ()))]
        elif file.endswith(".woff2"):
            if "/first-" in file and any(face in file for face in FIRST_FONTS):
                links["fonts"].append(font_link(file))
        elif entry.get("name") in links:
            links[entry["name"]] += [script_link(file), *map(style_link, entry.get("css", ()))]
        elif file.startswith(f"assets/{OWN_FONTS}-") and file.endswith(".css"):
            links[OWN_FONTS].append(style_link(file))
    return links


def folder_of(game: str) -> str:
    """Return the name of the folder of a game; empty if this server does not know the game."""
    spec = catalogue().get(game)
    return "" if spec is None else spec.folder.name


def font_link(file: str) -> str:
    return f'<link rel="preload" href="/{file}" as="font" type="font/woff2" crossorigin>'


def script_link(file: str) -> str:
    return f'<link rel="modulepreload" href="/{file}" crossorigin>'


def style_link(file: str) -> str:
    """Return a link that loads a style sheet without waiting for it: a script adds it."""
    return f'<link rel="preload" href="/{file}" as="style" crossorigin>'
