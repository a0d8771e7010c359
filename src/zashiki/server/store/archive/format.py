"""An archive: all that a store keeps for ever in one file, whatever kind of store that is.

It is text, compressed by gzip: a line that says what it is and which columns its rows have, then a
line a row, then one with the number of rows of each table and the hash of all lines before. So it
can be written and read in one go, and nothing can be lost from it unnoticed.
"""

import gzip
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import Any, BinaryIO, Literal, TypeVar

import msgspec
from msgspec import Struct, json

from zashiki.server.store.archive.bulk import BulkSession
from zashiki.server.store.archive.rows import KEPT, Named, Tally, Unsound, check_columns, written
from zashiki.server.store.migrations import Kind, newest_version

Content = TypeVar("Content")

VERSION = 1
"""Of the file. Columns may come and go without a new one: the file says which it has."""
LEVEL = 6
"""Higher ones take twice as long for a file that is hardly shorter."""
BLOCK = 2**16
GZIP = b"\x1f\x8b"
"""How its files begin."""
MAX_CHAT_LENGTH = 2**26
"""No row is longer, by far; what is longer is not read into memory."""
UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What is said of a line that is no JSON, or not the one that is expected."""
PRIVATE = 0o600
"""There are seeds and the hashes of passwords in it."""


class Header(Struct, frozen=True, kw_only=True):
    """The first line."""

    zashiki: Literal["archive"] = "archive"
    version: int
    store: Kind
    """Where the rows come from."""
    schema: int
    """The last migration that they went through there."""
    at: str
    columns: dict[str, list[str]]


class Closing(Struct, frozen=True):
    """The last line."""

    rows: dict[str, int]
    sha256: str
    """Of all bytes before it."""


# Writing ---------------------------------------------------------------------------------------


@contextmanager
def kept_whole(path: Path) -> Iterator[tuple[BinaryIO, Path]]:
    """A file, and where it is until all that is done here went well; then it is at the path."""
    part = path.with_name(f".{token_hex(8)}.part")
    number = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE)
    try:
        with os.fdopen(number, "wb") as file:
            yield file, part
        part.replace(path)
        sync_folder(path.parent)
    finally:
        part.unlink(missing_ok=True)


def sync(file: BinaryIO) -> None:
    """Onto the disk; and who reads it next reads what is there."""
    file.flush()
    os.fsync(file.fileno())
    if hasattr(os, "posix_fadvise"):
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def sync_folder(folder: Path) -> None:
    if os.name == "posix":
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def write(file: BinaryIO, session: BulkSession) -> Tally:
    """All that a store holds, and what that is."""
    packed = gzip.GzipFile("", "wb", LEVEL, file, mtime=0)
    with io.BufferedWriter(packed, BLOCK) as out:
        tally, digest = Tally(), sha256()
        for line in lines(session, tally):
            digest.update(line)
            out.write(line)
        out.write(json.encode(Closing(tally.counts, digest.hexdigest())) + b"\n")
    return tally


def lines(session: BulkSession, tally: Tally) -> Iterator[bytes]:
    """But the last."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    columns = session.columns
    yield (
        json.encode(
            Header(
                version=VERSION, store=session.kind, schema=session.schema, at=now, columns=columns
            )
        )
        + b"\n"
    )
    for table, row in session.rows():
        line = tally.add(table, row)
        names = columns[table]
        yield line if names == KEPT[table].names else written(table, row, names)


# Reading ---------------------------------------------------------------------------------------


class Archive:
    """A `Source` in a file."""

    def __init__(self, path: Path, name: Path | None = None) -> None:
        self._path = path
        self._name = name or path
        try:
            with self._lines() as found:
                self.header = self._read_header(next(found, b""))
        except Unsound as fault:
            raise self.damage() or fault from None

    def __repr__(self) -> str:
        return f"<Archive {self._name}, {self.header.at}>"

    def rows(self, until: str | None = None) -> Iterator[Named]:
        places = {table: place for place, table in enumerate(KEPT)}
        last = len(places) if until is None else places[until]
        counts, digest, place = dict.fromkeys(KEPT, 0), sha256(), 0
        with self._lines() as found:
            digest.update(next(found))
            for number, line in enumerate(found, 2):
                if line.startswith(b"{"):
                    self._check_end(line, next(found, None), counts, digest.hexdigest())
                    return
                digest.update(line)
                table, row = self._read_row(number, line)
                if places[table] < place:
                    raise self._unsound(f"line {number}: {table} are in the wrong place")
                place = places[table]
                if place > last:
                    return
                counts[table] += 1
                yield table, row
        raise self._unsound("it is cut short: its last line is missing")

    def damage(self) -> Unsound | None:
        """What became of the file, if that is why it says strange things."""
        try:
            with self._lines() as found:
                for _ in found:
                    pass
        except Unsound as fault:
            return fault
        return None

    def _unsound(self, text: str) -> Unsound:
        return Unsound(f"{self._name}: {text}")

    # Line by line ------------------------------------------------------------------------------

    @contextmanager
    def _lines(self) -> Iterator[Iterator[bytes]]:
        with self._path.open("rb") as file:
            if not file.peek(len(GZIP)).startswith(GZIP):
                raise self._foreign()
            with gzip.GzipFile(fileobj=file) as unpacked:
                yield self._each(unpacked)

    def _each(self, file: gzip.GzipFile) -> Iterator[bytes]:
        try:
            while line := file.readline(MAX_CHAT_LENGTH):
                if not line.endswith(b"\n"):
                    raise self._unsound("it is cut short, or has a line that no archive has")
                yield line
        except EOFError:
            raise self._unsound("it is cut short") from None
        except (gzip.BadGzipFile, zlib.error):
            raise self._unsound("it is damaged: its content does not fit its checksum") from None

    def _foreign(self) -> Unsound:
        return self._unsound("this is no archive: a file that `zashiki backup` wrote is expected")

    def _read_header(self, line: bytes) -> Header:
        try:
            version = json.decode(line, type=Version).version
        except UNREADABLE:
            raise self._foreign() from None
        if version > VERSION:
            raise self._unsound(
                f"an archive of version {version}, written by a newer Zashiki: this one reads "
                f"versions up to {VERSION}"
            )
        header = self._decode(1, line, Header)
        newest = newest_version(header.store)
        if header.schema > newest:
            raise self._unsound(
                f"its rows have version {header.schema} of {header.store}, written by a newer "
                f"Zashiki: this one knows versions up to {newest}"
            )
        check_columns(str(self._name), header.columns)
        return header

    def _read_row(self, number: int, line: bytes) -> Named:
        table, values = self._decode(number, line, tuple[str, list[Any]])
        if table not in self.header.columns:
            raise self._unsound(f"line {number}: its first line tells of no table {table!r}")
        names = self.header.columns[table]
        if len(values) != len(names):
            raise self._unsound(f"line {number}: {len(names)} values are expected")
        try:
            row: Struct = msgspec.convert(dict(zip(names, values, strict=True)), KEPT[table].kind)
        except msgspec.ValidationError as fault:
            raise self._unsound(f"line {number}: no row of {table}: {fault}") from None
        return table, row

    def _check_end(
        self, line: bytes, more: bytes | None, counts: dict[str, int], digest: str
    ) -> None:
        closing = self._decode(sum(counts.values()) + 2, line, Closing)
        if more is not None:
            raise self._unsound("something comes after its last line")
        if closing.rows != counts:
            raise self._unsound("its last line counts other rows than there are")
        if closing.sha256 != digest:
            raise self._unsound("its hash is not that of its lines: it was changed")

    def _decode(self, number: int, line: bytes, kind: type[Content]) -> Content:
        try:
            return json.decode(line, type=kind)
        except UNREADABLE as fault:
            raise self._unsound(f"line {number} cannot be read: {fault}") from None


class Version(Struct, frozen=True):
    """What the first line of every archive has, also of those that are to come."""

    zashiki: Literal["archive"]
    version: int
