"""`holmgang discord`: one process that stays connected, and stops without losing anything."""

import asyncio
import logging
import signal
import time
from contextlib import suppress

import discord

from holmgang.discord.client import DuelClient
from holmgang.discord.helper_process import Helpers
from holmgang.discord.settings import TOKEN_VARIABLE, DiscordSettings
from holmgang.errors import UsageError
from holmgang.games.catalogue import CATALOGUE
from holmgang.live.logs import set_up_logs
from holmgang.live.service import Service
from holmgang.store import Store

STOPPED_BY = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LONGEST_PAUSE = 600.0
"""Seconds between two attempts to connect. A connection that lasted this long counts as a good
one, so that there are at most 150 attempts a day.
"""
MOST_GAMES = 25
"""Choices of an option of a slash command."""
FATAL = {
    4004: f"the token in {TOKEN_VARIABLE} is no longer valid",
    4010: "the bot sent an invalid shard",
    4011: "the bot is on too many servers for the number of its shards",
    4012: "this version of the gateway no longer exists; update discord.py",
    4013: "the bot sent invalid intents",
    4014: "the bot asked for intents that it was not granted",
}
"""Close codes after which another attempt would end in the same way."""

log = logging.getLogger(__name__)


def run(settings: DiscordSettings) -> None:
    """Serves until a signal stops it. Raises `UsageError` or `StoreError` if it cannot, and
    `KeyboardInterrupt` when Ctrl-C has stopped it.
    """
    if len(CATALOGUE) > MOST_GAMES:
        raise UsageError(f"Discord shows at most {MOST_GAMES} games; not {len(CATALOGUE)}")
    set_up_logs(as_json=settings.log_json)
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # nobody speaks
    with Store.open(settings.database) as store:
        if asyncio.run(serve(settings, store)) == signal.SIGINT:
            raise KeyboardInterrupt


async def serve(settings: DiscordSettings, store: Store) -> int | None:
    """Serves until a signal, and returns that signal."""
    stopping = asyncio.Event()
    stopped_by: list[int] = []

    def stop(by: int) -> None:
        stopped_by.append(by)
        stopping.set()

    loop = asyncio.get_running_loop()
    for each in STOPPED_BY:
        if signal.getsignal(each) is not signal.SIG_IGN:
            loop.add_signal_handler(each, stop, each)
    service, helpers = Service(store), Helpers()
    await service.start()
    try:
        await stay_connected(service, settings, helpers, stopping)
    finally:
        log.info("stopping")
        await helpers.close()
        await service.close()
    return stopped_by[0] if stopped_by else None


async def stay_connected(
    service: Service, settings: DiscordSettings, helpers: Helpers, stopping: asyncio.Event
) -> None:
    """Keeps a client connected until `stopping` is set. After a failure a new client continues from
    the store. Raises `UsageError` if Discord rejects the bot for good.
    """
    pause, is_first = 1.0, True
    while not stopping.is_set():
        client = DuelClient(service, settings, helpers, syncs=is_first)
        began = time.monotonic()
        try:
            await connect(client, settings.token, stopping)
        except discord.LoginFailure:
            raise UsageError(
                f"Discord refuses the token in {TOKEN_VARIABLE}; is it complete?"
            ) from None
        except discord.PrivilegedIntentsRequired:
            raise UsageError(refusal(4014)) from None
        except discord.ConnectionClosed as error:
            if error.code in FATAL:
                raise UsageError(refusal(error.code)) from None
            log_failure(error)
        except Exception as error:  # noqa: BLE001 - discord.py raises whatever it stumbles over
            log_failure(error)
        is_first = is_first and not client.was_ready
        if time.monotonic() - began > LONGEST_PAUSE:
            pause = 1.0
        if not stopping.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(stopping.wait(), pause)
            pause = min(2 * pause, LONGEST_PAUSE)


def refusal(code: int) -> str:
    return f"Discord closed the connection for good ({code}): {FATAL[code]}"


def log_failure(error: Exception) -> None:
    log.warning("disconnected", extra={"event": {"error": f"{type(error).__name__}: {error}"}})


async def connect(client: DuelClient, token: str, stopping: asyncio.Event) -> None:
    """Runs a client until it ends or `stopping` is set. Raises what the client raises."""
    running = asyncio.create_task(client.start(token))
    stopped = asyncio.create_task(stopping.wait())
    try:
        await asyncio.wait([running, stopped], return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            await running
    finally:
        stopped.cancel()
        with suppress(Exception):  # what it closes may be broken
            await client.close()
        running.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await running
