"""Containment of bots. For now: none."""

import os

from holmgang.arena.contestant import Bot
from holmgang.arena.process import Launch, Nursery, Process
from holmgang.arena.task import Settings


class Sandbox:
    def start(self, nursery: Nursery, bot: Bot, settings: Settings) -> Process:
        return nursery.start(Launch(bot.command, bot.folder, dict(os.environ)))

    def close(self) -> None:
        pass
