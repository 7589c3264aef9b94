"""`make bench-discord`: many duels at once on one process of the Discord bot.

    python -m bench.discord [--duels N] [--rounds N] [--no-write]

The bot is a process of its own; the stand-in for Discord of the tests and all users are this one.
Discord's limits are in force: 5 posts in 5 seconds in each channel, 50 requests a second in all.
Users press as soon as they see a button. Each press counts from when the event is sent to the bot
until its first answer, for which Discord waits 3 seconds, and until its last.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from textwrap import fill
from typing import NamedTuple

from tests.discord.kills import running_process
from tests.discord.playing import Club, place
from tests.discord.standin import Standin
from tests.discord.standin.interactions import FIRST_ANSWER, Interaction
from tests.discord.standin.world import Channel, User

from bench.page import made_of, replace_section, table
from holmgang.stats import percentile

TITLE = "The Discord bot"
TICKS = os.sysconf("SC_CLK_TCK")
PATIENCE = 120.0
DUELS_PER_CHANNEL = 5


class Pressed(NamedTuple):
    """How long a press took, in milliseconds."""

    first_ms: float
    last_ms: float


class Players:
    """Two users who play one duel, and note how long they were kept waiting."""

    def __init__(self, standin: Standin, number: int, pressed: list[Pressed]) -> None:
        self.standin, self.pressed = standin, pressed
        self.club = Club.__new__(Club)
        guild = standin.guilds[0]
        general = list(guild.channels.values())[number // DUELS_PER_CHANNEL]
        users = [standin.new_user(guild, f"{name}{number}") for name in ("ann", "bob")]
        Club.__init__(self.club, standin, guild, general, *users, users[0])

    async def timed(self, begun) -> Interaction:
        """Waits for the last answer, and notes both times."""
        began = time.perf_counter()
        interaction = await begun
        last = 1000 * (time.perf_counter() - began)
        self.pressed.append(Pressed(1000 * interaction.answered_after, last))
        return interaction

    async def begin(self) -> Channel:
        """Joins, challenges and accepts: the thread."""
        club, standin = self.club, self.standin
        for user in (club.ann, club.bob):
            await self.timed(standin.slash(user, club.general, "join", waits=PATIENCE))
        told = await self.timed(
            standin.slash(
                club.ann,
                club.general,
                "challenge",
                opponent=club.bob,
                game="bagh",
                first_to=9,
                waits=PATIENCE,
            )
        )
        message = club.general.messages[int(told.text.rpartition("/")[2])]
        await self.timed(standin.press(club.bob, message, "Accept", waits=PATIENCE))
        return await standin.until(lambda: club.guild.channels.get(message.id), PATIENCE)

    async def play(self, thread: Channel, rounds: int) -> None:
        board = await self.club.board(thread)
        for _ in range(rounds):
            for user in (self.club.ann, self.club.bob):
                await self.choose(user, board)
            board = await self.club.next_board(thread, board)

    async def choose(self, user: User, board) -> None:
        asked = await self.timed(self.standin.press(user, board, "Choose", waits=PATIENCE))
        now = place(asked.text)
        made = await self.timed(self.standin.press(user, asked.message, "Attack", waits=PATIENCE))
        if "you have chosen" not in made.text and place(made.text) == now:
            raise AssertionError(made.text)


async def measure(duels: int, rounds: int, folder: Path):
    """The times of all presses, the seconds of the whole, the bot's processor seconds and the
    requests that Discord would have counted.
    """
    standin = Standin()
    standin.interactions.clock = time.monotonic
    guild = standin.new_guild()
    for number in range(duels // DUELS_PER_CHANNEL):
        standin.new_channel(guild, f"duels-{number}")
    standin.limits.posts = (5, 5.0)
    pressed: list[Pressed] = []
    async with standin.running(), running_process(standin, folder) as bot:
        players = [Players(standin, number, pressed) for number in range(duels)]
        began = time.perf_counter()
        threads = await asyncio.gather(*(each.begin() for each in players))
        begun = time.perf_counter() - began
        await asyncio.gather(
            *(each.play(thread, rounds) for each, thread in zip(players, threads, strict=True))
        )
        seconds = time.perf_counter() - began
        cpu = cpu_seconds(bot.process.pid if bot.process else 0)
    errors = [str(error) for error in standin.rest.errors]
    return pressed, begun, seconds, cpu, len(standin.rest.requests), standin.limits.refusals, errors


def cpu_seconds(pid: int) -> float:
    with suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS
    return 0.0


def section(duels: int, rounds: int) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        pressed, begun, seconds, cpu, requests, refusals, errors = asyncio.run(
            measure(duels, rounds, Path(folder))
        )
    late = sum(each.first_ms > 1000 * FIRST_ANSWER for each in pressed)
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    about = (
        f"{duels} duels of bagh at once, {rounds} rounds each, on one process of `holmgang "
        "discord` with SQLite, against the stand-in for Discord of the tests in another (`make "
        "bench-discord`). Discord's limits are in force: 5 posts in 5 seconds in a channel, 50 "
        f"requests a second in all. All duels had begun after {begun:.0f} s; the whole took "
        f"{seconds:.0f} s and {cpu:.0f} s of the bot's processor time, with {requests:,} requests, "
        f"of which {refusals:,} were told to wait. Load of the machine meanwhile (1, 5, 15 "
        f"minutes): {load}."
    )
    wanted = (
        f"Wanted: every press is answered within {FIRST_ANSWER:.0f} s. Of {len(pressed):,} presses "
        f"{late} were not. Errors of the API: {', '.join(sorted(set(errors))) or 'none'}."
    )
    rows = [
        [name, *(f"{percentile(times, each):,.0f}" for each in (0.5, 0.99)), f"{times[-1]:,.0f}"]
        for name, times in (
            ("to the first answer", sorted(each.first_ms for each in pressed)),
            ("to the last answer", sorted(each.last_ms for each in pressed)),
        )
    ]
    return [
        f"## {TITLE}",
        "",
        *fill(about, 100).splitlines(),
        "",
        *made_of(),
        "",
        *fill(wanted, 100).splitlines(),
        "",
        *table(["ms", "p50", "p99", "longest"], rows),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.discord")
    parser.add_argument("--duels", type=int, default=100, help="number of duels (default: 100)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each (default: 5)")
    parser.add_argument("--no-write", action="store_true", help="leave bench/RESULTS.md alone")
    options = parser.parse_args()
    lines = section(options.duels, options.rounds)
    sys.stdout.write("\n".join(lines))
    if not options.no_write:
        replace_section(TITLE, lines)


if __name__ == "__main__":
    main()
