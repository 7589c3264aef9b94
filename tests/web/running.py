"""A server in a thread of the tests, and clients of it."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI
from tests.asked import checked
from tests.patience import PATIENCE
from websockets.sync.client import ClientConnection, connect

from holmgang.live.service import Service
from holmgang.store import Store
from holmgang.web.app import create_app
from holmgang.web.server import bound, make_server
from holmgang.web.settings import ServerSettings
from holmgang.wire import lists, match, study, words
from holmgang.wire.lists import LobbyFrame
from holmgang.wire.match import ChangeFrame, DoneFrame, RefusedFrame, StoppingFrame, ViewFrame

KINDS = {
    name: kind for module in (words, match, lists, study) for name, kind in vars(module).items()
}
DESCRIBED: list[tuple[re.Pattern[str], dict[str, Any]]] = []
"""The paths of the API and their descriptions, which are the same for all servers."""
Frame = ViewFrame | ChangeFrame | DoneFrame | RefusedFrame | StoppingFrame | LobbyFrame


@dataclass
class RunningServer:
    """Where a server is, and what is in it."""

    address: str
    service: Service
    store: Store
    settings: ServerSettings
    stop: Any
    app: FastAPI

    def client(self, **headers: str) -> httpx.Client:
        """A browser: it keeps cookies and says which page a request comes from."""
        return self._client({"Origin": self.address, **headers})

    def program(self, secret: str | None = None) -> httpx.Client:
        """A program that knows the secret of a seat, or nothing."""
        headers = {} if secret is None else {"Authorization": f"Bearer {secret}"}
        return self._client(headers)

    def _client(self, headers: dict[str, str]) -> httpx.Client:
        # Without certificates, which take longer to load than most tests.
        return httpx.Client(
            base_url=self.address,
            headers=headers,
            timeout=PATIENCE,
            verify=False,  # noqa: S501
            event_hooks={"response": [self._check]},
        )

    def _check(self, answer: httpx.Response) -> None:
        """Every answer has the fields of its type, and no others."""
        path, kind = answer.request.url.path, answer.headers.get("content-type")
        if path.startswith("/api/") and kind == "application/json" and answer.read():
            name = self.described(answer.request.method, path, answer.status_code)
            if name is not None:
                checked(answer.json(), KINDS[name])

    def described(self, method: str, path: str, status: int) -> str | None:
        """The name of the type of an answer, by the description of the API."""
        if not DESCRIBED:
            DESCRIBED.extend(
                (re.compile(re.sub(r"{\w+}", "[^/]+", template)), methods)
                for template, methods in self.app.openapi()["paths"].items()
            )
        for pattern, methods in DESCRIBED:
            answers = methods.get(method.lower(), {}).get("responses", {})
            if pattern.fullmatch(path) and str(status) in answers:
                content = answers[str(status)].get("content", {}).get("application/json", {})
                return str(content["schema"]["$ref"]).rpartition("/")[2] if content else None
        return None

    def socket(self, path: str, secret: str | None = None, **headers: str) -> ClientConnection:
        if secret is not None:
            headers["Authorization"] = f"Bearer {secret}"
        address = self.address.replace("http://", "ws://")
        return connect(f"{address}{path}", additional_headers=headers, open_timeout=PATIENCE)

    def open_match(self, **asked: Any) -> dict[str, Any]:
        """Opens a match with a program: its id, the seat and the secret."""
        with self.program() as program:
            answer = program.post("/api/matches", json={"ruleset": "bagh", **asked})
        assert answer.status_code == 201, answer.text
        return answer.json()


@contextmanager
def running_server(
    folder: Path, *, clock: Callable[[], float] = lambda: 0.0, **settings: Any
) -> Iterator[RunningServer]:
    """Serves until the context ends; then everything is closed in order. The clock of the rate
    limits stands still unless another is given, so no test depends on how quickly it asks.
    """
    listener = bound("127.0.0.1", 0)
    asked = replace(ServerSettings(database=f"sqlite:///{folder}/web.sqlite3"), **settings)
    store = Store.open(asked.database)
    service = Service(store)
    ready = threading.Event()
    app = create_app(service, store, asked, clock=clock)
    server = make_server(app, service, ready.set)
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()

    def stop() -> None:
        server.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive()

    try:
        assert ready.wait(PATIENCE)
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        yield RunningServer(address, service, store, asked, stop, app)
    finally:
        stop()
        store.close()
        listener.close()


def receive(socket: ClientConnection, kind: str | None = None) -> dict[str, Any]:
    """The next frame, or the next of a kind."""
    while True:
        frame = json.loads(socket.recv(timeout=PATIENCE))
        checked(frame, Frame)
        if kind is None or frame["type"] == kind:
            return frame


def send(socket: ClientConnection, **command: Any) -> None:
    socket.send(json.dumps(command))
