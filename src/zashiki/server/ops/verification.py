"""Records of strangers are judged in a process of its own: a forged one may take its time."""

import asyncio
import os
import sys
from contextlib import suppress
from typing import Final

import msgspec

from zashiki.core.record import Broken, read_header, read_line
from zashiki.core.verify import Report, unread, verify
from zashiki.games import catalogue
from zashiki.server.errors import ApiError
from zashiki.server.protocol.rest import Finding, Language, Verified

RUN: Final = "from zashiki.server.ops.verification import main; main()"
SECONDS: Final = 20.0
AT_ONCE: Final = 2
WAITING: Final = 10
NICE: Final = 10
MEMORY: Final = 1024 * 1024 * 1024
"""So many bytes of addresses a judge may have."""
TOO_HARD: Final = "this record takes too long to verify: `zashiki verify` has all the time"


class VerificationPool:
    """So many at once, and so many who wait; the others are told to come again."""

    def __init__(self, seconds: float = SECONDS, waiting: int = WAITING) -> None:
        self._free = asyncio.Semaphore(AT_ONCE)
        self._seconds = seconds
        self._most = waiting
        self._waiting = 0

    async def judge(self, record: str, language: Language = "en") -> Verified:
        """Three findings. What does not begin and end like a record is not worth a process."""
        if not begins_well(record):
            return findings(record, language)
        if not ends_well(record):
            return cut_short(record, language)
        if self._waiting >= self._most:
            text = "too many records are being verified: try again soon"
            raise ApiError(503, "busy", text, {"retry_after": 5})
        self._waiting += 1
        try:
            async with self._free:
                return await self._ask(msgspec.json.encode((record, language)))
        finally:
            self._waiting -= 1

    async def _ask(self, asked: bytes) -> Verified:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", RUN,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        try:
            async with asyncio.timeout(self._seconds):
                answer, _ = await process.communicate(asked)
        except TimeoutError:
            raise ApiError(422, "too-hard", TOO_HARD) from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode != 0:
            raise ApiError(422, "too-hard", TOO_HARD)
        return msgspec.json.decode(answer, type=Verified)


def begins_well(record: str) -> bool:
    try:
        read_header(read_line(1, record.partition("\n")[0]))
    except Broken:
        return False
    return True


def ends_well(record: str) -> bool:
    try:
        return "end" in read_line(0, record.removesuffix("\n").rpartition("\n")[2])
    except Broken:
        return False


def cut_short(record: str, language: Language) -> Verified:
    line = record.removesuffix("\n").count("\n") + 1
    fault = Broken(line, "truncated: this is not the closing line", "truncated")
    return in_words(unread(fault), language)


def findings(record: str, language: Language) -> Verified:
    return in_words(verify(record, catalogue()), language)


def in_words(report: Report, language: Language) -> Verified:
    chain, seed, rules = (
        Finding(found.verdict.value, found.words(language), found.line)
        for found in (report.chain, report.seed, report.rules)
    )
    return Verified(report.ok, chain, seed, rules, report.not_judged)


def main() -> None:
    """In that process: a record and a language come in, as JSON, and the findings go out."""
    stand_back()
    record, language = msgspec.json.decode(sys.stdin.buffer.read(), type=tuple[str, Language])
    sys.stdout.buffer.write(msgspec.json.encode(findings(record, language)))


def stand_back() -> None:
    """Players go first, and no record takes all the memory; where the system knows such things."""
    with suppress(AttributeError, OSError):
        os.nice(NICE)
    with suppress(ImportError, OSError, ValueError):
        from resource import RLIMIT_AS, setrlimit

        setrlimit(RLIMIT_AS, (MEMORY, MEMORY))
