"""The log: one JSON object per line, without secrets.

An event has a name and fields from a short list. There is no field for tokens, seeds, cards, names
or chat. An exception is logged by its type and its place in the code. Its message is never logged,
because it may quote such data.
"""

import logging
import traceback
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

FIELDS: Final = (
    "table", "match", "player", "kind", "seat", "seats", "code", "status", "server", "store",
    "operator", "report", "until", "seconds",
)  # fmt: skip
LOGGER: Final = logging.getLogger("zashiki")
CLIENTS: Final = "uvicorn.clients"
"""The log of HTTP connections. A warning for each malformed request would fill the disk."""


class JsonLines(logging.Formatter):
    """Formats a log record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, Any] = {
            "time": at.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage() if record.exc_info is None else "fault",
        }
        if record.name == LOGGER.name:
            line["event"] = record.msg
            line |= {key: getattr(record, key) for key in FIELDS if hasattr(record, key)}
        if record.exc_info is not None and record.exc_info[1] is not None:
            line["fault"], line["at"] = place_of(record.exc_info[1])
        return msgspec.json.encode(line).decode()


def place_of(fault: BaseException) -> tuple[str, list[str]]:
    """Return the type of an exception and the functions that it passed through."""
    frames = traceback.extract_tb(fault.__traceback__)[-12:]
    return type(fault).__name__, [f"{frame.name}:{frame.lineno}" for frame in frames]


def log(level: int, event: str, fault: BaseException | None = None, **fields: Any) -> None:
    """Log an event. Only fields in `FIELDS` are accepted."""
    unknown = set(fields) - set(FIELDS)
    if unknown:
        raise TypeError(f"no field of a log: {', '.join(sorted(unknown))}")
    LOGGER.log(level, event, exc_info=fault, extra=fields)


def config(quiet: bool = False) -> dict[str, Any]:
    """Return the configuration for `logging.config`, which uvicorn applies when it starts."""
    ours, theirs = "WARNING" if quiet else "INFO", "WARNING"
    levels = {"zashiki": ours, "uvicorn": theirs, CLIENTS: "ERROR", "litestar": theirs}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": "zashiki.server.ops.logs.JsonLines"}},
        "handlers": {
            "err": {
                "class": "logging.StreamHandler",
                "formatter": "json",
                "stream": "ext://sys.stderr",
            }
        },
        "loggers": {
            name: {"handlers": ["err"], "level": level, "propagate": False}
            for name, level in levels.items()
        },
    }
