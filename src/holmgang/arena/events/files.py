"""Small files that are there whole or not at all."""

import os
from contextlib import suppress
from pathlib import Path

from holmgang.errors import UsageError


def write_whole(path: Path, text: str) -> None:
    """Puts the text in the place of the file at once, and on the disk before anything that follows.

    Raises UsageError.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
