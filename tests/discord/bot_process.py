"""`holmgang discord` in a process of its own, connected to a stand-in: for tests that kill it.

python -m tests.discord.bot_process API GATEWAY DATABASE, with the token in the environment.
"""

import os
import sys

import discord
import yarl

from holmgang.discord import run
from holmgang.discord.helper_process import Helpers
from holmgang.discord.settings import TOKEN, Settings


def main() -> None:
    api, gateway, database = sys.argv[1:]
    discord.http.Route.BASE = api
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
    run.Helpers = lambda: Helpers(width=90)
    settings = Settings(os.environ[TOKEN], database, tick_seconds=0.1, quick_start=True)
    run.run(settings)


if __name__ == "__main__":
    main()
