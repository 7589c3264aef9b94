"""Pages and files of the browser client, and the rules as HTML."""

import base64
import gzip
import hashlib
import re

import pytest
from starlette.datastructures import Headers

from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import load
from holmgang.players import KINDS
from holmgang.players.ladder import LADDER
from holmgang.web.api.games import describe
from holmgang.web.pages import PAGES, Pages, answer, inline_script_hashes, takes_gzip
from holmgang.web.rules_page import html_of, rules_html

IMPORT_MAP = '{"imports":{"preact":"/static/preact.js"}}'
STYLES = "".join(f'<link rel="stylesheet" href="/static/{name}.css" />\n' for name in "ab")
INDEX = f"""<!doctype html><title>x</title><script src="/static/a.js"></script>
{STYLES}<script type="importmap">{IMPORT_MAP}</script>
<script type="module" src="/static/app.js"></script>
"""


SCRIPT = """/**
 * A comment.
 */
const a = /** @type {any} */ (1);
  // Another.
/** @type {any} */ (a).b("/* no comment */"); /* nor this */
const path = "//"; // neither
"""


@pytest.fixture
def pages(tmp_path):
    (tmp_path / "vendor").mkdir()
    (tmp_path / "index.html").write_text(INDEX)
    (tmp_path / "app.js").write_text(SCRIPT * 20)
    (tmp_path / "a.css").write_text("/* a */\na {}\n")
    (tmp_path / "b.css").write_text("b {}\n")
    (tmp_path / "vendor" / "small.js").write_text("1")
    (tmp_path / ".secret").write_text("hidden")
    (tmp_path.parent / "outside.js").write_text("outside")
    return Pages(tmp_path, ".board{}")


def test_the_hash_of_the_import_map_is_in_the_policy(pages):
    sent = IMPORT_MAP.replace("/static/", f"/static/{pages.version}/")
    expected = base64.b64encode(hashlib.sha256(sent.encode()).digest()).decode()
    assert pages.script_hashes == [expected]


def test_scripts_with_a_source_have_no_hash():
    assert inline_script_hashes(b'<script type="module" src="/x.js"></script>') == []


def test_files_are_named_by_the_hash_of_all_and_need_not_be_asked_for_again(pages, tmp_path):
    index = pages.index(Headers({})).body.decode()
    named = re.findall(r'"/static/([^"]+)"', index)
    assert f"{pages.version}/app.js" in named
    for name in named:
        assert name.startswith(f"{pages.version}/")
    lasting = pages.answer(f"{pages.version}/app.js", Headers({}))
    assert lasting.headers["cache-control"] == "max-age=31536000, immutable"
    for name in ("app.js", "0123456789ab/app.js"):  # by its name alone, and of another version
        given = pages.answer(name, Headers({}))
        assert given.body == lasting.body
        assert given.headers["cache-control"] == "no-cache"
    assert pages.answer(f"{pages.version}/nothing.js", Headers({})) is None
    (tmp_path / "b.css").write_text("b { color: red }\n")
    assert Pages(tmp_path, ".board{}").version != pages.version


def test_the_style_sheets_of_the_first_page_are_one_file(pages):
    index = pages.index(Headers({})).body.decode()
    assert re.findall(r"/([a-z]+\.css)", index) == ["first.css"]
    assert pages.find("first.css").content == b"\na {}\n\nb {}\n"


def test_comments_on_lines_of_their_own_are_not_sent(pages):
    assert pages.find("app.js").content.decode() == (
        "\n\n\nconst a = /** @type {any} */ (1);\n\n"
        '/** @type {any} */ (a).b("/* no comment */"); /* nor this */\n'
        'const path = "//"; // neither\n' * 20
    )


def test_files_are_compressed_if_that_helps(pages):
    large, small = pages.find("app.js"), pages.find("vendor/small.js")
    given = answer(large, Headers({"accept-encoding": "gzip, br"}))
    assert given.headers["content-encoding"] == "gzip"
    assert gzip.decompress(given.body) == large.content
    plain = answer(large, Headers({}))
    assert "content-encoding" not in plain.headers
    assert plain.body == large.content
    assert "content-encoding" not in answer(small, Headers({"accept-encoding": "gzip"})).headers
    for each in (given, plain):
        assert each.headers["vary"] == "Accept-Encoding"
        assert each.headers["content-type"] == "text/javascript; charset=utf-8"


def test_a_file_that_is_known_is_not_sent_again(pages):
    file = pages.find("app.js")
    for known in (file.etag, file.etag.removeprefix("W/"), f'"other", {file.etag}', "*"):
        given = answer(file, Headers({"if-none-match": known}))
        assert (given.status_code, given.body) == (304, b"")
        assert given.headers["etag"] == file.etag
        assert given.headers["cache-control"] == "no-cache"
    assert answer(file, Headers({"if-none-match": '"other"'})).status_code == 200


@pytest.mark.parametrize(
    "path",
    ["../outside.js", "vendor/../../outside.js", "/etc/passwd", ".secret", "vendor", "", "."],
)
def test_no_path_leads_out_of_the_folder(pages, path):
    assert pages.find(path) is None


@pytest.mark.parametrize(
    ("accepted", "is_taken"),
    [
        ("gzip", True),
        ("GZIP;q=0.5", True),
        ("*", True),
        ("br", False),
        ("gzip;q=0", False),
        ("gzip; q=0.000", False),
        ("identity, *;q=0", False),
    ],
)
def test_accepted_encodings(accepted, is_taken):
    assert takes_gzip(accepted) is is_taken


# Through the server


@pytest.mark.parametrize("page", PAGES)
def test_every_page_is_the_client(server, page):
    with server.program() as program:
        index = program.get("/")
        path = page.replace("{id}", "abc").replace("{name}", "bagh:max_boost=4")
        shown = program.get(path)
        assert (shown.status_code, shown.content) == (200, index.content)
        assert shown.headers["content-type"] == "text/html; charset=utf-8"
        assert program.head(path).status_code == 200


def test_a_page_that_is_not_there(server):
    with server.program() as program:
        browser = program.get("/nothing", headers={"Accept": "text/html,*/*"})
        assert browser.status_code == 404
        assert browser.content == program.get("/").content
        other = program.get("/nothing")
        assert (other.status_code, other.json()["error"]["code"]) == (404, "not found")
        api = program.get("/api/nothing", headers={"Accept": "text/html"})
        assert api.json()["error"]["code"] == "not found"


def test_the_style_of_boards(server):
    with server.program() as program:
        style = program.get("/static/board.css")
        assert style.headers["content-type"] == "text/css; charset=utf-8"
        assert ".board" in style.text
        again = program.get("/static/board.css", headers={"If-None-Match": style.headers["etag"]})
        assert again.status_code == 304


@pytest.mark.parametrize("path", ["../app.py", "..%2fapp.py", "%2e%2e/app.py", "..%5capp.py"])
def test_nothing_else_of_the_package_is_served(server, path):
    with server.program() as program:
        assert program.get(f"/static/{path}").status_code == 404


def test_no_page_of_the_framework_is_served(server):
    with server.program() as program:
        for path in ("/docs", "/redoc", "/openapi.json"):
            assert program.get(path).status_code == 404


# Games and rules


def test_the_catalogue(server):
    with server.program() as program:
        given = program.get("/api/games")
        told = given.json()
        known = program.get("/api/games", headers={"If-None-Match": given.headers["etag"]})
    assert [game["name"] for game in told["games"]] == list(CATALOGUE)
    assert [level["name"] for level in told["levels"] if level["for_people"]] == list(LADDER)
    assert {level["name"]: level["line"] for level in told["levels"]} == {
        name: kind.summary for name, kind in KINDS.items()
    }
    variants = {game["name"]: (game["main"], game["variant"]) for game in told["games"]}
    assert variants["fencing"] == ("fencing", "Standard rules")
    assert variants["fencing-codingame"] == ("fencing", "CodinGame")
    for game in told["games"]:
        assert game["opponent"] == "beginner"
    measured = {game["name"]: game["ratings"] for game in told["games"] if game["ratings"]}
    assert "bagh" in measured
    for rated in measured.values():
        for seat in ("red", "blue"):
            steps = [rated[level][seat] for level in LADDER]
            assert steps == sorted(steps)
    assert told["bots"] == []
    assert known.status_code == 304


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_rule_has_a_meaning(name):
    described = describe(name)
    assert [rule for rule, told in described.rules.items() if not told.meaning] == []


@pytest.mark.parametrize("name", CATALOGUE)
def test_rules_as_html(name, server):
    html = rules_html(load(name))
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert "rule-1" in ids
    links = re.findall(r'href="#([^"]+)"', html)
    assert links
    assert set(links) <= set(ids)
    assert "<script" not in html
    assert "style=" not in html
    with server.program() as program:
        given = program.get(f"/api/games/{name}/rules")
    assert given.text == html
    assert given.headers["content-type"] == "text/html; charset=utf-8"


def test_html_in_rules_is_text():
    assert html_of("<script>x</script> [a](javascript:x)").count("<") == 2  # of the paragraph
