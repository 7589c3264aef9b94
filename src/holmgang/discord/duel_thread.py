"""One match in its thread: posts what has happened since the last post.

The store knows what has been posted, so this can start again at any time. A post that was made just
before a crash is not made twice: it has a nonce, by which Discord recognises it.
"""

import asyncio
import io
import logging
import re
from collections.abc import Iterable
from contextlib import suppress
from html import unescape
from typing import TYPE_CHECKING, Any, Literal

import aiohttp
import discord
from discord.utils import escape_markdown

from holmgang.discord.helper_process import NoAnswer
from holmgang.discord.posts import (
    Players,
    board_text,
    board_view,
    finished_text,
    game_text,
    named_picture,
    packed,
    player_name,
    result_lines,
    result_view,
    round_text,
)
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
MOST_RECORDS = 6
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
        self._has_picture = True
        """Whether the last board has a picture; after a restart, as nearly every one has."""
        self._was_deleted = False
        """Whether the last board was deleted. The same nonce would return the deleted one."""
        self._deleted: set[int] = set()
        """Messages that were deleted during a post, whose id is not known until it is answered."""
        self._view: MatchView | None = None
        self._is_new = False
        """Whether the thread is new, so that its players have to be added by mentioning them. They
        also are on the first board, since the bot may have been restarted."""
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
        if state == self.duel.thread_state:
            return
        values = {"match": self.duel.match, "was": self.duel.thread_state, "is": state}
        log.info("a thread has changed", extra={"event": values})
        await self._save(thread_state=state)
        if state == "open":
            self._pause = 1.0
        if state != "archived":  # it is opened again when there is something to show
            self.look()

    async def try_again(self) -> None:
        """Posts again where it was not possible; if it still is not, that is noted again."""
        if self.duel.thread_state == "archived":
            self.look()
        elif self.duel.thread_state == "forbidden":
            await self.note_thread("open")

    async def restore(self, channel: int) -> None:
        """Opens a new thread in a channel."""
        await self._save(channel=channel, starter=None, thread=None, message=None)
        await self.note_thread("open")
        self.look()

    def note_deleted(self, messages: set[int]) -> None:
        """Notes that messages were deleted; a board among them is posted again."""
        self._deleted |= messages
        if self.duel.message in messages and self.duel.stage == "playing":
            self.forget_board()

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
                    await self._try_to_show(frames)
        finally:
            self._frames = None
            if self._timer is not None:
                self._timer.cancel()

    async def _try_to_show(self, frames: Subscription) -> None:
        try:
            view = self._view = await self._service.view(self.duel.match, Viewer())
            await self._show(view)
        except discord.HTTPException as error:
            values = {"match": self.duel.match, "status": error.status, "code": error.code}
            if (state := CLOSED.get(error.code)) is not None:
                await self.note_thread(state)
            if state is not None and state not in SHOWABLE:
                return
            log.warning("a post failed", extra={"event": values})
            after = error.response.headers.get("Retry-After", "0")
            self._again(frames, float(after) if after.replace(".", "", 1).isdecimal() else 0.0)
        except (aiohttp.ClientError, OSError, TimeoutError, StoreError) as error:
            values = {"match": self.duel.match, "error": type(error).__name__}
            log.warning("a post failed", extra={"event": values})
            self._again(frames, 0.0)
        except Exception:
            log.exception("a duel cannot be shown", extra={"event": {"match": self.duel.match}})
            self._again(frames, UNFORESEEN)
        else:
            self._pause = 1.0
            if self.duel.stage == "done":
                self._later(REMATCH_SECONDS, frames.close)
                if view.rematch.match is not None:
                    frames.close()

    def _again(self, frames: Subscription, least: float) -> None:
        self._later(max(least, self._pause), frames.refresh)
        self._pause = min(2 * self._pause, LONGEST_PAUSE)

    def _later(self, seconds: float, act: Any) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, act)

    async def _save(self, **changed: Any) -> None:
        self.duel = self.duel._replace(**changed)
        await asyncio.to_thread(self._store.update_duel, self.duel.match, **changed)

    # Showing

    async def _show(self, view: MatchView) -> None:
        self.client.keep(self.client.menus.refresh(self.duel.match))  # posts may have to wait
        if self.duel.thread_state == "archived" and self.duel.stage != "done":
            await self._open_again()
        if self.duel.thread_state in SHOWABLE:
            if self.duel.thread is None:
                await self._open_thread(view)
            if self.duel.stage == "playing":
                await self._show_play(view)
            if self.duel.stage == "over":
                await self._show_analysis(view)
        elif view.status in ("over", "cancelled") and self.duel.stage != "done":
            await self._save(stage="done")  # its players are free for another
        if view.rematch.match is not None:
            await self.client.show_rematch(view.rematch.match, self.duel)

    async def _show_play(self, view: MatchView) -> None:
        shown = view.game, len(view.rounds)
        if view.status in ("over", "cancelled"):
            await self._post_result()
        elif self.duel.message is None or shown != (self.duel.game, self.duel.round):
            await self._post_board()
        elif (standing := self._text(view)) != self._standing:
            await self._mark(view, standing)

    async def _mark(self, view: MatchView, standing: str) -> None:
        """Updates the board: who has chosen, and offers of a draw."""
        try:
            await self._board(self.duel.message).edit(content=standing, view=self._buttons(view))
        except discord.NotFound as error:
            if error.code != NO_MESSAGE:
                raise
            self.forget_board()
        else:
            self._standing = standing

    def _text(self, view: MatchView) -> str:
        return board_text(view, self.players, has_picture=self._has_picture)

    def _buttons(self, view: MatchView) -> discord.ui.View | None:
        """The buttons of a board; none if nobody on Discord plays."""
        return board_view(view) if any(self.players) else None

    async def _post_board(self) -> None:
        """Posts the state with the last round, and removes the buttons from the previous board."""
        view = await self._service.view(self.duel.match, Viewer(picture=True))
        if view.status in ("over", "cancelled"):
            await self._post_result()
            return
        shown = view.game, len(view.rounds)
        old = self.duel.message
        missed = await self._missed_rounds(view)
        earlier = missed[:-1] if view.rounds else missed
        if earlier:
            await self._post_log(view, earlier, max(shown[1] - 1, 0))
        files = await self._pictures(named_picture(view, view.game))
        self._has_picture = bool(files)
        nonce = None if self._was_deleted else f"{self.duel.match}.{shown[0]:x}.{shown[1]:x}"
        self._deleted.clear()
        message = await self._send(
            self._text(view),
            nonce=nonce,
            view=self._buttons(view),
            files=files,
            pings=view.waiting_for if is_slow(view) or shown == (1, 0) else (),
        )
        old_text, self._standing = self._standing, self._text(view)
        self._was_deleted = False
        await self._save(message=message.id, game=shown[0], round=shown[1])
        if message.id in self._deleted:
            self.forget_board()
        if old is not None and old != message.id:
            await self._finish(old, old_text)

    async def _post_log(self, view: MatchView, lines: list[str], round: int) -> None:
        """Posts the rounds up to this one of the open game, and the end of the previous game."""
        files = []
        if view.previous and view.game != self.duel.game:
            files = await self._pictures(named_picture(view, view.previous.game))
        texts = packed(lines)
        for number, text in enumerate(texts, start=1):
            await self._send(
                text,
                nonce=f"{self.duel.match}.{view.game:x}.{round:x}.{number}",
                view=None,
                files=files if number == len(texts) else [],
                pings=(),
            )
        await self._save(message=None, game=view.game, round=round)

    async def _post_result(self) -> None:
        view = await self._service.view(self.duel.match, Viewer(picture=True))
        rounds = await self._missed_rounds(view)
        old = self.duel.message
        lines = result_lines(view, self.players)
        if self.client.settings.web_address:
            lines.append(self.client.address_of(self.duel.match))
        if len(packed([*rounds, *lines])) > 1:
            await self._post_log(view, rounds, len(view.rounds))
            rounds = []
        text = packed([*rounds, *lines])[0]
        board = named_picture(view, view.game)
        files = await self._pictures(board) + await self._records(view)
        is_played = view.status == "over"
        message = await self._send(
            text,
            nonce=f"{self.duel.match}.over",
            view=result_view(view) if is_played and any(self.players) else None,
            files=files,
            pings=SEATS,
        )
        stage = "over" if is_played else "done"
        shown = {"game": view.game, "round": len(view.rounds)}
        await self._save(message=message.id, stage=stage, **shown)
        if old is not None and old != message.id:
            await self._finish(old, self._standing)

    async def _show_analysis(self, view: MatchView) -> None:
        """Posts the analysis of the last game: three sentences and the curve."""
        number = view.game
        try:
            record = await self._service.record(self.duel.match, number)
            told = await self.client.helpers.analysis(record)
        except (NoAnswer, Refused) as error:
            log.warning("no analysis: %s", error, extra={"event": {"match": self.duel.match}})
        else:
            game = f" of game {number}" if number > 1 else ""
            lines = [f"**Analysis{game}**", *(f"- {escape_markdown(s)}" for s in told.sentences)]
            await self._send(
                "\n".join(lines),
                nonce=f"{self.duel.match}.analysis",
                view=None,
                files=await self._pictures(told.curve, "analysis.png"),
                pings=(),
            )
        await self._save(stage="done")

    async def remind(self) -> None:
        """Reminds the players who are away of a choice that is soon due, once in a round."""
        view = self._view
        if (
            view is None
            or view.status != "playing"
            or view.deadline is None
            or view.time.seconds is None
            or not is_slow(view)
            or (self.duel.stage, self.duel.thread_state) != ("playing", "open")
        ):
            return
        this = f"{view.game}.{view.round}"
        left = view.deadline / 1000 - self._service.now()
        if self.duel.reminded == this or not 0 < left < REMINDER * view.time.seconds:
            return
        away = [seat for seat in view.waiting_for if await self._wants_ping(seat)]
        if away:
            await self._save(reminded=this)
            users = ", ".join(self.players.mention(seat, view) for seat in away)
            due = f"<t:{view.deadline // 1000}:R>"
            with suppress(discord.HTTPException, aiohttp.ClientError, OSError):
                await self._send(
                    f"⏰ {users}, your choice in round {view.round} is due {due}.",
                    nonce=f"{self.duel.match}.{this}.due",
                    view=None,
                    files=[],
                    pings=away,
                )

    async def _wants_ping(self, seat: str) -> bool:
        """Whether the seat has a user who is away, in a server that has not switched pings off."""
        user = getattr(self.duel, seat)
        if user is None or not self.client.recent_users.is_away(user):
            return False
        return await asyncio.to_thread(self._store.pings, self.duel.guild)

    async def _missed_rounds(self, view: MatchView) -> list[str]:
        """The log since the last post."""
        lines = []
        first = self.duel.game or 1
        for number in range(first, view.game + 1):
            is_last = number == view.game
            rounds = view.rounds
            if not is_last:
                rounds = (await self._service.game(self.duel.match, number)).log
            skipped = self.duel.round if number == first else 0
            lines += [round_text(line) for line in rounds[skipped:]]
            if view.wins_needed > 1 and number <= len(view.games):
                lines.append(game_text(view.games[number - 1]))
        return lines

    async def _pictures(self, svg: str | None, name: str = "board.png") -> list[discord.File]:
        """The picture as a file; none if it cannot be made."""
        if svg is None:
            return []
        try:
            png = await self.client.helpers.png(svg)
        except NoAnswer as error:
            log.warning("%s", error)
            return []
        return [discord.File(io.BytesIO(png), name, description=described(svg))]

    async def _records(self, view: MatchView) -> list[discord.File]:
        files = []
        for line in view.games[-MOST_RECORDS:]:
            with suppress(Refused):
                record = await self._service.record(self.duel.match, line.number)
                name = f"{view.game_name}-{self.duel.match}-{line.number}.jsonl"
                files.append(discord.File(io.BytesIO(record), name))
        return files

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

    async def _finish(self, message: int, text: str) -> None:
        """Removes the buttons and the deadline from a board; its text may be unknown."""
        board = self._board(message)
        with suppress(discord.HTTPException):
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
        thread = await start_thread(channel, duel.starter, name)
        self._is_new = True
        await self._save(thread=thread)

    async def _open_again(self) -> None:
        """Opens the archived thread, unless someone has locked it. Raises `HTTPException`."""
        thread = await self.client.fetch_channel(self.duel.thread or 0)
        if isinstance(thread, discord.Thread):
            if not thread.locked:
                await thread.edit(archived=False)
            await self.note_thread("locked" if thread.locked else "open")


async def start_thread(channel: discord.TextChannel, starter: int | None, name: str) -> int:
    """The thread of a message, created if missing; without a message, a new thread."""
    if starter is not None:
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
