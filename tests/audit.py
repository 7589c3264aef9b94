"""Known vulnerabilities in the pinned dependencies: `make audit`.

pip-audit says "no known vulnerabilities" also of packages that it could not ask about, so its
answer is read here. Exit codes: 0 all packages were asked about and none is known to be vulnerable,
1 some are, 2 it could not be found out.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PINS = ROOT / "requirements" / "dev.txt"  # which has everything that runtime.txt has
UNREACHABLE = "The service that knows of vulnerabilities cannot be reached; nothing was found out."


def ask(pins: Path) -> dict[str, Any] | None:
    """The answer of pip-audit about the packages; None if there is none."""
    asked = [
        Path(sys.executable).with_name("pip-audit"),
        "--require-hashes",
        "--disable-pip",
        "--format=json",
        "--progress-spinner=off",
        f"--requirement={pins}",
    ]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    try:
        answer: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        return None
    return answer


def report(answer: dict[str, Any] | None) -> tuple[list[str], int]:
    """What to say about an answer, and the exit code."""
    if answer is None:
        return [UNREACHABLE], 2
    packages = answer["dependencies"]
    lines = [
        f"{package['name']} {package['version']}: {found['id']}, fixed in "
        f"{', '.join(found['fix_versions']) or 'no version yet'}"
        for package in packages
        for found in package.get("vulns", [])
    ]
    skipped = [package["name"] for package in packages if "skip_reason" in package]
    if lines:
        return lines, 1
    if len(skipped) == len(packages):
        return [UNREACHABLE], 2
    if skipped:
        return [f"No answer about {', '.join(skipped)}; no vulnerability known in the others."], 2
    return [f"No vulnerability is known in {len(packages)} packages."], 0


def main() -> None:
    lines, code = report(ask(PINS))
    print(*lines, sep="\n")
    sys.exit(code)


if __name__ == "__main__":
    main()
