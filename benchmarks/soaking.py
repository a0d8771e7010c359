"""Soak: half of a server's best load for a long time, to see whether memory or times grow.

Every move waits for the disk. A disk that pauses now and then shows in the 99th percentile of that
minute, whatever the server does. So the disk is also measured by itself in the same run, and the
verdict is about the p99 of a usual second.
"""

import argparse
import os
import statistics
import tempfile
import threading
import time
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks.crowds import MILLI, crowded, measured, play

SOAKED = "zashiki, SQLite"
PARTS = 10
THIRD = PARTS // 3
FLAT = 0.05
"""Memory is flat if it grows by at most this part from the first third to the last."""
STEADY = 1.5
"""The p99 of a usual second is steady if it grows at most by this factor between the thirds."""
MEBI = 1 << 20
BLOCK = bytes(4096)


class Disk(threading.Thread):
    """Writes a block to the servers' disk ten times per second, and times its fsync."""

    pause = 0.1

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.waits: list[float] = []
        self._is_over = threading.Event()

    def __enter__(self) -> "Disk":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self.join()

    def run(self) -> None:
        with tempfile.TemporaryFile(buffering=0) as file:
            while not self._is_over.wait(self.pause):
                file.seek(0)
                file.write(BLOCK)
                start = time.monotonic()
                os.fsync(file.fileno())
                self.waits.append((time.monotonic() - start) * MILLI)

    def longest(self) -> float:
        """Return the longest fsync since the last call, in milliseconds."""
        waits, self.waits = self.waits, []
        return max(waits, default=0.0)


@dataclass
class Part:
    """The figures of a tenth of the soak. Times are in milliseconds."""

    moves: float
    p50: float
    p99: float
    usual: float
    """p99 of a usual second."""
    memory: float
    """MiB."""
    disk: float
    """The longest fsync of the block that `Disk` writes."""


async def soak(seconds: float, half: int, chosen: argparse.Namespace) -> dict[str, Any]:
    """Load `half` tables for some seconds, in ten parts. Return the figures for `--json`."""
    parts: list[Part] = []
    with Disk() as disk:
        async with crowded(SOAKED, chosen) as (server, load):
            await play(load, half, chosen.pace, chosen.warm_up)
            for number in range(1, PARTS + 1):
                disk.longest()
                rung = await measured(server, load, half, chosen.pace, seconds / PARTS)
                memory = server.resident() / MEBI
                part = Part(rung.moves, rung.p50, rung.p99, rung.usual, memory, disk.longest())
                parts.append(part)
                print(
                    f"  {number * seconds / PARTS:6.0f} s: {part.moves:7.0f} moves per second, "
                    f"p50 {part.p50:6.1f} ms, p99 {part.p99:7.1f} ms, in a usual second "
                    f"{part.usual:6.1f} ms, the disk by itself up to {part.disk:6.1f} ms, "
                    f"{memory:7.1f} MiB, load {rung.load}",
                    flush=True,
                )
    first, last = ends([part.memory for part in parts])
    early, late = ends([part.usual for part in parts])
    a_minute = (last - first) / (seconds * (PARTS - THIRD) / PARTS) * 60
    is_flat, is_steady = last <= first * (1 + FLAT), late <= early * STEADY
    print(
        f"  memory {'is flat' if is_flat else 'grows'}: {first:.1f} to {last:.1f} MiB, "
        f"{a_minute:+.2f} MiB per minute; p99 of a usual second "
        f"{'does not grow' if is_steady else 'grows'}: {early:.1f} to {late:.1f} ms"
    )
    return {
        "parts": [asdict(part) for part in parts],
        "flat": is_flat,
        "steady": is_steady,
        "MiB a minute": a_minute,
    }


def ends(values: list[float]) -> tuple[float, float]:
    """Return the medians of the first third and of the last."""
    return statistics.median(values[:THIRD]), statistics.median(values[-THIRD:])
