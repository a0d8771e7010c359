"""Verification of uploaded records in child processes, since a forged one may take very long."""

import asyncio
import os
import sys
from contextlib import suppress
from typing import Any, Final

import msgspec

from zashiki.core.record import Broken, read_header, read_line
from zashiki.core.rulings import Malformed
from zashiki.core.verify import Report, unread, verify
from zashiki.core.witness import Witness, read_witness
from zashiki.games import catalogue
from zashiki.server.errors import ApiError
from zashiki.server.protocol.rest import Finding, Language, Verified

CHILD_CODE: Final = "from zashiki.server.ops.verification import main; main()"
MAX_CPU_SECONDS: Final = 20
"""Limit of a child's processor time, which does not depend on how busy the machine is."""
TIMEOUT_SECONDS: Final = 300.0
"""Limit of the time by the clock: a child has a low priority, and may have to wait long."""
MAX_PROCESSES: Final = 2
MAX_WAITING: Final = 10
NICENESS: Final = 10
MAX_MEMORY_BYTES: Final = 1024 * 1024 * 1024
"""Limit of a child's address space."""
TOO_HARD: Final = "this record takes too long to verify: use `zashiki verify`, which has no limit"


class VerificationPool:
    """Runs a bounded number of verifications, and refuses more when the queue is full."""

    def __init__(self, seconds: float = TIMEOUT_SECONDS, max_waiting: int = MAX_WAITING) -> None:
        self._free = asyncio.Semaphore(MAX_PROCESSES)
        self._seconds = seconds
        self._max_waiting = max_waiting
        self._waiting = 0

    async def verify(
        self, record: str, language: Language = "en", witness: dict[str, Any] | None = None
    ) -> Verified:
        """Verify a record. A text without a record's first or last line needs no process."""
        check_witness(witness)
        if not has_header(record):
            return verify_text(record, language)
        if not has_closing_line(record):
            return report_truncated(record, language)
        if self._waiting >= self._max_waiting:
            text = "too many records are being verified: try again in 5 s"
            raise ApiError(503, "busy", text, {"retry_after": 5})
        self._waiting += 1
        try:
            async with self._free:
                return await self._run(msgspec.json.encode((record, language, witness)))
        finally:
            self._waiting -= 1

    async def _run(self, request: bytes) -> Verified:
        """Run one verification in a child process, with a time limit."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", CHILD_CODE,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        try:
            async with asyncio.timeout(self._seconds):
                answer, _ = await process.communicate(request)
        except TimeoutError:
            raise ApiError(422, "too-hard", TOO_HARD) from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode != 0:
            raise ApiError(422, "too-hard", TOO_HARD)
        return msgspec.json.decode(answer, type=Verified)


def has_header(record: str) -> bool:
    try:
        read_header(read_line(1, record.partition("\n")[0]))
    except Broken:
        return False
    return True


def has_closing_line(record: str) -> bool:
    try:
        return "end" in read_line(0, record.removesuffix("\n").rpartition("\n")[2])
    except Broken:
        return False


def report_truncated(record: str, language: Language) -> Verified:
    line = record.removesuffix("\n").count("\n") + 1
    fault = Broken(line, "truncated: this is not the closing line", "truncated")
    return answer_for(unread(fault), language)


def check_witness(witness: dict[str, Any] | None) -> None:
    try:
        read_optional(witness)
    except Malformed as fault:
        raise ApiError(422, "malformed", str(fault)) from None


def read_optional(witness: dict[str, Any] | None) -> Witness | None:
    return None if witness is None else read_witness(witness)


def verify_text(record: str, language: Language, witness: dict[str, Any] | None = None) -> Verified:
    return answer_for(verify(record, catalogue(), read_optional(witness)), language)


def answer_for(report: Report, language: Language) -> Verified:
    """Put a report into words."""
    chain, seed, rules, nonces = (
        Finding(found.verdict.value, found.words(language), found.line) for found in report.answers
    )
    return Verified(report.ok, chain, seed, rules, nonces, report.verdict.value, report.not_judged)


def main() -> None:
    """Read a record, a language and a witness as JSON from stdin; write the answer to stdout."""
    limit_resources()
    request = tuple[str, Language, dict[str, Any] | None]
    record, language, witness = msgspec.json.decode(sys.stdin.buffer.read(), type=request)
    sys.stdout.buffer.write(msgspec.json.encode(verify_text(record, language, witness)))


def limit_resources() -> None:
    """Lower this process's priority, and limit its processor time and memory, where possible."""
    with suppress(AttributeError, OSError):
        os.nice(NICENESS)
    with suppress(ImportError):
        from resource import RLIMIT_AS, RLIMIT_CPU, setrlimit

        for limit, most in ((RLIMIT_CPU, MAX_CPU_SECONDS), (RLIMIT_AS, MAX_MEMORY_BYTES)):
            with suppress(OSError, ValueError):
                setrlimit(limit, (most, most))
