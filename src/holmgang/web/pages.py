"""The files of the browser client: read once, compressed once, and served from memory.

Every page address gets the same `index.html`; the client reads the address. It names the files with
a hash of all of them in their path, so that browsers need not ask for one again that they have, and
its style sheets as one. Only files that were read at the start can be found, so no path leads out
of their folder.
"""

import base64
import gzip
import hashlib
import mimetypes
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response

STATIC = Path(__file__).parent / "static"
PAGES = (
    "/",
    "/match/{id}",
    "/setup",
    "/watch",
    "/player/{name}",
    "/players",
    "/history",
    "/puzzles",
    "/puzzles/{id}",
    "/learn",
    "/learn/{ruleset}",
    "/rules",
    "/rules/{name}",
    "/sign-in",
    "/upload",
    "/explore",
    "/explore/{ruleset}",
)
INDEX = "index.html"
PREVIEW_PLACE = b"<!-- preview -->"
MOST_PREVIEWS = 100
BOARD_STYLE = "board.css"
FIRST_STYLE = "first.css"
"""The style sheets of `index.html` as one file."""
STYLE_LINK = re.compile(rb'[ \t]*<link rel="stylesheet" href="/static/([^"]+)" />\n')
COMMENT = re.compile(r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/[ \t]*|//[^\n]*)$", re.MULTILINE | re.DOTALL)
"""A comment of a script or a style sheet on lines of its own."""
INDENT = re.compile(r"^[ \t]+", re.MULTILINE)
LONG = "max-age=31536000, immutable"
VERSION = re.compile(r"[0-9a-f]{12}/")
SMALLEST_GZIP = 500  # bytes
TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}
INLINE_SCRIPT = re.compile(
    rb"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", re.DOTALL | re.IGNORECASE
)
MISSING = b"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Holmgang</title>
<h1>Holmgang</h1><p>The browser client is not installed. The server works: see /api/games.</p>
"""


@dataclass(frozen=True)
class StaticFile:
    content: bytes
    etag: str
    media_type: str

    @cached_property
    def gzipped(self) -> bytes | None:
        """None if it would not be smaller. It is compressed when it is first asked for: a server
        that had to compress all files would start more slowly.
        """
        if len(self.content) < SMALLEST_GZIP:
            return None
        small = gzip.compress(self.content, 9, mtime=0)
        return small if len(small) < len(self.content) else None


def make_file(name: str, content: bytes) -> StaticFile:
    kind = TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "text/plain"
    if kind.startswith("text/"):
        kind += "; charset=utf-8"
    return StaticFile(content, f'W/"{hashlib.sha256(content).hexdigest()[:16]}"', kind)


class Pages:
    """The files below `static/`, by their path there."""

    def __init__(self, folder: Path = STATIC, board_style: str = "") -> None:
        contents = {
            path.relative_to(folder).as_posix(): read_short(path)
            for path in sorted(folder.rglob("*"))
            if path.is_file() and not path.name.startswith(".")
        }
        contents.setdefault(INDEX, MISSING)
        if board_style:
            contents[BOARD_STYLE] = board_style.encode()
        join_styles(contents)
        whole = b"".join(name.encode() + content for name, content in sorted(contents.items()))
        self.version = hashlib.sha256(whole).hexdigest()[:12]
        contents[INDEX] = contents[INDEX].replace(
            b'"/static/', f'"/static/{self.version}/'.encode()
        )
        self._files = {name: make_file(name, content) for name, content in contents.items()}
        self.script_hashes = inline_script_hashes(self._files[INDEX].content)

    def find(self, name: str) -> StaticFile | None:
        """The file with that name, which may begin with a version. Pages that were loaded before
        the server was updated name an older one; they get what there is now.
        """
        return self._files.get(VERSION.sub("", name, count=1) if VERSION.match(name) else name)

    def answer(self, name: str, headers: Headers) -> Response | None:
        """The file as an answer; None if there is none."""
        file = self.find(name)
        if file is None:
            return None
        return answer(file, headers, is_lasting=name.startswith(f"{self.version}/"))

    def index(self, headers: Headers, status: int = 200, preview: str = "") -> Response:
        """The client's page, for any page address; with tags for the preview of a link."""
        file = self._files[INDEX]
        if preview:
            file = with_preview(file.content, preview)
        return answer(file, headers, status)


@lru_cache(MOST_PREVIEWS)
def with_preview(page: bytes, preview: str) -> StaticFile:
    return make_file(INDEX, page.replace(PREVIEW_PLACE, preview.encode(), 1))


def read_short(path: Path) -> bytes:
    """The content of a file; of own scripts and style sheets without comments and indentation,
    which would be a sixth of what the first page loads. Lines keep their numbers.
    """
    content = path.read_bytes()
    if path.suffix not in (".js", ".css") or path.parent.name == "vendor":
        return content
    bare = COMMENT.sub(lambda found: "\n" * found[0].count("\n"), content.decode())
    return INDENT.sub("", bare).encode()


def join_styles(contents: dict[str, bytes]) -> None:
    """Replaces the style sheets of the index with one file that has all of them."""
    names = [name.decode() for name in STYLE_LINK.findall(contents[INDEX])]
    if len(names) > 1 and all(name in contents for name in names):
        contents[FIRST_STYLE] = b"\n".join(contents[name] for name in names)
        link = f'    <link rel="stylesheet" href="/static/{FIRST_STYLE}" />\n'.encode()
        index = STYLE_LINK.sub(link, contents[INDEX], count=1)
        first = index.index(link) + len(link)
        contents[INDEX] = index[:first] + STYLE_LINK.sub(b"", index[first:])


def answer(
    file: StaticFile, headers: Headers, status: int = 200, *, is_lasting: bool = False
) -> Response:
    """A file as the answer to a request with these headers: compressed if the client accepts that,
    and without its content if the client already has it. What `is_lasting` need not be asked for
    again.
    """
    own = (
        {"Cache-Control": LONG} if is_lasting else {"ETag": file.etag, "Cache-Control": "no-cache"}
    )
    own["Vary"] = "Accept-Encoding"
    if status == 200 and is_known(file.etag, headers.get("if-none-match", "")):
        return Response(status_code=304, headers=own)
    content = file.content
    if takes_gzip(headers.get("accept-encoding", "")) and file.gzipped is not None:
        content = file.gzipped
        own["Content-Encoding"] = "gzip"
    return Response(content, status, own, media_type=file.media_type)


def compressed_json(content: bytes, headers: Headers) -> Response:
    """JSON as the answer to a request with these headers: compressed if the client accepts that.
    For answers that contain no secret.
    """
    own = {"Vary": "Accept-Encoding"}
    if takes_gzip(headers.get("accept-encoding", "")):
        content = gzip.compress(content, 6, mtime=0)
        own["Content-Encoding"] = "gzip"
    return Response(content, headers=own, media_type="application/json")


def is_known(etag: str, if_none_match: str) -> bool:
    known = {part.strip().removeprefix("W/") for part in if_none_match.split(",")}
    return "*" in known or etag.removeprefix("W/") in known


def takes_gzip(accept_encoding: str) -> bool:
    """Whether a client accepts gzip.

    >>> takes_gzip("br, gzip"), takes_gzip("gzip;q=0"), takes_gzip("")
    (True, False, False)
    """
    for part in accept_encoding.split(","):
        name, _, quality = part.strip().partition(";")
        if name.strip().lower() in ("gzip", "x-gzip", "*"):
            return not re.fullmatch(r"\s*q=0(\.0*)?\s*", quality)
    return False


def inline_script_hashes(page: bytes) -> list[str]:
    """The SHA-256 of each inline script of the page, such as its import map."""
    return [
        base64.b64encode(hashlib.sha256(script).digest()).decode()
        for script in INLINE_SCRIPT.findall(page)
        if script.strip()
    ]
