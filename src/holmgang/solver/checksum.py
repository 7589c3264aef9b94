"""What the first line of a file of the solver says of all of it: a checksum, and its origin."""

import json
import zlib
from pathlib import Path
from types import ModuleType
from typing import Any

from holmgang.errors import RulesetError
from holmgang.games.code import modules_digest
from holmgang.games.ruleset import Ruleset


def checksum(header: dict[str, Any], *parts: Any) -> int:
    """CRC-32 of the header, but for the checksum itself, and of all parts of the body in turn."""
    others = {name: value for name, value in header.items() if name != "checksum"}
    total = zlib.crc32(json.dumps(others, separators=(",", ":")).encode() + b"\n")
    for part in parts:
        total = zlib.crc32(part, total)
    return total


def origin(ruleset: Ruleset, *solver: ModuleType) -> dict[str, str]:
    """What decides the content of a file: the ruleset, and the code of the rules and the solver."""
    return {
        "ruleset": ruleset.text,
        "ruleset_hash": ruleset.hash,
        "rules_code": ruleset.code,
        "solver_code": modules_digest(*solver),
    }


def check_origin(header: dict[str, Any], right: dict[str, str], path: Path) -> None:
    """Raises `RulesetError` if the file has another origin."""
    if header.get("ruleset_hash") != right["ruleset_hash"]:
        raise RulesetError(f"{path} was solved for other rules of {right['ruleset']}")
    if any(header.get(name) != right[name] for name in ("rules_code", "solver_code")):
        raise RulesetError(
            f"{path} was computed by other code than this Holmgang's;"
            " rebuild it with holmgang solve"
        )
