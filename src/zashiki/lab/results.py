"""Results of a long run in a folder: appended match by match, and resumable after a kill.

`plan.json` says what is played. `matches.jsonl` has a line of JSON for each finished match, in the
order in which the matches ended. The operating system gets a line as soon as its match is over, so
the line survives a killed process. While matches end, lines are synced to disk once per second. A
kill can leave part of a line at the end of the file, which is removed. Any other line that is not a
match of the plan is an error. Lines instead of a database, because other programs can read them
during the run.
"""

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, ClassVar, Generic, Protocol, TypeVar

from zashiki.core.files import write_atomically
from zashiki.core.rulings import Malformed, quoted
from zashiki.lab.simulate import checked_count

try:
    import fcntl
except ImportError:  # Windows: a second writer is not noticed
    fcntl = None  # type: ignore[assignment]

PLAN = "plan.json"
MATCHES = "matches.jsonl"
SYNC_SECONDS = 1.0
MAX_MATCHES = 10_000_000
"""Matches per plan: the offset of each line is kept in memory."""
MAX_NUMBER = 1e15
"""Bound of every score and time."""
UNREADABLE = (ValueError, TypeError, KeyError, RecursionError)
"""Raised by reading JSON that is not what it should be."""
REMEDY = "restore the file, or use another folder"


class Result(Protocol):
    """The result of one match."""

    @property
    def match(self) -> int: ...

    def to_json(self) -> dict[str, Any]: ...


R = TypeVar("R", bound=Result)
R_co = TypeVar("R_co", bound=Result, covariant=True)


class RunPlan(Protocol[R_co]):
    """A plan whose results can be kept."""

    kind: ClassVar[str]
    """Noun for a run in error messages."""

    @property
    def matches(self) -> int: ...

    def described(self) -> dict[str, Any]:
        """All that makes results comparable, ready for JSON."""
        ...

    def parse(self, values: dict[str, Any]) -> R_co:
        """Reverse `Result.to_json`; raises one of UNREADABLE for values that no match can have."""
        ...


class Results(Generic[R]):
    """The results that a run has so far, by the number of the match."""

    def __init__(self, plan: RunPlan[R], file: BinaryIO) -> None:
        self.plan = plan
        self.file = file
        """Opened for reading and appending."""
        self.offsets: dict[int, int] = {}
        """Offset in the file of the line of each match."""
        self.end = 0
        self.synced = time.monotonic()

    def __contains__(self, match: int) -> bool:
        return match in self.offsets

    def __len__(self) -> int:
        return len(self.offsets)

    def __getitem__(self, match: int) -> R:
        self.file.seek(self.offsets[match])
        return self.plan.parse(json.loads(self.file.readline()))

    def missing(self) -> Iterator[int]:
        """Number the matches without a result, lazily: there may be millions."""
        return (match for match in range(self.plan.matches) if match not in self)

    def in_order(self, matches: int) -> Iterator[R]:
        """Read the results of the first `matches` matches, in the order of their numbers."""
        return (self[match] for match in range(matches))

    def append(self, result: R) -> None:
        line = json.dumps(result.to_json(), separators=(",", ":")).encode() + b"\n"
        self.file.write(line)
        self.file.flush()
        self.offsets[result.match] = self.end
        self.end += len(line)
        if time.monotonic() - self.synced > SYNC_SECONDS:
            self.sync()

    def sync(self) -> None:
        os.fsync(self.file.fileno())
        self.synced = time.monotonic()

    def load(self) -> None:
        """Find all lines, and cut off an incomplete one at the end of the file."""
        self.file.seek(0)
        for number, line in enumerate(self.file, start=1):
            try:
                self.offsets[self.checked_match(line)] = self.end
            except UNREADABLE:
                if not is_complete(line) and not self.file.read(1):
                    break
                expected = f"expected a match of the plan, and each only once; {REMEDY}"
                raise Malformed(f"{self.file.name}: line {number} is damaged: {expected}") from None
            self.end += len(line)
        self.file.truncate(self.end)

    def checked_match(self, line: bytes) -> int:
        """Number of the match that a line describes; raises one of UNREADABLE."""
        values = json.loads(line)
        match = whole_number(values["match"], 0, self.plan.matches - 1)
        self.plan.parse(values)
        if match in self or not line.endswith(b"\n"):
            raise ValueError
        return match


def is_complete(line: bytes) -> bool:
    """Tell a line that a kill interrupted from one that says something wrong."""
    try:
        json.loads(line)
    except UNREADABLE:
        return False
    return line.endswith(b"\n")


# The folder ------------------------------------------------------------------------------------


@contextmanager
def opened(folder: Path | None, plan: RunPlan[R]) -> Iterator[Results[R]]:
    """Open the results of a plan in a folder, new or begun before; None: in a temporary folder."""
    if folder is None:
        with (
            TemporaryDirectory(prefix=f"zashiki-{plan.kind}-") as temporary,
            opened(Path(temporary), plan) as results,
        ):
            yield results
        return
    with open_locked(folder, plan.kind) as file:
        agree_on_plan(folder, plan)
        results = Results(plan, file)
        results.load()
        try:
            yield results
        finally:
            results.sync()


def open_locked(folder: Path, kind: str) -> BinaryIO:
    """Open the file of results, and let no other process do the same while it is open."""
    try:
        folder.mkdir(exist_ok=True)
        names = {path.name for path in folder.iterdir() if not path.name.startswith(".")}
        if names - {MATCHES} and PLAN not in names:
            raise Malformed(f"{folder}: holds other files; use a new or empty folder")
        file = (folder / MATCHES).open("a+b")
    except OSError as fault:
        raise Malformed(f"{folder}: {fault.strerror or fault}") from None
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        reason = f"another {kind} is writing there; wait for its end, or use another folder"
        raise Malformed(f"{folder}: {reason}") from None
    return file


def agree_on_plan(folder: Path, plan: RunPlan[Any]) -> None:
    """Write the plan into the folder, unless another one is there. Matches may be added.

    A process that was killed before it wrote its plan has no results either.
    """
    path, matches = folder / PLAN, folder / MATCHES
    if path.exists():
        check_same_plan(path, plan)
    elif matches.stat().st_size:
        raise Malformed(f"{matches}: {PLAN} is missing, so the plan is not known; {REMEDY}")
    text = json.dumps(plan.described(), indent=2, ensure_ascii=False)
    write_atomically(path, text.encode() + b"\n")


def check_same_plan(path: Path, plan: RunPlan[Any]) -> None:
    try:
        before = json.loads(path.read_bytes())
        matches = whole_number(before["matches"], 1)
        others = "; ".join(differences(before, plan.described()))
    except UNREADABLE:
        raise Malformed(f"{path}: expected the plan of an earlier {plan.kind}; {REMEDY}") from None
    if others:
        remedy = "use the same plan, or another folder"
        raise Malformed(f"{path.parent}: holds another {plan.kind} ({others}); {remedy}")
    if matches > plan.matches:
        found = f"expected at least its {matches} matches, found {plan.matches}"
        raise Malformed(f"{path.parent}: holds a longer {plan.kind}: {found}")


def differences(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Compare all parts of two plans but the number of matches: a phrase for each difference."""
    names = [name for name in {**after, **before} if name != "matches"]
    parts = [(name, before.get(name), after.get(name)) for name in names]
    return [
        f"{name} {shown(name, old)}, not {shown(name, new)}"
        for name, old, new in parts
        if comparable(name, old) != comparable(name, new)
    ]


def comparable(name: str, part: Any) -> object:
    """A part of a plan, without the paths of bots: their content matters."""
    return [(bot["name"], bot["sha256"]) for bot in part] if name == "bots" else part


def shown(name: str, part: Any) -> str:
    """A part of a plan, short enough for a message."""
    if name != "bots":
        return quoted(part)
    hashes = [f" ({bot['sha256'][:8]})" if bot["sha256"] else "" for bot in part]
    return ",".join(bot["name"] + short for bot, short in zip(part, hashes, strict=True))


# Values in a line ------------------------------------------------------------------------------


def whole_number(value: object, least: int, most: int | None = None) -> int:
    if type(value) is not int or value < least or (most is not None and value > most):
        raise ValueError
    return value


def number(value: object, least: float = -MAX_NUMBER) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError
    if not least <= value <= MAX_NUMBER:
        raise ValueError
    return value


def items(value: object, count: int | None = None) -> list[Any]:
    """A list; of `count` items, unless that is None."""
    if not isinstance(value, list) or (count is not None and len(value) != count):
        raise ValueError
    return value


def ranking(value: object, seats: int) -> tuple[int, ...]:
    """The rank of each seat: one more than the number of seats that were better."""
    ranks = [whole_number(rank, 1, seats) for rank in items(value, seats)]
    if any(rank != 1 + sum(other < rank for other in ranks) for rank in ranks):
        raise ValueError
    return tuple(ranks)


def checked_matches(matches: object) -> int:
    """The number of matches, unless a plan may not have as many."""
    count = checked_count("matches", matches)
    if count > MAX_MATCHES:
        raise Malformed(f"matches {quoted(count)}: expected at most {MAX_MATCHES:,}")
    return count
