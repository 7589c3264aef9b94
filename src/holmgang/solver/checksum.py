"""The checksum and the origin in the headers of the solver's files."""

import json
import zlib
from array import array
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import TypedDict

from holmgang.errors import RulesetError
from holmgang.games.code import modules_digest
from holmgang.games.ruleset import Ruleset


class Origin(TypedDict):
    """The origin of a file's content: the ruleset, and the code of the rules and the solver."""

    ruleset: str
    ruleset_hash: str
    rules_code: str
    solver_code: str


def checksum(
    header: Mapping[str, object], *parts: "bytes | memoryview | array[int] | array[float]"
) -> int:
    """CRC-32 of the header, without the checksum itself, and of all parts of the body."""
    others = {name: value for name, value in header.items() if name != "checksum"}
    total = zlib.crc32(json.dumps(others, separators=(",", ":")).encode() + b"\n")
    for part in parts:
        total = zlib.crc32(part, total)
    return total


def origin(ruleset: Ruleset, *solver: ModuleType) -> Origin:
    return {
        "ruleset": ruleset.text,
        "ruleset_hash": ruleset.hash,
        "rules_code": ruleset.code,
        "solver_code": modules_digest(*solver),
    }


def check_origin(header: Origin, right: Origin, path: Path) -> None:
    """Raises `RulesetError` if the file has another origin."""
    if header["ruleset_hash"] != right["ruleset_hash"]:
        raise RulesetError(f"{path} was solved for different rules of {right['ruleset']}")
    codes = header["rules_code"], header["solver_code"]
    if codes != (right["rules_code"], right["solver_code"]):
        raise RulesetError(
            f"{path} was computed by another version of the code; rebuild it with holmgang solve"
        )
