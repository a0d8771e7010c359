"""Previews of tables: the tags of a page, and pictures, which are drawn once and kept."""

import asyncio
from collections import OrderedDict
from html import escape
from pathlib import Path
from urllib.parse import urlencode

import msgspec

from zashiki.server.errors import ApiError
from zashiki.server.previews.picture import HEIGHT, WIDTH, draw_preview
from zashiki.server.previews.words import SITE, Preview, neutral, preview_of
from zashiki.server.protocol.rest import Language
from zashiki.server.tables.model import TableDoc
from zashiki.server.tables.registry import TableRegistry

MAX_PICTURES = 64
"""Pictures that are kept, of about 50 KB each."""
MAX_WAITING = 20
"""Requests that wait for a picture, ten seconds of drawing. A proxy that waits longer for an answer
takes the server for broken."""
MAX_KEY_LENGTH = 64
LOCALES = {"en": "en_GB", "ja": "ja_JP"}
COLONS = {"en": ": ", "ja": "："}


class Previews:
    """Shows tables to those who have nothing but a link, as rows say: no match is loaded."""

    def __init__(self, registry: TableRegistry) -> None:
        self._registry = registry
        self._pictures: OrderedDict[tuple[Path, Preview], bytes] = OrderedDict()
        self._drawing = asyncio.Semaphore(1)
        self._waiting = 0

    async def find(self, table_id: str, key: str, language: Language) -> Preview:
        """Return the preview of a table, or of the site if there is none that may be shown."""
        table = self._registry.tables.get(table_id)
        if table is not None:
            return preview_of(table.row, table.doc, key[:MAX_KEY_LENGTH], language)
        row = await self._registry.store.table(table_id)
        if row is None:
            return neutral(language)
        doc = msgspec.convert(row.doc, TableDoc)
        return preview_of(row, doc, key[:MAX_KEY_LENGTH], language)

    async def picture(self, folder: Path, preview: Preview) -> bytes | None:
        """Return the picture of a preview. One is drawn at a time, outside of the event loop.

        If many wait for theirs already, one that would have to be drawn is refused.
        """
        if (kept := self._kept(folder, preview)) is not None:
            return kept
        if self._waiting >= MAX_WAITING:
            text = "too many pictures are being drawn: try again in 10 s"
            raise ApiError(503, "busy", text, {"retry_after": 10})
        self._waiting += 1
        try:
            async with self._drawing:
                return self._kept(folder, preview) or await self._draw(folder, preview)
        finally:
            self._waiting -= 1

    def _kept(self, folder: Path, preview: Preview) -> bytes | None:
        kept = self._pictures.get((folder, preview))
        if kept is not None:
            self._pictures.move_to_end((folder, preview))
        return kept

    async def _draw(self, folder: Path, preview: Preview) -> bytes | None:
        made = await asyncio.to_thread(draw_preview, folder, preview)
        if made is not None:
            self._pictures[folder, preview] = made
            if len(self._pictures) > MAX_PICTURES:
                self._pictures.popitem(last=False)
        return made


def tags(preview: Preview, origin: str | None, table_id: str, key: str) -> str:
    """Return the tags of a preview for the head of a page, with all that people typed escaped."""
    named = {
        "og:type": "website",
        "og:site_name": SITE,
        "og:locale": LOCALES[preview.language],
        "og:title": preview.title,
        "og:description": preview.text,
    }
    if origin is not None:
        address: dict[str, str] = {"language": preview.language}
        shown = SITE.lower()
        if preview.game is not None:
            seats = "".join("01"[taken] for taken in preview.taken)  # new seats, new picture
            address |= {"seats": seats, "key": key[:MAX_KEY_LENGTH]}
            shown = table_id
        named |= {
            "og:image": f"{origin}/preview/{shown}.png?{urlencode(address)}",
            "og:image:type": "image/png",
            "og:image:width": str(WIDTH),
            "og:image:height": str(HEIGHT),
            "og:image:alt": f"{preview.title}{COLONS[preview.language]}{preview.text}",
            "twitter:card": "summary_large_image",
        }
    return "".join(
        f'<meta property="{name}" content="{escape(text)}">' for name, text in named.items()
    )
