"""The files of the browser client: nothing from elsewhere, nothing that the content security policy
forbids, and a first page that is small.
"""

import gzip
import json
import re
from pathlib import Path

import pytest

from holmgang.games.svg import page_style
from holmgang.web.pages import STATIC

VENDOR = STATIC / "vendor"
INDEX = (STATIC / "index.html").read_text("utf-8")
OWN = [
    path
    for path in sorted(STATIC.rglob("*"))
    if path.suffix in (".js", ".css", ".html", ".svg") and VENDOR not in path.parents
]
MOST_BYTES = 60_000
IMPORT_MAP = json.loads(
    re.findall(r'<script type="importmap">(.*?)</script>', INDEX, re.DOTALL)[0]
)["imports"]
IMPORT = re.compile(r"\bfrom\s*\"([^\"]+)\"")


def module_of(name: str, importer: Path) -> Path:
    if name.startswith("."):
        return (importer.parent / name).resolve()
    return STATIC / IMPORT_MAP[name].removeprefix("/static/")


def loaded_at_once(module: Path) -> set[Path]:
    """A module and all that it imports, except what it loads later with `import()`."""
    seen: set[Path] = set()
    waiting = [module]
    while waiting:
        module = waiting.pop()
        if module not in seen:
            seen.add(module)
            names = IMPORT.findall(module.read_text("utf-8"))
            waiting += [module_of(name, module) for name in names]
    return seen


# Nothing from elsewhere, nothing inline


@pytest.mark.parametrize("path", OWN, ids=lambda path: str(path.relative_to(STATIC)))
def test_nothing_is_loaded_from_elsewhere(path):
    text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
    assert re.findall(r"(?:https?:)?//[a-z0-9-]+\.[a-z]", text) == []


def test_only_the_import_map_is_inline():
    inline = re.findall(r"<script(?![^>]*\ssrc=)([^>]*)>", INDEX)
    assert [each.strip() for each in inline] == ['type="importmap"']
    assert "<style" not in INDEX


@pytest.mark.parametrize("path", OWN, ids=lambda path: str(path.relative_to(STATIC)))
def test_no_style_is_written_in_markup(path):
    """An object is set through the style's properties, which the policy allows."""
    if path.suffix in (".js", ".html"):
        assert re.findall(r"\sstyle=(?!\$\{\{)", path.read_text("utf-8")) == []


def test_html_is_inserted_for_boards_and_rulebooks_only():
    inserting = re.compile(r"[iI]nnerHTML|insertAdjacentHTML|outerHTML|document\.write|__html")
    found = {
        path.relative_to(STATIC).as_posix(): inserting.findall(path.read_text("utf-8"))
        for path in OWN
    }
    assert {name: set(hits) for name, hits in found.items() if hits} == {
        "board.js": {"innerHTML"},
        "dialog.js": {"InnerHTML", "__html"},
    }


# The first page


def test_the_first_page_is_small():
    """HTML, scripts, style sheets and vendored modules, compressed one by one as they are sent."""
    files = {STATIC / "index.html", STATIC / "theme.js", *loaded_at_once(STATIC / "app.js")}
    files |= {STATIC / name for name in re.findall(r'href="/static/(css/[^"]+)"', INDEX)}
    contents = [path.read_bytes() for path in sorted(files)] + [page_style().encode()]
    assert sum(len(gzip.compress(content, 9)) for content in contents) <= MOST_BYTES


def test_all_modules_of_the_first_page_are_fetched_at_once():
    """Without this the browser would learn of them one after the other."""
    preloaded = re.findall(r'<link rel="modulepreload" href="/static/([^"]+)"', INDEX)
    needed = {path.relative_to(STATIC).as_posix() for path in loaded_at_once(STATIC / "app.js")}
    assert sorted(preloaded) == sorted(needed - {"app.js"})
