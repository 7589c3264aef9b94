"""Bots outside of the referee's games: those that people play against, and those being checked."""

from contextlib import ExitStack

from holmgang.arena.judge.bots import RunningBot
from holmgang.arena.judge.process import BotProcesses, CpuCore
from holmgang.arena.judge.sandbox import Sandbox
from holmgang.arena.task import Settings
from holmgang.players.naming import Bot
from holmgang.players.player import Failed


class BotHost:
    """Starts bots. When it is closed, no process is left."""

    def __init__(
        self, settings: Settings, *, secrets: tuple[str, ...] = (), pinned: bool = False
    ) -> None:
        """`secrets` are folders that tell of a game's draws: no bot in a sandbox sees them.
        `pinned` keeps this process and its bots on one core, as the referee does.
        """
        self.settings = settings
        self._secrets = secrets
        with ExitStack() as stack:
            if pinned:
                stack.callback(CpuCore().close)
            self._sandbox = Sandbox()
            self._processes = BotProcesses()
            stack.callback(self._processes.close)
            self._stack = stack.pop_all()
        self.stderr = b""
        """The last that a bot has written there before it failed."""

    def start(self, bot: Bot) -> RunningBot:
        """A bot that has said hello. Raises `Failed` if it does not."""
        running = RunningBot(
            bot, self._sandbox.start(self._processes, bot, self.settings, self._secrets)
        )
        try:
            running.greet(self.settings.start_ms)
        except Failed:
            self.end(running)
            raise
        return running

    def end(self, running: RunningBot) -> None:
        running.process.end()
        self.stderr = running.process.take_stderr()

    def kill(self) -> None:
        """Ends all bots, also while another thread waits for one, which then raises `Failed`."""
        self._processes.kill()

    def close(self) -> None:
        self._stack.close()
