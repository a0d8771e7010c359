"""Records of strangers are judged in a process of its own: a forged one may take its time."""

import asyncio
import sys
from typing import Final

import msgspec

from zashiki.core.verify import verify
from zashiki.games import catalogue
from zashiki.server.problems import Problem
from zashiki.server.wire import Verified

RUN: Final = "from zashiki.server.judges import main; main()"
SECONDS: Final = 20.0
AT_ONCE: Final = 2
WAITING: Final = 10


class Judges:
    """So many at once, and so many who wait; the others are told to come again."""

    def __init__(self, seconds: float = SECONDS, waiting: int = WAITING) -> None:
        self._free = asyncio.Semaphore(AT_ONCE)
        self._seconds = seconds
        self._most = waiting
        self._waiting = 0

    async def judge(self, record: str) -> Verified:
        if self._waiting >= self._most:
            text = "too many records are being verified: try again soon"
            raise Problem(503, "busy", text, {"retry_after": 5})
        self._waiting += 1
        try:
            async with self._free:
                return await self._ask(msgspec.json.encode(record))
        finally:
            self._waiting -= 1

    async def _ask(self, record: bytes) -> Verified:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", RUN,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        try:
            async with asyncio.timeout(self._seconds):
                answer, _ = await process.communicate(record)
        except TimeoutError:
            text = "this record takes too long to verify: `zashiki verify` has all the time"
            raise Problem(422, "too-hard", text) from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        return msgspec.json.decode(answer, type=Verified)


def main() -> None:
    """In that process: a record comes in, as a JSON text, and the findings go out."""
    record = msgspec.json.decode(sys.stdin.buffer.read(), type=str)
    report = verify(record, catalogue())
    findings = {
        name: {"verdict": found.verdict.value, "text": found.text, "line": found.line}
        for name, found in [
            ("chain", report.chain), ("seed", report.seed), ("rules", report.rules),
        ]
    }  # fmt: skip
    answer = {"ok": report.ok, **findings, "not_judged": report.not_judged}
    sys.stdout.buffer.write(msgspec.json.encode(answer))
