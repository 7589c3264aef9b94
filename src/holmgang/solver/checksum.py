"""The checksum of a file that is a line of JSON and a body, kept in that line."""

import json
import zlib
from typing import Any


def checksum(header: dict[str, Any], *parts: Any) -> int:
    """CRC-32 of the header, but for the checksum itself, and of all parts of the body in turn."""
    others = {name: value for name, value in header.items() if name != "checksum"}
    total = zlib.crc32(json.dumps(others, separators=(",", ":")).encode() + b"\n")
    for part in parts:
        total = zlib.crc32(part, total)
    return total
