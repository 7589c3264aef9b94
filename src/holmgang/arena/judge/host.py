"""The processes of bots: for the referee's games, against people, and in checks."""

from contextlib import ExitStack

from holmgang.arena.judge.bots import FailedBot, RunningBot
from holmgang.arena.judge.process import BotProcesses, CpuCore
from holmgang.arena.judge.sandbox import Sandbox
from holmgang.arena.judge.transcript import LoggedProcess
from holmgang.arena.task import Settings
from holmgang.players.naming import Bot
from holmgang.players.player import Failed


class BotHost:
    """Starts bots. When it is closed, no process is left."""

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
        self, bot: Bot, settings: Settings, secrets: tuple[str, ...] = ()
    ) -> RunningBot | FailedBot:
        """A bot that has said hello, or how it failed to. `secrets` are folders that tell of a
        game's draws: no bot in a sandbox sees them.
        """
        running = None
        try:
            process = self._sandbox.start(self._processes, bot, settings, secrets)
            running = RunningBot(bot, process if settings.log is None else LoggedProcess(process))
            running.greet(settings.start_ms)
        except Failed as failed:
            if running is None:
                return FailedBot(bot, failed)
            return FailedBot(bot, failed, running.end(), running.take_lines())
        return running

    def rest(self) -> None:
        """Stops the bots until they are asked again."""
        self._processes.rest()

    def kill(self) -> None:
        """Ends all bots, also while another thread waits for one, which then raises `Failed`."""
        self._processes.kill()

    def close(self) -> None:
        self._stack.close()
