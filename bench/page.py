"""What the pages of results have in common: how they begin, and tables."""

import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from holmgang.version import VERSION


def made_of() -> list[str]:
    """When, of what, and on what machine."""
    return [
        f"- {datetime.now(UTC):%Y-%m-%d}, Holmgang {VERSION} at commit {commit_of(Path())}",
        f"- {processor()}, {os.cpu_count()} cores, Python {platform.python_version()}",
    ]


def commit_of(folder: Path) -> str:
    command = ["git", "-C", str(folder), "describe", "--always", "--dirty", "--exclude=*"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows), ""]


def replace_section(title: str, lines: list[str]) -> None:
    """Puts the section into bench/RESULTS.md: in the place of the one with that title, or last."""
    path = Path(__file__).with_name("RESULTS.md")
    before, _, rest = path.read_text().partition(f"## {title}\n")
    _, found, after = rest.partition("\n## ")
    parts = [before, "\n".join(lines), f"## {after}" if found else ""]
    path.write_text("\n\n".join(part.strip("\n") for part in parts if part) + "\n")
