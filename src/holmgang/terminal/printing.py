"""Plain output: lines, JSON for programs, and files."""

import json
import sys
from pathlib import Path

from holmgang.machine import write_whole

STANDARD_OUTPUT = Path("-")


def print_line(text: str) -> None:
    sys.stdout.write(text + "\n")


def print_json(value: object) -> None:
    print_line(json.dumps(value))


def write_text(target: Path, text: str) -> None:
    """Writes a file; `-` is standard output."""
    if target == STANDARD_OUTPUT:
        sys.stdout.write(text)
    else:
        write_whole(target, text)
