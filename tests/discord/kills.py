"""Kills the bot at random moments while two users play, and checks that nothing is lost.

What a user was told is acknowledged: a choice that was answered with "you have chosen" has to be in
the log of the match, whatever happens to the process after that.
"""

import asyncio
import os
import random
import re
import sys
from contextlib import asynccontextmanager, suppress

from tests.discord.playing import Club, boards, eventually, picked, place, public
from tests.discord.standin import Standin

from holmgang.discord.settings import TOKEN
from holmgang.store import Store

PATIENCE = 4.0
"""Seconds that a user waits for an answer before pressing again."""


class BotProcess:
    """The bot as a process that can be killed and started again."""

    def __init__(self, standin: Standin, url: str) -> None:
        self.standin, self.url = standin, url
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        self.standin.gateway.end_sessions()
        count = len(self.standin.gateway.identifies)
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tests.discord.bot_process",
            self.standin.api_url,
            self.standin.gateway_url,
            self.url,
            env={**os.environ, TOKEN: self.standin.token},
            stdout=asyncio.subprocess.DEVNULL,
        )
        await eventually(lambda: len(self.standin.gateway.identifies) > count, 60)

    async def kill(self) -> None:
        if self.process is not None and self.process.returncode is None:
            self.process.kill()
        if self.process is not None:
            await self.process.wait()


@asynccontextmanager
async def running_process(standin: Standin, folder):
    bot = BotProcess(standin, f"sqlite:///{folder}/holmgang.sqlite3")
    await bot.start()
    try:
        yield bot
    finally:
        await bot.kill()


async def play_with_kills(
    folder, kills: int, seed: int, *, longest: float = 1.0, rules: str = "", tell=lambda _: None
) -> int:
    """Plays until the bot was killed so often, each time within `longest` seconds of its start, and
    the match is over. Gives the number of choices that were acknowledged.
    """
    standin = Standin()
    club = Club.new(standin)
    rng = random.Random(seed)
    club.rng = rng
    acknowledged: list[int] = []
    done = 0
    async with standin.running(), running_process(standin, folder) as bot:

        async def kill_often() -> None:
            nonlocal done
            for number in range(kills):
                await asyncio.sleep(rng.uniform(0.0, longest))
                await bot.kill()
                await bot.start()
                done = number + 1
                tell(done)

        killer = asyncio.create_task(kill_often())
        try:
            for user in (club.ann, club.bob):
                await insist(lambda u=user: join(club, u))
            await play_match(club, acknowledged, rules)  # one in any case, however slow the start
            while not killer.done():
                await play_match(club, acknowledged, rules)
            await killer
        finally:
            killer.cancel()
            with suppress(asyncio.CancelledError):
                await killer
    check_log(folder, acknowledged)
    for thread in club.guild.channels.values():
        if thread.is_thread:
            check_posts(thread, kills)
    return len(acknowledged)


async def insist(act):
    """Does it again until it has an answer: the bot may have been killed in between."""
    while True:
        with suppress(TimeoutError, LookupError):
            return await act()
        await asyncio.sleep(0.05)


async def join(club, user):
    told = await club.standin.slash(user, club.general, "join", waits=PATIENCE)
    if "joined" not in told.text:
        raise TimeoutError


async def play_match(club, acknowledged, rules: str) -> None:
    standin = club.standin
    known = len(public(club.general))

    async def challenge():
        told = await standin.slash(
            club.ann,
            club.general,
            "challenge",
            opponent=club.bob,
            game="bagh",
            first_to=1,
            rules=rules,
            waits=PATIENCE,
        )
        if "unfinished" in told.text:  # killed between the end of the last match and noting it
            raise TimeoutError
        assert re.search("Challenge sent|already", told.text), told.text

    await insist(challenge)
    message = await standin.until(lambda: public(club.general)[known:], 60)
    message = message[0]

    async def accept():
        if message.components:
            await standin.press(club.bob, message, "Accept", waits=PATIENCE)
        if message.id not in club.guild.channels:
            raise TimeoutError

    await insist(accept)
    thread = club.guild.channels[message.id]
    while not any("🏁" in each.content for each in public(thread)):
        for user in (club.ann, club.bob):
            with suppress(TimeoutError, LookupError):
                await choose(club, user, thread, acknowledged)


async def choose(club, user, thread, acknowledged) -> None:
    """Opens the menu on the newest board and presses a button of it."""
    board = await club.standin.until(lambda: boards(thread)[-1:], PATIENCE)
    asked = await club.standin.press(user, board[0], "Choose", waits=PATIENCE)
    if "make your choice" not in asked.text:
        await asyncio.sleep(0.02)
        return
    now = place(asked.text)
    buttons = [c for c in asked.message.components if c["custom_id"].startswith("choose:")]
    assert not [c for c in asked.message.components if c["type"] == 3 and not picked(c)]
    told = await club.standin.press(
        user, asked.message, "", component=club.rng.choice(buttons), waits=PATIENCE
    )
    is_made = "you have chosen" in told.text or place(told.text) != now
    if is_made and "not counted" not in told.text and "went wrong" not in told.text:
        acknowledged.append(told.id)


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


def check_posts(thread, kills: int) -> None:
    """Every round was posted, in order; at most one twice for each time the bot was killed."""
    told = "\n".join(message.content for message in public(thread))
    rounds = [int(number) for number in re.findall(r"\*\*Round (\d+)\*\*", told)]
    assert sorted(set(rounds)) == list(range(1, max(rounds) + 1)), rounds
    assert len(rounds) - len(set(rounds)) <= kills, rounds
