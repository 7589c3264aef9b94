"""The server's log on standard error: one line per event, as text or as JSON.

An event is a message with named values, given as `extra={"event": {…}}`. They contain nothing that
a client sent except the path of its request: no query, body, cookie or secret.
"""

import logging
import sys
import time
from datetime import UTC, datetime
from typing import TextIO

import orjson

from holmgang.games.shape import JsonObject, printable


class JsonLines(logging.Formatter):
    """One JSON object per line: at, level, from, message, and the values of the event."""

    def format(self, record: logging.LogRecord) -> str:
        line: JsonObject = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "message": record.getMessage(),
            **getattr(record, "event", {}),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return orjson.dumps(line, default=str).decode()


class PlainLines(logging.Formatter):
    """Time, message and values; the level only for warnings and errors."""

    def format(self, record: logging.LogRecord) -> str:
        clock = time.strftime("%H:%M:%S", time.localtime(record.created))
        level = f"{record.levelname.lower()}: " if record.levelno > logging.INFO else ""
        values = " ".join(f"{key}={value}" for key, value in getattr(record, "event", {}).items())
        line = printable(" ".join(filter(None, [clock, level + record.getMessage(), values])))
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def set_up_logs(*, as_json: bool, stream: TextIO | None = None) -> None:
    """Sends this program's log, and warnings of libraries, to standard error."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if as_json else PlainLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("holmgang").setLevel(logging.INFO)
    # What it logs is logged by front.py too, without the query of a request; and a client could
    # fill the log with tracebacks by sending text that is not UTF-8.
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
    logging.getLogger("uvicorn.access").disabled = True
