"""Kills the bot at random moments while two users play, and checks that nothing is lost.

What a user was told is acknowledged: a choice that was answered with "you have chosen" has to be in
the log of the match, whatever happens to the process after that.
"""

import asyncio
import os
import random
import re
import sys
import time
from contextlib import asynccontextmanager, suppress

from tests.discord.playing import Club, boards, eventually, picked, place, public
from tests.discord.standin import Standin

from holmgang.discord.settings import TOKEN_VARIABLE
from holmgang.store import Store

STUCK = 300.0
"""Seconds after which something that was tried again and again counts as impossible."""


class BotProcess:
    """The bot as a process that can be killed and started again."""

    def __init__(self, standin: Standin, url: str, *options: str) -> None:
        self.standin, self.options = standin, ("--database", url, *options)
        self.process: asyncio.subprocess.Process | None = None
        self.restarted = asyncio.Event()
        """Set when the bot is connected again, and then replaced."""

    async def start(self) -> None:
        self.standin.gateway.end_sessions()
        count = len(self.standin.gateway.identifies)
        self.process = process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tests.discord.bot_process",
            self.standin.api_url,
            self.standin.gateway_url,
            *self.options,
            env={**os.environ, TOKEN_VARIABLE: self.standin.token},
            stdout=asyncio.subprocess.DEVNULL,
        )

        def is_connected() -> bool:
            if len(self.standin.gateway.identifies) > count:
                return True
            assert process.returncode is None, f"the bot ended with {process.returncode}"
            return False

        await eventually(is_connected, STUCK)
        self.restarted.set()
        self.restarted = asyncio.Event()

    async def kill(self) -> None:
        if self.process is not None and self.process.returncode is None:
            self.process.kill()
        if self.process is not None:
            await self.process.wait()


@asynccontextmanager
async def running_process(standin: Standin, folder, *options: str):
    bot = BotProcess(standin, f"sqlite:///{folder}/holmgang.sqlite3", *options)
    await bot.start()
    try:
        yield bot
    finally:
        await bot.kill()


class Game:
    """Two users who play one match after the other, whatever happens to the bot."""

    def __init__(self, club: Club, bot: BotProcess, rules: str) -> None:
        self.club, self.bot, self.rules = club, bot, rules
        self.matches = 0
        self.acknowledged: list[int] = []
        self.last_answer = ""

    async def insist(self, what: str, act):
        """Does it again until it works: the bot may have been killed in between."""
        until = time.monotonic() + STUCK
        while time.monotonic() < until:
            acting = asyncio.ensure_future(act())
            restart = asyncio.ensure_future(self.bot.restarted.wait())
            try:
                await asyncio.wait([acting, restart], return_when=asyncio.FIRST_COMPLETED)
                if acting.done():
                    with suppress(TimeoutError, LookupError):
                        return await acting
            finally:
                acting.cancel()
                restart.cancel()
            await asyncio.sleep(0.05)
        raise AssertionError(f"{what}: impossible for {STUCK:g} s; told: {self.last_answer!r}")

    async def slash(self, user, name: str, **given):
        told = await self.club.standin.slash(user, self.club.general, name, **given)
        self.last_answer = told.text
        return told

    async def press(self, user, message, start: str, component=None):
        told = await self.club.standin.press(user, message, start, component=component)
        self.last_answer = told.text
        return told

    async def join(self, user) -> None:
        told = await self.slash(user, "join")
        if "joined" not in told.text:
            raise TimeoutError

    async def play_match(self) -> None:
        club = self.club
        known = len(public(club.general))
        self.matches += 1
        await self.insist("a challenge", self.challenge)
        message = (await club.standin.until(lambda: public(club.general)[known:], STUCK))[0]
        await self.insist("to accept", lambda: self.accept(message))
        thread = club.guild.channels[message.id]
        while not is_over(thread):
            for user in (club.ann, club.bob):
                if not is_over(thread):
                    await self.insist("a choice", lambda u=user: self.choose(u, thread))

    async def challenge(self) -> None:
        club = self.club
        terms = {"game": "bagh", "first_to": 1, "rules": self.rules}
        told = await self.slash(club.ann, "challenge", opponent=club.bob, **terms)
        if "unfinished" in told.text:  # killed between the end of the last match and noting it
            raise TimeoutError
        assert re.search("Challenge sent|already", told.text), told.text

    async def accept(self, message) -> None:
        if message.components:
            await self.press(self.club.bob, message, "Accept")
        if message.id not in self.club.guild.channels:
            raise TimeoutError

    async def choose(self, user, thread) -> None:
        """Opens the menu on the newest board and presses a button of it."""
        board = await self.club.standin.until(lambda: boards(thread)[-1:] or is_over(thread))
        if is_over(thread):
            return
        asked = await self.press(user, board[0], "Choose")
        if "make your choice" not in asked.text:
            await asyncio.sleep(0.02)
            return
        now = place(asked.text)
        buttons = [c for c in asked.message.components if c["custom_id"].startswith("choose:")]
        assert not [c for c in asked.message.components if c["type"] == 3 and not picked(c)]
        told = await self.press(user, asked.message, "", self.club.rng.choice(buttons))
        is_made = "you have chosen" in told.text or place(told.text) != now
        if is_made and "not counted" not in told.text and "went wrong" not in told.text:
            self.acknowledged.append(told.id)


def is_over(thread) -> bool:
    return any("🏁" in each.content for each in public(thread))


class KillsAtRandom:
    """Kills the bot so often, each time within `longest` seconds of its start."""

    def __init__(self, kills: int, *, longest: float = 1.0, tell=lambda _: None) -> None:
        self.kills, self.longest, self.tell = kills, longest, tell
        self.done = 0

    @property
    def is_done(self) -> bool:
        return self.done == self.kills

    async def run(self, club: Club, bot: BotProcess) -> None:
        while not self.is_done:
            await asyncio.sleep(club.rng.uniform(0.0, self.longest))
            await bot.kill()
            await bot.start()
            self.done += 1
            self.tell(self.done)


class KillsAfterRequests:
    """Kills the bot after the first request of each kind that changes something: Discord has done
    it, and the bot does not learn of that.
    """

    is_done = True
    """After any number of kills."""

    def __init__(self) -> None:
        self.kinds: list[str] = []

    @property
    def kills(self) -> int:
        return len(self.kinds)

    async def run(self, club: Club, bot: BotProcess) -> None:
        killed = asyncio.Event()

        async def before_answer(method: str, path: str) -> None:
            path = path.replace(str(club.general.id), "general")
            kind = f"{method} {re.sub(r'/[^/]{15,}', '/…', path)}"
            if method != "GET" and "applications" not in path and kind not in self.kinds:
                self.kinds.append(kind)
                await bot.kill()
                killed.set()

        club.standin.rest.before_answer = before_answer
        while True:
            await killed.wait()
            killed.clear()
            await bot.start()


async def play_with_kills(
    folder, killer: KillsAtRandom | KillsAfterRequests, seed: int, *, rules: str = ""
) -> int:
    """Plays until the killer is done and the match is over. Gives the number of choices that were
    acknowledged.
    """
    standin = Standin()
    club = Club.new(standin)
    club.rng = random.Random(seed)
    async with (
        standin.running(),
        running_process(standin, folder) as bot,
        asyncio.TaskGroup() as tasks,
    ):
        game = Game(club, bot, rules)
        killing = tasks.create_task(killer.run(club, bot))
        for user in (club.ann, club.bob):
            await game.insist("to join", lambda u=user: game.join(u))
        await game.play_match()  # one in any case, however slow the start
        while not killer.is_done:
            await game.play_match()
        killing.cancel()
    check_log(folder, game.acknowledged)
    assert len(public(club.general)) == game.matches, "a challenge was posted twice"
    for thread in club.guild.channels.values():
        if thread.is_thread:
            check_shown(thread, club.eve, killer.kills)
    return len(game.acknowledged)


def check_log(folder, acknowledged) -> None:
    """Every acknowledged choice is in the log."""
    with Store.open(f"sqlite:///{folder}/holmgang.sqlite3") as store:
        stored = {
            event.body.get("command")
            for row in store.matches.find(limit=10_000)
            for event in store.read(row.id)
        }
        assert not store.discord.unopened_challenges()
        assert {row.summary.status for row in store.matches.find(limit=10_000)} == {"over"}
    missing = [each for each in acknowledged if str(each) not in stored]
    assert not missing, f"{len(missing)} acknowledged choices are lost"


def check_shown(thread, watching, kills: int) -> None:
    """Every round was shown to a spectator, the last ones on the result. The board was edited: a
    new one was posted at most once for each time the bot was killed.
    """
    key = f'"channel_id": "{thread.id}"'
    told = "\n".join(value for _, value in watching.shown if key in value)
    rounds = {int(number) for number in re.findall(r"\*\*Round (\d+)\*\*", told)}
    assert rounds == set(range(1, max(rounds) + 1)), rounds
    assert len(public(thread)) <= 2 + kills
