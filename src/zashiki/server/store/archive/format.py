"""The file format of an archive: all persistent rows of a store of any kind.

An archive is text, compressed by gzip: a header line with the columns of each table, one line per
row, and a closing line with the number of rows by table and the hash of all lines before. It can be
written and read in one pass, and no loss goes unnoticed.
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
from typing import BinaryIO, Literal, TypeVar

import msgspec
from msgspec import Raw, Struct, json

from zashiki.server.store.archive.bulk import BulkSession
from zashiki.server.store.archive.rows import (
    ARCHIVED_TABLES,
    Contents,
    IntegrityFault,
    TableRowPair,
    check_columns,
    encode,
)
from zashiki.server.store.migrations import Kind, newest_version
from zashiki.server.store.sqlite.connect import sync_folder

Content = TypeVar("Content")

VERSION = 1
"""The version of the format. New columns do not change it: the header lists them."""
LEVEL = 6
"""The compression level. Higher ones take twice as long for little gain."""
BLOCK = 2**16
GZIP = b"\x1f\x8b"
"""The first bytes of a gzip file."""
MAX_LINE_BYTES = 2**26
"""Far more than any row has. Longer lines are not read into memory."""
UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""The exceptions for a line that is not JSON or has other content than expected."""
PRIVATE = 0o600
"""The file mode: an archive has seeds and password hashes."""


class Header(Struct, frozen=True, kw_only=True):
    """The first line."""

    zashiki: Literal["archive"] = "archive"
    version: int
    store: Kind
    """The kind of store that the rows come from."""
    schema: int
    """The number of its last migration."""
    at: str
    columns: dict[str, list[str]]


class Closing(Struct, frozen=True):
    """The last line."""

    rows: dict[str, int]
    sha256: str
    """The hash of all bytes before it."""


# Writing ---------------------------------------------------------------------------------------


@contextmanager
def atomic_file(path: Path) -> Iterator[tuple[BinaryIO, Path]]:
    """Open a temporary file, and rename it to the path if no exception is raised."""
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
    """Write to the disk and drop caches, so that the next reader reads the disk."""
    file.flush()
    os.fsync(file.fileno())
    if hasattr(os, "posix_fadvise"):
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def write(file: BinaryIO, session: BulkSession) -> Contents:
    """Write all rows of a store and return its contents."""
    packed = gzip.GzipFile("", "wb", LEVEL, file, mtime=0)
    with io.BufferedWriter(packed, BLOCK) as out:
        contents, digest = Contents(), sha256()
        for line in lines(session, contents):
            digest.update(line)
            out.write(line)
        out.write(json.encode(Closing(contents.counts, digest.hexdigest())) + b"\n")
    return contents


def lines(session: BulkSession, contents: Contents) -> Iterator[bytes]:
    """Yield all lines except for the closing one, and add the rows to contents."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    columns = session.columns
    header = Header(
        version=VERSION, store=session.kind, schema=session.schema, at=now, columns=columns
    )
    yield json.encode(header) + b"\n"
    for table, row in session.rows():
        line = contents.add(table, row)
        names = columns[table]
        yield line if names == ARCHIVED_TABLES[table].names else encode(table, row, names)


# Reading ---------------------------------------------------------------------------------------


class Archive:
    """The rows of an archive file."""

    def __init__(self, path: Path, name: Path | None = None) -> None:
        self._path = path
        self._name = name or path
        try:
            with self._lines() as found:
                self.header = self._read_header(next(found, b""))
        except IntegrityFault as fault:
            raise self.find_damage() or fault from None

    def __repr__(self) -> str:
        return f"<Archive {self._name}, {self.header.at}>"

    def rows(self, until: str | None = None) -> Iterator[TableRowPair]:
        places = {table: place for place, table in enumerate(ARCHIVED_TABLES)}
        last = len(places) if until is None else places[until]
        counts, digest, place = dict.fromkeys(ARCHIVED_TABLES, 0), sha256(), 0
        with self._lines() as found:
            digest.update(next(found))
            for number, line in enumerate(found, 2):
                if line.startswith(b"{"):
                    self._check_end(line, next(found, None), counts, digest.hexdigest())
                    return
                digest.update(line)
                table, row = self._read_row(number, line)
                if places[table] < place:
                    raise self._fault(f"line {number}: {table} are in the wrong place")
                place = places[table]
                if place > last:
                    return
                counts[table] += 1
                yield table, row
        raise self._fault("it is cut short: its last line is missing")

    def find_damage(self) -> IntegrityFault | None:
        """Return the fault of a damaged file, which explains any other fault."""
        try:
            with self._lines() as found:
                for _ in found:
                    pass
        except IntegrityFault as fault:
            return fault
        return None

    def _fault(self, text: str) -> IntegrityFault:
        return IntegrityFault(f"{self._name}: {text}")

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
            while line := file.readline(MAX_LINE_BYTES):
                if not line.endswith(b"\n"):
                    raise self._fault("it is cut short, or has a line that no archive has")
                yield line
        except EOFError:
            raise self._fault("it is cut short") from None
        except (gzip.BadGzipFile, zlib.error):
            raise self._fault("it is damaged: its content does not fit its checksum") from None

    def _foreign(self) -> IntegrityFault:
        return self._fault("expected a file of `zashiki backup`, found another file")

    def _read_header(self, line: bytes) -> Header:
        try:
            version = json.decode(line, type=Version).version
        except UNREADABLE:
            raise self._foreign() from None
        if version > VERSION:
            raise self._fault(
                f"an archive of version {version}, written by a newer Zashiki: this one reads "
                f"versions up to {VERSION}"
            )
        header = self._decode(1, line, Header)
        newest = newest_version(header.store)
        if header.schema > newest:
            raise self._fault(
                f"its rows have version {header.schema} of {header.store}, written by a newer "
                f"Zashiki: this one knows versions up to {newest}"
            )
        check_columns(str(self._name), header.columns)
        return header

    def _read_row(self, number: int, line: bytes) -> TableRowPair:
        table, values = self._decode(number, line, tuple[str, list[Raw]])
        if table not in self.header.columns:
            raise self._fault(f"line {number}: its first line tells of no table {table!r}")
        names = self.header.columns[table]
        if len(values) != len(names):
            raise self._fault(f"line {number}: expected {len(names)} values, found {len(values)}")
        try:
            fields = json.encode(dict(zip(names, values, strict=True)))
            row: Struct = json.decode(fields, type=ARCHIVED_TABLES[table].kind)
        except UNREADABLE as fault:
            raise self._fault(f"line {number}: no row of {table}: {fault}") from None
        return table, row

    def _check_end(
        self, line: bytes, more: bytes | None, counts: dict[str, int], digest: str
    ) -> None:
        closing = self._decode(sum(counts.values()) + 2, line, Closing)
        if more is not None:
            raise self._fault("something comes after its last line")
        there = {table: count for table, count in closing.rows.items() if count}
        if there != {table: count for table, count in counts.items() if count}:
            raise self._fault("its last line counts other rows than there are")
        if closing.sha256 != digest:
            raise self._fault("its hash is not that of its lines: it was changed")

    def _decode(self, number: int, line: bytes, kind: type[Content]) -> Content:
        try:
            return json.decode(line, type=kind)
        except UNREADABLE as fault:
            raise self._fault(f"line {number} cannot be read: {fault}") from None


class Version(Struct, frozen=True):
    """The fields of the header that every version has."""

    zashiki: Literal["archive"]
    version: int
