"""The API reference: it has every public name, and the site builds without a network."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import holmgang

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


def test_the_reference_has_every_public_name():
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    listed = re.findall(r"auto(?:class|function|data):: holmgang\.(\w+)$", text, re.MULTILINE)
    assert sorted(listed) == sorted(set(holmgang.__all__) - {"__version__"})


@pytest.mark.parametrize("name", sorted(set(holmgang.__all__) - {"__version__", "CATALOGUE"}))
def test_every_public_name_has_a_docstring(name):
    assert (getattr(holmgang, name).__doc__ or "").strip()


@pytest.mark.parametrize("block", ["", "sys.modules['numpy'] = None; "])
def test_help_works_with_and_without_numpy(block):
    code = f"import sys; {block}import holmgang; help(holmgang)"
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert "exploitability(" in shown
    assert ("class Batch" in shown) == (not block)


def test_every_page_is_in_the_contents():
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    pages = {path.stem for path in DOCS.glob("*.md")} - {"index"}
    assert pages <= set(text.split())


@pytest.mark.slow
def test_the_site_builds(tmp_path):
    """Without warnings, and without loading anything from elsewhere."""
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", DOCS, tmp_path],
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    page = (tmp_path / "api.html").read_text(encoding="utf-8")
    assert 'id="holmgang.exploitability"' in page
    assert not re.search(r'(?:src|<link[^>]*href)="https?:', page)
