"""The process that reviews one match, at a low priority: servers and bots go first.

It reads the record from the server, and sends each review back, the first after a few seconds.
"""

import asyncio
import logging
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Final
from urllib.request import Request, urlopen

import msgspec

from zashiki.server.ops.logs import log
from zashiki.server.protocol.workers import REVIEWS

CHILD_CODE = "from zashiki.server.bots.review_process import main; main()"
NICENESS = 10
"""Scheduling priority of the process, on top of that of its worker."""
MAX_PASS_SECONDS: Final = 180.0
"""A review that is expected to take more processor time is not made."""
TIMEOUT_SECONDS: Final = 30.0
"""Time for one answer of the server."""


class ReviewJob(msgspec.Struct):
    """A match to review, and the server that wants it."""

    server: str
    token: str
    match: str
    playouts: int
    """Maximum number of playouts per decision of the first review."""


async def run_review(job: ReviewJob) -> None:
    """Review a match in a child process, which is ended if this is cancelled."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", CHILD_CODE,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stderr is not None
    try:
        process.stdin.write(msgspec.json.encode(job) + b"\n")
        told = await process.stderr.read()  # its input stays open: it ends with this process
        if await process.wait() != 0:
            reason = told.decode("utf-8", "replace").strip().rpartition("\n")[2]
            log(logging.WARNING, "review-failed", match=job.match, reason=reason)
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


# In the child process --------------------------------------------------------------------------


def main() -> None:
    """Read a job from standard input, and make and send reviews while the server wants them."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    job = msgspec.json.decode(sys.stdin.buffer.readline(), type=ReviewJob)
    threading.Thread(target=exit_at_end_of_input, daemon=True).start()
    record = send(job, None).decode()
    for review, is_finished in reviews(record, job.playouts):
        if not msgspec.json.decode(send(job, review, is_finished), type=bool):
            return


def reviews(record: str, playouts: int) -> Iterator[tuple[bytes, bool]]:
    """Yield reviews as JSON, and whether each is the last."""
    from zashiki.analysis.reviewing import FACTOR, MAX_PLAYOUTS, passes
    from zashiki.core import record as records
    from zashiki.core.match import replayed
    from zashiki.games import game_spec

    read = records.read(record)
    match = replayed(game_spec(read.header.game), read)
    before = time.process_time()
    for review in passes(match, playouts=min(playouts, MAX_PLAYOUTS)):
        now = time.process_time()
        is_finished = (
            review.playouts * FACTOR > MAX_PLAYOUTS or FACTOR * (now - before) > MAX_PASS_SECONDS
        )
        yield review.to_json().encode(), is_finished
        if is_finished:
            return
        before = now


def send(job: ReviewJob, review: bytes | None, is_finished: bool = False) -> bytes:
    """Send a review to the server, or read the record of the match."""
    query = "?finished=true" if is_finished else ""
    headers = {"Authorization": f"Bearer {job.token}", "Content-Type": "application/json"}
    url = f"{job.server}{REVIEWS}/{job.match}{query}"
    request = Request(url, review, headers)
    with urlopen(request, timeout=TIMEOUT_SECONDS) as answer:
        body: bytes = answer.read()
    return body


def exit_at_end_of_input() -> None:
    """End this process when the worker that started it is gone."""
    with suppress(OSError):
        while os.read(0, 1024):
            pass
    os._exit(1)
