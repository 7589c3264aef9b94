"""`holmgang discord` in a process of its own, connected to a stand-in: for tests that kill it.

python -m tests.discord.bot_process API GATEWAY OPTION…, with the token in the environment.
"""

import sys
from dataclasses import replace

import discord
import yarl

from holmgang.cli.main import main
from holmgang.discord import run
from holmgang.discord.helper_process import Helpers


def start() -> None:
    program, api, gateway, *options = sys.argv
    discord.http.Route.BASE = api
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
    run.Helpers = lambda: Helpers(width=90)
    serve = run.run
    run.run = lambda settings: serve(replace(settings, tick_seconds=0.1, quick_start=True))
    sys.argv = [program, "discord", *options]
    main()


if __name__ == "__main__":
    start()
