"""Follows a match over its WebSocket in the background, and sends commands.

What happens is put into an inbox, from which the session takes it. Nothing here gives up: after
every failure the follower reconnects, gets the whole view, and repeats unanswered commands with the
same ids, so that the server carries each out once.
"""

import logging
import random
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from holmgang.engine.duel import Round
from holmgang.errors import MessageError, ServerError, ServerRefusal, Unreachable
from holmgang.games.contract import State
from holmgang.games.shape import JsonObject
from holmgang.terminal.online.address import match_path
from holmgang.terminal.online.connection import (
    ANSWER_SECONDS,
    CONNECT_SECONDS,
    MOST_BYTES,
    USER_AGENT,
    check,
    failure,
    misread,
    read,
    refusal,
    too_large,
)
from holmgang.terminal.online.view import OnlineView, parse_state, revealed_round
from holmgang.wire.match import (
    ChangeFrame,
    Command,
    CommandType,
    DoneFrame,
    GameFrame,
    GameLog,
    RefusedFrame,
    StoppingFrame,
)
from holmgang.wire.reading import convert
from holmgang.wire.words import Answer

if TYPE_CHECKING:
    from holmgang.terminal.online.client import Client

LOOK_SECONDS = 2.0
"""Interval at which a silent connection is checked; and at which the view is requested while a
level is getting ready, since progress of that is not an event."""
PING_SECONDS = 10.0
"""Interval of pings, and time limit for their answers. It keeps proxies from closing the connection
while nothing happens, and finds out when the network is gone."""
CLOSE_SECONDS = 1.0
LEAVE_SECONDS = 2.0
FIRST_DELAY, LONGEST_DELAY = 0.2, 5.0
JITTER = random.SystemRandom()
MOST_MISSED = 100
"""Maximum number of games that can end between two views; a match has no more."""
FRAME_TOO_LARGE = 1009
TRY_AGAIN = ("too many", "stopping", "unavailable")
"""Refusals of commands that are repeated later."""
SILENT = logging.getLogger(__name__)
"""For websockets: the story of the match tells what goes wrong, not standard error."""
SILENT.disabled = True


class OnlineViewFrame(Answer, tag_field="type", tag="view"):
    view: OnlineView


Frame = OnlineViewFrame | ChangeFrame | DoneFrame | RefusedFrame | StoppingFrame
FRAMES: dict[object, type[Frame]] = {
    "view": OnlineViewFrame,
    "change": ChangeFrame,
    "done": DoneFrame,
    "refused": RefusedFrame,
    "stopping": StoppingFrame,
}


# What happens


class EndedGame(NamedTuple):
    """A game that ended since the last view."""

    number: int
    ending: str
    rounds: list[Round]
    seen: int
    """Number of its rounds that were seen before."""
    state: State
    """The last one."""


class Seen(NamedTuple):
    """A new view."""

    view: OnlineView
    ended: list[EndedGame]
    seen: int
    """Number of rounds of the open game that were seen before."""


class Answered(NamedTuple):
    """A command was refused; or it was carried out, and a view that includes it was put before."""

    refusal: ServerRefusal | None


class Lost(NamedTuple):
    """The server cannot be reached at the moment; attempts continue."""

    error: ServerError


class Back(NamedTuple):
    """The server can be reached again."""


class Gone(NamedTuple):
    """The server no longer has the match, or no longer has it for this player."""

    error: ServerError


Item = Seen | Answered | Lost | Back | Gone


class MatchFollower:
    """The connection to one match, and the thread that reads it."""

    def __init__(self, client: "Client", view: OnlineView, put: Callable[[Item], None]) -> None:
        """Starts from a view. `put` is called with each item, from another thread."""
        self._client, self._address = client, client.address
        self._put = put
        self._view = view
        self._stop = threading.Event()
        self._lock = threading.Lock()  # for the fields below
        self._unanswered: dict[str, Command] = {}
        self._socket: ClientConnection | None = None
        self._is_ready = False  # whether the socket has sent a view
        self._sent_at = 0.0
        self._gone: ServerRefusal | None = None
        self._is_lost = False
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Ends the connection. An unanswered command may or may not have been carried out."""
        self._stop.set()
        open_socket = self._socket
        if open_socket is not None:
            open_socket.close()
        if self._thread.is_alive():
            self._thread.join(LEAVE_SECONDS)

    def send(
        self,
        type: CommandType,  # noqa: A002 - the protocol's word
        *,
        game: int | None = None,
        round: int | None = None,
        choice: str | None = None,
    ) -> None:
        """Sends a command, and repeats it until it is answered."""
        command = Command(id=secrets.token_hex(8), type=type, game=game, round=round, choice=choice)
        with self._lock:
            if self._gone is not None:
                self._put(Answered(self._gone))
                return
            self._unanswered[command.id] = command
            if self._socket is not None and self._is_ready:
                self._transmit(self._socket, command)

    def _transmit(self, to: ClientConnection, command: Command) -> None:
        self._sent_at = time.monotonic()
        with suppress(ConnectionClosed):  # which the thread sees too
            to.send(msgspec.json.encode(command).decode())

    # The thread

    def _run(self) -> None:
        delay = 0.0
        while not self._stop.is_set():
            began = time.monotonic()
            try:
                with self._connected() as opened:
                    self._follow(opened)
            except ServerError as error:
                if self._stop.is_set():
                    return
                if isinstance(error, ServerRefusal) and error.code in ("not found", "not yours"):
                    self._give_up(error)
                    return
                if not self._is_lost:
                    self._is_lost = True
                    self._put(Lost(error))
                if time.monotonic() - began > LONGEST_DELAY:
                    delay = 0.0
                delay = min(LONGEST_DELAY, 2 * delay) or FIRST_DELAY
                asked_for = error.retry_after if isinstance(error, Unreachable) else 0.0
                # Slightly random, so that not all clients reconnect at once.
                self._stop.wait(max(asked_for, delay * JITTER.uniform(0.7, 1.3)))

    def _give_up(self, error: ServerRefusal) -> None:
        with self._lock:
            self._gone = error
            unanswered, self._unanswered = self._unanswered, {}
        self._put(Gone(error))
        for _ in unanswered:
            self._put(Answered(error))

    @contextmanager
    def _connected(self) -> Iterator[ClientConnection]:
        """A WebSocket to the match. Raises `ServerError` for everything that can go wrong."""
        address, match = self._address, self._view.match
        scheme = "wss" if address.scheme == "https" else "ws"
        try:
            with connect(
                f"{scheme}://{address.netloc}{match_path(match)}/socket",
                # With a socket of ours, no redirects are followed, which would leak the secret.
                sock=socket.create_connection((address.host, address.port), CONNECT_SECONDS),
                origin=Origin(str(address)),
                additional_headers=self._client.identity.headers(match),
                user_agent_header=USER_AGENT,
                compression=None,
                proxy=None,
                open_timeout=CONNECT_SECONDS,
                ping_interval=PING_SECONDS,
                ping_timeout=PING_SECONDS,
                close_timeout=CLOSE_SECONDS,
                max_size=MOST_BYTES,
                logger=SILENT,
            ) as opened:
                yield opened
        except ConnectionClosed as error:
            if error.sent is not None and error.sent.code == FRAME_TOO_LARGE:
                raise too_large(address) from None
            raise Unreachable(f"the connection to {address} was lost") from None
        except OSError as error:
            raise failure(error, address) from None
        except (WebSocketException, ValueError, EOFError) as error:
            answer = error if isinstance(error, InvalidStatus) else error.__context__
            if isinstance(answer, InvalidStatus):
                found = answer.response
                check(found.status_code, found.headers, bytes(found.body or b""), address)
            elif isinstance(error, ValueError):
                raise
            raise Unreachable(f"{address} does not open a WebSocket") from None

    def _follow(self, opened: ClientConnection) -> None:
        """Handles frames until the connection ends, which is an error."""
        self._socket = opened
        try:
            if self._stop.is_set():
                return
            self._take(opened, opened.recv(ANSWER_SECONDS))
            if self._is_lost:
                self._is_lost = False
                self._put(Back())
            with self._lock:
                self._is_ready = True
                for command in self._unanswered.values():
                    self._transmit(opened, command)
            while True:
                try:
                    content = opened.recv(LOOK_SECONDS)
                except TimeoutError:
                    self._look(opened)
                else:
                    self._take(opened, content)
        finally:
            with self._lock:
                self._socket, self._is_ready = None, False

    def _look(self, opened: ClientConnection) -> None:
        """Checks a connection on which nothing has arrived for some time."""
        with self._lock:
            if self._unanswered and time.monotonic() - self._sent_at > ANSWER_SECONDS:
                raise Unreachable(f"{self._address} does not answer")
            if self._view.notes:
                self._transmit(opened, Command(id="look", type="sync"))

    def _take(self, opened: ClientConnection, content: str | bytes) -> None:
        value: JsonObject = read(content, dict, self._address)
        kind = FRAMES.get(value.get("type"))
        if kind is None:
            return  # of a newer server
        try:
            frame = convert(value, kind)
            if isinstance(frame, ChangeFrame) and frame.since == self._view.version:
                self._see(self._view.changed(frame))
                return
        except MessageError as error:
            raise misread(error, self._address) from None
        match frame:
            case OnlineViewFrame():
                self._see(frame.view)
            case ChangeFrame():
                with self._lock:
                    self._transmit(opened, Command(id="look", type="sync"))
            case DoneFrame():
                self._answer(frame.id, None)
            case RefusedFrame():
                refused = refusal(frame.error)
                if refused.code in TRY_AGAIN:
                    raise Unreachable(f"{self._address} says: {refused}")
                if frame.id is None:
                    raise refused
                self._answer(frame.id, refused)
            case StoppingFrame():
                raise Unreachable(f"{self._address} is stopping")

    def _answer(self, id: str, refused: ServerRefusal | None) -> None:  # noqa: A002
        with self._lock:
            command = self._unanswered.pop(id, None)
        if command is not None:
            self._put(Answered(refused))

    def _see(self, view: OnlineView) -> None:
        before = self._view
        if (view.match, view.ruleset) != (before.match, before.ruleset):
            raise ServerError("the server has sent another match")
        if view.you != before.you:
            raise ServerRefusal("not yours", "the seat is no longer yours")
        if view.game - before.game > MOST_MISSED:
            raise ServerError("the server has sent a match with too many games")
        news = (view.version, view.notes, view.deadline)
        if news == (before.version, before.notes, before.deadline):
            return
        ended = [self._ended(number) for number in range(max(1, before.game), view.game)]
        self._view = view
        self._put(Seen(view, ended, len(before.rounds) if view.game == before.game else 0))

    def _ended(self, number: int) -> EndedGame:
        view, connection = self._view, self._client.connection
        path = f"{match_path(view.match)}/games/{number}"
        game = connection.get(path, GameLog, view.match)
        last = connection.get(f"{path}/frames/{len(game.log)}", GameFrame, view.match)
        return EndedGame(
            number,
            game.ending,
            [revealed_round(line) for line in game.log],
            len(view.rounds) if number == view.game else 0,
            parse_state(view.rules, last.state),
        )
