"""The connection to Discord: receives events and dispatches them.

Nothing here is permanent. Everything that has to survive is in the store, so another client can
take over at any time.
"""

import asyncio
import logging
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import aiohttp
import discord
from discord import app_commands
from discord.ext import tasks

from holmgang.discord import commands, presses
from holmgang.discord.answers import Interaction, SeenInteractions, acknowledge, data_of, tell_error
from holmgang.discord.challenges import Challenges
from holmgang.discord.controls import number_form
from holmgang.discord.custom_ids import parse_press
from holmgang.discord.duel_thread import DuelThread
from holmgang.discord.helper_process import Helpers
from holmgang.discord.menus import OpenMenus
from holmgang.discord.pacing import IdentifyTooSoonError, RequestPace, identify_pause
from holmgang.discord.permissions import NEEDED
from holmgang.discord.recent_users import RecentUsers
from holmgang.discord.settings import DiscordSettings
from holmgang.errors import HolmgangError
from holmgang.live.background import BackgroundTasks
from holmgang.live.refusal import Refused
from holmgang.live.service import Service
from holmgang.store import Person, ShownDuel, ThreadState

RECENT = 900.0
"""Seconds in which a rematch of a finished match can be agreed on."""
LAST_ANSWERS = 3.0
"""Seconds for answers under way when the client is closed."""
GETTING_READY = 5.0
"""Seconds for a client to become ready after it has connected."""
WELCOME = """**Holmgang** is here: duels between two members, who choose unseen and at once.
- `/join` makes you one of the players. Then challenge someone with `/challenge`, or right-click a \
member, Apps → challenge. Challenge me to play against a level.
- Each duel gets a thread, with the board as a picture. Only you see your choices.
- `/rules` explains the games, `/duel` brings you back to your duel.
-# Members who manage this server can choose the channel, the role, pings and private threads with \
`/settings`."""
OLD_BUTTON = "That button is from an earlier version of this bot. Type `/duel`."

log = logging.getLogger(__name__)


@contextmanager
def failures_logged() -> Iterator[None]:
    """Logs what may go wrong in periodic work, which is then tried again."""
    try:
        yield
    except (HolmgangError, discord.DiscordException, aiohttp.ClientError, OSError) as error:
        log.warning("%s: %s", type(error).__name__, error)


class Commands(app_commands.CommandTree["DuelClient"]):
    """The slash commands. Each is acknowledged before its work begins."""

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        if not self.client.seen.is_new(interaction.id):
            return False
        self.client.note_answering()
        self.client.recent_users.note(interaction.user.id)
        try:
            await acknowledge(interaction)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            await tell_error(interaction, error)
            return False
        return True

    async def on_error(
        self, interaction: Interaction, error: app_commands.AppCommandError, /
    ) -> None:
        await tell_error(interaction, error)


class DuelClient(discord.AutoShardedClient):
    """One connection, or several if Discord asks for shards. When it ends, `run.py` makes
    another.
    """

    def __init__(
        self, service: Service, settings: DiscordSettings, helpers: Helpers, *, syncs: bool = True
    ) -> None:
        """`syncs`: whether to register the commands with Discord."""
        intents = discord.Intents.none()
        intents.guilds = True
        intents.guild_messages = True  # to learn of boards that are deleted
        super().__init__(
            intents=intents,
            allowed_mentions=discord.AllowedMentions(everyone=False, roles=False),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            guild_ready_timeout=0.1 if settings.quick_start else 2.0,
        )
        self.http.request = RequestPace().applied(self.http.request)  # type: ignore[method-assign]
        self.service, self.settings, self.helpers = service, settings, helpers
        self.store = service.store
        self.seen = SeenInteractions()
        self.recent_users = RecentUsers()
        self.challenges = Challenges(self)
        self.menus = OpenMenus(self)
        self.was_ready = False
        self.role_lock = asyncio.Lock()
        self.new_roles: dict[int, discord.Role] = {}
        self._syncs = syncs
        self._threads: dict[str, DuelThread] = {}
        self._background = BackgroundTasks()
        self._answering: set[asyncio.Task[object]] = set()
        self._is_closing = self._has_begun = False
        self._people: dict[tuple[int, str], Person] = {}
        self.tree = Commands(
            self,
            allowed_contexts=app_commands.AppCommandContext(guild=True),
            allowed_installs=app_commands.AppInstallationType(guild=True),
        )
        commands.add_to(self.tree)

    @property
    def own_id(self) -> int:
        return self.user.id if self.user is not None else 0

    def address_of(self, match: str) -> str:
        """The page of a match on the web server, if there is one."""
        return f"{self.settings.web_address}/match/{match}" if self.settings.web_address else ""

    # Beginning and end

    async def setup_hook(self) -> None:
        pause = identify_pause(await self.fetch_session_start_limits())
        if pause:
            log.error("few Identifies are left today", extra={"event": {"seconds": round(pause)}})
            await asyncio.sleep(pause)
        if self._syncs:
            await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        await super().before_identify_hook(shard_id, initial=initial)
        if not initial and identify_pause(await self.fetch_session_start_limits()):
            raise IdentifyTooSoonError("few Identifies are left today")  # the next client waits

    async def on_ready(self) -> None:
        if not self.was_ready:
            invite = discord.utils.oauth_url(
                self.application_id or 0, permissions=NEEDED, scopes=commands.SCOPES
            )
            sys.stdout.write(
                f"Holmgang is on Discord as {self.user}. Ctrl-C stops it.\n"
                f"Invite it to a server: {invite}\n"
            )
            sys.stdout.flush()
        self.was_ready = True
        log.info("connected", extra={"event": {"servers": len(self.guilds)}})
        self.keep(self._resume())
        if not self.tick.is_running():
            self.tick.change_interval(seconds=self.settings.tick_seconds)
            self.tick.start()
        if not self.look_for_members.is_running():
            self.look_for_members.change_interval(seconds=self.settings.members_seconds)
            self.look_for_members.start()

    async def _resume(self) -> None:
        """Continues everything that the store says is unfinished."""
        since = self.service.now() - RECENT
        for duel in await asyncio.to_thread(self.store.discord.unfinished_duels, since=since):
            self.follow(duel)

    @tasks.loop(seconds=5)
    async def tick(self) -> None:
        """Looks after challenges and deadlines."""
        with failures_logged():
            await self.challenges.look_after()
            for shown in list(self._threads.values()):
                await shown.remind()

    @tasks.loop(minutes=10)
    async def look_for_members(self) -> None:
        """Withdraws the challenges of members who have left."""
        with failures_logged():
            await self.challenges.look_for_members()

    async def close(self) -> None:
        self._is_closing = True
        answering = self._answering - {asyncio.current_task()}
        if answering:
            await asyncio.wait(answering, timeout=LAST_ANSWERS)
        self.tick.cancel()
        self.look_for_members.cancel()
        await self._background.close()
        if self._has_begun:  # discord.py's task that makes it ready fails on a closed client
            with suppress(TimeoutError):
                await asyncio.wait_for(self.wait_until_ready(), GETTING_READY)
        await super().close()

    async def on_connect(self) -> None:
        self._has_begun = True

    def note_answering(self) -> None:
        """Registers this task as one that answers someone, so that closing waits for it."""
        task = asyncio.current_task()
        if task is not None:
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)

    def keep(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None] | None:
        """Starts a background task, unless the client is being closed."""
        if self._is_closing:  # Discord may say that we are ready when we no longer are
            work.close()
            return None
        return self._background.start(work)

    async def on_error(self, event_method: str, /, *_args: object, **_kwargs: object) -> None:
        error = sys.exc_info()[1]
        log.error("an event failed", exc_info=error, extra={"event": {"kind": event_method}})

    # People and duels

    async def person(self, user: discord.User | discord.Member) -> Person:
        """The person of a user."""
        key = user.id, user.name
        if key not in self._people:
            self._people[key] = await asyncio.to_thread(self.store.discord.person, *key)
        return self._people[key]

    async def seat(self, user: discord.User | discord.Member, match: str) -> str | None:
        """The seat of a user in a match; None for a spectator. Raises `Refused` if there is no such
        match.
        """
        return await self.service.seat_of(match, person=(await self.person(user)).id)

    async def show_duel(self, duel: ShownDuel) -> None:
        """Shows a match that is not shown yet."""
        await asyncio.to_thread(self.store.discord.add_duel, duel)
        known = await asyncio.to_thread(self.store.discord.duel, duel.match)
        self.follow(known or duel)

    async def show_rematch(self, match: str, last: ShownDuel) -> None:
        """Shows the rematch in the same thread, with the seats exchanged."""
        await self.show_duel(
            last._replace(
                match=match,
                message=None,
                red=last.blue,
                blue=last.red,
                game=0,
                round=0,
                stage="playing",
            )
        )

    def follow(self, duel: ShownDuel) -> DuelThread:
        """The thread that shows a match; it is started if it is not running."""
        shown = self._threads.get(duel.match)
        if shown is None:
            shown = self._threads[duel.match] = DuelThread(self, duel)
            self.keep(self._run(shown))
        return shown

    async def _run(self, shown: DuelThread) -> None:
        try:
            await shown.run()
        finally:
            self._threads.pop(shown.duel.match, None)

    async def find_thread(self, match: str) -> DuelThread | None:
        """The thread that shows a match; None if it is not shown on Discord."""
        if match in self._threads:
            return self._threads[match]
        duel = await asyncio.to_thread(self.store.discord.duel, match)
        return None if duel is None else self.follow(duel)

    # Events

    async def on_interaction(self, interaction: Interaction) -> None:
        """Handles a button, a select or a form. The command tree handles commands."""
        kinds = (discord.InteractionType.component, discord.InteractionType.modal_submit)
        if interaction.type not in kinds or not self.seen.is_new(interaction.id):
            return
        self.note_answering()
        self.recent_users.note(interaction.user.id)
        try:
            custom_id = str(data_of(interaction).get("custom_id", ""))
            press = parse_press(custom_id)
            if press is not None and press.action == "number":
                await interaction.response.send_modal(number_form(press))
                return
            await acknowledge(interaction)
            if press is None or press.action not in presses.HANDLERS:
                raise Refused("not found", OLD_BUTTON)
            await presses.HANDLERS[press.action](self, interaction, press)
        except Exception as error:  # noqa: BLE001 - whatever it was, the user is told something
            await tell_error(interaction, error)

    async def on_guild_role_create(self, role: discord.Role) -> None:
        self.new_roles.pop(role.id, None)

    async def on_guild_role_delete(self, role: discord.Role) -> None:
        self.new_roles.pop(role.id, None)

    async def on_message(self, message: discord.Message) -> None:
        if not message.flags.ephemeral:
            for shown in self._shown(lambda duel: duel.thread == message.channel.id):
                shown.note_message(message.id)

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        self._note_deleted(payload.channel_id, {payload.message_id})

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        self._note_deleted(payload.channel_id, payload.message_ids)

    def _note_deleted(self, thread: int, messages: set[int]) -> None:
        for shown in self._shown(lambda duel: duel.thread == thread):
            shown.note_deleted(messages)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        for shown in self._shown(lambda duel: duel.thread == payload.thread_id):
            await shown.note_thread("deleted")

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        for shown in self._shown(lambda duel: duel.channel == channel.id):
            await shown.note_thread("deleted")

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        metadata = payload.data["thread_metadata"]
        state: ThreadState = "archived" if metadata["archived"] else "open"
        if metadata.get("locked"):
            state = "locked"
        for shown in self._shown(lambda duel: duel.thread == payload.thread_id):
            await shown.note_thread(state)

    async def on_guild_channel_update(
        self, _before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Tries again: perhaps the bot may post there now."""
        for shown in self._shown(lambda duel: duel.channel == after.id):
            await shown.try_again()

    async def on_guild_role_update(self, _before: discord.Role, after: discord.Role) -> None:
        await self._try_again(after.guild)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Says hello, and tries again: perhaps the bot may post in this server now."""
        await self._try_again(guild)
        for channel in (guild.system_channel, *guild.text_channels):
            if channel is not None and channel.permissions_for(guild.me).send_messages:
                with suppress(discord.HTTPException):
                    await channel.send(WELCOME)
                    return

    async def _try_again(self, guild: discord.Guild) -> None:
        for shown in self._shown(lambda duel: duel.guild == guild.id):
            await shown.try_again()

    def _shown(self, is_wanted: Callable[[ShownDuel], bool]) -> list[DuelThread]:
        return [shown for shown in self._threads.values() if is_wanted(shown.duel)]
