"""`holmgang serve`: one process that listens, serves, and stops without losing anything."""

import asyncio
import contextlib
import errno
import gc
import logging
import os
import resource
import signal
import socket as sockets
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from types import FrameType

import uvicorn
from fastapi import FastAPI

from holmgang.errors import UsageError
from holmgang.live.logs import set_up_logs
from holmgang.live.service import Service
from holmgang.players.naming import Bot
from holmgang.store import Store
from holmgang.store.database import parse_url
from holmgang.web.app import create_app
from holmgang.web.bots import find_bots
from holmgang.web.connections import guarded
from holmgang.web.puzzles import PuzzleMaker
from holmgang.web.security import MOST_FRAME
from holmgang.web.settings import DEFAULT_PORT, ServerSettings
from holmgang.web.tables import TableBuilder
from holmgang.web.workers import STOPPED_BY, Supervisor

PING_SECONDS = 20.0
DRAIN_SECONDS = 5.0
"""Time for commands in progress when the server stops."""
CLOSE_SECONDS = 10
"""Time for connections that do not close by themselves."""
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - only compared with

log = logging.getLogger(__name__)


def serve(settings: ServerSettings) -> None:
    """Serves until a signal stops it. Raises `UsageError` or `StoreError` if it cannot, and
    `KeyboardInterrupt` when Ctrl-C has stopped it.
    """
    if settings.workers > 1 and parse_url(settings.database).get_backend_name() == "sqlite":
        raise UsageError("--workers needs PostgreSQL: give its address with --database")
    set_up_logs(as_json=settings.log_json)
    allow_many_connections()
    listener = listen(settings)
    with listener:
        address = address_of(settings, listener)
        if settings.workers > 1:
            supervisor = Supervisor(
                settings.workers,
                lambda number, ready: run(settings, listener, ready, builds_tables=number == 0),
            )
            stopped_by = supervisor.run(lambda: announce(settings, address))
        else:
            stopped_by = run(settings, listener, lambda: announce(settings, address))
    if stopped_by == signal.SIGINT:
        raise KeyboardInterrupt


def allow_many_connections() -> None:
    """Raises the limit of open files to the maximum; the default is often only 1,024."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def run(
    settings: ServerSettings,
    listener: sockets.socket,
    on_ready: Callable[[], None],
    *,
    builds_tables: bool = True,
) -> int | None:
    """Serves on the socket until a signal, and returns that signal."""
    bots: Mapping[str, Bot] = {}
    if settings.bots is not None:
        bots, problems = find_bots(settings.bots, trust=settings.trust)
        for problem in problems:
            log.warning("a bot cannot be used: %s", problem)
    store = Store.open(settings.database)
    tables = None
    if builds_tables and settings.builds_tables:
        tables = TableBuilder(then=PuzzleMaker(store).make_all)
    try:
        service = Service(
            store,
            bots=bots,
            trust=settings.trust,
            upload_days=settings.upload_days,
            upload_mb=settings.upload_mb,
        )
        app = create_app(service, store, settings)
        server = make_server(app, service, on_ready)
        spare_the_collector()
        if tables is not None:
            tables.start()
        try:
            server.run([listener])
        except SystemExit:  # of uvicorn, when the service could not start
            raise app.state.problem from None
        return server.stopped_by
    finally:
        if tables is not None:
            tables.stop()
        store.close()


def spare_the_collector() -> None:
    """Makes garbage collection run less often and skip objects that exist from the start. Matches
    consist of many long-lived objects with hardly any cycles.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def make_server(app: FastAPI, service: Service, on_ready: Callable[[], None]) -> "DrainingServer":
    connection, socket = guarded(app.state.limits)
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http=connection,
        ws=socket,
        ws_max_size=MOST_FRAME,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        ws_per_message_deflate=False,  # frames are small, and it costs time and memory
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,  # see front.py
        server_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=CLOSE_SECONDS,
    )
    return DrainingServer(config, on_ready, lambda: service.close(DRAIN_SECONDS))


class DrainingServer(uvicorn.Server):
    """A server with a graceful shutdown: it accepts no new connections, finishes commands, notifies
    the sockets, and then closes them.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        on_ready: Callable[[], None],
        drain: Callable[[], Awaitable[None]],
    ) -> None:
        super().__init__(config)
        self._on_ready, self._drain = on_ready, drain
        self.stopped_by: int | None = None

    async def startup(self, sockets: list[sockets.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self._on_ready()

    async def shutdown(self, sockets: list[sockets.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        log.info("stopping")
        draining = asyncio.ensure_future(self._drain())
        while not draining.done() and not self.force_exit:
            await asyncio.wait([draining], timeout=0.1)
        await super().shutdown(sockets)
        log.info("stopped")

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stops on signals; signals that are ignored, as in the background, stay ignored."""
        if threading.current_thread() is not threading.main_thread():  # which alone gets them
            yield
            return
        before = {
            each: signal.signal(each, self.handle_exit)
            for each in STOPPED_BY
            if signal.getsignal(each) is not signal.SIG_IGN
        }
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self.should_exit:
            self.force_exit = True  # someone is impatient
        self.should_exit = True
        if self.stopped_by is None:
            self.stopped_by = sig


def listen(settings: ServerSettings) -> sockets.socket:
    """A socket listening on the address; on another port if the default port is taken. Raises
    `UsageError`.
    """
    port = DEFAULT_PORT if settings.port is None else settings.port
    try:
        return bound(settings.host, port)
    except OSError as error:
        if settings.port is None and error.errno in (errno.EADDRINUSE, errno.EACCES):
            return bound(settings.host, 0)
        reason = {
            errno.EADDRINUSE: "the port is taken",
            errno.EACCES: "permission denied; ports from 1024 up need no privileges",
        }.get(error.errno or 0, error.strerror)
        where = settings.host or "no address"
        raise UsageError(f"cannot listen on {where} port {port}: {reason}") from None


def bound(host: str, port: int) -> sockets.socket:
    found = sockets.getaddrinfo(host, port, type=sockets.SOCK_STREAM, flags=sockets.AI_PASSIVE)
    found.sort(key=lambda each: each[0] != sockets.AF_INET)
    family, kind, protocol, _, address = found[0]
    listener = sockets.socket(family, kind, protocol)
    try:
        listener.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
        listener.bind(address)
    except BaseException:
        listener.close()
        raise
    listener.set_inheritable(True)
    return listener


def address_of(settings: ServerSettings, listener: sockets.socket) -> str:
    """The address for a browser on this machine."""
    port = listener.getsockname()[1]
    host = "localhost" if settings.host in EVERYWHERE else settings.host
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def announce(settings: ServerSettings, address: str) -> None:
    """Prints the server's address, and opens it in a browser if possible."""
    everywhere = " and at this machine's addresses" if settings.host in EVERYWHERE else ""
    sys.stdout.write(f"Holmgang is at {address}{everywhere}. Ctrl-C stops it.\n")
    sys.stdout.flush()
    if settings.log_json:
        log.info("serving", extra={"event": {"address": address}})
    if settings.opens_browser and has_screen():
        with contextlib.suppress(OSError):
            subprocess.Popen(  # noqa: S603 - our own Python
                [sys.executable, "-m", "webbrowser", "-t", address],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )


def has_screen() -> bool:
    """Whether a browser could open a window. A text browser would take over this terminal."""
    return sys.platform == "darwin" or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )
