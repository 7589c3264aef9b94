"""Uploaded records as they are stored: compressed, in one event."""

import base64
import zlib

from holmgang.engine import record as engine_records
from holmgang.engine.duel import Duel

PACKED_NAME = "the record"


def pack(text: str) -> str:
    """The text of a record, compressed, as text."""
    return base64.b85encode(zlib.compress(text.encode(), 9)).decode()


def unpack(packed: str) -> Duel:
    """The duel of a packed record. Raises `RecordError` if it cannot be replayed."""
    text = zlib.decompress(base64.b85decode(packed)).decode()
    return engine_records.replay(engine_records.parse(text, PACKED_NAME))
