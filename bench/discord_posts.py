"""`python -m bench.discord_posts`: what a duel costs a Discord server in posts, edits and pings.

Two users who are there all the time play against the stand-in for Discord of the tests: 20 rounds
of BAGH, a bout of Fencing in which both only break, so that it takes all its turns, and whole duels
of the other games, with random choices.
"""

import argparse
import asyncio
import random
import re
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.discord.playing import Club, boards, public, running_bot
from tests.discord.standin import Standin
from tests.discord.standin.world import Channel

from bench.page import table
from holmgang.live.service import Service, Viewer

PATIENCE = 120.0
MATCHES = {
    "bagh": {"first_to": 9},
    "fencing": {},
    "defend-the-city": {},
    "magic-duel": {},
}
ALWAYS = {"fencing": "Break"}
"""The one choice that both make; random fencers are soon out of energy."""
ROUNDS = {"bagh": 20}
"""Rounds after which someone forfeits; other games are played to their end."""


class Cost(NamedTuple):
    game: str
    rounds: int
    posts: int
    """In the thread, by the bot."""
    edits: int
    pings: int
    presses: int


async def play(game: str, folder: Path, seed: int) -> Cost:
    standin = Standin()
    club = Club.new(standin)
    club.rng = random.Random(seed)
    async with standin.running(), running_bot(standin, folder) as bot:
        await club.join(club.ann, club.bob)
        thread = await club.duel(game, **MATCHES[game])
        match = bot.store.matches.find()[0].id
        begun = len(standin.interactions.by_id)
        rounds = 0
        while rounds < ROUNDS.get(game, 10_000) and not is_over(thread):
            await play_round(club, thread, bot.service, match, ALWAYS.get(game))
            rounds += 1
        presses = len(standin.interactions.by_id) - begun
        if not is_over(thread):
            sure = await standin.press(club.ann, boards(thread)[-1], "Forfeit")
            await standin.press(club.ann, sure.message, "Yes, forfeit")
        await standin.until(lambda: is_analysed(thread), PATIENCE)
        await standin.until(lambda: not boards(thread), PATIENCE)
        posts = public(thread)
        return Cost(
            game,
            rounds,
            len(posts),
            sum(message.edits for message in posts),
            sum(len(message.pinged) for message in posts),
            presses,
        )


async def play_round(
    club: Club, thread: Channel, service: Service, match: str, always: str | None
) -> None:
    """Everyone who is asked chooses, from the newest board; then the next one is awaited."""
    before = await service.view(match, Viewer())
    board = boards(thread)[-1]
    for user in (club.ann, club.bob):
        asked = await club.open_menu(user, board)
        if "make your choice" in asked.text:
            if always is None:
                await club.choose(user, asked)
            else:
                await club.standin.press(user, asked.message, always)
        view = await service.view(match, Viewer())
        if (view.game, view.round, view.status) != (before.game, before.round, before.status):
            break
    if view.status != "playing":
        await club.standin.until(lambda: is_over(thread), PATIENCE)
    else:
        wanted = re.compile(
            rf"{'game ' + str(view.game) + ', ' if view.wins_needed > 1 else ''}"
            rf"round {view.round}\b"
        )
        await club.standin.until(
            lambda: boards(thread) and wanted.search(boards(thread)[-1].content), PATIENCE
        )


def is_over(thread: Channel) -> bool:
    return any("🏁" in message.content for message in public(thread))


def is_analysed(thread: Channel) -> bool:
    return any("analysis.png" in message.files for message in public(thread))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.discord_posts")
    parser.add_argument("games", nargs="*", help=f"of {', '.join(MATCHES)} (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the choices (default: 1)")
    options = parser.parse_args()
    rows = []
    for game in options.games or MATCHES:
        with tempfile.TemporaryDirectory() as folder:
            cost = asyncio.run(play(game, Path(folder), options.seed))
        rows.append([cost.game, *(str(each) for each in cost[1:])])
    heads = ["game", "rounds", "posts", "edits", "pings", "presses"]
    sys.stdout.write("\n".join(table(heads, rows)) + "\n")


if __name__ == "__main__":
    main()
