"""What an arena has played, on disk: a match that stands there is neither lost nor played again.

A folder holds `plan.json` and `matches.jsonl`, a line a match in the order in which they ended. A
line is handed to the system as soon as its match is over, so that it outlives the process however
that ends, and to the disk at least once a second. What a killed process left of a line is removed.
"""

import json
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

from zashiki.core.rulings import Malformed
from zashiki.lab.arena.plan import Plan, differences
from zashiki.lab.arena.playing import Played, Times

try:
    import fcntl
except ImportError:  # on Windows nobody watches that two arenas do not share a folder
    fcntl = None  # type: ignore[assignment]

PLAN = "plan.json"
MATCHES = "matches.jsonl"
SYNC_SECONDS = 1.0


class Ledger:
    """The matches of a plan that are over, found by their number."""

    def __init__(self, folder: Path, file: BinaryIO) -> None:
        self.folder = folder
        self.file = file
        self.places: dict[int, int] = {}
        """Where in the file a match stands."""
        self.end = 0
        self.synced = time.monotonic()

    def __contains__(self, match: int) -> bool:
        return match in self.places

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, match: int) -> Played:
        self.file.seek(self.places[match])
        return read_line(self.file.readline())

    def keep(self, played: Played) -> None:
        line = written_line(played)
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
        self.file.seek(0)
        for number, line in enumerate(self.file, start=1):
            try:
                played = read_line(line)
            except (ValueError, TypeError, KeyError):
                if self.file.read(1):  # something follows: this is no line torn at the end
                    raise Malformed(f"{self.folder / MATCHES}: line {number} is damaged") from None
                break
            if played.match in self:
                raise Malformed(f"{self.folder / MATCHES}: match {played.match} stands there twice")
            self.places[played.match] = self.end
            self.end += len(line)
        self.file.truncate(self.end)

    def in_order(self, matches: int) -> Iterator[Played]:
        """The first so many, by their number."""
        return (self[match] for match in range(matches))


def written_line(played: Played) -> bytes:
    times = [
        [*spent[:3], [step for pair in spent.classes.items() for step in pair]]
        for spent in played.times
    ]
    line = {"match": played.match, "ranks": played.ranks, "scores": played.scores, "times": times}
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


def read_line(line: bytes) -> Played:
    if not line.endswith(b"\n"):
        raise ValueError("torn")
    known = json.loads(line)
    times = tuple(
        Times(decisions, seconds, longest, dict(zip(steps[::2], steps[1::2], strict=True)))
        for decisions, seconds, longest, steps in known["times"]
    )
    return Played(known["match"], tuple(known["ranks"]), tuple(known["scores"]), times)


# The folder ------------------------------------------------------------------------------------


@contextmanager
def opened(folder: Path | None, plan: Plan) -> Iterator[Ledger]:
    """The ledger of a plan in a folder, begun or gone on with; None: one that nobody keeps."""
    if folder is None:
        with (
            TemporaryDirectory(prefix="zashiki-arena-") as forgotten,
            opened(Path(forgotten), plan) as ledger,
        ):
            yield ledger
        return
    try:
        prepare(folder)
        file = open(os.open(folder / MATCHES, os.O_RDWR | os.O_CREAT, 0o666), "r+b")  # noqa: SIM115
    except OSError as fault:
        raise Malformed(f"{folder}: {fault.strerror or fault}") from None
    with file:
        lock(file, folder)
        agree(folder, plan)
        ledger = Ledger(folder, file)
        ledger.load()
        try:
            yield ledger
        finally:
            ledger.sync()


def prepare(folder: Path) -> None:
    """A folder that is new, empty, or an arena's."""
    folder.mkdir(exist_ok=True)
    names = {path.name for path in folder.iterdir() if not path.name.startswith(".")}
    if names - {MATCHES} and PLAN not in names:
        raise Malformed(f"{folder}: holds other things, a new or empty folder is expected")


def lock(file: BinaryIO, folder: Path) -> None:
    """As long as the file is open, nobody else writes here."""
    if fcntl is None:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise Malformed(f"{folder}: another arena is at work there") from None


def agree(folder: Path, plan: Plan) -> None:
    """The plan stands in the folder; another one does not. More matches may be asked for."""
    described = plan.described()
    path = folder / PLAN
    if path.exists():
        before = read_plan(path)
        if others := differences(before, described):
            raise Malformed(
                f"{folder}: holds another arena ({'; '.join(others)}): "
                "the same plan, or another folder, is expected"
            )
        if before["matches"] > plan.matches:
            raise Malformed(
                f"{folder}: holds an arena of {before['matches']} matches, not fewer is expected"
            )
    write_whole(path, json.dumps(described, indent=2, ensure_ascii=False).encode() + b"\n")


def read_plan(path: Path) -> dict[str, Any]:
    try:
        described = json.loads(path.read_bytes())
        if isinstance(described, dict) and type(described.get("matches")) is int:
            return described
    except ValueError:
        pass
    raise Malformed(f"{path}: this is not the plan of an arena")


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
