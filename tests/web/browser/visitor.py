"""A person at a browser: a profile of their own, and a note of all that passes over the network."""

import json
import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, WebSocket, expect
from tests.patience import PATIENCE
from tests.web.browser.site import Site

PATIENCE_MS = 1000 * PATIENCE
"""For a loaded machine; what is waited for comes within a fraction of a second."""
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}

# Says on the console, which is watched, what the page's policy forbade.
REPORT_VIOLATIONS = """
addEventListener("securitypolicyviolation", (event) =>
  console.error(`CSP: ${event.violatedDirective} forbids ${event.blockedURI || event.sample}`));
"""
NO_HINTS = 'try { localStorage.setItem("holmgang.hints", "3"); } catch {}'
NO_REVEALS = 'try { localStorage.setItem("holmgang.speed", "off"); } catch {}'

expect.set_options(timeout=PATIENCE_MS)


@dataclass
class Visitor:
    """Someone with a browser of their own: its cookies, its pages, and what they received."""

    context: BrowserContext
    site: Site
    page: Page = field(init=False)
    received: list[str] = field(default_factory=list)
    """Frames of all sockets, as text, in order."""
    requested: list[str] = field(default_factory=list)
    """Addresses of all requests and sockets."""
    said: list[str] = field(default_factory=list)
    """Errors and warnings on the console."""
    _excused: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.context.set_default_timeout(PATIENCE_MS)
        self.context.add_init_script(REPORT_VIOLATIONS)
        self.context.on("request", self._note_request)
        self.context.on("console", self._note_console)
        self.context.on("weberror", lambda error: self.said.append(f"error: {error.error}"))
        self.context.on("page", lambda page: page.on("websocket", self._note_socket))
        self.page = self.context.new_page()

    # What is watched

    def _note_request(self, request: Request) -> None:
        self.requested.append(request.url)

    def _note_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.said.append(f"{message.type}: {message.text} ({message.location.get('url')})")

    def _note_socket(self, socket: WebSocket) -> None:
        self.requested.append(socket.url)
        socket.on("framereceived", lambda payload: self.received.append(str(payload)))

    def excuse(self, pattern: str) -> None:
        """Lets messages on the console pass that a test provokes."""
        self._excused.append(pattern)

    def problems(self) -> list[str]:
        """Requests to other hosts, and what the console said that no test has provoked."""
        away = [url for url in self.requested if not is_at_home(url, self.site.port)]
        said = [
            text for text in self.said if not any(re.search(each, text) for each in self._excused)
        ]
        return [*(f"request: {url}" for url in away), *said]

    def frames(self, since: int = 0) -> list[dict[str, Any]]:
        return [json.loads(text) for text in self.received[since:]]

    # Going about

    def go(self, path: str) -> None:
        self.page.goto(f"{self.site.address}{path}")

    def ask(self, path: str, body: Any = None) -> Any:
        """What the server answers to this person, beside the page: the JSON."""
        address = f"{self.site.address}{path}"
        headers = {"Origin": self.site.address}
        if body is None:
            answer = self.context.request.get(address, headers=headers)
        else:
            answer = self.context.request.post(address, headers=headers, data=body)
        assert answer.ok, answer.text()
        return answer.json()

    def open_match(self, ruleset: str = "bagh", opponent: Any = "link", **asked: Any) -> str:
        """Opens a match as this person: its id."""
        body = {"ruleset": ruleset, "opponent": opponent, "seat": "red", **asked}
        match: str = self.ask("/api/matches", body)["match"]
        return match

    def join_match(self, match: str) -> None:
        self.ask(f"/api/matches/{match}/join", {})

    def scrolls_sideways(self) -> bool:
        root = "document.documentElement"
        return bool(self.page.evaluate(f"{root}.scrollWidth > {root}.clientWidth"))


def is_at_home(url: str, port: int) -> bool:
    parts = urlsplit(url)
    if parts.scheme in ("data", "blob", "about", "file"):
        return True
    return parts.hostname == "127.0.0.1" and parts.port == port
