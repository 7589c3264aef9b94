"""The vendored modules of the browser client: as they were published, with their licences."""

import hashlib
import json
import re
from pathlib import Path

import pytest

from holmgang.web.pages import STATIC

ROOT = Path(__file__).parents[2]
VENDOR = STATIC / "vendor"
VENDORED = json.loads((VENDOR / "vendor.json").read_text("utf-8"))


@pytest.mark.parametrize("module", VENDORED, ids=lambda module: str(module["file"]))
def test_vendored_modules_are_as_published(module):
    content = (VENDOR / module["file"]).read_bytes()
    assert hashlib.sha256(content).hexdigest() == module["sha256"]
    assert "LICENSE" in module["license_file"]
    assert len((VENDOR / module["license_file"]).read_text("utf-8")) > 500


def test_every_vendored_file_is_accounted_for():
    listed = {module["file"] for module in VENDORED}
    licences = {module["license_file"] for module in VENDORED}
    there = {path.name for path in VENDOR.iterdir()}
    assert there == listed | licences | {"vendor.json"}


def test_types_are_checked_against_the_vendored_versions():
    packages = json.loads((ROOT / "package-lock.json").read_text("utf-8"))["packages"]
    for module in VENDORED:
        assert packages[f"node_modules/{module['name']}"]["version"] == module["version"]


def test_the_lock_file_names_no_registry():
    assert '"resolved"' not in (ROOT / "package-lock.json").read_text("utf-8")


def test_the_import_map_names_vendored_files():
    index = (STATIC / "index.html").read_text("utf-8")
    files = set(re.findall(r'"/static/vendor/([^"]+)"[,}]', index))
    assert files == {module["file"] for module in VENDORED}
