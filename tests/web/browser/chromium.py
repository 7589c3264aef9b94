"""The browser of the tests: Chromium as the system has it."""

import os
import shutil
from pathlib import Path

import pytest

WITHOUT = "HOLMGANG_WITHOUT_BROWSER"
KNOWN_PLACES = ("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = (
    "--no-sandbox",  # root, as in containers and in CI, cannot have Chromium's
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
AXE = Path(__file__).parents[3] / "node_modules" / "axe-core" / "axe.min.js"


def find_chromium() -> str:
    """The path of Chromium. Without it the test fails, or is skipped if that was asked for."""
    if os.environ.get(WITHOUT) == "1":
        pytest.skip(f"{WITHOUT}=1: the tests in a real browser are left out")
    found = next(filter(None, map(shutil.which, (*NAMES, *KNOWN_PLACES))), None)
    if found is None:
        pytest.fail(
            "Chromium is not installed, and these tests need a real browser. Debian, Ubuntu: "
            f"apt install chromium. To leave them out: {WITHOUT}=1 make test",
            pytrace=False,
        )
    return found


def read_axe() -> str:
    """The script of axe-core, which finds barriers in a page."""
    if not AXE.is_file():
        pytest.fail(
            "axe-core is not installed, and the tests of accessibility need it: "
            "npm ci, in the folder of the project (Debian, Ubuntu: apt install npm)",
            pytrace=False,
        )
    return AXE.read_text()
