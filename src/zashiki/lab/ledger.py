"""What a long measurement has played, on disk: no match there is lost, and none is played again.

A folder holds `plan.json` and `matches.jsonl`, a line a match in the order in which they ended. A
line is handed to the system as soon as its match is over, so that it outlives the process however
that ends, and to the disk at least once a second. What a killed process left of a line is removed;
a line that is whole and wrong is nobody's, and refused.
"""

import json
import os
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, Generic, Protocol, TypeVar

from zashiki.core.rulings import Malformed, quoted
from zashiki.lab.simulate import checked_count

try:
    import fcntl
except ImportError:  # on Windows nobody watches that two do not share a folder
    fcntl = None  # type: ignore[assignment]

PLAN = "plan.json"
MATCHES = "matches.jsonl"
SYNC_SECONDS = 1.0
MOST_MATCHES = 10_000_000
"""In one plan; what was played is found by tables in memory."""
FAR = 1e15
"""No score and no time is further from 0."""


class Numbered(Protocol):
    """A match that is over."""

    @property
    def match(self) -> int: ...


class Planned(Protocol):
    """What is to be played."""

    @property
    def matches(self) -> int: ...

    def described(self) -> dict[str, Any]:
        """All that makes results comparable, JSON-ready."""
        ...


R = TypeVar("R", bound=Numbered)


@dataclass(frozen=True)
class Kind(Generic[R]):
    """What is kept: how it is called, and how a match becomes a line and a line a match."""

    name: str
    one: str
    """The same with its article."""
    of_more: str
    """How one is called that has so many matches already."""
    written: Callable[[R], dict[str, Any]]
    read: Callable[[dict[str, Any]], R]
    """Raises a ValueError, TypeError or KeyError where a line says something that cannot be."""


class Torn(Exception):
    """A line that was not written to its end."""


class Ledger(Generic[R]):
    """The matches of a plan that are over, found by their number."""

    def __init__(self, kind: Kind[R], folder: Path, file: BinaryIO, matches: int) -> None:
        self.kind = kind
        self.folder = folder
        self.matches = matches
        """So many the plan has."""
        self.file = file
        self.places: dict[int, int] = {}
        """Where in the file a match stands."""
        self.end = 0
        self.synced = time.monotonic()

    def __contains__(self, match: int) -> bool:
        return match in self.places

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, match: int) -> R:
        self.file.seek(self.places[match])
        return self.read(self.file.readline())

    def keep(self, played: R) -> None:
        line = json.dumps(self.kind.written(played), separators=(",", ":")).encode() + b"\n"
        self.file.seek(self.end)
        self.file.write(line)
        self.file.flush()
        self.places[played.match] = self.end
        self.end += len(line)
        if time.monotonic() - self.synced > SYNC_SECONDS:
            self.sync()

    def sync(self) -> None:
        os.fsync(self.file.fileno())
        self.synced = time.monotonic()

    def load(self) -> None:
        """Find all matches; what is left of a torn line is cut off."""
        path = self.folder / MATCHES
        self.file.seek(0)
        for number, line in enumerate(self.file, start=1):
            try:
                match = self.read(line).match
            except Torn:
                if self.file.read(1):  # something follows: this is no line torn at the end
                    raise Malformed(f"{path}: line {number} is damaged") from None
                break
            except (ValueError, TypeError, KeyError):
                reason = "this is no match of the plan"
                raise Malformed(f"{path}: line {number} is damaged: {reason}") from None
            if match in self:
                raise Malformed(f"{path}: line {number}: match {match} stands there twice")
            self.places[match] = self.end
            self.end += len(line)
        self.file.truncate(self.end)

    def read(self, line: bytes) -> R:
        if not line.endswith(b"\n"):
            raise Torn
        try:
            known = json.loads(line)
        except (ValueError, RecursionError):
            raise Torn from None
        whole_number(known["match"], 0, self.matches - 1)
        return self.kind.read(known)

    def missing(self) -> Iterator[int]:
        """What is not played yet, one by one: it may be many."""
        return (match for match in range(self.matches) if match not in self)

    def in_order(self, matches: int) -> Iterator[R]:
        """The first so many, by their number."""
        return (self[match] for match in range(matches))


# What a line may say ---------------------------------------------------------------------------


def whole_number(value: object, least: int, most: int | None = None) -> int:
    if type(value) is not int or value < least or (most is not None and value > most):
        raise ValueError
    return value


def number(value: object, least: float = -FAR) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError
    if not least <= value <= FAR:
        raise ValueError
    return value


def listed(value: object, count: int | None = None) -> list[Any]:
    """A list of so many."""
    if not isinstance(value, list) or (count is not None and len(value) != count):
        raise ValueError
    return value


def ranking(value: object, seats: int) -> tuple[int, ...]:
    """By seat, how many were better, and one."""
    ranks = [whole_number(rank, 1, seats) for rank in listed(value, seats)]
    if any(rank != 1 + sum(other < rank for other in ranks) for rank in ranks):
        raise ValueError
    return tuple(ranks)


def checked_matches(matches: object) -> int:
    """How many a plan may have."""
    count = checked_count("matches", matches)
    if count > MOST_MATCHES:
        raise Malformed(f"matches {quoted(count)}: at most {MOST_MATCHES:,} are expected")
    return count


# The folder ------------------------------------------------------------------------------------


@contextmanager
def opened(kind: Kind[R], folder: Path | None, plan: Planned) -> Iterator[Ledger[R]]:
    """The ledger of a plan in a folder, begun or gone on with; None: one that nobody keeps."""
    if folder is None:
        with (
            TemporaryDirectory(prefix=f"zashiki-{kind.name}-") as forgotten,
            opened(kind, Path(forgotten), plan) as ledger,
        ):
            yield ledger
        return
    try:
        prepare(folder)
        file = open(os.open(folder / MATCHES, os.O_RDWR | os.O_CREAT, 0o666), "r+b")  # noqa: SIM115
    except OSError as fault:
        raise Malformed(f"{folder}: {fault.strerror or fault}") from None
    with file:
        lock(kind.name, file, folder)
        agree(kind, folder, plan)
        ledger = Ledger(kind, folder, file, plan.matches)
        ledger.load()
        try:
            yield ledger
        finally:
            ledger.sync()


def prepare(folder: Path) -> None:
    """A folder that is new, empty, or of such a plan."""
    folder.mkdir(exist_ok=True)
    names = {path.name for path in folder.iterdir() if not path.name.startswith(".")}
    if names - {MATCHES} and PLAN not in names:
        raise Malformed(f"{folder}: holds other things, a new or empty folder is expected")


def lock(name: str, file: BinaryIO, folder: Path) -> None:
    """As long as the file is open, nobody else writes here."""
    if fcntl is None:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise Malformed(f"{folder}: another {name} is at work there") from None


def agree(kind: Kind[Any], folder: Path, plan: Planned) -> None:
    """The plan stands in the folder; another one does not. More matches may be asked for.

    Whoever was killed before the plan stood there has played nothing yet.
    """
    described = plan.described()
    path = folder / PLAN
    if path.exists():
        before = read_plan(kind, path)
        if others := differences(before, described):
            raise Malformed(
                f"{folder}: holds another {kind.name} ({'; '.join(others)}): "
                "the same plan, or another folder, is expected"
            )
        if before["matches"] > plan.matches:
            more = kind.of_more.format(before["matches"])
            raise Malformed(f"{folder}: holds {more}, not fewer is expected")
    elif (folder / MATCHES).stat().st_size:
        raise Malformed(f"{folder / MATCHES}: nobody knows whose matches these are without {PLAN}")
    write_whole(path, json.dumps(described, indent=2, ensure_ascii=False).encode() + b"\n")


def read_plan(kind: Kind[Any], path: Path) -> dict[str, Any]:
    try:
        described = json.loads(path.read_bytes())
        whole_number(described["matches"], 1)
        for bot in listed(described.get("bots", [])):
            check_bot(bot["name"], bot["sha256"])
    except (ValueError, TypeError, KeyError, RecursionError):
        raise Malformed(f"{path}: this is not the plan of {kind.one}") from None
    return described  # type: ignore[no-any-return]


def check_bot(name: object, digest: object) -> None:
    if not isinstance(name, str) or not isinstance(digest, str | None):
        raise TypeError


def write_whole(path: Path, content: bytes) -> None:
    """The file is there complete, on the disk, in place of what was there; or it is not."""
    with whole(path) as file:
        file.write(content)


@contextmanager
def whole(path: Path) -> Iterator[BinaryIO]:
    """A file that appears under its name, on the disk, when it is complete."""
    part = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with part.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """What another plan has otherwise, in words; where a bot's file lies does not matter."""

    def comparable(name: str, value: object) -> object:
        if name == "bots" and isinstance(value, list):
            return [(bot["name"], bot["sha256"]) for bot in value]
        return value

    names = [name for name in {**after, **before} if name != "matches"]
    pairs = [(name, comparable(name, before.get(name)), after.get(name)) for name in names]
    return [
        f"{name} {worded(name, before.get(name))}, not {worded(name, after.get(name))}"
        for name, old, new in pairs
        if old != comparable(name, new)
    ]


def worded(name: str, value: Any) -> str:
    """A part of a plan, short enough for a line."""
    if name == "bots" and isinstance(value, list):
        return ",".join(
            bot["name"] + (f" ({bot['sha256'][:8]})" if bot["sha256"] else "") for bot in value
        )
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
