"""Built files over HTTP: finding one inside a folder, compression and caching."""

import gzip
import mimetypes
from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from pathlib import Path

from litestar import Response

IMMUTABLE = "public, max-age=31536000, immutable"
COMPRESSIBLE = frozenset(
    {".html", ".js", ".css", ".svg", ".json", ".webmanifest", ".map", ".txt", ".xml"}
)
TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}


def file_in(folder: Path, name: str) -> Path | None:
    """Return the file of this name, if it exists and is inside the folder."""
    try:
        file = (folder / name).resolve()
        return file if file.is_relative_to(folder.resolve()) and file.is_file() else None
    except (OSError, ValueError):  # too long, or with characters that no file name may have
        return None


def answer(file: Path, asked: Mapping[str, str], *, is_immutable: bool) -> Response[bytes]:
    """Return a file to a request with these headers, compressed if it accepts that.

    A browser may keep an immutable file, whose name has a hash, without asking. It asks for other
    files again by their `ETag`, and gets 304 if they are the same.
    """
    modified = file.stat().st_mtime_ns
    headers = {"Cache-Control": IMMUTABLE if is_immutable else "no-cache"}
    is_compressed = False
    if file.suffix in COMPRESSIBLE:
        headers["Vary"] = "Accept-Encoding"
        is_compressed = accepts_gzip(asked)
    if not is_immutable:
        headers["ETag"] = f'W/"{digest(file, modified)}"'
        if headers["ETag"] in asked.get("if-none-match", ""):
            return Response(b"", status_code=304, headers=headers)
    if is_compressed:
        headers["Content-Encoding"] = "gzip"
    body = compressed(file, modified) if is_compressed else file.read_bytes()
    return Response(body, media_type=media_type(file), headers=headers)


def accepts_gzip(asked: Mapping[str, str]) -> bool:
    return "gzip" in asked.get("accept-encoding", "")


@cache
def compressed(file: Path, _modified: int) -> bytes:
    """Return a compressed file, cached until its modification time changes."""
    return gzip.compress(file.read_bytes(), 9, mtime=0)


@cache
def digest(file: Path, _modified: int) -> str:
    """Return a hash of a file, cached until its modification time changes."""
    return blake2b(file.read_bytes(), digest_size=16).hexdigest()


def media_type(file: Path) -> str:
    """Return the media type of a file. The framework adds the charset."""
    guessed = TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0]
    return guessed or "application/octet-stream"
