"""One match in its thread: a board that is edited from round to round, and the result.

A new board is posted only if the old one is buried under other messages, cannot be edited, or if
someone who is away has to be notified. The store knows what has been shown, so this can start again
at any time. A post that was made just before a crash is not made twice: it has a nonce, by which
Discord recognises it.
"""

import asyncio
import io
import logging
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from html import unescape
from typing import TYPE_CHECKING, Any, Literal

import aiohttp
import discord

from holmgang.discord.archive import archive_of
from holmgang.discord.helper_process import NoAnswer
from holmgang.discord.posts import (
    Players,
    ShownRounds,
    board_text,
    board_view,
    finished_text,
    named_picture,
    recent_rounds,
    result_text,
    result_view,
)
from holmgang.discord.rounds import player_name
from holmgang.games.contract import SEATS
from holmgang.live.refusal import Refused
from holmgang.live.service import Viewer
from holmgang.live.subscription import Subscription
from holmgang.store import ShownDuel, StoreError, ThreadState
from holmgang.wire.match import MatchView

if TYPE_CHECKING:
    from holmgang.discord.client import DuelClient

LONGEST_NAME = 100
ARCHIVE_MINUTES: Literal[10080] = 10080
HAS_THREAD = 160_004
NO_MESSAGE = 10_008
TOO_MANY_EDITS = 30_046
TOO_MANY_THREADS = 160_006
CLOSED: dict[int, ThreadState] = {
    10_003: "deleted",
    10_004: "forbidden",  # the bot was removed from the server, and may be invited again
    50_001: "forbidden",
    50_013: "forbidden",
    50_083: "archived",
}
"""What Discord's error codes say of a thread."""
SHOWABLE = ("open", "archived")
LONGEST_PAUSE = 300.0
UNFORESEEN = 30.0
"""Seconds before the next attempt after an unexpected error."""
PUBLIC = discord.ChannelType.public_thread
REMATCH_SECONDS = 900.0
"""How long a finished match is followed."""
BURIED = 5
"""Messages below a board after which the next round is posted anew."""
EDIT_SECONDS = 10.0
"""Time for an edit of a board with a new round; after that the board is posted anew."""
FINISH_SECONDS = 60.0
"""Time for removing the buttons of an old board."""
JOIN_SECONDS = 1.0
"""Time left to an edit that is outdated. An edit that waits longer is waiting for a rate limit."""
SLOW = 3600
"""Minimum seconds per choice for which players who are away are notified of every round."""
REMINDER = 0.25
"""Share of the time for a choice that is left when a player is reminded."""

log = logging.getLogger(__name__)


class DuelThread:
    """Shows one match. `run` ends when there is nothing more to show."""

    def __init__(self, client: "DuelClient", duel: ShownDuel) -> None:
        self.client, self.duel = client, duel
        self._service, self._store = client.service, client.store.discord
        self._frames: Subscription | None = None
        self._standing = ""
        """The text of the board; empty if this process does not know it."""
        self._told = ShownRounds(duel.game, duel.round)
        """What had been shown before the round that the board shows."""
        self._has_picture = True
        """Whether the last board has a picture; after a restart, as nearly every one has."""
        self._was_deleted = False
        """Whether the last board was deleted. The same nonce would return the deleted one."""
        self._is_stuck = False
        """Whether the board cannot be edited, so that a new one has to be posted."""
        self._editing: asyncio.Task[None] | None = None
        self._edit_limit: asyncio.Timeout | None = None
        self._is_outdated = False
        """Whether the board has changed since the edit that is under way began."""
        self._below: deque[int] | None = None
        """The last messages in the thread; unknown after a restart."""
        self._deleted: set[int] = set()
        """Messages that were deleted during a post, whose id is not known until it is answered."""
        self._view: MatchView | None = None
        self._is_new = False
        """Whether the thread is new, so that its players have to be added by mentioning them. They
        also are on the first board, since the bot may have been restarted."""
        self.lacks_room = False
        """Whether the server has too many open threads for another one."""
        self._pause = 1.0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def players(self) -> Players:
        return Players(self.duel.red, self.duel.blue)

    def look(self) -> None:
        """Makes it check whether there is something to post."""
        if self._frames is not None:
            self._frames.refresh()

    async def note_thread(self, state: ThreadState) -> None:
        """Stores what is known of the thread now. Nothing is posted unless that is possible."""
        was = self.duel.thread_state
        if state == was:
            return
        values = {"match": self.duel.match, "was": was, "is": state}
        log.info("a thread has changed", extra={"event": values})
        await self._save(thread_state=state)
        if state == "open":
            self._pause = 1.0
        if (was, state) != ("open", "archived"):  # it is opened when there is something to show
            self.look()

    async def try_again(self) -> None:
        """Posts again where it was not possible; if it still is not, that is noted again."""
        if self.duel.thread_state == "archived":
            self.look()
        elif self.duel.thread_state == "locked":
            self.client.keep(self._guarded(self._open_again))
        elif self.duel.thread_state == "forbidden":
            await self.note_thread("open")

    async def restore(self, channel: int) -> None:
        """Opens a new thread in a channel."""
        self._below = None
        await self._save(channel=channel, starter=None, thread=None, message=None)
        await self.note_thread("open")
        self.look()

    def note_deleted(self, messages: set[int]) -> None:
        """Notes that messages were deleted; a board among them is posted again."""
        self._deleted |= messages
        if self.duel.message in messages and self.duel.stage == "playing":
            self.forget_board()

    def note_message(self, message: int) -> None:
        """Notes a message in the thread: below it, the board may be hard to find."""
        if self._below is not None:
            self._below.append(message)

    def forget_board(self) -> None:
        """Notes that the board was deleted, so that a new one is posted."""
        self.duel = self.duel._replace(message=None)
        self._was_deleted = True
        self.look()

    async def run(self) -> None:
        try:
            # Between two members of Discord: others must not end their rounds while this process is
            # down. A match against a level would be listed as live for as long as its thread.
            serves = SEATS if self.duel.red and self.duel.blue else ()
            async with self._service.follow(self.duel.match, Viewer(), serves) as frames:
                self._frames = frames
                await self.try_again()
                async for _ in frames:
                    await self._guarded(self._show)
                    if self.duel.stage == "done":
                        self._later(REMATCH_SECONDS, frames.close)
                        if self._view is not None and self._view.rematch.match is not None:
                            frames.close()
        finally:
            self._frames = None
            await self._stop_editing()
            if self._timer is not None:
                self._timer.cancel()

    async def _guarded(self, show: Callable[[], Awaitable[None]]) -> None:
        """Shows something, and arranges for another attempt if that fails."""
        try:
            await show()
        except discord.HTTPException as error:
            values = {"match": self.duel.match, "status": error.status, "code": error.code}
            self.lacks_room = error.code == TOO_MANY_THREADS
            if (state := CLOSED.get(error.code)) is not None:
                await self.note_thread(state)
            if state is not None and state not in SHOWABLE:
                return
            log.warning("a post failed", extra={"event": values})
            after = error.response.headers.get("Retry-After", "0")
            self._again(float(after) if after.replace(".", "", 1).isdecimal() else 0.0)
        except (aiohttp.ClientError, OSError, TimeoutError, StoreError) as error:
            values = {"match": self.duel.match, "error": type(error).__name__}
            log.warning("a post failed", extra={"event": values})
            self._again(0.0)
        except Exception:
            log.exception("a duel cannot be shown", extra={"event": {"match": self.duel.match}})
            self._again(UNFORESEEN)
        else:
            self._pause = 1.0

    def _again(self, least: float) -> None:
        self._later(max(least, self._pause), self.look)
        self._pause = min(2 * self._pause, LONGEST_PAUSE)

    def _later(self, seconds: float, act: Callable[[], None]) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, act)

    async def _save(self, **changed: Any) -> None:
        self.duel = self.duel._replace(**changed)
        await asyncio.to_thread(self._store.update_duel, self.duel.match, **changed)

    # Showing

    async def _show(self) -> None:
        view = self._view = await self._service.view(self.duel.match, Viewer())
        self.client.keep(self.client.menus.refresh(self.duel.match))  # posts may have to wait
        if self.duel.thread_state == "archived" and self.duel.stage != "done":
            await self._open_again()
        if self.duel.thread_state in SHOWABLE:
            if self.duel.thread is None:
                await self._open_thread(view)
            if self.duel.stage == "playing":
                await self._show_play(view)
            if self.duel.stage == "over":
                await self._add_analysis()
        elif view.status in ("over", "cancelled") and self.duel.stage != "done":
            await self._save(stage="done")  # its players are free for another
        if view.rematch.match is not None:
            await self.client.show_rematch(view.rematch.match, self.duel)

    async def _show_play(self, view: MatchView) -> None:
        if view.status in ("over", "cancelled"):
            await self._stop_editing()
            await self._post_result()
        elif await self._must_post(view):
            await self._stop_editing()
            await self._post_board()
        elif self._is_new_round(view) or await self._text(view) != self._standing:
            self._edit_soon()

    def _is_new_round(self, view: MatchView) -> bool:
        return (view.game, len(view.rounds)) != (self.duel.game, self.duel.round)

    async def _must_post(self, view: MatchView) -> bool:
        """Whether a new board is needed, instead of an edit of the last one."""
        if self.duel.message is None or self._is_stuck:
            return True
        if not self._is_new_round(view):
            return False
        if is_slow(view) and any([await self._wants_ping(seat) for seat in view.waiting_for]):
            return True  # an edit notifies nobody
        return await self._is_buried(self.duel.message)

    async def _is_buried(self, board: int) -> bool:
        if self._below is None:
            after = discord.Object(board)
            found = [each.id async for each in self._thread().history(limit=BURIED, after=after)]
            self._below = deque(found, maxlen=2 * BURIED)
        return sum(each > board for each in self._below) >= BURIED

    def _edit_soon(self) -> None:
        """Starts an edit of the board to its latest state. If one is under way, it has a second
        left before it is replaced, unless another limit is nearer.
        """
        self._is_outdated = True
        if self._editing is None or self._editing.done():
            self._editing = self.client.keep(self._guarded(self._edit_board))
        elif self._edit_limit is not None and not self._edit_limit.expired():
            soon = asyncio.get_running_loop().time() + JOIN_SECONDS
            self._edit_limit.reschedule(min(soon, self._edit_limit.when() or soon))

    async def _stop_editing(self) -> None:
        editing, self._editing = self._editing, None
        if editing is not None:
            editing.cancel()
            await asyncio.wait([editing])

    async def _edit_board(self) -> None:
        """Edits the board until it is up to date. An edit that has to wait does not hold up newer
        ones, and a new round that cannot be shown in time is posted instead.
        """
        began = time.monotonic()
        while self._is_outdated and (message := self.duel.message) is not None:
            self._is_outdated = False
            view = await self._service.view(self.duel.match, Viewer(picture=True))
            if view.status != "playing":
                return
            is_new = self._is_new_round(view)
            self._note_told(view)
            files = await self._board_pictures(view) if is_new else []
            text, shown = await self._text(view), (view.game, len(view.rounds))
            if not is_new and text == self._standing:
                return  # an edit has shown it already
            more: dict[str, Any] = {"attachments": files} if is_new else {}
            self._standing = ""  # unknown until Discord answers
            try:
                await self._edit_within(message, content=text, view=self._buttons(view), **more)
            except TimeoutError:
                if is_new and time.monotonic() - began >= EDIT_SECONDS:
                    self._note_stuck()
                elif not self._is_outdated:
                    raise
            except discord.HTTPException as error:
                if error.code == NO_MESSAGE and self.duel.message == message:
                    self.forget_board()
                elif error.code == TOO_MANY_EDITS and is_new:
                    self._note_stuck()
                elif error.code != TOO_MANY_EDITS:
                    raise
            else:
                self._standing = text
                if is_new:
                    await self._save(game=shown[0], round=shown[1])
            if self._is_stuck:
                return

    async def _edit_within(self, message: int, **changed: Any) -> None:
        """Edits a message. Raises `TimeoutError` if it does not succeed in time."""
        async with asyncio.timeout(EDIT_SECONDS) as limit:
            self._edit_limit = limit
            try:
                await self._board(message).edit(**changed)
            finally:
                self._edit_limit = None

    def _note_stuck(self) -> None:
        self._is_stuck = True
        self.look()

    def _note_told(self, view: MatchView) -> None:
        """Notes what has been shown, if a new round is about to be."""
        if self._is_new_round(view):
            self._told = ShownRounds(self.duel.game, self.duel.round)

    async def _text(self, view: MatchView) -> str:
        before = None
        if view.games and (not view.rounds or self._told.game == len(view.games)):
            before = await self._service.game(self.duel.match, len(view.games))
        recent = recent_rounds(view, self._told, before)
        return board_text(view, self.players, recent, has_picture=self._has_picture)

    def _buttons(self, view: MatchView) -> discord.ui.View | None:
        """The buttons of a board; none if nobody on Discord plays."""
        return board_view(view) if any(self.players) else None

    async def _board_pictures(self, view: MatchView) -> list[discord.File]:
        """The board; in the first round of a later game also how the game before ended."""
        boards = {}
        if view.previous is not None and not view.rounds:
            boards["game.png"] = named_picture(view, view.previous.game)
        boards["board.png"] = named_picture(view, view.game)
        found = await self._pictures(boards)
        self._has_picture = bool(found)
        return found

    async def _post_board(self) -> None:
        """Posts the board, and removes the buttons from the previous one."""
        view = await self._service.view(self.duel.match, Viewer(picture=True))
        if view.status in ("over", "cancelled"):
            await self._post_result()
            return
        shown = view.game, len(view.rounds)
        old, old_text = self.duel.message, self._standing
        self._note_told(view)
        files = await self._board_pictures(view)
        text = await self._text(view)
        is_repeated = self._was_deleted or (old is not None and not self._is_new_round(view))
        self._deleted.clear()
        message = await self._send(
            text,
            nonce=None if is_repeated else f"{self.duel.match}.{shown[0]:x}.{shown[1]:x}",
            view=self._buttons(view),
            files=files,
            pings=view.waiting_for if is_slow(view) or shown == (1, 0) else (),
        )
        self._standing = text
        can_finish, self._was_deleted, self._is_stuck = not self._is_stuck, False, False
        self._below = deque(maxlen=2 * BURIED)
        await self._save(message=message.id, game=shown[0], round=shown[1])
        if message.id in self._deleted:
            self.forget_board()
        if can_finish:  # otherwise the edit would wait, and others in the thread with it
            self._finish_later(old, message.id, old_text)

    async def _post_result(self) -> None:
        view = await self._service.view(self.duel.match, Viewer(picture=True))
        old = self.duel.message
        files = await self._pictures({"board.png": named_picture(view, view.game)})
        self._note_told(view)
        archive = await archive_of(self._service, view)
        if archive:
            files.append(discord.File(io.BytesIO(archive), f"{view.game_name}-{view.match}.zip"))
        is_played = view.status == "over"
        message = await self._send(
            self._result_text(view),
            nonce=f"{self.duel.match}.over",
            view=result_view(view) if is_played and any(self.players) else None,
            files=files,
            pings=SEATS,
        )
        stage = "over" if is_played and any(line.rounds for line in view.games) else "done"
        shown = {"game": view.game, "round": len(view.rounds)}
        await self._save(message=message.id, stage=stage, **shown)
        self._finish_later(old, message.id, self._standing)

    def _result_text(self, view: MatchView, analysis: Iterable[str] = ()) -> str:
        return result_text(
            view,
            self.players,
            self._told,
            self.client.address_of(self.duel.match),
            list(analysis),
        )

    async def _add_analysis(self) -> None:
        """Adds the analysis of the last game to the result: three sentences and the curve."""
        view = await self._service.view(self.duel.match, Viewer())
        number = max(line.number for line in view.games if line.rounds)
        try:
            record = await self._service.record(self.duel.match, number)
            told = await self.client.helpers.analysis(record)
        except (NoAnswer, Refused) as error:
            log.warning("no analysis: %s", error, extra={"event": {"match": self.duel.match}})
        else:
            message = await self._board(self.duel.message).fetch()
            curve = await self._pictures({"analysis.png": told.curve})
            boards = [each for each in message.attachments if each.filename.endswith(".png")]
            others = [each for each in message.attachments if each not in boards]
            await message.edit(
                content=self._result_text(view, told.sentences),
                attachments=[*boards, *curve, *others],
            )
        await self._save(stage="done")

    async def remind(self) -> None:
        """Reminds the players who are away of a choice that is soon due, once in a round."""
        if self._view is None or self._due_soon(self._view) is None:
            return
        view = await self._service.view(self.duel.match, Viewer())  # what is shown may be outdated
        due = self._due_soon(view)
        if due is None:
            return
        away = [seat for seat in view.waiting_for if await self._wants_ping(seat)]
        if away:
            this = f"{view.game}.{view.round}"
            await self._save(reminded=this)
            users = ", ".join(self.players.mention(seat, view) for seat in away)
            with suppress(discord.HTTPException, aiohttp.ClientError, OSError):
                await self._send(
                    f"⏰ {users}, your choice in round {view.round} is due <t:{due}:R>.",
                    nonce=f"{self.duel.match}.{this}.due",
                    view=None,
                    files=[],
                    pings=away,
                )

    def _due_soon(self, view: MatchView) -> int | None:
        """The deadline of the open round in seconds, if it is time for a reminder of it."""
        if (
            view.status != "playing"
            or view.deadline is None
            or view.time.seconds is None
            or not is_slow(view)
            or (self.duel.stage, self.duel.thread_state) != ("playing", "open")
            or self.duel.reminded == f"{view.game}.{view.round}"
        ):
            return None
        left = view.deadline / 1000 - self._service.now()
        return view.deadline // 1000 if 0 < left < REMINDER * view.time.seconds else None

    async def _wants_ping(self, seat: str) -> bool:
        """Whether the seat has a user who is away, in a server that has not switched pings off."""
        user = getattr(self.duel, seat)
        if user is None or not self.client.recent_users.is_away(user):
            return False
        return (await asyncio.to_thread(self._store.guild, self.duel.guild)).pings

    async def _pictures(self, drawn: Mapping[str, str | None]) -> list[discord.File]:
        """The pictures as files of those names; without those that cannot be made."""
        found = []
        for name, svg in drawn.items():
            if svg is None:
                continue
            try:
                png = await self.client.helpers.png(svg)
            except NoAnswer as error:
                log.warning("%s", error)
            else:
                found.append(discord.File(io.BytesIO(png), name, description=described(svg)))
        return found

    # Discord

    async def notify(self, seat: str, text: str, nonce: str) -> None:
        """Posts a text for a player who is away; the board shows others the same."""
        if await self._wants_ping(seat):
            user = getattr(self.duel, seat)
            await self.say(f"{text} <@{user}>", nonce, [seat])

    async def say(self, text: str, nonce: str, pings: Iterable[str]) -> None:
        """Posts a text in the thread if possible; with the same nonce, only once."""
        with suppress(discord.HTTPException):
            await self._send(text, nonce=nonce, view=None, files=[], pings=pings)

    async def _send(
        self,
        text: str,
        *,
        nonce: str | None,
        view: discord.ui.View | None,
        files: list[discord.File],
        pings: Iterable[str],
    ) -> discord.Message:
        """Posts into the thread; `pings` are the seats whose players are notified if they are
        away. In a new thread all players are mentioned, which adds them.
        """
        away = [seat for seat in pings if await self._wants_ping(seat)]
        mentioned = SEATS if self._is_new or not self.duel.game else away
        users = [discord.Object(user) for seat in mentioned if (user := getattr(self.duel, seat))]
        more: dict[str, Any] = {"nonce": nonce, "silent": not away}
        if view is not None:
            more["view"] = view
        message = await self._thread().send(
            text,
            files=files,
            allowed_mentions=discord.AllowedMentions(users=users),
            **more,
        )
        self._is_new = False
        return message

    def _thread(self) -> discord.PartialMessageable:
        thread = self.duel.thread or 0
        return self.client.get_partial_messageable(thread, guild_id=self.duel.guild)

    def _board(self, message: int | None) -> discord.PartialMessage:
        return self._thread().get_partial_message(message or 0)

    def _finish_later(self, old: int | None, new: int, text: str) -> None:
        if old is not None and old != new:
            self.client.keep(self._finish(old, text))  # nobody has to wait for it

    async def _finish(self, message: int, text: str) -> None:
        """Removes the buttons and the deadline from a board; its text may be unknown."""
        board = self._board(message)
        with suppress(discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError):
            async with asyncio.timeout(FINISH_SECONDS):
                text = text or (await board.fetch()).content
                await board.edit(content=finished_text(text), view=None)

    async def _open_thread(self, view: MatchView) -> None:
        """Opens the thread on the message of the challenge, or without one. Raises
        `HTTPException`.
        """
        duel = self.duel
        guild = self.client.get_guild(duel.guild)
        channel = guild.get_channel(duel.channel) if guild is not None else None
        if channel is None:  # perhaps the server has not arrived yet
            found = await self.client.fetch_channel(duel.channel)
            channel = found if isinstance(found, discord.TextChannel) else None
        if not isinstance(channel, discord.TextChannel):
            await self.note_thread("deleted")
            return
        red, blue = (player_name(view, seat) for seat in SEATS)
        name = f"{view.title}: {red} – {blue}"[:LONGEST_NAME]
        is_private = (await asyncio.to_thread(self._store.guild, duel.guild)).private_threads
        thread = await start_thread(channel, duel.starter, name, is_private=is_private)
        self._is_new, self.lacks_room = True, False
        await self._save(thread=thread)

    async def _open_again(self) -> None:
        """Opens the archived thread, unless someone has locked it. Raises `HTTPException`."""
        thread = await self.client.fetch_channel(self.duel.thread or 0)
        if isinstance(thread, discord.Thread):
            if not thread.locked:
                await thread.edit(archived=False)
            await self.note_thread("locked" if thread.locked else "open")


async def start_thread(
    channel: discord.TextChannel, starter: int | None, name: str, *, is_private: bool
) -> int:
    """The thread of a message, created if missing; a new thread if there is no message or if it
    is private.
    """
    if starter is not None and not is_private:
        message = channel.get_partial_message(starter)
        try:
            opened = await message.create_thread(name=name, auto_archive_duration=ARCHIVE_MINUTES)
        except discord.NotFound as error:
            if error.code != NO_MESSAGE:
                raise
        except discord.HTTPException as error:
            if error.code != HAS_THREAD:
                raise
            return starter  # a thread has the id of its message
        else:
            return opened.id
    kind = discord.ChannelType.news_thread if channel.is_news() else PUBLIC
    if is_private and not channel.is_news():
        kind = discord.ChannelType.private_thread
    opened = await channel.create_thread(
        name=name,
        type=kind,
        auto_archive_duration=ARCHIVE_MINUTES,
    )
    return opened.id


def is_slow(view: MatchView) -> bool:
    """Whether players may be away between two choices."""
    return view.time.seconds is None or view.time.seconds >= SLOW


def described(svg: str) -> str:
    """The alternative text of a picture."""
    found = re.search(r"<title[^>]*>(.*?)</title><desc[^>]*>(.*?)</desc>", svg, re.DOTALL)
    return unescape(f"{found[1]}. {found[2]}")[:1024] if found else ""
