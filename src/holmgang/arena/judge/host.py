"""Runs the processes of bots: for the referee's games, for games with people, and for checks."""

from contextlib import ExitStack

from holmgang.arena.judge.bots import FailedBot, RunningBot
from holmgang.arena.judge.process import BotProcesses, CpuCore
from holmgang.arena.judge.sandbox import Sandbox
from holmgang.arena.task import JudgeSettings
from holmgang.players.naming import Bot
from holmgang.players.player import Failed


class BotHost:
    """Starts bots. Closing it ends all of their processes."""

    def __init__(self, *, pinned: bool = False) -> None:
        """`pinned` keeps this process and its bots on one core."""
        with ExitStack() as stack:
            if pinned:
                stack.callback(CpuCore().close)
            self._sandbox = Sandbox()
            self._processes = BotProcesses()
            stack.callback(self._processes.close)
            self._stack = stack.pop_all()

    def start(
        self, bot: Bot, settings: JudgeSettings, secrets: tuple[str, ...] = ()
    ) -> RunningBot | FailedBot:
        """The bot, after its hello if the protocol has one, or its failure. A sandbox hides the
        folders in `secrets`, from which a game's dice could be predicted.
        """
        running = None
        try:
            process = self._sandbox.start(self._processes, bot, settings, secrets)
            running = RunningBot(bot, process)
            running.greet(settings.start_ms)
        except Failed as failed:
            if running is None:
                return FailedBot(bot, failed)
            return FailedBot(bot, failed, running.end(), running.take_lines())
        return running

    def rest(self) -> None:
        """Stops each bot until its next request."""
        self._processes.rest()

    def kill(self) -> None:
        """Ends all bots. A thread that waits for one gets `Failed`."""
        self._processes.kill()

    def close(self) -> None:
        self._stack.close()
