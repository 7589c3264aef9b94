"""Plain output: lines, and JSON for programs."""

import json
import sys
from typing import Any


def print_line(text: str) -> None:
    sys.stdout.write(text + "\n")


def print_json(value: Any) -> None:
    print_line(json.dumps(value))
