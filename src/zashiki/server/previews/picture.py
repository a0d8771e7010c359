"""The picture of a preview: the game's own picture, and beside it who invites and to what."""

import io
from pathlib import Path

from PIL import Image, ImageDraw

from zashiki.server.previews.fonts import GOTHIC, MINCHO, Face, Style, faces_in
from zashiki.server.previews.words import SITE, Preview, sentence

WIDTH, HEIGHT = 1200, 630
"""The size that messengers show without cropping."""
LEFT, ROOM, MARGIN = 648, 504, 56
"""Left edge of the text, its maximum width, and its distance from the edges, in pixels."""
SAID, TITLE, FREE = (GOTHIC, "700"), (MINCHO, "700"), (GOTHIC, "400")
SUMI, WASHI, KIN, USUZUMI, LINE = "#14161c", "#f3ead8", "#d9b25f", "#9aa0ab", "#4a5160"
TITLE_SIZES = (64, 56, 48, 44, 40)
MAX_COLOURS = 128
MAX_TITLE_LINES, MAX_SAID_LINES = 3, 2
MAX_CUSHIONS = 8


def draw_preview(folder: Path, preview: Preview) -> bytes | None:
    """Return the picture as PNG, or None without the pictures and fonts of a built client."""
    faces = faces_in(folder)
    base = find_base(folder, preview.game)
    if not faces or base is None:
        return None
    picture = Image.new("RGB", (WIDTH, HEIGHT), SUMI)
    with Image.open(base) as found:
        picture.paste(found.convert("RGB"), (0, 0))
    draw = ImageDraw.Draw(picture)
    mark(picture, draw, folder, faces)
    write(draw, faces, preview)
    cushions(draw, preview)
    out = io.BytesIO()
    picture.quantize(MAX_COLOURS, Image.Quantize.MEDIANCUT).save(out, "PNG", optimize=True)
    return out.getvalue()


def find_base(folder: Path, game: str | None) -> Path | None:
    """Return the picture of a game, or that of the site if the game has none."""
    for name in (game, "zashiki"):
        file = folder / "games" / f"{name}.png"
        if name is not None and file.is_file():
            return file
    return None


def mark(
    picture: Image.Image, draw: ImageDraw.ImageDraw, folder: Path, faces: tuple[Face, ...]
) -> None:
    """Draw the mark and the name of the site."""
    icon = folder / "icon-192.png"
    if icon.is_file():
        with Image.open(icon) as found:
            small = found.convert("RGBA").resize((60, 60), Image.Resampling.LANCZOS)
        picture.paste(small, (LEFT, MARGIN), small)
    Style(faces, MINCHO, "700", 34).draw(draw, (LEFT + 78, MARGIN + 42), SITE, WASHI)


def write(draw: ImageDraw.ImageDraw, faces: tuple[Face, ...], preview: Preview) -> None:
    """Write who invites, the title and the free seats, one below the other."""
    said, y = preview.said, 210.0
    if not Style(faces, *SAID, 32).can_draw(said):  # a name in a script without a font here
        said = sentence("preview", "open" if preview.game else "site", preview.language)
    small = fitting(faces, SAID, said, (32, 29, 26), 1) or Style(faces, *SAID, 29)
    for line in small.lines(said, ROOM)[:MAX_SAID_LINES]:
        small.draw(draw, (LEFT, y), line, KIN)
        y += small.size * 1.35
    title = fitting(faces, TITLE, preview.title, TITLE_SIZES, 2) or Style(faces, *TITLE, 36)
    for line in title.lines(preview.title, ROOM)[:MAX_TITLE_LINES]:
        y += title.size * 1.2
        title.draw(draw, (LEFT, y - title.size * 0.2), line, WASHI)
    Style(faces, *FREE, 28).draw(draw, (LEFT, HEIGHT - MARGIN), preview.seats, USUZUMI)


def fitting(
    faces: tuple[Face, ...], kind: tuple[str, str], text: str, sizes: tuple[int, ...], most: int
) -> Style | None:
    """Return the largest style in which a text has room in this number of lines of whole words."""
    for size in sizes:
        style = Style(faces, *kind, size)
        lines = style.lines(text, ROOM)
        if len(lines) <= most and style.widest_word(text) <= ROOM:
            return style
    return None


def cushions(draw: ImageDraw.ImageDraw, preview: Preview) -> None:
    """Draw a cushion for each seat: full where somebody sits, empty where one is free."""
    side, gap, top = 44, 14, HEIGHT - MARGIN - 96
    for number, is_taken in enumerate(preview.taken[:MAX_CUSHIONS]):
        x = LEFT + number * (side + gap)
        box = (x, top, x + side, top + side)
        if is_taken:
            draw.rounded_rectangle(box, 10, KIN)
        else:
            draw.rounded_rectangle(box, 10, None, LINE, 3)
